"""SQLite behind the seam: a connection as :class:`bot.store.sql.Sql`."""

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
from bot.store.sql import Row, Sql, Value
from bot.store.sqlite.copy_mark import APPLICATION_ID, COPY_ID
from bot.store.sqlite.files import finish, locked, make_folder, reading
from bot.store.sqlite.trouble import UNREADABLE, damaged, trouble_of
from bot.store.storage import OF_EVENTS, OF_TABLES, TxOf, Watcher

Values = TypeVar("Values", bound=Mapping[str, Value])


class SqliteSql:
    """A connection whose rows are ``sqlite3.Row``; errors are those of ``sqlite3``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def one(self, statement: str, /, **values: Value) -> Row | None:
        row: sqlite3.Row | None = self.connection.execute(statement, _storable(values)).fetchone()
        return row

    def all(self, statement: str, /, **values: Value) -> list[Row]:
        return self.connection.execute(statement, _storable(values)).fetchall()

    def ahead(self, statement: str, /, **values: Value) -> Callable[[], list[Row]]:
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
        """One transaction writes at a time: it holds everything."""

    def hold_all(self) -> None:
        """The same."""

    def hold_clocks(self, shards: Collection[Shard], /) -> None:
        """The same."""

    def write_for_all(self) -> None:
        """There is one process: it serves everything."""

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
        # The mark is part of the transaction, as every page of the file is.
        self.connection.execute(f"PRAGMA application_id = {COPY_ID}")

    def forget_copy(self) -> None:
        self.connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _storable(values: Values) -> Values:
    """Refuse what other databases refuse, so that a test on SQLite shows it."""
    for value in values.values():
        if type(value) is str and "\0" in value:
            raise ValueError("a text has a NUL")
    return values


# A connection to the file, with a thread of its own that runs whole transactions.

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], T]
"""A function inside one transaction, on another thread. It may not end the transaction."""
Connect = Callable[[Path, float], sqlite3.Connection]
"""Opens a connection that waits so many seconds for a lock and begins no transaction by itself; on its own thread."""

STATEMENTS = 256
"""Prepared statements that a connection keeps."""


class ConnectionThread:
    """A connection with a thread of its own. ``load`` counts those who use it or wait for it."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self.load = 0
        self._open = connect
        self._connection: sqlite3.Connection
        self._aiosqlite = aiosqlite.Connection(self._connect, iter_chunk_size=1)
        # aiosqlite's thread would keep a process alive that failed before it could close the database.
        self._aiosqlite._thread.daemon = True  # noqa: SLF001

    async def open(self) -> None:
        """Open the file; raises sqlite3.Error."""
        try:
            await self._aiosqlite
        except UNREADABLE:
            # aiosqlite's thread is about to tell the loop that it ends: the loop must not be closed before.
            self._aiosqlite._thread.join()  # noqa: SLF001
            raise

    def begin(self, job: Job[None]) -> None:
        """Have the connection's thread run ``job``, which raises nothing and tells by itself what became of it."""

        # A function of its own: aiosqlite logs what it runs, and a job's arguments may be secret.
        def run() -> None:
            job(self._connection)

        self._aiosqlite._tx.put_nowait((None, run))  # noqa: SLF001  # As below; without a future the loop sleeps on.

    async def run(self, job: Job[T]) -> T:
        """Run ``job`` on the connection's thread; it goes on when the caller is cancelled."""

        # A function of its own, as above.
        def run() -> T:
            try:
                return job(self._connection)
            except StopIteration as stop:
                # A future cannot hold it: the caller would wait for ever.
                raise RuntimeError("a job raised StopIteration") from stop

        # aiosqlite offers single statements; the only door for a whole transaction in one step is a private one.
        result: T = await self._aiosqlite._execute(run)  # type: ignore[no-untyped-call]  # noqa: SLF001
        return result

    async def close(self) -> None:
        """Close the connection when it has run what waits."""
        await self._aiosqlite.close()

    def _connect(self) -> sqlite3.Connection:
        self._connection = self._open()
        return self._connection


