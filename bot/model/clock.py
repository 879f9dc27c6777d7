"""The paces of a table: how much time a player has, and when they are reminded. Times are milliseconds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
LEAST_TURN_MS = 5 * SECOND
"""A turn begins with at least this much of a live budget."""
BANK_REFILL_MS = 10 * SECOND
"""The time that the time bank of a live table gets back with each hand."""
REMINDED_FROM_MS = 20 * SECOND
"""Shorter turns have no reminder."""
LATE_MS = 1_500
"""Messages come about a second after what they tell: a turn told within this time began when it began."""
UNTOLD_MS = 3 * MINUTE
"""Nobody waits longer than this for a message that cannot be posted: then it goes on without."""
FORGOTTEN_MS = DAY
"""Without a clock, a turn that nobody takes is placed after a day, so that no table is stuck for ever."""


class Pace(Enum):
    """How time is counted."""

    LIVE = "live"
    """A budget for all turns of a hand, then a time bank that lasts over several hands."""
    PER_TURN = "per_turn"
    RELAXED = "relaxed"
    CORRESPONDENCE = "correspondence"
    """Hours or days a turn; reminders make no sound."""
    NONE = "none"
    """For teaching: no countdown is shown."""


LIMITS = {
    Pace.LIVE: (30, 1800),
    Pace.PER_TURN: (10, 299),
    Pace.RELAXED: (300, 7200),
    Pace.CORRESPONDENCE: (3600, 7 * 86_400),
    Pace.NONE: (0, 0),
}
"""The shortest and the longest time of each pace, in seconds: of a hand at a live table, of a turn elsewhere."""

USUAL = {Pace.LIVE: 120, Pace.PER_TURN: 60, Pace.RELAXED: 600, Pace.CORRESPONDENCE: 86_400, Pace.NONE: 0}
"""The time of a table for which only a pace was chosen, in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A table's pace and its time in seconds: of a whole hand at a live table, of a turn elsewhere."""

    pace: Pace
    seconds: int

    @property
    def bank_ms(self) -> int:
        """The full time bank of a live table: half a budget; 0 elsewhere."""
        return self.seconds * SECOND // 2 if self.pace is Pace.LIVE else 0

    @property
    def budget_ms(self) -> int:
        """The time that a player has for a whole hand at a live table; 0 elsewhere."""
        return self.seconds * SECOND if self.pace is Pace.LIVE else 0

    @property
    def pause_ms(self) -> int:
        """Between two hands by correspondence: a turn's time, a day at most, so that each can leave; 0 elsewhere."""
        return min(self.seconds * SECOND, DAY) if self.pace is Pace.CORRESPONDENCE else 0

    @property
    def quiet(self) -> bool:
        """True when calls and reminders make no sound."""
        return self.pace is Pace.CORRESPONDENCE

    def turn_ms(self, *, whole_board: bool, left_ms: int, bank_ms: int) -> int:
        """How long a turn may take. A whole board (Fantasyland, thirteen cards) takes two turns."""
        if self.pace is Pace.NONE:
            return FORGOTTEN_MS
        if self.pace is Pace.LIVE:
            return max(LEAST_TURN_MS, left_ms + bank_ms)
        return self.seconds * SECOND * (2 if whole_board else 1)


def spent(left_ms: int, bank_ms: int, *, remaining_ms: int) -> tuple[int, int]:
    """The live budget and bank left after a turn that ended with so much time left: the budget goes first."""
    remaining = min(left_ms + bank_ms, max(0, remaining_ms))
    bank = min(bank_ms, remaining)
    return remaining - bank, bank


def pace_for(seconds: int) -> Pace:
    """The pace that a turn of so many seconds belongs to."""
    if seconds < LIMITS[Pace.RELAXED][0]:
        return Pace.PER_TURN
    return Pace.RELAXED if seconds < LIMITS[Pace.CORRESPONDENCE][0] else Pace.CORRESPONDENCE
