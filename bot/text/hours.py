"""Parser for times as people write them: ``Friday 21:00``, ``in 2 hours``, ``11/27 9pm``, ``明日21時``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from enum import Enum
from zoneinfo import ZoneInfo

from bot.text.days import _NEXT_YEAR, _TYPED, length_ahead, match_any, read_days
from bot.text.durations import parse_duration

DAY_FIRST = ("Europe/", "Africa/", "Australia/", "Atlantic/", "Pacific/Auckland")
"""Time zones in which ``5/12`` is in December."""
DAYS_OF_YEAR, JUST_PASSED_DAYS = 366, 62
_YEAR = re.compile(r"\d{4}")
NOON = 12
SMALL_HOURS = 4
"""Last hour that counts as after midnight in ``tonight at 1``. From five o'clock on, it's the evening."""
MAX_HOUR = 29
"""Highest hour. Hours may run past midnight, so ``金曜25時`` is one o'clock on Saturday."""

_STAMP = re.compile(r"<t:(\d{1,12})(?::[a-z])?>")
_NUMBERS = tuple((re.compile(word), digits) for typed in _TYPED for word, digits in typed.numbers)
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2}):(\d{2})(?::00)?\s*([ap]m)?(?![\d:])")
_PLAINER = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        *(pair for typed in _TYPED for pair in typed.hours),
        (r"\b(\d{1,2})h(\d\d)\b", r"\1:\2"),
        (r"([ap])\.m\b\.?", r"\1m"),
        (r"(?<![\d:.])(\d{1,2})\.(\d\d)\s*([ap]m)\b", r"\1:\2\3"),
        (r"(?<![\d:])(\d{1,2})\s*([ap]m)\b", r"\1:00\2"),
        (r"(?:^|\bat |(?<=night )|(?<=morning )|(?<=afternoon )|(?<=evening ))\s*(\d{1,2})(?=$| in the )", r" \1:00"),
        (r"(\d)t(\d\d:)", r"\1 \2"),
    )
)
"""Replacements that turn times of day into ``21:00`` or ``9:00pm``, applied in order."""
_ZONE = re.compile(
    r"\b(?:(?:utc|gmt)(?:\s*[+-]\s*\d+)?|jst|kst|hst|ist|msk|we[s]?t|ce[s]?t|ee[s]?t|bst|a[ce][sd]t|nz[sd]t|[ecmp][sd]?t)\b"
    r"|(?<=:\d\d)\s*(?:z|[+-]\d\d:?\d\d)\b"
)
"""A time zone in a text."""
_ZONE_NAMES = tuple((re.compile(pattern), plain) for typed in _TYPED for pattern, plain in typed.zones)
_NIGHT = re.compile(match_any(typed.night for typed in _TYPED))
_AFTERNOON = re.compile(match_any(typed.afternoon for typed in _TYPED))
_MORNING = re.compile(match_any(typed.morning for typed in _TYPED))
_FILLERS = re.compile(match_any(typed.fillers for typed in _TYPED))


class TimeDoubt(Enum):
    """Reason why a time may differ from the one the player meant."""

    NONE = "none"
    SKIPPED = "skipped"
    """A clock change skips the time, so the time that clocks show instead is used."""
    TWICE = "twice"
    """A clock change makes the time occur twice, and the first one is used."""
    NEXT_YEAR = "next_year"
    """The date has just passed, so the same date next year is used."""
    WEEKDAY = "weekday"
    """The weekday doesn't match the date, and the date is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedTime:
    """A parsed time."""

    at_ms: int
    doubt: TimeDoubt = TimeDoubt.NONE


def read_hour(text: str, *, zone: str, now_ms: int) -> ParsedTime | None:
    """Return the time in a text, with any doubt about it; None if it can't be parsed.

    A time of day or a weekday without a date means the next one in the future. A date needs a time of day.
    """
    written = _plain(text)
    if stamp := _STAMP.fullmatch(written):
        return ParsedTime(at_ms=int(stamp[1]) * 1000)
    if (seconds := length_ahead(written)) is not None:
        return ParsedTime(at_ms=now_ms + seconds * 1000)
    now = datetime.fromtimestamp(now_ms // 1000, ZoneInfo(zone))
    try:
        return _by_the_clock(written, now)
    except (ValueError, OverflowError):
        return None  # the hour or the year doesn't exist


def read_span(begins: str, until: str, *, zone: str, now_ms: int) -> tuple[int, int] | None:
    """Return the start and end (ms) of a span of whole days: from a day or now, to the end of a day or for a duration.

    None if either text can't be parsed. Days are in local time, so clock changes affect their length.
    """
    here, now = ZoneInfo(zone), datetime.fromtimestamp(now_ms // 1000, ZoneInfo(zone))
    try:
        first = _day(begins, now.date()) if begins.strip() else now.date()
        if first is None:
            return None
        length = parse_duration(_plain(until))
        last = first + timedelta(seconds=length) if length else _day(until, first)
        if last is None:
            return None
        after = last if length else last + timedelta(days=1)
        ends = datetime.combine(after, time(), here).timestamp()
        starts = now.timestamp() if first <= now.date() else datetime.combine(first, time(), here).timestamp()
    except (ValueError, OverflowError):
        return None
    return int(starts * 1000), int(ends * 1000)


def _day(text: str, today: date) -> date | None:
    """Return the next day that a text may mean, from ``today``; None if there's none."""
    written = _plain(text)
    for pattern, plain in _PLAINER:
        written = pattern.sub(plain, written)
    written = " ".join(_FILLERS.sub(" ", written).split())
    days = read_days(written, today) if written else None
    return None if days is None else next((day for day in days.choices if day >= today), None)


