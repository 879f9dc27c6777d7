"""What is played at a table, for what and how fast: all that somebody can choose for one."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.clock import Clock
from bot.ofc.settlement import WinCap
from bot.ofc.variants import Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most that a seat can win in a hand, and how the point value rises. Nobody loses more than their stack."""

    win_cap: WinCap = WinCap.OWN_STACK
    bust_is_final: bool = False
    """True: a seat that has lost its last chip collects nothing from the pairs settled after it."""
    levels: tuple[int, ...] = ()
    """Point values one after the other; empty where it stays the same."""
    level_hands: int = 0
    """Hands a level."""
    top_up: bool = True
    """True: players may fill their stack up to the buy-in between hands."""

    def point_value(self, hand_no: int) -> int | None:
        """The point value of a hand by the levels; None without levels. The last level goes on for ever."""
        if not self.levels:
            return None
        return self.levels[min((hand_no - 1) // self.level_hands, len(self.levels) - 1)]


USUAL_LIMITS = Limits()
"""A seat loses its stack at most, and wins as much again at most; the point value stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The game of a table, its stakes, seats and clock. A table holds them, and so does the offer of one."""

    variant: Variant
    point_value: int
    """Chips a point; 0 is practice without chips."""
    buy_in: int
    max_seats: int
    clock: Clock
    limits: Limits = USUAL_LIMITS
    quiet: bool = False
    """True where nobody is called."""
    starts_with: int = 0
    """A queue deals by itself once so many sit; 0 where the host starts."""

    @property
    def practice(self) -> bool:
        """True when no chips are played for."""
        return self.point_value == 0
