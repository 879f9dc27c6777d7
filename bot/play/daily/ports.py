"""What the hands of a day need from the world: their rows, and somebody who plays like a master."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, cast

from bot.ofc.log import Fact
from bot.ofc.view import HandView
from bot.play.daily.model import Attempt, Challenge, ChallengeId
from bot.play.daily.rules import Series, Streak
from bot.play.model import Player
from bot.play.ports import Tx
from bot.play.session import Session

Thinker = Callable[[HandView], Awaitable[str]]
"""What a master places, who sees what a player in their seat sees."""


class DailyRows(Protocol):
    """The hands of a day, everybody's try at them, and streaks."""

    def next_challenge(self) -> ChallengeId: ...
    def save_challenge(self, challenge: Challenge) -> None: ...
    def challenge(self, number: ChallengeId) -> Challenge | None: ...
    def challenge_of(self, series: Series, day: int) -> Challenge | None:
        """The newest of a day."""
        ...

    def unrevealed(self, before: int) -> list[Challenge]:
        """Those of days before this one whose seed lies sealed and is not lost."""
        ...

    def attempt(self, number: ChallengeId, player: Player) -> Attempt | None: ...
    def save_attempt(self, attempt: Attempt) -> None: ...
    def played(self, number: ChallengeId, player: Player) -> list[Fact]:
        """The facts of a try, in order; raises ``bot.ofc.log.LogError`` for one that cannot be read."""
        ...

    def append_played(
        self, number: ChallengeId, player: Player, facts: Sequence[Fact], *, cause: str, at: int
    ) -> None: ...
    def counts(self, number: ChallengeId) -> dict[int, int]:
        """How many people have finished with so many points."""
        ...

    def count(self, number: ChallengeId, points: int) -> None:
        """Count one more."""
        ...

    def streak(self, player: Player) -> Streak | None: ...
    def save_streak(self, player: Player, streak: Streak) -> None: ...


class DailyTx(Tx, DailyRows, Protocol):
    """A transaction with all that it keeps of the hands of a day."""


def tx_of(s: Session) -> DailyTx:
    """The session's transaction with what it keeps of the hands of a day, which tables know nothing of."""
    return cast(DailyTx, s.tx)
