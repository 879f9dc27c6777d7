"""Hours as people write them: ``Friday 21:00``, ``in 2 hours``, ``11/27 9pm``, ``明日21時``; and time zones.

Times of day and days are read as the languages say they are typed. The files of the machine's time zones are read
once: all of them is 30 ms of looking around.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from enum import Enum
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from bot.model.choices import Server
from bot.text.durations import parse_duration
from bot.text.languages import LANGUAGES, Language
from bot.text.words import Words

_TYPED = tuple(language.typed for language in LANGUAGES.values())

# Days as people write them: ``tomorrow``, ``Friday``, ``11/27``, ``27 November``, ``来週の金曜``, ``3日後``.
#
# Where a day is said in several ways, as in ``Friday, 27 November``, the date counts, and a weekday that differs is
# told.


def any_of(patterns: Iterable[str]) -> str:
    """A group of the patterns that are not empty."""
    return f"(?:{'|'.join(filter(None, patterns))})"


DAY = 86_400
_DAYS = tuple((re.compile(words), ahead) for typed in _TYPED for words, ahead in typed.days.items())
_LENGTHS_AHEAD = tuple(re.compile(pattern) for typed in _TYPED for pattern in typed.length_ahead)
_PLAINER_LENGTHS = tuple((re.compile(pattern), plain) for typed in _TYPED for pattern, plain in typed.lengths)
_WEEKDAYS = tuple(re.compile(any_of(names)) for names in zip(*(typed.weekdays for typed in _TYPED), strict=True))
_WEEKS = tuple((re.compile(words), ahead) for typed in _TYPED for words, ahead in typed.weeks.items())
_COMING = re.compile(rf"^{any_of(typed.coming for typed in _TYPED)}\s*")
_LAST = re.compile(rf"{any_of(typed.last for typed in _TYPED)}\s*")
_NEXT_YEAR = re.compile(rf"{any_of(typed.next_year for typed in _TYPED)}\s*")
_DAYS_OF_MONTH = tuple(re.compile(typed.day_of_month) for typed in _TYPED if typed.day_of_month)
_MONTHS = tuple(
    re.compile(any_of(names)) for names in zip(*(typed.months for typed in _TYPED if typed.months), strict=True)
)
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
_YEAR_LAST = re.compile(r"(?P<one>\d{1,2})(?P<mark>[-/.])(?P<other>\d{1,2})(?:(?P=mark)(?P<year>\d{4}|\d{2})?)?")
_NAMED_YEAR = r"(?: (?P<year>\d{4}))?"
_DAY_AND_NAME = re.compile(
    rf"(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?(?P<month>[^\W\d]+)\.?{_NAMED_YEAR}"
)
_NAME_AND_DAY = re.compile(rf"(?P<month>[^\W\d]+)\.? (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?{_NAMED_YEAR}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """The day that was written, or, where it is not fixed, those that it may be, the earliest first."""

    choices: Sequence[date]
    weekday_differs: bool = False
    """True where another weekday was written beside the date."""


def read_days(written: str, today: date, *, day_first: bool = False) -> Days | None:
    """Return the days that a text may mean; each if it names none, None if it isn't a day.

    With ``day_first``, ``5/12`` is in December.
    """
    if not written:
        return Days(choices=_from(today, 3))
    if weekdays := _of_weekday(written, today):
        return Days(choices=weekdays)
    words = written.split()
    weekday = next(filter(None, map(_weekday, words)), None)
    dates = _dates(" ".join(word for word in words if not _weekday(word)), today, day_first=day_first)
    if not dates:
        return None
    fitting = [day for day in dates if weekday in (None, day.isoweekday())]
    return Days(choices=fitting or dates, weekday_differs=not fitting)


def length_ahead(written: str) -> int | None:
    """The seconds of ``in 2 hours`` or ``2時間後``; None for anything else."""
    ahead = next(filter(None, (pattern.fullmatch(written) for pattern in _LENGTHS_AHEAD)), None)
    if ahead is None:
        return None
    length = ahead[1]
    for pattern, plain in _PLAINER_LENGTHS:
        length = pattern.sub(plain, length)
    return parse_duration(length)


def _from(day: date, days: int) -> list[date]:
    return [day + timedelta(days=ahead) for ahead in range(days)]


def _weekday(word: str) -> int | None:
    """The number of a weekday, 1 for Monday."""
    return next((number for number, names in enumerate(_WEEKDAYS, start=1) if names.fullmatch(word)), None)


def _of_weekday(written: str, today: date) -> list[date]:
    """The days of a weekday: this one and the next, or the one in the week that was named."""
    for week, ahead in _WEEKS:
        rest, found = week.subn("", written)
        if found:
            number = _weekday(rest.strip())
            return [today + timedelta(days=number - today.isoweekday() + 7 * ahead)] if number else []
    last = _LAST.match(written)
    number = _weekday(written[last.end() :] if last else _COMING.sub("", written, count=1))
    if not number:
        return []
    ahead = (number - today.isoweekday()) % 7
    return [today + timedelta(days=ahead - 7)] if last else _from(today, 14)[ahead::7]


def _dates(written: str, today: date, *, day_first: bool) -> list[date]:
    """The days of anything but a weekday."""
    if (days := next((days for word, days in _DAYS if word.fullmatch(written)), None)) is not None:
        return [today + timedelta(days=days)]
    if (seconds := length_ahead(written)) is not None:
        return [] if seconds % DAY else [today + timedelta(seconds=seconds)]
    if numbered := next(filter(None, (pattern.fullmatch(written) for pattern in _DAYS_OF_MONTH)), None):
        return _of_months(int(numbered["day"]), today, this_month=not numbered["next"])
    rest, next_year = _NEXT_YEAR.subn("", written, count=1)
    found = _numbers(rest, day_first=day_first)
    if found is None:
        return []
    year, month, day = found
    return _of_year(today.year + 1 if next_year else year, month, day, today)


def _of_months(day: int, today: date, *, this_month: bool) -> list[date]:
    """The days with this number in the months to come that have one."""
    return [one for one in _from(today, 93) if one.day == day and (this_month or one.month != today.month)]


def _of_year(year: int | None, month: int, day: int, today: date) -> list[date]:
    """The date in its year; without one, the next such date from today on."""
    if year is not None:
        return _on(year, month, day)
    return [one for ahead in range(2) for one in _on(today.year + ahead, month, day) if one >= today][:1]


def _on(year: int, month: int, day: int) -> list[date]:
    """The date, if the calendar has it."""
    try:
        return [date(year, month, day)]
    except ValueError:
        return []


def _numbers(written: str, *, day_first: bool) -> tuple[int | None, int, int] | None:
    """The year, where there is one, the month and the day of a date in numbers, or with the name of its month."""
    if first := _YEAR_FIRST.fullmatch(written):
        return int(first[1]), int(first[3]), int(first[4])
    if last := _YEAR_LAST.fullmatch(written):
        return _month_or_day_first(last, day_first=day_first)
    for pattern in (_DAY_AND_NAME, _NAME_AND_DAY):
        named = pattern.fullmatch(written)
        month = named and next((n for n, names in enumerate(_MONTHS, start=1) if names.fullmatch(named["month"])), None)
        if named and month:
            return int(named["year"]) if named["year"] else None, month, int(named["day"])
    return None


def _month_or_day_first(found: re.Match[str], *, day_first: bool) -> tuple[int | None, int, int] | None:
    """The month comes first, unless no month has that number, or points stand as in ``5.12.`` and ``5.12.2026``.

    With ``day_first`` the day does, if the other number can be a month.

    A year of two digits is read behind a month alone: ``26/11/27`` means two days.
    """
    one, other = int(found["one"]), int(found["other"])
    day_first = day_first and other <= 12
    day_first = day_first or one > 12 or (found["mark"] == "." and found.end() > found.end("other"))
    year = int(found["year"]) if found["year"] else None
    if year is not None and year < 100:
        if day_first:
            return None
        year += 2000
    return (year, other, one) if day_first else (year, one, other)


DAY_FIRST = ("Europe/", "Africa/", "Australia/", "Atlantic/", "Pacific/Auckland")
"""Time zones in which ``5/12`` is in December."""
DAYS_OF_YEAR, JUST_PASSED_DAYS = 366, 62
_YEAR = re.compile(r"\d{4}")
NOON = 12
SMALL_HOURS = 4
"""``tonight at 1`` is after midnight; from five o'clock on it is the evening."""
LATEST_HOUR = 29
"""Hours are counted on into the night: ``金曜25時`` is one o'clock on Saturday."""

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
"""The many ways to write a time of day, one after the other made into ``21:00`` and ``9:00pm``."""
_ZONE = re.compile(
    r"\b(?:(?:utc|gmt)(?:\s*[+-]\s*\d+)?|jst|kst|hst|ist|msk|we[s]?t|ce[s]?t|ee[s]?t|bst|a[ce][sd]t|nz[sd]t|[ecmp][sd]?t)\b"
    r"|(?<=:\d\d)\s*(?:z|[+-]\d\d:?\d\d)\b"
)
"""A time zone that was written."""
_ZONE_NAMES = tuple((re.compile(pattern), plain) for typed in _TYPED for pattern, plain in typed.zones)
_NIGHT = re.compile(any_of(typed.night for typed in _TYPED))
_AFTERNOON = re.compile(any_of(typed.afternoon for typed in _TYPED))
_MORNING = re.compile(any_of(typed.morning for typed in _TYPED))
_FILLERS = re.compile(any_of(typed.fillers for typed in _TYPED))


