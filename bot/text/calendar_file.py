"""Events as a file for people's calendars (iCalendar, RFC 5545).

A date keeps its UID for ever and its SEQUENCE rises with each change, so a newer file takes an older one's place. All
dates of an event that repeats are one entry with a rule, by the clocks of its time zone: its UID is the repetition's,
and outlives the single events.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import icalendar

from bot.model.events import DAYS, Event, Every, Phase, Repeat
from bot.text.games import full_name
from bot.text.words import Words

PRODUCT = "-//Chaipo//Chaipo//EN"
HOST = "chaipo"
"""What makes its UIDs its own."""
ZONE_YEARS = 20
"""For so long a file knows the clock changes of a time zone."""
A_MINUTE = timedelta(minutes=1)
"""A date that begins by so little beside the hour of its rule begins at it."""
SKIPPED_YEARS = 10
"""For so long a file says what is meant where the clocks skip the hour of a date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """An event with a start time, and what its entry says of it."""

    event: Event
    lasts_ms: int
    place: str
    link: str
    """The address of its message; empty for none."""
    single: bool = False
    """True where only this date is meant of an event that repeats."""


def calendar_file(dated: Sequence[Dated], words: Words, *, now: int) -> bytes:
    """A calendar with an entry for each event, or for all its dates; ``now`` in milliseconds.

    Each must have a start time.
    """
    made = icalendar.Calendar()
    made.add("prodid", PRODUCT)
    made.add("version", "2.0")
    made.add("calscale", "GREGORIAN")
    for one in dated:
        event = one.event
        assert event.starts_at is not None
        cancelled = event.phase is Phase.CANCELLED
        if one.single or cancelled or not event.repeats_as:
            made.add_component(_entry(one, words, uid=uid_of(event), sequence=event.version, now=now))
        # One that was cancelled is the last of its repetition: otherwise the next one has that by now.
        if event.repeats_as and not one.single:
            for entry in _repeating(one, words, now=now):
                made.add_component(entry)
    first = min((_utc(one.event.starts_at or 0).year for one in dated), default=1970)
    made.add_missing_timezones(first_date=date(first, 1, 1), last_date=date(first + ZONE_YEARS, 1, 1))
    return bytes(made.to_ical())


def uid_of(event: Event) -> str:
    """The name of this one date."""
    return f"event-{event.key.number}-{event.tag}-{event.key.guild}@{HOST}"


def uid_of_all(event: Event) -> str:
    """The name of all dates of an event that repeats."""
    return f"series-{event.repeats_as}-{event.key.guild}@{HOST}"


def _repeating(one: Dated, words: Words, *, now: int) -> list[icalendar.Event]:
    """The entry of all dates from this one on; and of this one, where it was put off to another hour."""
    event = one.event
    uid, sequence = uid_of_all(event), event.repeats_changes + event.version
    entry = _entry(one, words, uid=uid, sequence=sequence, now=now)
    if event.repeat is None:  # stopped: this is the last date
        return [entry]
    start = _regular(event.repeat, event.starts_at or 0)
    length = timedelta(milliseconds=one.lasts_ms)
    _times(entry, start, length)
    entry.add("rrule", {"freq": "DAILY" if event.repeat.every is Every.DAY else "WEEKLY", "interval": _interval(event)})
    for skipped, meant in _skipped(event.repeat, start):
        entry.add("exdate", skipped)
        entry.add("rdate", meant)
    if abs(start.astimezone(UTC) - _utc(event.starts_at or 0)) < A_MINUTE:
        return [entry]
    moved = _entry(one, words, uid=uid, sequence=sequence, now=now)
    moved.add("recurrence-id", start)
    return [entry, moved]


def _interval(event: Event) -> int:
    return 2 if event.repeat is not None and event.repeat.every is Every.FORTNIGHT else 1


def _regular(repeat: Repeat, starts_at: int) -> datetime:
    """The hour of a date by the rule, as the clocks there show it."""
    zone = ZoneInfo(repeat.zone)
    return datetime.combine(_utc(starts_at).astimezone(zone).date(), time(*divmod(repeat.minute, 60)), tzinfo=zone)


def _skipped(repeat: Repeat, start: datetime) -> list[tuple[datetime, datetime]]:
    """The dates whose hour the clocks skip, each with the hour that they show instead.

    A calendar leaves such a date out, and some make it of the hour that is not there.
    """
    found, step = [], timedelta(days=DAYS[repeat.every])
    at = start + step  # adding days keeps what the clocks show
    while at.year <= start.year + SKIPPED_YEARS:
        following = at + step
        # An hour that is skipped counts as one before the change: only the last date before one has to be looked at.
        if following.utcoffset() != at.utcoffset():
            meant = at.astimezone(UTC).astimezone(at.tzinfo)
            if meant.replace(tzinfo=None) != at.replace(tzinfo=None):
                found.append((at, meant))
        at = following
    return found


def _entry(one: Dated, words: Words, *, uid: str, sequence: int, now: int) -> icalendar.Event:
    """The entry of one date."""
    event, made = one.event, icalendar.Event()
    made.add("uid", uid)
    made.add("sequence", sequence)
    made.add("dtstamp", _utc(now))
    made.add("created", _utc(event.created_at))
    _times(made, _utc(event.starts_at or 0), timedelta(milliseconds=one.lasts_ms))
    made.add("summary", event.name)
    made.add("location", one.place)
    about = words(
        "event.calendar.about",
        format=words(f"event_notice.format.{event.format.value}"),
        game=full_name(event.variant, words),
    )
    made.add("description", "\n".join(filter(None, (about, event.description, one.link))))
    if one.link:
        made.add("url", one.link)
    made.add("status", "CANCELLED" if event.phase is Phase.CANCELLED else "CONFIRMED")
    return made


def _times(entry: icalendar.Event, start: datetime, length: timedelta) -> None:
    """Write when an entry begins and ends; in the zone of its start, in which it lasts as long as by any clock."""
    for name in ("dtstart", "dtend"):
        entry.pop(name, None)
    entry.add("dtstart", start)
    entry.add("dtend", (start.astimezone(UTC) + length).astimezone(start.tzinfo))


def _utc(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds // 1000, UTC)
