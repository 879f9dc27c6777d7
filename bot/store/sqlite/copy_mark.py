"""Copies of the database: the mark that identifies them, and their names next to the database.

A copy has a mark in the file's header, and keeps it however it's restored. The bot then knows that hands may have been
played that the file doesn't contain.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from bot.store.owner import PLAYGROUND

APPLICATION_ID = int.from_bytes(b"CHAI", "big")
"""Application id in the file's header, so that databases of other programs are left untouched."""
COPY_ID = int.from_bytes(b"CHAC", "big")
"""Application id of a copy, until play has handled the restore (see :func:`bot.play.table.lobby.after_restore`)."""
OURS = (APPLICATION_ID, COPY_ID)

PART = ".part"
"""Suffix of a file that is being written."""

_MAGIC = b"SQLite format 3\0"
_ID_AT = 68
_SHOWN = 3


def beside(path: Path, suffix: str) -> Path:
    """Return ``path`` with ``suffix`` appended to its name."""
    return path.with_name(path.name + suffix)


def free_ending(path: Path, start: str, end: str = "") -> str:
    """Return ``start`` and ``end``, with a number between them if a file with that ending already exists."""
    number, found = 1, f"{start}{end}"
    while beside(path, found).exists():
        number += 1
        found = f"{start}-{number}{end}"
    return found


def last_ending(path: Path, start: str, end: str = "") -> str | None:
    """Return the newest ending that :func:`free_ending` has given; None if there is none."""
    number, found = 1, None
    ending = f"{start}{end}"
    while beside(path, ending).exists():
        found = ending
        number += 1
        ending = f"{start}-{number}{end}"
    return found


def copies_beside(path: Path) -> list[Path]:
    """Return the newest copies in the folder of a database, including those kept by upgrades, newest first."""
    found: list[tuple[float, Path]] = []
    with suppress(OSError):
        for file in path.parent.iterdir():
            with suppress(OSError):
                if file.name != path.name and _is_copy(file, path):
                    found.append((file.stat().st_mtime, file))
    return [file for _, file in sorted(found, reverse=True)[:_SHOWN]]


def _is_copy(file: Path, path: Path) -> bool:
    # Pipes and devices aren't opened, because reading them may block forever.
    if not file.is_file() or file.name.endswith(PART):
        return False
    # The playground's files are in the same folder, and their copies mustn't be mixed up.
    if file.name.startswith(PLAYGROUND) != path.name.startswith(PLAYGROUND):
        return False
    if re.fullmatch(re.escape(path.name) + r"\.v\d+(-\d+)?\.bak", file.name):
        return True
    with file.open("rb") as content:
        head = content.read(_ID_AT + 4)
    return head.startswith(_MAGIC) and int.from_bytes(head[_ID_AT:], "big") == COPY_ID
