"""Schema migrations: numbered files, each applied once. Several are applied together or not at all.

A migration is ``NNNN_name.sql``, numbered from 0001 without gaps. The number of the newest applied one is SQLite's
``user_version``. The table ``migration`` holds the digest of each, so a database made from other files is rejected.
Foreign keys aren't enforced during a migration, because otherwise tables couldn't be rebuilt. They're checked before
the commit.

An older database is never migrated in place. A copy is migrated, and replaces the database after passing all checks.
"""

from __future__ import annotations

import hashlib
import logging
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from bot.base.installation import COMMAND
from bot.store import StoreError, StoreForeignError, StoreFullError
from bot.store.sql import Sql
from bot.store.sqlite.copy_mark import OURS, PART, beside, free_ending, last_ending
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.errors import damaged, translate_error
from bot.store.sqlite.files import copy, put_in_place, quick_check, remove

Audit = Callable[[Sql], Sequence[int]]
"""Returns the servers whose ledger is inconsistent. An upgrade must not add any."""

_log = logging.getLogger(__name__)

FOR_POSTGRES = ".postgres.sql"
"""Suffix of a file that PostgreSQL runs instead of the migration with the same name."""
_NAME = re.compile(r"(\d{4})_\w+\.sql")
_COMMENT = re.compile(r"^\s*--.*$", re.MULTILINE)

RECORD = """
CREATE TABLE migration (
    number INTEGER CONSTRAINT migration_key PRIMARY KEY,
    digest TEXT NOT NULL
) STRICT
"""
"""Record of the applied migrations. Only this module writes it, and moves don't copy it."""
RECORDED = "INSERT INTO migration (number, digest) VALUES (:number, :digest)"


def upgrade(path: Path, folder: Path, *, audit: Audit, busy_seconds: float) -> None:
    """Check the database at ``path``, and upgrade it to the newest version in ``folder`` if it's older.

    A copy is migrated and checked, and then replaces the database. The old file is kept as ``<path>.v<version>.bak``,
    or ``.v<version>-2.bak`` if that exists. The caller must hold the lock. Raises StoreError. The database is then
    unchanged, or the next start finishes the replacement.
    """
    newest = len(numbered(folder))
    part = beside(path, f".v{newest}{PART}")
    with closing(_connect(path, busy_seconds)) as connection:
        _identify(connection, path)
        version = require_known_schema(SqliteSql(connection), numbered(folder), place=str(path))
        if version in (0, newest):
            return
        with closing(_connect(path, busy_seconds)) as holder:
            # Block writes that the copy would miss. Reads are allowed.
            holder.execute("BEGIN IMMEDIATE")
            _make_copy(connection, part)
            try:
                _migrate_copy(part, folder, path=path, audit=audit)
            except BaseException:
                with suppress(OSError):
                    remove(part)
                raise
    # Closing the connection merges the old database into its main file.
    aside = free_ending(path, f".v{version}", ".bak")
    with suppress(OSError):
        shutil.copymode(path, part)
    put_in_place(path, part, aside=aside)
    _log.info("the previous database is kept in %s", beside(path, aside))


def _connect(path: Path, busy_seconds: float) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=busy_seconds)
    connection.row_factory = sqlite3.Row
    return connection


def _identify(connection: sqlite3.Connection, path: Path) -> None:
    """Reject a foreign file, before anything is written to it, or a damaged one."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if application not in OURS and (application, schema_version(connection), tables) != (0, 0, 0):
        raise StoreForeignError(f"{path} belongs to another program. Name another path for the bot's database")
    finding = quick_check(connection)
    if finding is not None:
        raise damaged(path, finding)


def _make_copy(connection: sqlite3.Connection, part: Path) -> None:
    try:
        copy(connection, part, marked=False)
    except StoreError as error:
        if isinstance(error, StoreFullError):
            raise StoreError(
                f"{part}, the copy for the upgrade, cannot be written. Free some space, then start again ({error})"
            ) from error
        # The error's own message suggests a remedy for another command.
        why = error.__cause__
        reason = why.strerror if isinstance(why, OSError) else why
        raise StoreError(
            f"{part}, the copy for the upgrade, cannot be written ({reason}). Let the bot's user write in "
            f"{part.parent}, then start again"
        ) from error


def _migrate_copy(part: Path, folder: Path, *, path: Path, audit: Audit) -> None:
    with closing(_connect(part, 0)) as connection:
        # An incomplete copy is never used, so it needs no protection against crashes.
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute("PRAGMA synchronous = OFF")
        before = set(audit(SqliteSql(connection)))
        migrate(connection, folder, path=path)
        if damage := quick_check(connection):
            raise _stuck(path, f"the migrated copy is damaged: {damage}")
        if off := set(audit(SqliteSql(connection))) - before:
            raise _stuck(path, f"the books of server {min(off)} would not balance afterwards")


def _stuck(path: Path, why: str) -> StoreError:
    return StoreError(
        f"{path} could not be upgraded ({why}) and is unchanged. Start the previous version of the bot, and report this"
    )


def migrate(connection: sqlite3.Connection, folder: Path, *, path: Path) -> int:
    """Apply all missing migrations atomically, and return the newest version.

    Raises StoreError, which names the database at ``path``. ``connection`` must not start implicit transactions
    (``isolation_level=None``).
    """
    files = numbered(folder)
    version = require_known_schema(SqliteSql(connection), files, place=str(path))
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        if version < len(files):
            _apply(connection, files, version=version, path=path)
    finally:
        connection.execute("PRAGMA foreign_keys = ON")
    return len(files)


def require_known_schema(sql: Sql, files: Sequence[Path], *, place: str) -> int:
    """Return a database's newest migration, or 0 if it's empty, after checking all against ``files``.

    Raises StoreError for a newer database, or for one made from other files (such as one from before version 1.0.0).
    """
    version = sql.schema()
    known = [digest_of(file) for file in files[:version]]
    if version and sql.made_by()[: len(known)] != known:
        raise StoreForeignError(
            f"{place} was made by a version before 1.0.0, which this one cannot read. Keep it with that version, and "
            "name a new database or a newer backup"
        )
    if version > len(files):
        raise StoreForeignError(
            f"{place} was written by a newer version of the bot (schema {version}, this one knows "
            f"{len(files)}). Start that version. {_way_back(place, len(files))}, which loses everything "
            "played since"
        )
    return version


def _way_back(place: str, newest: int) -> str:
    """Return advice for going back to an older version. It names the file kept by an upgrade, if there is one."""
    endings = (last_ending(Path(place), f".v{number}", ".bak") for number in range(newest, 0, -1))
    kept = next((beside(Path(place), ending) for ending in endings if ending), None)
    if kept is None:
        return "To go back to this one, restore a copy from before the upgrade"
    return f"To go back to this one, run `{COMMAND} restore {kept}`"


def digest_of(file: Path) -> str:
    """Return the digest of a migration, including its PostgreSQL file. Comments and whitespace don't count."""
    files = [each for each in (file, file.with_suffix(FOR_POSTGRES)) if each.exists()]
    text = "\0".join(plain(each.read_text(encoding="utf-8")) for each in files)
    return hashlib.sha256(text.encode()).hexdigest()


