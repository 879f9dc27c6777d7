"""Strengths of rows: numbers that order three- and five-card rows on a common scale.

A strength is ``category << 20 | r1 << 16 | r2 << 12 | r3 << 8 | r4 << 4 | r5``. The ranks r1-r5 (2-14) are sorted by
size of their group, then by rank. In a three-card row, the last ones are zero. So comparing two strengths as integers
follows the rule book: category first, then rank by rank. It compares as many kickers as the front has, so ``QQ9`` in
front beats ``QQ852`` in the middle. Suits never break a tie.

A row is looked up by a sum of keys. Every rank has an additive key, and the sums over up to five cards are all
different, including five of one rank. Flushes have a separate table.

Source: docs/rules.md, "Poker hands", "Front against middle".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import combinations, combinations_with_replacement
from operator import mul
from typing import NewType

from bot.pure.ofc.cards import ACE, Card

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
    LOW = 11
    """A qualifying deuce-to-seven low, only in the middle of games that require one."""


_CATEGORIES = tuple(Category)
_RANK_KEYS = (0, 1, 6, 31, 108, 366, 926, 2286, 5733, 12905, 27316, 44676, 94545)
_KEYS = tuple(_RANK_KEYS[number // 4] for number in range(52))
_KEY_OF = dict(enumerate(_RANK_KEYS, start=2)).__getitem__
_DOWN = range(ACE, 1, -1)
_FIVE_CARD_SHAPES = {
    (1, 1, 1, 1, 1): Category.HIGH_CARD,
    (2, 1, 1, 1): Category.PAIR,
    (2, 2, 1): Category.TWO_PAIR,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (4, 1): Category.FOUR_OF_A_KIND,
    (5,): Category.FIVE_OF_A_KIND,
}
_THREE_CARD_SHAPES = {(1, 1, 1): Category.HIGH_CARD, (2, 1): Category.PAIR, (3,): Category.THREE_OF_A_KIND}


def encode_strength(category: Category, ranks: Sequence[int]) -> Strength:
    """Return the strength of a category with up to five ranks, which must be in the order they are compared."""
    value = int(category)
    for rank in ranks:
        value = value << 4 | rank
    return Strength(value << 4 * (5 - len(ranks)))


def category_of(strength: Strength) -> Category:
    """Return the category of a strength."""
    return _CATEGORIES[strength >> 20]


def top_rank(strength: Strength) -> int:
    """Return the first rank compared (2-14), such as that of a pair, three of a kind or a straight's top card."""
    return strength >> 16 & 15


def second_rank(strength: Strength) -> int:
    """Return the second rank compared, such as that of a full house's pair or the first kicker; 0 if none."""
    return strength >> 12 & 15


def _key(ranks: Iterable[int]) -> int:
    return sum(map(_KEY_OF, ranks))


