"""SQLite implementation of :class:`bot.store.sql.Sql`."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import aiosqlite

from bot.model.ids import EventKey, GuildId, Shard, TableId, TableKey
from bot.store import StoreError
from bot.store.sql import Sql, SqlRow, Value
from bot.store.sqlite.copy_mark import APPLICATION_ID, COPY_ID
from bot.store.sqlite.errors import UNREADABLE, damaged, translate_error
from bot.store.sqlite.files import finish, locked, make_folder, reading
from bot.store.storage import OF_EVENTS, OF_TABLES, TxOf, Watcher

Values = TypeVar("Values", bound=Mapping[str, Value])


class SqliteSql:
    """A connection whose rows are ``sqlite3.Row``. It raises ``sqlite3``'s own errors."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def one(self, statement: str, /, **values: Value) -> SqlRow | None:
        row: sqlite3.Row | None = self.connection.execute(statement, _storable(values)).fetchone()
        return row

    def all(self, statement: str, /, **values: Value) -> list[SqlRow]:
        return self.connection.execute(statement, _storable(values)).fetchall()

    def ahead(self, statement: str, /, **values: Value) -> Callable[[], list[SqlRow]]:
        rows = self.all(statement, **values)
        return lambda: rows

    def run(self, statement: str, /, **values: Value) -> None:
        self.connection.execute(statement, _storable(values))

    def many(self, statement: str, rows: Iterable[Mapping[str, Value]], /) -> None:
        self.connection.executemany(statement, map(_storable, rows))

    @contextmanager
    def unguarded(self, tables: Sequence[str], /) -> Iterator[None]:
        rows = self.connection.execute(
            "SELECT name, sql, tbl_name FROM sqlite_schema WHERE type = 'trigger'"
        ).fetchall()
        guards = [(name, sql) for name, sql, table in rows if table in tables and "_is_final_" in name]
        for name, _ in guards:
            self.connection.execute(f"DROP TRIGGER main.{name}")
        yield
        for _, sql in guards:
            self.connection.execute(sql)

    def hold(self, what: int | str, /) -> None:
        """Do nothing, because only one transaction writes at a time."""

    def hold_all(self) -> None:
        """Do nothing, because only one transaction writes at a time."""

    def hold_clocks(self, shards: Collection[Shard], /) -> None:
        """Do nothing, because only one transaction writes at a time."""

    def write_for_all(self) -> None:
        """Do nothing, because a single process serves all servers."""

    def schema(self) -> int:
        return int(self.connection.execute("PRAGMA user_version").fetchone()[0])

    def home(self) -> str:
        return "main"

    def made_by(self) -> list[str]:
        if self.one("SELECT 1 FROM sqlite_schema WHERE name = 'migration' AND type = 'table'") is None:
            return []
        return [str(digest) for (digest,) in self.connection.execute("SELECT digest FROM migration ORDER BY number")]

    def is_copy(self) -> bool:
        return bool(self.connection.execute("PRAGMA application_id").fetchone()[0] == COPY_ID)

    def become_copy(self) -> None:
        # The mark is part of the transaction, like all pages of the file.
        self.connection.execute(f"PRAGMA application_id = {COPY_ID}")

    def forget_copy(self) -> None:
        self.connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _storable(values: Values) -> Values:
    """Reject values that other databases reject, so that tests on SQLite notice them."""
    for value in values.values():
        if type(value) is str and "\0" in value:
            raise ValueError("a text contains a NUL character")
    return values


# A connection to the file with its own thread, which runs whole transactions

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], T]
"""A function of one transaction. It runs on another thread and must not end the transaction."""
Connect = Callable[[Path, float], sqlite3.Connection]
"""Opens a connection with the given lock timeout (seconds), without implicit transactions. Called on its thread."""

STATEMENTS = 256
"""Maximum prepared statements per connection."""


class ConnectionThread:
    """A connection with its own thread. ``load`` is the number of running and waiting users."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self.load = 0
        self._open = connect
        self._connection: sqlite3.Connection
        self._aiosqlite = aiosqlite.Connection(self._connect, iter_chunk_size=1)
        # A non-daemon thread would keep the process alive if it failed before closing the database.
        self._aiosqlite._thread.daemon = True  # noqa: SLF001

    async def open(self) -> None:
        """Open the file; raises sqlite3.Error."""
        try:
            await self._aiosqlite
        except UNREADABLE:
            # aiosqlite's thread still has to notify the loop, so the loop must not be closed before that.
            self._aiosqlite._thread.join()  # noqa: SLF001
            raise

    def begin(self, job: Job[None]) -> None:
        """Run ``job`` on the connection's thread. It must not raise, and must report its outcome itself."""

        # A closure, because aiosqlite logs the function, and a job's arguments may be secret.
        def run() -> None:
            job(self._connection)

        self._aiosqlite._tx.put_nowait((None, run))  # noqa: SLF001  # As below; without a future the loop sleeps on.

    async def run(self, job: Job[T]) -> T:
        """Run ``job`` on the connection's thread. It continues if the caller is cancelled."""

        # A closure, as above
        def run() -> T:
            try:
                return job(self._connection)
            except StopIteration as stop:
                # Futures can't hold a StopIteration, so the caller would wait forever.
                raise RuntimeError("a job raised StopIteration") from stop

        # aiosqlite's public API runs single statements, so running a whole transaction needs a private method.
        result: T = await self._aiosqlite._execute(run)  # type: ignore[no-untyped-call]  # noqa: SLF001
        return result

    async def close(self) -> None:
        """Run all queued work, then close the connection."""
        await self._aiosqlite.close()

    def _connect(self) -> sqlite3.Connection:
        self._connection = self._open()
        return self._connection


