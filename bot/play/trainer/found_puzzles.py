"""Puzzles that the bot has found: storing them, and verifying them again. This module knows the solutions.

Rules:

1. They come from finished hands (:mod:`bot.play.trainer.hand_puzzles`), and from hands between computer players for
   solvers who have few left (:mod:`bot.play.trainer.shortage`). Nothing says which.
2. There are at most ``MAX_FOUND_PUZZLES``. Computer players add none to the last ``KEPT_FOR_HANDS``.
3. Each new version of the bot verifies all of them again, and withdraws those that it overturns.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from bot.model.limits import MAX_FOUND_PUZZLES
from bot.model.puzzles import FoundPuzzle, PuzzleName
from bot.play.session.session import Session
from bot.play.trainer.all_puzzles import puzzle_named
from bot.play.trainer.known_puzzles import puzzle_name
from bot.play.trainer.training import withdraw
from bot.pure.trainer.puzzle import Puzzle
from bot.pure.trainer.records import puzzle_line


def room(s: Session) -> int:
    """Return the number of puzzles that can still be stored. Withdrawn ones count too."""
    return MAX_FOUND_PUZZLES - s.tx.found_puzzles.count()


def add(s: Session, puzzle: Puzzle, *, version: str, kept: int = 0) -> bool:
    """Store a puzzle that this ``version`` of the bot has verified, and leave room for ``kept`` others.

    Return False if there's no room or there already is such a puzzle.
    """
    s.tx.found_puzzles.hold()
    name = puzzle_name(puzzle.variant.key, str(puzzle.position))
    if room(s) <= kept or puzzle_named(s, name) is not None:
        return False
    s.tx.found_puzzles.save(
        FoundPuzzle(
            name=name,
            game=puzzle.variant.key,
            edition=puzzle.variant.edition,
            theme=puzzle.theme,
            difficulty=puzzle.difficulty,
            line=puzzle_line(puzzle),
            verified_by=version,
        )
    )
    return True


# verifying again


def next_unverified(s: Session, version: str, *, but: Collection[PuzzleName]) -> FoundPuzzle | None:
    """Return a puzzle that this version of the bot hasn't verified; None if there is none.

    ``but`` names puzzles to leave out.
    """
    found = s.tx.found_puzzles.unverified(version, limit=len(but) + 1)
    return next((stored for stored in found if stored.name not in but), None)


def note_verified(s: Session, stored: FoundPuzzle, *, holds: bool, version: str) -> None:
    """Note that this version has verified a puzzle. It's withdrawn unless it ``holds``."""
    if not holds:
        withdraw(s, stored.name)
    s.tx.found_puzzles.hold()
    s.tx.found_puzzles.save(replace(stored, verified_by=version))
