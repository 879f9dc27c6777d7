"""An overview of a player's tables."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from discord import ButtonStyle

from bot.chat.club.screens.hub import tables_text
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import (
    QUIET_COLOUR,
    TURN_COLOUR,
    date_mark,
    moment,
    my_mistakes,
    names,
    page_buttons,
    player_name,
    table_link,
    watch_ways,
)
from bot.chat.kit.widgets import Part, Screen, button, button_rows, link, screen, section
from bot.chat.table.screens.lobby import pace_text, table_title, waits_text
from bot.chat.table.screens.seats_screen import missed_text
from bot.model.events import Entrant, EntrantState, Event, WaitingPlayer
from bot.model.ids import GuildId, Player, TableId
from bot.model.tables import Table, TableState
from bot.play.queries.views import Game, MissedEvents, TableView
from bot.play.table.seats import may_sit_out
from bot.text.words import Words, escape_name

TABLES_PER_PAGE = 6
"""Maximum number of tables per page.

Each takes three of a message's 40 components and about 500 of its 4,000 characters.
"""
MAX_EVENTS = 5
FEW_TABLES, MAX_BUTTONS, MAX_OTHER_TABLES = 3, 5, 5
"""If the reader has more than ``FEW_TABLES`` tables, other tables get at most this number of buttons and lines."""
MAX_MISSED_TABLES = 5
"""Maximum number of tables in the summary of what the reader missed."""


def my_games_screen(
    games: Sequence[Game],
    words: Words,
    *,
    page: int,
    servers: Mapping[GuildId, str] | None = None,
    notice: str = "",
    lost: Sequence[TableId] = (),
    registered: Sequence[tuple[Event, Entrant | WaitingPlayer]] = (),
    others: Sequence[TableView] = (),
    further: int = 0,
    watched: Sequence[tuple[int, str]] = (),
    page_url: str = "",
    inside: bool = False,
) -> Screen:
    """Draw each table's state, with those waiting for the reader first, below a summary of what they missed.

    ``servers`` has the known server names. If it's given, the tables of all servers are listed, and each button leads
    to its table instead of opening the hand. ``notice`` confirms the last action. ``lost`` has the tables where the
    reader lost their seat. ``registered`` has their events without a table yet, and those whose waiting list they're
    on. ``others`` has open tables where they don't sit, ``further`` is the number of such tables not listed, and
    ``watched`` has the addresses for watching. ``page_url`` leads to the reader's own page, which also opens in Discord
    if ``inside`` is set.
    """
    ordered = sorted(games, key=_urgency)
    last_page = max(0, -(-len(ordered) // TABLES_PER_PAGE) - 1)
    page = min(page, last_page)
    shown = ordered[page * TABLES_PER_PAGE : (page + 1) * TABLES_PER_PAGE]
    parts: list[str | Part] = [f"### {words('games.title')}"]
    parts += [notice] if notice else []
    if not page:
        parts += _missed_lines(ordered, lost, words)
    parts += [_line(game, words, servers) for game in shown]
    if not shown:
        parts.append(words("games.none" if servers is None else "games.none_anywhere"))
    if not page and registered:
        parts.append(
            "\n".join([words("games.registered"), *(_event_line(*one, words) for one in registered[:MAX_EVENTS])])
        )
    parts += _others(others, further, watched, words, few=len(shown) <= FEW_TABLES)
    left = len(ordered) - (page + 1) * TABLES_PER_PAGE
    if left > 0:
        parts.append(words("games.more", count=left))
    press = Press(verb="my_games", table=TableId(0))
    buttons = [button(replace(press, hand=page), words("button.refresh"))]
    if last_page:
        # Buttons need distinct custom ids, even if they lead to the same page. ``street`` makes the ids distinct.
        buttons.append(
            button(replace(press, hand=max(0, page - 1), street=1), words("games.earlier"), disabled=page == 0)
        )
        buttons.append(
            button(replace(press, hand=page + 1, street=2), words("games.later"), disabled=page == last_page)
        )
    if servers is None and sum(_may_sit_out(game.view) for game in games) > 1:
        buttons.append(button(press.but("out_everywhere"), words("games.out_everywhere")))
    buttons.append(my_mistakes(words))
    ways = page_buttons(page_url, words, press, inside=inside) if games else []
    return screen(*parts, *button_rows(buttons + ways), colour=QUIET_COLOUR)


def _others(
    views: Sequence[TableView], further: int, watched: Sequence[tuple[int, str]], words: Words, *, few: bool
) -> list[str | Part]:
    """Return the tables where the reader doesn't sit, one line each, with buttons to join or watch."""
    if not views:
        return []
    told = views if few else views[:MAX_OTHER_TABLES]
    left = further + len(views) - len(told)
    lines = [words("games.others"), tables_text(told, words), *([words("games.further", count=left)] if left else [])]
    ways = [_details(view.table, words) for view in told if _has_room(view)]
    ways = [*ways[:MAX_BUTTONS], *watch_ways(watched, words)]
    return ["\n".join(lines), *button_rows(ways if few else ways[:MAX_BUTTONS])]


