"""Mistakes as their player sees them: as an exercise, corrected, as a line after a hand, and by month."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.model.ids import TableKey
from bot.model.mistakes import LossCount, MistakeCounts
from bot.model.puzzles import PuzzleName
from bot.model.tables import Table
from bot.play.trainer.views import Compared
from bot.pure.ofc.cards import Card
from bot.pure.ofc.variants import Variant
from bot.pure.trainer.position import Position
from bot.pure.trainer.puzzle import PuzzlePlacement


@dataclass(frozen=True, slots=True, kw_only=True)
class MistakeView:
    """A mistake as an exercise, without its correction and without what the player chose."""

    name: PuzzleName
    variant: Variant
    position: Position
    at: int
    """End of the hand (ms)."""
    last_at: int | None
    """Time of the last answer (ms); None before the first."""
    solved: bool
    """True if the last answer was right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionView(Compared):
    """A mistake with its correction. ``chosen`` is about the last answer, if it's shown."""

    name: PuzzleName
    placed: PuzzlePlacement
    """The placement of the hand."""
    lost: float
    """Its loss in points."""
    street: int
    """0 for a whole board set in one step."""
    at: int
    """End of the hand (ms)."""
    table: Table
    hand_no: int
    number: int
    """Index among the player's decisions of the hand."""
    letters: str
    """The answer; empty if the player only looks."""
    cost: float
    """Its loss in points."""
    solved: bool
    due_at: int | None
    """Time when the mistake comes back (ms); None for a whole board, which isn't given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoMistakeView:
    """No mistake is due."""

    counts: MistakeCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class MistakeLine:
    """The largest clear mistake of a hand, in a few words."""

    name: PuzzleName
    street: int
    """0 for a whole board set in one step."""
    lost: float
    """Points lost."""
    better: Sequence[tuple[str, Sequence[Card]]]
    """The cards that belong elsewhere: each row's letter, or that of a discard, with its cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthView:
    """The points that a player lost, by month, street and theme."""

    starts: Sequence[int]
    """Start of each month (ms), the newest first."""
    losses: Sequence[LossCount]
    counts: MistakeCounts


HandName = tuple[TableKey, int]
"""A hand: its table and number."""
