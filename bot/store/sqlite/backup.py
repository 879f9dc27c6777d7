"""Backups of a database, made while the bot runs, and restored while it's stopped."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.base.installation import COMMAND
from bot.store import StoreError, StoreFatalError, StoreUnavailableError, inspection
from bot.store.disk import sync_file, sync_folder
from bot.store.inspection import Content, Finding, Report, Secrets
from bot.store.owner import MOVED, PLAYGROUND, described, owner_of, without_move
from bot.store.sqlite.check import check
from bot.store.sqlite.copy_mark import PART, beside, free_ending
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.errors import damaged
from bot.store.sqlite.files import SIDES, copy, finish, locked, make_folder, put_in_place, quick_check, reading, remove
from bot.store.sqlite.migrate import numbered, require_known_schema

STAMP = "%Y%m%dT%H%M%SZ"
"""Format of times in file names, which makes names sort by time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """A backup, and the result of checking it. ``content`` is None if it can't be counted."""

    file: Path
    content: Content | None
    report: Report


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreResult:
    """Result of a restore. ``aside`` is the previous database's file; None if there was none."""

    path: Path
    content: Content
    aside: Path | None


def content_of(connection: sqlite3.Connection) -> Content:
    """Return the content of a database; raises sqlite3.Error."""
    pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    return inspection.content_of(SqliteSql(connection), size=pages * size)


def back_up(path: Path, file: Path, migrations: Path, *, secrets: Secrets | None) -> Backup:
    """Copy the database at ``path`` into a new file, even while the bot is writing, and check the copy.

    Raises StoreError without leaving a file. A complete copy is kept even if the check finds errors in its data.
    """
    check_target(file)
    part = beside(file, PART)
    with reading(path) as connection:
        _require_used(connection, path, migrations)
        if damage := quick_check(connection):
            raise damaged(path, damage)
        copy(connection, part, marked=True)
    try:
        with reading(part) as made:
            if damage := quick_check(made):
                raise StoreFatalError(f"the disk of {file} fails ({damage}), and no backup was made. Check the disk")
            report = check(made, migrations, secrets=secrets)
            content = content_of(made) if report.countable else None
        sync_file(part)
        part.replace(file)
        sync_folder(file.parent)
    except BaseException as error:
        with suppress(OSError):
            remove(part)
        if isinstance(error, OSError):
            raise StoreUnavailableError(
                f"{file} cannot be written ({error.strerror}), and no backup was made"
            ) from error
        raise
    return Backup(file=file, content=content, report=report)


def check_target(file: Path) -> None:
    """Raise StoreError if no backup can be created under this name."""
    if os.path.lexists(file):
        raise StoreError(f"{file} already exists. Name a new file, or a folder")
    if not file.parent.is_dir():
        raise StoreError(f"{file.parent} does not exist. Create that folder first")


def _require_used(connection: sqlite3.Connection, path: Path, migrations: Path) -> None:
    """Reject an empty database or one of another version. Raises StoreError."""
    if require_known_schema(SqliteSql(connection), numbered(migrations), place=str(path)) == 0:
        raise StoreError(f"{path} is still empty. Name a database that a bot has used")


# Backups by name in a folder


def name_in(folder: Path, path: Path, *, now: datetime) -> Path:
    """Return the name for a backup of the database at ``path``, made now, in ``folder``."""
    return folder / f"{path.stem}-{now.astimezone(UTC).strftime(STAMP)}{path.suffix}"


def rotate(folder: Path, path: Path, *, keep: int) -> list[Path]:
    """Remove all but the newest backups named by :func:`name_in`, and return the removed ones. Raises StoreError."""
    name = re.compile(re.escape(path.stem) + r"-\d{8}T\d{6}Z" + re.escape(path.suffix))
    try:
        files = sorted(file for file in folder.iterdir() if name.fullmatch(file.name))
        for file in files[:-keep]:
            file.unlink()
        for file in folder.iterdir():
            # A leftover of a backup that was killed
            if file.name.endswith(PART) and name.fullmatch(file.name.removesuffix(PART)):
                file.unlink()
    except OSError as error:
        raise StoreError(f"old backups in {folder} cannot be removed ({error.strerror})") from error
    return files[:-keep]