def lacks_clock(text: str, *, zone: str, now_ms: int) -> bool:
    """True if the text is a day without a time, such as ``Friday``."""
    return read_hour(f"{text} 12:00", zone=zone, now_ms=now_ms) is not None


def is_counted_from_now(text: str) -> bool:
    """True if the text doesn't depend on a time zone, such as ``in 2 hours`` or a Discord timestamp."""
    plain = _plain(text)
    return bool(_STAMP.fullmatch(plain)) or length_ahead(plain) is not None


def _plain(text: str) -> str:
    """Return the text in lower case, with number words as digits."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(str.maketrans("()", "  "))
    for word, digits in _NUMBERS:
        plain = word.sub(digits, plain)
    # A start time may be written like the beginning of a span, as in ``22:00〜``.
    return " ".join(plain.rstrip(" ~〜").split())


def _by_the_clock(written: str, now: datetime) -> ParsedTime | None:
    """Return the time for a text with a time of day, with or without a day; None if it can't be parsed."""
    text = _without_zone(written, now)
    if text is None:
        return None
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


_GENERAL_ZONE = re.compile(r"\b([ecmp])t\b")


def _without_zone(written: str, now: datetime) -> str | None:
    """Return the text without the name of the time zone in use; None if it names another zone."""
    for pattern, plain in _ZONE_NAMES:
        written = pattern.sub(plain, written)
    here = (now.tzname() or "").casefold()
    if (general := _GENERAL_ZONE.search(written)) and here in (f"{general[1]}st", f"{general[1]}dt"):
        # ``ET`` is either EST or EDT, depending on the season.
        written = _GENERAL_ZONE.sub(" ", written)
    zone = _ZONE.search(written)
    if zone is None:
        return written
    return None if zone[0] != (now.tzname() or "").casefold() else _ZONE.sub(" ", written)


def _hours(clock: re.Match[str], day: str) -> int | None:
    """Return the hours since the day's midnight; None if the hour doesn't exist."""
    hour, half = int(clock[1]), clock[3]
    if hour > MAX_HOUR:
        return None
    if hour <= NOON and (half == "pm" or _AFTERNOON.search(day)):
        return hour % NOON + NOON
    if hour <= NOON and (half == "am" or _MORNING.search(day)):
        return hour % NOON
    if hour <= NOON and _NIGHT.search(day):
        return hour % NOON + (2 * NOON if hour % NOON <= SMALL_HOURS else NOON)
    return hour


def _next(day: str, clock: timedelta, now: datetime) -> ParsedTime | None:
    """Return the time ``clock`` on the next possible day that puts it in the future."""
    days = read_days(day, now.date(), day_first=str(now.tzinfo).startswith(DAY_FIRST))
    if days is None:
        return None
    hours = [_hour(one, clock, now) for one in days.choices]
    hour = next((hour for hour in hours if hour.at_ms > now.timestamp() * 1000), hours[0])
    if days.weekday_differs:
        return replace(hour, doubt=TimeDoubt.WEEKDAY)
    return replace(hour, doubt=TimeDoubt.NEXT_YEAR) if _has_just_passed(day, days.choices, now.date()) else hour


def _has_just_passed(written: str, choices: Sequence[date], today: date) -> bool:
    """True if a date without a year has just passed, so that next year's is used."""
    if len(choices) != 1 or choices[0].year != today.year + 1 or _YEAR.search(written) or _NEXT_YEAR.search(written):
        return False
    return timedelta(0) < today + timedelta(days=DAYS_OF_YEAR) - choices[0] <= timedelta(days=JUST_PASSED_DAYS)


def _hour(day: date, clock: timedelta, now: datetime) -> ParsedTime:
    """Return the local time ``clock`` on a day, with a doubt if a clock change affects it."""
    shown = datetime.combine(day, time()) + clock
    first, second = (shown.replace(tzinfo=now.tzinfo, fold=fold).timestamp() for fold in (0, 1))
    doubt = TimeDoubt.NONE if first == second else TimeDoubt.TWICE if first < second else TimeDoubt.SKIPPED
    return ParsedTime(at_ms=round(first * 1000), doubt=doubt)
