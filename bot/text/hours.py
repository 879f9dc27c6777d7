"""Hours as people write them: ``Friday 21:00``, ``in 2 hours``, ``11/27 9pm``, ``明日21時``, ``金曜の21時半``.

The time of day, the weekday and a length of time are read here, as the languages say they are typed; any other date is
dateparser's.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import Enum
from zoneinfo import ZoneInfo

import dateparser

from bot.text.durations import parse_duration
from bot.text.languages import LANGUAGES

NOON = 12
SMALL_HOURS = 4
"""``tonight at 1`` is after midnight; from five o'clock on it is the evening."""
LATEST_HOUR = 29
"""Hours are counted on into the night: ``金曜25時`` is one o'clock on Saturday."""

_TYPED = tuple(language.typed for language in LANGUAGES.values())
_DATES = [language.dates for language in LANGUAGES.values()]


def _any_of(patterns: Iterable[str]) -> str:
    """A group of the patterns that are not empty."""
    return f"(?:{'|'.join(filter(None, patterns))})"


_WEEKS = re.compile(
    rf"(?P<next_week>{_any_of(typed.next_week for typed in _TYPED)})?\s*"
    rf"{_any_of(typed.coming for typed in _TYPED)}?\s*(?P<name>.+)"
)
_WEEKDAYS = tuple(re.compile(_any_of(names)) for names in zip(*(typed.weekdays for typed in _TYPED), strict=True))
_DAYS_OF_MONTH = tuple(re.compile(typed.day_of_month) for typed in _TYPED if typed.day_of_month)
_STAMP = re.compile(r"<t:(\d{1,12})(?::[a-z])?>")
_LENGTHS_AHEAD = tuple(re.compile(pattern) for typed in _TYPED for pattern in typed.length_ahead)
_PLAINER_LENGTHS = tuple((re.compile(pattern), plain) for typed in _TYPED for pattern, plain in typed.lengths)
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2}):(\d{2})(?::00)?\s*([ap]m)?(?![\d:])")
_PLAINER = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        *(pair for typed in _TYPED for pair in typed.hours),
        (r"\b(\d{1,2})h(\d\d)\b", r"\1:\2"),
        (r"([ap])\.m\b\.?", r"\1m"),
        (r"(?<![\d:])(\d{1,2})\s*([ap]m)\b", r"\1:00\2"),
        (r"(?:^|\bat |\bnight )\s*(\d{1,2})(?=$| in the )", r" \1:00"),
        (r"(\d)t(\d\d:)", r"\1 \2"),
    )
)
"""The many ways to write a time of day, one after the other made into ``21:00`` and ``9:00pm``."""
_ZONE = re.compile(
    r"\b(?:(?:utc|gmt)(?:\s*[+-]\s*\d+)?|jst|kst|hst|ist|msk|we[s]?t|ce[s]?t|ee[s]?t|bst|a[ce][sd]t|nz[sd]t|[ecmp][sd]?t)\b"
    r"|(?<=:\d\d)\s*(?:z|[+-]\d\d:?\d\d)\b"
)
"""A time zone that was written."""
_ZONE_NAMES = tuple((re.compile(pattern), plain) for typed in _TYPED for pattern, plain in typed.zones)
_NIGHT = re.compile(_any_of(typed.night for typed in _TYPED))
_AFTERNOON = re.compile(_any_of(typed.afternoon for typed in _TYPED))
_MORNING = re.compile(_any_of(typed.morning for typed in _TYPED))
_FILLERS = re.compile(_any_of(typed.fillers for typed in _TYPED))


