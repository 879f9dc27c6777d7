"""The part of sqlite3 that the store uses, over apsw, whose file system can be replaced by one that fails.

Python's own driver knows no other file system than the machine's. What the store sends to SQLite and how it answers
errors stays its own; the library below is SQLite as well, the one that apsw brings along.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw
from typing_extensions import override

from bot.store.sqlite.driver import Connect

CHECKPOINT_PAGES = 60
"""Pages in the log that trigger a checkpoint: far fewer than by default, so that a game has many."""

_KINDS: dict[int, type[sqlite3.Error]] = {
    apsw.SQLITE_CONSTRAINT: sqlite3.IntegrityError,
    apsw.SQLITE_CORRUPT: sqlite3.DatabaseError,
    apsw.SQLITE_NOTADB: sqlite3.DatabaseError,
}


class Row(tuple[Any, ...]):
    """A row whose fields have names."""

    names: tuple[str, ...]

    @override
    def __getitem__(self, place: Any) -> Any:
        """A field by number or name."""
        return super().__getitem__(self.names.index(place) if isinstance(place, str) else place)

    def keys(self) -> tuple[str, ...]:
        """The names."""
        return self.names


class Answer(list[Row]):
    """The rows of a statement that has run."""

    def fetchone(self) -> Row | None:
        """The next row."""
        return self.pop(0) if self else None

    def fetchall(self) -> list[Row]:
        """All that are left."""
        return list(self)


class Shim:
    """A connection of apsw in the clothes of sqlite3. ``replacing`` exchanges whole statements."""

    def __init__(self, path: Path, busy_seconds: float, *, vfs: str, replacing: Mapping[str, str]) -> None:
        self._replacing = replacing
        with _Translated():
            self._apsw = apsw.Connection(str(path), vfs=vfs)
            self._apsw.set_busy_timeout(int(busy_seconds * 1000))
            self._apsw.set_wal_hook(_checkpoint)

    @property
    def in_transaction(self) -> bool:
        """True between BEGIN and its end."""
        return self._apsw.in_transaction

    def execute(self, sql: str, values: Any = ()) -> Answer:
        """Run one statement to its end."""
        cursor = self._apsw.cursor()
        cursor.row_trace = _named
        with _Translated():
            return Answer(cursor.execute(self._replacing.get(sql, sql), values))

    def executemany(self, sql: str, rows: Sequence[Any]) -> None:
        """Run one statement for each of several values."""
        for values in rows:
            self.execute(sql, values)

    def create_function(self, name: str, narg: int, func: Callable[..., Any]) -> None:
        """Let statements call a function."""
        self._apsw.create_scalar_function(name, func, narg)

    def set_authorizer(self, authorizer: Callable[..., int] | None) -> None:
        """Let a function refuse statements."""
        self._apsw.authorizer = authorizer

    def close(self) -> None:
        """Close the file."""
        with _Translated():
            self._apsw.close()


class _Translated:
    """Errors of apsw are raised as those of sqlite3."""

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, apsw.Error):
            raise _translated(error) from error


def _translated(error: Any) -> sqlite3.Error:
    same = _KINDS.get(error.result, sqlite3.OperationalError)(str(error))
    same.sqlite_errorcode = error.extendedresult
    return same


def _named(cursor: apsw.Cursor, values: Any) -> Any:
    row = Row(values)
    row.names = tuple(name for name, _ in cursor.get_description())
    return row


def _checkpoint(connection: apsw.Connection, _: str, pages: int) -> int:
    """Checkpoint as SQLite does after a commit. A failure doesn't affect the commit and is retried after the next."""
    if pages >= CHECKPOINT_PAGES:
        with suppress(apsw.Error):
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
    return apsw.SQLITE_OK


def connect_over(vfs: str, *, replacing: Mapping[str, str] | None = None) -> Connect:
    """Return the function that opens the database's connections on another file system."""

    def connect(path: Path, busy_seconds: float) -> sqlite3.Connection:
        shim: Any = Shim(path, busy_seconds, vfs=vfs, replacing=replacing or {})
        connection: sqlite3.Connection = shim
        return connection

    return connect
