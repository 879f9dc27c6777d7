"""A computer opponent: it lays the street that a view asks for, and knows nothing that the view does not show.

For each placement it asks how good a board can still come of it: it deals itself a few of the cards that it has not
seen, completes the board in the best legal way, and takes the mean over many such futures. All placements meet the
same futures; those that do badly drop out, and the rest meet more. Seeing the cards to come makes a player bold, so a
future holds hardly more than he must lay, and a foul counts for more than it costs at the table.

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
from bot.ofc.ranks import Category, Strength, five_card_strength, strength_of, three_card_strength
from bot.ofc.rows import BOARD_CARDS, DISCARD, ROWS, Row, RowCards
from bot.ofc.variants import Street, Variant
from bot.ofc.view import Facing, HandView
from bot.solver.arrange import best_arrangement

FANTASYLAND_POINTS = {13: 8, 14: 10, 15: 15, 16: 28, 17: 50}
"""What entering Fantasyland with so many cards is worth in points, about: the next hand's gain, and that of staying."""
FOUL_EXTRA, FOUL_EXTRA_WITHOUT_DISCARDS = 2, 4
"""What a foul counts beyond its points for each street to come; a game that discards saves more boards."""
FIRST_ROUND = 240
"""How many boards are completed in the first round, about; each later round deals twice as many futures."""
SURVIVORS = 4
"""One placement in so many goes on to the next round."""
EARLY = 8
"""The board is nearly empty while so many cards are still to be laid after the street."""


def _marks(*marks: tuple[Category, int, int]) -> list[Strength]:
    return [strength_of(category, ranks) for category, *ranks in marks]


