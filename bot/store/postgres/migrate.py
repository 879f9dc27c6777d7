"""Schema migrations for PostgreSQL, from the same numbered files as SQLite's.

All missing migrations and a check on the ledger run in one transaction, so a database is upgraded completely or not at
all.

A migration is written once, in common SQL with a few replacements for types, identity columns and triggers. If that
isn't enough, it's replaced by a file with the same number and the suffix ``.postgres.sql``.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import psycopg

from bot.store import StoreError
from bot.store.invariants import unbalanced
from bot.store.postgres.driver import PostgresSql
from bot.store.postgres.errors import first_line
from bot.store.postgres.rows import Connection
from bot.store.sqlite.migrate import (
    FOR_POSTGRES,
    RECORD,
    RECORDED,
    digest_of,
    numbered,
    require_known_schema,
    statements,
)

# ``opening`` counts the openings of the database. A bot with an older opening may no longer write. ``home`` identifies
# the database, which reveals a restore. ``forgets`` counts writes that affect servers of all processes, such as a
# deletion. Each process drops its caches when the count changes.
_META = """
CREATE TABLE meta (
    one BIGINT PRIMARY KEY CONSTRAINT meta_one CHECK (one = 1),
    schema BIGINT NOT NULL,
    is_copy BIGINT NOT NULL DEFAULT 0 CONSTRAINT meta_is_copy CHECK (is_copy IN (0, 1)),
    opening BIGINT NOT NULL DEFAULT 0,
    home TEXT NOT NULL DEFAULT '',
    forgets BIGINT NOT NULL DEFAULT 0
)
"""

_log = logging.getLogger(__name__)


def schema_version(connection: Connection, place: str) -> int:
    """Return the newest migration applied; 0 if the database is empty. Raises StoreError if it's another program's."""
    row = connection.execute("SELECT to_regclass('meta') IS NOT NULL AS is_ours").fetchone()
    assert row is not None
    if row["is_ours"]:
        return PostgresSql(connection).schema()
    strange = connection.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace(current_schema()) AND relkind IN ('r', 'p')"
    ).fetchone()
    if strange is not None:
        raise StoreError(f"{place} belongs to another program. Create an empty database for the bot")
    return 0


def migrate(connection: Connection, folder: Path, *, place: str) -> int:
    """Apply all missing migrations atomically, and return the newest. Raises StoreError and psycopg.Error."""
    files = numbered(folder)
    with connection.transaction():
        version = schema_version(connection, place)
        if version:
            require_known_schema(PostgresSql(connection), files, place=place)
        if version < len(files):
            _make(connection, version, files, place=place)
    return len(files)


def _make(connection: Connection, version: int, files: list[Path], *, place: str) -> None:
    if not version:
        _make_meta(connection)
    before = set(unbalanced(PostgresSql(connection))) if version else set()
    file = files[version]
    try:
        for number, file in enumerate(files[version:], version + 1):
            _run(connection, file)
            PostgresSql(connection).run(RECORDED, number=number, digest=digest_of(file))
            _log.info("applied %s", file.name)
    except (OSError, ValueError, psycopg.ProgrammingError, psycopg.IntegrityError, psycopg.DataError) as error:
        raise _stuck(place, f"{file.name}: {first_line(error)}") from error
    connection.execute("UPDATE meta SET schema = %(number)s", {"number": len(files)})
    if off := set(unbalanced(PostgresSql(connection))) - before:
        raise _stuck(place, f"the books of server {min(off)} would not balance afterwards")


def _stuck(place: str, why: str) -> StoreError:
    return StoreError(
        f"{place} could not be upgraded ({why}) and is unchanged. Start the previous version of the bot, and "
        "report this"
    )


def make_schema(connection: Connection, files: Sequence[Path]) -> None:
    """Create the schema of ``files`` in the connection's current schema, which is empty."""
    _make_meta(connection)
    for file in files:
        _run(connection, file)


def _make_meta(connection: Connection) -> None:
    connection.execute(_META)
    connection.execute("INSERT INTO meta (one, schema) VALUES (1, 0)")
    connection.execute(in_postgres(RECORD).encode())


def _run(connection: Connection, file: Path) -> None:
    for statement in _steps(file):
        connection.execute(statement.encode())


def _steps(file: Path) -> Iterator[str]:
    twin = file.with_suffix(FOR_POSTGRES)
    if twin.exists():
        yield twin.read_text(encoding="utf-8")
        return
    for statement in statements(file.read_text(encoding="utf-8")):
        yield in_postgres(statement)


# Translation of SQLite's syntax

_COMMENT = re.compile(r"^\s*--.*$", re.MULTILINE)
_WORDS = (
    (re.compile(r"\)\s*STRICT\b(, WITHOUT ROWID\b)?"), ")"),
    # The database generates such a key unless one is given.
    (re.compile(r"\bINTEGER PRIMARY KEY(?! CONSTRAINT)"), "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"),
    (re.compile(r"\bINTEGER\b"), "BIGINT"),
    (re.compile(r"\bBLOB\b"), "BYTEA"),
    (re.compile(r"\bREAL\b"), "DOUBLE PRECISION"),
    # A reserved word in PostgreSQL, which queries must quote.
    (re.compile(r"\b(TABLE|ON) freeze\b"), r'\1 "freeze"'),
)
_TRIGGER = re.compile(
    r"\s*CREATE TRIGGER (?P<name>\w+)\s+(?P<when>BEFORE|AFTER) (?P<what>INSERT|UPDATE|DELETE) ON (?P<table>\w+)"
    r"\s+BEGIN\s+(?P<body>.*?)\s*END\s*;?\s*",
    re.DOTALL,
)
_REFUSAL = re.compile(r"SELECT RAISE\(ABORT, ('[^']*')\)")


def in_postgres(statement: str) -> str:
    """Translate a statement of a migration. A trigger becomes a function and a trigger that calls it."""
    statement = _COMMENT.sub("", statement)
    trigger = _TRIGGER.fullmatch(statement)
    if trigger is not None:
        return _trigger(trigger)
    for word, ours in _WORDS:
        statement = word.sub(ours, statement)
    return statement


def _trigger(found: re.Match[str]) -> str:
    body = _REFUSAL.sub(r"RAISE EXCEPTION \1 USING ERRCODE = 'integrity_constraint_violation'", found["body"])
    row = "OLD" if found["what"] == "DELETE" else "NEW"
    return (
        f"CREATE FUNCTION {found['name']}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} RETURN {row}; END $$; "
        f"CREATE TRIGGER {found['name']} {found['when']} {found['what']} ON {found['table']} "
        f"FOR EACH ROW EXECUTE FUNCTION {found['name']}();"
    )
