"""A server's page: what all read on it, and where those who manage the server choose what it shows and where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from discord import ButtonStyle, SelectOption

from bot.model.clock import Pace
from bot.model.events import Event
from bot.model.ids import TableId
from bot.model.standings import CALENDAR, ClubPage, Leaderboard, Order, Span
from bot.model.tables import Table
from bot.ofc.presets import PRESETS
from bot.play.look.views import TableView
from bot.text.games import preset_name
from bot.text.words import Words, escape_name
from bot.ui.custom_ids import Press
from bot.ui.fragments import NOWHERE, RESULT_COLOUR, TABLE_COLOUR, daily_hand, moment, practise
from bot.ui.server.hub import tables_text
from bot.ui.server.leaderboard import EVERY, board_parts, orders_to_choose, pressed
from bot.ui.widgets import Part, Screen, apart, button, channel_select, rows_of, screen, section, select, separator

HERE = Press(verb="club", table=TableId(0))
"""The page of choices."""
MOST_TABLES = 5
"""Tables with a line of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Club:
    """What stands on the page."""

    name: str
    board: Leaderboard
    tables: Sequence[TableView]
    further: int
    """How many more tables are open."""
    slow: Sequence[TableView]
    """Those at which turns take hours or days."""
    running: Sequence[Event]
    """The events that are being played."""
    event: Event | None
    """The next one."""
    opens: bool
    """True where a table can be opened in the page's channel."""


def is_listed(table: Table) -> bool:
    """True for a table that people can sit down at by themselves."""
    return not table.private and table.event_no is None


def is_slow(table: Table) -> bool:
    """True for a table at which turns take hours or days."""
    return table.terms.clock.pace is Pace.CORRESPONDENCE


def next_event(events: Iterable[Event]) -> Event | None:
    """The one that begins first, of those that say when."""
    return min(
        (event for event in events if event.phase.before and event.starts_at is not None),
        key=lambda event: event.starts_at or 0,
        default=None,
    )


def club_screen(club: Club, words: Words, *, picture: str = "") -> Screen:
    """The page. ``picture`` describes the attached picture of the leaderboard, which takes the place of its lines."""
    events = [_running(event, words) for event in club.running[:MOST_TABLES]]
    events += [_event(club.event, words)] if club.event is not None else []
    texts = [f"## {escape_name(club.name)}", _tables(club, words), *events]
    ways = [
        button(NOWHERE.but("play"), words("club.play"), style=ButtonStyle.success),
        practise(words),
        daily_hand(words),
        button(pressed(club.board.asked, page=0, verb="ranks"), words("club.my_place")),
    ]
    board = board_parts(club.board, words, picture)
    return screen(*apart(texts), separator(line=True), *board, *rows_of(ways), colour=RESULT_COLOUR)


def _tables(club: Club, words: Words) -> str:
    lines = []
    if club.tables:
        lines.append(f"**{words('club.tables')}**\n{tables_text(club.tables, words)}")
    if club.further:
        lines.append(words("club.further", count=club.further))
    if club.slow:
        free = sum(max(0, view.table.terms.max_seats - len(view.places)) for view in club.slow)
        lines.append(words("club.slow", count=len(club.slow), seats=words.number(free)))
    return "\n".join(lines) or words("club.no_tables" if club.opens else "club.no_tables_here")


def _running(event: Event, words: Words) -> str:
    return words("club.running", event=escape_name(event.name), channel=event.channel)


def _event(event: Event, words: Words) -> str:
    at = event.starts_at or 0
    # Its message is below the talk of its channel by then: the channel stays.
    return words(
        "club.event", event=escape_name(event.name), at=f"<t:{at // 1000}:F>", when=moment(at), channel=event.channel
    )


def choices_screen(
    page: ClubPage | None, words: Words, *, problem: str = "", stands: bool = True, pins: bool = False
) -> Screen:
    """What the page shows and where, with a menu for each choice. ``problem`` says why what was chosen cannot be.

    ``stands`` is False where the channel is gone: a menu that names it is refused by Discord. ``pins`` is True where
    the bot may pin it.
    """
    hint = [words("club.hint"), *([] if pins else [words("club.pins")]), *([problem] if problem else [])]
    where = words("club.nowhere") if page is None else words("club.where", channel=page.channel)
    chosen = [page.channel] if page is not None and stands else []
    parts: list[str | Part] = [
        "\n".join([f"### {words('club.title')}", *hint, where]),
        channel_select(HERE.but("club_channel"), chosen=chosen, placeholder=words("club.channel_choose")),
    ]
    if page is not None:
        parts += _choices(page, words)
    ways = [button(NOWHERE.but("set_up"), words("setup.back"))]
    if page is not None:
        ways.insert(0, button(HERE.but("club_off"), words("club.remove"), style=ButtonStyle.danger))
    return screen(*parts, *rows_of(ways), colour=TABLE_COLOUR)


def _choices(page: ClubPage, words: Words) -> list[str | Part]:
    spans = [
        SelectOption(label=words(f"leaderboard.span.{span.value}"), value=span.value, default=span is page.span)
        for span in (*CALENDAR, Span.SEASON)
    ]
    games = [
        SelectOption(label=words("leaderboard.every_game"), value=EVERY, default=not page.game),
        *(
            SelectOption(label=preset_name(game, words)[:100], value=key, default=key == page.game)
            for key, game in PRESETS.items()
        ),
    ]
    parts: list[str | Part] = [
        words("club.board"),
        select(HERE.but("club_by"), orders_to_choose(page.order, words), placeholder=words("leaderboard.choose_by")),
    ]
    if page.order is not Order.RATING:
        parts.append(select(HERE.but("club_span"), spans, placeholder=words("leaderboard.choose_span")))
    if not page.order.of_events:
        parts.append(select(HERE.but("club_game"), games, placeholder=words("leaderboard.choose_game")))
    parts += [
        _switch("in_words", page.in_words, words),
        _switch("at_bottom", page.at_bottom, words),
    ]
    return parts


def _switch(what: str, on: bool, words: Words) -> Part:
    press = replace(HERE.but("club_switch", what), hand=int(not on))
    state = "on" if on else "off"
    return section(words(f"club.{what}.{state}"), button(press, words(f"club.{what}.turn_{'off' if on else 'on'}")))
