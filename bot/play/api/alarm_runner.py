"""Alarms that need a computation. Each is handled by its own task, so that no clock has to wait for it.

The workers decide the order (``WorkerPool`` in ``bot/play/session/workers.py``). A task lasts as long as its
computation.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.model.errors import StorageUnavailableError
from bot.model.ids import TableKey
from bot.model.tables import Timer

log = logging.getLogger(__name__)

Alarm = tuple[TableKey, Timer]
"""An alarm of a table that needs a computation."""


class AlarmRunner:
    """Calls ``act`` for each added alarm, with the time at which it was due."""

    def __init__(self, act: Callable[[TableKey, Timer, int], Awaitable[None]]) -> None:
        self._act = act
        self._tasks: dict[Alarm, asyncio.Task[None]] = {}
        self._closed = False

    @property
    def alarms(self) -> frozenset[Alarm]:
        """Return the alarms that are queued or being computed."""
        return frozenset(self._tasks)

    def __len__(self) -> int:
        return len(self._tasks)

    def add(self, alarm: Alarm, *, due_at: int) -> None:
        """Start a task for ``alarm``. After closing, the alarm stays due until the next start."""
        if alarm not in self._tasks and not self._closed:
            self._tasks[alarm] = asyncio.create_task(self._think(alarm, due_at))

    async def done(self) -> None:
        """Wait until all tasks have finished."""
        while self._tasks:
            await asyncio.wait([*self._tasks.values()])

    async def close(self) -> None:
        """Cancel all tasks. Their alarms stay due."""
        self._closed = True
        for task in self._tasks.values():
            task.cancel()
        await self.done()

    async def _think(self, alarm: Alarm, due_at: int) -> None:
        try:
            await self._act(*alarm, due_at)
        except StorageUnavailableError as trouble:
            log.debug("a computed result could not be saved: %s", trouble)
        finally:
            del self._tasks[alarm]
