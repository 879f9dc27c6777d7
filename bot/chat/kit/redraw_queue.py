"""Drawing on demand, in one task per changed key, and the delay of tables' messages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Generic, TypeVar

from bot.base.meter import SILENT, Meter
from bot.chat.discord_patches.errors import is_transient
from bot.model.ids import GuildId, TableKey

log = logging.getLogger(__name__)

RETRY_SECONDS = 3.0
"""Delay before retrying after a transient error. By then, discord.py has already retried for a while."""
AT_ONCE = 16
"""Maximum number of concurrent drawings from the backlog."""

K = TypeVar("K", bound=Hashable)


class RedrawQueue(Generic[K]):
    """Calls ``show`` for each changed key. Changes in quick succession share a drawing.

    ``show`` returns True if it has drawn something. Changes during a drawing are drawn ``pause_seconds`` after it.

    A failed drawing is logged. After a transient error, a later beat retries it. After other errors, the publisher
    queues it again, because it knows what has been drawn.
    """

    def __init__(
        self,
        show: Callable[[K], Awaitable[bool]],
        *,
        name: Callable[[K], str],
        ready: Callable[[], bool],
        pause_seconds: float = 0,
        rests: bool = False,
        meter: Meter = SILENT,
    ) -> None:
        """Create the queue. With ``rests``, it pauses after every drawing, for drawings that no one is waiting for."""
        self._show = show
        self._name = name
        self._ready = ready
        self._pause = pause_seconds
        self._rests = rests
        self._meter = meter
        self.dirty: set[K] = set()
        """Keys that have changed since their drawing began, or that need another check."""
        self._tasks: dict[K, asyncio.Task[None]] = {}
        self._in_turn: dict[K, None] = {}
        """The backlog: keys that haven't just changed, in drawing order."""
        self._catching_up: asyncio.Task[None] | None = None
        self._failed: dict[K, float] = {}
        """Time of each drawing's last transient error, by the loop's clock."""
        self.closing = asyncio.Event()
        """Set when no new drawings may start."""

    def changed(self, key: K, *, just_now: bool = True) -> None:
        """Queue ``key`` for drawing. Without ``just_now``, only check soon whether it needs to be drawn."""
        if self.closing.is_set() or not self._ready():
            return  # the sweep after connecting draws earlier changes
        if just_now:
            self._meter.redraw_wanted(coalesced=key in self.dirty)
        self.dirty.add(key)
        if key not in self._tasks:
            self._tasks[key] = asyncio.create_task(self._drain(key))

    def catch_up(self, keys: Iterable[K]) -> None:
        """Put ``keys`` at the front of the backlog, which is drawn a few at a time so that it never delays a press."""
        self._in_turn = dict.fromkeys(keys) | self._in_turn
        if self._in_turn and self._catching_up is None and not self.closing.is_set():
            self._catching_up = asyncio.create_task(self._draw_in_turn())

    def beat(self) -> None:
        """Retry the drawings that failed some seconds ago."""
        until = asyncio.get_running_loop().time() - RETRY_SECONDS
        for key in [key for key, at in self._failed.items() if at <= until]:
            del self._failed[key]
            self.changed(key, just_now=False)

    def seen(self, key: K) -> None:
        """Note that the drawing in progress includes all changes made so far."""
        self.dirty.discard(key)

    def in_progress(self, among: Callable[[K], bool]) -> list[asyncio.Task[None]]:
        """Return the drawings in progress whose keys match ``among``."""
        return [task for key, task in self._tasks.items() if among(key)]

    async def drawn(self) -> None:
        """Wait until no drawing is in progress."""
        while in_progress := [*self._tasks.values(), *filter(None, [self._catching_up])]:
            await asyncio.gather(*in_progress, return_exceptions=True)

    async def close(self) -> None:
        """Stop starting drawings, and wait for those in progress."""
        self.closing.set()
        await self.drawn()

    async def _draw_in_turn(self) -> None:
        async def draw() -> None:
            while self._in_turn and not self.closing.is_set():
                key = next(iter(self._in_turn))
                del self._in_turn[key]
                if key not in self._tasks:
                    self.changed(key, just_now=False)
                    if key in self._tasks:
                        await asyncio.shield(self._tasks[key])

        try:
            await asyncio.gather(*(draw() for _ in range(AT_ONCE)))
        finally:
            self._catching_up = None

    async def _drain(self, key: K) -> None:
        try:
            while key in self.dirty:
                self.dirty.discard(key)
                if not await self._show(key):
                    continue
                self._failed.pop(key, None)
                self._meter.redrawn(well=True)
                if self._rests:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self.closing.wait(), self._pause)
                elif self._pause and key in self.dirty:
                    await asyncio.sleep(self._pause)
        except Exception as error:
            self._meter.redrawn(well=False)
            if is_transient(error):
                log.warning("%s could not be drawn now: %s", self._name(key), str(error) or type(error).__name__)
                self._failed[key] = asyncio.get_running_loop().time()
            else:
                log.exception("%s could not be drawn", self._name(key))
        finally:
            del self._tasks[key]


