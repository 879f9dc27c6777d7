"""How Discord repeats an event by itself: at the same hour of universal time, whatever the clocks of a place show."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from bot.model.clock import DAY, MINUTE
from bot.model.events import DAYS, Event, Every
from bot.play.event.vouching import next_start

WEEKLY, DAILY = 2, 3
"""Discord's numbers of frequencies."""
AHEAD_MS = 60 * DAY
"""For so long the dates must keep their hour of universal time: a rule takes no end, and tells no false one soon."""


def rule_of(event: Event) -> Mapping[str, Any] | None:
    """Discord's rule for the dates of an event from its next one on; None where it has none, or could not keep to them.

    That is so where the clocks change soon, and where this date was put off to another hour.
    """
    repeat, starts_at = event.repeat, event.starts_at
    if repeat is None or starts_at is None:
        return None
    step, at = DAYS[repeat.every] * DAY, starts_at
    while at < starts_at + AHEAD_MS:
        following = next_start(repeat, at, now=0)
        if abs(following - at - step) >= MINUTE:  # an event "in 2 hours" begins at some second
            return None
        at = following
    start = datetime.fromtimestamp(starts_at / 1000, UTC)
    if repeat.every is Every.DAY:
        return {"start": start.isoformat(), "frequency": DAILY, "interval": 1}
    interval = DAYS[repeat.every] // DAYS[Every.WEEK]
    weekday = start.weekday()  # Discord's weeks begin on Monday as well
    return {"start": start.isoformat(), "frequency": WEEKLY, "interval": interval, "by_weekday": [weekday]}
