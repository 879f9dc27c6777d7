"""Stored values of the trainer: puzzles, solvers, attempts, when a puzzle comes back, and puzzles of the day."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

from bot.model.ids import Player
from bot.pure.rating.model import NEWCOMER, Rating
from bot.pure.trainer.themes import Theme

PuzzleName = NewType("PuzzleName", str)
"""Digest of a puzzle's game and position, 12 hexadecimal digits. A puzzle keeps its name in later releases."""
NO_PUZZLE = PuzzleName("")
HARDEST = 4
"""Maximum number of presses of Harder or Easier that count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleRecord:
    """A puzzle's difficulty and tries, from the attempts of all solvers."""

    name: PuzzleName
    rating: Rating
    """The difficulty. ``hands`` is the number of solvers."""
    solved: int = 0
    """Number of solvers whose first attempt was right."""
    withdrawn: bool = False
    """True if a deeper search has found another best placement, so the puzzle isn't given any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleTraits:
    """The traits that puzzles are chosen by."""

    game: str
    """Key of the game."""
    theme: Theme
    difficulty: Rating
    """The difficulty before anyone has tried it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPuzzle:
    """A puzzle that the bot has found in a hand. Nothing in it says whose hand it was, where or when."""

    name: PuzzleName
    game: str
    """Key of the game."""
    edition: int
    """Edition of the game's rules."""
    theme: Theme
    difficulty: Rating
    """The difficulty before anyone has tried it."""
    line: str
    """The puzzle as a line of JSON, as in ``data/puzzles``."""
    verified_by: str
    """Version of the bot that has verified it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solver:
    """A person who solves puzzles, everywhere the same."""

    rating: Rating = NEWCOMER
    """The skill. ``hands`` is the number of puzzles tried."""
    theme: Theme | None = None
    """The theme of the puzzles they want; None for all."""
    games: tuple[str, ...] = ()
    """Keys of the games they want; empty for all."""
    harder: int = 0
    """Steps above their rating for their next puzzles; negative for easier ones."""
    shown: PuzzleName = NO_PUZZLE
    """The puzzle that they were given and haven't answered; empty if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleAttempt:
    """A solver's answer to a puzzle."""

    number: int
    """Number of the solver's attempt, from 1."""
    puzzle: PuzzleName
    letters: str
    """The placement, one letter per card in the order dealt."""
    cost: int
    """Its loss against the best placement, in hundredths of a point."""
    solved: bool
    rated: bool
    """True for the solver's first attempt at this puzzle, which changes both ratings."""
    moved: float
    """Change of the solver's rating."""
    at: int
    """Time in milliseconds."""
    cause: str
    """The press, which has only one effect even if it arrives twice."""
    forgiven: bool = False
    """True if the puzzle was withdrawn and the solver got back what this attempt had cost them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repetition:
    """A puzzle that comes back. Times are in milliseconds."""

    puzzle: PuzzleName
    due_at: int
    last_at: int | None = None
    """Time of the last answer; None if the puzzle was only put off."""
    stability: float | None = None
    difficulty: float | None = None
    """The memory model's values. None before the first answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayPuzzle:
    """A server's puzzle of the day. Times are in milliseconds."""

    number: int
    """Number among the server's puzzles of the day, from 1."""
    puzzle: PuzzleName
    asked_at: int
    """Scheduled hour of the morning post that asks it."""
    ends_at: int
    """When the answers and the solution are no longer secret."""
    people: int | None = None
    """Number of answers; None until they're rated."""
    solved: int | None = None
    """Number of right answers; None until they're rated."""

    @property
    def is_rated(self) -> bool:
        """True once the day is over and its answers have changed the ratings."""
        return self.people is not None

    @property
    def is_solved(self) -> bool:
        """True if at least half of the answers were right. A day without answers isn't solved."""
        return bool(self.people) and 2 * (self.solved or 0) >= (self.people or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class DayAnswer:
    """A member's only answer to a puzzle of the day."""

    player: Player
    letters: str
    """The placement, one letter per card in the order dealt."""
    at: int
    """Time in milliseconds."""
    cause: str
    """The press, which has only one effect even if it arrives twice."""
    rated: bool = False
    """True once the day is over and this answer has been considered for the ratings."""
