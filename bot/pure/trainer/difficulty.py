"""Difficulty of puzzles and skill of solvers, on one scale, with the rating model of hands.

A solver and a puzzle of equal ratings win half of their attempts from each other. An attempt only says who won. The
model of hands needs the margin, so it's given the difference of forms, and its luck, after which a normal
distribution has the mean and the deviation that follow from the win exactly (as in TrueSkill, Herbrich et al. 2006).

Source: docs/solver.md, "Puzzles".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, pi, sqrt

from bot.pure.rating.model import Rating, learned

SCALE = 1.0
"""Standard deviation of the luck in an attempt, in the unit of the ratings."""
_FURTHEST = 6.0
"""Maximum lead in standard deviations, so that the most improbable attempt has an effect too."""


def chance(solver: Rating, puzzle: Rating) -> float:
    """Return the probability that the solver finds the best placement, given the uncertainty of both ratings.

    >>> chance(Rating(), Rating())
    0.5
    """
    return _below((solver.mean - puzzle.mean) / _spread(solver, puzzle))


def attempted(solver: Rating, puzzle: Rating, *, solved: bool) -> tuple[Rating, Rating]:
    """Return the ratings of the solver and the puzzle after an attempt."""
    sign, spread = 1 if solved else -1, _spread(solver, puzzle)
    ahead = max(-_FURTHEST, min(_FURTHEST, sign * (solver.mean - puzzle.mean) / spread))
    moves = exp(-ahead * ahead / 2) / sqrt(2 * pi) / _below(ahead)
    narrows = moves * (moves + ahead)
    form = solver.mean - puzzle.mean + sign * spread * moves / narrows
    luck = spread**2 / narrows - solver.deviation**2 - puzzle.deviation**2
    after = learned((solver, puzzle), (form / 2, -form / 2), (luck / 2, luck / 2)).ratings
    return after[0], after[1]


def estimated(attempts: Sequence[tuple[Rating, bool]], prior: Rating) -> Rating:
    """Return a puzzle's rating after attempts by solvers of known skill, whose own ratings stay as they are."""
    found = prior
    for solver, solved in attempts:
        found = attempted(solver, found, solved=solved)[1]
    return found


def _spread(solver: Rating, puzzle: Rating) -> float:
    return sqrt(SCALE**2 + solver.deviation**2 + puzzle.deviation**2)


def _below(deviations: float) -> float:
    """Return the probability that a standard normal variable is below ``deviations``."""
    return erfc(-deviations / sqrt(2)) / 2
