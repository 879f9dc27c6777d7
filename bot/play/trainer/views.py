"""A puzzle as its solver sees it, without the solution until they have answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.model.puzzles import PuzzleAttempt, PuzzleName, Solver
from bot.pure.ofc.variants import Variant
from bot.pure.rating.model import Rating
from bot.pure.trainer.position import Position
from bot.pure.trainer.puzzle import PuzzlePlacement
from bot.pure.trainer.themes import Theme


@dataclass(frozen=True, slots=True, kw_only=True)
class SolverView:
    """A solver's rating and choices, and the games that they can choose from."""

    solver: Solver
    games: Sequence[Variant]


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleView:
    """A puzzle that its reader hasn't answered."""

    name: PuzzleName
    variant: Variant
    position: Position
    difficulty: Rating
    before: PuzzleAttempt | None
    """The reader's last attempt at it; None if they haven't met it."""
    of: SolverView


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A position with its best placements, after its reader has answered."""

    variant: Variant
    position: Position
    theme: Theme | None
    placements: Sequence[PuzzlePlacement]
    """The best placements, best first."""
    chosen: int | None
    """The index in ``placements`` of the one that leads to the reader's board; None if it isn't among them."""
    people: int
    """Number of people who have tried it."""
    shares: Mapping[str, int]
    """Number of people per placement of ``placements``, and with the reader's. Left out if no one chose it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerView(Compared):
    """A puzzle that its reader has answered, with its solution."""

    name: PuzzleName
    difficulty: Rating
    theme: Theme
    attempt: PuzzleAttempt
    gap: float
    """Lead of the best placement over the next, in points."""
    due_at: int | None
    """Time when the puzzle comes back (ms); None if it doesn't."""
    of: SolverView


@dataclass(frozen=True, slots=True, kw_only=True)
class NoPuzzleView:
    """No puzzle fits the reader's choices now."""

    due_at: int | None
    """Time when one comes back (ms); None if none does."""
    of: SolverView


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoicesView:
    """A solver's choices, and the puzzles that fit them."""

    count: int
    unmet: int
    """Number of those that they haven't tried or put off."""
    of: SolverView
