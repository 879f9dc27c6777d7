"""A table before its first hand: the game in a beginner's words, the stakes, and the seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from discord import ButtonStyle, SelectOption

from bot.chat.kit.custom_ids import Press
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import (
    QUIET_COLOUR,
    TURN_COLOUR,
    date_mark,
    game_line,
    moment,
    names,
    player_name,
    short_fingerprint,
)
from bot.chat.kit.widgets import Part, Screen, button, button_rows, screen, user_select
from bot.model.choices import Vacation
from bot.model.clock import Clock, Pace
from bot.model.ids import Player, level_of
from bot.model.limits import MAX_INVITED_PLAYERS
from bot.model.tables import DEFAULT_LIMITS, EventNote, Limits, Table, TableState, Terms, WaitReason
from bot.play import terms as terms_of
from bot.play.queries.views import SeatStack, TableView
from bot.pure.ofc.variants import Variant
from bot.pure.solver.levels import Level
from bot.text.durations import duration
from bot.text.event_structure import rising, stage_text
from bot.text.fingerprint import fingerprint
from bot.text.games import full_name
from bot.text.house_rules import house_items
from bot.text.words import Words, escape_name
from bot.text.zones import zone_name

# The head of a table's messages: the table, its event, and the root of its decks.

MAX_TITLES = 1024
"""Maximum number of cached titles. All messages of a table show its title."""


def table_title(table: Table, words: Words) -> str:
    """Return ``Table 3 · Pineapple OFC · 10 chips per point``."""
    terms = table.terms
    return _title(table.number, terms.point_value, terms.practice, table.event_no is not None, terms.variant, words)


def hand_title(table: Table, point_value: int, words: Words) -> str:
    """Return the table's title in a past hand with that point value, because the table's own may have risen since."""
    return table_title(replace(table, terms=replace(table.terms, point_value=point_value)), words)


@lru_cache(MAX_TITLES)
def _title(number: int, point_value: int, practice: bool, of_event: bool, game: Variant, words: Words) -> str:
    stakes = words("event_table.for_points") if practice and of_event else _stakes(point_value, words)
    return words("table.title", table=number, game=full_name(game, words), stakes=stakes)


def stakes_text(terms: Terms, words: Words) -> str:
    """Return ``10 chips per point``, or that the game isn't for chips."""
    return _stakes(terms.point_value, words)


def _stakes(point_value: int, words: Words) -> str:
    return words("table.stakes", value=words.number(point_value)) if point_value else words("table.practice")


def thread_name(view: TableView, words: Words) -> str:
    """Return the name of the table's own thread, which is unique in its channel."""
    table = view.table
    if view.event is not None:
        return words("event_table.thread", table=table.number, name=view.event.name)
    return words("table.thread", table=table.key.table, game=full_name(table.terms.variant, words))


def event_facts(event: EventNote, words: Words) -> list[str]:
    """Return the event's name, and the current level or round."""
    facts = [words("event_table.event", name=escape_name(event.name))]
    if event.stage:
        facts.append(stage_text("event.stage", *event.stage, words))
    elif event.round and event.rounds:
        facts.append(words("event_table.round_of", round=event.round, rounds=event.rounds))
    elif event.round:
        facts.append(words("event_table.round", round=event.round))
    if event.level:
        facts.append(words("event_table.level", level=event.level))
    return facts


def hand_facts(view: TableView, words: Words) -> list[str]:
    """Return the number of the current hand. In rounds, it's the hand of the round, without those in Fantasyland.

    If the table's own number is another one, it follows, because results are looked up by it.
    """
    event, number = view.event, view.table.hand_no
    if view.hand is None or not number:
        return []
    if event is None or not event.hand:
        return [words("table.hand", hand=number)]
    key = "event_table.fantasyland_after" if event.extra else "event_table.hand_of"
    facts = [words(key, hand=event.hand, hands=event.hands)]
    return facts if number == event.hand else [*facts, words("event_table.own_number", hand=number)]


