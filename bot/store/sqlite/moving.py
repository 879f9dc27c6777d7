"""Moving a bot's data to another installation: the database, its key and the key's mark, as one stream.

The stream is a tar archive that holds the key, the mark and then the database. The source then belongs to a move, so no
bot starts on it again by mistake. Nothing is cancelled, because hands go on only in the new place.
"""

from __future__ import annotations

import io
import os
import shutil
import sqlite3
import tarfile
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from bot.installation import COMMAND
from bot.store import StoreError, StoreFullError, StoreTroubleError
from bot.store.disk import BeatMark, demand_file
from bot.store.inspection import Content
from bot.store.owner import MOVED, owner_of, set_owner
from bot.store.sqlite.backup import content_of, free_name, refuse_stranger
from bot.store.sqlite.copy_mark import PART, beside
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.files import copy, finish, locked, make_folder, put_in_place, quick_check, reading, remove
from bot.store.sqlite.migrate import demand_known, numbered
from bot.store.sqlite.trouble import damaged
from bot.store.vault import SeedVault, in_words, lacking, merge_keys

_KEY, _MARK, _DATABASE = "key", "mark", "database"
_MAX_TEXT = 1_000_000
"""Maximum bytes of the key file and of its mark."""
_INCOMPLETE = (
    "what was read is not complete, and nothing was changed: run `move-out` in the old place, and look at what it says"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedIn:
    """Result of a move. ``aside`` is the path of the previous database; None if there was none."""

    path: Path
    content: Content
    aside: Path | None


def move_out(path: Path, key_file: Path, stream: IO[bytes], migrations: Path) -> Content:
    """Write a stopped bot's data to ``stream``, then keep bots from starting on it here. Raises StoreError or OSError.

    Nothing is changed here unless all of it was written.
    """
    path = make_folder(path)
    with locked(path):
        finish(path)
        part = beside(path, f".move-out{PART}")
        try:
            with reading(path) as connection:
                _demand_whole(connection, path, migrations)
                _demand_key(SqliteSql(connection), key_file, path, migrations)
                owner = owner_of(SqliteSql(connection))
                copy(connection, part, marked=False)
            with closing(sqlite3.connect(part, isolation_level=None)) as made:
                set_owner(SqliteSql(made), _without_move(owner))
                content = content_of(_with_rows(made))
            _write(stream, key_file, part)
        finally:
            with suppress(OSError):
                remove(part)
        if owner is None or not owner.startswith(MOVED):
            with closing(sqlite3.connect(path, isolation_level=None)) as connection:
                set_owner(SqliteSql(connection), MOVED + (owner or ""))
    return content


def move_in(path: Path, key_file: Path, stream: IO[bytes], migrations: Path, *, now: datetime) -> MovedIn:
    """Make the data in ``stream`` this bot's own while it's stopped. Raises StoreError, with nothing changed then.

    A database that was there is kept under another name. Its keys stay in the key file, after the new ones.
    """
    path = make_folder(path)
    with locked(path):
        finish(path)
        part = beside(path, f".move-in{PART}")
        try:
            texts = _read(stream, part)
            with reading(part) as connection:
                _demand_whole(connection, part, migrations)
                content = content_of(connection)
            refuse_stranger(path, part, Path("what was read"), owner=content.owner)
            merge_keys(key_file, texts[_KEY])
            BeatMark(key_file).add(texts.get(_MARK, ""))
            aside = free_name(path, now)
            kept = path.exists()
            put_in_place(path, part, aside=aside)
        except (tarfile.TarError, EOFError) as error:
            raise StoreError(_INCOMPLETE) from error
        except OSError as error:
            raise StoreTroubleError(f"{path} cannot be written ({error.strerror}), and nothing was changed") from error
        finally:
            with suppress(OSError):
                remove(part)
    return MovedIn(path=path, content=content, aside=beside(path, aside) if kept else None)


def _with_rows(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.row_factory = sqlite3.Row
    return connection


def _without_move(owner: str | None) -> str | None:
    """Return the owner from before an earlier move out, whose stream may never have arrived."""
    return owner.removeprefix(MOVED) or None if owner is not None else None


def _demand_whole(connection: sqlite3.Connection, path: Path, migrations: Path) -> None:
    """Refuse a database that is empty, damaged or of a newer version. Raises StoreError."""
    if demand_known(SqliteSql(connection), numbered(migrations), place=str(path)) == 0:
        raise StoreError(f"{path} holds nothing yet, so there is nothing to move")
    if damage := quick_check(connection):
        raise damaged(path, damage)


def _demand_key(sql: SqliteSql, key_file: Path, path: Path, migrations: Path) -> None:
    """Refuse to move without a key that the database needs. Raises StoreError."""
    if not key_file.exists():
        raise StoreError(f"{key_file} is not there, and {path} was sealed with it: put the key file back")
    vault = SeedVault.open(key_file)
    # An older schema may keep its seeds elsewhere. The bot's start in the new place looks at its keys.
    if demand_known(sql, numbered(migrations), place=str(path)) < len(numbered(migrations)):
        return
    if lacks := lacking(sql, vault):
        raise StoreError(
            f"{key_file} lacks a key that {path} was sealed with ({in_words(lacks)}): put its line back, or run "
            f"`{COMMAND} lost-key` if it is lost for good"
        )


def _write(stream: IO[bytes], key_file: Path, part: Path) -> None:
    mark = BeatMark(key_file).file
    with tarfile.open(fileobj=stream, mode="w|") as archive:
        _add(archive, _KEY, key_file.read_bytes())
        if mark is not None and mark.exists():
            demand_file(mark)
            _add(archive, _MARK, mark.read_bytes())
        with part.open("rb") as database:
            entry = tarfile.TarInfo(_DATABASE)
            entry.size = part.stat().st_size
            archive.addfile(entry, database)
    stream.flush()


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    archive.addfile(entry, io.BytesIO(content))


def _read(stream: IO[bytes], part: Path) -> dict[str, str]:
    """Write the database into ``part``, and return the other texts by name. Raises StoreError, TarError or OSError."""
    texts: dict[str, str] = {}
    remove(part)
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for entry in archive:
            # Nothing is unpacked by the names in the archive, which may come from anywhere.
            content = archive.extractfile(entry)
            if content is None or entry.name not in (_KEY, _MARK, _DATABASE):
                raise StoreError("what was read was not made by `move-out`, and nothing was changed")
            if entry.name == _DATABASE:
                _save(content, entry.size, part)
            elif entry.size <= _MAX_TEXT:
                texts[entry.name] = content.read().decode("utf-8", errors="replace")
    if _KEY not in texts or not part.exists():
        raise StoreError(_INCOMPLETE)
    return texts


def _save(content: IO[bytes], size: int, part: Path) -> None:
    free = shutil.disk_usage(part.parent).free
    if free < size:
        raise StoreFullError(f"there is no room left for {part}: it needs {size:,} bytes, and {free:,} are free")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        shutil.copyfileobj(content, file)
    if part.stat().st_size != size:
        raise StoreError(_INCOMPLETE)