def _groups(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all ranks for groups of the sizes in ``shape`` (largest first). Groups of equal size are sorted by rank."""
    large = shape.count(shape[0])
    for first in combinations(_DOWN, large):
        left = [rank for rank in _DOWN if rank not in first]
        for rest in combinations(left, len(shape) - large):
            yield first + rest


def _shapes_table(shapes: Mapping[tuple[int, ...], Category]) -> dict[int, Strength]:
    """Return the strengths of groups with kickers, by sum of keys."""
    return {
        sum(map(mul, shape, map(_KEY_OF, ranks))): encode_strength(category, ranks)
        for shape, category in shapes.items()
        for ranks in _groups(shape)
    }


def _straights(category: Category) -> dict[int, Strength]:
    """Return the strengths of five ranks in sequence, by sum of keys; A-2-3-4-5 is the lowest."""
    wheel = {_key((ACE, 2, 3, 4, 5)): encode_strength(category, (5,))}
    return wheel | {_key(range(top - 4, top + 1)): encode_strength(category, (top,)) for top in range(6, ACE + 1)}


def _flush_table() -> dict[int, Strength]:
    """Return the strengths of five suited cards, by sum of keys. With two decks, a rank may occur twice."""
    flushes = {_key(ranks): encode_strength(Category.FLUSH, ranks) for ranks in combinations_with_replacement(_DOWN, 5)}
    royal = {_key(range(10, ACE + 1)): encode_strength(Category.ROYAL_FLUSH, (ACE,))}
    return flushes | _straights(Category.STRAIGHT_FLUSH) | royal


_FIVE = _shapes_table(_FIVE_CARD_SHAPES) | _straights(Category.STRAIGHT)
_FLUSH = _flush_table()
_THREE = _shapes_table(_THREE_CARD_SHAPES)


def five_card_strength(cards: Sequence[Card]) -> Strength:
    """Return the strength of five natural cards (middle or back).

    Source: docs/rules.md, "Poker hands".
    """
    a, b, c, d, e = cards
    key = _KEYS[a] + _KEYS[b] + _KEYS[c] + _KEYS[d] + _KEYS[e]
    # The suit of a card is its last two bits.
    return _FLUSH[key] if a & 3 == b & 3 == c & 3 == d & 3 == e & 3 else _FIVE[key]


def rank_strength(ranks: Sequence[int]) -> Strength:
    """Return the strength of three or five ranks (2-14) that aren't suited."""
    return (_THREE if len(ranks) == 3 else _FIVE)[_key(ranks)]


def suited_strength(ranks: Sequence[int]) -> Strength:
    """Return the strength of five suited ranks."""
    return _FLUSH[_key(ranks)]


def three_card_strength(cards: Sequence[Card]) -> Strength:
    """Return the strength of three natural cards (front), without straights and flushes.

    Source: docs/rules.md, "Front against middle".
    """
    a, b, c = cards
    return _THREE[_KEYS[a] + _KEYS[b] + _KEYS[c]]


def row_strength(cards: Sequence[Card]) -> Strength:
    """Return the strength of a full row of three or five natural cards.

    >>> from bot.pure.ofc.cards import parse_cards
    >>> category_of(row_strength(parse_cards('2c3c4d5hAs')))
    <Category.STRAIGHT: 4>
    >>> row_strength(parse_cards('AhKdQc')) < row_strength(parse_cards('2h2d3c'))
    True
    """
    return three_card_strength(cards) if len(cards) == 3 else five_card_strength(cards)


def partial_strength(cards: Sequence[Card], *, jokers: int = 0) -> Strength:
    """Return the strength of up to four cards: pairs, trips, quads and kickers, but no straights or flushes.

    ``cards`` are natural. Jokers join the largest group, or are aces if there are no other cards.

    >>> from bot.pure.ofc.cards import parse_cards
    >>> category_of(partial_strength(parse_cards('KhKd7c7d')))
    <Category.TWO_PAIR: 2>
    """
    counts = Counter(card // 4 + 2 for card in cards)
    if jokers:
        counts[max(counts, key=lambda rank: (counts[rank], rank), default=ACE)] += jokers
    groups = sorted(counts.items(), key=lambda g: (g[1], g[0]), reverse=True)
    sizes = [size for _, size in groups] + [0, 0]
    category = {4: Category.FOUR_OF_A_KIND, 3: Category.THREE_OF_A_KIND, 2: Category.PAIR}.get(
        sizes[0], Category.HIGH_CARD
    )
    if sizes[:2] == [2, 2]:
        category = Category.TWO_PAIR
    return encode_strength(category, [rank for rank, _ in groups])


MAX_LOW_RANK = 10
"""Maximum top rank of a deuce-to-seven low."""
WHEEL_LOW = (7, 5, 4, 3, 2)
"""Ranks of the best low."""
_LOW_COMPLEMENT = 0xFFFFF


def low_strength(cards: Sequence[Card]) -> Strength:
    """Return the strength of five cards as a deuce-to-seven low. Qualifying lows have category LOW; lower is stronger.

    To qualify, a hand may not have a pair, straight, flush or any card above a ten; the ace is high. All other hands
    keep their strength as a high hand, which is below every low.

    Source: docs/rules.md, "Deuce-to-seven lows".

    >>> from bot.pure.ofc.cards import parse_cards
    >>> wheel, ten = (low_strength(parse_cards(low)) for low in ('7h5d4c3s2h', 'Th9d8c7s5h'))
    >>> wheel > ten, low_ranks(wheel)
    (True, (7, 5, 4, 3, 2))
    """
    high = five_card_strength(cards)
    if category_of(high) is not Category.HIGH_CARD or top_rank(high) > MAX_LOW_RANK:
        return high
    return Strength(Category.LOW << 20 | _LOW_COMPLEMENT - high)


def low_ranks(strength: Strength) -> tuple[int, ...]:
    """Return the five ranks of a qualifying low, highest first."""
    high = _LOW_COMPLEMENT - (strength & _LOW_COMPLEMENT)
    return tuple(high >> shift & 15 for shift in (16, 12, 8, 4, 0))


def is_low(strength: Strength) -> bool:
    """True if ``strength`` is a qualifying low."""
    return category_of(strength) is Category.LOW
