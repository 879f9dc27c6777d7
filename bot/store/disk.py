"""Files as any store has them: which are refused, when they are safe, which waits to be the database; and beats.

How far a database had come when the bot last saw it stands in a small file beside the key. A copy of the database that
nothing marks, made by ``cp`` or in a snapshot of its disk, is told by it: its beats are fewer than the file knows. The
file is written after the commit that it tells of, and so is never ahead of a database that nobody put back: not after
a kill, nor after a power failure. One line a database, ``<id> <beats>``; what is lost of it is found to be fine, and a
copy isn't noticed then.
"""

from __future__ import annotations

import logging
import os
import re
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


_HEADER = "# How far each database has come. Leave it beside the key, apart from the database's copies."
_LINE = re.compile(r"([0-9a-f]{16}) (\d{1,18})")

_log = logging.getLogger(__name__)


class BeatMark:
    """The file that belongs to a key file. Without one nothing is known and nothing noted. Any thread may ask."""

    def __init__(self, key_file: Path | None) -> None:
        self.file = None if key_file is None else key_file.with_name(f"{key_file.name}.mark")
        self._complained = False

    def known(self, database: str) -> int:
        """The most beats that a database was seen to have, by its id; 0 for one that is not known here."""
        return self.all().get(database, 0)

    def note(self, database: str, beats: int) -> None:
        """Keep that a database has come so far, which is committed. What cannot be written is told once, in the log."""
        known = self.all()
        if self.file is None or known.get(database, 0) >= beats:
            return
        known[database] = beats
        try:
            write_whole(self.file, [_HEADER, *(f"{name} {most}" for name, most in known.items())])
        except OSError as error:
            self._complain(f"cannot be written ({error.strerror})")

    def add(self, text: str) -> None:
        """Note what another file of this kind knows."""
        for database, beats in _beats(text.splitlines()).items():
            self.note(database, beats)

    def all(self) -> dict[str, int]:
        """The most beats of each database, by its id."""
        return _beats(self._lines())

    def _lines(self) -> Sequence[str]:
        if self.file is None:
            return ()
        try:
            demand_file(self.file)
            return self.file.read_text(encoding="ascii", errors="replace").splitlines()
        except FileNotFoundError:
            return ()
        except (OSError, StoreError) as error:
            self._complain(f"cannot be read ({error})")
            return ()

    def _complain(self, trouble: str) -> None:
        if not self._complained:
            self._complained = True
            _log.warning("%s %s: a copy of the database put back by cp would not be noticed", self.file, trouble)


def _beats(lines: Sequence[str]) -> dict[str, int]:
    return {found[1]: int(found[2]) for found in map(_LINE.fullmatch, lines) if found}
