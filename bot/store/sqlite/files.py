"""The database's file and the files next to it: locking, copying, and replacing the database.

A replacement takes two steps, so that a crash can't leave it incomplete. After the new file is complete and flushed,
it's renamed to ``<database>.next<aside>``, which commits the replacement. Then the old file is moved to
``<database><aside>``, with its ``-wal`` and ``-shm``, which must never be used with another database, and the new file
gets its name. If a crash interrupts that, the next holder of the lock finishes it.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from bot.base.file_rights import may_write, owned_by_another
from bot.store import StoreBusyError, StoreDeniedError, StoreError, StoreFullError, StoreUnavailableError
from bot.store.disk import NEXT, require_regular_file, sync_file, sync_folder, waiting
from bot.store.sqlite.copy_mark import COPY_ID, OURS, beside
from bot.store.sqlite.errors import UNREADABLE, damaged, translate_error

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

    def _require_unused(path: Path) -> None:
        """Do nothing, because Windows doesn't allow an open file to be moved."""
else:
    import fcntl

    # Bytes where SQLite locks its files. Each process with the file open in WAL mode holds a shared lock there.
    _SHARED_FIRST, _SHARED_SIZE = 0x40000002, 510

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _require_unused(path: Path) -> None:
        """Raise StoreError if another process has the file open. This one must not, or it would lose its locks.

        A process that closes a database that was moved away may remove the ``-wal`` of the new one.
        """
        if not path.exists():
            return
        with path.open("rb+") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _SHARED_SIZE, _SHARED_FIRST)
            except (BlockingIOError, PermissionError) as error:
                raise StoreBusyError(f"{path} is locked by another program. Close that program") from error


SIDES = ("-journal", "-wal", "-shm", "")
"""Suffixes of a database's files. The main file is moved last."""
_BUSY_SECONDS = 5.0
_MAX_VALUE_BYTES = 16 * 2**20
"""Maximum bytes per value. Real values are about a thousand times shorter."""
_STEPS, _STEPS_PER_BYTE = 10**6, 500
"""Steps of SQLite's virtual machine between two checks of the step limit, and maximum steps per byte of the file."""


# The path and its lock


def make_folder(path: Path) -> Path:
    """Create the folder of the database at ``path``, and return the path without links. Raises StoreError."""
    try:
        # Links are resolved, so that all names of a file share one lock.
        path = path.resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        folder = path.is_dir()
    except (OSError, RuntimeError) as error:
        raise StoreError(
            f"the folder of {path} cannot be created ({error}). Create it, or name another path for the database"
        ) from error
    if folder:
        raise StoreError(f"{path} is a folder. Name a file in it for the database")
    for side in (*SIDES, ".lock"):
        require_regular_file(beside(path, side))
    return path


def lock_of(path: Path) -> Path:
    """Return the lock file of the database at ``path``, which must not contain links."""
    return beside(path, ".lock")


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file next to the database. The system releases it if the process dies. The file is kept."""
    lock = lock_of(path)
    try:
        file = os.fdopen(os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")
    except OSError as error:
        remedy = owned_by_another(lock) or "give the bot's user permission to write in that folder"
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise StoreDeniedError(f"{lock} may not be written ({error.strerror}): {remedy}") from error
        # Temporary errors, such as too many open files
        raise StoreUnavailableError(f"{lock} cannot be written ({error.strerror}): {remedy}") from error
    with file:
        try:
            _lock(file.fileno())
        except (BlockingIOError, PermissionError) as error:
            raise StoreBusyError(f"{path} is open in another running bot. Stop that one first") from error
        except OSError as error:
            raise StoreError(f"{lock} cannot be locked ({error}). Keep the database on a local disk") from error
        _require_writable(path)
        yield


def _require_writable(path: Path) -> None:
    """Reject a database that this user can't write to, before anything is changed. Raises StoreDeniedError."""
    for file in (beside(path, side) for side in SIDES):
        if file.exists() and not may_write(file):
            remedy = owned_by_another(file) or "give the bot's user permission to write the file and its folder"
            raise StoreDeniedError(f"{file} may not be written ({os.strerror(errno.EACCES)}): {remedy}")


