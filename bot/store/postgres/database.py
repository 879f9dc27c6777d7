"""A PostgreSQL database. Transactions run on a few threads, each with a connection.

Transactions never span an ``await``, so a cancelled caller can't leave one open.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from queue import LifoQueue
from typing import TypeVar

import psycopg

from bot.base.meter import SILENT, Meter
from bot.store import StoreFatalError, StoreUnavailableError
from bot.store.owner import claim
from bot.store.postgres.driver import Changed, PostgresSql
from bot.store.postgres.errors import translate_error
from bot.store.postgres.server import ConnectionFactory
from bot.store.postgres.transaction_runner import CommitResult, InDoubtError, Job, TransactionRunner
from bot.store.sql import Sql
from bot.store.sqlite.database import MIGRATIONS
from bot.store.storage import TxOf, Watcher

T = TypeVar("T")

WRITERS, READERS = 4, 2

_log = logging.getLogger(__name__)


class PostgresDatabase:
    """An open database. ``write`` and ``read`` run a job, which is a function of the transaction."""

    def __init__(
        self,
        server: ConnectionFactory,
        *,
        on_fatal: Callable[[StoreUnavailableError], None],
        meter: Meter,
        writers: int,
        readers: int,
    ) -> None:
        self._server = server
        self._on_fatal = on_fatal
        self._meter = meter
        self._writers = _Pool(server, writers, reads=False)
        self._readers = _Pool(server, readers, reads=True)
        self._vital = _Pool(server, 1, reads=False)
        self._loop = asyncio.get_running_loop()
        self._watchers: list[tuple[Watcher, TxOf]] = []
        self._waiting = 0
        self._closing: asyncio.Task[None] | None = None
        self._broken: StoreUnavailableError | None = None

    @classmethod
    async def open(
        cls,
        address: str,
        *,
        migrations: Path = MIGRATIONS,
        on_fatal: Callable[[StoreUnavailableError], None] | None = None,
        meter: Meter = SILENT,
        writers: int = WRITERS,
        readers: int = READERS,
        shared: bool = False,
    ) -> PostgresDatabase:
        """Open the database, and create or migrate it if needed. Raises StoreError with a message for the operator.

        ``on_fatal`` is called once, on the loop, if the server's disk fails or another bot takes the database. Nothing
        can be written after that, and the process should exit without closing. The default logs a line. With
        ``shared``, several processes use the database, through :class:`bot.run.cluster.leases.PostgresLeases`.
        """
        server = ConnectionFactory(address, shared=shared)
        await asyncio.to_thread(server.open, migrations)
        return cls(server, on_fatal=on_fatal or _log_fatal, meter=meter, writers=writers, readers=readers)

    @property
    def server(self) -> ConnectionFactory:
        """The server that provides the connections."""
        return self._server

    def sql(self, transaction: PostgresSql) -> Sql:
        """Return the common interface of a job's transaction: the transaction itself."""
        return transaction

    def watch(self, watcher: Watcher, tx_of: TxOf) -> None:
        """Notify ``watcher`` before and after each commit of its changes, on the transaction's thread.

        Notifications of concurrent commits may arrive out of order. Transactions for the same server commit in the
        order in which ``before_commit`` was called.
        """
        self._watchers.append((watcher, tx_of))

    async def claim(self, owner: str) -> None:
        """Make ``owner`` the owner of a database without one; raises StoreError if it has another one."""
        await self.write(partial(claim, owner=owner, place=self._server.place))

    async def write(self, job: Job[T], *, patient: bool = False) -> T:
        """Run ``job`` in a transaction, and return its result once it's safe on the server's disk.

        If the job raises, nothing is changed and the exception propagates. The job may run more than once. Raises
        StoreUnavailableError if nothing could be written. If the caller is cancelled, the job still completes or is
        rolled back. After a crash, an unanswered job may have been committed. ``patient`` has no effect, because
        commits aren't shared.
        """
        self._refuse_late()
        self._waiting += 1
        self._meter.writes_waiting(self._waiting)
        try:
            return await self._writers.run(self._loop, partial(self._write, job))
        finally:
            self._waiting -= 1
            self._meter.writes_waiting(self._waiting)

    async def write_unqueued(self, job: Job[T], *, urgent: bool = False) -> T:
        """Like :meth:`write`, for writes outside play. They don't wait for exclusive transactions.

        ``urgent`` writes have their own connection, created on first use, so they don't wait for other work.
        """
        self._refuse_late()
        pool = self._vital if urgent else self._writers
        return await pool.run(self._loop, partial(self._write, job, apart=True))

    def write_urgent(self, job: Job[T]) -> T:
        """Like :meth:`write_unqueued` with ``urgent``, but on the calling thread, in case the event loop is busy."""
        self._refuse_late()
        return self._vital.do(partial(self._write, job, apart=True))

    async def read(self, job: Job[T]) -> T:
        """Run ``job`` on a snapshot of the committed data. It can't write. Raises StoreUnavailableError."""
        self._refuse_late()
        return await self._readers.run(self._loop, partial(self._read, job))

    async def tidy(self) -> None:
        """Do nothing, because the server's vacuum removes dead rows."""

    async def close(self) -> None:
        """Finish pending work and release the database for another bot. A second call waits for the first."""
        if self._closing is None:
            self._closing = asyncio.create_task(asyncio.to_thread(self._close), name="store-close")
        await asyncio.shield(self._closing)

    def _close(self) -> None:
        self._writers.close()
        self._readers.close()
        self._vital.close()
        self._server.close()

    def _refuse_late(self) -> None:
        if self._broken is not None:
            raise type(self._broken)(str(self._broken))
        if self._closing is not None:
            raise StoreUnavailableError(f"{self._server.place} is closed. Start the bot again")

    # On the store's threads

    def _write(self, job: Job[T], runner: TransactionRunner, *, apart: bool = False) -> T:
        written: CommitResult[T] | None = None
        trouble: StoreUnavailableError | None = None
        try:
            written = runner.write(job, apart=apart, before=self._before)
        except (psycopg.Error, StoreUnavailableError) as error:
            if isinstance(error, InDoubtError):
                self._tell(error.changed, well=False)
            trouble = self._told(error)
            if trouble is None:
                raise
            raise trouble from error
        finally:
            if written is not None:
                self._tell(written.changed, well=True)
                self._meter.committed(jobs=1, seconds=written.seconds, trouble=None)
            elif trouble is not None:
                self._meter.committed(jobs=1, seconds=0.0, trouble=str(trouble))
        return written.result

    def _read(self, job: Job[T], runner: TransactionRunner) -> T:
        try:
            return runner.read(job)
        except (psycopg.Error, StoreUnavailableError) as error:
            trouble = self._told(error)
            if trouble is None:
                raise
            raise trouble from error

    def _told(self, error: Exception) -> StoreUnavailableError | None:
        trouble = error if isinstance(error, StoreUnavailableError) else translate_error(error, self._server.place)
        if isinstance(trouble, StoreFatalError):
            self._loop.call_soon_threadsafe(self._break, trouble)
        return trouble

    def _before(self, sql: PostgresSql, changed: Changed) -> None:
        for watcher, tx_of in self._watchers:
            watcher.before_commit(tx_of(sql), changed)

    def _tell(self, changed: Changed, *, well: bool) -> None:
        # Watchers also count commits without changes, because they use that count to compare the age of views.
        for watcher, _ in self._watchers:
            watcher.after_commit(changed, well=well)

    def _break(self, trouble: StoreUnavailableError) -> None:
        if self._broken is None:
            self._broken = trouble
            self._on_fatal(trouble)