def waits_text(event: EventNote, words: Words) -> str:
    """Return the reason that an event's table isn't dealing; empty if nothing prevents it."""
    if event.waits is WaitReason.NOTHING:
        return ""
    if event.waits is WaitReason.BREAK and event.break_until is not None:
        return words("event_table.waits.break_until", when=moment(event.break_until))
    return words(f"event_table.waits.{event.waits.value}")


def root_link(table: Table) -> str:
    """Return the start of the fingerprint of a table's decks, linked to the message that shows it in full."""
    short = short_fingerprint(table.commitment)
    return short if table.root_message is None else f"[{short}]({_root_address(table)})"


def _root_address(table: Table) -> str:
    return f"https://discord.com/channels/{table.key.guild}/{table.channel}/{table.root_message}"


def locked_text(view: TableView, words: Words) -> str:
    """Return a note that the decks are locked, linked to the message with their full fingerprint.

    Without such a message, the note contains the fingerprint itself. An event's table that hasn't posted its
    fingerprint yet shows it in full here, because it must be shown before a hand is dealt.
    """
    table, event = view.table, view.event
    if event is not None and event.deck_commitment:
        return words("table.locked_as", commitment=short_fingerprint(event.deck_commitment))
    if table.root_message is not None:
        return words("table.locked", link=_root_address(table))
    whole = event is not None and view.owes_root
    shown = f"`{fingerprint(table.commitment)}`" if whole else short_fingerprint(table.commitment)
    return words("table.locked_as", commitment=shown)


def lobby_texts(view: TableView, words: Words, faces: Faces) -> list[str]:
    """Return the seats, the terms that players accept by joining, and when the table starts or closes."""
    terms = words.facts(term_facts(view, words))
    if view.stalled:
        waiting = [stalled_text(view, words, faces)]
    else:
        waiting = [_invited_text(view, words)] if view.table.invited else []
    return ["\n".join([_seats(view, words, faces), terms, *waiting, _last_line(view, words)])]


def term_facts(view: TableView, words: Words) -> list[str]:
    """Return the clock, the buy-in, and terms that differ from the defaults, such as house rules and limits."""
    terms = view.table.terms
    facts = [pace_text(terms.clock, words)]
    if not terms.practice:
        facts.append(words("lobby.term.buy_in", chips=words.number(terms.buy_in)))
    facts += house_items(terms.variant, words)
    facts += limits_lines(terms, words, where="lobby.term")
    if view.week is not None:
        facts.append(weekends_text("lobby.term.weekends_off", view.week.zone, words))
    return [*facts, words("lobby.term.quiet")] if terms.quiet else facts


def game_lines(view: TableView, words: Words) -> list[str]:
    """Return the game and all its terms, one sentence each."""
    terms = view.table.terms
    lines = [game_line(terms.variant, words), *house_items(terms.variant, words), pace_text(terms.clock, words)]
    if view.week is not None:
        lines.append(weekends_text("lobby.weekends_off", view.week.zone, words))
    if view.event is None:
        if not terms.practice:
            lines.append(words("lobby.buy_in", chips=words.number(terms.buy_in)))
        lines += limits_lines(terms, words)
    return [*lines, words("lobby.quiet")] if terms.quiet else lines


def limits_lines(terms: Terms, words: Words, *, where: str = "lobby") -> list[str]:
    """Return the limits that differ from the defaults, and how the stakes rise.

    The sentences of ``lobby.term`` are short.
    """
    limits = terms.limits
    lines = [] if terms.practice else _limits(limits, words, where=where)
    if limits.levels:
        lines.append(words(f"{where}.levels", levels=rising(limits.levels, words), count=limits.level_hands))
    return lines


def _seats(view: TableView, words: Words, faces: Faces) -> str:
    free = _free(view)
    seats = [_seat(view, place, words, faces) for place in view.places]
    return words.facts([*seats, words("lobby.free_seats", count=free) if free else ""])


def _last_line(view: TableView, words: Words) -> str:
    """Return when a lobby starts or closes, and the note that its decks are locked."""
    facts, until = [], view.lobby_until
    if view.table.terms.starts_with and not view.stalled:
        facts.append(words("queue.starts", count=view.table.terms.starts_with))
        facts += [words("queue.wait", when=moment(until))] if until is not None else []
    elif until is not None:
        facts.append(words("stalled.closes" if view.stalled else "lobby.closes", when=moment(until)))
    return f"-# {words.facts([*facts, locked_text(view, words)])}"


