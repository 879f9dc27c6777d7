"""Analyses, and puzzles without their solution until their solver has answered or the puzzle of the day is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.model.ids import Player
from bot.model.puzzles import PuzzleAttempt, PuzzleName, Solver
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
    instead_of: Rating | None = None
    """Difficulty of the puzzle that they've just left for this harder or easier one."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution(Compared):
    """A puzzle with its solution."""

    name: PuzzleName
    theme: Theme
    gap: float
    """Lead of the best placement over the next, in points."""
    fouls: bool = False
    """True if the reader's board is bound to foul."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerView(Solution):
    """A puzzle that its reader has answered, with its solution."""

    difficulty: Rating
    attempt: PuzzleAttempt
    people: int
    """Number of people who have tried it."""
    shares: Mapping[str, int]
    """Number of people per placement of ``placements``, and with the reader's. Left out if no one chose it."""
    due_at: int | None
    """Time when the puzzle comes back (ms); None if it doesn't."""
    of: SolverView
    is_latest: bool = True
    """False if the reader has answered other puzzles since, so their rating isn't what this answer made it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoPuzzleView:
    """No puzzle fits the reader's choices now."""

    count: int
    """Number of puzzles that fit them, with those that the reader has met."""
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
        """True if a deeper search may change the values: there's a street ahead, and something was estimated."""
        estimated = any(placement.error for placement in self.placements)
        return not self.deeper and estimated and not self.position.is_last(self.variant)


# puzzles of the day


@dataclass(frozen=True, slots=True, kw_only=True)
class DayPuzzleView(PuzzleView):
    """A server's puzzle of the day, which its reader hasn't answered."""

    day: int
    """Number among the server's puzzles of the day."""
    ends_at: int
    """When the solution comes (ms)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayAnswerView:
    """A puzzle of the day that its reader has answered. It doesn't say if the answer is right."""

    day: int
    name: PuzzleName
    variant: Variant
    position: Position
    letters: str
    """The reader's placement."""
    ends_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DayChoice:
    """A board that members chose."""

    letters: str
    cost: float
    """Loss against the best placement, in points."""
    people: int
    named: Sequence[Player]
    """Those of them that the readers may know, in the order of their answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayResultView(Solution):
    """A puzzle of the day that is over."""

    day: int
    asked_at: int
    choices: Sequence[DayChoice]
    """The choices of ``placements``, in that order, then the others, those of most people first."""
    people: int
    solved: int
    """Number of right answers."""
    mine: int | None
    """The index in ``choices`` of the reader's; None if they didn't answer, or it's for several readers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelledView:
    """A puzzle of the day that was withdrawn."""

    day: int
    asked_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedView:
    """A puzzle of the day as its post asks it."""

    day: int
    name: PuzzleName
    variant: Variant
    position: Position
    difficulty: Rating
    ends_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MorningPuzzle:
    """The puzzle of the day in a morning post."""

    asked: AskedView | None
    """The new one; None if there is none, or the last one isn't over."""
    result: DayResultView | CancelledView | None
    """The last one that is over; None if an earlier post showed it."""
    streak: int
    """Number of puzzles of the day in a row that at least half of the members who answered have solved."""