class Doubt(Enum):
    """How an hour may be another one than was meant: by daylight saving, or by what was written."""

    NONE = "none"
    SKIPPED = "skipped"
    """The clocks are put forward past it: the hour that they show instead is meant."""
    TWICE = "twice"
    """The clocks show it twice: the first is meant."""
    NEXT_YEAR = "next_year"
    """The date was some days ago: that of the next year is meant."""
    WEEKDAY = "weekday"
    """Another weekday was written beside the date: the date is meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hour:
    """An hour that was understood."""

    at_ms: int
    doubt: Doubt = Doubt.NONE


def read_hour(text: str, *, zone: str, now_ms: int) -> Hour | None:
    """The hour, and what puts it in doubt; None where it cannot be read.

    A bare time of day or weekday is the next one in future; a date without a time of day says too little.
    """
    written = _plain(text)
    if stamp := _STAMP.fullmatch(written):
        return Hour(at_ms=int(stamp[1]) * 1000)
    if (seconds := length_ahead(written)) is not None:
        return Hour(at_ms=now_ms + seconds * 1000)
    now = datetime.fromtimestamp(now_ms // 1000, ZoneInfo(zone))
    try:
        return _by_the_clock(written, now)
    except (ValueError, OverflowError):
        return None  # an hour, or a year, that no calendar has


def read_span(begins: str, until: str, *, zone: str, now_ms: int) -> tuple[int, int] | None:
    """Whole days from a day, or from now on, to the end of another or for so long: the first and the last moment (ms).

    None where one of them cannot be read. Days are those of the zone, of whatever length its clocks make them.
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
    """The next day that a text means."""
    written = _plain(text)
    for pattern, plain in _PLAINER:
        written = pattern.sub(plain, written)
    written = " ".join(_FILLERS.sub(" ", written).split())
    days = read_days(written, today) if written else None
    return None if days is None else next((day for day in days.choices if day >= today), None)


