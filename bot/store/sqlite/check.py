"""Whether a database is in order: its schema, the file, the books, the numbers, what is sealed. It only reads.

What can be asked in SQL is asked in SQL, of all rows at once: only the hands in play are looked at one by one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bot.event.draw import commitment
from bot.ofc.hand import HandStatus
from bot.play import decks
from bot.play.daily import hands
from bot.play.daily.model import ChallengeId
from bot.play.event import draws
from bot.play.event.desk import Desk
from bot.play.event.ports import tx_of
from bot.play.model import EventKey, GuildId, Player, TableId, TableKey
from bot.play.policy import Policy
from bot.play.ports import Vault
from bot.play.rating import ledger
from bot.play.session import Session
from bot.store import StoreError
from bot.store.books import QUESTIONS, Question, ask
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.files import quick_check
from bot.store.sqlite.migrate import numbered, schema_version, statements
from bot.store.sqlite.trouble import UNREADABLE
from bot.store.transaction import SqlTx

_SEALED = "the hands in play, the next decks, the seeds of events and the hands of a day"
_STATISTICS = (("table", "sqlite_sequence"), ("table", "sqlite_stat1"), ("table", "sqlite_stat4"))
"""What SQLite makes by itself: tables, and never a trigger or a view of such a name."""
_MOST_OBJECTS = 1000
"""More than the schema will ever have; a damaged one may seem endless."""


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

    @property
    def countable(self) -> bool:
        """True when all tables are as the bot made them, in a sound file; another one should be asked nothing more."""
        return not any(finding.kind in ("schema", "file") for finding in self.findings)


def check(connection: sqlite3.Connection, migrations: Path, *, vault: Vault | None) -> Report:
    """All that can be said of a database, from one snapshot. Without the vault what is sealed is left out.

    What the file may have hidden in its schema is looked for first: only tables that are ours are asked anything.
    Raises StoreError for the database of a newer bot and for an empty one, and sqlite3.Error for a file in which
    nothing can be read.
    """
    connection.execute("BEGIN")
    try:
        version = _version(connection, migrations)
        missing, strange = _schema(connection, numbered(migrations)[:version])
        if strange:
            return _stopped(version, [*missing, *strange], "what is strange may do anything when it is read")
        if damage := quick_check(connection):
            findings = [*missing, Finding(kind="file", text=f"the file is damaged: {damage}")]
            return _stopped(version, findings, "the file is damaged")
        return _whole(connection, version, migrations, missing=missing, vault=vault)
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _version(connection: sqlite3.Connection, migrations: Path) -> int:
    version, newest = schema_version(connection), len(numbered(migrations))
    if version > newest:
        raise StoreError(f"it was written by a newer version of the bot (schema {version}, this one knows {newest})")
    if version < 1:
        raise StoreError("it holds nothing yet")
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
    vault: Vault | None,
) -> Report:
    """The findings in a file that holds nothing strange and whose pages are sound."""
    findings = [*missing, *_file(connection)]
    for question in QUESTIONS:
        if question.since <= version:
            findings += _answers(connection, question)
    newest, skipped = len(numbered(migrations)), ""
    if version == newest:
        findings += _ratings(connection)
    if version < newest:
        # They are read as today's code reads them.
        skipped = f"the file has schema {version}, and the next start upgrades it to {newest}"
    elif vault is None:
        skipped = "the key file is not there"
    else:
        findings += _secrets(connection, vault)
    not_checked = (f"NOT CHECKED: {_SEALED}, because {skipped}.",) if skipped else ()
    return Report(version=version, findings=tuple(findings), not_checked=not_checked)


def _file(connection: sqlite3.Connection) -> Iterator[Finding]:
    try:
        for (text,) in connection.execute("PRAGMA integrity_check").fetchall():
            if text != "ok":
                yield Finding(kind="file", text=f"the file is damaged: {text.splitlines()[-1]}")
        for row in connection.execute("PRAGMA foreign_key_check").fetchall():
            yield Finding(kind="rows", text=f"row {row[1]} of {row[0]} points to nothing in {row[2]}")
    except UNREADABLE as error:
        yield Finding(kind="file", text=f"the file is damaged: {error}")


def _schema(connection: sqlite3.Connection, migrations: list[Path]) -> tuple[list[Finding], list[Finding]]:
    """What is missing of the schema that the migrations make, and what is strange in it.

    Without its triggers a log is not final, and with others chips come from nowhere.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        for migration in migrations:
            for statement in statements(migration.read_text(encoding="utf-8")):
                fresh.execute(statement)
        wanted, present = _objects(fresh), _objects(connection)
    missing = [f"the {kind} {name} is missing" for kind, name in sorted(wanted.keys() - present.keys())]
    strange = [f"the {kind} {name} is not one of the bot's" for kind, name in sorted(present.keys() - wanted.keys())]
    changed = [key for key in sorted(wanted.keys() & present.keys()) if wanted[key] != present[key]]
    strange += [f"the {kind} {name} is not as the bot made it" for kind, name in changed]
    return [Finding(kind="schema", text=text) for text in missing], [
        Finding(kind="schema", text=text) for text in strange
    ]


