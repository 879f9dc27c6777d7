"""A database in memory, which is never written to disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from bot.store.sql import Sql
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.migrate import migrate

T = TypeVar("T")


class InMemory:
    """An empty database with the newest schema, for one thread. Close it after use."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        self._connection.row_factory = sqlite3.Row
        migrate(self._connection, MIGRATIONS, path=Path(":memory:"))
        self.sql: Sql = SqliteSql(self._connection)
        """Interface to the committed data and the current transaction."""

    def write(self, job: Callable[[Sql], T]) -> T:
        """Run a transaction. If ``job`` raises, it's rolled back."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            result = job(self.sql)
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")
        return result

    def close(self) -> None:
        """Close and discard the database."""
        self._connection.close()
