"""Alarms that need a thought: each is acted on by a task of its own, so that no clock waits for it.

Who is thought for next is decided by the thinkers (``Thinkers`` in ``bot/play/session/thinkers.py``). A task lives
for as long as its alarm is thought about.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.model.errors import StorageTroubleError
from bot.model.ids import TableKey
from bot.model.tables import Timer

log = logging.getLogger(__name__)

Alarm = tuple[TableKey, Timer]
"""The purpose of a thought: one alarm of a table."""


class ThoughtfulAlarms:
    """Calls ``act`` for each alarm that was added, with the time at which it was due."""

    def __init__(self, act: Callable[[TableKey, Timer, int], Awaitable[None]]) -> None:
        self._act = act
        self._tasks: dict[Alarm, asyncio.Task[None]] = {}
        self._closed = False

    @property
    def alarms(self) -> frozenset[Alarm]:
        """The alarms that wait for a thought, or are being thought about."""
        return frozenset(self._tasks)

    def __len__(self) -> int:
        return len(self._tasks)

    def add(self, alarm: Alarm, *, due_at: int) -> None:
        """Begin to think about it; after the end it stays due, and is thought about after the next start."""
        if alarm not in self._tasks and not self._closed:
            self._tasks[alarm] = asyncio.create_task(self._think(alarm, due_at))

    async def done(self) -> None:
        """Wait until nothing is left to think about."""
        while self._tasks:
            await asyncio.wait([*self._tasks.values()])

    async def close(self) -> None:
        """Think about nothing any more: what was not acted on stays due."""
        self._closed = True
        for task in self._tasks.values():
            task.cancel()
        await self.done()

    async def _think(self, alarm: Alarm, due_at: int) -> None:
        try:
            await self._act(*alarm, due_at)
        except StorageTroubleError as trouble:
            log.debug("what was thought out could not be written: %s", trouble)
        finally:
            del self._tasks[alarm]
