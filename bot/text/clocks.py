"""A table's clock as text in a form field, parsed and formatted: ``30s``, ``live 2m``, ``12h``, ``none``."""

from __future__ import annotations

import unicodedata

from bot.model.clock import DEFAULT_SECONDS, Clock, Pace, pace_for
from bot.text.durations import parse_duration, short_duration
from bot.text.languages import LANGUAGES
from bot.text.words import Words

_PACES = {name: Pace(pace) for language in LANGUAGES.values() for name, pace in language.typed.paces.items()}


def parse_clock(text: str) -> Clock | None:
    """Return the clock for a time, for a pace with or without a time, or for none; None if the text isn't a clock."""
    typed = unicodedata.normalize("NFKC", text).casefold().strip()
    for name in sorted(_PACES, key=len, reverse=True):
        if typed.startswith(name):
            return _of_pace(_PACES[name], typed.removeprefix(name).strip(" :·"))
    seconds = parse_duration(typed)
    return None if seconds is None else Clock(pace=pace_for(seconds), seconds=seconds)


def _of_pace(pace: Pace, time: str) -> Clock | None:
    """Return a clock with this pace, and the default time if none follows."""
    if not time:
        return Clock(pace=pace, seconds=DEFAULT_SECONDS[pace])
    seconds = parse_duration(time)
    return None if seconds is None or pace is Pace.NONE else Clock(pace=pace, seconds=seconds)


def written_clock(clock: Clock, words: Words) -> str:
    """Return the text that :func:`parse_clock` parses as this clock."""
    if clock.pace is Pace.NONE:
        return words("clock.none")
    time = short_duration(clock.seconds, words)
    if clock.pace is pace_for(clock.seconds):
        return time
    return words(f"clock.{clock.pace.value}", time=time)
