"""One SQLite file: a writer that commits in groups, two readers, and a lock against a second bot.

The writer runs whole transactions that wait in a queue; all that wait share one commit, and so one wait for the disk.
Nobody holds a transaction across an ``await``: a caller who is cancelled cannot leave one open.
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
from bot.store import StoreBrokenError, StoreError, StoreTroubleError
from bot.store.books import unbalanced
from bot.store.owner import claim
from bot.store.sql import Sql
from bot.store.sqlite.copy_mark import APPLICATION_ID
from bot.store.sqlite.driver import Changes, Connect, ConnectionThread, Job, SqliteSql, connected, open_file
from bot.store.sqlite.files import finish, locked, make_folder
from bot.store.sqlite.migrate import migrate, upgrade
from bot.store.sqlite.trouble import UNREADABLE, damaged, trouble_of
from bot.store.storage import TxOf, Watcher

T = TypeVar("T")

MIGRATIONS = Path(__file__).parent / "migrations"
OLDEST_SQLITE = (3, 37, 0)
"""The first with STRICT tables."""

READERS = 2
BATCH = 256
"""The most jobs in one commit: the first of them waits for the last."""
BUSY_SECONDS = 5.0
USUAL_PATIENCE_SECONDS = 0.4
"""Where somebody plays, something else is written within so much."""

_log = logging.getLogger(__name__)


class Database:
    """An open database. ``write`` and ``read`` run a job, which is a function of the connection, in a transaction."""

    def __init__(
        self,
        path: Path,
        *,
        lines: Sequence[ConnectionThread],
        stack: AsyncExitStack,
        on_fatal: Callable[[StoreTroubleError], None],
        trace: Callable[[str], None],
        meter: Meter = SILENT,
        patience_seconds: float = 0.0,
    ) -> None:
        self.changes = Changes()
        """The changes of each transaction of the writer."""
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
        """Set while the writer's thread has nothing to do."""
        self._rests.set()
        self._closing: asyncio.Task[None] | None = None
        self._broken: StoreBrokenError | None = None
        self._writing: SqliteSql | None = None
        """The seam that the jobs of one transaction share; another one where one of them was taken back."""

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        migrations: Path = MIGRATIONS,
        busy_seconds: float = BUSY_SECONDS,
        on_fatal: Callable[[StoreTroubleError], None] | None = None,
        trace: Callable[[str], None] | None = None,
        connect: Connect | None = None,
        meter: Meter = SILENT,
        patience_seconds: float = 0.0,
    ) -> Database:
        """Open the database, made or brought up to date as needed. Raises StoreError, one sentence for the operator.

        ``on_fatal`` is called once, on the loop, when the disk fails or the file is damaged; nothing is written from
        then on, and the process should end without closing. Left out, a line is logged.
        ``trace`` is told where a write stands: ``begin``, ``job`` (after each), ``before_commit`` and ``after_commit``
        on the writer's thread, ``resolved`` on the loop. What it raises on the thread counts as raised by SQLite.
        ``patience_seconds`` is for how long a patient write waits for the commit of another.
        ``connect`` opens the connections, the writer's first; left out, SQLite does on the system's own files.
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
            raise trouble_of(error, path) or damaged(path, str(error)) from error

    async def claim(self, owner: str) -> None:
        """Let the database be ``owner``'s if it is nobody's yet; raises StoreError when it is somebody else's."""
        place = str(self._path)
        await self.write(lambda connection: claim(SqliteSql(connection), owner=owner, place=place))

    def sql(self, connection: sqlite3.Connection) -> Sql:
        """The seam that a job is given: the same for jobs that see the same."""
        writing = self._writing
        return writing if writing is not None and writing.connection is connection else SqliteSql(connection)

    def watch(self, watcher: Watcher, tx_of: TxOf) -> None:
        """Tell ``watcher`` of each transaction from the next one on; on the writer's thread."""
        self.changes.listen(watcher, tx_of)

    async def write(self, job: Job[T], *, patient: bool = False) -> T:
        """Run ``job`` in a transaction and return its result when it is safe on the disk.

        One that is ``patient`` does not begin a commit of its own at once: it waits a little for somebody else's.

        A job that raises changes nothing and is raised here. Raises StoreTroubleError when nothing could be written.
        The job of a caller who is cancelled is done whole or not at all; after a crash one may be done that had no
        answer. Jobs share a commit, so a constraint must not be deferred: the innocent would fail with the guilty.
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
            # An error that its own frames hold stays, with the job's open cursors, until the collector comes.
            del error

    async def read(self, job: Job[T]) -> T:
        """Run ``job`` on a snapshot of what is committed; it cannot write. Raises StoreTroubleError."""
        if self._closing is not None:
            raise self._closed()
        line = min(self._readers, key=lambda line: line.load)
        line.load += 1
        try:
            return await line.run(partial(_look, job=job))
        except sqlite3.Error as error:
            trouble = trouble_of(error, self._path)
            if trouble is None and self._closing is not None:
                # It was closed while the reader was on its way.
                raise self._closed() from error
            if trouble is None:
                raise
            if isinstance(trouble, StoreBrokenError):
                self._break(trouble)
            raise trouble from error
        finally:
            line.load -= 1

    async def close(self) -> None:
        """Finish what waits, close the file and release the lock; a second call waits for the first."""
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
            # Passive: it does not wait for another program that reads.
            await self._writer.run(lambda connection: connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall())
        except sqlite3.Error:
            _log.exception("%s was not tidied up; nothing is lost, the next start does it", self._path)

    async def tidy(self) -> None:
        """Empty the write-ahead log of what was deleted; not while somebody reads it, but at the next time."""
        if self._broken is None and self._closing is None:
            await self._writer.run(_empty_log)

    def _closed(self) -> StoreTroubleError:
        return StoreTroubleError(f"{self._path} is closed: start the bot again")

    # The queue. While a batch is being written, whoever comes waits for the next.

    def _wake(self) -> None:
        """Write, if nothing is being written and somebody waits who has not, or no more, the patience to wait."""
        if self._rests.is_set() and any(work.patience is None and not work.done.done() for work in self._waiting):
            self._rests.clear()
            # Whoever comes in this very moment shares the commit.
            self._loop.call_soon(self._begin)

    def _begin(self) -> None:
        batch: list[_Work[Any]] = []
        while self._waiting and len(batch) < BATCH:
            work = self._waiting.popleft()
            work.lose_patience()
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
            work.lose_patience()
        self._wake()

    def _commit(self, connection: sqlite3.Connection, *, batch: Sequence[_Work[Any]]) -> None:
        """Run a batch in one transaction and tell the loop: on the writer's thread, and whatever happens."""
        fatal: StoreBrokenError | None = None
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
            fatal = trouble if isinstance(trouble, StoreBrokenError) else None
            for work in batch:
                # Also those that were refused: what they were refused for may just have been rolled back.
                work.error = _like(trouble)
        self._writing = None
        # Also after trouble: whether a commit that failed is on the disk is for whoever looks next to find out.
        self.changes.after_commit(well=well)
        # A job that met trouble does not fail the others, but what it met counts.
        trouble_met = next((str(work.error) for work in batch if isinstance(work.error, StoreTroubleError)), None)
        self._meter.committed(jobs=len(batch), seconds=seconds, trouble=trouble_met)
        self._loop.call_soon_threadsafe(self._resolve, batch, fatal)

    def _run(self, connection: sqlite3.Connection, work: _Work[Any]) -> None:
        connection.execute("SAVEPOINT job")
        try:
            work.result = work.job(connection)
        except BaseException as error:
            work.error = trouble_of(error, self._path) or error
            # Some errors, such as a full disk, take the whole transaction with them.
            if isinstance(work.error, StoreBrokenError) or not connection.in_transaction:
                raise
            connection.execute("ROLLBACK TO job")
            self._writing = SqliteSql(connection)
        if not connection.in_transaction:
            raise RuntimeError("a job ended the transaction")
        connection.execute("RELEASE job")

    def _trouble(self, error: BaseException) -> StoreTroubleError:
        trouble = trouble_of(error, self._path)
        if trouble is None:
            trouble = StoreTroubleError(f"{self._path} could not be written ({error!r}): report this")
            trouble.__cause__ = error
        return trouble

    def _resolve(self, batch: Sequence[_Work[Any]], fatal: StoreBrokenError | None) -> None:
        for work in batch:
            work.resolve()
        self._trace("resolved")
        if fatal is not None:
            self._break(fatal)
        self._rests.set()
        self._wake()

    def _break(self, trouble: StoreBrokenError) -> None:
        if self._broken is not None:
            return
        self._broken = trouble
        for work in self._waiting:
            work.error = _like(trouble)
            work.resolve()
        self._on_fatal(trouble)