def stalled_text(view: TableView, words: Words, faces: Faces) -> str:
    """Return the players who keep the next hand from starting, and ways to resume.

    If no human stays, the text says that the table is about to close.
    """
    staying = [place for place in view.places if not place.seat.leaving]
    if all(place.seat.computer for place in staying):
        return words("stalled.left")
    broke = [place.seat.player for place in staying if view.table.cash and not place.stack]
    out = [seat.player for seat in (place.seat for place in staying) if seat.away or seat.sits_out]
    missing = {"out": [player for player in out if player not in broke], "broke": broke}
    lines = [
        words(f"stalled.{why}", players=faces.names.list(view.table.key.guild, players, words), count=len(players))
        for why, players in missing.items()
        if players
    ]
    if len(staying) < view.table.terms.max_seats:
        lines.append(words("stalled.or_join" if lines else "stalled.join"))
    return "\n".join(lines)


def can_start(view: TableView) -> bool:
    """True if enough players are dealt in to play a hand."""
    return sum(place.seat.dealt_in for place in view.places) >= view.table.terms.variant.min_seats


def may_start(view: TableView) -> bool:
    """True for the host of a lobby that is ready, or for any of its players while the host isn't dealt in."""
    plays = {place.seat.player for place in view.places if place.seat.dealt_in}
    return can_start(view) and (view.table.host == view.you or (view.table.host not in plays and view.you in plays))


def _invited_text(view: TableView, words: Words) -> str:
    """Return the players who were invited, including those who have joined since."""
    host = player_name(view.table.host, words)
    return words("lobby.invited", players=names(list(view.table.invited), words), host=host)


def _free(view: TableView) -> int:
    return view.table.terms.max_seats - len(view.places)


