"""A SQLite file with a writer that commits in batches, two readers, and a lock against a second bot.

The writer runs queued transactions. All that are queued share one commit, and so wait for the disk only once.
Transactions never span an ``await``, so a cancelled caller can't leave one open.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from bot.base.meter import SILENT, Meter
from bot.store import StoreError, StoreFatalError, StoreUnavailableError
from bot.store.invariants import unbalanced
from bot.store.owner import claim
from bot.store.sql import Sql
from bot.store.sqlite.copy_mark import APPLICATION_ID
from bot.store.sqlite.driver import ChangeCollector, Connect, ConnectionThread, Job, SqliteSql, connected, open_file
from bot.store.sqlite.errors import UNREADABLE, damaged, translate_error
from bot.store.sqlite.files import finish, locked, make_folder
from bot.store.sqlite.migrate import migrate, upgrade
from bot.store.storage import TxOf, Watcher

T = TypeVar("T")

MIGRATIONS = Path(__file__).parent / "migrations"
OLDEST_SQLITE = (3, 37, 0)
"""First version with STRICT tables."""

READERS = 2
BATCH = 256
"""Maximum jobs per commit, because the first job waits for the last."""
BUSY_SECONDS = 5.0
DEFAULT_PATIENCE_SECONDS = 0.4
"""Default maximum delay of a patient write. During play, another write arrives within this time."""

_log = logging.getLogger(__name__)


class SqliteDatabase:
    """An open database. ``write`` and ``read`` run a job, which is a function of the connection, in a transaction."""

    def __init__(
        self,
        path: Path,
        *,
        lines: Sequence[ConnectionThread],
        stack: AsyncExitStack,
        on_fatal: Callable[[StoreUnavailableError], None],
        trace: Callable[[str], None],
        meter: Meter = SILENT,
        patience_seconds: float = 0.0,
    ) -> None:
        self.changes = ChangeCollector()
        """Changes of the writer's current transaction."""
        self._path = path
        self._meter = meter
        self._patience = patience_seconds
        self._writer, *self._readers = lines
        self._stack = stack
        self._on_fatal = on_fatal
        self._trace = trace
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[_Work[Any]] = deque()
        self._rests = asyncio.Event()
        """Set while the writer's thread is idle."""
        self._rests.set()
        self._closing: asyncio.Task[None] | None = None
        self._broken: StoreFatalError | None = None
        self._writing: SqliteSql | None = None
        """Interface shared by the jobs of a transaction. It's replaced after a job is rolled back."""

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        migrations: Path = MIGRATIONS,
        busy_seconds: float = BUSY_SECONDS,
        on_fatal: Callable[[StoreUnavailableError], None] | None = None,
        trace: Callable[[str], None] | None = None,
        connect: Connect | None = None,
        meter: Meter = SILENT,
        patience_seconds: float = 0.0,
    ) -> SqliteDatabase:
        """Open the database, and create or migrate it if needed. Raises StoreError with a message for the operator.

        ``on_fatal`` is called once, on the loop, if the disk fails or the file is damaged. Nothing can be written after
        that, and the process should exit without closing. The default logs a line. ``trace`` is called with the stage
        of a write: ``begin``, ``job`` (after each), ``before_commit`` and ``after_commit`` on the writer's thread,
        ``resolved`` on the loop. Exceptions from it on the thread are treated like SQLite's. ``patience_seconds`` is
        the maximum time that a patient write waits to share another's commit. ``connect`` opens the connections, the
        writer's first. The default opens ordinary files.
        """
        path = make_folder(path)
        line = partial(connected, path, busy_seconds=busy_seconds, connect=connect or open_file)
        prepare = partial(_prepare, path=path, migrations=migrations)
        try:
            async with AsyncExitStack() as stack:
                stack.enter_context(locked(path))
                _make_ready(path, migrations=migrations, busy_seconds=busy_seconds)
                lines = [await stack.enter_async_context(line(prepare=prepare))]
                for _ in range(READERS):
                    lines.append(await stack.enter_async_context(line(prepare=_prepare_reader)))
                return cls(
                    path,
                    lines=lines,
                    stack=stack.pop_all(),
                    on_fatal=on_fatal or _log_fatal,
                    trace=trace or _stay_silent,
                    meter=meter,
                    patience_seconds=patience_seconds,
                )
        except UNREADABLE as error:
            raise translate_error(error, path) or damaged(path, str(error)) from error

    async def claim(self, owner: str) -> None:
        """Make ``owner`` the owner of a database without one; raises StoreError if it has another one."""
        place = str(self._path)
        await self.write(lambda connection: claim(SqliteSql(connection), owner=owner, place=place))

    def sql(self, connection: sqlite3.Connection) -> Sql:
        """Return the common interface for a job. Jobs that see the same data share one."""
        writing = self._writing
        return writing if writing is not None and writing.connection is connection else SqliteSql(connection)

    def watch(self, watcher: Watcher, tx_of: TxOf) -> None:
        """Notify ``watcher`` of each transaction, starting with the next one, on the writer's thread."""
        self.changes.listen(watcher, tx_of)

    async def write(self, job: Job[T], *, patient: bool = False) -> T:
        """Run ``job`` in a transaction, and return its result once it's safe on disk.

        A ``patient`` write first waits a little for another write whose commit it can share.

        If the job raises, nothing is changed and the exception propagates. Raises StoreUnavailableError if nothing
        could be written. If the caller is cancelled, the job still completes or is rolled back. After a crash, an
        unanswered job may have been committed. Constraints must not be deferred, because jobs share a commit and would
        fail together.
        """
        if self._broken is not None:
            raise _like(self._broken)
        if self._closing is not None:
            raise self._closed()
        work = _Work(job=job, done=self._loop.create_future())
        self._waiting.append(work)
        self._meter.writes_waiting(len(self._waiting))
        if patient and self._patience > 0:
            work.patience = self._loop.call_later(self._patience, self._hurry, [work])
        else:
            self._wake()
        await work.done
        error, work.error = work.error, None
        if error is None:
            return work.result
        try:
            raise error
        finally:
            # An error that is referenced by its own frames would keep the job's open cursors alive until garbage
            # collection.
            del error

    async def read(self, job: Job[T]) -> T:
        """Run ``job`` on a snapshot of the committed data. It can't write. Raises StoreUnavailableError."""
        if self._closing is not None:
            raise self._closed()
        line = min(self._readers, key=lambda line: line.load)
        line.load += 1
        try:
            return await line.run(partial(_look, job=job))
        except sqlite3.Error as error:
            trouble = translate_error(error, self._path)
            if trouble is None and self._closing is not None:
                # The database was closed while the read was queued.
                raise self._closed() from error
            if trouble is None:
                raise
            if isinstance(trouble, StoreFatalError):
                self._break(trouble)
            raise trouble from error
        finally:
            line.load -= 1

    async def close(self) -> None:
        """Finish pending work, close the file and release the lock. A second call waits for the first."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close(), name="store-close")
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        async with self._stack:
            self._hurry(self._waiting)
            while not self._rests.is_set():
                await self._rests.wait()
            if self._broken is None:
                await self._checkpoint()

    async def _checkpoint(self) -> None:
        try:
            # A passive checkpoint doesn't wait for other programs that are reading.
            await self._writer.run(lambda connection: connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall())
        except sqlite3.Error:
            _log.exception("%s was not cleaned up; nothing is lost, and the next start does it", self._path)

    async def tidy(self) -> None:
        """Truncate the write-ahead log to remove deleted data. If a reader prevents that, it's done next time."""
        if self._broken is None and self._closing is None:
            await self._writer.run(_empty_log)

    def _closed(self) -> StoreUnavailableError:
        return StoreUnavailableError(f"{self._path} is closed. Start the bot again")

    # The queue. While a batch is being written, new jobs wait for the next one.

    def _wake(self) -> None:
        """Start a batch if none is being written and some waiting job isn't patient or has run out of patience."""
        if self._rests.is_set() and any(work.patience is None and not work.done.done() for work in self._waiting):
            self._rests.clear()
            # Jobs that arrive in this iteration of the loop share the commit.
            self._loop.call_soon(self._begin)

    def _begin(self) -> None:
        batch: list[_Work[Any]] = []
        while self._waiting and len(batch) < BATCH:
            work = self._waiting.popleft()
            work.flush_batch()
            if not work.done.done():
                batch.append(work)
        self._meter.writes_waiting(len(self._waiting))
        if batch:
            self._writer.begin(partial(self._commit, batch=batch))
        else:
            self._rests.set()
            self._wake()

    def _hurry(self, works: Iterable[_Work[Any]]) -> None:
        for work in works:
            work.flush_batch()
        self._wake()

    def _commit(self, connection: sqlite3.Connection, *, batch: Sequence[_Work[Any]]) -> None:
        """Run a batch in one transaction, and report to the loop whatever happens. Runs on the writer's thread."""
        fatal: StoreFatalError | None = None
        seconds, well = 0.0, False
        try:
            self.changes.before_begin(connection)
            connection.execute("BEGIN IMMEDIATE")
            self._writing = SqliteSql(connection)
            self._trace("begin")
            for work in batch:
                self._run(connection, work)
                self._trace("job")
            self.changes.before_commit(self._writing)
            self._trace("before_commit")
            begun = time.perf_counter()
            connection.execute("COMMIT")
            seconds = time.perf_counter() - begun
            self._trace("after_commit")
            well = True
        except BaseException as error:
            with suppress(sqlite3.Error):
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            trouble = self._trouble(error)
            fatal = trouble if isinstance(trouble, StoreFatalError) else None
            for work in batch:
                # Jobs that raised Refused fail too, because their refusal may depend on changes that were rolled back.
                work.error = _like(trouble)
        self._writing = None
        # Notify even after an error, because a failed commit may still be on disk. Readers must check.
        self.changes.after_commit(well=well)
        # A failed job doesn't fail the others, but its error is reported.
        trouble_met = next((str(work.error) for work in batch if isinstance(work.error, StoreUnavailableError)), None)
        self._meter.committed(jobs=len(batch), seconds=seconds, trouble=trouble_met)
        self._loop.call_soon_threadsafe(self._resolve, batch, fatal)

    def _run(self, connection: sqlite3.Connection, work: _Work[Any]) -> None:
        connection.execute("SAVEPOINT job")
        try:
            work.result = work.job(connection)
        except BaseException as error:
            work.error = translate_error(error, self._path) or error
            # Some errors, such as a full disk, roll back the whole transaction.
            if isinstance(work.error, StoreFatalError) or not connection.in_transaction:
                raise
            connection.execute("ROLLBACK TO job")
            self._writing = SqliteSql(connection)
        if not connection.in_transaction:
            raise RuntimeError("a job ended the transaction")
        connection.execute("RELEASE job")

    def _trouble(self, error: BaseException) -> StoreUnavailableError:
        trouble = translate_error(error, self._path)
        if trouble is None:
            trouble = StoreUnavailableError(f"{self._path} could not be written ({error!r}). Report this")
            trouble.__cause__ = error
        return trouble

    def _resolve(self, batch: Sequence[_Work[Any]], fatal: StoreFatalError | None) -> None:
        for work in batch:
            work.resolve()
        self._trace("resolved")
        if fatal is not None:
            self._break(fatal)
        self._rests.set()
        self._wake()

    def _break(self, trouble: StoreFatalError) -> None:
        if self._broken is not None:
            return
        self._broken = trouble
        for work in self._waiting:
            work.error = _like(trouble)
            work.resolve()
        self._on_fatal(trouble)


