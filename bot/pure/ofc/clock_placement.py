"""Auto-placement: where a player's cards go when their time runs out. It only avoids fouls.

Of all placements of a street, it takes the one that keeps the rows furthest apart. A row's height is what it makes by
itself (category first, then its highest rank), and each open place counts as a fifth of a category. Two distances
count, the smaller one first: from the middle down to the back, and from the front down to the middle. It builds no
royalties, reaches for no Fantasyland and looks at no other board, so running out of time gains nothing. Source:
docs/rules.md, "Streets".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from bot.pure.ofc.cards import DISCARD, JOKERS, ROWS, Card, Row, RowCards
from bot.pure.ofc.placement import Order, place, preview
from bot.pure.ofc.ranks import (
    LOWEST_TOP,
    Category,
    Strength,
    category_of,
    is_low,
    low_strength,
    partial_strength,
    second_rank,
    top_rank,
)
from bot.pure.ofc.scoring import possible_strengths
from bot.pure.ofc.variants import MiddleRank, Variant

_CATEGORY = 260
_TOP_RANK = 18
_OPEN_PLACE = _CATEGORY // 5
_LOST = -100 * _CATEGORY
"""A foul for certain."""
_NEIGHBOURS = ((Row.FRONT, Row.MIDDLE), (Row.MIDDLE, Row.BACK))


def clock_placement(variant: Variant, rows: RowCards, cards: Sequence[Card], *, to_place: int) -> str:
    """The letters by which the clock places a street: ``to_place`` of ``cards`` go on the board with ``rows`` on it.

    The same board and cards always get the same placement.

    >>> from bot.pure.ofc.cards import parse_cards
    >>> from bot.pure.ofc.presets import PINEAPPLE
    >>> rows = (), parse_cards('7h7d'), parse_cards('AsAh2c')
    >>> clock_placement(PINEAPPLE, rows, parse_cards('AdKc3s'), to_place=2)
    'BBD'
    """
    board = _Board(variant)
    return max(
        _placements(rows, cards, to_place=to_place), key=lambda letters: board.distances(place(rows, cards, letters)[0])
    )


def _placements(rows: RowCards, cards: Sequence[Card], *, to_place: int) -> Iterator[str]:
    """Every placement that the board has room for."""
    free = [(row.value, row.size - len(held)) for row, held in zip(ROWS, rows, strict=True)]
    discards = len(cards) - to_place
    for letters in product("BMF" + DISCARD * (discards > 0), repeat=len(cards)):
        if letters.count(DISCARD) == discards and all(letters.count(letter) <= room for letter, room in free):
            yield "".join(letters)


class _Board:
    """Measures boards of a game. Many placements leave a row alike: what a row can be is worked out once."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._low = variant.middle is MiddleRank.DEUCE_TO_SEVEN
        self._known: dict[tuple[Row, tuple[Card, ...]], tuple[Strength, ...]] = {}

    def distances(self, rows: RowCards) -> list[int]:
        """How far the rows are from a foul, the smallest distance first."""
        if all(len(cards) == row.size for row, cards in zip(ROWS, rows, strict=True)) and self._fouls(rows):
            return [_LOST, _LOST]
        if self._low:
            return sorted((self._distance(rows, Row.FRONT, Row.BACK), _distance_of_low(rows[Row.MIDDLE.place])))
        return sorted(self._distance(rows, upper, lower) for upper, lower in _NEIGHBOURS)

    def _fouls(self, rows: RowCards) -> bool:
        return preview(self._variant, rows, fantasyland=0).order is Order.FOUL

    def _distance(self, rows: RowCards, upper: Row, lower: Row) -> int:
        """How far ``lower`` is ahead of ``upper``; a joker counts for most below and for least above."""
        above, below = rows[upper.place], rows[lower.place]
        least, most = self._possible(upper, above)[-1], self._possible(lower, below)[0]
        full = len(above) == upper.size and len(below) == lower.size
        if full and (least > most or (least == most and self._variant.strict_rows)):
            return _LOST
        return _height(most, room=lower.size - len(below)) - _height(least, room=upper.size - len(above))

    def _possible(self, row: Row, cards: tuple[Card, ...]) -> tuple[Strength, ...]:
        """The strengths of a full row, or of the cards of an open one by themselves, strongest first."""
        known = self._known.get((row, cards))
        if known is None:
            full = len(cards) == row.size
            known = self._known[row, cards] = possible_strengths(self._variant, row, cards) if full else _worth(cards)
        return known


def _worth(cards: tuple[Card, ...]) -> tuple[Strength, Strength]:
    """The strengths of an unfinished row by itself, with its jokers and without."""
    naturals = [card for card in cards if card not in JOKERS]
    return partial_strength(naturals, jokers=len(cards) - len(naturals)), partial_strength(naturals)


def _height(strength: Strength, *, room: int) -> int:
    made = int(category_of(strength)) * _CATEGORY
    return made + (top_rank(strength) - 2) * _TOP_RANK + second_rank(strength) + room * _OPEN_PLACE


def _distance_of_low(cards: tuple[Card, ...]) -> int:
    """How far a middle that must be a deuce-to-seven low is from a foul: by each place that is still open, nearer."""
    strength = partial_strength(cards)
    if category_of(strength) is not Category.HIGH_CARD or top_rank(strength) > LOWEST_TOP:
        return _LOST
    if len(cards) == Row.MIDDLE.size and not is_low(low_strength(cards)):
        return _LOST
    return (len(cards) - Row.MIDDLE.size) * _OPEN_PLACE