def lacks_clock(text: str, *, zone: str, now_ms: int) -> bool:
    """True for a day without a time of day, such as ``Friday``."""
    return read_hour(f"{text} 12:00", zone=zone, now_ms=now_ms) is not None


def is_counted_from_now(text: str) -> bool:
    """True for ``in 2 hours`` and for a moment as Discord writes it: no time zone has a part in them."""
    plain = _plain(text)
    return bool(_STAMP.fullmatch(plain)) or length_ahead(plain) is not None


def _plain(text: str) -> str:
    """The text in small letters, with digits for numbers."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(str.maketrans("()", "  "))
    for word, digits in _NUMBERS:
        plain = word.sub(digits, plain)
    # A start may be written as the begin of a span: ``22:00〜``.
    return " ".join(plain.rstrip(" ~〜").split())


def _by_the_clock(written: str, now: datetime) -> Hour | None:
    """A time of day, with a day or without one."""
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
    """The text without the zone in which it is read anyway; None where it names another one."""
    for pattern, plain in _ZONE_NAMES:
        written = pattern.sub(plain, written)
    here = (now.tzname() or "").casefold()
    if (general := _GENERAL_ZONE.search(written)) and here in (f"{general[1]}st", f"{general[1]}dt"):
        # ``ET`` is whichever of EST and EDT the clocks show there.
        written = _GENERAL_ZONE.sub(" ", written)
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
    days = read_days(day, now.date(), day_first=str(now.tzinfo).startswith(DAY_FIRST))
    if days is None:
        return None
    hours = [_hour(one, clock, now) for one in days.choices]
    hour = next((hour for hour in hours if hour.at_ms > now.timestamp() * 1000), hours[0])
    if days.weekday_differs:
        return replace(hour, doubt=Doubt.WEEKDAY)
    return replace(hour, doubt=Doubt.NEXT_YEAR) if _has_just_passed(day, days.choices, now.date()) else hour


def _has_just_passed(written: str, choices: Sequence[date], today: date) -> bool:
    """True for a date without a year that was some days ago, and is read as that of the next year."""
    if len(choices) != 1 or choices[0].year != today.year + 1 or _YEAR.search(written) or _NEXT_YEAR.search(written):
        return False
    return timedelta(0) < today + timedelta(days=DAYS_OF_YEAR) - choices[0] <= timedelta(days=JUST_PASSED_DAYS)


def _hour(day: date, clock: timedelta, now: datetime) -> Hour:
    """The clock on a day, as its zone counts hours."""
    shown = datetime.combine(day, time()) + clock
    first, second = (shown.replace(tzinfo=now.tzinfo, fold=fold).timestamp() for fold in (0, 1))
    doubt = Doubt.NONE if first == second else Doubt.TWICE if first < second else Doubt.SKIPPED
    return Hour(at_ms=round(first * 1000), doubt=doubt)


@cache
def zones() -> Mapping[str, str]:
    """All names by how they are looked up; towns come before the abbreviations and aliases that begin the alphabet."""
    names = sorted(available_timezones(), key=lambda name: ("/" not in name or name.startswith("Etc/"), name))
    return {name.casefold(): name for name in names}


def zone_named(text: str) -> str | None:
    """The time zone that was written, in any case of letters; None for what is none."""
    return zones().get(text.strip().casefold())


def zone_name(zone: str, words: Words) -> str:
    """``日本時間`` for the zone of Tokyo; a zone that a language has no name for keeps its own."""
    key = f"zone.{zone.replace('/', '_').casefold()}"
    return words(key) if words.has(key) else zone


def zones_with(text: str, *, most: int) -> list[str]:
    """The first whose name holds what was typed; a space stands for any sign."""
    wanted = text.strip().casefold().replace(" ", "_")
    return [name for folded, name in zones().items() if wanted in folded][:most]


def zone_of(server: Server, language: Language) -> str:
    """The server's time zone, or that of the reader's language."""
    return zone_named(server.zone) or language.zone


def zone_written(text: str) -> str | None:
    """The time zone of a name in full, or of a town alone such as ``New York``; None for what is none."""
    town = text.strip().casefold().replace(" ", "_")
    return zone_named(text) or next((name for folded, name in zones().items() if folded.endswith(f"/{town}")), None)
