"""Events that are held again and again.

They start at the same time of day in their time zone, whatever daylight saving does.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.model.clock import HOUR
from bot.model.events import DAYS, Every, Repeat

LEAD_MS = HOUR
"""People have at least so long to register for the next one."""


def next_start(repeat: Repeat, before: int, *, now: int) -> int:
    """When the one after that of ``before`` starts, in milliseconds: the first that leaves time to register.

    An hour that the clocks skip is the one that they show instead; of one that they show twice the first is meant.
    """
    zone = ZoneInfo(repeat.zone)
    day = datetime.fromtimestamp(before / 1000, UTC).astimezone(zone).date()
    clock = time(*divmod(repeat.minute, 60), tzinfo=zone)
    while True:
        day += timedelta(days=DAYS[repeat.every])
        at = round(datetime.combine(day, clock).timestamp()) * 1000
        if at >= now + LEAD_MS:
            return at


def repeat_of(every: Every | None, zone: str, starts_at: int | None) -> Repeat | None:
    """How an event repeats that starts then; None for one that is held once, and for one without a start time."""
    if every is None or starts_at is None:
        return None
    shown = datetime.fromtimestamp(starts_at / 1000, UTC).astimezone(ZoneInfo(zone))
    return Repeat(every=every, zone=zone, minute=shown.hour * 60 + shown.minute)
