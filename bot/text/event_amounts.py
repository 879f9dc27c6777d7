"""Amounts of an event that are written with a word: ``4 hands``, ``10 minutes``, ``100 progressive``."""

from __future__ import annotations

import re
import unicodedata
from enum import Enum

from bot.text.durations import parse_duration
from bot.text.languages import LANGUAGES
from bot.text.words import Words

MINUTE = 60
_TYPED = [language.typed for language in LANGUAGES.values()]
_HANDS = frozenset(word for typed in _TYPED for word in typed.hands)
_PROGRESSIVE = frozenset(word for typed in _TYPED for word in typed.progressive)
_AMOUNT = re.compile(r"([0-9][0-9,_]{0,11})\s*(.*)")


class LevelUnit(Enum):
    """Unit of a level's length."""

    HANDS = "hands"
    MINUTES = "minutes"


def parse_level_length(text: str, unit: LevelUnit) -> tuple[int, LevelUnit]:
    """Return the length of a level and its unit, which is ``unit`` for a plain number.

    Raises ValueError if the text can't be parsed.

    >>> parse_level_length("10 minutes", LevelUnit.HANDS)
    (10, <LevelUnit.MINUTES: 'minutes'>)
    """
    number, word = _split(text)
    if not word:
        return number, unit
    if word in _HANDS:
        return number, LevelUnit.HANDS
    seconds = parse_duration(text)
    if seconds is None or seconds % MINUTE:
        raise ValueError(text)
    return seconds // MINUTE, LevelUnit.MINUTES


def level_length(number: int, unit: LevelUnit, words: Words) -> str:
    """Return the text that :func:`parse_level_length` parses."""
    return words(f"event_form.written.{unit.value}", count=number)


def split_bounty(text: str) -> tuple[str, bool]:
    """Return the amount of a bounty as typed, and True if the bounty is progressive.

    >>> split_bounty("100 progressive")
    ('100', True)
    """
    plain = _plain(text)
    for word in sorted(_PROGRESSIVE, key=len, reverse=True):
        if plain.endswith(word):
            return plain.removesuffix(word).strip(), True
    return plain, False


def _split(text: str) -> tuple[int, str]:
    amount = _AMOUNT.fullmatch(_plain(text))
    if amount is None:
        raise ValueError(text)
    return int(amount[1].replace(",", "").replace("_", "")), amount[2]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()
