"""Views of the trainer: analyses, and puzzles without their solution until they're answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.model.puzzles import PuzzleAttempt, PuzzleName, Solver
from bot.pure.ofc.cards import BOARD_CARDS
from bot.pure.ofc.variants import Variant
from bot.pure.rating.model import Rating
from bot.pure.trainer.analysis import AnalysedPlacement
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
class AnswerView:
    """A puzzle that its reader has answered, with its solution."""

    name: PuzzleName
    variant: Variant
    position: Position
    difficulty: Rating
    theme: Theme
    attempt: PuzzleAttempt
    placements: Sequence[PuzzlePlacement]
    """The best placements, best first."""
    chosen: int | None
    """The index in ``placements`` of the one that leads to the reader's board; None if it isn't among them."""
    gap: float
    """Lead of the best placement over the next, in points."""
    people: int
    """Number of people who have tried it."""
    shares: Mapping[str, int]
    """Number of people per placement of ``placements``, and with the reader's. Left out if no one chose it."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisView:
    """A position with its best placements."""

    variant: Variant
    position: Position
    placements: Sequence[AnalysedPlacement]
    """Best first."""
    deeper: bool
    """True if they were searched one street further ahead."""

    @property
    def may_deepen(self) -> bool:
        """True if a deeper search may change the order. A whole board has nothing further ahead."""
        whole = len(self.placements[0].letters.replace("D", "")) == BOARD_CARDS
        return not self.deeper and not whole and len(self.placements) > 1
