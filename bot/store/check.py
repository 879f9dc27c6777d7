"""Whether a database is in order: the file, the books, the numbers, the hands in play. It only reads.

What can be asked in SQL is asked in SQL, of all rows at once: only the hands in play are looked at one by one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bot.ofc.hand import Status
from bot.play import decks
from bot.play.model import GuildId, TableId, TableKey
from bot.play.ports import Vault
from bot.play.session import House, Session
from bot.store import StoreError
from bot.store.books import QUESTIONS, Question, ask
from bot.store.migrate import numbered, schema_version, statements
from bot.store.records import SqlTx


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong, and where."""

    kind: str
    text: str
    guild: int | None = None
    table: int | None = None
    hand: int | None = None

    @property
    def line(self) -> str:
        """The finding as one printable line."""
        places = (("server", self.guild), ("table", self.table), ("hand", self.hand))
        place = ", ".join(f"{name} {number}" for name, number in places if number is not None)
        text = f"{place}: {self.text}" if place else self.text
        return "".join(letter if letter.isprintable() else "?" for letter in text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a check found. ``not_checked`` says, in sentences, what could not be looked at."""

    version: int
    findings: tuple[Finding, ...]
    not_checked: tuple[str, ...] = ()


def check(connection: sqlite3.Connection, migrations: Path, *, vault: Vault | None) -> Report:
    """All that can be said of a database, from one snapshot. Without the vault the hands in play are left out.

    Raises StoreError for the database of a newer bot and for an empty one, and sqlite3.Error for a file in which
    nothing can be read.
    """
    newest = len(numbered(migrations))
    connection.execute("BEGIN")
    try:
        version = schema_version(connection)
        if version > newest:
            raise StoreError(
                f"it was written by a newer version of the bot (schema {version}, this one knows {newest})"
            )
        if version == 0:
            raise StoreError("it holds nothing yet")
        findings = [*_file(connection), *_schema(connection, numbered(migrations)[:version])]
        for question in QUESTIONS:
            if question.since <= version:
                findings += _answers(connection, question)
        if version < newest:
            # The hands are read as today's code reads them.
            skipped = f"The hands in play were not replayed: the file has schema {version}, the next start upgrades it."
        elif vault is None:
            skipped = "The hands in play were not replayed: the key file is not there."
        else:
            skipped = ""
            findings += _secrets(connection, vault)
    finally:
        connection.execute("ROLLBACK")
    return Report(version=version, findings=tuple(findings), not_checked=(skipped,) if skipped else ())


def _file(connection: sqlite3.Connection) -> Iterator[Finding]:
    try:
        for (text,) in connection.execute("PRAGMA integrity_check").fetchall():
            if text != "ok":
                yield Finding(kind="file", text=f"the file is damaged: {text.splitlines()[-1]}")
        for row in connection.execute("PRAGMA foreign_key_check").fetchall():
            yield Finding(kind="file", text=f"row {row[1]} of {row[0]} points to nothing in {row[2]}")
    except sqlite3.DatabaseError as error:
        yield Finding(kind="file", text=f"the file is damaged: {error}")


def _schema(connection: sqlite3.Connection, migrations: list[Path]) -> Iterator[Finding]:
    """Tables, indexes and triggers that are missing: without its triggers a log is not final."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        for migration in migrations:
            for statement in statements(migration.read_text(encoding="utf-8")):
                fresh.execute(statement)
        wanted, present = _objects(fresh), _objects(connection)
    for kind, name in sorted(wanted - present):
        yield Finding(kind="schema", text=f"the {kind} {name} is missing")


def _objects(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    rows = connection.execute("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").fetchall()
    return {(row[0], row[1]) for row in rows}


def _answers(connection: sqlite3.Connection, question: Question) -> Iterator[Finding]:
    try:
        for row in ask(connection, question):
            text = question.text.format(**row)
            yield Finding(kind=question.kind, text=text, guild=row["guild"], table=row["table_no"], hand=row["hand_no"])
    except sqlite3.Error as error:
        yield Finding(kind=question.kind, text=f"this cannot be looked at: {error}")


# What only the key can show


def _secrets(connection: sqlite3.Connection, vault: Vault) -> Iterator[Finding]:
    session = Session(tx=SqlTx(connection), house=House(), vault=vault, now=0)
    for guild, table, hand_no in _rows(
        connection, "SELECT guild_id, table_id, hand_no FROM hand WHERE state = 'playing'"
    ):
        key = TableKey(guild=GuildId(guild), table=TableId(table))
        if problem := _replay_problem(session, key, hand_no):
            yield Finding(kind="hand", text=problem, guild=guild, table=table, hand=hand_no)
    for key in session.tx.all_open():
        table = session.table(key)
        if problem := _seed_problem(partial(decks.fixed_by, vault, table), committed=table.commitment):
            text = f"the next deck: {problem}"
            yield Finding(kind="hand", text=text, guild=key.guild, table=key.table, hand=table.hand_no + 1)


def _rows(connection: sqlite3.Connection, sql: str) -> list[Any]:
    return connection.execute(sql).fetchall()


def _replay_problem(session: Session, key: TableKey, hand_no: int) -> str | None:
    try:
        record, hand = session.hand(key, hand_no)
    except Exception as error:  # whatever is written there: a check says so and goes on
        return f"it cannot be replayed: {error or type(error).__name__}"
    if hand.status is not Status.PLAYING:
        return "it is still being played, and its log has ended it"
    return _seed_problem(partial(decks.committed_with, session.vault, key, record), committed=record.commitment)


def _seed_problem(fixed: Callable[[], bytes], *, committed: bytes) -> str | None:
    try:
        return None if fixed() == committed else "the seed is not the committed one"
    except Exception as error:  # whatever is written there: a check says so and goes on
        return str(error)
