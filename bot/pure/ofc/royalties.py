"""Royalty tables: bonus points for strong rows, as data.

The sources in brackets are listed in ``bot/pure/ofc/presets.py``.

Source: docs/rules.md, "Royalties".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from bot.pure.ofc.cards import RANKS, Row
from bot.pure.ofc.ranks import WHEEL_LOW, Category, Strength, category_of, low_ranks, top_rank


@dataclass(frozen=True, slots=True, kw_only=True)
class Royalties:
    """Royalties of each row, in points. Hands that aren't listed pay nothing."""

    back: Mapping[Category, int]
    middle: Mapping[Category, int]
    front_pairs: Mapping[int, int]
    """Points by rank of the pair (2-14)."""
    front_trips: Mapping[int, int]
    """Points by rank of the three of a kind (2-14)."""
    lows: Mapping[int, int] = field(default_factory=dict)
    """Points by highest rank of a deuce-to-seven low (7-10)."""
    wheel_low: int = 0
    """Points for 7-5-4-3-2, the best low."""

    def of(self, row: Row, strength: Strength) -> int:
        """Return the royalty of a row with this strength. Source: docs/rules.md, "Royalties"."""
        category = category_of(strength)
        if category is Category.LOW:
            ranks = low_ranks(strength)
            return self.wheel_low if ranks == WHEEL_LOW else self.lows.get(ranks[0], 0)
        if row is Row.BACK:
            return self.back.get(category, 0)
        if row is Row.MIDDLE:
            return self.middle.get(category, 0)
        if category is Category.PAIR:
            return self.front_pairs.get(top_rank(strength), 0)
        if category is Category.THREE_OF_A_KIND:
            return self.front_trips.get(top_rank(strength), 0)
        return 0

    def first_fall(self, possible: Mapping[Row, Sequence[Category]]) -> RoyaltyDrop | None:
        """Return the first drop: two neighbouring hands where the stronger one pays less; None if there isn't one.

        Games with jokers need tables without drops, because jokers are resolved row by row for strength.
        ``possible`` lists the possible hands of each row, weakest first.
        """
        front = [(RANKS[rank - 2] * 2, self.front_pairs.get(rank, 0)) for rank in RANK_ORDER]
        front += [(RANKS[rank - 2] * 3, self.front_trips.get(rank, 0)) for rank in RANK_ORDER]
        rows = {Row.FRONT: front}
        for row, table in ((Row.MIDDLE, self.middle), (Row.BACK, self.back)):
            rows[row] = [(category.name.lower(), table.get(category, 0)) for category in possible[row]]
        return next((fall for row, hands in rows.items() if (fall := fall_of(row, hands))), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoyaltyDrop:
    """Two neighbouring hands in a row (such as ``AA`` or ``full_house``) where the stronger one pays fewer points."""

    row: Row
    weaker: str
    more: int
    stronger: str
    less: int


def fall_of(row: Row, hands: Sequence[tuple[str, int]]) -> RoyaltyDrop | None:
    """Return the first drop in ``hands``, pairs of name and points with the weakest first; None if there isn't one.

    >>> fall_of(Row.FRONT, [('KK', 8), ('AA', 9), ('222', 5)])
    RoyaltyDrop(row=<Row.FRONT: 'F'>, weaker='AA', more=9, stronger='222', less=5)
    """
    for (weaker, more), (stronger, less) in pairwise(hands):
        if less < more:
            return RoyaltyDrop(row=row, weaker=weaker, more=more, stronger=stronger, less=less)
    return None


RANK_ORDER = range(2, 15)
HIGH_CATEGORIES = [category for category in Category if category is not Category.LOW]
NO_ROYALTIES = Royalties(back={}, middle={}, front_pairs={}, front_trips={})
"""Royalties for games without any."""

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
"""Standard royalties [gamefarm, pokerdou: royalties], with five of a kind [pokerdou, casino-ya: jokers]. On the front,
66 pays 1 and AAA 22."""

STEEPER_BACK = replace(
    STANDARD,
    back={
        **STANDARD.back,
        Category.STRAIGHT_FLUSH: 25,
        Category.ROYAL_FLUSH: 50,
        Category.FIVE_OF_A_KIND: 100,
    },
)
"""Higher royalties for the rarest hands on the back [pokerdou: other royalties]."""

DOUBLE_DECK = replace(
    STANDARD,
    back={**STANDARD.back, Category.FIVE_OF_A_KIND: 25},
    middle={**STANDARD.middle, Category.FIVE_OF_A_KIND: 50},
)
"""Two decks without jokers: five of a kind pays as much as a royal flush [casino-ya: two decks]."""

TWO_SEVEN = replace(STANDARD, middle={}, lows={9: 1, 8: 2, 7: 4}, wheel_low=8)
"""Deuce-to-seven in the middle: 9-low 1, 8-low 2, 7-low 4, and 8 for 7-5-4-3-2 [wikipedia; rooms: TonyBet]."""
