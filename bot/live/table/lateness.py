"""For how long what everybody sees of a table has not been how it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bot.model.ids import GuildId, TableKey

LATE_SECONDS = 10
"""Players are told of a table's message that is behind by more."""


class Lateness:
    """Since when tables' messages are behind, and since when something waits to be posted for them."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now = now_ms
        self._since: dict[TableKey, int] = {}
        """Since when a table's message does not show its state."""
        self._unposted: dict[TableKey, int] = {}
        """Since when something waits to be posted for a table."""
        self._changed_again: dict[TableKey, int | None] = {}
        """The tables that are being drawn, and when one changed meanwhile for the first time."""

    def begin(self, key: TableKey) -> None:
        """The table's message is behind, at least from now on."""
        self._since.setdefault(key, self._now())

    def changed(self, key: TableKey) -> None:
        """The table has changed; one that is being drawn stays behind after that."""
        self.begin(key)
        if key in self._changed_again:
            self._changed_again[key] = self._changed_again[key] or self._now()

    def forget(self, key: TableKey) -> None:
        """Its message shows how the table stands, or nothing is to be shown of it for now."""
        self._since.pop(key, None)

    @property
    def drawn_now(self) -> Iterator[GuildId]:
        """The servers of the tables that are being drawn."""
        return (key.guild for key in self._changed_again)

    @contextmanager
    def drawing(self, key: TableKey) -> Iterator[None]:
        """While the table is drawn: what is shown at the end is its state at the beginning. Failing changes nothing."""
        self._changed_again[key] = None
        try:
            yield
            if (again := self._changed_again[key]) is None:
                self.forget(key)
            else:
                self._since[key] = again
        finally:
            del self._changed_again[key]

    def waits(self, key: TableKey) -> None:
        """Something waits to be posted for the table."""
        self._unposted.setdefault(key, self._now())

    def posted(self, key: TableKey) -> None:
        """Nothing waits any more that could be posted."""
        self._unposted.pop(key, None)

    def behind(self, key: TableKey) -> float:
        """For how many seconds the table's message has not shown its state; 0 when it does."""
        since = self._since.get(key)
        return 0.0 if since is None else max(0, self._now() - since) / 1000

    def late(self, key: TableKey) -> bool:
        """True when the players are to be told that what everybody sees is behind."""
        return self.behind(key) > LATE_SECONDS

    def late_tables(self) -> list[TableKey]:
        """All of which that is true."""
        return [key for key in self._since if self.late(key)]

    def lag_seconds(self, guild: GuildId | None = None) -> float:
        """For how long the oldest state has not been shown, or a message has waited, in one server or in all."""
        waiting = (*self._since.items(), *self._unposted.items())
        oldest = min((at for key, at in waiting if guild in (None, key.guild)), default=self._now())
        return max(0, self._now() - oldest) / 1000
