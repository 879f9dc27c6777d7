"""When the director looks at an event whatever happens until then."""

from __future__ import annotations

from bot.model.clock import MINUTE
from bot.model.events import Event, Phase

SOON_MS = 10 * MINUTE
"""So long before the start people are called."""
LOOK_MS = 10 * MINUTE
"""The director looks at a running event at least this often, although whatever happens in it has it looked at."""


def next_alarm(event: Event, *, now: int) -> int | None:
    """When something is due by the clock, in milliseconds."""
    if event.phase.over:
        return None
    if event.phase is Phase.RUNNING:
        # A pause stops the clocks: what was due in it is looked at when it is over.
        due = [now + LOOK_MS] if event.paused else [event.level_ends_at, event.break_until, now + LOOK_MS]
        return max(now + 1, min(at for at in due if at is not None))
    if event.starts_at is None:
        return None
    times = [event.starts_at]
    if not event.reminded:
        times.append(event.starts_at - SOON_MS)
    if event.phase is Phase.REGISTERING and event.check_in_at is not None:
        times.append(event.check_in_at)
    return max(now + 1, min(times))
