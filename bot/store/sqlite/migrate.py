"""The schema's history: numbered files, each applied once. A step of several is made whole or not at all.

A migration is ``NNNN_name.sql``, numbered from 0001 without gaps; the number of the newest one applied is SQLite's
``user_version``. Foreign keys are not enforced while a migration runs (a table can only be rebuilt so), but they are
checked before it is committed.

An older database is never migrated itself. A copy of it is, and takes its place when it was found to be in order.
"""

from __future__ import annotations

import logging
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

from bot.store import StoreError
from bot.store.sql import Sql
from bot.store.sqlite.copy_mark import OURS, PART, beside
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.files import copy, put_in_place, quick_check, remove
from bot.store.sqlite.trouble import damaged, trouble_of

Audit = Callable[[Sql], Sequence[int]]
"""Finds the servers whose books do not balance: an upgrade may not add to them."""

_log = logging.getLogger(__name__)

FOR_POSTGRES = ".postgres.sql"
"""Ends the name of what PostgreSQL runs in place of the migration that it stands beside."""
_NAME = re.compile(r"(\d{4})_\w+\.sql")


def upgrade(path: Path, folder: Path, *, audit: Audit, busy_seconds: float) -> None:
    """Look at the database at ``path``, and bring it to the newest version of ``folder`` if it is an older one.

    A copy is migrated and checked; only then it takes the database's place, whole, and the old file is kept as
    ``<path>.v<version>.bak``. Raises StoreError, and has then changed nothing. The lock must be held.
    """
    newest = len(numbered(folder))
    part = beside(path, f".v{newest}{PART}")
    with closing(_connect(path, busy_seconds)) as connection:
        _identify(connection, path)
        version = schema_version(connection)
        _refuse_newer(version, newest, path)
        if version in (0, newest):
            return
        with closing(_connect(path, busy_seconds)) as holder:
            # Nobody may write what the copy would not have; whoever reads may.
            holder.execute("BEGIN IMMEDIATE")
            _make_copy(connection, part)
            try:
                _migrate_copy(part, folder, path=path, audit=audit)
            except BaseException:
                with suppress(OSError):
                    remove(part)
                raise
    # Closed, so that all of the old database is in its one file.
    aside = f".v{version}.bak"
    with suppress(OSError):
        shutil.copymode(path, part)
    put_in_place(path, part, aside=aside)
    _log.info("the former database is kept in %s", beside(path, aside))


def _connect(path: Path, busy_seconds: float) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=busy_seconds)
    connection.row_factory = sqlite3.Row
    return connection


def _identify(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is not ours, before anything is written to it, and one that is damaged."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if application not in OURS and (application, schema_version(connection), tables) != (0, 0, 0):
        raise StoreError(f"{path} is the database of another program: name another path for the bot's")
    finding = quick_check(connection)
    if finding is not None:
        raise damaged(path, finding)


def _make_copy(connection: sqlite3.Connection, part: Path) -> None:
    try:
        copy(connection, part, marked=False)
    except StoreError as error:
        raise StoreError(
            f"{part}, the copy for the upgrade, cannot be written: make room for it, then start again ({error})"
        ) from error


def _migrate_copy(part: Path, folder: Path, *, path: Path, audit: Audit) -> None:
    with closing(_connect(part, 0)) as connection:
        # Nothing of a half-made copy is ever used, so nothing of it need be safe before the end.
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute("PRAGMA synchronous = OFF")
        before = set(audit(SqliteSql(connection)))
        migrate(connection, folder, path=path)
        if damage := quick_check(connection):
            raise _stuck(path, f"the migrated copy is damaged: {damage}")
        if off := set(audit(SqliteSql(connection))) - before:
            raise _stuck(path, f"afterwards the books of server {min(off)} would not balance")


def _stuck(path: Path, why: str) -> StoreError:
    return StoreError(
        f"{path} could not be brought up to date ({why}) and is as it was: start the former version of the bot, and "
        "report this"
    )


def migrate(connection: sqlite3.Connection, folder: Path, *, path: Path) -> int:
    """Apply the migrations that are missing, all or none, and return the newest version.

    Raises StoreError, which speaks of the database at ``path``. ``connection`` must not begin transactions by itself
    (``isolation_level=None``).
    """
    files = numbered(folder)
    version = schema_version(connection)
    _refuse_newer(version, len(files), path)
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        if version < len(files):
            _apply(connection, files[version:], number=len(files), path=path)
    finally:
        connection.execute("PRAGMA foreign_keys = ON")
    return len(files)


def _refuse_newer(version: int, newest: int, path: Path) -> None:
    if version > newest:
        raise StoreError(
            f"{path} was written by a newer version of the bot (schema {version}, this one knows {newest}): "
            "start the newer version, or restore a backup made by this one"
        )


def schema_version(connection: sqlite3.Connection) -> int:
    """The number of the newest migration that was applied; 0 for an empty database."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def statements(script: str) -> Iterator[str]:
    """The statements of a script one by one; a trigger's semicolons do not end it.

    ``executescript`` would do the splitting, but it commits first.
    """
    *pieces, rest = script.split(";")
    statement = ""
    for piece in pieces:
        statement += piece + ";"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    # A comment, or a statement without its end, which runs, or fails, like the others.
    if (statement + rest).strip():
        yield statement + rest


def numbered(folder: Path) -> list[Path]:
    """The migrations in their order; raises StoreError."""
    files = sorted(file for file in folder.glob("*.sql") if not file.name.endswith(FOR_POSTGRES))
    if not files:
        raise StoreError(f"{folder} holds no migrations: install the bot again")
    for number, file in enumerate(files, 1):
        name = _NAME.fullmatch(file.name)
        if name is None or int(name[1]) != number:
            raise StoreError(f"{file} is not the migration number {number:04}: install the bot again")
    return files


def _apply(connection: sqlite3.Connection, files: Sequence[Path], *, number: int, path: Path) -> None:
    file = files[0]
    try:
        connection.execute("BEGIN IMMEDIATE")
        for file in files:
            _run(connection, file.read_text(encoding="utf-8"))
            _log.info("applied %s", file.name)
        connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("COMMIT")
    except (OSError, ValueError, sqlite3.Error) as error:
        raise trouble_of(error, path) or _stuck(path, f"{file.name}: {error}") from error
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _run(connection: sqlite3.Connection, script: str) -> None:
    connection.set_authorizer(_stay_in_transaction)
    try:
        for statement in statements(script):
            connection.execute(statement)
    finally:
        connection.set_authorizer(None)
    orphans = connection.execute("PRAGMA foreign_key_check").fetchall()
    if orphans:
        raise ValueError(f"{len(orphans)} rows of {orphans[0][0]} point to nothing")


def _stay_in_transaction(action: int, *_: object) -> int:
    """Refuse BEGIN, COMMIT and ROLLBACK: a migration that ends its transaction could be applied in part."""
    return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_TRANSACTION else sqlite3.SQLITE_OK