# Reading, even while the bot is running


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a read-only connection to an existing database of this bot. Raises StoreError.

    The file may come from anywhere, so limits prevent it from blocking the reader forever.
    """
    _refuse_unreadable(path)
    try:
        uri = f"{path.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_BUSY_SECONDS)) as connection:
            _guard(connection, path)
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA temp_store = MEMORY")
            # 64 MB, because copies and aggregates read the whole file
            connection.execute("PRAGMA cache_size = -65536")
            if connection.execute("PRAGMA application_id").fetchone()[0] not in OURS:
                raise StoreError(f"{path} is not a database of this bot. Name another file")
            yield connection
    except UNREADABLE as error:
        if getattr(error, "sqlite_errorname", "").startswith("SQLITE_CANTOPEN"):
            remedy = owned_by_another(path) or "run this as the bot's user"
            raise StoreError(f"{path} cannot be read ({error}): {remedy}") from error
        raise translate_error(error, path) or damaged(path, str(error)) from error


def _refuse_unreadable(path: Path) -> None:
    if path.is_dir():
        raise StoreError(f"{path} is a folder. Name a file in it")
    if waiting(path):
        raise StoreError(f"a restore or an upgrade of {path} was interrupted. Start the bot to finish it")
    if not path.exists():
        raise StoreError(f"{path} does not exist. Name the file of a database")
    for side in SIDES:
        require_regular_file(beside(path, side))


def _guard(connection: sqlite3.Connection, path: Path) -> None:
    """Protect against a malicious file."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE_BYTES)
    size = sum(beside(path, side).stat().st_size for side in SIDES if beside(path, side).exists())
    looks = iter(range(10 + size * _STEPS_PER_BYTE // _STEPS))
    connection.set_progress_handler(lambda: next(looks, None) is None, _STEPS)


def quick_check(connection: sqlite3.Connection) -> str | None:
    """Return the first damage that SQLite finds in the file, or None. Raises sqlite3.Error."""
    finding = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    # The lines before the last one are a heading.
    return None if finding == "ok" else finding.splitlines()[-1]


# Copying


def copy(connection: sqlite3.Connection, part: Path, *, marked: bool) -> None:
    """Write the committed data into a new file that only its owner can read.

    Raises StoreUnavailableError without leaving a file. The copy is made in one read transaction, because SQLite's
    incremental backup would restart after each write of the bot. With ``marked``, the file is marked as a copy.
    """
    try:
        remove(part)
        _require_space(connection, part.parent, part)
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        connection.execute("VACUUM INTO ?", (str(part),))
        if marked:
            mark(part)
    except BaseException as error:
        with suppress(OSError):
            remove(part)
        if isinstance(error, OSError):
            raise StoreUnavailableError(
                f"{part} cannot be written ({error.strerror}). Run this as the bot's user, or give it permission to "
                f"write in {part.parent}"
            ) from error
        # Damage means the source. All other SQLite errors concern the new file.
        trouble = None if _is_damage(error) else translate_error(error, part)
        if trouble is not None:
            raise trouble from error
        raise


def _is_damage(error: BaseException) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _require_space(connection: sqlite3.Connection, folder: Path, part: Path) -> None:
    pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    free = shutil.disk_usage(folder).free
    if free < pages * size:
        raise StoreFullError(
            f"there is no space left for {part}. It needs {pages * size:,} bytes, but {free:,} are free"
        )


def mark(part: Path) -> None:
    """Mark a file as a copy. No other process may have it open."""
    with closing(sqlite3.connect(part, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute(f"PRAGMA application_id = {COPY_ID}")


def remove(path: Path) -> None:
    """Remove a file and the files that SQLite may have left next to it."""
    for side in SIDES:
        beside(path, side).unlink(missing_ok=True)


# Replacing the database


def put_in_place(path: Path, part: Path, *, aside: str) -> None:
    """Replace the database with a complete file in the same folder, and keep the old one at ``<path><aside>``.

    The caller must hold the lock, and no program may have the database open. On failure, raises StoreUnavailableError
    and removes ``part``, unless the replacement is already committed.
    """
    try:
        _require_unused(path)
        # A stray `-wal` of that name must not be used with the old file.
        remove(beside(path, aside))
        sync_file(part)
        part.replace(beside(path, NEXT + aside))
    except (OSError, StoreUnavailableError) as error:
        with suppress(OSError):
            remove(part)
        if isinstance(error, StoreUnavailableError):
            raise
        remedy = owned_by_another(path) or f"give the bot's user permission to write {path} and {path.parent}"
        raise StoreUnavailableError(
            f"{part} cannot be put in place ({error.strerror}), and nothing was changed: {remedy}"
        ) from error
    finish(path)


def finish(path: Path) -> None:
    """Finish a pending replacement, if any. The caller must hold the lock. Raises StoreUnavailableError."""
    for new in waiting(path):
        old = beside(path, new.name.removeprefix(path.name + NEXT))
        try:
            _require_unused(path)
            sync_folder(path.parent)
            for side in SIDES:
                if beside(path, side).exists():
                    beside(path, side).replace(beside(old, side))
            sync_folder(path.parent)
            new.replace(path)
            sync_folder(path.parent)
        except OSError as error:
            raise StoreUnavailableError(
                f"{new} cannot be put in place of {path} ({error.strerror}). Close the programs that have it "
                "open, then start the bot, which finishes this"
            ) from error
