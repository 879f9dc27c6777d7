"""Private lists of events: standings, results, a server's events, a log, and the leaderboard of a series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from types import MappingProxyType
from typing import Final

from discord import SelectOption

from bot.chat.club.screens.leaderboard import build_press, place_text, season_span
from bot.chat.club.screens.ranking import Listing, rank_by
from bot.chat.club.screens.seasons import unescaped_name
from bot.chat.event.screens.details import registered_lines
from bot.chat.event.screens.screen import about, cancelled_lines, heading, message_link, stamp, when_lines
from bot.chat.event.screens.standings import (
    MAX_STANDINGS_LINES,
    disqualified_lines,
    line_text,
    missing_lines,
    now_lines,
    podium,
    podium_lines,
    standing_lines,
    table_place,
)
from bot.chat.event.screens.waiting import waiting_place, waiting_text
from bot.chat.kit.custom_ids import Press, game_tag
from bot.chat.kit.fragments import (
    MAX_TEXT_LENGTH,
    NOWHERE,
    QUIET_COLOUR,
    RESULT_COLOUR,
    and_more,
    how_checked,
    moment,
    names,
    player_name,
    short_fingerprint,
)
from bot.chat.kit.widgets import Part, Screen, button, button_rows, file_part, screen, select
from bot.chat.kit.widgets import text as text_part
from bot.model.clock import DAY
from bot.model.event_rulings import CORRECTED, NEW_SERIES, UNDONE
from bot.model.event_standings import SeriesTable
from bot.model.events import EntrantState, Event, EventFact, Phase
from bot.model.ids import TableId
from bot.model.standings import EventStanding, LeaderboardOrder, LeaderboardQuery, LeaderboardSpan, RankingPlace
from bot.play.event.office.date_changes import THIS_DATE
from bot.play.event.office.views import EventView
from bot.text.catalogue import COUNT
from bot.text.event_structure import change_lines, kind_name, series_numbers, series_rule
from bot.text.words import Words, escape_name

MAX_PRIVATE = 30
MAX_REGISTERED = 120
"""Number of names that fit into one message."""
NEIGHBOURS = 2
"""Number of lines shown above and below the reader's own if it isn't among the first."""
MAX_LISTED = 20
MAX_FACTS = 30
COUNTED = {"hands": COUNT}
"""Details that select the plural form of their sentence."""
HEADING = 300
"""Characters reserved for a list's heading."""


def standings_screen(view: EventView, words: Words, you: str, *, ends_at: int | None = None) -> Screen:
    """Draw the first places, and the reader's own place with its neighbours."""
    event = view.event
    if event.phase is Phase.CANCELLED:
        return results_screen(view, words)
    if event.phase.before:
        people = registered_lines(view, words, most=MAX_REGISTERED)
        parts = [*heading(event, words), *when_lines(event, words, last=view.is_last_date), "", *people]
        return screen("\n".join(parts), "\n".join(_own_place(view, words, you)), colour=QUIET_COLOUR)
    now = now_lines(view, words, ends_at=ends_at) if event.phase is Phase.RUNNING else []
    now += missing_lines(view, words)
    unplaced = [] if view.begun or view.in_groups else [words("event.no_hand_over")]
    parts = [*heading(event, words), *now, "", *unplaced, *standing_lines(view, words, most=MAX_STANDINGS_LINES)]
    own = _own_place(view, words, you)
    return screen("\n".join(parts), *(["\n".join(own)] if own else []), colour=QUIET_COLOUR)


def own_lines(view: EventView, words: Words, you: str) -> list[str]:
    """Return the reader's place in the event or on its waiting list; empty if they aren't in it or it's over."""
    if waiting := view.waiting_of(you):
        return [words("event.you"), waiting_text(view, waiting, words)]
    return [] if view.line_of(you) is None or view.event.phase.over else _own_place(view, words, you)


def _own_place(view: EventView, words: Words, you: str) -> list[str]:
    """Return the reader's place, unless the list above already shows it."""
    at = next((number for number, line in enumerate(view.lines) if line.entrant.player == you), None)
    if at is None and (waiting := view.waiting_of(you)):
        return [words("event.you"), waiting_place(view, waiting, words)]
    if at is None:
        return [words("event.you"), words("event.you_not_in")]
    line, lines = view.lines[at], list[str]()
    if line.entrant.registered:
        came = line.entrant.state is EntrantState.CHECKED_IN
        return [words("event.you"), words("event.you_checked_in" if came else "event.you_registered")]
    if at >= MAX_STANDINGS_LINES and view.begun and not view.in_groups:
        near = view.lines[max(MAX_STANDINGS_LINES, at - NEIGHBOURS) : at + NEIGHBOURS + 1]
        lines += [line_text(view, one, words) for one in near]
    if line.channel is not None and line.table is not None and not view.event.phase.over:
        lines.append(words("event.your_table", channel=table_place(view, line.table, line.channel, words)))
    if line.entrant.penalty:
        lines.append(words("event.you_penalty", count=line.entrant.penalty))
    return [words("event.you"), *lines] if lines else []