@dataclass(slots=True, kw_only=True, eq=False)
class _Work(Generic[T]):
    """A queued job and its outcome. ``done`` is set once the outcome is final."""

    job: Job[T]
    done: asyncio.Future[None]
    patience: asyncio.TimerHandle | None = None
    """Timer that ends the job's patience; None if the job isn't patient."""
    result: T = field(init=False)
    error: BaseException | None = None

    def flush_batch(self) -> None:
        if self.patience is not None:
            self.patience.cancel()
            self.patience = None

    def resolve(self) -> None:
        if not self.done.done():
            self.done.set_result(None)


def _look(connection: sqlite3.Connection, *, job: Job[T]) -> T:
    connection.execute("BEGIN")
    try:
        return job(connection)
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _like(trouble: StoreUnavailableError) -> StoreUnavailableError:
    """Return a copy of the error for another caller, because raising one twice would mix the tracebacks."""
    copy = type(trouble)(str(trouble))
    copy.__cause__ = trouble.__cause__
    return copy


def _log_fatal(trouble: StoreUnavailableError) -> None:
    _log.critical("nothing can be saved any more: %s", trouble)


def _stay_silent(_: str) -> None:
    pass


# Opening a database, or refusing to


def _make_ready(path: Path, *, migrations: Path, busy_seconds: float) -> None:
    """Finish an interrupted replacement, reject a foreign or damaged file, and upgrade an older one.

    This runs before connections are opened, because an upgrade replaces the file.
    """
    require_sqlite()
    finish(path)
    if path.exists():
        upgrade(path, migrations, audit=unbalanced, busy_seconds=busy_seconds)


