"""Parser for days as people write them: ``tomorrow``, ``Friday``, ``11/27``, ``27 November``, ``来週の金曜``.

If a text has both a weekday and a date, as in ``Friday, 27 November``, the date counts, and a mismatch is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from bot.text.durations import parse_duration
from bot.text.languages import LANGUAGES

_TYPED = tuple(language.typed for language in LANGUAGES.values())


def match_any(patterns: Iterable[str]) -> str:
    """Return a regular expression that matches any of ``patterns``, ignoring empty ones."""
    return f"(?:{'|'.join(filter(None, patterns))})"


DAY = 86_400
_DAYS = tuple((re.compile(words), ahead) for typed in _TYPED for words, ahead in typed.days.items())
_LENGTHS_AHEAD = tuple(re.compile(pattern) for typed in _TYPED for pattern in typed.length_ahead)
_PLAINER_LENGTHS = tuple((re.compile(pattern), plain) for typed in _TYPED for pattern, plain in typed.lengths)
_WEEKDAYS = tuple(re.compile(match_any(names)) for names in zip(*(typed.weekdays for typed in _TYPED), strict=True))
_WEEKS = tuple((re.compile(words), ahead) for typed in _TYPED for words, ahead in typed.weeks.items())
_COMING = re.compile(rf"^{match_any(typed.coming for typed in _TYPED)}\s*")
_LAST = re.compile(rf"{match_any(typed.last for typed in _TYPED)}\s*")
_NEXT_YEAR = re.compile(rf"{match_any(typed.next_year for typed in _TYPED)}\s*")
_DAYS_OF_MONTH = tuple(re.compile(typed.day_of_month) for typed in _TYPED if typed.day_of_month)
_MONTHS = tuple(
    re.compile(match_any(names)) for names in zip(*(typed.months for typed in _TYPED if typed.months), strict=True)
)
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
_YEAR_LAST = re.compile(r"(?P<one>\d{1,2})(?P<mark>[-/.])(?P<other>\d{1,2})(?:(?P=mark)(?P<year>\d{4}|\d{2})?)?")
_NAMED_YEAR = r"(?: (?P<year>\d{4}))?"
_DAY_AND_NAME = re.compile(
    rf"(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?(?P<month>[^\W\d]+)\.?{_NAMED_YEAR}"
)
_NAME_AND_DAY = re.compile(rf"(?P<month>[^\W\d]+)\.? (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?{_NAMED_YEAR}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedDays:
    """The day that a text means, or all days that it may mean, earliest first."""

    choices: Sequence[date]
    weekday_differs: bool = False
    """True if the text has a weekday that doesn't match its date."""


def read_days(written: str, today: date, *, day_first: bool = False) -> ParsedDays | None:
    """Return the days that a text may mean; None if it isn't a day. An empty text may mean any day from today.

    With ``day_first``, ``5/12`` is in December.
    """
    if not written:
        return ParsedDays(choices=_from(today, 3))
    if weekdays := _of_weekday(written, today):
        return ParsedDays(choices=weekdays)
    words = written.split()
    weekday = next(filter(None, map(_weekday, words)), None)
    dates = _dates(" ".join(word for word in words if not _weekday(word)), today, day_first=day_first)
    if not dates:
        return None
    fitting = [day for day in dates if weekday in (None, day.isoweekday())]
    return ParsedDays(choices=fitting or dates, weekday_differs=not fitting)


def length_ahead(written: str) -> int | None:
    """Return the seconds in a text such as ``in 2 hours`` or ``2時間後``; None for other texts."""
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
    """Return the number of a weekday, 1 for Monday; None if ``word`` isn't one."""
    return next((number for number, names in enumerate(_WEEKDAYS, start=1) if names.fullmatch(word)), None)


def _of_weekday(written: str, today: date) -> list[date]:
    """Return the next two dates of a weekday, or its date in the week named by the text."""
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
    """Return the days for texts other than weekdays."""
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
    """Return the dates with this day of the month in the next three months."""
    return [one for one in _from(today, 93) if one.day == day and (this_month or one.month != today.month)]


def _of_year(year: int | None, month: int, day: int, today: date) -> list[date]:
    """Return the date in its year, or the next such date from today if there's no year."""
    if year is not None:
        return _on(year, month, day)
    return [one for ahead in range(2) for one in _on(today.year + ahead, month, day) if one >= today][:1]


def _on(year: int, month: int, day: int) -> list[date]:
    """Return the date if it exists."""
    try:
        return [date(year, month, day)]
    except ValueError:
        return []


def _numbers(written: str, *, day_first: bool) -> tuple[int | None, int, int] | None:
    """Return the year (if any), month and day of a date in numbers or with a month's name; None for other texts."""
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
    """Return the year (if any), month and day of a date whose year comes last.

    The month comes first, unless no month has that number or the date has points, as in ``5.12.`` and ``5.12.2026``.
    With ``day_first``, the day comes first if the other number can be a month.

    A two-digit year is accepted only if the month comes first, because ``26/11/27`` could be two dates.
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