@dataclass(slots=True, kw_only=True, eq=False)
class _Work(Generic[T]):
    """A job that waits, and what became of it; ``done`` is set when that is final."""

    job: Job[T]
    done: asyncio.Future[None]
    patience: asyncio.TimerHandle | None = None
    """The timer that ends its patience, while it has some."""
    result: T = field(init=False)
    error: BaseException | None = None

    def lose_patience(self) -> None:
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


def _like(trouble: StoreTroubleError) -> StoreTroubleError:
    """The same trouble for another caller: one raised twice would mix their tracebacks."""
    copy = type(trouble)(str(trouble))
    copy.__cause__ = trouble.__cause__
    return copy


def _log_fatal(trouble: StoreTroubleError) -> None:
    _log.critical("nothing is written any more: %s", trouble)


def _stay_silent(_: str) -> None:
    pass


# Opening: what is refused, and with which sentence.


def _make_ready(path: Path, *, migrations: Path, busy_seconds: float) -> None:
    """End what a crash has cut short, refuse a file that is not ours or is damaged, and bring an older one up to date.

    All that before the connections are opened: an upgrade puts another file in the database's place.
    """
    demand_sqlite()
    finish(path)
    if path.exists():
        upgrade(path, migrations, audit=unbalanced, busy_seconds=busy_seconds)


