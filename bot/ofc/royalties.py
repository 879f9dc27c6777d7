"""Royalty tables: bonus points for strong rows, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.ofc.ranks import Category, Strength, category_of, top_rank
from bot.ofc.rows import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Royalties:
    """What each row pays, in points. A hand that is not listed pays nothing."""

    back: Mapping[Category, int]
    middle: Mapping[Category, int]
    front_pairs: Mapping[int, int]
    """Rank of the pair (2-14) to points."""
    front_trips: Mapping[int, int]
    """Rank of the three of a kind (2-14) to points."""

    def of(self, row: Row, strength: Strength) -> int:
        """The points that a row of this strength pays."""
        category = category_of(strength)
        if row is Row.BACK:
            return self.back.get(category, 0)
        if row is Row.MIDDLE:
            return self.middle.get(category, 0)
        if category is Category.PAIR:
            return self.front_pairs.get(top_rank(strength), 0)
        if category is Category.THREE_OF_A_KIND:
            return self.front_trips.get(top_rank(strength), 0)
        return 0


STANDARD = Royalties(
    back={
        Category.STRAIGHT: 2,
        Category.FLUSH: 4,
        Category.FULL_HOUSE: 6,
        Category.FOUR_OF_A_KIND: 10,
        Category.STRAIGHT_FLUSH: 15,
        Category.ROYAL_FLUSH: 25,
        Category.FIVE_OF_A_KIND: 50,
    },
    middle={
        Category.THREE_OF_A_KIND: 2,
        Category.STRAIGHT: 4,
        Category.FLUSH: 8,
        Category.FULL_HOUSE: 12,
        Category.FOUR_OF_A_KIND: 20,
        Category.STRAIGHT_FLUSH: 30,
        Category.ROYAL_FLUSH: 50,
        Category.FIVE_OF_A_KIND: 100,
    },
    front_pairs={rank: rank - 5 for rank in range(6, 15)},
    front_trips={rank: rank + 8 for rank in range(2, 15)},
)
"""The table of the founding texts and of nearly every room: 66 on the front pays 1, AAA pays 22."""
