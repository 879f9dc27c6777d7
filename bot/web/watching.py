"""Watching tables that everyone in a server can see. Watchers get the public view, and streams get it a street late."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.chat.event.screens.bracket import page_lines, pages, people_in
from bot.chat.event.screens.standings import standing_lines
from bot.chat.table.screens.lobby import table_title
from bot.model.ids import GuildId, Player, TableKey
from bot.model.refusals import Stale
from bot.model.tables import Table, TableState
from bot.play.api.events import Events
from bot.play.api.play import Play
from bot.play.queries.delayed import LateView
from bot.play.queries.views import TableView
from bot.pure.ofc.refusals import Refused
from bot.text.words import Words
from bot.web.drawing import TableDrawing, seat_shown, watched
from bot.web.messages import BoardShown, EventShown, View
from bot.web.out_of_event import discord_address, out_lines

MAX_WATCHED_TABLES = 25
"""Maximum number of tables to watch per page."""
MAX_BOARDS = 12
"""Maximum number of other tables shown next to the watched one."""
MAX_STANDINGS_LINES = 16


class WatchableTables:
    """The tables that may be watched."""

    def __init__(self, play: Play, events: Events, seen_by_all: Callable[[int], bool]) -> None:
        self._play = play
        self._events = events
        self.seen_by_all = seen_by_all

    def is_public(self, table: Table) -> bool:
        """True if everyone can see the table's channel, so that anyone may take a seat."""
        return not table.private and self.seen_by_all(table.channel)

    def allows(self, table: Table) -> bool:
        """True if everyone can see the table's channel, and its host allows watching."""
        return table.watched and self.is_public(table)

    async def tables(self, guild: GuildId) -> list[Table]:
        """Return a server's open tables that may be watched, starting with those that have a hand in progress."""
        found = [table for table in await self._play.open_tables(guild) if self.allows(table)]
        found.sort(key=lambda table: (table.state is not TableState.PLAYING, table.key.table))
        return found[:MAX_WATCHED_TABLES]

    async def look(self, key: TableKey) -> TableView | None:
        """Return a table's public view; None if it may not be watched."""
        try:
            view = await self._play.look(key)
        except (Refused, Stale):
            return None
        return view if self.allows(view.table) else None

    async def look_late(self, key: TableKey) -> LateView:
        """Return what a stream may show of a table that may be watched."""
        try:
            return await self._play.look_late(key)
        except (Refused, Stale):
            return LateView(view=None, due=None)

    async def event(
        self, drawing: TableDrawing, *, out: Player | None = None
    ) -> tuple[EventShown | None, list[TableKey]]:
        """Return a watched table's event (None if it has none) and the event's other tables shown with it.

        ``out`` is a reader who played in it and has no seat any more. They're told what comes next.
        """
        key = drawing.view.table.event
        if key is None:
            return None, []
        try:
            seen = await self._events.look(key)
            lines = await self._standings(drawing)
            following = await self._events.next_date(key) if out else None
        except (Refused, Stale):
            return None, []
        shown = drawing.view.table.key.table
        others = [line.table.key for line in seen.tables if line.table.key.table != shown]
        views = [view for other in others[:MAX_BOARDS] if (view := await self.look(other)) is not None]
        boards = _boards(drawing, views)
        told = [*lines, *standing_lines(seen, drawing.words, most=MAX_STANDINGS_LINES)]
        lines = [line for text in told for line in text.split("\n") if drawing.plain(line)]
        headings = tuple(number for number, line in enumerate(lines) if line.startswith("**") and line.endswith("**"))
        standings = tuple(map(drawing.plain, lines))
        event = EventShown(
            title=seen.event.name,
            standings=standings,
            headings=headings,
            boards=boards,
            next=tuple(map(drawing.marked, out_lines(seen, out, following, drawing.words))) if out else (),
            address=discord_address(seen.event) if out else "",
        )
        return event, [view.table.key for view in views]

    async def beside(
        self, drawing: TableDrawing, tables: Sequence[Table]
    ) -> tuple[tuple[BoardShown, ...], list[TableKey]]:
        """Return the boards of the first of ``tables`` that are open and may be watched, and these tables."""
        found = [view for table in tables[:MAX_BOARDS] if (view := await self.look(table.key)) is not None]
        views = [view for view in found if view.table.open]
        return _boards(drawing, views), [view.table.key for view in views]

    async def _standings(self, drawing: TableDrawing) -> Sequence[str]:
        """Return the lines of the bracket's last page; empty if there is no bracket."""
        key = drawing.view.table.event
        if key is None:
            return []
        try:
            bracket = await self._events.bracket(key)
        except (Refused, Stale):
            return []
        if not bracket.drawn:
            return []
        names = {player: drawing.name(player) for player in people_in(bracket)}
        return page_lines(pages(bracket)[-1], bracket, drawing.words, names)


def _boards(drawing: TableDrawing, views: Sequence[TableView]) -> tuple[BoardShown, ...]:
    """Draw other tables with public views for the reader of ``drawing``."""
    return tuple(_board(replace(drawing, view=view, result=None, standing=None)) for view in views)


def _board(drawing: TableDrawing) -> BoardShown:
    view, hand = drawing.view, drawing.view.hand
    return BoardShown(
        table=view.table.key.table,
        title=drawing.plain(table_title(view.table, drawing.words)),
        status=drawing.plain("\n".join(filter(None, watched(drawing)))),
        seats=tuple(seat_shown(drawing, hand, seat, number) for number, seat in enumerate(hand.seats)) if hand else (),
    )


# streams


def not_yet(view: View, words: Words) -> View:
    """Return the view for the time before anything may be shown: the table's name, without cards."""
    return replace(
        view,
        about="",
        status=words("page.soon"),
        until=None,
        bank=0,
        next_hand=None,
        seats=(),
        result=None,
        past=0,
        event=None,
        tables=(),
        others=0,
    )
