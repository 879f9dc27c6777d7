"""One worker process: started when it is first needed, ended when it fails."""

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

from bot.base.fitted import fitted_arrays
from bot.play.session.thinkers import Job, T
from bot.pure.solver.levels import Computers

_SPAWN = multiprocessing.get_context("spawn")
"""Nothing of the bot's memory is in a worker: it starts as a new interpreter."""


class WorkerLostError(Exception):
    """The worker has ended before it was done; its text says why."""


class WorkerTimeoutError(WorkerLostError):
    """The worker was ended because its job took too long."""


class Worker:
    """Does one job at a time in a process of its own."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._line: Connection | None = None
        self._pid: int | None = None
        self._lock = threading.Lock()
        """Whoever starts the process is in another thread than whoever ends it."""
        self._ends = 0
        """How often it was ended: a job that was asked for before is not begun after."""

    @property
    def runs(self) -> bool:
        """True while there is a process."""
        return self._pool is not None

    async def think(self, job: Job[T], *, seconds: float) -> T:
        """What a job comes to, or raises; raises WorkerLostError when the process dies or takes longer."""
        try:
            async with asyncio.timeout(seconds) as limit:
                # To start a process takes a few milliseconds, which are not the loop's.
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
        """End the process now, whatever it does; another one is started when it is needed."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        self._ends += 1
        pool, line, pid = self._pool, self._line, self._told_pid()
        self._pool = self._line = self._pid = None
        if line is not None:
            line.close()  # what has not begun yet ends by this as soon as it begins
        for child in multiprocessing.active_children():
            if child.pid == pid:
                child.kill()
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    def _submit(self, job: Job[T], ends: int) -> Future[T]:
        with self._lock:
            if self._ends != ends:
                raise WorkerLostError("it was ended before it began")
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

    def _told_pid(self) -> int | None:
        """The id of the process; None before it has begun."""
        if self._pid is None and self._line is not None:
            with suppress(EOFError, OSError):
                if self._line.poll():
                    self._pid = self._line.recv()
        return self._pid


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """A process that starts inside is not ended by Ctrl-C before it can say that it does not listen."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# What runs in a worker process: it thinks, and knows nothing but what it is asked.
#
# It has no token, no key and no database. It ends when its line to the bot is cut: also when the bot was killed.

NICENESS = 10
"""The bot itself comes first."""
BRAINS = 2
"""A game that a master plays takes up to 220 MB."""

_computers = Computers(fitted_arrays, brains=BRAINS)


def begin(line: Connection) -> None:
    """Make this process a worker, and tell the bot which it is."""
    # Ctrl-C reaches every process of a terminal, and a supervisor's SIGTERM each of a service: the bot says when.
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
    """Do a job."""
    return job(_computers)
