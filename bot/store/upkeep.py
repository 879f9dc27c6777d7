"""Commands on a database of either kind, for the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from bot.base.plurals import counted
from bot.store import StoreError
from bot.store.beat_mark import BeatMark
from bot.store.inspection import Content, Report, Secrets, content_of
from bot.store.movements import ChipOrigins, explained
from bot.store.opening import Place, named, require_postgres
from bot.store.owner import MOVE, MOVED, is_used, owner_of
from bot.store.owner import clear_owner as clear_owner_in
from bot.store.sql import Sql
from bot.store.sqlite import backup as sqlite_backup
from bot.store.sqlite import check as sqlite_check
from bot.store.sqlite import owner as sqlite_owner
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.files import locked, make_folder, reading
from bot.store.sqlite.migrate import numbered, require_known_schema
from bot.store.transaction import Tx


class InspectionResult(NamedTuple):
    """Result of a check. If there are findings, the other fields aren't computed, and are None."""

    report: Report
    content: Content | None = None
    chips: ChipOrigins | None = None


@contextmanager
def open_snapshot(place: Place) -> Iterator[Sql]:
    """Open a snapshot of an existing database, even while its bot runs. Raises StoreError."""
    if isinstance(place, Path):
        with reading(place) as file:
            file.execute("BEGIN")
            yield _known(SqliteSql(file), place)
        return
    require_postgres()
    from bot.store.postgres.driver import PostgresSql
    from bot.store.postgres.exclusive import open_snapshot as open_postgres_snapshot

    with open_postgres_snapshot(place) as connection:
        yield _known(PostgresSql(connection), place)


@contextmanager
def open_current(place: Place) -> Iterator[Sql]:
    """Open a snapshot of a database that this version of the bot has started on. Raises StoreError."""
    with open_snapshot(place) as sql:
        version, newest = sql.schema(), len(numbered(MIGRATIONS))
        if version != newest:
            raise StoreError(f"{named(place)} has schema {version}, but this bot needs {newest}. Start the bot once")
        yield sql


def _known(sql: Sql, place: Place) -> Sql:
    """Return ``sql``; raises StoreError if the database has another version."""
    require_known_schema(sql, numbered(MIGRATIONS), place=named(place))
    return sql


def behind(place: Place, key_file: Path) -> str | None:
    """Return a warning if the database is older than at the bot's last run without being marked. Raises StoreError."""
    # Read this first, because a running bot writes to the database before the file.
    known = BeatMark(key_file).all()
    with open_snapshot(place) as sql:
        beat = Tx(sql).timers.last_beat()
        if beat is None or sql.is_copy() or known.get(beat.database, 0) <= beat.count:
            return None
    return (
        f"{named(place)} is older than the bot's last run. The next start cancels hands in progress and deals "
        "new decks, as after a restore"
    )


def put_back(place: Place) -> str | None:
    """Return a warning if the database is marked as restored from a backup. Raises StoreError."""
    with open_snapshot(place) as sql:
        if not sql.is_copy():
            return None
    return (
        f"{named(place)} was restored from a copy, or kept with `disown`. The next start cancels hands in "
        "progress and deals new decks"
    )


def left_behind(path: Path, places: Iterable[Path]) -> str | None:
    """Return a warning about a database in one of ``places`` that the settings no longer name."""
    for other in places:
        # Errors of an unused file or an inaccessible folder don't concern the bot.
        with suppress(StoreError, OSError):
            if (said := _left_at(other, path)) is not None:
                return said
    return None


def _left_at(other: Path, path: Path) -> str | None:
    """Return a warning about a database at ``other``. Raises StoreError or OSError if it can't be read."""
    if not other.exists() or other.resolve() == path.resolve():
        return None
    with open_snapshot(other) as sql:
        owner = owner_of(sql)
        if not is_used(sql) or (owner is not None and owner.startswith((MOVED, MOVE))):
            return None
        found = content_of(sql, size=0)
    held = f"{counted(found.open_tables, 'open table')}, {counted(found.hands, 'hand')}"
    return (
        f"{other} is a database too ({held}), but the bot uses {path}. To use the other one, remove "
        "CHAIPO_DATABASE and CHAIPO_KEY_FILE from .env or name it there. Otherwise move it away"
    )


def inspect(place: Place, *, secrets: Secrets | None) -> InspectionResult:
    """Check a database, and summarise its content. Raises StoreError."""
    try:
        return _inspect_file(place, secrets) if isinstance(place, Path) else _inspect_server(place, secrets)
    except _NotCheckedError as error:
        raise StoreError(f"{named(place)} cannot be checked: {error}") from error


class _NotCheckedError(Exception):
    """An opened database can't be checked."""


def _inspect_file(path: Path, secrets: Secrets | None) -> InspectionResult:
    with reading(path) as connection:
        try:
            report = sqlite_check.check(connection, MIGRATIONS, secrets=secrets)
            if report.findings:
                return InspectionResult(report)
            return InspectionResult(report, sqlite_backup.content_of(connection), explained(SqliteSql(connection)))
        except StoreError as error:
            raise _NotCheckedError(error) from error


def _inspect_server(address: str, secrets: Secrets | None) -> InspectionResult:
    require_postgres()
    from bot.store.postgres.check import check
    from bot.store.postgres.driver import PostgresSql
    from bot.store.postgres.exclusive import open_snapshot as open_postgres_snapshot

    with open_postgres_snapshot(address) as connection:
        try:
            report = check(connection, MIGRATIONS, secrets=secrets)
        except StoreError as error:
            raise _NotCheckedError(error) from error
        if report.findings:
            return InspectionResult(report)
        sql = PostgresSql(connection)
        row = sql.one("SELECT pg_database_size(current_database()) AS bytes")
        return InspectionResult(report, content_of(sql, size=0 if row is None else row["bytes"]), explained(sql))


def clear_owner(place: Place) -> str | None:
    """Remove the owner of a database whose bot is stopped, and return it. Raises StoreError."""
    if isinstance(place, Path):
        return sqlite_owner.clear_owner(place)
    with _alone_with(place) as sql:
        return clear_owner_in(sql)


@contextmanager
def while_stopped(place: Place) -> Iterator[Sql]:
    """Open the database for reading while its bot is stopped and can't start. Raises StoreError."""
    if isinstance(place, Path):
        path = make_folder(place)
        with locked(path), reading(path) as connection:
            yield _known(SqliteSql(connection), place)
        return
    with _alone_with(place) as sql:
        yield _known(sql, place)


@contextmanager
def _alone_with(address: str) -> Iterator[Sql]:
    require_postgres()
    from bot.store.postgres.exclusive import run_exclusive

    with run_exclusive(address) as sql:
        yield sql
