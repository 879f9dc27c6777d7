"""Weekends off: clocks that don't count Saturday and Sunday. Times are in milliseconds.

Nothing has to happen when a weekend starts or ends. A deadline is computed in advance as the moment when the counted
time is used up, so players lose no time even if the bot is stopped in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo

SATURDAY, DAYS = 5, 7


@dataclass(frozen=True, slots=True)
class LocalWeek:
    """The week in a time zone, such as ``Asia/Tokyo``. An empty or unknown zone means UTC."""

    zone: str = ""

    def ends(self, at: int) -> int | None:
        """Return the end of the weekend that contains ``at``; None if it isn't on a weekend."""
        day = self._day(at)
        return self._midnight(day + timedelta(days=DAYS - day.weekday())) if day.weekday() >= SATURDAY else None

    def deadline(self, start: int, allowed: int) -> int:
        """Return when ``allowed`` ms of counted time have passed since ``start``; never on a weekend.

        >>> friday = 1_800_000_000_000  # 8:00
        >>> (LocalWeek().deadline(friday, 86_400_000) - friday) // 3_600_000
        72
        """
        at = self.ends(start) or start
        while at + allowed >= (begins := self._next_saturday(at)):
            allowed -= begins - at
            at = self.ends(begins) or begins
        return at + allowed

    def counted(self, start: int, end: int) -> int:
        """Return the counted time between two moments; 0 if ``end`` is before ``start``."""
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
    """Return the time zone with this name; UTC if it's empty or unknown on this machine."""
    try:
        return ZoneInfo(name) if name else UTC
    except (OSError, ValueError, LookupError):
        return UTC