def demand_sqlite() -> str:
    """The version of SQLite that Python has. Raises StoreError for one that is too old."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        needed = ".".join(map(str, OLDEST_SQLITE))
        raise StoreError(f"Python has SQLite {sqlite3.sqlite_version}, the bot needs {needed}: install a newer Python")
    return sqlite3.sqlite_version


def _prepare(connection: sqlite3.Connection, *, path: Path, migrations: Path) -> None:
    connection.execute("PRAGMA temp_store = MEMORY")
    if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
        raise StoreError(f"{path} cannot keep a write-ahead log: keep the database on a local disk")
    # The commit waits for the disk: NORMAL forgets acknowledged hands when the power fails.
    connection.execute("PRAGMA synchronous = FULL")
    # Without it INSERT OR REPLACE takes rows away and asks no trigger.
    connection.execute("PRAGMA recursive_triggers = ON")
    # Written at each start, so that a locked or read-only file shows now and not at the first hand. A copy stays marked
    # as one: play still has to put it right.
    mark = connection.execute("PRAGMA application_id").fetchone()[0] or APPLICATION_ID
    connection.execute(f"PRAGMA application_id = {mark}")
    migrate(connection, migrations, path=path)
    connection.execute("PRAGMA foreign_keys = ON")
    # However SQLite was built: what was deleted is written over with zeros.
    connection.execute("PRAGMA secure_delete = ON").fetchall()


def _empty_log(connection: sqlite3.Connection) -> None:
    (patience,) = connection.execute("PRAGMA busy_timeout").fetchone()
    # Whoever presses meanwhile would wait for a reader too.
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
