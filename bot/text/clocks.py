"""Clocks of tables, written and read in one line: ``30s``, ``live 2m``, ``12h``, ``none``."""

from __future__ import annotations

import unicodedata

from bot.model.clock import LIMITS, USUAL, Clock, Pace, pace_for
from bot.text.durations import parse_duration, short_duration
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for


def clock_written(clock: Clock, words: Words) -> str:
    """Return a clock as :func:`read_clock` reads it. Its pace is named only if the time doesn't tell it."""
    if clock.pace is Pace.NONE:
        return words("clock.none")
    time = short_duration(clock.seconds, words)
    if pace_for(clock.seconds) is clock.pace:
        return time
    return words("clock.timed", pace=_name(clock.pace, words), time=time)


def read_clock(text: str) -> Clock | None:
    """Return the clock of a text in any language; None if it is none.

    A pace without a time has its usual one. Whether the pace allows the time is for the caller to ask.
    """
    rest = unicodedata.normalize("NFKC", text).casefold().strip()
    for name, pace in _named():
        if name in rest:
            time = rest.replace(name, " ", 1).strip()
            if pace is Pace.NONE:
                return None if time else Clock(pace=pace, seconds=0)
            seconds = parse_duration(time) if time else USUAL[pace]
            return None if seconds is None else Clock(pace=pace, seconds=seconds)
    seconds = parse_duration(rest)
    return None if seconds is None else Clock(pace=pace_for(seconds), seconds=seconds)


def is_within(clock: Clock) -> bool:
    """Return True if the pace allows the time."""
    shortest, longest = LIMITS[clock.pace]
    return shortest <= clock.seconds <= longest


def _name(pace: Pace, words: Words) -> str:
    return words(f"clock.{pace.value}")


def _named() -> list[tuple[str, Pace]]:
    """Return the names of the paces in all languages, and their values, longest first."""
    names = [(_name(pace, words_for(code)).casefold(), pace) for code in LANGUAGES for pace in Pace]
    return sorted([*names, *((pace.value, pace) for pace in Pace)], key=lambda named: -len(named[0]))
