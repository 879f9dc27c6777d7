"""A computer opponent: it lays the street that a view asks for, and knows nothing that the view does not show.

For each placement it asks how good a board can still come of it: it deals itself a few of the cards that it has not
seen, completes the board in the best legal way, and takes the mean over many such futures. All placements meet the
same futures; those that do badly drop out, and the rest meet more. Seeing the cards to come makes a player bold, so a
future holds only as many as he must lay, and a foul counts for more than it costs at the table.

The futures follow from the cards in view, not from chance: the same view is always answered with the same placement.
Natural cards only.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import chain, combinations, islice, product

from bot.ofc.cards import Card, full_deck
from bot.ofc.fantasyland import next_fantasyland
from bot.ofc.placement import place
from bot.ofc.ranks import Category, Strength, row_strength, strength_of
from bot.ofc.rows import BOARD_CARDS, DISCARD, ROWS, Row, RowCards
from bot.ofc.variants import Variant
from bot.ofc.view import Facing, HandView
from bot.solver.arrange import best_arrangement

FOUL_POINTS = 8.0
"""What a foul takes away: more than at the table, because the futures are too kind."""
FANTASYLAND_POINTS = {0: 0, 13: 8, 14: 10, 15: 15, 16: 28, 17: 50}
"""What entering Fantasyland with so many cards is worth, measured in play between equals."""
FMAX = 1
C = 0.0
FIRST_ROUND = 480
"""How many boards are completed in the first round, about; each later round deals twice as many futures."""
SURVIVORS = 4
"""One placement in so many goes on to the next round."""

Completed = tuple[Strength, int, float]
"""A row made full: its strength, the mask of the cards to come that it takes, and its worth."""


def _marks(*rows: tuple[Category, tuple[int, ...]]) -> list[Strength]:
    return [strength_of(category, ranks) for category, ranks in rows]


_HIGH, _PAIR, _TWO_PAIR, _TRIPS = Category.HIGH_CARD, Category.PAIR, Category.TWO_PAIR, Category.THREE_OF_A_KIND
_USUAL = {
    Row.FRONT: _marks(
        (_HIGH, (9, 7)),
        (_HIGH, (11, 7)),
        (_HIGH, (12, 9)),
        (_HIGH, (13, 5)),
        (_HIGH, (13, 11)),
        (_HIGH, (13, 12)),
        (_HIGH, (14, 12)),
        (_PAIR, (6,)),
        (_PAIR, (11,)),
        (_PAIR, (13,)),
    ),
    Row.MIDDLE: _marks(
        (_HIGH, (12, 11)),
        (_HIGH, (14, 11)),
        (_HIGH, (14, 13)),
        (_PAIR, (4,)),
        (_PAIR, (8,)),
        (_PAIR, (11,)),
        (_PAIR, (14,)),
        (_TWO_PAIR, (4, 3)),
        (_TWO_PAIR, (11,)),
        (_TRIPS, (14,)),
    ),
    Row.BACK: _marks(
        (_PAIR, (4,)),
        (_PAIR, (12,)),
        (_TWO_PAIR, (8,)),
        (_TWO_PAIR, (11,)),
        (_TRIPS, (7,)),
        (Category.STRAIGHT, (9,)),
        (Category.FLUSH, (11,)),
        (Category.FLUSH, (14,)),
        (Category.FULL_HOUSE, (4,)),
        (Category.FULL_HOUSE, (14,)),
    ),
}
"""Rows as good opponents make them, in ten equal steps: the weakest twentieth of all fronts is below the first mark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Option:
    """A placement and the board that it makes."""

    letters: str
    rows: RowCards


def choose_placement(view: HandView) -> str:
    """The placement of the viewer's held cards, in the order held: a street, or a whole Fantasyland board.

    ``view`` is of a player for whom the hand waits; raises ValueError for a view without a seat.
    """
    mine = view.mine
    if mine is None:
        raise ValueError("only a player can lay cards")
    held = _known(mine.held)
    if view.lay == BOARD_CARDS:
        return best_arrangement(view.variant, held)
    front, middle, back = (_known(row) for row in mine.rows)
    options = _options((front, middle, back), held, lay=view.lay)
    worths = tuple(_Worth(view.variant, row) for row in ROWS)
    return _best(options, _futures(view), worths, FOUL_POINTS + C * (len(view.variant.streets) - view.street)).letters


def _known(cards: Facing) -> tuple[Card, ...]:
    return tuple(card for card in cards if card is not None)


def _options(rows: RowCards, held: Sequence[Card], *, lay: int) -> list[_Option]:
    """Every placement that the rules allow, without the very front-heavy ones while most of the board is empty."""
    free = [row.size - len(cards) for row, cards in zip(ROWS, rows, strict=True)]
    options = []
    for choice in product("FMBD" if lay < len(held) else "FMB", repeat=len(held)):
        letters = "".join(choice)
        fits = all(letters.count(row.value) <= room for row, room in zip(ROWS, free, strict=True))
        if fits and letters.count(DISCARD) == len(held) - lay and (letters.count("F") <= FMAX or lay < 5):
            options.append(_Option(letters=letters, rows=place(rows, held, letters)[0]))
    return options


