"""A file next to the key that holds the highest heartbeat count seen by the bot in each database.

It reveals an unmarked copy of the database (made by ``cp`` or in a disk snapshot), because the copy's count is lower.
The file is written after the commit that it records. So without a restore, it's never ahead of the database, even after
a kill or a power failure. Each line is ``<id> <beats>``. If a line is lost, a copy of that database isn't detected.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from pathlib import Path

from bot.store import StoreError
from bot.store.disk import require_regular_file, write_whole

_HEADER = "# How far each database has got. Keep this file next to the key, separate from the database's copies."
_LINE = re.compile(r"([0-9a-f]{16}) (\d{1,18})")

_log = logging.getLogger(__name__)


class BeatMark:
    """The mark file of a key file. Without a key file, it stores nothing. Thread-safe."""

    def __init__(self, key_file: Path | None) -> None:
        self.file = None if key_file is None else key_file.with_name(f"{key_file.name}.mark")
        self._complained = False

    def known(self, database: str) -> int:
        """Return the highest count seen for a database; 0 if it's unknown."""
        return self.all().get(database, 0)

    def note(self, database: str, beats: int) -> None:
        """Save a committed heartbeat count. If the file can't be written, log that once."""
        known = self.all()
        if self.file is None or known.get(database, 0) >= beats:
            return
        known[database] = beats
        try:
            write_whole(self.file, [_HEADER, *(f"{name} {most}" for name, most in known.items())])
        except OSError as error:
            self._complain(f"cannot be written ({error.strerror})")

    def add(self, text: str) -> None:
        """Merge the text of another mark file."""
        for database, beats in _beats(text.splitlines()).items():
            self.note(database, beats)

    def all(self) -> dict[str, int]:
        """Return the highest count seen for each database, by id."""
        return _beats(self._lines())

    def _lines(self) -> Sequence[str]:
        if self.file is None:
            return ()
        try:
            require_regular_file(self.file)
            return self.file.read_text(encoding="ascii", errors="replace").splitlines()
        except FileNotFoundError:
            return ()
        except (OSError, StoreError) as error:
            self._complain(f"cannot be read ({error})")
            return ()

    def _complain(self, trouble: str) -> None:
        if not self._complained:
            self._complained = True
            _log.warning("%s %s: a copy of the database restored with cp would not be noticed", self.file, trouble)


def _beats(lines: Sequence[str]) -> dict[str, int]:
    return {found[1]: int(found[2]) for found in map(_LINE.fullmatch, lines) if found}
