"""The puzzles that come with the bot: the files in ``data/puzzles``, with a line of JSON per puzzle."""

from __future__ import annotations

from functools import cache

from bot.base.installation import SHIPPED

FOLDER = SHIPPED / "puzzles"


@cache
def puzzle_lines(game: str) -> tuple[str, ...]:
    """Return the lines of a game's puzzles by its key; empty if it has none."""
    path = FOLDER / f"{game}.jsonl"
    return tuple(path.read_text(encoding="utf-8").splitlines()) if path.is_file() else ()
