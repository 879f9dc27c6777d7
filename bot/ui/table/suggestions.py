"""Placements that are suggested while somebody types one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from bot.ofc.rows import DISCARD, ROWS
from bot.play.views import TableView
from bot.text.names import card_text
from bot.text.words import Words
from bot.ui.table.panel import playable

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
    room[DISCARD] = len(held) - view.hand.lay
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
