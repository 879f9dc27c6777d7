"""A board set from the back up: the strongest back, then the strongest middle of what is left, then a front."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from bot.ofc.cards import Card
from bot.ofc.rows import BOARD_CARDS, DISCARD, Row
from bot.ofc.scoring import possible_strengths
from bot.ofc.variants import MiddleRank, Variant
from bot.solver.arrange import best_arrangement


def from_the_back(variant: Variant, cards: Sequence[Card]) -> str:
    """The placement of 13 cards or more as somebody sets them who thinks of one row after the other.

    Where the middle is a low, which this way would hardly ever be one, and where rows are strict, the best board of
    all is set.
    """
    if variant.middle is MiddleRank.DEUCE_TO_SEVEN:
        return best_arrangement(variant, cards)
    letters = [DISCARD] * len(cards)
    left = list(range(len(cards)))
    limit: int | None = None
    for row in (Row.BACK, Row.MIDDLE, Row.FRONT):
        best, chosen = -1, tuple(left[: row.size])
        for some in combinations(left, row.size):
            strength = possible_strengths(variant, row, tuple(cards[place] for place in some))[0]
            if best < strength and (limit is None or strength <= limit - variant.strict_rows):
                best, chosen = strength, some
        limit = best
        for place in chosen:
            letters[place] = row.value
        left = [place for place in left if place not in chosen]
    assert sum(letter != DISCARD for letter in letters) == BOARD_CARDS
    return "".join(letters)
