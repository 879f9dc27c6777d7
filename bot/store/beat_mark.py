"""How far a database had come when the bot last saw it, in a small file beside the key.

A copy of the database that nothing marks, made by ``cp`` or in a snapshot of its disk, is told by it: its beats are
fewer than the file knows. The file is written after the commit that it tells of, and so is never ahead of a database
that nobody put back: not after a kill, nor after a power failure. One line a database, ``<id> <beats>``; a line that is
lost is found to be fine, and a copy isn't noticed then.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from pathlib import Path

from bot.store import StoreError
from bot.store.disk import demand_file, write_whole

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