def open_file(path: Path, busy_seconds: float) -> sqlite3.Connection:
    """Open the file as SQLite does, made for its owner alone where it is not there; begins no transaction."""
    with suppress(OSError):
        # SQLite would make it readable for others, and gives its `-wal` the same rights. What is there stays as it is.
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, cached_statements=STATEMENTS)
    connection.row_factory = sqlite3.Row
    return connection


@asynccontextmanager
async def connected(
    path: Path, *, busy_seconds: float, connect: Connect, prepare: Job[None]
) -> AsyncIterator[ConnectionThread]:
    """A thread with its connection, prepared, for as long as the block lasts."""
    line = ConnectionThread(partial(connect, path, busy_seconds))
    await line.open()
    try:
        await line.run(prepare)
        yield line
    finally:
        await line.close()


# A SQLite database whose bot does not run and does not start meanwhile, in as many transactions as somebody needs.

_BUSY_SECONDS = 5.0


class AloneWithFile:
    """The database; ``transaction`` may be asked for again and again."""

    def __init__(self, connection: sqlite3.Connection, path: Path, *, begin: str = "BEGIN IMMEDIATE") -> None:
        self._connection = connection
        self._path = path
        self._begin = begin

    @contextmanager
    def transaction(self) -> Iterator[Sql]:
        """Everything in the block happens or nothing. Raises StoreError."""
        try:
            self._connection.execute(self._begin)
            try:
                yield SqliteSql(self._connection)
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
        except UNREADABLE as error:
            raise trouble_of(error, self._path) or StoreError(
                f"{self._path} does not take what was to be written ({error}): report this"
            ) from error

    def renumber(self) -> None:
        """SQLite gives new rows the number behind the last by itself."""


@contextmanager
def alone_with_file(path: Path) -> Iterator[AloneWithFile]:
    """The database at ``path``, which is there and of the newest schema. Raises StoreError."""
    path = make_folder(path)
    with locked(path):
        finish(path)
        try:
            with closing(open_file(path, _BUSY_SECONDS)) as connection:
                connection.execute("PRAGMA foreign_keys = ON")
                connection.execute("PRAGMA synchronous = FULL")
                connection.execute("PRAGMA secure_delete = ON").fetchall()
                yield AloneWithFile(connection, path)
        except UNREADABLE as error:
            raise trouble_of(error, path) or damaged(path, str(error)) from error


@contextmanager
def reading_alone(path: Path) -> Iterator[AloneWithFile]:
    """The same of a database to look at, whichever schema it has; not a byte of it is written. Raises StoreError."""
    path = make_folder(path)
    with locked(path), reading(path) as connection:
        # Its many looks are no endless one.
        connection.set_progress_handler(None, 0)
        yield AloneWithFile(connection, path, begin="BEGIN")


# Which tables and events a transaction has changed, as SQLite itself tells it: no statement can forget to say so.

_ROWS = {"INSERT": "NEW", "UPDATE": "NEW", "DELETE": "OLD"}


class Changes:
    """Collects what the writer's connection changes, and tells it around the commit.

    Triggers of that connection alone, which the file does not hold, name the table or event of every row that is
    written, also of those that other triggers write. What was rolled back counts as changed: it is looked up again.
    """

    def __init__(self) -> None:
        self._changed: set[TableKey | EventKey] = set()
        self._watchers: list[tuple[Watcher, TxOf]] = []
        self._watches = False

    def listen(self, watcher: Watcher, tx_of: TxOf) -> None:
        """Tell ``watcher`` from the next transaction on."""
        self._watchers.append((watcher, tx_of))

    def before_begin(self, connection: sqlite3.Connection) -> None:
        """Watch the connection as soon as somebody listens."""
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
        """Tell what will be committed."""
        for watcher, tx_of in self._watchers:
            watcher.before_commit(tx_of(sql), self._changed)

    def after_commit(self, *, well: bool) -> None:
        """Tell what was committed, and begin again."""
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
