"""A copy of the puzzles' files, which a test can change as a release does."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.base import puzzle_files
from bot.play.trainer.day_puzzles import medium_puzzles
from bot.play.trainer.known_puzzles import games_with_puzzles, known_puzzles, withdrawn_puzzles


@pytest.fixture
def renewed_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the puzzles' folder. The bot reads it as soon as its caches are cleared."""
    folder = tmp_path / "puzzles"
    shutil.copytree(puzzle_files.FOLDER, folder)
    with monkeypatch.context() as changed:
        changed.setattr(puzzle_files, "FOLDER", folder)
        yield folder
    forget_files()


def forget_files() -> None:
    """Let the bot read the files again."""
    for cached in (
        puzzle_files.puzzle_lines,
        known_puzzles,
        withdrawn_puzzles,
        games_with_puzzles,
        medium_puzzles,
    ):
        cached.cache_clear()
