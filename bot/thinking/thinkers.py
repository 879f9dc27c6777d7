"""Those who think for the bot: worker processes, or a thread where there are none.

They fulfil ``Thinkers`` in ``bot/play/session/thinkers.py``.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial

from bot.fitted import fitted_arrays
from bot.meter import SILENT, Meter, Thought
from bot.model.errors import NoThoughtError
from bot.model.ids import GuildId
from bot.play.session.thinkers import LONGEST_THOUGHT_SECONDS, Job, T, Urgency
from bot.solver.levels import Computers
from bot.thinking.turns import Turns
from bot.thinking.worker import Worker, WorkerLostError

log = logging.getLogger(__name__)

LOST_IN_A_ROW = 3
REST_SECONDS = 60.0
"""After so many lost workers in a row none is started for so long: the machine may be too small for them."""


_computers = Computers(fitted_arrays, brains=1)
"""Those of this process, for what is thought about in a thread."""


class Thinkers:
    """``workers`` processes at most, each started when there is something to think about for which no other is free.

    With 0 there is none: one thing at a time is thought about in a thread, the quick way where there is one.
    """

    def __init__(self, workers: int = 0, *, meter: Meter = SILENT) -> None:
        self._turns = Turns(max(1, workers))
        self._thread_turns = Turns(1)
        self._free = [Worker() for _ in range(workers)]
        self._workers = tuple(self._free)
        self._meter = meter
        self._lost = 0
        self._rests_until = 0.0

    @property
    def running(self) -> int:
        """How many worker processes there are."""
        return sum(worker.runs for worker in self._workers)

    @property
    def quick(self) -> bool:
        """True while all that can be is thought out the quick way."""
        return not self._workers or time.monotonic() < self._rests_until

    async def think(
        self,
        job: Job[T],
        *,
        guild: GuildId,
        quickly: Job[T] | None = None,
        urgency: Urgency = Urgency.TABLE,
        seconds: float = LONGEST_THOUGHT_SECONDS,
    ) -> T:
        """What ``bot.play.session.session.thinkers.Thinkers`` promises."""
        if not self._workers:
            return await self._in_thread(quickly or job, guild, urgency, Thought.QUICK if quickly else Thought.WHOLE)
        if not self.quick:
            try:
                return await self._in_worker(job, guild, urgency, seconds)
            except WorkerLostError as error:
                self._note_lost(error)
        if quickly is None:
            raise NoThoughtError
        return await self._in_thread(quickly, guild, urgency, Thought.QUICK)

    def close(self) -> None:
        """End all processes, also those that think; who waits for them has to be cancelled before."""
        for worker in self._workers:
            worker.end()

    async def _in_worker(self, job: Job[T], guild: GuildId, urgency: Urgency, seconds: float) -> T:
        async with self._turns.turn(guild, urgency):
            began = time.monotonic()
            worker = self._free.pop()
            try:
                found = await worker.think(job, seconds=seconds)
            finally:
                # The one that thought last comes first: it knows the game, and the others need not be started.
                self._free.append(worker)
        self._lost = 0
        self._meter.thought(Thought.WHOLE, seconds=time.monotonic() - began)
        return found

    def _note_lost(self, error: WorkerLostError) -> None:
        self._lost += 1
        self._meter.thought(Thought.LOST, seconds=0)
        log.warning("a worker that thinks is lost: %s; the quick way takes its place", error)
        if self._lost >= LOST_IN_A_ROW:
            self._lost = 0
            self._rests_until = time.monotonic() + REST_SECONDS
            log.warning("no worker comes to an end: none is started for %.0f s", REST_SECONDS)

    async def _in_thread(self, job: Job[T], guild: GuildId, urgency: Urgency, kind: Thought) -> T:
        async with self._thread_turns.turn(guild, urgency):
            began = time.monotonic()
            found = await asyncio.get_running_loop().run_in_executor(None, partial(job, _computers))
        self._meter.thought(kind, seconds=time.monotonic() - began)
        return found
