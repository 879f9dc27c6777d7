"""Repeating events.

They start at the same local time in their time zone, regardless of daylight saving.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.model.clock import HOUR
from bot.model.events import DAYS, Repeat, RepeatInterval

LEAD_MS = HOUR
"""Minimum time for registration to the next event."""


def next_start(repeat: Repeat, before: int, *, now: int) -> int:
    """Return the first start after the one at ``before`` (ms) that leaves time to register.

    A local time skipped by a clock change moves to the time shown instead. If it occurs twice, the first is used.
    """
    zone = ZoneInfo(repeat.zone)
    day = datetime.fromtimestamp(before / 1000, UTC).astimezone(zone).date()
    clock = time(*divmod(repeat.minute, 60), tzinfo=zone)
    while True:
        day += timedelta(days=DAYS[repeat.every])
        at = round(datetime.combine(day, clock).timestamp()) * 1000
        if at >= now + LEAD_MS:
            return at


def build_repeat(every: RepeatInterval | None, zone: str, starts_at: int | None) -> Repeat | None:
    """Return the repetition of an event that starts at ``starts_at``; None for a single event or without a start."""
    if every is None or starts_at is None:
        return None
    shown = datetime.fromtimestamp(starts_at / 1000, UTC).astimezone(ZoneInfo(zone))
    return Repeat(every=every, zone=zone, minute=shown.hour * 60 + shown.minute)
