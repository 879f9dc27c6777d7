"""Placements as people type them, such as ``bmd`` or ``Ah b Kd m``, and what is suggested meanwhile."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from bot.model.refusals import PlayReason
from bot.ofc.cards import DISCARD, EMPTY, ROWS, Card, CardError, parse_card
from bot.ofc.refusals import Refused
from bot.ofc.view import HandView
from bot.play.look.views import TableView
from bot.text.languages import LANGUAGES
from bot.text.names import card_text, row_text
from bot.text.words import Words
from bot.ui.table.panel import playable

_LETTERS = {name: letter for language in LANGUAGES.values() for name, letter in language.typed.places.items()}
_SUITS = str.maketrans("♣♦♥♠♧♢♡♤", "cdhscdhs", "\ufe0e\ufe0f")
_CARD = re.compile(r"(?<![a-z0-9])((?:10|[2-9tjqka])[cdhs])")
_BETWEEN = re.compile(r"[\s,、・:=→]+")
_EXAMPLE = "BMBFM"
"""How an example goes through the rows."""


def letters_of(text: str, held: Sequence[Card], *, to_place: int) -> str | None:
    """The placement that was typed, one letter a card in the order dealt; None when it cannot be read.

    Letters alone go to the cards in order; ``card row`` pairs may come in any order, and when ``to_place`` of them are
    named the rest is discarded.
    """
    plain = unicodedata.normalize("NFKC", text).translate(_SUITS).casefold()
    compact = _BETWEEN.sub("", plain)
    if len(compact) == len(held) and all(letter in _LETTERS for letter in compact):
        return "".join(_LETTERS[letter] for letter in compact)
    pairs = _pairs(plain)
    return None if pairs is None else _spread(pairs, held, to_place=to_place)


def not_read(hand: HandView) -> Refused:
    """The refusal of what cannot be read: how many cards there are, which, and how it is typed."""
    mine = hand.mine
    assert mine is not None
    held = [card for card in mine.held if card is not None]
    # A Fantasyland is set anew from an empty board, whatever was set before.
    rows = EMPTY if mine.fantasyland else mine.rows
    room = {row.value: row.size - sum(card is not None for card in rows[row.place]) for row in ROWS}
    example = _example(room, to_place=hand.to_place) + DISCARD * (len(held) - hand.to_place)
    return Refused(PlayReason.NOT_READ, count=len(held), cards=row_text(held), example=example)


def _example(room: dict[str, int], *, to_place: int) -> str:
    letters = ""
    while len(letters) < to_place:
        free = [letter for letter in _EXAMPLE if letters.count(letter) < room[letter]]
        turn = _EXAMPLE[len(letters) % len(_EXAMPLE)]
        letters += turn if turn in free else free[0]
    return letters


def _pairs(text: str) -> list[tuple[Card, str]] | None:
    """``ah b, kd middle`` as cards with rows; a card and its row may stand together."""
    tokens = [token for token in _BETWEEN.split(_CARD.sub(r" \1 ", text)) if token]
    if not tokens or len(tokens) % 2:
        return None
    pairs = []
    for card, row in zip(tokens[::2], tokens[1::2], strict=True):
        try:
            pairs.append((parse_card(card), _LETTERS.get(row, "")))
        except CardError:
            return None
    return None if any(not letter for _, letter in pairs) else pairs


def _spread(pairs: Sequence[tuple[Card, str]], held: Sequence[Card], *, to_place: int) -> str | None:
    letters: list[str | None] = [None] * len(held)
    for card, letter in pairs:
        place = next((n for n, mine in enumerate(held) if mine == card and letters[n] is None), None)
        if place is None:
            return None
        letters[place] = letter
    if sum(letter not in (None, DISCARD) for letter in letters) == to_place:
        letters = [letter or DISCARD for letter in letters]
    return None if None in letters else "".join(letter or "" for letter in letters)


# What is suggested while it is typed.

MOST_CHOICES = 25
MOST_CARDS_TO_SUGGEST = 6
MOST_LOOKED_THROUGH = 250
"""Placements that one keystroke is compared with."""
LETTERS = "BMFD"
"""In the order in which placements are suggested."""
CHOICE_LENGTH = 100


def suggestions(view: TableView, current: str, words: Words) -> list[tuple[str, str]]:
    """Up to 25 placements (letters, words) that fit what was typed: the letters they begin with, or part of the words.

    Of many placements only the first are looked through: a keystroke must not hold up the presses of others.
    """
    if not playable(view) or view.hand is None or view.hand.mine is None:
        return []
    mine = view.hand.mine
    held = [card for card in mine.held if card is not None]
    if len(held) > MOST_CARDS_TO_SUGGEST:
        return []
    room = {row.value: row.size - sum(card is not None for card in mine.rows[row.place]) for row in ROWS}
    room[DISCARD] = len(held) - view.hand.to_place
    wanted = current.strip().casefold()
    begins = wanted.upper() if set(wanted.upper()) <= set(room) else ""
    named = [{letter: f"{card_text(card)}{words(f'place.{letter.lower()}')}" for letter in room} for card in held]
    found = (
        (letters, " ".join(one[letter] for one, letter in zip(named, letters, strict=True))[:CHOICE_LENGTH])
        for letters in islice(_placements(room, count=len(held), begins=begins), MOST_LOOKED_THROUGH)
    )
    return list(islice((one for one in found if begins or wanted in one[1].casefold()), MOST_CHOICES))


def _placements(room: Mapping[str, int], *, count: int, begins: str, letters: str = "") -> Iterator[str]:
    """The placements of so many cards that begin so: each row and the discard takes what there is room for."""
    to_place = count - len(letters)
    if len(begins) > count or room[DISCARD] - letters.count(DISCARD) > to_place:
        return
    if not to_place:
        yield letters
        return
    for letter in begins[len(letters)] if len(letters) < len(begins) else LETTERS:
        if letters.count(letter) < room[letter]:
            yield from _placements(room, count=count, begins=begins, letters=letters + letter)
