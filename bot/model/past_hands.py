"""The hands that a player looks for among their own."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.model.ids import GuildId, Player


class Within(Enum):
    """How long ago a hand was played at most."""

    EVER = "ever"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"

    @property
    def days(self) -> int:
        """0 without a limit."""
        return {Within.EVER: 0, Within.DAY: 1, Within.WEEK: 7, Within.MONTH: 30}[self]


class Outcome(Enum):
    """What a hand came to for the player."""

    ANY = "any"
    WON = "won"
    LOST = "lost"
    FOUL = "foul"
    FANTASYLAND = "fantasyland"
    """It earned Fantasyland."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which hands somebody looks for."""

    game: str = ""
    """The key of a preset; empty for all games. A house's game counts to its preset."""
    opponent: Player | None = None
    within: Within = Within.EVER
    outcome: Outcome = Outcome.ANY


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """Which hands are written into files: those settled, dealt from ``since`` on and before ``until`` (ms)."""

    guild: GuildId | None
    """None for all servers."""
    player: Player | None
    """None for everybody's."""
    since: int
    until: int