def open_file(path: Path, busy_seconds: float) -> sqlite3.Connection:
    """Open the file as SQLite does, but make a new one readable only by its owner. No transaction is started."""
    with suppress(OSError):
        # SQLite would make it readable by others, and its `-wal` gets the same permissions. Existing files stay
        # unchanged.
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, cached_statements=STATEMENTS)
    connection.row_factory = sqlite3.Row
    return connection


@asynccontextmanager
async def connected(
    path: Path, *, busy_seconds: float, connect: Connect, prepare: Job[None]
) -> AsyncIterator[ConnectionThread]:
    """Yield a thread with its prepared connection, and close it after the block."""
    line = ConnectionThread(partial(connect, path, busy_seconds))
    await line.open()
    try:
        await line.run(prepare)
        yield line
    finally:
        await line.close()


# Exclusive access to a database whose bot is stopped, with any number of transactions

_BUSY_SECONDS = 5.0


class ExclusiveFile:
    """A database whose bot is stopped. It allows any number of transactions."""

    def __init__(self, connection: sqlite3.Connection, path: Path, *, begin: str = "BEGIN IMMEDIATE") -> None:
        self._connection = connection
        self._path = path
        self._begin = begin

    @contextmanager
    def transaction(self) -> Iterator[Sql]:
        """Open a transaction that commits at the end of the block, or rolls back on error. Raises StoreError."""
        try:
            self._connection.execute(self._begin)
            try:
                yield SqliteSql(self._connection)
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
        except UNREADABLE as error:
            raise translate_error(error, self._path) or StoreError(
                f"{self._path} rejected a write ({error}). Report this"
            ) from error

    def renumber(self) -> None:
        """Do nothing, because SQLite continues after the highest number automatically."""


@contextmanager
def alone_with_file(path: Path) -> Iterator[ExclusiveFile]:
    """Open the existing database at ``path``, which has the newest schema. Raises StoreError."""
    path = make_folder(path)
    with locked(path):
        finish(path)
        try:
            with closing(open_file(path, _BUSY_SECONDS)) as connection:
                connection.execute("PRAGMA foreign_keys = ON")
                connection.execute("PRAGMA synchronous = FULL")
                connection.execute("PRAGMA secure_delete = ON").fetchall()
                yield ExclusiveFile(connection, path)
        except UNREADABLE as error:
            raise translate_error(error, path) or damaged(path, str(error)) from error


@contextmanager
def open_read_only(path: Path) -> Iterator[ExclusiveFile]:
    """Like :func:`alone_with_file`, but read-only and for any schema. Raises StoreError."""
    path = make_folder(path)
    with locked(path), reading(path) as connection:
        # The limit on steps is meant for single queries, and this runs many.
        connection.set_progress_handler(None, 0)
        yield ExclusiveFile(connection, path, begin="BEGIN")


# Changed tables and events of a transaction, as reported by SQLite, so that no statement can miss any

_ROWS = {"INSERT": "NEW", "UPDATE": "NEW", "DELETE": "OLD"}


class ChangeCollector:
    """Collects the changes on the writer's connection, and notifies watchers around the commit.

    Temporary triggers on that connection report the table or event of each written row, including writes by other
    triggers. Rolled-back changes are reported too, so watchers read that data again.
    """

    def __init__(self) -> None:
        self._changed: set[TableKey | EventKey] = set()
        self._watchers: list[tuple[Watcher, TxOf]] = []
        self._watches = False

    def listen(self, watcher: Watcher, tx_of: TxOf) -> None:
        """Notify ``watcher`` from the next transaction on."""
        self._watchers.append((watcher, tx_of))

    def before_begin(self, connection: sqlite3.Connection) -> None:
        """Create the triggers if there is a watcher and they don't exist yet."""
        if not self._watchers or self._watches:
            return
        connection.create_function("table_changed", 2, self._table_changed)
        connection.create_function("event_changed", 2, self._event_changed)
        for name in OF_TABLES:
            _watch(connection, name, "table_changed({row}.guild_id, {row}.table_id)")
        for name in OF_EVENTS:
            _watch(connection, name, "event_changed({row}.guild_id, {row}.event_id)")
        self._watches = True

    def before_commit(self, sql: Sql) -> None:
        """Notify watchers of the changes to be committed."""
        for watcher, tx_of in self._watchers:
            watcher.before_commit(tx_of(sql), self._changed)

    def after_commit(self, *, well: bool) -> None:
        """Notify watchers of the outcome, and reset the changes."""
        changed, self._changed = self._changed, set()
        for watcher, _ in self._watchers:
            watcher.after_commit(changed, well=well)

    def _table_changed(self, guild: int, table: int) -> None:
        self._changed.add(TableKey(guild=GuildId(guild), table=TableId(table)))

    def _event_changed(self, guild: int, number: int) -> None:
        self._changed.add(EventKey(guild=GuildId(guild), number=number))


def _watch(connection: sqlite3.Connection, name: str, call: str) -> None:
    for doing, row in _ROWS.items():
        connection.execute(
            f"CREATE TEMP TRIGGER IF NOT EXISTS {name}_{doing.lower()}_is_told AFTER {doing} ON main.{name} "
            f"BEGIN SELECT {call.format(row=row)}; END"
        )