def plain(text: str) -> str:
    """Return SQL without comment lines, and with whitespace collapsed."""
    return " ".join(_COMMENT.sub("", text).split())


def schema_version(connection: sqlite3.Connection) -> int:
    """Return the newest migration applied; 0 for an empty database."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def statements(script: str) -> Iterator[str]:
    """Yield the statements of a script. Semicolons within a trigger don't end it.

    ``executescript`` would split them too, but it commits first.
    """
    *pieces, rest = script.split(";")
    statement = ""
    for piece in pieces:
        statement += piece + ";"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    # The rest is a comment or an unterminated statement, which runs or fails like the others.
    if (statement + rest).strip():
        yield statement + rest


def numbered(folder: Path) -> list[Path]:
    """Return the migrations in order; raises StoreError."""
    files = sorted(file for file in folder.glob("*.sql") if not file.name.endswith(FOR_POSTGRES))
    if not files:
        raise StoreError(f"{folder} contains no migrations. Install the bot again")
    for number, file in enumerate(files, 1):
        name = _NAME.fullmatch(file.name)
        if name is None or int(name[1]) != number:
            raise StoreError(f"{file} is not the migration number {number:04}. Install the bot again")
    return files


def _apply(connection: sqlite3.Connection, files: Sequence[Path], *, version: int, path: Path) -> None:
    file = files[version]
    try:
        connection.execute("BEGIN IMMEDIATE")
        if not version:
            connection.execute(RECORD)
        for number, file in enumerate(files[version:], version + 1):
            _run(connection, file.read_text(encoding="utf-8"))
            connection.execute(RECORDED, {"number": number, "digest": digest_of(file)})
        connection.execute(f"PRAGMA user_version = {len(files)}")
        connection.execute("COMMIT")
        for file in files[version:]:
            _log.info("applied %s", file.name)
    except (OSError, ValueError, sqlite3.Error) as error:
        raise translate_error(error, path) or _stuck(path, f"{file.name}: {error}") from error
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
        raise ValueError(f"{len(orphans)} rows of {orphans[0][0]} refer to nothing")


def _stay_in_transaction(action: int, *_: object) -> int:
    """Deny BEGIN, COMMIT and ROLLBACK, because a migration that ends its transaction could be applied only in part."""
    return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_TRANSACTION else sqlite3.SQLITE_OK


# Shapes of the tables that the migrations create, for copying one database into another


@dataclass(frozen=True, slots=True, kw_only=True)
class TableShape:
    """A table with its columns, its primary key, and the tables that it references."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    points_to: frozenset[str]


def tables_made_by(migrations: Path) -> list[TableShape]:
    """Return all tables of the newest schema except the record of migrations, each after the tables it references."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        migrate(connection, migrations, path=Path(":memory:"))
        names = connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migration' "
            "ORDER BY name"
        )
        return list(_in_order([_shape(connection, row["name"]) for row in names.fetchall()]))


def _shape(connection: sqlite3.Connection, name: str) -> TableShape:
    columns = connection.execute(f'PRAGMA table_info("{name}")').fetchall()
    keys = sorted((row["pk"], row["name"]) for row in columns if row["pk"])
    points_to = connection.execute(f'PRAGMA foreign_key_list("{name}")').fetchall()
    return TableShape(
        name=name,
        columns=tuple(row["name"] for row in columns),
        key=tuple(column for _, column in keys),
        points_to=frozenset(row["table"] for row in points_to),
    )


def _in_order(tables: list[TableShape]) -> Iterator[TableShape]:
    told: set[str] = set()
    while len(told) < len(tables):
        for table in tables:
            if table.name not in told and table.points_to <= told:
                told.add(table.name)
                yield table