def _has_room(view: TableView) -> bool:
    """True if the reader could join the table."""
    table = view.table
    taken = len(view.places) >= table.terms.max_seats
    return table.event_no is None and not table.private and not taken and view.you not in table.removed


def _details(table: Table, words: Words) -> Part:
    """Return the button for the terms and seats of a table that the reader can join."""
    press = Press(verb="seats", table=table.key.table, tag=table.tag)
    return button(press, words("games.details", table=table.number))


def _event_line(event: Event, entrant: Entrant | WaitingPlayer, words: Words) -> str:
    """Return a line for an event that the reader is registered or waits for, with its start or the offer's end."""
    values: dict[str, str | int] = {"event": escape_name(event.name), "number": event.key.number}
    values["channel"] = f"<#{event.channel}>"
    if isinstance(entrant, WaitingPlayer):
        until = entrant.offered_until
        key, at = ("games.waiting_line", event.starts_at or 0) if until is None else ("games.kept_line", until)
        return words(key, when=moment(at), **values)
    if not event.phase.before:
        return words("games.registered_waits", **values)
    if event.starts_at is None:
        return words("games.registered_filling", **values)
    told = words("games.registered_line", when=moment(event.starts_at), **values)
    came = entrant.state is EntrantState.CHECKED_IN
    return words.facts([told, words("games.registered_checked") if came else ""])


def _may_sit_out(view: TableView) -> bool:
    return view.mine is not None and may_sit_out(view.table, view.mine.seat)


def _missed_lines(games: Sequence[Game], lost: Sequence[TableId], words: Words) -> list[str]:
    missed = [(game.view.table.number, game.beside.missed) for game in games]
    lines = [words("away.lost_seat", table=table) for table in lost]
    lines += [missed_text(one, words, table=table) for table, one in missed if one is not None]
    left = len(lines) - MAX_MISSED_TABLES
    more = [words("away.more", count=left)] if left > 0 else []
    return ["\n".join([words("away.title"), *lines[:MAX_MISSED_TABLES], *more])] if lines else []


def _urgency(game: Game) -> tuple[bool, int, int, int]:
    """Sort key that puts tables waiting for the reader first, then sorts by remaining time."""
    view = game.view
    mine = view.you in view.waiting
    own = view.until(view.you) if mine and view.you else None
    until = own or view.turn_until or view.next_hand_at or view.lobby_until or 1 << 62
    return not mine, until, view.table.key.guild, view.table.key.table


def _line(game: Game, words: Words, servers: Mapping[GuildId, str] | None) -> Part:
    view, table = game.view, game.view.table
    lines = [f"**{table_title(table, words)}**", words.facts(_place_lines(view, words, servers)), _state(view, words)]
    if view.event is not None:
        lines.append(words("event_table.event", name=escape_name(view.event.name)))
    lines.append(f"-# {words.facts(_own_lines(game, words))}")
    mine = view.you in view.waiting
    has_hand = table.state is TableState.PLAYING and view.hand is not None and view.hand.mine is not None
    if servers is not None:
        return section("\n".join(lines), link(table_link(table), words("games.go")))
    press = Press(verb="panel", table=table.key.table, tag=table.tag)
    style = ButtonStyle.primary if mine else ButtonStyle.secondary
    label = words("button.my_hand" if has_hand else "games.open")
    return section("\n".join(lines), button(press, label, style=style))


def _place_lines(view: TableView, words: Words, servers: Mapping[GuildId, str] | None) -> list[str]:
    """Return the channel, the hand with its street, and the opponents."""
    table, hand = view.table, view.hand
    told = [escape_name(name)] if servers and (name := servers.get(table.key.guild)) else []
    told.append(f"<#{table.channel}>")
    if table.hand_no:
        told.append(words("games.hand", hand=table.hand_no))
    if hand is not None and not hand.over and not hand.variant.at_once:
        told.append(words("panel.street", street=hand.street, streets=len(hand.variant.streets)))
    others: list[str] = [place.seat.player for place in view.places if place.seat.player != view.you]
    if others:
        told.append(words("games.against", players=names(others, words)))
    return told


