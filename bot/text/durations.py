"""Durations, formatted and parsed: ``90s``, ``2 min``, ``1h30m``, ``1日``."""

from __future__ import annotations

import re

from bot.text.languages import LANGUAGES
from bot.text.words import Words

_UNITS = {"days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}
_READ = {"weeks": 7 * 86_400, **_UNITS}
_NAMES = {name: unit for language in LANGUAGES.values() for name, unit in language.typed.units.items()}
_PART = re.compile(r"\s*(\d{1,6})\s*([^\W\d_]*)\s*", re.UNICODE)


def duration(seconds: int, words: Words) -> str:
    """Return a duration in its two largest non-zero units, such as ``1 minute 30 seconds``."""
    parts, rest = [], max(0, seconds)
    for unit, size in _UNITS.items():
        if count := rest // size:
            parts.append(words(f"duration.{unit}", count=count))
        rest %= size
    return words.side_by_side(parts[:2]) if parts else words("duration.seconds", count=0)


def short_duration(seconds: int, words: Words) -> str:
    """Return a duration as a whole number in the largest unit possible, such as ``90s``, ``2m`` or ``3d``."""
    unit, size = next((unit, size) for unit, size in _UNITS.items() if seconds % size == 0)
    return words(f"duration.short_{unit}", number=str(seconds // size))


_HOURS_AND_MINUTES = re.compile(r"(?<=\dh)\s*(\d{1,2})$")
"""The minutes without a unit in ``1h30``."""


def parse_duration(text: str) -> int | None:
    """Return the seconds in a text such as ``90``, ``2m``, ``1h 30min`` or ``1日``; None if it isn't a duration."""
    rest = text.strip().casefold().translate(str.maketrans("０１２３４５６７８９", "0123456789"))
    if not rest:
        return None
    if rest.isascii() and rest.isdigit() and len(rest) <= 7:
        return int(rest)
    seconds = 0
    rest = _HOURS_AND_MINUTES.sub(r"\1m", rest)
    while rest:
        part = _PART.match(rest)
        unit = part and (_NAMES.get(part[2]) or _NAMES.get(part[2].removesuffix("s")))
        if part is None or not unit:
            return None
        seconds += int(part[1]) * _READ[unit]
        rest = rest[part.end() :]
    return seconds
