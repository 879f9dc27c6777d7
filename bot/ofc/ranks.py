"""How strong a row is: one number that orders three- and five-card rows on one scale.

A strength is ``category << 20 | r1 << 16 | r2 << 12 | r3 << 8 | r4 << 4 | r5`` where r1-r5 are ranks
(2-14) sorted by size of their group, then by rank; a three-card row leaves the last places zero. Comparing
two strengths as integers is therefore the comparison of the rule book: category first, then rank by rank, and
kickers of a front count as far as it has them (front v. middle, ``QQ9`` beats ``QQ852``). Suits never break a tie.

Ranks and suits are looked up by one sum: every rank has an additive key whose sums over five cards are all
different (five of one rank included), and each suit counts in three bits above them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from itertools import combinations_with_replacement
from typing import NewType

from bot.ofc.cards import ACE, Card

Strength = NewType("Strength", int)


class Category(IntEnum):
    """Hand categories, weakest first."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9
    FIVE_OF_A_KIND = 10


_RANK_KEYS = (0, 1, 6, 31, 108, 366, 926, 2286, 5733, 12905, 27316, 44676, 94545)
_SUIT_SHIFT = 20
_RANK_MASK = (1 << _SUIT_SHIFT) - 1
_ONE_SUIT = frozenset(5 << (3 * suit) for suit in range(4))
_KEYS = tuple(_RANK_KEYS[n // 4] | 1 << (_SUIT_SHIFT + 3 * (n % 4)) for n in range(52))
_SHAPES = {
    (1, 1, 1, 1, 1): Category.HIGH_CARD,
    (2, 1, 1, 1): Category.PAIR,
    (2, 2, 1): Category.TWO_PAIR,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (4, 1): Category.FOUR_OF_A_KIND,
    (5,): Category.FIVE_OF_A_KIND,
    (1, 1, 1): Category.HIGH_CARD,
    (2, 1): Category.PAIR,
    (3,): Category.THREE_OF_A_KIND,
}


def strength_of(category: Category, ranks: Sequence[int]) -> Strength:
    """The number for a category and its ranks, already in the order in which they are compared."""
    value = int(category)
    for place in range(5):
        value = value << 4 | (ranks[place] if place < len(ranks) else 0)
    return Strength(value)


def category_of(strength: Strength) -> Category:
    """The category that a strength belongs to."""
    return Category(strength >> 20)


def top_rank(strength: Strength) -> int:
    """The first rank compared: of the pair, the three of a kind, the straight's top card ... (2-14)."""
    return strength >> 16 & 15


def _straight_top(ranks: Sequence[int]) -> int:
    """The top card of five ranks in sequence (5 for A-2-3-4-5), or 0."""
    distinct = sorted(set(ranks), reverse=True)
    if len(distinct) != 5:
        return 0
    if distinct[0] - distinct[4] == 4:
        return distinct[0]
    return 5 if distinct == [ACE, 5, 4, 3, 2] else 0


def _plain(ranks: Sequence[int]) -> Strength:
    """The strength of ranks that are not of one suit."""
    if top := _straight_top(ranks):
        return strength_of(Category.STRAIGHT, (top,))
    groups = sorted(Counter(ranks).items(), key=lambda group: (group[1], group[0]), reverse=True)
    return strength_of(_SHAPES[tuple(size for _, size in groups)], [rank for rank, _ in groups])


def _suited(ranks: Sequence[int]) -> Strength:
    """The strength of five ranks of one suit; with two decks a rank may stand twice."""
    if top := _straight_top(ranks):
        return strength_of(Category.ROYAL_FLUSH if top == ACE else Category.STRAIGHT_FLUSH, (top,))
    return strength_of(Category.FLUSH, sorted(ranks, reverse=True))


def _table(size: int, *, suited: bool) -> dict[int, Strength]:
    rate = _suited if suited else _plain
    return {
        sum(_RANK_KEYS[rank - 2] for rank in ranks): rate(ranks)
        for ranks in combinations_with_replacement(range(2, ACE + 1), size)
    }


_FIVE = _table(5, suited=False)
_FLUSH = _table(5, suited=True)
_THREE = _table(3, suited=False)


def five_card_strength(cards: Sequence[Card]) -> Strength:
    """The strength of five natural cards (middle or back). Source: rules, five-card rows."""
    a, b, c, d, e = cards
    total = _KEYS[a] + _KEYS[b] + _KEYS[c] + _KEYS[d] + _KEYS[e]
    if total >> _SUIT_SHIFT in _ONE_SUIT:
        return _FLUSH[total & _RANK_MASK]
    return _FIVE[total & _RANK_MASK]


def three_card_strength(cards: Sequence[Card]) -> Strength:
    """The strength of three natural cards (front): no straights, no flushes."""
    a, b, c = cards
    return _THREE[(_KEYS[a] + _KEYS[b] + _KEYS[c]) & _RANK_MASK]


def row_strength(cards: Sequence[Card]) -> Strength:
    """The strength of a full row of three or five natural cards."""
    return three_card_strength(cards) if len(cards) == 3 else five_card_strength(cards)


def partial_strength(cards: Sequence[Card]) -> Strength:
    """What up to four cards are worth by themselves: pairs, trips, quads and kickers, no straights or flushes."""
    groups = sorted(Counter(card // 4 + 2 for card in cards).items(), key=lambda g: (g[1], g[0]), reverse=True)
    sizes = [size for _, size in groups] + [0, 0]
    category = {4: Category.FOUR_OF_A_KIND, 3: Category.THREE_OF_A_KIND, 2: Category.PAIR}.get(
        sizes[0], Category.HIGH_CARD
    )
    if sizes[:2] == [2, 2]:
        category = Category.TWO_PAIR
    return strength_of(category, [rank for rank, _ in groups])
