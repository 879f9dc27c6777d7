"""Files as any store has them: which are refused, when they are safe, and which waits to be the database."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bot.store import StoreError

NEXT = ".next"
"""Stands behind the database's name in that of a file that is to take its place."""


def demand_file(path: Path) -> None:
    """Refuse a pipe or a device, which may keep whoever opens it waiting for ever. Raises StoreError."""
    try:
        kind = path.stat().st_mode
    except (OSError, ValueError):
        return  # what is not there, or cannot be looked at, is refused where it is opened
    if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
        raise StoreError(f"{path} is a pipe or a device: name an ordinary file")


def sync_file(path: Path) -> None:
    """Wait until the file's content is on the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make the folder's new entries outlive a power failure; Windows does so by itself and cannot be asked."""
    if os.name != "posix":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def whole(path: Path, lines: Sequence[str]) -> Path:
    """A new file beside ``path`` with these lines, safe on the disk; only its owner may read it. Raises OSError."""
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
    """Replace a file, whole or not at all. Raises OSError."""
    # A link stays one.
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    whole(path, lines).replace(path)
    sync_folder(path.parent)


def waiting(path: Path) -> list[Path]:
    """The file that is to take the database's place, if there is one."""
    try:
        return sorted(file for file in path.parent.iterdir() if file.name.startswith(f"{path.name}{NEXT}."))
    except OSError:
        return []
