"""SQLite behind the seam: a connection as :class:`bot.store.sql.Sql`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

from bot.store.sql import Row, Value
from bot.store.sqlite.copy_mark import APPLICATION_ID, COPY_ID

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

    def hold(self, number: int, /) -> None:
        """One transaction writes at a time: it holds everything."""

    def hold_all(self) -> None:
        """The same."""

    def write_for_all(self) -> None:
        """There is one process: it serves everything."""

    def schema(self) -> int:
        return int(self.connection.execute("PRAGMA user_version").fetchone()[0])

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