def _own_lines(game: Game, words: Words) -> list[str]:
    """Return the pace, the reader's stack and last hand, and whether they are sitting out or leaving."""
    view, place = game.view, game.view.mine
    told = [pace_text(view.table.terms.clock, words)]
    if view.week is not None:
        told.append(words("games.weekends_off"))
    if place is not None and not view.table.terms.practice:
        told.append(words("games.stack", chips=words.number(place.stack)))
    if game.beside.last is not None:
        told.append(words("games.last", points=words.signed(game.beside.last)))
    if place is not None and (place.seat.away or (place.seat.sits_out and not place.seat.dealt_in)):
        told.append(words("games.sits_out"))
    elif place is not None and place.seat.sits_out:
        told.append(words("games.out_next"))
    told += [
        words("games.vacation", player=player_name(one.seat.player, words), ends=date_mark(one.vacation.ends))
        for one in view.places
        if one.vacation is not None
    ]
    if place is not None and place.seat.leaving:
        told.append(words("games.leaves"))
    return told


def _state(view: TableView, words: Words) -> str:
    if view.waiting:
        players = names([player for player in view.waiting if player != view.you], words)
        until = view.until(view.you) if view.you in view.waiting and view.you else view.turn_until
        key = "games.your_turn" if view.you in view.waiting else "games.others_turn"
        values = {} if view.you in view.waiting else {"players": players}
        if until is None:
            return words(f"{key}_untimed", **values)
        return words(key, until=moment(until), **values)
    if view.stalled:
        return words("games.stalled")
    if view.event is not None and (waits := waits_text(view.event, words)):
        return waits
    if view.next_hand_at is not None:
        return words("games.between", when=moment(view.next_hand_at))
    if view.table.state is TableState.LOBBY and view.event is None:
        return words("games.lobby", count=len(view.places))
    return words("games.your_deal" if view.table.private else "table.pause")


# The digest: one message a day that mentions a player and lists the correspondence tables waiting for them.

MAX_PER_DIGEST = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """Content of a player's daily digest about their correspondence tables."""

    waiting: Sequence[TableView] = ()
    """The tables waiting for the player, the shortest remaining time first."""
    missed: Sequence[tuple[Table, MissedEvents]] = ()
    """Actions that timed out since the last digest, by table."""
    lost: Sequence[Table] = ()
    """Tables where they have lost their seat since the last digest."""
    out: Sequence[Table] = ()
    """Tables where they are sitting out."""

    @property
    def says_something(self) -> bool:
        """True if there's any news. Tables where they are sitting out aren't news."""
        return bool(self.waiting or self.missed or self.lost)

    @property
    def tables(self) -> list[Table]:
        """All tables in the digest, the most urgent first."""
        return [*(view.table for view in self.waiting), *(table for table, _ in self.missed), *self.lost, *self.out]

    def only(self, channels: Container[int]) -> Digest:
        """Return the digest limited to tables in ``channels``."""
        return Digest(
            waiting=[view for view in self.waiting if view.table.channel in channels],
            missed=[(table, missed) for table, missed in self.missed if table.channel in channels],
            lost=[table for table in self.lost if table.channel in channels],
            out=[table for table in self.out if table.channel in channels],
        )


def digest_screen(shown: Digest, player: Player, words: Words, *, count: int, tag: str) -> Screen:
    """Draw a player's waiting tables with the remaining time, and what happened in their absence.

    ``tag`` identifies this digest. ``count`` is the number of all waiting tables, and ``shown`` has those that everyone
    who can read the channel may see.
    """
    name = player_name(player, words)
    lines = [words("digest.text", count=count, player=name) if count else words("digest.news", player=name)]
    for view in shown.waiting[:MAX_PER_DIGEST]:
        until, where = view.until(player), f"[{table_title(view.table, words)}]({table_link(view.table)})"
        lines.append(where if until is None else words("digest.table", table=where, until=moment(until)))
    if (left := count - len(shown.waiting[:MAX_PER_DIGEST])) > 0:
        lines.append(words("digest.more", count=left))
    happened = [missed_text(missed, words, table=table.number) for table, missed in shown.missed]
    happened += [words("away.lost_seat", table=table.number) for table in shown.lost]
    if happened:
        lines += [words("away.title"), *happened[:MAX_PER_DIGEST]]
    if (left := len(happened) - MAX_PER_DIGEST) > 0:
        lines.append(words("away.more", count=left))
    if shown.out:
        named = [words("games.table", table=table.number) for table in shown.out[:MAX_PER_DIGEST]]
        lines.append(words("digest.out", tables=words.list(named)))
    games = button(Press(verb="games", table=TableId(0), argument=tag), words("hub.button.games"))
    return screen("\n".join(lines), *button_rows([games]), colour=TURN_COLOUR)
