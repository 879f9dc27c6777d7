"""Drawing on demand: a task for each thing that has changed, which ends when it is shown; and how late a table is."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Generic, TypeVar

from bot.base.meter import SILENT, Meter
from bot.chat.library.trouble import passes
from bot.model.ids import GuildId, TableKey

log = logging.getLogger(__name__)

RETRY_SECONDS = 3.0
"""After trouble that passes: discord.py has tried for a while by then."""
AT_ONCE = 16
"""Things that are drawn side by side though nothing has just changed there."""

K = TypeVar("K", bound=Hashable)


class RedrawQueue(Generic[K]):
    """Calls ``show`` with the key of everything that has changed; many changes make one drawing.

    ``show`` says whether it has drawn something: what changes meanwhile is drawn ``pause_seconds`` after that.

    A drawing that fails is logged. After trouble that passes it is tried again at one of the next beats; whatever else
    has failed, the publisher, which knows what is drawn, asks for again.
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
        """With ``rests`` it pauses also for what changes only once it was drawn: nobody waits for such a drawing."""
        self._show = show
        self._name = name
        self._ready = ready
        self._pause = pause_seconds
        self._rests = rests
        self._meter = meter
        self.dirty: set[K] = set()
        """What has changed since its drawing began, or is to be looked at once more."""
        self._tasks: dict[K, asyncio.Task[None]] = {}
        self._in_turn: dict[K, None] = {}
        """The tables that nobody has just pressed at, in the order in which they will be drawn."""
        self._catching_up: asyncio.Task[None] | None = None
        self._failed: dict[K, float] = {}
        """When trouble that passes kept something from being drawn, by the loop's clock."""
        self.closing = asyncio.Event()
        """Set once nothing new is begun."""

    def changed(self, key: K, *, just_now: bool = True) -> None:
        """Draw it soon; where nothing has changed ``just_now``, see soon whether something is to be drawn."""
        if self.closing.is_set() or not self._ready():
            return  # the sweep after connecting draws what changed before
        if just_now:
            self._meter.redraw_wanted(coalesced=key in self.dirty)
        self.dirty.add(key)
        if key not in self._tasks:
            self._tasks[key] = asyncio.create_task(self._drain(key))

    def catch_up(self, keys: Iterable[K]) -> None:
        """Draw these next, a few at a time: thousands may be behind, and a press must not wait for them all."""
        self._in_turn = dict.fromkeys(keys) | self._in_turn
        if self._in_turn and self._catching_up is None and not self.closing.is_set():
            self._catching_up = asyncio.create_task(self._draw_in_turn())

    def beat(self) -> None:
        """Look again at what could not be drawn some seconds ago."""
        until = asyncio.get_running_loop().time() - RETRY_SECONDS
        for key in [key for key, at in self._failed.items() if at <= until]:
            del self._failed[key]
            self.changed(key, just_now=False)

    def seen(self, key: K) -> None:
        """Note that every change until now is in the drawing being made."""
        self.dirty.discard(key)

    def under_way(self, among: Callable[[K], bool]) -> list[asyncio.Task[None]]:
        """The drawings that are being made of some things."""
        return [task for key, task in self._tasks.items() if among(key)]

    async def drawn(self) -> None:
        """Wait for what is under way."""
        while under_way := [*self._tasks.values(), *filter(None, [self._catching_up])]:
            await asyncio.gather(*under_way, return_exceptions=True)

    async def close(self) -> None:
        """Begin nothing new, and let what is under way end."""
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
            if passes(error):
                log.warning("%s could not be drawn now: %s", self._name(key), str(error) or type(error).__name__)
                self._failed[key] = asyncio.get_running_loop().time()
            else:
                log.exception("%s could not be drawn", self._name(key))
        finally:
            del self._tasks[key]


# For how long what everybody sees of a table has not been how it stands.

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
        now = self._now()
        self._since.setdefault(key, now)
        if key in self._changed_again:
            self._changed_again[key] = self._changed_again[key] or now

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
                self._since.pop(key, None)
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