class _Pool:
    """Pool of threads with one connection each. The most recently used connection is reused first."""

    def __init__(self, server: ConnectionFactory, size: int, *, reads: bool) -> None:
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="store-reader" if reads else "store-writer")
        self._runners: LifoQueue[TransactionRunner] = LifoQueue()
        for _ in range(size):
            self._runners.put(TransactionRunner(server))

    async def run(self, loop: asyncio.AbstractEventLoop, work: Callable[[TransactionRunner], T]) -> T:
        """Run ``work`` on a thread with a connection. It continues even if the caller is cancelled."""
        return await loop.run_in_executor(self._threads, self.do, work)

    def do(self, work: Callable[[TransactionRunner], T]) -> T:
        """Run ``work`` on this thread as soon as a connection is free."""
        runner = self._runners.get()
        try:
            return work(runner)
        except StopIteration as stop:
            # Futures can't hold a StopIteration.
            raise RuntimeError("a job raised StopIteration") from stop
        finally:
            self._runners.put(runner)

    def close(self) -> None:
        """Wait for running work, and close the connections."""
        self._threads.shutdown()
        while not self._runners.empty():
            self._runners.get().close()


def _log_fatal(trouble: StoreUnavailableError) -> None:
    _log.critical("nothing can be saved any more: %s", trouble)
