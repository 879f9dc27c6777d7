"""SQLite's errors as messages for the operator of a database."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

from bot.base.file_rights import may_write, owned_by_another
from bot.base.installation import COMMAND
from bot.store import (
    StoreBusyError,
    StoreDamagedError,
    StoreDeniedError,
    StoreFatalError,
    StoreFullError,
    StoreUnavailableError,
)
from bot.store.owner import PLAYGROUND
from bot.store.sqlite.copy_mark import beside, copies_beside

UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""Errors when reading a file. Python's driver decodes even the messages about a damaged schema."""
_SHM_BYTES = 32_768
"""Minimum number of bytes that SQLite writes next to a database in WAL mode."""


def translate_error(error: BaseException, path: Path) -> StoreUnavailableError | None:
    """Return the store error for an SQLite error; None if the error is a bug in the bot."""
    # Errors raised by Python's driver itself have no code, nor do other exceptions.
    code = getattr(error, "sqlite_errorcode", None)
    trouble = _trouble(code & 0xFF, error, path) if isinstance(code, int) else None
    if trouble is not None:
        trouble.__cause__ = error
    return trouble


def _trouble(code: int, error: BaseException, path: Path) -> StoreUnavailableError | None:
    match code:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED | sqlite3.SQLITE_PROTOCOL:
            return StoreBusyError(f"{path} is locked by another program. Close that program")
        case sqlite3.SQLITE_FULL:
            return StoreFullError(f"there is no space left for {path}. Free some space on its disk")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            denied = _denied(path)
            remedy = (
                owned_by_another(denied or path) or "give the bot's user permission to write the file and its folder"
            )
            if denied is not None:
                return StoreDeniedError(f"{denied} may not be written ({error}): {remedy}")
            return StoreUnavailableError(f"{path} cannot be written ({error}): {remedy}")
        case sqlite3.SQLITE_IOERR:
            if _is_full(path):
                return StoreFatalError(
                    f"the disk of {path} has no space left ({error}). Free some space, then try again"
                )
            return StoreFatalError(f"the disk of {path} fails ({error}). Check the disk, then try again")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return damaged(path, str(error))
        case sqlite3.SQLITE_INTERRUPT:
            return damaged(path, "reading it never ends")
        case _:
            return None


def _is_full(path: Path) -> bool:
    """True if the disk has no room for SQLite's ``-shm``, which SQLite reports as an I/O error."""
    try:
        return shutil.disk_usage(path.parent).free < _SHM_BYTES
    except OSError:
        return False


def _denied(path: Path) -> Path | None:
    """Return the file or folder of the database at ``path`` that this user can't write to; None if all are writable."""
    files = (path, beside(path, "-wal"), beside(path, "-shm"), beside(path, "-journal"), path.parent)
    return next((file for file in files if file.exists() and not may_write(file)), None)


def damaged(path: Path, finding: str) -> StoreDamagedError:
    """Return the error for a damaged file. It lists the newest copies next to it."""
    copies = ", ".join(str(copy) for copy in copies_beside(path))
    flag = " --playground" if path.name.startswith(PLAYGROUND) else ""
    return StoreDamagedError(
        f"{path} is damaged or not a database ({finding}). Restore a backup with `{COMMAND} restore FILE{flag}`"
        f"{f' (the newest next to it: {copies})' if copies else ''}, or move the file away to start with an empty one"
    )
