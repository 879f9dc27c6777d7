"""Those who think for the bot: worker processes, or a thread where there are none.

They fulfil ``Thinkers`` in ``bot/play/session/thinkers.py``.
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

from bot.base.fitted import fitted_arrays
from bot.base.meter import SILENT, Meter, Thought
from bot.model.errors import NoThoughtError
from bot.model.ids import GuildId
from bot.play.session.thinkers import LONGEST_THOUGHT_SECONDS, Job, T, Urgency
from bot.pure.solver.levels import Computers
from bot.thinking.worker import Worker, WorkerLostError, WorkerTimeoutError

# Whose turn it is to be thought about: so many at a time, each server in its turn.

URGENT_IN_A_ROW = 3
"""After so many that are urgent comes one that can wait."""

_Line = dict[int, deque[asyncio.Future[None]]]
"""Those who wait, by server; the one whose turn it is comes first."""


class Turns:
    """Lets ``most`` think at a time. What can wait leaves one of several places free."""

    def __init__(self, most: int) -> None:
        self._free = most
        self._later_free = max(1, most - 1)
        self._lines: dict[Urgency, _Line] = {urgency: {} for urgency in Urgency}
        self._in_a_row = 0

    @asynccontextmanager
    async def turn(self, guild: int, urgency: Urgency) -> AsyncIterator[None]:
        """Wait for a turn, and have it inside."""
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines[urgency].setdefault(guild, deque()).append(called)
        self._call()
        try:
            await called
            yield
        finally:
            if not called.cancelled():
                self._give_back(urgency)

    def _give_back(self, urgency: Urgency) -> None:
        self._free += 1
        self._later_free += urgency is Urgency.LATER
        self._call()

    def _call(self) -> None:
        """Call those who may think now."""
        while self._free and (urgency := self._next()):
            called = _first(self._lines[urgency])
            if called.cancelled():
                continue  # who gave up waiting stands in the line until now
            called.set_result(None)
            self._free -= 1
            self._later_free -= urgency is Urgency.LATER
            self._in_a_row = self._in_a_row + 1 if urgency is Urgency.TABLE else 0

    def _next(self) -> Urgency | None:
        urgent, later = bool(self._lines[Urgency.TABLE]), bool(self._lines[Urgency.LATER]) and self._later_free > 0
        if urgent and not (later and self._in_a_row >= URGENT_IN_A_ROW):
            return Urgency.TABLE
        return Urgency.LATER if later else None


def _first(line: _Line) -> asyncio.Future[None]:
    """The oldest of the server whose turn it is; the server goes to the end of the row."""
    guild, queue = next(iter(line.items()))
    del line[guild]
    called = queue.popleft()
    if queue:
        line[guild] = queue
    return called


log = logging.getLogger(__name__)

LOST_IN_A_ROW = 3
REST_SECONDS = 60.0
"""Pause after LOST_IN_A_ROW lost workers. If they died, the machine may be too small, so every game pauses. If they ran
out of time, the game may be too slow here, so only that game pauses."""
EVERY_GAME = None


class Rests:
    """Pauses of games, or of all, after repeated losses."""

    def __init__(self) -> None:
        self._lost: dict[str | None, int] = {}
        self._until: dict[str | None, float] = {}

    def pauses(self, game: str) -> bool:
        """True while ``game`` or every game pauses."""
        now = time.monotonic()
        return any(now < self._until.get(each, 0.0) for each in (game, EVERY_GAME))

    @property
    def pauses_all(self) -> bool:
        """True while every game pauses."""
        return time.monotonic() < self._until.get(EVERY_GAME, 0.0)

    def succeeded(self, game: str) -> None:
        """Forget the losses of ``game``, and those that count for every game."""
        self._lost.pop(game, None)
        self._lost.pop(EVERY_GAME, None)

    def lost(self, game: str | None) -> bool:
        """Count a loss; True if it begins a pause."""
        self._lost[game] = self._lost.get(game, 0) + 1
        if self._lost[game] < LOST_IN_A_ROW:
            return False
        del self._lost[game]
        self._until[game] = time.monotonic() + REST_SECONDS
        return True


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
        self._aside = Worker()
        """Does what takes long, so that no table waits for it; it runs no longer than that."""
        self._aside_turn = asyncio.Lock()
        self._workers = tuple(self._free)
        self._meter = meter
        self._rests = Rests()

    @property
    def running(self) -> int:
        """How many worker processes there are."""
        return sum(worker.runs for worker in self._workers)

    @property
    def quick(self) -> bool:
        """True while all that can be is thought out the quick way."""
        return not self._workers or self._rests.pauses_all

    async def think(
        self,
        job: Job[T],
        *,
        guild: GuildId,
        quickly: Job[T] | None = None,
        urgency: Urgency = Urgency.TABLE,
        seconds: float = LONGEST_THOUGHT_SECONDS,
        game: str = "",
    ) -> T:
        """What ``bot.play.session.thinkers.Thinkers`` promises."""
        if not self._workers:
            return await self._in_thread(quickly or job, guild, urgency, Thought.QUICK if quickly else Thought.WHOLE)
        if not self._rests.pauses(game):
            try:
                found = await self._in_worker(job, guild, urgency, seconds)
            except WorkerLostError as error:
                self._note_lost(error, game)
            else:
                self._rests.succeeded(game)
                return found
        if quickly is None:
            raise NoThoughtError
        return await self._in_thread(quickly, guild, urgency, Thought.QUICK)

    async def think_aside(self, job: Job[T], *, seconds: float) -> T:
        """What ``bot.play.session.thinkers.Thinkers`` promises."""
        async with self._aside_turn:
            if not self._workers:
                return await asyncio.get_running_loop().run_in_executor(None, partial(job, _computers))
            try:
                return await self._aside.think(job, seconds=seconds)
            except WorkerLostError as error:
                log.warning("what was thought about aside is lost: %s", error)
                raise NoThoughtError from error
            finally:
                self._aside.end()

    def close(self) -> None:
        """End all processes, also those that think; who waits for them has to be cancelled before."""
        self._aside.end()
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
        self._meter.thought(Thought.WHOLE, seconds=time.monotonic() - began)
        return found

    def _note_lost(self, error: WorkerLostError, game: str) -> None:
        self._meter.thought(Thought.LOST, seconds=0)
        log.warning("a worker that thinks is lost: %s; the quick way takes its place", error)
        paused = game if isinstance(error, WorkerTimeoutError) else EVERY_GAME
        if self._rests.lost(paused):
            log.warning(
                "no worker comes to an end: none is started for %.0f s%s",
                REST_SECONDS,
                f" for {game}" if paused else "",
            )

    async def _in_thread(self, job: Job[T], guild: GuildId, urgency: Urgency, kind: Thought) -> T:
        async with self._thread_turns.turn(guild, urgency):
            began = time.monotonic()
            found = await asyncio.get_running_loop().run_in_executor(None, partial(job, _computers))
        self._meter.thought(kind, seconds=time.monotonic() - began)
        return found


# How many worker processes suit a machine.

MOST = 4
BOT_BYTES = 400 * 2**20
"""What the bot itself needs, and the system around it."""
WORKER_BYTES = 460 * 2**20
"""A worker that knows two games."""
_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""Where Linux tells how much memory a container or a service may have."""


def usual_workers() -> int:
    """One processor is left to the bot where there are several, and its memory everywhere."""
    return workers_for(cores=_cores(), memory_bytes=_memory_bytes())


def workers_for(*, cores: int, memory_bytes: int) -> int:
    """How many workers suit so many processors and so much memory."""
    return max(0, min(MOST, max(1, cores - 1), (memory_bytes - BOT_BYTES) // WORKER_BYTES))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _memory_bytes() -> int:
    """What the machine has, or less where this process may have less; room for one worker when it cannot be told."""
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")] if hasattr(os, "sysconf") else []
    for file in _LIMITS:
        with suppress(OSError, ValueError):  # There is none, or it says "max".
            found.append(int(file.read_text(encoding="ascii")))
    return min(found, default=BOT_BYTES + WORKER_BYTES)