def _objects(connection: sqlite3.Connection) -> dict[tuple[str, str], tuple[str, str]]:
    """What the schema holds, by kind and name: to which table it belongs and how it was made. Blanks mean nothing."""
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchmany(_MOST_OBJECTS)
    return {
        (str(kind), str(name)): (str(table), " ".join(str(sql or "").split()))
        for kind, name, table, sql in rows
        if (kind, name) not in _STATISTICS
    }


def _answers(connection: sqlite3.Connection, question: Question) -> Iterator[Finding]:
    try:
        for row in ask(SqliteSql(connection), question):
            text = question.text.format(**row)
            yield Finding(kind=question.kind, text=text, guild=row["guild"], table=row["table_no"], hand=row["hand_no"])
    except UNREADABLE as error:
        yield Finding(kind=question.kind, text=f"this cannot be looked at: {error}")


def _ratings(connection: sqlite3.Connection) -> Iterator[Finding]:
    """Ratings that do not follow from the results."""
    tx = SqlTx(SqliteSql(connection))
    try:
        for guild in tx.rated_guilds():
            for problem in ledger.problems(tx, guild):
                yield Finding(kind="ratings", text=problem, guild=guild)
    except UNREADABLE as error:
        yield Finding(kind="ratings", text=f"this cannot be looked at: {error}")


# What only the key can show


def _secrets(connection: sqlite3.Connection, vault: Vault) -> Iterator[Finding]:
    session = Session(tx=SqlTx(SqliteSql(connection)), desk=Desk(), policy=Policy(), vault=vault, now=0)
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
    query = "SELECT guild_id, tournament_id FROM tournament WHERE phase NOT IN ('ended', 'cancelled')"
    for guild, number in _rows(connection, query):
        for problem in _event_problems(session, EventKey(guild=GuildId(guild), number=number)):
            yield Finding(kind="event", text=f"event {number}: {problem}", guild=guild)
    for problem in _daily_problems(connection, session):
        yield Finding(kind="daily", text=problem)


def _event_problems(session: Session, key: EventKey) -> Iterator[str]:
    """What is wrong with the seeds of an event that is not over."""
    try:
        event = tx_of(session).event(key)
        assert event is not None
        if event.seed is not None and commitment(event=draws.event_id(event), seed=event.seed) != event.commitment:
            yield "the seed of its draw is not the committed one"
        for secret in draws.secrets_of(event):
            seed = session.vault.unseal(secret.sealed, hand_id=secret.name)
            if commitment(event=secret.name, seed=seed) != secret.commitment:
                yield f"the seed of {secret.name} is not the committed one"
    except Exception as error:  # whatever is written there: a check says so and goes on
        yield str(error) or type(error).__name__


def _daily_problems(connection: sqlite3.Connection, session: Session) -> Iterator[str]:
    """What is wrong with the seeds of the hands of a day, and with the tries at those that are not over."""
    query = "SELECT challenge_id, commitment FROM challenge WHERE lost = 0"
    for number, committed in _rows(connection, query):
        if problem := _seed_problem(partial(hands.fixed_by, session, ChallengeId(number)), committed=committed):
            yield f"hand {number} of the day: {problem}"
    query = (
        "SELECT challenge_id, player FROM attempt JOIN challenge USING (challenge_id) WHERE seed IS NULL AND lost = 0"
    )
    for number, player in _rows(connection, query):
        try:
            hands.hand_of(session, hands.known(session, ChallengeId(number)), Player(player))
        except Exception as error:  # whatever is written there: a check says so and goes on
            yield f"hand {number} of the day: the try of {player} cannot be replayed: {error or type(error).__name__}"


def _rows(connection: sqlite3.Connection, sql: str) -> list[Any]:
    return connection.execute(sql).fetchall()


def _replay_problem(session: Session, key: TableKey, hand_no: int) -> str | None:
    try:
        hand, record = session.hand(key, hand_no), session.tx.hand(key, hand_no)
        assert record is not None
    except Exception as error:  # whatever is written there: a check says so and goes on
        return f"it cannot be replayed: {error or type(error).__name__}"
    if hand.status is not HandStatus.PLAYING:
        return "it is still being played, and its log has ended it"
    return _seed_problem(partial(decks.committed_with, session.vault, key, record), committed=record.commitment)


def _seed_problem(fixed: Callable[[], bytes], *, committed: bytes) -> str | None:
    try:
        return None if fixed() == committed else "the seed is not the committed one"
    except Exception as error:  # whatever is written there: a check says so and goes on
        return str(error)