def pace_text(clock: Clock, words: Words) -> str:
    """Return a player's time to act."""
    key = f"lobby.pace.{clock.pace.value}"
    if clock.pace is Pace.NONE:
        return words(key)
    if clock.pace is Pace.LIVE:
        bank = duration(clock.bank_ms // 1000, words)
        return words(key, time=duration(clock.seconds, words), bank=bank)
    return words(key, time=duration(clock.seconds, words))


def weekends_text(key: str, zone: str, words: Words) -> str:
    """Return a note that clocks are paused on weekends, with the time zone."""
    return words(key, zone=zone_name(zone or "UTC", words))


def _limits(limits: Limits, words: Words, *, where: str) -> list[str]:
    """Return the limits on wins, losses and top-ups that differ from the defaults."""
    lines = []
    if limits.win_cap is not DEFAULT_LIMITS.win_cap:
        lines.append(words(f"{where}.most_won", cap=words(f"lobby.win_cap.{limits.win_cap.value}")))
    if limits.bust_is_final:
        lines.append(words(f"{where}.bust_is_final"))
    if not limits.top_up:
        lines.append(words(f"{where}.no_top_ups"))
    return lines


def _seat(view: TableView, place: SeatStack, words: Words, faces: Faces) -> str:
    """Return ``**Alice** (host)``, with the stack once a hand has been dealt."""
    player = faces.names.of(view.table.key.guild, place.seat.player, words)
    facts = [
        words("lobby.host") if place.seat.player == view.table.host else "",
        words(f"lobby.plays.{level_of(place.seat.player).value}") if place.seat.computer else "",
        chips_text(view, place, words) if view.table.hand_no else "",
        words("table.away") if place.seat.sits_out else "",
    ]
    told = words.language.joint.join(filter(None, facts))
    return words("lobby.seated", player=player, facts=told) if told else player


def chips_text(view: TableView, place: SeatStack | None, words: Words) -> str:
    """Return a player's stack; empty if the game isn't for chips."""
    if view.table.terms.practice or place is None:
        return ""
    return words("table.stack", chips=words.number(place.stack))


def stack_text(view: TableView, place: SeatStack | None, words: Words) -> str:
    """Return a player's stack as a bare number, to follow a name."""
    if view.table.terms.practice or place is None:
        return ""
    return words("table.stack_alone", chips=words.number(place.stack))


def join_press(table: Table) -> Press:
    """Return a press that takes a seat under the table's terms."""
    return Press(verb="join", table=table.key.table, tag=table.tag, terms=terms_of.of_seat(table.terms))


def join_button(table: Table, words: Words, *, disabled: bool = False) -> Part:
    """Return the button that takes a seat."""
    return button(join_press(table), words("button.join"), style=ButtonStyle.success, disabled=disabled)


def seat_terms_text(view: TableView, words: Words) -> str:
    """Return what a player agrees to by taking a seat: game, stakes, clock, buy-in and limits."""
    return "\n".join([f"**{table_title(view.table, words)}**", *game_lines(view, words)])


def join_label(terms: Terms, words: Words) -> str:
    """Return the label of the button that takes a seat once its terms were shown, with the buy-in if there's one."""
    if terms.practice:
        return words("button.join")
    return words("terms.join", count=terms.buy_in, chips=words.number(terms.buy_in))


def seat_terms_screen(view: TableView, press: Press, words: Words) -> Screen:
    """Ask again with the current terms of a seat, because the player accepted different ones."""
    again = replace(press, terms=terms_of.of_seat(view.table.terms))
    return screen(
        words("terms.changed"),
        seat_terms_text(view, words),
        *button_rows([button(again, join_label(view.table.terms, words), style=ButtonStyle.success)]),
        colour=TURN_COLOUR,
    )


def lobby_rows(view: TableView, words: Words) -> list[Part]:
    """Return the buttons for joining, starting and inviting. The others are under *Details*."""
    table = view.table
    press = Press(verb="join", table=table.key.table, tag=table.tag)
    full = len(view.places) >= table.terms.max_seats
    start = button(press.but("start"), words("button.start"), style=ButtonStyle.primary, disabled=not can_start(view))
    # An interrupted table resumes when players come back, so *I'm back* replaces *Start*.
    out = any(place.seat.sits_out for place in view.places)
    back = [button(press.but("stay"), words("button.stay"))] if out else []
    invite = button(press.but("invite"), words("lobby.invite"), disabled=full)
    return button_rows(
        [
            join_button(table, words, disabled=full),
            *(back if view.stalled else [start]),
            invite,
            details_button(table, words),
        ]
    )


def details_button(table: Table, words: Words) -> Part:
    """Return the button for a table's private details."""
    return button(Press(verb="seats", table=table.key.table, tag=table.tag), words("button.details"))


def level_options(words: Words) -> list[SelectOption]:
    """Return the menu options for the computers' levels."""
    return [SelectOption(label=words(f"lobby.level.{level.value}"), value=level.value) for level in Level]


def invite_screen(table: Table, words: Words) -> Screen:
    """Draw the screen on which a player chooses guests."""
    press = Press(verb="invited", table=table.key.table, tag=table.tag)
    return screen(
        words("lobby.invite_whom", table=table.number),
        user_select(press, placeholder=words("lobby.invite_choose"), most=MAX_INVITED_PLAYERS),
        colour=QUIET_COLOUR,
    )


def invitation_screen(table: Table, host: Player, invited: Sequence[Player], words: Words) -> Screen:
    """Draw the message that invites players to the table."""
    link = f"https://discord.com/channels/{table.key.guild}/{table.channel}/{table.message}"
    told = words(
        "lobby.invitation",
        players=names(list(invited), words),
        host=player_name(host, words),
        link=link,
        game=table_title(table, words),
    )
    return screen(told, colour=TURN_COLOUR)


def moved_screen(table: Table, thread: int, words: Words) -> Screen:
    """Draw the note that replaces the lobby after the table has moved to its thread."""
    title = f"**{table_title(table, words)}**"
    return screen(title, words("lobby.moved", thread=f"<#{thread}>"), colour=QUIET_COLOUR)


def join_buttons(view: TableView, words: Words) -> list[Part]:
    """Return a join button in the reader's language; empty if they already have a seat or can't take one."""
    table = view.table
    if not table.open or view.mine is not None or table.event_no is not None or view.you in table.removed:
        return []
    return button_rows([button(join_press(table), words("button.join"))])


# Texts and buttons on a player's own panel about their seat, coming back, and rebuys.


def own_seat_text(view: TableView, words: Words) -> str:
    """Return a sentence for a player who has no chips, sits out or was removed; empty for all others."""
    if view.you in view.table.removed and view.mine is None:
        return words("seats.removed")
    if view.broke:
        return words("seats.broke")
    if view.mine is None or not is_out(view):
        return ""
    stays = view.mine.seat.dealt_in and not view.mine.seat.away
    return words("seats.out_next" if stays else "seats.sits_out")


def is_out(view: TableView) -> bool:
    """True for a player who misses the next hand unless they come back."""
    assert view.mine is not None
    return view.mine.seat.sits_out or (view.mine.seat.away and view.event is None)


def rebuy_button(table: Table, words: Words, *, hand: int = 0) -> Part:
    """Return the button that buys in again."""
    chips = table.terms.buy_in
    terms = terms_of.of_chips(table, chips)
    press = Press(verb="rebuy", table=table.key.table, tag=table.tag, hand=hand, terms=terms)
    return button(press, words("seats.button.rebuy_of", chips=words.number(chips)), style=ButtonStyle.success)


def own_seat_buttons(view: TableView, words: Words) -> list[Part]:
    """Return the buttons for coming back, rebuying and seats; empty if the player doesn't need them."""
    if view.mine is None or not view.table.open:
        return []
    press = Press(verb="seats", table=view.table.key.table, tag=view.table.tag)
    seats = details_button(view.table, words)
    if view.broke:
        return button_rows([rebuy_button(view.table, words), seats])
    if is_out(view):
        back = button(press.but("come_back"), words("button.stay"), style=ButtonStyle.success)
        return button_rows([back, seats])
    return []


def is_placed_for(view: TableView) -> bool:
    """True for a player who sits out while their seat is in a hand, so their cards are auto-placed immediately."""
    place, playing = view.mine, view.table.state is TableState.PLAYING
    return place is not None and playing and place.seat.away and place.seat.dealt_in


def placed_for_text(view: TableView, words: Words) -> str:
    """Return why the player's cards are auto-placed, and what they can do about it."""
    left = view.penalty(view.you)
    if left is None:
        return words("away.sitting_out")
    return words("away.penalty", count=left) if left else words("away.disqualified")


def resume_buttons(view: TableView, words: Words) -> list[Part]:
    """Return the button with which players place their own cards again; empty if they do so or serve a penalty."""
    if not is_placed_for(view) or view.penalty(view.you) is not None:
        return []
    press = Press(verb="come_back", table=view.table.key.table, tag=view.table.tag)
    return [button(press, words("button.stay"), style=ButtonStyle.success)]


# Texts between hands, and next to players' names.


def next_hand_text(view: TableView, words: Words, faces: Faces) -> str:
    """Return when the next hand is dealt, and the players who haven't pressed *Start now* yet.

    Call it only while ``next_hand_at`` is set.
    """
    assert view.next_hand_at is not None
    when = moment(view.next_hand_at)
    if view.unready is None:
        return words("table.next_hand", when=when)
    players = faces.names.list(view.table.key.guild, list(view.unready), words)
    return words("table.next_hand_or_now", when=when, players=players)


def start_now(view: TableView, words: Words) -> list[Part]:
    """Return the button that starts the next hand without waiting."""
    if not view.unready:
        return []
    press = Press(verb="start_now", table=view.table.key.table, tag=view.table.tag, hand=view.table.hand_no + 1)
    return [button(press, words("button.start_now"), style=ButtonStyle.success)]


def vacation_text(vacation: Vacation, words: Words) -> str:
    """Return the dates between which a player's clock is paused, shown next to their name."""
    return words("table.vacation", begins=date_mark(vacation.begins), ends=date_mark(vacation.ends))
