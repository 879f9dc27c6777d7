"""Calendar files for events (iCalendar, RFC 5545).

A date's UID never changes and its SEQUENCE rises with each change, so a newer file replaces an older one. All dates of
a repeating event are one entry with a rule in local time. The entry has the UID of the series of dates, which outlives
the individual events.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import icalendar

from bot.model.events import DAYS, Event, Phase, Repeat, RepeatInterval
from bot.text.games import full_name
from bot.text.words import Words

PRODUCT = "-//Chaipo//Chaipo//EN"
HOST = "chaipo"
"""Suffix that makes the UIDs unique to Chaipo."""
ZONE_YEARS = 20
"""Number of years for which a file includes the clock changes of a time zone."""
A_MINUTE = timedelta(minutes=1)
"""Tolerance for a start time that differs from the rule. Smaller differences are ignored."""
SKIPPED_YEARS = 10
"""Number of years for which a file corrects dates whose hour is skipped by a clock change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedEvent:
    """An event with a start time, and the details for its entry."""

    event: Event
    lasts_ms: int
    place: str
    link: str
    """URL of the event's message; empty if there's none."""
    regular_start: int | None = None
    """The start by the repetition, if this date was moved (ms); None otherwise."""
    dates_left: int | None = None
    """Dates to come in the event's series, with this one; None without a planned end, where a repetition ends too."""
    single: bool = False
    """True if only this date of a repeating event is wanted."""


def calendar_file(dated: Sequence[DatedEvent], words: Words, *, now: int) -> bytes:
    """Return a calendar with an entry for each event, or for all dates of a repeating event. ``now`` is in ms.

    Each event must have a start time.
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
        # A cancelled event is the last one with this repetition. Otherwise, the next event would have taken it over.
        if event.repeats_as and not one.single:
            for entry in _repeating(one, words, now=now):
                made.add_component(entry)
    first = min((_utc(one.event.starts_at or 0).year for one in dated), default=1970)
    made.add_missing_timezones(first_date=date(first, 1, 1), last_date=date(first + ZONE_YEARS, 1, 1))
    return bytes(made.to_ical())


def uid_of(event: Event) -> str:
    """Return the UID of this date."""
    return f"event-{event.key.number}-{event.tag}-{event.key.guild}@{HOST}"


def uid_of_all(event: Event) -> str:
    """Return the UID of all dates of a repeating event."""
    return f"series-{event.repeats_as}-{event.key.guild}@{HOST}"


def _repeating(one: DatedEvent, words: Words, *, now: int) -> list[icalendar.Event]:
    """Return the entry for all dates from this one on, plus one for this date if it was moved to another time."""
    event = one.event
    uid, sequence = uid_of_all(event), event.repeats_changes + event.version
    entry = _entry(one, words, uid=uid, sequence=sequence, now=now)
    if event.repeat is None or one.dates_left == 1:  # this is the last date
        return [entry]
    start = _regular(event.repeat, one.regular_start or event.starts_at or 0)
    length = timedelta(milliseconds=one.lasts_ms)
    _times(entry, start, length)
    freq = "DAILY" if event.repeat.every is RepeatInterval.DAY else "WEEKLY"
    ends = {} if one.dates_left is None else {"count": one.dates_left}
    entry.add("rrule", {"freq": freq, "interval": _interval(event), **ends})
    for skipped, meant in _skipped(event.repeat, start, dates=one.dates_left):
        entry.add("exdate", skipped)
        entry.add("rdate", meant)
    if abs(start.astimezone(UTC) - _utc(event.starts_at or 0)) < A_MINUTE:
        return [entry]
    moved = _entry(one, words, uid=uid, sequence=sequence, now=now)
    moved.add("recurrence-id", start)
    return [entry, moved]


def _interval(event: Event) -> int:
    return 2 if event.repeat is not None and event.repeat.every is RepeatInterval.FORTNIGHT else 1


def _regular(repeat: Repeat, starts_at: int) -> datetime:
    """Return the start time that the rule gives on the date of ``starts_at`` (ms), in the rule's time zone."""
    zone = ZoneInfo(repeat.zone)
    return datetime.combine(_utc(starts_at).astimezone(zone).date(), time(*divmod(repeat.minute, 60)), tzinfo=zone)


def _skipped(repeat: Repeat, start: datetime, *, dates: int | None) -> list[tuple[datetime, datetime]]:
    """Return the start times skipped by a clock change, each with the time that clocks show instead.

    Most calendars leave such dates out, while some use the skipped time. ``dates`` is the number of dates from
    ``start`` on; None if they have no end.
    """
    found, step = [], timedelta(days=DAYS[repeat.every])
    last = None if dates is None else start + (dates - 1) * step
    at = start + step  # adding days keeps what the clocks show
    while at.year <= start.year + SKIPPED_YEARS and (last is None or at <= last):
        following = at + step
        # A skipped hour has the UTC offset from before the change, so only the last date before a change matters.
        if following.utcoffset() != at.utcoffset():
            meant = at.astimezone(UTC).astimezone(at.tzinfo)
            if meant.replace(tzinfo=None) != at.replace(tzinfo=None):
                found.append((at, meant))
        at = following
    return found


def _entry(one: DatedEvent, words: Words, *, uid: str, sequence: int, now: int) -> icalendar.Event:
    """Return the entry of one date."""
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
    """Set the start and end of an entry, both in the start's time zone. A clock change doesn't affect the length."""
    for name in ("dtstart", "dtend"):
        entry.pop(name, None)
    entry.add("dtstart", start)
    entry.add("dtend", (start.astimezone(UTC) + length).astimezone(start.tzinfo))


def _utc(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds // 1000, UTC)
