"""When an event is or was, in plain text, for suggestions and buttons, which can't contain Discord's times."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from bot.model.events import Event, Phase
from bot.text.words import Words


def when_text(event: Event, words: Words, *, zone: str, now: int) -> str:
    """Return the date of a coming event, or the state of one that has started: ``finished 12 November``."""
    if event.phase is Phase.RUNNING:
        return words("event_acts.when.running")
    if event.phase.over:
        day = _day(event.ended_at or event.created_at, words, zone=zone, now=now)
        return words(f"event_acts.when.{event.phase.value}", day=day)
    if event.starts_at is None:
        return words("event_acts.when.open")
    return _day(event.starts_at, words, zone=zone, now=now)


def _day(at: int, words: Words, *, zone: str, now: int) -> str:
    """Return a day in a time zone, with its year unless it's the present one."""
    shown, today = (datetime.fromtimestamp(moment / 1000, UTC).astimezone(ZoneInfo(zone)) for moment in (at, now))
    month = words(f"badge.months.{shown.month}")
    if shown.year == today.year:
        return words("event_acts.when.day", day=shown.day, month=month)
    return words("event_acts.when.day_of_year", day=shown.day, month=month, year=str(shown.year))
