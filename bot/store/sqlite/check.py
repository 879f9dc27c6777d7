"""A read-only check on a database: its schema, file, ledger, numbering and sealed data.

Where possible, checks use SQL over all rows. Only hands in play are checked one by one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from bot.store import StoreError
from bot.store.former_names import todays_names
from bot.store.inspection import SEALED, Finding, Report, Secrets, answers, ratings
from bot.store.invariants import QUESTIONS, Invariant
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.errors import UNREADABLE
from bot.store.sqlite.files import quick_check
from bot.store.sqlite.migrate import RECORD, numbered, plain, require_known_schema, statements

_STATISTICS = (("table", "sqlite_sequence"), ("table", "sqlite_stat1"), ("table", "sqlite_stat4"))
"""Tables that SQLite creates itself. It never creates triggers or views with such names."""
_MAX_OBJECTS = 1000
"""Maximum number of objects, far more than the schema will ever have. A damaged schema may seem endless."""


def check(connection: sqlite3.Connection, migrations: Path, *, secrets: Secrets | None) -> Report:
    """Check a database in one snapshot. Sealed data is skipped if ``secrets`` is None.

    The schema is checked first, because a file may contain malicious objects. Only tables with the expected schema are
    queried. Raises StoreError if the database has another version or is empty, and sqlite3.Error if it's unreadable.
    """
    connection.execute("BEGIN")
    try:
        version = _version(connection, migrations)
        missing, strange = _schema(connection, numbered(migrations)[:version])
        if strange:
            return _stopped(version, [*missing, *strange], "unknown parts may do anything when they are read")
        if damage := quick_check(connection):
            findings = [*missing, Finding(kind="file", text=f"the file is damaged: {damage}")]
            return _stopped(version, findings, "the file is damaged")
        return _whole(connection, version, migrations, missing=missing, secrets=secrets)
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _version(connection: sqlite3.Connection, migrations: Path) -> int:
    version = require_known_schema(SqliteSql(connection), numbered(migrations), place="it")
    if version < 1:
        raise StoreError("it is still empty")
    return version


def _stopped(version: int, findings: Sequence[Finding], why: str) -> Report:
    return Report(
        version=version, findings=tuple(findings), not_checked=(f"NOT CHECKED: everything else, because {why}.",)
    )


def _whole(
    connection: sqlite3.Connection,
    version: int,
    migrations: Path,
    *,
    missing: Sequence[Finding],
    secrets: Secrets | None,
) -> Report:
    """Return the findings for a file whose schema is as expected and whose pages are intact."""
    findings = [*missing, *_file(connection)]
    with todays_names(SqliteSql(connection)):
        for question in QUESTIONS:
            if question.since <= version:
                findings += _answers(connection, question)
    newest, skipped = len(numbered(migrations)), ""
    if version == newest:
        findings += _ratings(connection)
    if version < newest:
        # Reading sealed data requires the current schema.
        skipped = f"the file has schema {version}, and the next start upgrades it to {newest}"
    elif secrets is None:
        skipped = "the key file is missing"
    else:
        findings += secrets(SqliteSql(connection))
    not_checked = (f"NOT CHECKED: {SEALED}, because {skipped}.",) if skipped else ()
    return Report(version=version, findings=tuple(findings), not_checked=not_checked)


def _file(connection: sqlite3.Connection) -> Iterator[Finding]:
    try:
        for (text,) in connection.execute("PRAGMA integrity_check").fetchall():
            if text != "ok":
                yield Finding(kind="file", text=f"the file is damaged: {text.splitlines()[-1]}")
        for row in connection.execute("PRAGMA foreign_key_check").fetchall():
            yield Finding(kind="rows", text=f"row {row[1]} of {row[0]} refers to nothing in {row[2]}")
    except UNREADABLE as error:
        yield Finding(kind="file", text=f"the file is damaged: {error}")


def _schema(connection: sqlite3.Connection, migrations: list[Path]) -> tuple[list[Finding], list[Finding]]:
    """Return the findings for missing parts of the schema, and for unexpected ones.

    Without its triggers, a log could be changed, and extra triggers could create chips.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        fresh.execute(RECORD)
        for migration in migrations:
            for statement in statements(migration.read_text(encoding="utf-8")):
                fresh.execute(statement)
        wanted, present = _objects(fresh), _objects(connection)
    missing = [f"the {kind} {name} is missing" for kind, name in sorted(wanted.keys() - present.keys())]
    strange = [f"the {kind} {name} is not one of the bot's" for kind, name in sorted(present.keys() - wanted.keys())]
    changed = [key for key in sorted(wanted.keys() & present.keys()) if wanted[key] != present[key]]
    strange += [f"the {kind} {name} is not as the bot created it" for kind, name in changed]
    return [Finding(kind="schema", text=text) for text in missing], [
        Finding(kind="schema", text=text) for text in strange
    ]


def _objects(connection: sqlite3.Connection) -> dict[tuple[str, str], tuple[str, str]]:
    """Return the objects of the schema by kind and name, with their table and definition."""
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchmany(_MAX_OBJECTS)
    return {
        (str(kind), str(name)): (str(table), plain(str(sql or "")))
        for kind, name, table, sql in rows
        if (kind, name) not in _STATISTICS
    }


def _answers(connection: sqlite3.Connection, question: Invariant) -> Iterator[Finding]:
    try:
        yield from answers(SqliteSql(connection), question)
    except UNREADABLE as error:
        yield Finding(kind=question.kind, text=f"this cannot be checked: {error}")


def _ratings(connection: sqlite3.Connection) -> Iterator[Finding]:
    try:
        yield from ratings(SqliteSql(connection))
    except UNREADABLE as error:
        yield Finding(kind="ratings", text=f"this cannot be checked: {error}")