_HIGH, _PAIR, _TWO_PAIR, _TRIPS = Category.HIGH_CARD, Category.PAIR, Category.TWO_PAIR, Category.THREE_OF_A_KIND
_STRAIGHT, _FLUSH, _FULL_HOUSE = Category.STRAIGHT, Category.FLUSH, Category.FULL_HOUSE
_USUAL = {
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
"""Legal rows of this very player, 700 hands of Pineapple, in equal steps: of all fronts a twentieth is below the first
mark, a tenth between two marks, and a twentieth above the last."""


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
    return _best(options, _futures(view), _Judge(view.variant, to_come=len(_streets_to_come(view)))).letters


def _streets_to_come(view: HandView) -> tuple[Street, ...]:
    return view.variant.streets[view.street :]


def _known(cards: Facing) -> tuple[Card, ...]:
    return tuple(card for card in cards if card is not None)


def _options(rows: RowCards, held: Sequence[Card], *, lay: int) -> list[_Option]:
    """Every placement that the rules allow and that is not top-heavy."""
    letters = "FMBD" if lay < len(held) else "FMB"
    free = [(row.value, row.size - len(cards)) for row, cards in zip(ROWS, rows, strict=True)]
    options = [
        _Option(letters="".join(choice), rows=place(rows, held, "".join(choice))[0])
        for choice in product(letters, repeat=len(held))
        if choice.count(DISCARD) == len(held) - lay and all(choice.count(letter) <= room for letter, room in free)
    ]
    return [option for option in options if not _top_heavy(option.rows)] or options


def _top_heavy(rows: RowCards) -> bool:
    """True for an early board that is hardly ever the best one: it only takes time to look at."""
    front, middle, back = (len(cards) for cards in rows)
    early = BOARD_CARDS - front - middle - back >= EARLY
    return early and (front > 1 or middle > back + 1)


class _Worth(dict[Strength, float]):
    """What a full row is worth, by strength: royalties, Fantasyland, and the chance to beat an opponent's row."""

    def __init__(self, variant: Variant, row: Row) -> None:
        super().__init__()
        self._variant = variant
        self._row = row
        self._usual = _USUAL[row]

    def __missing__(self, strength: Strength) -> float:
        won = 2 * bisect(self._usual, strength) / len(self._usual) - 1
        points = self._variant.royalties.of(self._row, strength)
        if self._row is Row.FRONT:
            cards = next_fantasyland(self._variant, (strength,) * 3, held=0)
            points += FANTASYLAND_POINTS.get(cards, 0)
        self[strength] = worth = points + won * self._variant.row_point
        return worth


class _Judge:
    """What boards of a variant are worth: front, middle and back by strength, and a foul."""

    def __init__(self, variant: Variant, *, to_come: int) -> None:
        extra = FOUL_EXTRA if variant.discards else FOUL_EXTRA_WITHOUT_DISCARDS
        self.rows = (_Worth(variant, Row.FRONT), _Worth(variant, Row.MIDDLE), _Worth(variant, Row.BACK))
        self.foul = float(-variant.foul_points - extra * to_come)
        self.strict = int(variant.strict_rows)


@cache
def _subsets(count: int, size: int) -> tuple[int, ...]:
    """The masks of ``combinations`` of ``size`` out of ``count``, in its order."""
    return tuple(map(sum, combinations([1 << place for place in range(count)], size)))


class _Filled(dict[int, Strength]):
    """Every way to fill one row; by the mask of cards taken elsewhere, the strength of the best way left."""

    def __init__(self, strengths: Sequence[Strength], masks: Sequence[int], *, everything: int) -> None:
        # Where all cards are laid, what the other rows take leaves one way: those need no search.
        super().__init__((everything ^ mask, strength) for strength, mask in zip(strengths, masks, strict=True))
        self.ways = sorted(zip(strengths, masks, strict=True), reverse=True)

    def __missing__(self, taken: int) -> Strength:
        self[taken] = strongest = next(strength for strength, mask in self.ways if not mask & taken)
        return strongest


class _Future:
    """Some cards to come, and the rows that can be completed with them."""

    def __init__(self, cards: tuple[Card, ...], judge: _Judge) -> None:
        self._cards = cards
        self._judge = judge
        self._filled: dict[tuple[int, tuple[Card, ...]], _Filled] = {}

    def outcome(self, rows: RowCards) -> float:
        """The worth of the best legal board that ``rows`` become."""
        fronts, middles, backs = (self._ways(row.size, held) for row, held in zip(ROWS, rows, strict=True))
        front_worth, middle_worth, back_worth = self._judge.rows
        best, strict = self._judge.foul, self._judge.strict
        most_below = self._without_front(middles, backs)
        for front, front_mask in fronts.ways:
            if front_worth[front] + most_below <= best:
                break
            most_back = back_worth[backs[front_mask]]
            for middle, middle_mask in middles.ways:
                if middle_mask & front_mask:
                    continue
                worth = front_worth[front] + middle_worth[middle]
                if middle < front + strict or worth + most_back <= best:
                    break
                back = backs[front_mask | middle_mask]
                if back >= middle + strict:
                    best = max(best, worth + back_worth[back])
        return best

    def _without_front(self, middles: _Filled, backs: _Filled) -> float:
        """The most that middle and back are worth together when the front takes no card: a bound."""
        _, middle_worth, back_worth = self._judge.rows
        most, most_back = self._judge.foul, back_worth[backs[0]]
        for middle, mask in middles.ways:
            if middle_worth[middle] + most_back <= most:
                break
            if (back := backs[mask]) >= middle:
                most = max(most, middle_worth[middle] + back_worth[back])
        return most

    def _ways(self, size: int, held: tuple[Card, ...]) -> _Filled:
        """Every way to fill a row of this size that holds some cards."""
        key = (size, held)
        if key not in self._filled:
            need, count = size - len(held), len(self._cards)
            rate = three_card_strength if size == Row.FRONT.size else five_card_strength
            strengths = [rate(held + added) for added in combinations(self._cards, need)]
            self._filled[key] = _Filled(strengths, _subsets(count, need), everything=(1 << count) - 1)
        return self._filled[key]


def _best(options: Sequence[_Option], futures: Iterator[tuple[Card, ...]], judge: _Judge) -> _Option:
    """The option with the best outcomes, in rounds from which ever fewer go on."""
    left = options
    totals = dict.fromkeys((option.letters for option in options), 0.0)
    count = 1 + FIRST_ROUND // len(options)
    while len(left) > 1:
        for cards in islice(futures, count):
            future = _Future(cards, judge)
            for option in left:
                totals[option.letters] += future.outcome(option.rows)
        ranking = sorted(left, key=lambda option: totals[option.letters], reverse=True)
        left = ranking[: max(1, len(left) // SURVIVORS)]
        count *= 2
    return left[0]


def _futures(view: HandView) -> Iterator[tuple[Card, ...]]:
    """Cards that may come, again and again, from those that the viewer has not seen."""
    streets = _streets_to_come(view)
    if not streets:
        return iter([()])
    seen = [card for seat in view.seats for card in _known((*chain(*seat.rows), *seat.held, *seat.discards))]
    unseen = Counter(full_deck(decks=view.variant.decks)) - Counter(seen)
    return _deals(list(unseen.elements()), _future_size(streets), seed=reduce(_stir, seen, 0))


def _future_size(streets: Sequence[Street]) -> int:
    """How many cards a future holds: all of the last street, else what is laid and, when that is little, one more."""
    dealt, laid = sum(street.deal for street in streets), sum(street.lay for street in streets)
    if len(streets) == 1:
        return dealt
    return min(dealt, laid + 1) if laid < EARLY else laid


def _stir(state: int, number: int) -> int:
    """The next state of a linear congruential generator (Knuth's MMIX); its upper bits are the chance."""
    return ((state + number) * 6364136223846793005 + 1442695040888963407) % (1 << 64)


def _deals(cards: list[Card], count: int, *, seed: int) -> Iterator[tuple[Card, ...]]:
    """``count`` of the cards, again and again, each time as if shuffled anew."""
    while True:
        for top in range(count):
            seed = _stir(seed, 0)
            pick = top + ((seed >> 32) * (len(cards) - top) >> 32)
            cards[top], cards[pick] = cards[pick], cards[top]
        yield tuple(cards[:count])
