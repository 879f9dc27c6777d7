"""Auto-placement of a player's cards after they time out. It only avoids fouls.

Of all placements of a street, it picks the one that keeps the rows furthest apart. The height of a row is the strength
of its cards (category first, then highest rank), and each open place counts as a fifth of a category. Two distances are
compared, the smaller one first: between middle and back, and between front and middle. Auto-placement doesn't aim for
royalties or Fantasyland and ignores all other boards, so players gain nothing by timing out.

Source: docs/rules.md, "Streets".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from bot.pure.ofc.cards import DISCARD, JOKERS, ROWS, Card, Row, RowCards
from bot.pure.ofc.placement import RowOrder, place, preview
from bot.pure.ofc.ranks import (
    MAX_LOW_RANK,
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
"""Distance for a certain foul."""
_NEIGHBOURS = ((Row.FRONT, Row.MIDDLE), (Row.MIDDLE, Row.BACK))


def clock_placement(variant: Variant, rows: RowCards, cards: Sequence[Card], *, to_place: int) -> str:
    """Return the auto-placement of a street, in letters, which adds ``to_place`` of ``cards`` to ``rows``.

    Equal boards and cards always get the same placement.

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
    """Yield every placement that fits the board, in letters."""
    free = [(row.value, row.size - len(held)) for row, held in zip(ROWS, rows, strict=True)]
    discards = len(cards) - to_place
    for letters in product("BMF" + DISCARD * (discards > 0), repeat=len(cards)):
        if letters.count(DISCARD) == discards and all(letters.count(letter) <= room for letter, room in free):
            yield "".join(letters)


class _Board:
    """Measures boards of a game. It caches the strengths of rows, because many placements share a row."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._low = variant.middle is MiddleRank.DEUCE_TO_SEVEN
        self._known: dict[tuple[Row, tuple[Card, ...]], tuple[Strength, ...]] = {}

    def distances(self, rows: RowCards) -> list[int]:
        """Return the distances of the rows from a foul, the smallest first."""
        if all(len(cards) == row.size for row, cards in zip(ROWS, rows, strict=True)) and self._fouls(rows):
            return [_LOST, _LOST]
        if self._low:
            return sorted((self._distance(rows, Row.FRONT, Row.BACK), _distance_of_low(rows[Row.MIDDLE.place])))
        return sorted(self._distance(rows, upper, lower) for upper, lower in _NEIGHBOURS)

    def _fouls(self, rows: RowCards) -> bool:
        return preview(self._variant, rows, fantasyland=0).order is RowOrder.FOUL

    def _distance(self, rows: RowCards, upper: Row, lower: Row) -> int:
        """Return the lead of ``lower`` over ``upper``, with jokers as strong as possible below and as weak above."""
        above, below = rows[upper.place], rows[lower.place]
        least, most = self._possible(upper, above)[-1], self._possible(lower, below)[0]
        full = len(above) == upper.size and len(below) == lower.size
        if full and (least > most or (least == most and self._variant.strict_rows)):
            return _LOST
        return _height(most, room=lower.size - len(below)) - _height(least, room=upper.size - len(above))

    def _possible(self, row: Row, cards: tuple[Card, ...]) -> tuple[Strength, ...]:
        """Return the strengths that a full row can have, or those of an open row's cards, strongest first."""
        known = self._known.get((row, cards))
        if known is None:
            full = len(cards) == row.size
            known = self._known[row, cards] = (
                possible_strengths(self._variant, row, cards) if full else _row_strengths(cards)
            )
        return known


def _row_strengths(cards: tuple[Card, ...]) -> tuple[Strength, Strength]:
    """Return the strengths of an unfinished row's cards, with its jokers and without."""
    naturals = [card for card in cards if card not in JOKERS]
    return partial_strength(naturals, jokers=len(cards) - len(naturals)), partial_strength(naturals)


def _height(strength: Strength, *, room: int) -> int:
    made = int(category_of(strength)) * _CATEGORY
    return made + (top_rank(strength) - 2) * _TOP_RANK + second_rank(strength) + room * _OPEN_PLACE


def _distance_of_low(cards: tuple[Card, ...]) -> int:
    """Return the distance from a foul for a middle that must be a deuce-to-seven low.

    The more places are still open, the smaller it is.
    """
    strength = partial_strength(cards)
    if category_of(strength) is not Category.HIGH_CARD or top_rank(strength) > MAX_LOW_RANK:
        return _LOST
    if len(cards) == Row.MIDDLE.size and not is_low(low_strength(cards)):
        return _LOST
    return (len(cards) - Row.MIDDLE.size) * _OPEN_PLACE
