"""Drawing on demand: one task for each thing that has changed, which ends when it is shown. No task waits for ever."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Iterable
from typing import Generic, TypeVar

from bot.live.library.wire import passes
from bot.meter import SILENT, Meter

log = logging.getLogger(__name__)

RETRY_SECONDS = 3.0
"""After trouble that passes: discord.py has tried for a while by then."""
AT_ONCE = 16
"""Things that are drawn side by side though nothing has just changed there."""

K = TypeVar("K", bound=Hashable)


class RedrawQueue(Generic[K]):
    """Calls ``show`` with the key of everything that has changed; many changes make one drawing.

    ``show`` says whether it has drawn something: ``pause_seconds`` lie between that and the next drawing of the same.

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
        meter: Meter = SILENT,
    ) -> None:
        self._show = show
        self._name = name
        self._ready = ready
        self._pause = pause_seconds
        self._meter = meter
        self._dirty: set[K] = set()
        self._tasks: dict[K, asyncio.Task[None]] = {}
        self._in_turn: dict[K, None] = {}
        """The tables that nobody has just pressed at, in the order in which they will be drawn."""
        self._catching_up: asyncio.Task[None] | None = None
        self._failed: dict[K, float] = {}
        """When trouble that passes kept something from being drawn, by the loop's clock."""
        self.closing = asyncio.Event()
        """Set once nothing new is begun."""

    def changed(self, key: K) -> None:
        """Draw it soon."""
        if self._begins:
            self._meter.redraw_wanted(coalesced=key in self._dirty)
            self.look_at(key)

    def look_at(self, key: K) -> None:
        """See soon whether something is to be drawn, though nothing has changed just now."""
        if not self._begins:
            return  # the sweep after connecting draws what changed before
        self._dirty.add(key)
        if key not in self._tasks:
            self._tasks[key] = asyncio.create_task(self._drain(key))

    @property
    def _begins(self) -> bool:
        return not self.closing.is_set() and self._ready()

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
            self.look_at(key)

    def seen(self, key: K) -> None:
        """Note that every change until now is in the drawing being made."""
        self._dirty.discard(key)

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
                    self.look_at(key)
                    if key in self._tasks:
                        await asyncio.shield(self._tasks[key])

        try:
            await asyncio.gather(*(draw() for _ in range(AT_ONCE)))
        finally:
            self._catching_up = None

    async def _drain(self, key: K) -> None:
        try:
            while key in self._dirty:
                self._dirty.discard(key)
                if not await self._show(key):
                    continue
                self._failed.pop(key, None)
                self._meter.redrawn(well=True)
                if self._pause and key in self._dirty:
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
