"""The pay of single hands, as a house writes it: a line each, in the words of any language: ``back royal flush 50``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from unicodedata import normalize

from bot.ofc.cards import ROWS
from bot.ofc.naturals import Natural
from bot.ofc.overrides import CATEGORIES, NATURALS, OVERRIDES, POINTS_OF_HANDS
from bot.text.languages import LANGUAGES
from bot.text.names import category_name, natural_name, row_name, typed_hand
from bot.text.words import Words, words_for

_FAMILIES = ("low", "row", "natural")
"""Parts of keys that have a word of their own: a low, a row that is won, a natural."""
_BRACKETS = re.compile(r"[（(](.+)[）)]")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoyaltyLine:
    """A line as it was written, and what it says: the key is empty where it says of no hand what it pays."""

    written: str
    key: str
    points: str


def royalty_line(key: str, points: str, words: Words) -> str:
    """How an override of POINTS_OF_HANDS is written: ``row back four of a kind 5``; ``front QQ 9`` for a royalty."""
    return " ".join([*(_written(part, words) for part in key.removeprefix("royalty.").split(".")), points])


def _written(part: str, words: Words) -> str:
    """A part of a key: a row, a hand, or the word of a family."""
    if part in _FAMILIES:
        return words(f"house_rules.typed.{part}")
    if part in CATEGORIES:
        return category_name(CATEGORIES[part], words)
    natural = NATURALS.get(f"natural.{part}")
    if natural:
        return _BRACKETS.sub("", natural_name(natural, words))
    row = next((row for row in ROWS if row.key == part), None)
    return row_name(row, words) if row else typed_hand(part)


def royalty_lines(text: str) -> list[RoyaltyLine]:
    """The lines of a text and what they say, without those that are empty."""
    return [_read(line) for line in filter(None, map(str.strip, normalize("NFKC", text).splitlines()))]


def _read(line: str) -> RoyaltyLine:
    *where, points = _as_key(line).replace(".", " ").split() or [""]
    key = ".".join(where)
    if not key.startswith(POINTS_OF_HANDS):
        key = f"royalty.{key}"
    return RoyaltyLine(written=line, key=key if key in OVERRIDES else "", points=points)


def _as_key(line: str) -> str:
    """The line with the parts of keys in place of words: ``back royal_flush 50``."""
    names = _names()
    longest = sorted(names, key=len, reverse=True)
    known = "|".join(rf"(?<![a-z_]){re.escape(name)}(?![a-z_])" for name in longest)
    text = re.sub(known, lambda found: f" {names[found[0].lower()]} ", line.replace("=", " "), flags=re.IGNORECASE)
    text = text.replace("10-10-10", "TTT").replace("10-10", "TT")
    return re.sub(r"(?<!\S)[2-9tjqka]{2,3}(?!\S)", _capitals, text, count=1, flags=re.IGNORECASE)


def _capitals(found: re.Match[str]) -> str:
    """``QQ`` for ``qq``; a number of points stays as it is."""
    return found[0].upper()


@cache
def _names() -> dict[str, str]:
    """The names of the parts of keys, in small letters and in every language; also the parts themselves."""
    return {name.lower(): part for code in LANGUAGES for part, name in _called(words_for(code))}


def _called(words: Words) -> Iterator[tuple[str, str]]:
    for row in ROWS:
        yield row.key, row_name(row, words)
        typed = words.language.typed.places
        yield from ((row.key, name) for name, letter in typed.items() if letter == row.value and len(name) > 1)
    for part, category in CATEGORIES.items():
        yield part, part
        yield part, category_name(category, words)
    for natural in Natural:
        name = natural_name(natural, words)
        yield natural.key, natural.key
        yield natural.key, _BRACKETS.sub("", name)
        yield from ((natural.key, also) for also in _BRACKETS.findall(name))
    for part in _FAMILIES:
        yield part, words(f"house_rules.typed.{part}")
