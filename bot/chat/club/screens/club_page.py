"""A server's page for all members, with open tables, events and the leaderboard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from discord import ButtonStyle

from bot.chat.club.screens.hub import tables_text
from bot.chat.club.screens.leaderboard import board_parts, build_press
from bot.chat.kit.fragments import NOWHERE, RESULT_COLOUR, daily_hand, moment, practise
from bot.chat.kit.widgets import Screen, apart, button, button_rows, screen, separator
from bot.model.clock import Pace
from bot.model.events import Event
from bot.model.standings import Leaderboard
from bot.model.tables import Table
from bot.play.queries.views import TableView
from bot.text.words import Words, escape_name

MAX_TABLES = 5
"""Maximum number of tables with their own line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubPageContent:
    """Content of the page."""

    name: str
    board: Leaderboard
    tables: Sequence[TableView]
    further: int
    """Number of other open tables."""
    slow: Sequence[TableView]
    """Correspondence tables."""
    running: Sequence[Event]
    """Running events."""
    event: Event | None
    """The next event."""
    opens: bool
    """True if tables can be opened in the page's channel."""


def is_listed(table: Table) -> bool:
    """True if players can join the table without an invitation."""
    return not table.private and table.event_no is None


def is_slow(table: Table) -> bool:
    """True for a correspondence table."""
    return table.terms.clock.pace is Pace.CORRESPONDENCE


def next_event(events: Iterable[Event]) -> Event | None:
    """Return the first event to start among those with a start time; None if there is none."""
    return min(
        (event for event in events if event.phase.before and event.starts_at is not None),
        key=lambda event: event.starts_at or 0,
        default=None,
    )


def club_screen(club: ClubPageContent, words: Words, *, picture: str = "") -> Screen:
    """Draw the page. ``picture`` describes the attached picture of the leaderboard, which replaces its lines."""
    events = [_running_line(event, words) for event in club.running[:MAX_TABLES]]
    events += [_event(club.event, words)] if club.event is not None else []
    texts = [f"## {escape_name(club.name)}", _tables(club, words), *events]
    ways = [
        button(NOWHERE.but("play"), words("club.play"), style=ButtonStyle.success),
        practise(words),
        daily_hand(words),
        button(build_press(club.board.asked, page=0, verb="ranks"), words("club.my_place")),
    ]
    board = board_parts(club.board, words, picture)
    return screen(*apart(texts), separator(line=True), *board, *button_rows(ways), colour=RESULT_COLOUR)


def _tables(club: ClubPageContent, words: Words) -> str:
    lines = []
    if club.tables:
        lines.append(f"**{words('club.tables')}**\n{tables_text(club.tables, words)}")
    if club.further:
        lines.append(words("club.further", count=club.further))
    if club.slow:
        free = sum(max(0, view.table.terms.max_seats - len(view.places)) for view in club.slow)
        lines.append(words("club.slow", count=len(club.slow), seats=words.number(free)))
    return "\n".join(lines) or words("club.no_tables" if club.opens else "club.no_tables_here")


def _running_line(event: Event, words: Words) -> str:
    return words("club.running", event=escape_name(event.name), channel=event.channel)


def _event(event: Event, words: Words) -> str:
    at = event.starts_at or 0
    # By then, the event's message is far up in its channel, so the line names the channel.
    return words(
        "club.event", event=escape_name(event.name), at=f"<t:{at // 1000}:F>", when=moment(at), channel=event.channel
    )