def results_screen(view: EventView, words: Words) -> Screen:
    """Draw the places of a finished event, as many as fit into one message."""
    event = view.event
    if event.phase is Phase.CANCELLED:
        text = "\n".join([*heading(event, words), *cancelled_lines(view, words)])
        return screen(text, colour=QUIET_COLOUR)
    rest = [line_text(view, line, words) for line in view.fair[len(podium(view)) : MAX_PRIVATE]]
    ended = words("event.over_at", when=stamp(event.ended_at or event.created_at))
    parts = [*heading(event, words), ended, words("event.results"), *podium_lines(view, words), *rest]
    parts += and_more(len(view.fair) - MAX_PRIVATE, words)
    if gone := disqualified_lines(view, words, most=MAX_PRIVATE):
        parts += ["", *gone]
    draw = words("event.commitment", commitment=short_fingerprint(event.commitment))
    where = [draw, *([f"-# {message_link(event, words)}"] if event.message else [])]
    return screen("\n".join(parts), "\n".join(where), colour=RESULT_COLOUR)


def with_proof(shown: Screen, filename: str, words: Words) -> Screen:
    """Return the results with the record of the draw.

    Discord shows an attached file only if a component refers to it.
    """
    return shown.and_below(
        text_part(words("event.proof.right")), file_part(filename), *button_rows([how_checked(words)])
    )


def list_screen(views: Sequence[EventView], words: Words, you: str) -> Screen:
    """Draw a server's events, open ones first, then recent ones. The reader's own are marked."""
    lines = _fit_message(
        [words.facts([_list_line(view, words), you_text(view, words, you)]) for view in views[:MAX_LISTED]]
    )
    text = "\n".join([f"### {words('event.list.title')}", *(lines or [words("event.list.none")])])
    return screen(text, colour=QUIET_COLOUR)


def you_text(view: EventView, words: Words, you: str) -> str:
    """Return ``you're in`` if the reader has registered or is still playing; empty otherwise."""
    line = view.line_of(you)
    if view.waiting_of(you):
        return words("event.waiting.you")
    if line is None or view.event.phase.over or not (line.entrant.registered or line.entrant.playing):
        return ""
    return words("event.you_in_checked" if line.entrant.state is EntrantState.CHECKED_IN else "event.you_in")


def _list_line(view: EventView, words: Words) -> str:
    event = view.event
    return words(
        "event.list.line",
        number=event.key.number,
        name=escape_name(event.name),
        format=kind_name(event.structure, words),
        state=_state(view, words),
        channel=message_link(event, words),
    )


def _state(view: EventView, words: Words) -> str:
    event, people = view.event, len(view.lines)
    if event.phase is Phase.CANCELLED:
        return words("event.list.cancelled")
    if event.phase is Phase.ENDED:
        return words("event.list.ended", when=moment(event.ended_at or event.created_at))
    if event.phase is Phase.RUNNING:
        return words("event.list.running", left=view.still_in, players=words("event.players", count=people))
    if event.starts_at is None:
        return words("event.list.filling", count=people, most=event.structure.most)
    return words("event.list.open", when=moment(event.starts_at), count=people, most=event.structure.most)


def calendar_button(event: Event, what: str, words: Words, *, label: str) -> Part:
    """Return the button for a calendar file. ``what`` is ``one`` for this date, or ``series`` for all dates."""
    return button(about(event).but("ev_calendar_of", what), words(f"event.button.{label}"))


def log_screen(
    event: Event, facts: Sequence[EventFact], words: Words, *, numbers: Mapping[TableId, int] = MappingProxyType({})
) -> Screen:
    """Draw the last lines of an event's log."""
    newest = [fact_line(fact, words, numbers=numbers) for fact in reversed(facts[-MAX_FACTS:])]
    lines = _fit_message(newest)[::-1] or [words("event.log.none")]
    head = f"### {words('event.log.title', name=escape_name(event.name))}"
    return screen("\n".join([head, *lines]), colour=QUIET_COLOUR)


def _fit_message(lines: Sequence[str]) -> list[str]:
    """Return the first lines, as many as fit into a message below its heading."""
    room, kept = MAX_TEXT_LENGTH - HEADING, []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return kept


