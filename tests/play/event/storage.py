"""Storage for the events of a test: an SQLite database in memory, or one on a PostgreSQL server."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from typing import Protocol, TypeVar

from bot.store.postgres.driver import PostgresSql
from bot.store.postgres.server import ConnectionFactory
from bot.store.postgres.transaction_runner import TransactionRunner
from bot.store.sql import Sql
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.driver import STATEMENTS, SqliteSql
from tests.databases import DATABASES, SQLITE, empty_file, eyes_on
from tests.states import watch_states

T = TypeVar("T")
_NUMBERS = count(1)
_WRITTEN = "SELECT SUM(n_tup_ins + n_tup_upd + n_tup_del) AS rows FROM pg_stat_xact_user_tables"


@cache
def _empty_in_memory() -> bytes:
    """Return an empty database of the newest schema that needs no ``-wal`` file."""
    made = bytearray(empty_file())
    made[18:20] = 1, 1
    return bytes(made)


class Storage(Protocol):
    """One transaction after the other, each as the bot runs it."""

    @property
    def look(self) -> Sql:
        """Return a connection to the committed data."""
        ...

    def write(self, job: Callable[[Sql], T]) -> T:
        """Run a transaction; what raises has written nothing."""
        ...

    def would_write(self, job: Callable[[Sql], object]) -> int:
        """Return the number of rows that a transaction writes, after rolling it back."""
        ...

    def dump(self) -> str:
        """All that is stored."""
        ...

    def close(self) -> None:
        """Look no more."""
        ...


class InMemory:
    """SQLite's."""

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None, cached_statements=STATEMENTS)
        self.connection.row_factory = sqlite3.Row
        self.connection.deserialize(_empty_in_memory())
        self.connection.execute("PRAGMA foreign_keys = ON")
        self.seen_states = watch_states(self.connection)
        self.look = SqliteSql(self.connection)

    def write(self, job: Callable[[Sql], T]) -> T:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            result = job(self.look)
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")
        return result

    def would_write(self, job: Callable[[Sql], object]) -> int:
        self.connection.execute("BEGIN IMMEDIATE")
        before = self.connection.total_changes
        job(self.look)
        written = self.connection.total_changes - before
        self.connection.execute("ROLLBACK")
        return written

    def dump(self) -> str:
        named = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        tables = [name for (name,) in self.connection.execute(named).fetchall()]
        return "\n".join(f"{table} {list(map(tuple, self._all(table)))}" for table in tables)

    def _all(self, table: str) -> sqlite3.Cursor:
        return self.connection.execute(f'SELECT * FROM "{table}"')

    def close(self) -> None:
        self.connection.close()


class _UndoneError(Exception):
    """A transaction is taken back."""


class OnServer:
    """PostgreSQL's."""

    def __init__(self, address: str) -> None:
        self._server = ConnectionFactory(address)
        self._server.open(MIGRATIONS)
        self._runner = TransactionRunner(self._server)
        self._reader = self._server.connect()
        # Each statement sees what was committed before it.
        self._reader.autocommit = True
        self.look = PostgresSql(self._reader)
        self._eyes = eyes_on(address)

    def write(self, job: Callable[[Sql], T]) -> T:
        return self._runner.write(job).result

    def would_write(self, job: Callable[[Sql], object]) -> int:
        written = 0

        def undone(sql: Sql) -> None:
            nonlocal written
            # Transactions that have ended are counted with it until the server has noted them.
            before = _rows(sql)
            job(sql)
            written = _rows(sql) - before
            raise _UndoneError

        try:
            self._runner.write(undone)
        except _UndoneError:
            return written
        raise AssertionError("it was written")

    def dump(self) -> str:
        return repr(self._eyes.everything())

    def close(self) -> None:
        self._eyes.close()
        self._reader.close()
        self._runner.close()
        self._server.close()


_OPEN: list[OnServer] = []


def _rows(sql: Sql) -> int:
    row = sql.one(_WRITTEN)
    assert row is not None
    return int(row["rows"] or 0)


def new_storage() -> Storage:
    """An empty one of the database that the test plays on."""
    if DATABASES.kind == SQLITE:
        return InMemory()
    _OPEN.append(OnServer(str(DATABASES.place_in(Path(f"event-{next(_NUMBERS)}")))))
    return _OPEN[-1]


def close_what_is_open() -> None:
    """The test is over: no server keeps a connection of it."""
    while _OPEN:
        _OPEN.pop().close()
