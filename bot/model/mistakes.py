"""Stored values of *My mistakes*: players who use it, their judged hands, and their mistakes."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.ids import GuildId, TableId, TableKey
from bot.model.puzzles import PuzzleName
from bot.pure.trainer.correction import Correction
from bot.pure.trainer.themes import Theme

NO_MISTAKE = PuzzleName("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """A player who has opened *My mistakes*, so that their hands are judged."""

    since: int
    """Time in milliseconds."""
    shown: PuzzleName = NO_MISTAKE
    """The mistake that they were given and haven't answered; empty if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedDecision:
    """A decision that counts."""

    number: int
    """Index among the player's decisions of the hand."""
    street: int
    """0 for a whole board set in one step."""
    lost: int
    """Hundredths of a point; 0 if it was no clear mistake."""
    theme: Theme | None = None
    """None for a whole board, and if it was no clear mistake."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A clear mistake, and what its player has answered since. Times are in milliseconds."""

    name: PuzzleName
    """Digest of its hand, player and decision, as long as a puzzle's."""
    guild: GuildId
    table: TableId
    hand_no: int
    number: int
    """Index among the player's decisions of the hand."""
    at: int
    """End of the hand."""
    correction: Correction
    whole: bool
    """True for a whole board. It can be looked at, but isn't given as an exercise."""
    due_at: int
    """Earliest time when it's given."""
    last_at: int | None = None
    """Time of the last answer; None before the first."""
    stability: float | None = None
    difficulty: float | None = None
    """The memory model's values. None before the first answer."""
    tries: int = 0
    letters: str = ""
    """The last answer, one letter per card in the order dealt."""
    cost: int = 0
    """Its loss, in hundredths of a point."""
    solved: bool = False
    cause: str | None = None
    """The press of the last answer, which has only one effect even if it arrives twice."""
    candidate: bool = False
    """True until it's known whether the position makes a puzzle for everyone."""

    @property
    def key(self) -> TableKey:
        """The table."""
        return TableKey(guild=self.guild, table=self.table)


@dataclass(frozen=True, slots=True, kw_only=True)
class MistakeCounts:
    """Numbers of hands and mistakes, done and waiting."""

    waiting: int
    """Number of finished hands that aren't judged yet."""
    hands: int
    """Number of judged hands."""
    mistakes: int
    due: int
    """Number of mistakes to give now."""
    next_at: int | None
    """Time when the next one comes back (ms); None if none does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LossCount:
    """Decisions on one street and of one theme, in one month."""

    month: int
    """Months before the newest one: 0 for that itself."""
    street: int
    """0 for a whole board set in one step."""
    theme: Theme | None
    """None for a whole board, and for decisions that weren't clear mistakes."""
    decisions: int
    lost: int
    """Hundredths of a point."""