def require_sqlite() -> str:
    """Return the version of Python's SQLite. Raises StoreError if it's too old."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        needed = ".".join(map(str, OLDEST_SQLITE))
        raise StoreError(
            f"Python has SQLite {sqlite3.sqlite_version}, but the bot needs {needed}. Install a newer Python"
        )
    return sqlite3.sqlite_version


def _prepare(connection: sqlite3.Connection, *, path: Path, migrations: Path) -> None:
    connection.execute("PRAGMA temp_store = MEMORY")
    if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
        raise StoreError(f"{path} cannot have a write-ahead log. Keep the database on a local disk")
    # Commits wait for the disk. With NORMAL, a power failure could lose acknowledged hands.
    connection.execute("PRAGMA synchronous = FULL")
    # Without this, INSERT OR REPLACE deletes rows without calling triggers.
    connection.execute("PRAGMA recursive_triggers = ON")
    # Written at each start, so that a locked or read-only file is noticed now rather than at the first hand. A copy
    # keeps its mark, because play still has to handle the restore.
    mark = connection.execute("PRAGMA application_id").fetchone()[0] or APPLICATION_ID
    connection.execute(f"PRAGMA application_id = {mark}")
    migrate(connection, migrations, path=path)
    connection.execute("PRAGMA foreign_keys = ON")
    # Overwrite deleted data with zeros. SQLite's default depends on its build.
    connection.execute("PRAGMA secure_delete = ON").fetchall()


def _empty_log(connection: sqlite3.Connection) -> None:
    (patience,) = connection.execute("PRAGMA busy_timeout").fetchone()
    # Otherwise, presses in the meantime would also wait for a reader.
    connection.execute("PRAGMA busy_timeout = 0").fetchall()
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error as error:
        _log.info("the write-ahead log was not emptied: %s", error)
    finally:
        connection.execute(f"PRAGMA busy_timeout = {int(patience)}").fetchall()


def _prepare_reader(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA query_only = ON")
