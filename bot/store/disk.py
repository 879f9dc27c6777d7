"""File operations for stores: refusing special files, writing durably, and finding a database's pending replacement."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bot.store import StoreError

NEXT = ".next"
"""Suffix of a file that will replace the database."""


def require_regular_file(path: Path) -> None:
    """Raise StoreError for a pipe or a device, because opening one may block forever."""
    try:
        kind = path.stat().st_mode
    except (OSError, ValueError):
        return  # missing or inaccessible files are refused when they're opened
    if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
        raise StoreError(f"{path} is a pipe or a device. Name a regular file")


def sync_file(path: Path) -> None:
    """Flush the file's content to disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Flush the folder's entries to disk. Windows does so automatically, and has no call for it."""
    if os.name != "posix":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def whole(path: Path, lines: Sequence[str]) -> Path:
    """Write ``lines`` to a new file next to ``path``, readable only by its owner, and flush it. Raises OSError."""
    number, name = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write("".join(f"{line}\n" for line in lines))
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        Path(name).unlink()
        raise
    return Path(name)


def write_whole(path: Path, lines: Sequence[str]) -> None:
    """Replace a file atomically. Raises OSError."""
    # If ``path`` is a link, replace its target.
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    whole(path, lines).replace(path)
    sync_folder(path.parent)


def waiting(path: Path) -> list[Path]:
    """Return the pending replacements of the database, if any."""
    try:
        return sorted(file for file in path.parent.iterdir() if file.name.startswith(f"{path.name}{NEXT}."))
    except OSError:
        return []
