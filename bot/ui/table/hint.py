"""A hint: the best placements of a street, and what each leads to."""

from __future__ import annotations

from math import hypot

from bot.ofc.cards import Card
from bot.ofc.rows import DISCARD, ROWS
from bot.play.hints import Hint
from bot.solver.search import Judged
from bot.text.names import capital, row_name
from bot.text.words import Words
from bot.ui.faces import Faces

CLOSE = 0.1
"""Points that make no difference."""
CERTAIN = 2
"""So many standard errors must a difference have to be told as one."""


def hint_text(hint: Hint, words: Words, faces: Faces) -> str:
    """The placements in the words of the panel."""
    lines = [words("hint.title", street=hint.hand.street)]
    for number, letters in enumerate(hint.letters, start=1):
        lines.append(words("hint.placement", number=number, places=_places(hint, letters, words, faces)))
        if hint.judged:
            lines.append(_facts(hint.judged[number - 1], words))
    if not hint.judged:
        lines.append(words("hint.unknown"))
    elif len(hint.judged) > 1:
        best, second = hint.judged
        lines.append(_difference(best, second, words))
    return "\n".join(lines)


def _places(hint: Hint, letters: str, words: Words, faces: Faces) -> str:
    parts = [
        words("hint.place", row=capital(row_name(row, words)), cards=faces.row(cards))
        for row in ROWS
        if (cards := _cards(hint, letters, row.value))
    ]
    if discards := _cards(hint, letters, DISCARD):
        parts.append(words("hint.discard", cards=faces.row(discards)))
    return " · ".join(parts)


def _cards(hint: Hint, letters: str, letter: str) -> list[Card]:
    assert hint.hand.mine
    held = [card for card in hint.hand.mine.held if card is not None]
    return [card for card, place in zip(held, letters, strict=True) if place == letter]


def _facts(judged: Judged, words: Words) -> str:
    return words(
        "hint.facts",
        foul=words.percent(round(100 * judged.foul)),
        fantasyland=words.percent(round(100 * judged.fantasyland)),
        royalties=words.signed_decimal(judged.royalties, decimals=1),
    )


def _difference(best: Judged, second: Judged, words: Words) -> str:
    """How far the second stays behind, where that is more than the chance of the draw."""
    behind = best.value - second.value
    if behind <= max(CLOSE, CERTAIN * hypot(best.error, second.error)):
        return words("hint.close")
    return words("hint.behind", points=words.signed_decimal(-behind, decimals=1))
