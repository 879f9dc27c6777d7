"""How fast one person may go on: no slower than anybody plays at several tables, and not as fast as a machine types."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from math import ceil

from bot.model.ids import Player

MINUTE_MS = 60_000
FORGET_EVERY = 1_000
"""Interactions between two looks for people who have rested since."""


class PressKind(Enum):
    """What a press or command leads to; each is counted for itself."""

    PRIVATE = "private"
    """Cards that are placed, and whatever else is shown to the presser alone."""
    PUBLIC = "public"
    """What others see too: tables, seats, events."""
    DRAWN = "drawn"
    """Pictures for the presser alone: a page of a leaderboard takes a tenth of a second of everybody's time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """So many at once, after a rest; and so many a minute in the long run."""

    burst: int
    a_minute: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """What one person may do in all servers together."""

    private: Rate = Rate(burst=150, a_minute=300)
    public: Rate = Rate(burst=15, a_minute=20)
    drawn: Rate = Rate(burst=15, a_minute=20)

    def of(self, kind: PressKind) -> Rate:
        """That of a kind."""
        return {PressKind.PRIVATE: self.private, PressKind.PUBLIC: self.public, PressKind.DRAWN: self.drawn}[kind]


@dataclass(slots=True)
class Brakes:
    """Remembers how fast everybody has been lately. Times are milliseconds, by Discord's clock."""

    rates: Rates
    _free_at: dict[tuple[Player, PressKind], float] = field(default_factory=dict)
    """When a person will have rested from all that was let through."""
    _taken: int = 0

    def wait_seconds(self, player: Player, kind: PressKind, *, at: int) -> int:
        """0 for an interaction that is let through; else after how many seconds the next one will be."""
        rate = self.rates.of(kind)
        gap = MINUTE_MS / rate.a_minute
        free_at = max(self._free_at.get((player, kind), at), at)
        early = free_at - gap * (rate.burst - 1) - at
        if early > 0:
            return ceil(early / 1000)
        self._free_at[player, kind] = free_at + gap
        self._forget(at)
        return 0

    def _forget(self, now: int) -> None:
        self._taken += 1
        if self._taken % FORGET_EVERY == 0:
            self._free_at = {who: free_at for who, free_at in self._free_at.items() if free_at > now}