# Delay of tables' public messages.

LATE_SECONDS = 10
"""Delay of a table's message above which players are notified."""


class MessageLag:
    """Delays of tables' messages, and of posts pending for tables."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now = now_ms
        self._since: dict[TableKey, int] = {}
        """When each table's message became outdated (ms)."""
        self._unposted: dict[TableKey, int] = {}
        """When each table's oldest pending post was due (ms)."""
        self._changed_again: dict[TableKey, int | None] = {}
        """Tables being drawn, with the time of the first change during the drawing (ms); None if nothing changed."""

    def begin(self, key: TableKey) -> None:
        """Mark the table's message as outdated from now, unless it already is."""
        self._since.setdefault(key, self._now())

    def changed(self, key: TableKey) -> None:
        """Note a change to the table. If it's being drawn, its message is still outdated after the drawing."""
        now = self._now()
        self._since.setdefault(key, now)
        if key in self._changed_again:
            self._changed_again[key] = self._changed_again[key] or now

    def forget(self, key: TableKey) -> None:
        """Mark the table's message as up to date, or as not needed for now."""
        self._since.pop(key, None)

    @property
    def drawn_now(self) -> Iterator[GuildId]:
        """The servers of the tables being drawn."""
        return (key.guild for key in self._changed_again)

    @contextmanager
    def drawing(self, key: TableKey) -> Iterator[None]:
        """Track a drawing, which shows the table's state when it began. If it fails, the delay is unchanged."""
        self._changed_again[key] = None
        try:
            yield
            if (again := self._changed_again[key]) is None:
                self._since.pop(key, None)
            else:
                self._since[key] = again
        finally:
            del self._changed_again[key]

    def waits(self, key: TableKey) -> None:
        """Note that a post for the table is pending."""
        self._unposted.setdefault(key, self._now())

    def posted(self, key: TableKey) -> None:
        """Note that no post for the table is pending."""
        self._unposted.pop(key, None)

    def behind(self, key: TableKey) -> float:
        """Return the seconds since the table's message became outdated; 0 if it's up to date."""
        since = self._since.get(key)
        return 0.0 if since is None else max(0, self._now() - since) / 1000

    def late(self, key: TableKey) -> bool:
        """True if players should be notified that the table's public message is late."""
        return self.behind(key) > LATE_SECONDS

    def late_tables(self) -> list[TableKey]:
        """Return the tables whose message is late."""
        return [key for key in self._since if self.late(key)]

    def lag_seconds(self, guild: GuildId | None = None) -> float:
        """Return the longest delay of a message or pending post (s), in one server or in all."""
        waiting = (*self._since.items(), *self._unposted.items())
        oldest = min((at for key, at in waiting if guild in (None, key.guild)), default=self._now())
        return max(0, self._now() - oldest) / 1000
