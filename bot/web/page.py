"""An open page: whose eyes it has, what it shows, and the line that leads to it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Protocol

from bot.model.ids import EventKey, TableKey
from bot.model.tables import Standing, Table
from bot.play.look.results import ResultView
from bot.play.look.reviews import Retry
from bot.play.look.views import TableView
from bot.web.messages import Bye, Sent, View
from bot.web.tokens import Reader
from bot.web.watching import Late


class Line(Protocol):
    """What leads to a page."""

    def send(self, message: Sent) -> None:
        """Send it soon, in order."""
        ...

    def close(self, bye: Bye) -> None:
        """Say so and close it."""
        ...


@dataclass(slots=True, kw_only=True, eq=False)
class Page:
    """An open page."""

    reader: Reader
    line: Line
    key: TableKey | None
    """The table that it shows; None while its reader has none."""
    has: str
    """The name of the view that it has."""
    tables: list[TableKey] = field(default_factory=list)
    sat: set[TableKey] = field(default_factory=set)
    """The tables that are their reader's: they sit there or played its last hand, or did when it closed."""
    view: View | None = None
    event: EventKey | None = None
    worded: str = ""
    """The language whose words it has."""
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    looks: bool = True
    """True where its reader's tables are to be looked up again."""
    shown: tuple[object, ResultView | None] = (None, None)
    """The result that was read last, and of what."""
    used: int = 0
    """When its reader has last done something on it (ms)."""
    drawing: asyncio.Lock = field(default_factory=asyncio.Lock)
    drafting: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Drafts are kept in the order in which they were made."""
    watchable: list[Table] = field(default_factory=list)
    """The tables of others that its reader may watch."""
    chosen: bool = False
    """True where they have chosen what it shows: then no table of their own takes its place."""
    beside: list[TableKey] = field(default_factory=list)
    """The tables that it shows small."""
    late: Late | None = None
    """Of a page for a stream."""
    link: str = ""
    """Of a page that shows one hand to whoever has its link."""
    retry: Retry | None = None
    """Another try at a hand."""
    last: TableView | None = None
    """The last hand of a reader who has no seat in its event any more: it's shown until they look at another table."""
    standing: Standing | None = None
    """How they stand in that event."""
