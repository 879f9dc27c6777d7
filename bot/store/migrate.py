"""The schema's history: numbered files, each applied once, whole or not at all.

A migration is ``NNNN_name.sql``, numbered from 0001 without gaps; the number of the newest one applied is SQLite's
``user_version``. Foreign keys are not enforced while a migration runs (a table can only be rebuilt so), but they are
checked before it is committed.
"""

from __future__ import annotations

import logging
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from bot.store import StoreError, trouble_of

_log = logging.getLogger(__name__)

_NAME = re.compile(r"(\d{4})_\w+\.sql")


def migrate(connection: sqlite3.Connection, folder: Path, *, path: Path) -> int:
    """Bring the database at ``path`` to the newest version of ``folder``, and return that version.

    An older database is copied first, to ``<path>.v<version>.bak``. Raises StoreError; the failed migration has then
    left nothing behind. ``connection`` must not begin transactions by itself (``isolation_level=None``).
    """
    files = _numbered(folder)
    version = schema_version(connection)
    if version > len(files):
        raise StoreError(
            f"{path} was written by a newer version of the bot (schema {version}, this one knows {len(files)}): "
            "start the newer version, or restore a backup made by this one"
        )
    if 0 < version < len(files):
        _keep_copy(connection, path, version)
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        for number, file in enumerate(files[version:], version + 1):
            _apply(connection, file, number=number, path=path)
            _log.info("applied %s", file.name)
    finally:
        connection.execute("PRAGMA foreign_keys = ON")
    return len(files)


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


def _numbered(folder: Path) -> list[Path]:
    files = sorted(folder.glob("*.sql"))
    if not files:
        raise StoreError(f"{folder} holds no migrations: install the bot again")
    for number, file in enumerate(files, 1):
        name = _NAME.fullmatch(file.name)
        if name is None or int(name[1]) != number:
            raise StoreError(f"{file} is not the migration number {number:04}: install the bot again")
    return files


def _keep_copy(connection: sqlite3.Connection, path: Path, version: int) -> None:
    copy = path.with_name(f"{path.name}.v{version}.bak")
    # A copy that was cut short must not look like a good one.
    part = copy.with_name(f"{copy.name}.part")
    try:
        part.unlink(missing_ok=True)
        connection.execute("VACUUM INTO ?", (str(part),))
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.replace(copy)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise StoreError(
            f"{copy}, the copy before the upgrade, cannot be written ({error}): make room for it, then start again"
        ) from error
    _log.info("kept a copy of the database in %s", copy)


def _apply(connection: sqlite3.Connection, file: Path, *, number: int, path: Path) -> None:
    try:
        connection.execute("BEGIN IMMEDIATE")
        _run(connection, file.read_text(encoding="utf-8"))
        connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("COMMIT")
    except (OSError, ValueError, sqlite3.Error) as error:
        raise trouble_of(error, path) or StoreError(
            f"{path} could not be brought up to date ({file.name}: {error}) and is as it was before that step: "
            "start the former version of the bot, and report this"
        ) from error
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
