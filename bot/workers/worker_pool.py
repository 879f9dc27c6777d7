"""Worker pool for the bot's computations, which run in processes, or in a thread if there are none.

It implements ``WorkerPool`` in ``bot/play/session/workers.py``.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

from bot.base.meter import SILENT, Computation, Meter
from bot.base.solver_data import load_arrays
from bot.model.errors import ComputationFailedError
from bot.model.ids import GuildId
from bot.play.session.workers import MAX_COMPUTATION_SECONDS, Job, Priority, T
from bot.pure.solver.levels import Computers
from bot.workers.worker import Worker, WorkerLostError, WorkerTimeoutError

# Scheduling: a limited number of computations at a time, alternating between servers.

URGENT_IN_A_ROW = 3
"""Number of urgent computations in a row before one that can wait gets a turn."""

_Line = dict[int, deque[asyncio.Future[None]]]
"""Waiting computations per server. The next server comes first."""


class JobSlots:
    """Limits concurrent computations to ``most``. If it's above 1, low-priority computations leave one slot free.

    An idle computation starts only if all slots are free and no other computation waits.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._free = most
        self._later_free = max(1, most - 1)
        self._lines: dict[Priority, _Line] = {urgency: {} for urgency in Priority}
        self._in_a_row = 0

    @asynccontextmanager
    async def turn(self, guild: int, urgency: Priority) -> AsyncIterator[None]:
        """Wait for a turn, and keep it for the duration of the block."""
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines[urgency].setdefault(guild, deque()).append(called)
        self._call()
        try:
            await called
            yield
        finally:
            if not called.cancelled():
                self._give_back(urgency)

    def _give_back(self, urgency: Priority) -> None:
        self._free += 1
        self._later_free += urgency is Priority.LATER
        self._call()

    def _call(self) -> None:
        """Start the waiting computations that may run now."""
        while self._free and (urgency := self._next()):
            called = _first(self._lines[urgency])
            if called.cancelled():
                continue  # cancelled waiters stay queued until they're reached here
            called.set_result(None)
            self._free -= 1
            self._later_free -= urgency is Priority.LATER
            self._in_a_row = self._in_a_row + 1 if urgency is Priority.TABLE else 0

    def _next(self) -> Priority | None:
        urgent, later = bool(self._lines[Priority.TABLE]), bool(self._lines[Priority.LATER]) and self._later_free > 0
        if urgent and not (later and self._in_a_row >= URGENT_IN_A_ROW):
            return Priority.TABLE
        if later:
            return Priority.LATER
        waiting = any(self._lines[urgency] for urgency in (Priority.TABLE, Priority.LATER))
        return Priority.IDLE if self._lines[Priority.IDLE] and not waiting and self._free == self._most else None


def _first(line: _Line) -> asyncio.Future[None]:
    """Pop the oldest waiter of the next server. The server goes to the end of the queue."""
    guild, queue = next(iter(line.items()))
    del line[guild]
    called = queue.popleft()
    if queue:
        line[guild] = queue
    return called


log = logging.getLogger(__name__)

LOST_IN_A_ROW = 3
REST_SECONDS = 60.0
"""Pause after LOST_IN_A_ROW lost workers.

If they died, the machine may be too small, so all games pause. If they timed out, the game may be too slow here, so
only that game pauses.
"""
EVERY_GAME = None


class GamePauses:
    """Pauses for one game, or for all games, after repeated losses of workers."""

    def __init__(self) -> None:
        self._lost: dict[str | None, int] = {}
        self._until: dict[str | None, float] = {}

    def pauses(self, game: str) -> bool:
        """True if ``game`` is paused, or all games are."""
        now = time.monotonic()
        return any(now < self._until.get(each, 0.0) for each in (game, EVERY_GAME))

    @property
    def pauses_all(self) -> bool:
        """True if all games are paused."""
        return time.monotonic() < self._until.get(EVERY_GAME, 0.0)

    def succeeded(self, game: str) -> None:
        """Reset the count of losses for ``game`` and for all games."""
        self._lost.pop(game, None)
        self._lost.pop(EVERY_GAME, None)

    def lost(self, game: str | None) -> bool:
        """Count a loss; True if it starts a pause."""
        self._lost[game] = self._lost.get(game, 0) + 1
        if self._lost[game] < LOST_IN_A_ROW:
            return False
        del self._lost[game]
        self._until[game] = time.monotonic() + REST_SECONDS
        return True


_computers = Computers(load_arrays, evaluators=1)
"""Computer players in this process, for computations in a thread."""


