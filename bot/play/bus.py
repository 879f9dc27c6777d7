"""Notifications between the parts of the bot. The bus is built first, so that new parts can subscribe at once."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Generic, ParamSpec

from bot.model.ids import EventKey, GuildId, Player, TableKey
from bot.play.queries.views import TableView

P = ParamSpec("P")


class Signal(Generic[P]):
    """One kind of notification. Its listeners are called in the order in which they subscribed."""

    def __init__(self) -> None:
        self._listeners: list[Callable[P, object]] = []

    def subscribe(self, listener: Callable[P, object]) -> None:
        """Call ``listener`` for each notification from now on."""
        self._listeners.append(listener)

    def send(self, *args: P.args, **named: P.kwargs) -> None:
        """Notify all listeners."""
        for listener in self._listeners:
            listener(*args, **named)


@dataclass(frozen=True, slots=True)
class Bus:
    """The notifications of one bot. Unless noted, they're sent on the event loop."""

    table_changed: Signal[[TableKey]] = field(default_factory=Signal)
    """A commit changed what a table's message shows."""
    event_changed: Signal[[EventKey]] = field(default_factory=Signal)
    """A commit changed an event's message, or added a message to post."""
    roll_called: Signal[[EventKey]] = field(default_factory=Signal)
    """An event has started waiting for a roll call."""
    committed: Signal[[Collection[TableKey | EventKey]]] = field(default_factory=Signal)
    """Everything that a commit touched, including drafts and deadlines. Sent on the writing thread."""
    player_deleted: Signal[[Player]] = field(default_factory=Signal)
    profile_changed: Signal[[GuildId, Player]] = field(default_factory=Signal)
    """A player hid their profile in a server, or shows it again."""
    draft_moved: Signal[[TableView, tuple[tuple[int, str], ...]]] = field(default_factory=Signal)
    """A player moved cards on a page: their view of the table, and the draft."""
    link_used: Signal[[GuildId, Player]] = field(default_factory=Signal)
    """A player opened a page with a link, so their messages need a new one."""
