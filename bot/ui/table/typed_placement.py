"""Placements as people type them: ``bmd``, ``Ah b Kd m``, or with the names that a language has for the rows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.ofc.cards import Card, CardError, parse_card
from bot.ofc.rows import DISCARD
from bot.text.languages import LANGUAGES

_LETTERS = {name: letter for language in LANGUAGES.values() for name, letter in language.typed.places.items()}


def letters_of(text: str, held: Sequence[Card], *, lay: int) -> str | None:
    """The placement that was typed, one letter a card in the order dealt; None when it cannot be read.

    Letters alone go to the cards in order; ``card row`` pairs may come in any order, and when ``lay`` of them are
    named the rest is discarded.
    """
    compact = re.sub(r"[\s,、・]+", "", text).casefold()
    if len(compact) == len(held) and all(letter in _LETTERS for letter in compact):
        return "".join(_LETTERS[letter] for letter in compact)
    pairs = _pairs(text)
    return None if pairs is None else _spread(pairs, held, lay=lay)


def _pairs(text: str) -> list[tuple[Card, str]] | None:
    """``Ah b, Kd middle`` as cards with rows."""
    tokens = [token for token in re.split(r"[\s,、・:=]+", text.strip()) if token]
    if not tokens or len(tokens) % 2:
        return None
    pairs = []
    for card, row in zip(tokens[::2], tokens[1::2], strict=True):
        letter = _LETTERS.get(row.casefold(), "")
        try:
            pairs.append((parse_card(card), letter))
        except CardError:
            return None
    return None if any(not letter for _, letter in pairs) else pairs


def _spread(pairs: Sequence[tuple[Card, str]], held: Sequence[Card], *, lay: int) -> str | None:
    letters: list[str | None] = [None] * len(held)
    for card, letter in pairs:
        place = next((n for n, mine in enumerate(held) if mine == card and letters[n] is None), None)
        if place is None:
            return None
        letters[place] = letter
    if sum(letter not in (None, DISCARD) for letter in letters) == lay:
        letters = [letter or DISCARD for letter in letters]
    return None if None in letters else "".join(letter or "" for letter in letters)