def fact_line(fact: EventFact, words: Words, *, numbers: Mapping[TableId, int] = MappingProxyType({})) -> str:
    """Return a log entry: the event, its time, reason and author. ``numbers`` are the tables' numbers by id."""
    return _told(entry_text(fact, words, numbers), fact, words, when=f"<t:{fact.at // 1000}:d> <t:{fact.at // 1000}:T>")


def act_line(fact: EventFact, words: Words, *, now: int, numbers: Mapping[TableId, int] = MappingProxyType({})) -> str:
    """Return a short line for a log entry. A change shows only the new value, and a recent action only its hour."""
    when = f"<t:{fact.at // 1000}:{'t' if now - fact.at < DAY // 2 else 'd'}>"
    changes = fact.details.get("changes")
    if not isinstance(changes, list) or fact.kind in (NEW_SERIES, UNDONE):
        return _told(entry_text(fact, words, numbers), fact, words, when=when)
    changed = [(str(name), before, after) for name, before, after in changes]
    return _told(words.list(change_lines(changed, words, brief=True)), fact, words, when=when)


def _told(what: str, fact: EventFact, words: Words, *, when: str) -> str:
    if why := fact.details.get("why"):
        what = words("event.log.why", what=what, why=escape_name(str(why)))
    if fact.details.get(THIS_DATE):
        what = words("event.log.this_date", what=what)
    if fact.actor is not None:
        what = words("event.log.by", what=what, player=player_name(fact.actor, words))
    return words("event.log.line", when=when, what=what)


def entry_text(fact: EventFact, words: Words, numbers: Mapping[TableId, int] = MappingProxyType({})) -> str:
    """Return the text of a log entry, with a generic one for unknown kinds."""
    if fact.kind == NEW_SERIES:
        return _move_text(fact.details["changes"], words)
    if fact.kind == UNDONE:
        return words("event.log.ruling_undone", what=_undone_text(fact, words, numbers))
    key = f"event.log.{fact.kind}"
    if fact.kind == CORRECTED and fact.details.get("round"):
        key += "_match" if "against" in fact.details else "_round"
    if not words.has(key):
        return words("event.log.other", kind=fact.kind)
    fields = words.entries[key].fields
    details = {COUNTED.get(name, name): value for name, value in fact.details.items()}
    known = {name: _detail(name, value, words, numbers) for name, value in details.items() if name in fields}
    return words(key, **known) if known.keys() == fields else words("event.log.other", kind=fact.kind)


def _move_text(changes: Sequence[Sequence[object]], words: Words) -> str:
    """Return the series that an event was moved to, and the one before."""
    before, after = next((str(before), str(after)) for name, before, after in changes if name == "series")
    key = "between" if before and after else "into" if after else "out_of"
    values = {name: escape_name(series) for name, series in (("before", before), ("series", after)) if series}
    return words(f"event.log.series.{key}", **values)


def _undone_text(fact: EventFact, words: Words, numbers: Mapping[TableId, int]) -> str:
    """Return the text of the ruling that an entry has undone. The entry holds its changes in reverse."""
    changes = [[name, before, after] for name, after, before in fact.details.get("changes", ())]
    return entry_text(
        replace(fact, kind=str(fact.details["what"]), details={**fact.details, "changes": changes}), words, numbers
    )


def _detail(name: str, value: object, words: Words, numbers: Mapping[TableId, int]) -> str | int:
    if name in ("player", "loser", "against"):
        return player_name(str(value), words)
    if name == "changes" and isinstance(value, list):
        told = [(str(field), before, after) for field, before, after in value]
        return words.facts(line.removeprefix("- ") for line in change_lines(told, words))
    if name == "players" and isinstance(value, list):
        return names([str(player) for player in value], words)
    if name == "table" and isinstance(value, int):
        return numbers.get(TableId(value), value)
    if name == "moves" and isinstance(value, list):
        moves = [(player_name(str(player), words), numbers.get(TableId(table), table)) for player, _, table in value]
        return words.list([words("event.log.move", player=player, table=table) for player, table in moves])
    if name == "seeds" and isinstance(value, list):
        return names([str(player) for player, _ in value], words)
    if name == "handicaps" and isinstance(value, list):
        given = [(player_name(str(player), words), words.signed(amount)) for player, _, amount in value]
        return words.list([words("event.log.handicap", player=player, amount=amount) for player, amount in given])
    if name == "seeded_by":
        return words(f"event_seeds.by.{value}")
    if name == "amount" and isinstance(value, int):
        return words.signed(value)
    if name == COUNT and isinstance(value, int):
        return value
    return escape_name(str(value))[:200]


HERE = Press(verb="ev_series", table=TableId(0))
MAX_SHOWN = 20
ROOM = 60
"""Characters reserved for the number of further lines."""


