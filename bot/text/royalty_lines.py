"""What single hands pay, as a house writes it: a line each, in the words of any language: ``back royal flush 50``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from unicodedata import normalize

from bot.ofc.naturals import Natural
from bot.ofc.overrides import CATEGORIES, NATURALS, OVERRIDES, POINTS_OF_HANDS
from bot.ofc.rows import ROWS
from bot.text.languages import LANGUAGES
from bot.text.names import category_name, natural_name, row_name, typed_hand
from bot.text.words import Words, words_for

_FAMILIES = ("low", "row", "natural")
"""Parts of keys that have a word of their own: a low, a row that is won, a natural."""
_BRACKETS = re.compile(r"[（(](.+)[）)]")


class UnreadLineError(ValueError):
    """A line that says of no hand what it pays."""

    def __init__(self, line: str) -> None:
        super().__init__(line)
        self.line = line


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


def royalty_overrides(text: str) -> dict[str, str]:
    """The overrides that such lines write; raises UnreadLineError with a line that cannot be read."""
    overrides = {}
    for line in filter(None, map(str.strip, normalize("NFKC", text).splitlines())):
        *where, points = _as_key(line).replace(".", " ").split() or [""]
        key = ".".join(where)
        if not key.startswith(POINTS_OF_HANDS):
            key = f"royalty.{key}"
        if key not in OVERRIDES:
            raise UnreadLineError(line)
        overrides[key] = points
    return overrides


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
    """What the parts of keys are called, in small letters and in every language; also the parts themselves."""
    return {name.lower(): part for code in LANGUAGES for part, name in _called(words_for(code))}


def _called(words: Words) -> Iterator[tuple[str, str]]:
    for row in ROWS:
        yield row.key, row_name(row, words)
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
