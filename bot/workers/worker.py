"""A worker process, started when first needed and ended if it fails."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection

from bot.base.solver_data import load_arrays
from bot.play.session.workers import Job, T
from bot.pure.solver.levels import Computers

_SPAWN = multiprocessing.get_context("spawn")
"""Workers start as a new interpreter, so they share none of the bot's memory."""


class WorkerLostError(Exception):
    """The worker ended before its job was done. The text gives the reason."""


class WorkerTimeoutError(WorkerLostError):
    """The worker was ended because its job took too long."""


class Worker:
    """Runs one job at a time in a separate process."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._line: Connection | None = None
        self._pid: int | None = None
        self._lock = threading.Lock()
        """Lock for starting and ending the process, which happen in different threads."""
        self._ends = 0
        """Number of times the process has been ended. Jobs submitted before the last time aren't started."""

    @property
    def runs(self) -> bool:
        """True if the process exists."""
        return self._pool is not None

    async def think(self, job: Job[T], *, seconds: float) -> T:
        """Return the job's result, or raise its error. Raises WorkerLostError if the process dies or times out."""
        try:
            async with asyncio.timeout(seconds) as limit:
                # Starting a process takes a few milliseconds, which would block the event loop.
                future = await asyncio.get_running_loop().run_in_executor(None, self._submit, job, self._ends)
                return await asyncio.wrap_future(future)
        except BrokenExecutor as error:
            self.end()
            raise WorkerLostError("it died") from error
        except TimeoutError as error:
            if not limit.expired():
                raise
            self.end()
            raise WorkerTimeoutError(f"it was still thinking after {seconds:g} s") from error
        except asyncio.CancelledError:
            self.end()
            raise

    def end(self) -> None:
        """Kill the process immediately. The next job starts a new one."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        self._ends += 1
        pool, line, pid = self._pool, self._line, self._known_pid()
        self._pool = self._line = self._pid = None
        if line is not None:
            line.close()  # a process that is still starting notices this and exits
        for child in multiprocessing.active_children():
            if child.pid == pid:
                child.kill()
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    def _submit(self, job: Job[T], ends: int) -> Future[T]:
        with self._lock:
            if self._ends != ends:
                raise WorkerLostError("it was stopped before it started")
            try:
                if self._pool is None:
                    self._start()
                assert self._pool
                with _uninterrupted():
                    return self._pool.submit(answer, job)
            except (BrokenExecutor, OSError, RuntimeError) as error:
                self._end()
                raise WorkerLostError(f"it could not be started: {error}") from error

    def _start(self) -> None:
        self._line, theirs = _SPAWN.Pipe()
        self._pool = ProcessPoolExecutor(1, mp_context=_SPAWN, initializer=begin, initargs=(theirs,))

    def _known_pid(self) -> int | None:
        """Return the process id; None if it isn't known yet."""
        if self._pid is None and self._line is not None:
            with suppress(EOFError, OSError):
                if self._line.poll():
                    self._pid = self._line.recv()
        return self._pid


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Block Ctrl-C while a process starts, until it has installed its own signal handlers."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# Code that runs in the worker process. It only knows its jobs, and has no token, key or database. It exits when its
# connection to the bot is closed, even if the bot was killed.

NICENESS = 10
"""Lower priority than the bot's own process."""
MAX_GAMES = 2
"""Maximum number of games loaded. Each takes up to 220 MB at the master level."""

_computers = Computers(load_arrays, evaluators=MAX_GAMES)


def begin(line: Connection) -> None:
    """Set up this process as a worker, and send its id to the bot."""
    # Ctrl-C reaches all processes of a terminal, and SIGTERM all processes of a service. Only the bot ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    line.send(os.getpid())
    threading.Thread(target=_end_with, args=(line,), daemon=True).start()


def _end_with(line: Connection) -> None:
    try:
        line.recv()
    except (EOFError, OSError):
        os._exit(0)


def answer(job: Job[T]) -> T:
    """Run a job."""
    return job(_computers)
