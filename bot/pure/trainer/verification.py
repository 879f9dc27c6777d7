"""Verification of a puzzle: a search one street further ahead, with more deals than when it was found, and others.

``make puzzles`` verifies each puzzle in one go. The bot verifies one in parts, so that other computations can run in
between.

Source: docs/solver.md, "Puzzles".
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.pure.solver.levels import Computers
from bot.pure.trainer.deeper import FIRST, deeper_values
from bot.pure.trainer.position import view_of
from bot.pure.trainer.puzzle import Puzzle

VERIFIED = 203
"""Salt that gives other cards than the search that found the puzzle."""
MORE = 4
"""Deals of a verification, as a multiple of the deals that found the puzzle."""
PARTS = 16
"""Number of parts of a verification with a later street to search."""


def further_ahead(computers: Computers, puzzle: Puzzle, *, deals: int, salt: int) -> tuple[float, ...]:
    """Return the mean values of the placements that a puzzle's answer compares, by a search one street further ahead.

    Raises ValueError if the puzzle's game has no fitted values.
    """
    evaluator = computers.evaluator(puzzle.variant)
    if evaluator is None:
        raise ValueError(puzzle.variant.key)
    letters = [placement.letters for placement in puzzle.placements]
    values, _ = deeper_values(evaluator, view_of(puzzle.position, puzzle.variant), letters, deals=deals, salt=salt)
    return tuple(float(value) for value in values.mean(axis=1))


def parts_of(puzzle: Puzzle) -> int:
    """Return the number of parts. On the last two streets, one part already looks at every deal, or nearly so."""
    return PARTS if puzzle.position.street(puzzle.variant) < len(puzzle.variant.streets) - 1 else 1


def part(computers: Computers, puzzle: Puzzle, number: int) -> tuple[float, ...]:
    """Return the values of a part, which has deals that no other part has."""
    return further_ahead(computers, puzzle, deals=MORE * FIRST // PARTS, salt=VERIFIED + 1 + number)


def keeps_best(parts: Sequence[Sequence[float]]) -> bool:
    """True if the values of all parts together find the first placement best."""
    totals = [sum(values) for values in zip(*parts, strict=True)]
    return all(totals[0] > other for other in totals[1:])