# Restoring


def restore(path: Path, file: Path, migrations: Path, *, now: datetime) -> RestoreResult:
    """Replace the database at ``path`` with a backup while its bot is stopped, and keep the previous file.

    The mark of a copy makes the bot skip decks that may be known by now. Raises StoreError without having changed
    anything.
    """
    path = make_folder(path)
    if file.resolve() == path:
        raise StoreError(f"{file} is the database itself. Name a backup")
    with locked(path):
        finish(path)
        part = beside(path, f".restore{PART}")
        content = _checked_copy(file, part, migrations)
        _require_same_owner(path, part, file, owner=content.owner)
        aside = free_name(path, now)
        kept = path.exists()
        put_in_place(path, part, aside=aside)
    return RestoreResult(path=path, content=content, aside=beside(path, aside) if kept else None)


def _checked_copy(file: Path, part: Path, migrations: Path) -> Content:
    try:
        with reading(file) as connection:
            _require_used(connection, file, migrations)
            # Sealed seeds needn't be readable here. Decks that may be known by now won't be dealt.
            findings = check(connection, migrations, secrets=None).findings
            if any(finding.kind == "file" for finding in findings):
                raise StoreFatalError(findings[0].line)
            if findings:
                raise StoreError(_not_in_order(file, findings))
            # The file may have its own `-wal`, which SQLite includes.
            copy(connection, part, marked=True)
        with reading(part) as made:
            if damage := quick_check(made):
                raise StoreFatalError(damage)
            return content_of(made)
    except StoreFatalError as error:
        with suppress(OSError):
            remove(part)
        raise StoreError(
            f"{file} is damaged or not a database, and nothing was changed. Name another backup"
        ) from error


def _not_in_order(file: Path, findings: Sequence[Finding]) -> str:
    return (
        f"{file} is not in order, and nothing was changed ({findings[0].line}; findings: {len(findings):,}). "
        f"Name another backup; `{COMMAND} check FILE` lists the findings"
    )


def _require_same_owner(path: Path, part: Path, file: Path, *, owner: str | None) -> None:
    """Reject a copy whose owner differs from the current database's, and remove ``part``."""
    present, playgrounds = _owner(path), path.stem == PLAYGROUND
    if owner == PLAYGROUND and not playgrounds:
        remove(part)
        raise StoreError(
            f"{file} is a copy of the playground's database, which is not the club's. Run `{COMMAND} restore "
            f"{file} --playground` to restore it to the playground"
        )
    if owner not in (None, PLAYGROUND) and playgrounds:
        remove(part)
        raise StoreError(
            f"{file} is a copy of the database of {described(owner)}, but {path} is that of the playground. "
            "Name another backup, or leave out --playground"
        )
    if owner is None or present is None or present in (owner, without_move(owner)):
        return
    remove(part)
    if present.startswith(MOVED):
        raise StoreError(
            f"{path} was moved to another installation with `move-out`, and nothing was changed. Restore "
            f"{file} there, or run `{COMMAND} disown` first to continue here"
        )
    raise StoreError(
        f"{file} is a copy of the database of {described(owner)}, but {path} is that of {described(present)}. "
        "Name another backup, or move the database away first"
    )


def _owner(path: Path) -> str | None:
    """Return the owner of the database at ``path``; None if it has none or can't be read."""
    try:
        with reading(path) as connection:
            return owner_of(SqliteSql(connection))
    except StoreError:
        return None


def set_aside(path: Path, *, now: datetime) -> Path:
    """Move the database at ``path`` out of the way while its bot is stopped, and return its new path.

    Raises StoreError or OSError.
    """
    path = make_folder(path)
    with locked(path):
        aside = beside(path, free_name(path, now))
        for side in SIDES:
            if beside(path, side).exists():
                beside(path, side).replace(beside(aside, side))
        sync_folder(path.parent)
    return aside


def free_name(path: Path, now: datetime) -> str:
    """Return a suffix for the previous database that isn't in use yet."""
    return free_ending(path, f".before-{now.astimezone(UTC).strftime(STAMP)}")