class _Worth(dict[Strength, float]):
    """What a full row is worth, by strength: royalties, Fantasyland, and the chance to beat an opponent's row."""

    def __init__(self, variant: Variant, row: Row) -> None:
        super().__init__()
        self._variant = variant
        self._row = row

    def __missing__(self, strength: Strength) -> float:
        usual = _USUAL[self._row]
        points = self._variant.royalties.of(self._row, strength)
        won = 2 * bisect(usual, strength) / len(usual) - 1
        self[strength] = worth = points + ROW * won * self._variant.row_point + self._entry(strength)
        return worth

    def _entry(self, front: Strength) -> int:
        if self._row is not Row.FRONT:
            return 0
        return FANTASYLAND_POINTS.get(next_fantasyland(self._variant, (front,) * 3, held=0), 0)


@cache
def _subsets(count: int, size: int) -> tuple[int, ...]:
    """The masks of ``combinations`` of ``size`` out of ``count``, in its order."""
    return tuple(map(sum, combinations([1 << place for place in range(count)], size)))


class _Future:
    """Some cards to come, and the rows that can be completed with them."""

    def __init__(self, cards: Sequence[Card], worths: Sequence[_Worth], foul=0.0) -> None:
        self._foul = foul
        self._cards = cards
        self._worths = worths
        self._done: dict[tuple[Row, tuple[Card, ...]], list[Completed]] = {}

    def outcome(self, rows: RowCards) -> float:
        """The worth of the best legal board that ``rows`` become."""
        fronts, middles, backs = (self._completed(row, held) for row, held in zip(ROWS, rows, strict=True))
        best, most_back = -self._foul, backs[0][2]
        most_below = middles[0][2] + most_back
        for front, front_mask, front_worth in fronts:
            if front_worth + most_below <= best:
                break
            for middle, middle_mask, middle_worth in middles:
                worth = front_worth + middle_worth
                if middle < front or worth + most_back <= best:
                    break
                if middle_mask & front_mask:
                    continue
                taken = front_mask | middle_mask
                for back, back_mask, back_worth in backs:
                    if back < middle or worth + back_worth <= best:
                        break
                    if not back_mask & taken:
                        best = worth + back_worth
                        break
        return best

    def _completed(self, row: Row, held: tuple[Card, ...]) -> list[Completed]:
        """Every way to fill a row, the strongest first."""
        if (row, held) not in self._done:
            need, worth = row.size - len(held), self._worths[row.place]
            strengths = [row_strength(held + added) for added in combinations(self._cards, need)]
            masks = _subsets(len(self._cards), need)
            self._done[row, held] = sorted(
                ((s, mask, worth[s]) for s, mask in zip(strengths, masks, strict=True)), reverse=True
            )
        return self._done[row, held]


def _best(
    options: Sequence[_Option], futures: Iterator[tuple[Card, ...]], worths: Sequence[_Worth], foul: float
) -> _Option:
    """The option with the best outcomes, in rounds from which ever fewer go on."""
    left, totals = options, dict.fromkeys((option.letters for option in options), 0.0)
    count = 1 + FIRST_ROUND // len(options)
    while len(left) > 1:
        for cards in islice(futures, count):
            future = _Future(cards, worths, foul)
            for option in left:
                totals[option.letters] += future.outcome(option.rows)
        left = sorted(left, key=lambda option: totals[option.letters], reverse=True)
        left = left[: max(1, len(left) // SURVIVORS)]
        count *= 2
    return left[0]


def _futures(view: HandView) -> Iterator[tuple[Card, ...]]:
    """Cards that may come, again and again, from those that the viewer has not seen."""
    streets = view.variant.streets[view.street :]
    if not streets:
        return iter([()])
    seen = [card for seat in view.seats for card in _known((*chain(*seat.rows), *seat.held, *seat.discards))]
    unseen = Counter(full_deck(decks=view.variant.decks)) - Counter(seen)
    lay = sum(street.lay for street in streets)
    count = (
        streets[0].deal
        if len(streets) == 1
        else min(
            sum(street.deal for street in streets), lay + (K2 if len(streets) == 2 else K3 if len(streets) == 3 else K4)
        )
    )
    return _deals(list(unseen.elements()), count, seed=_seed(seen))


def _seed(cards: Sequence[Card]) -> int:
    return reduce(lambda seed, card: _next(seed + card), cards, 0)


def _next(state: int) -> int:
    """The next state of a linear congruential generator (Knuth's MMIX); its upper bits are the chance."""
    return (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)


def _deals(cards: list[Card], count: int, *, seed: int) -> Iterator[tuple[Card, ...]]:
    """``count`` of the cards, again and again, each time as if shuffled anew."""
    while True:
        for top in range(count):
            seed = _next(seed)
            pick = top + ((seed >> 32) * (len(cards) - top) >> 32)
            cards[top], cards[pick] = cards[pick], cards[top]
        yield tuple(cards[:count])