MAX_SERIES: Final = 25


def series_screen(
    table: SeriesTable, words: Words, you: str, *, others: Sequence[str] = (), dated: Event | None = None
) -> Screen:
    """Draw the leaderboard of a series, with its rule applied to the number of players in its newest event.

    ``others`` are the other series that the reader may see. ``dated`` is an upcoming event of the series, whose button
    gives the dates of all upcoming ones.
    """
    named = escape_name(table.name)
    head = [f"### {words('event.series_table.title', series=named)}"]
    if table.season is not None:
        head.append(f"-# {season_span(table.season, words)}")
    if table.champions:
        crowned = words.list([player_name(player, words) for player in table.champions])
        head.append(words("event.series_table.champions", count=len(table.champions), players=crowned))
    if table.left:
        head.append(words("event.series_table.left", count=table.left))
    newest, people = table.newest.structure, table.newest.people
    entries = sum(one.entries for one in people)
    how = [
        series_rule(table.rule, words),
        series_numbers(table.rule.scoring, newest, len(people), words, entries=entries),
        f"-# {words('event.series_table.ties')}",
    ]
    told = [_line(place, line, words) for place, line in zip(table.places, table.lines, strict=True)]
    own = next((line for line, one in zip(told, table.lines, strict=True) if one.player == you), "")
    lines = _fit_lines(told, MAX_TEXT_LENGTH - len("\n".join([*head, *how, own])) - ROOM)
    missing = len(told) - len(lines)
    lines = [*lines, *and_more(missing, words), *([own] if own in told[len(lines) :] else [])]
    board = LeaderboardQuery(LeaderboardOrder.EVENT_POINTS)
    if table.season is not None:
        board = LeaderboardQuery(LeaderboardOrder.EVENT_POINTS, LeaderboardSpan.SEASON, season=table.season.number)
    ways = [button(build_press(board, page=0, verb="ranks"), words("event.series_table.every"))]
    if dated is not None:
        ways.append(calendar_button(dated, "series", words, label="calendar"))
    return screen(
        "\n".join([*head, *(lines or [words("event.series_table.nobody")])]),
        "\n".join(how),
        rank_by(Listing.SERIES, words),
        *_others(others, words),
        *_seasons(table, words),
        *button_rows(ways),
        colour=RESULT_COLOUR,
    )


def series_choice(said: str, names: Sequence[str], words: Words, *, dated: Event | None = None) -> Screen:
    """Draw ``said`` with the menu of the series ``names`` and the way to all leaderboards.

    ``dated`` is an upcoming event of the series that ``said`` is about.
    """
    ways = [calendar_button(dated, "series", words, label="calendar")] if dated is not None else []
    return screen(
        said,
        *_others(names, words),
        rank_by(Listing.SERIES, words),
        *button_rows(ways),
        colour=QUIET_COLOUR,
    )


def _others(names: Sequence[str], words: Words) -> list[Part]:
    """Return the menu of the other series."""
    options = [SelectOption(label=name, value=game_tag(name)) for name in names[:MAX_SERIES]]
    return [select(NOWHERE.but("ev_series"), options, placeholder=words("leaderboard.choose_series"))] if names else []


def _fit_lines(lines: Sequence[str], room: int) -> list[str]:
    """Return the first lines, up to ``MAX_SHOWN``, that fit into ``room`` characters."""
    ends = accumulate(len(line) + 1 for line in lines)
    return [line for line, end in zip(lines[:MAX_SHOWN], ends, strict=False) if end <= room]


def _seasons(table: SeriesTable, words: Words) -> list[Part]:
    """Return the menu of seasons and all time; empty if the server has no seasons."""
    if not table.seasons:
        return []
    every = SelectOption(label=words("leaderboard.span.all"), value="0", default=table.season is None)
    options = [
        SelectOption(label=unescaped_name(one, words), value=str(one.number), default=one == table.season)
        for one in table.seasons
    ]
    press = HERE.but("ev_season", game_tag(table.name))
    return [select(press, [every, *options], placeholder=words("leaderboard.choose_span"))]


def _line(place: RankingPlace, line: EventStanding, words: Words) -> str:
    text = words(
        "event.series_table.line",
        place=place_text(place, words),
        player=player_name(line.player, words),
        points=words.number(line.points),
    )
    counts = {"events": line.events, "wins": line.wins, "finals": line.finals, "titles": line.titles}
    told = [words(f"event.series_table.{name}", count=count) for name, count in counts.items() if count]
    told.append(words("event.series_table.average", place=words.decimal(line.average_place, decimals=1)))
    won = [words("event.series_table.won", chips=words.number(line.chips))] if line.chips else []
    return words.facts([text, *told, *won])