class Doubt(Enum):
    """What daylight saving makes of an hour."""

    NONE = "none"
    SKIPPED = "skipped"
    """The clocks are put forward past it: the hour that they show instead is meant."""
    TWICE = "twice"
    """The clocks show it twice: the first is meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hour:
    """An hour that was understood."""

    at_ms: int
    doubt: Doubt = Doubt.NONE


def read_hour(text: str, *, zone: str, now_ms: int) -> Hour | None:
    """The hour, and whether daylight saving puts it in doubt; None where it cannot be read.

    A bare time of day or weekday is the next one in future; a date without a time of day says too little.
    """
    written = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    if stamp := _STAMP.fullmatch(written):
        return Hour(at_ms=int(stamp[1]) * 1000)
    if (seconds := _length(written)) is not None:
        return Hour(at_ms=now_ms + seconds * 1000)
    now = datetime.fromtimestamp(now_ms // 1000, ZoneInfo(zone))
    try:
        return _by_the_clock(written, now)
    except (ValueError, OverflowError):
        return None  # a thirteenth month, or a year that no calendar has


def _length(written: str) -> int | None:
    """The seconds of ``in 2 hours`` or ``2時間後``; None for anything else."""
    ahead = next(filter(None, (pattern.fullmatch(written) for pattern in _LENGTHS_AHEAD)), None)
    if ahead is None:
        return None
    length = ahead[1]
    for pattern, plain in _PLAINER_LENGTHS:
        length = pattern.sub(plain, length)
    return parse_duration(length)


def _by_the_clock(written: str, now: datetime) -> Hour | None:
    """A time of day, with a day or without one."""
    text = _without_zone(written, now)
    if text is None:
        return None  # dateparser would overlook it, and understand another hour
    for pattern, plain in _PLAINER:
        text = pattern.sub(plain, text)
    clocks = list(_CLOCK.finditer(text))
    if len(clocks) != 1:
        return None
    (clock,) = clocks
    day = text[: clock.start()] + " " + text[clock.end() :]
    hours, minutes = _hours(clock, day), int(clock[2])
    if hours is None or minutes > 59:
        return None
    for words in (_NIGHT, _AFTERNOON, _MORNING, _FILLERS):
        day = words.sub(" ", day)
    return _next(" ".join(day.split()), timedelta(hours=hours, minutes=minutes), now)


def _without_zone(written: str, now: datetime) -> str | None:
    """The text without the zone in which it is read anyway; None where it names another one."""
    for pattern, plain in _ZONE_NAMES:
        written = pattern.sub(plain, written)
    zone = _ZONE.search(written)
    if zone is None:
        return written
    return None if zone[0] != (now.tzname() or "").casefold() else _ZONE.sub(" ", written)


def _hours(clock: re.Match[str], day: str) -> int | None:
    """The hour from the day's midnight on; None for one that there is not."""
    hour, half = int(clock[1]), clock[3]
    if hour > LATEST_HOUR:
        return None
    if hour <= NOON and (half == "pm" or _AFTERNOON.search(day)):
        return hour % NOON + NOON
    if hour <= NOON and (half == "am" or _MORNING.search(day)):
        return hour % NOON
    if hour <= NOON and _NIGHT.search(day):
        return hour % NOON + (2 * NOON if hour % NOON <= SMALL_HOURS else NOON)
    return hour


def _next(day: str, clock: timedelta, now: datetime) -> Hour | None:
    """The clock on the day that was written, or on the next one on which it is still to come."""
    if not day:
        return _first_to_come([now.date() + timedelta(days=days) for days in range(3)], clock, now)
    if (to_go := _days_to_weekday(day, now)) is not None:
        return _first_to_come([now.date() + timedelta(days=to_go + week) for week in (0, 7)], clock, now)
    if numbered := next(filter(None, (pattern.fullmatch(day) for pattern in _DAYS_OF_MONTH)), None):
        days = _days_of_months(int(numbered["day"]), now.date(), this_month=not numbered["next"])
        return _first_to_come(days, clock, now)
    found = _date(day, now)
    return None if found is None else _hour(found, clock, now)


def _days_to_weekday(day: str, now: datetime) -> int | None:
    """The days until a weekday such as ``next friday``, perhaps fewer than none; None for what is no weekday."""
    week = _WEEKS.fullmatch(day)
    weekday = next((n for n, names in enumerate(_WEEKDAYS) if week and names.fullmatch(week["name"])), None)
    if week is None or weekday is None:
        return None
    ahead = weekday - now.weekday()
    return ahead + 7 if week["next_week"] else ahead % 7


def _days_of_months(day: int, today: date, *, this_month: bool) -> list[date]:
    """The days with this number in the months to come that have one."""
    days = (today + timedelta(days=ahead) for ahead in range(93))
    return [one for one in days if one.day == day and (this_month or one.month != today.month)]


def _first_to_come(days: list[date], clock: timedelta, now: datetime) -> Hour | None:
    """The clock on the first of the days on which it has not passed yet."""
    hours = (_hour(day, clock, now) for day in days)
    return next((hour for hour in hours if hour.at_ms > now.timestamp() * 1000), None)


def _date(day: str, now: datetime) -> date | None:
    """Any other day: a date, or a word such as tomorrow. Where a date has no year, the next one is meant."""
    settings = {
        "RELATIVE_BASE": datetime.combine(now.date(), time()),
        "PREFER_DATES_FROM": "future",
        "DATE_ORDER": "MDY",
        "RETURN_AS_TIMEZONE_AWARE": False,
        "REQUIRE_PARTS": ["day", "month"],
    }
    found: datetime | None = dateparser.parse(day, languages=_DATES, settings=settings)
    return None if found is None else found.date()


def _hour(day: date, clock: timedelta, now: datetime) -> Hour:
    """The clock on a day, as its zone counts hours."""
    shown = datetime.combine(day, time()) + clock
    first, second = (shown.replace(tzinfo=now.tzinfo, fold=fold).timestamp() for fold in (0, 1))
    doubt = Doubt.NONE if first == second else Doubt.TWICE if first < second else Doubt.SKIPPED
    return Hour(at_ms=round(first * 1000), doubt=doubt)
