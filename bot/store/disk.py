"""Files as any store has them: which are refused, when they are safe, and which one waits to be the database."""

from __future__ import annotations

import os
import stat
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


def waiting(path: Path) -> list[Path]:
    """The file that is to take the database's place, if there is one."""
    try:
        return sorted(file for file in path.parent.iterdir() if file.name.startswith(f"{path.name}{NEXT}."))
    except OSError:
        return []
