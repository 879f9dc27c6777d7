"""What has to be thought out: one thing at a time in the whole process, and each server in its turn.

Thinking is pure Python, so that two who think share one processor and nobody is done earlier; and no clock may wait
for it. A task thinks while there is something to think about, then it ends.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable

from bot.play.model import GuildId, TableKey, Timer
from bot.play.ports import StorageTroubleError

log = logging.getLogger(__name__)

Alarm = tuple[TableKey, Timer]
"""What somebody thinks for: one alarm of a table."""


class ComputerQueue:
    """Calls ``act`` for each alarm that was added, with the time at which it was due."""

    def __init__(self, act: Callable[[TableKey, Timer, int], Awaitable[None]]) -> None:
        self._act = act
        self._known: set[Alarm] = set()
        """All that wait, and the one that is thought about."""
        self._queues: dict[GuildId, deque[tuple[Alarm, int]]] = {}
        """By server; the one whose turn it is comes first."""
        self._task: asyncio.Task[None] | None = None
        self._closing = False

    @property
    def alarms(self) -> frozenset[Alarm]:
        """What waits to be thought about, or is being thought about."""
        return frozenset(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def add(self, alarm: Alarm, *, due_at: int) -> None:
        """Think about it when its server has its turn."""
        if alarm in self._known:
            return
        self._known.add(alarm)
        if self._closing:
            return  # it stays due, and is thought about after the next start
        self._queues.setdefault(alarm[0].guild, deque()).append((alarm, due_at))
        if self._task is None:
            self._task = asyncio.create_task(self._think())

    async def done(self) -> None:
        """Wait until nothing is left to think about."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def close(self) -> None:
        """Forget what waits, and let what is thought about now end."""
        self._closing = True
        self._queues.clear()
        await self.done()

    async def _think(self) -> None:
        try:
            while self._queues:
                alarm, due_at = self._next()
                try:
                    await self._act(*alarm, due_at)
                except StorageTroubleError as trouble:
                    log.debug("what was thought out could not be written: %s", trouble)
                finally:
                    self._known.discard(alarm)
        finally:
            # Whatever ends it early, what waits is still due: the next tick finds it again.
            self._queues.clear()
            self._known.clear()
            self._task = None

    def _next(self) -> tuple[Alarm, int]:
        """The oldest of the server whose turn it is; the server goes to the end of the row."""
        guild, queue = next(iter(self._queues.items()))
        del self._queues[guild]
        found = queue.popleft()
        if queue:
            self._queues[guild] = queue
        return found
