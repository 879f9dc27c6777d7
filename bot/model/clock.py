"""Clocks of a table: paces, turn times, time banks and reminders. Times are in milliseconds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
MIN_TURN_MS = 5 * SECOND
"""Minimum time when a turn starts at a live table."""
BANK_REFILL_MS = 10 * SECOND
"""Time added to the time bank of a live table with each hand."""
REMINDED_FROM_MS = 20 * SECOND
"""Minimum turn time for which there's a reminder."""
LATE_MS = 1_500
"""Maximum normal delay of a message. If a turn is announced within this time, it counts from its actual start."""
ANNOUNCE_TIMEOUT_MS = 3 * MINUTE
"""Maximum wait for an announcement that can't be posted. After that, the turn starts without one."""
FORGOTTEN_MS = DAY
"""Turn time at tables without a clock, so that an abandoned table isn't stuck forever."""


class Pace(Enum):
    """How a player's time is limited."""

    LIVE = "live"
    """A budget for all turns of a hand, plus a time bank that carries over between hands."""
    PER_TURN = "per_turn"
    RELAXED = "relaxed"
    CORRESPONDENCE = "correspondence"
    """Hours or days per turn, with silent reminders."""
    NONE = "none"
    """No countdown, for teaching."""


LIMITS = {
    Pace.LIVE: (30, 1800),
    Pace.PER_TURN: (10, 299),
    Pace.RELAXED: (300, 7200),
    Pace.CORRESPONDENCE: (3600, 7 * 86_400),
    Pace.NONE: (0, 0),
}
"""Minimum and maximum time for each pace in seconds, per hand at a live table and per turn elsewhere."""

DEFAULT_SECONDS = {Pace.LIVE: 120, Pace.PER_TURN: 60, Pace.RELAXED: 600, Pace.CORRESPONDENCE: 86_400, Pace.NONE: 0}
"""Default time for each pace, in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A table's pace, and its time in seconds: per hand at a live table and per turn elsewhere."""

    pace: Pace
    seconds: int

    @property
    def bank_ms(self) -> int:
        """A live table's full time bank, which is half the budget; 0 elsewhere."""
        return self.seconds * SECOND // 2 if self.pace is Pace.LIVE else 0

    @property
    def budget_ms(self) -> int:
        """A player's time per hand at a live table; 0 elsewhere."""
        return self.seconds * SECOND if self.pace is Pace.LIVE else 0

    @property
    def pause_ms(self) -> int:
        """Pause between two correspondence hands, when players can leave: a turn's time, up to a day; 0 elsewhere."""
        return min(self.seconds * SECOND, DAY) if self.pace is Pace.CORRESPONDENCE else 0

    @property
    def quiet(self) -> bool:
        """True if pings and reminders are silent."""
        return self.pace is Pace.CORRESPONDENCE

    def turn_ms(self, *, whole_board: bool, left_ms: int, bank_ms: int) -> int:
        """Return the time for a turn. A whole board (Fantasyland or thirteen cards) gets twice the time."""
        if self.pace is Pace.NONE:
            return FORGOTTEN_MS
        if self.pace is Pace.LIVE:
            return max(MIN_TURN_MS, left_ms + bank_ms)
        return self.seconds * SECOND * (2 if whole_board else 1)


def time_after_turn(left_ms: int, bank_ms: int, *, remaining_ms: int) -> tuple[int, int]:
    """Return the budget and time bank left after a turn that ended with ``remaining_ms``. The budget is used first."""
    remaining = min(left_ms + bank_ms, max(0, remaining_ms))
    bank = min(bank_ms, remaining)
    return remaining - bank, bank


def pace_for(seconds: int) -> Pace:
    """Return the pace for a turn time of ``seconds``."""
    if seconds < LIMITS[Pace.RELAXED][0]:
        return Pace.PER_TURN
    return Pace.RELAXED if seconds < LIMITS[Pace.CORRESPONDENCE][0] else Pace.CORRESPONDENCE