class WorkerPool:
    """Up to ``workers`` processes. A new one is started when there is work and no free worker.

    If ``workers`` is 0, a thread does one computation at a time, using the quick method if there is one.
    """

    def __init__(self, workers: int = 0, *, meter: Meter = SILENT) -> None:
        self._turns = JobSlots(max(1, workers))
        self._thread_turns = JobSlots(1)
        self._free = [Worker() for _ in range(workers)]
        self._aside = Worker()
        """Worker for long computations, so that they don't delay tables. It's ended after each one."""
        self._aside_turn = asyncio.Lock()
        self._workers = tuple(self._free)
        self._meter = meter
        self._rests = GamePauses()

    @property
    def running(self) -> int:
        """Number of running worker processes."""
        return sum(worker.runs for worker in self._workers)

    @property
    def quick(self) -> bool:
        """True if computations use the quick method where they can."""
        return not self._workers or self._rests.pauses_all

    async def think(
        self,
        job: Job[T],
        *,
        guild: GuildId,
        quickly: Job[T] | None = None,
        urgency: Priority = Priority.TABLE,
        seconds: float = MAX_COMPUTATION_SECONDS,
        game: str = "",
    ) -> T:
        """See ``bot.play.session.workers.WorkerPool``."""
        if not self._workers:
            return await self._in_thread(
                quickly or job, guild, urgency, Computation.QUICK if quickly else Computation.WHOLE
            )
        if not self._rests.pauses(game):
            try:
                found = await self._in_worker(job, guild, urgency, seconds)
            except WorkerLostError as error:
                self._note_lost(error, game)
            else:
                self._rests.succeeded(game)
                return found
        if quickly is None:
            raise ComputationFailedError
        return await self._in_thread(quickly, guild, urgency, Computation.QUICK)

    async def think_aside(self, job: Job[T], *, seconds: float) -> T:
        """See ``bot.play.session.workers.WorkerPool``."""
        async with self._aside_turn:
            if not self._workers:
                return await asyncio.get_running_loop().run_in_executor(None, partial(job, _computers))
            try:
                return await self._aside.think(job, seconds=seconds)
            except WorkerLostError as error:
                log.warning("a background computation was lost: %s", error)
                raise ComputationFailedError from error
            finally:
                self._aside.end()

    def close(self) -> None:
        """End all worker processes, including busy ones. Callers waiting for a result must be cancelled first."""
        self._aside.end()
        for worker in self._workers:
            worker.end()

    async def _in_worker(self, job: Job[T], guild: GuildId, urgency: Priority, seconds: float) -> T:
        async with self._turns.turn(guild, urgency):
            began = time.monotonic()
            worker = self._free.pop()
            try:
                found = await worker.think(job, seconds=seconds)
            finally:
                # The most recently used worker is taken first, because it has the game loaded. Fewer workers then need
                # to be started.
                self._free.append(worker)
        self._meter.thought(Computation.WHOLE, seconds=time.monotonic() - began)
        return found

    def _note_lost(self, error: WorkerLostError, game: str) -> None:
        self._meter.thought(Computation.LOST, seconds=0)
        log.warning("a worker was lost: %s; a quick search takes its place", error)
        paused = game if isinstance(error, WorkerTimeoutError) else EVERY_GAME
        if self._rests.lost(paused):
            log.warning(
                "workers keep failing, so none is started for %.0f s%s",
                REST_SECONDS,
                f" ({game} only)" if paused else "",
            )

    async def _in_thread(self, job: Job[T], guild: GuildId, urgency: Priority, kind: Computation) -> T:
        async with self._thread_turns.turn(guild, urgency):
            began = time.monotonic()
            found = await asyncio.get_running_loop().run_in_executor(None, partial(job, _computers))
        self._meter.thought(kind, seconds=time.monotonic() - began)
        return found


# Default number of worker processes.

MAX_WORKERS = 4
BOT_BYTES = 400 * 2**20
"""Memory for the bot and the operating system."""
WORKER_BYTES = 460 * 2**20
"""Memory of a worker with two games loaded."""
_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""Files that Linux uses for the memory limit of a container or a service."""


def default_workers() -> int:
    """Return the default number of workers. It leaves memory for the bot and, if there are several, one processor."""
    return workers_for(cores=_cores(), memory_bytes=_memory_bytes())


def workers_for(*, cores: int, memory_bytes: int) -> int:
    """Return the number of workers for ``cores`` processors and ``memory_bytes``."""
    return max(0, min(MAX_WORKERS, max(1, cores - 1), (memory_bytes - BOT_BYTES) // WORKER_BYTES))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _memory_bytes() -> int:
    """Return the memory that this process may use. If it's unknown, return enough for one worker."""
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")] if hasattr(os, "sysconf") else []
    for file in _LIMITS:
        with suppress(OSError, ValueError):  # the file doesn't exist, or says "max"
            found.append(int(file.read_text(encoding="ascii")))
    return min(found, default=BOT_BYTES + WORKER_BYTES)
