"""Weekends off: the time that counts leaves out Saturday and Sunday. Times are milliseconds.

Nothing wakes up when a weekend begins or ends: a deadline is set where the time that counts is over. So whatever ends
the bot in between, nobody loses time.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo

SATURDAY, DAYS = 5, 7


@dataclass(frozen=True, slots=True)
class Week:
    """The weeks of a time zone, such as ``Asia/Tokyo``; of UTC where it is empty, or none that the machine knows."""

    zone: str = ""

    def ends(self, at: int) -> int | None:
        """When the weekend ends that a moment falls in; None for a moment that counts."""
        day = self._day(at)
        return self._midnight(day + timedelta(days=DAYS - day.weekday())) if day.weekday() >= SATURDAY else None

    def deadline(self, start: int, allowed: int) -> int:
        """When so much time that counts is over from a moment on; never on a weekend.

        >>> friday = 1_800_000_000_000  # 8:00
        >>> (Week().deadline(friday, 86_400_000) - friday) // 3_600_000
        72
        """
        at = self.ends(start) or start
        while at + allowed >= (begins := self._next_saturday(at)):
            allowed -= begins - at
            at = self.ends(begins) or begins
        return at + allowed

    def counted(self, start: int, end: int) -> int:
        """How much of the time between two moments counts; 0 where the second is the earlier."""
        at, sum_of = self.ends(start) or start, 0
        while at < end:
            begins = self._next_saturday(at)
            sum_of += min(begins, end) - at
            at = self.ends(begins) or begins
        return sum_of

    def _next_saturday(self, at: int) -> int:
        day = self._day(at)
        return self._midnight(day + timedelta(days=SATURDAY - day.weekday()))

    def _day(self, at: int) -> date:
        return datetime.fromtimestamp(at / 1000, zone_known(self.zone)).date()

    def _midnight(self, day: date) -> int:
        return round(datetime.combine(day, time(), zone_known(self.zone)).timestamp() * 1000)


@cache
def zone_known(name: str) -> tzinfo:
    """The time zone of this name; UTC for an empty one, or one that the machine does not know."""
    try:
        return ZoneInfo(name) if name else UTC
    except (OSError, ValueError, LookupError):
        return UTC
