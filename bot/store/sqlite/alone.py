"""A SQLite database whose bot does not run and does not start meanwhile, in as many transactions as somebody needs."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bot.store import StoreError
from bot.store.sql import Sql
from bot.store.sqlite.connection_thread import open_file
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.files import finish, locked, make_folder, reading
from bot.store.sqlite.trouble import UNREADABLE, damaged, trouble_of

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
