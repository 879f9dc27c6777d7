"""How strong rows usually are, and so how often a row of some strength wins."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence

from bot.ofc.cards import Row
from bot.ofc.ranks import Category, Strength, strength_of

Marks = Sequence[Strength]
"""Strengths, weakest first, that part all rows in equal steps: half a step is below the first mark and half a step
above the last."""


def _marks(*marks: tuple[Category, int, int]) -> Marks:
    return [strength_of(category, ranks) for category, *ranks in marks]


def _lows(*tops: tuple[int, int]) -> Marks:
    """Marks among deuce-to-seven lows by their two highest cards."""
    # A low counts down from the ranks of its high hand: the lower they are, the stronger it is.
    lowest = strength_of(Category.LOW, (15,) * 5)
    return [Strength(lowest - strength_of(Category.HIGH_CARD, (*two, 4, 3, 2))) for two in tops]


_HIGH, _PAIR, _TWO_PAIR, _TRIPS = Category.HIGH_CARD, Category.PAIR, Category.TWO_PAIR, Category.THREE_OF_A_KIND
_STRAIGHT, _FLUSH, _FULL_HOUSE = Category.STRAIGHT, Category.FLUSH, Category.FULL_HOUSE
PLACED: Mapping[Row, Marks] = {
    Row.FRONT: _marks(
        *((_HIGH, 9, 7), (_HIGH, 11, 7), (_HIGH, 12, 9), (_HIGH, 13, 5), (_HIGH, 13, 11)),
        *((_HIGH, 13, 12), (_HIGH, 14, 12), (_PAIR, 6, 0), (_PAIR, 11, 0), (_PAIR, 13, 0)),
    ),
    Row.MIDDLE: _marks(
        *((_HIGH, 12, 11), (_HIGH, 14, 11), (_HIGH, 14, 13), (_PAIR, 4, 0), (_PAIR, 8, 0)),
        *((_PAIR, 11, 0), (_PAIR, 14, 0), (_TWO_PAIR, 4, 3), (_TWO_PAIR, 11, 0), (_TRIPS, 14, 0)),
    ),
    Row.BACK: _marks(
        *((_PAIR, 4, 0), (_PAIR, 12, 0), (_TWO_PAIR, 8, 0), (_TWO_PAIR, 11, 0), (_TRIPS, 7, 0)),
        *((_STRAIGHT, 9, 0), (_FLUSH, 11, 0), (_FLUSH, 14, 0), (_FULL_HOUSE, 4, 0), (_FULL_HOUSE, 14, 0)),
    ),
}
"""Rows placed street by street: the legal ones of the computer opponent, 700 hands of Pineapple."""
PLACED_LOWS: Marks = _lows((10, 9), (10, 8), (10, 7), (10, 6), (9, 8), (9, 7), (9, 6), (8, 7), (8, 6), (8, 5))
"""Deuce-to-seven lows placed street by street, about."""
SET: Mapping[Row, Marks] = {
    Row.FRONT: _marks(
        *((_HIGH, 10, 6), (_HIGH, 12, 8), (_HIGH, 13, 9), (_HIGH, 13, 12), (_HIGH, 14, 9), (_HIGH, 14, 11)),
        *((_HIGH, 14, 12), (_HIGH, 14, 13), (_PAIR, 4, 10), (_PAIR, 7, 5), (_PAIR, 9, 5), (_PAIR, 10, 11)),
        *((_PAIR, 11, 14), (_PAIR, 12, 13), (_PAIR, 13, 12), (_PAIR, 14, 11)),
    ),
    Row.MIDDLE: _marks(
        *((_PAIR, 3, 9), (_PAIR, 9, 13), (_PAIR, 12, 8), (_PAIR, 13, 7), (_PAIR, 13, 14), (_PAIR, 14, 11)),
        *((_TWO_PAIR, 5, 2), (_TWO_PAIR, 7, 2), (_TWO_PAIR, 9, 3), (_TWO_PAIR, 11, 2), (_TWO_PAIR, 12, 10)),
        *((_TRIPS, 9, 6), (_STRAIGHT, 7, 0), (_STRAIGHT, 10, 0), (_FLUSH, 8, 7), (_FULL_HOUSE, 2, 3)),
    ),
    Row.BACK: _marks(
        *((_TWO_PAIR, 5, 4), (_TWO_PAIR, 9, 6), (_TRIPS, 13, 8), (_STRAIGHT, 9, 0), (_STRAIGHT, 12, 0)),
        *((_FLUSH, 9, 7), (_FLUSH, 12, 11), (_FLUSH, 13, 12), (_FLUSH, 14, 11), (_FLUSH, 14, 13)),
        *((_FULL_HOUSE, 3, 8), (_FULL_HOUSE, 6, 5), (_FULL_HOUSE, 9, 4), (_FULL_HOUSE, 12, 2)),
        *((_FULL_HOUSE, 14, 4), (Category.FOUR_OF_A_KIND, 10, 9)),
    ),
}
"""Rows of thirteen cards set at once to win rows: those of this arranger, 500 hands of 十三張."""


def share_beaten(marks: Marks, strength: Strength) -> float:
    """The share of rows (0-1) that a row of this strength beats, growing from mark to mark."""
    place = bisect(marks, strength)
    if place == 0:
        return 0.5 / len(marks) * strength / marks[0]
    if place == len(marks):
        return 1 - 0.25 / len(marks)
    below, above = marks[place - 1], marks[place]
    return (place - 0.5 + (strength - below) / (above - below)) / len(marks)
