"""An open page: its reader, its contents and its connection."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Protocol

from bot.model.ids import EventKey, TableKey
from bot.model.tables import EventStatus, Table
from bot.play.queries.results import ResultView
from bot.play.queries.reviews import Retry
from bot.play.queries.views import TableView
from bot.web.messages import Bye, Sent, View
from bot.web.puzzles import PuzzlePage
from bot.web.tokens import PageReader


class PageConnection(Protocol):
    """The connection to a page."""

    def send(self, message: Sent) -> None:
        """Queue ``message``. Messages are sent in order."""
        ...

    def close(self, bye: Bye) -> None:
        """Send ``bye`` and close the connection."""
        ...


@dataclass(slots=True, kw_only=True, eq=False)
class Page:
    """An open page."""

    reader: PageReader
    line: PageConnection
    key: TableKey | None
    """The table that the page shows; None if there is none."""
    has: str
    """Name of the view that the page has."""
    tables: list[TableKey] = field(default_factory=list)
    sat: set[TableKey] = field(default_factory=set)
    """Tables treated as the reader's own, because they sit there or played the last hand, or did so when it closed."""
    view: View | None = None
    event: EventKey | None = None
    worded: str = ""
    """The language of the words that the page has."""
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    looks: bool = True
    """True if the reader's tables have to be looked up again."""
    shown: tuple[object, ResultView | None] = (None, None)
    """The state for which a result was last read, and that result."""
    used: int = 0
    """Time of the reader's last action on the page (ms)."""
    drawing: asyncio.Lock = field(default_factory=asyncio.Lock)
    drafting: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Lock for saving drafts in the order in which they were made."""
    watchable: list[Table] = field(default_factory=list)
    """Other players' tables that the reader may watch."""
    chosen: bool = False
    """True if the reader chose the table shown, so that none of their own tables replaces it."""
    beside: list[TableKey] = field(default_factory=list)
    """Other tables that the page shows small."""
    shows_others: bool = False
    """True if the reader wants to see the other tables that they may watch."""
    late: bool = False
    """True for a stream's page, which shows everyone's view a whole street late."""
    link: str = ""
    """The link to a shared hand, for a guest's page; otherwise empty."""
    retry: Retry | None = None
    """The current retry of a hand."""
    last: TableView | None = None
    """The last hand of a reader who has lost their seat in an event, shown until they view another table."""
    standing: EventStatus | None = None
    """The reader's standing in that event."""
    puzzle: PuzzlePage | None = None
    """The puzzle that the page shows in place of a table."""
    solves: bool = False
    """True if the page was opened for puzzles, so that a table leads back to them."""

    def knows(self, key: TableKey) -> bool:
        """True if the reader can choose this table on the page, or it's shown."""
        return key == self.key or key in self.tables or any(table.key == key for table in self.watchable)
