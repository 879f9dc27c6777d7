"""The best board in games beyond the quick search: jokers, deuce-to-seven lows, and rows that pay by what wins them.

Every row has a worth of its own; a board is worth its rows and, if it stays in Fantasyland, some points more. A search
looks for boards of one kind: so many jokers in each row, and one row that stays (or none that has to). Within it,
backs are tried from the dearest down, and so are middles and fronts, until nothing left can be dearer than the best
board found. The answer is exact. What a row with jokers becomes follows from the row below it, as at the showdown:
this relies on royalties that rise with strength, as they do in every game with jokers.

Source: docs/rules.md, "Jokers", "Deuce-to-seven lows", "Points".
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, product
from typing import NamedTuple

from bot.pure.ofc.cards import DISCARD, JOKERS, ROWS, Card, Row
from bot.pure.ofc.ranks import Category, Strength, category_of, is_low, strength_of
from bot.pure.ofc.scoring import stays
from bot.pure.ofc.variants import MiddleRank, Variant
from bot.pure.ofc.wild import strongest
from bot.pure.solver.row_tables import StrengthsByCode, coded_sets

# How strong rows usually are, and so how often a row of some strength wins.

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


_NOTHING = strength_of(Category.HIGH_CARD, ())
_UNIT = 1000
"""Points are counted in thousandths."""
_STRENGTH_BITS = 24
_TIE_PLACES = {Row.FRONT: 0, Row.MIDDLE: _STRENGTH_BITS, Row.BACK: 2 * _STRENGTH_BITS}
"""Below the points stand the strengths of back, middle and front: they decide between boards that earn the same."""
_POINTS_PLACE = 3 * _STRENGTH_BITS
_IMPOSSIBLE = -1 << 2 * _POINTS_PLACE
"""Less than any row or board is worth."""
_ANY = 1 << _STRENGTH_BITS
"""More than any strength."""
_Split = tuple[int, int, int]
"""How many jokers go to front, middle and back."""


class _Way(NamedTuple):
    """One way to fill a row: a worth to sort by, all that it can be (strongest first), and the natural cards' mask."""

    worth: int
    values: tuple[Strength, ...]
    mask: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """A kind of board: the ways to fill front, middle and back (dearest first), and the row that has to stay."""

    split: _Split
    ways: tuple[Sequence[_Way], Sequence[_Way], Sequence[_Way]]
    staying: Row | None
    extra: int
    """What staying is worth."""

    @property
    def most(self) -> int:
        """No board of this kind is worth more."""
        return sum(ways[0].worth for ways in self.ways) + self.extra


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A legal board: its worth, and the masks of its natural cards in front, middle and back."""

    worth: int
    masks: tuple[int, int, int]
    split: _Split


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrangement:
    """A board in letters, one for each card in the order given."""

    letters: str
    proven: bool = True
    """False: the search ended before it had shown that no board is worth more."""


def arranged(
    variant: Variant,
    cards: Sequence[Card],
    *,
    stay_points: float,
    strict: bool,
    steps: int,
    rules: Rules | None = None,
) -> Arrangement | None:
    """The placement of 13 cards or more that is worth most on a board in (strict) order; None when there is none.

    After so many ``steps`` the best board found so far is the answer, if there is one. ``rules`` are other ones than
    the game's, of the same strictness.
    """
    rules = rules or _rules(variant, strict=strict)
    best: _Found | None = None
    kinds = _kinds(rules, cards, extra=round(_UNIT * stay_points) << _POINTS_PLACE)
    for kind in sorted(kinds, key=lambda kind: kind.most, reverse=True):
        if best and kind.most <= best.worth:
            break
        search = _Search(rules, kind, best, steps=steps)
        best, steps = search.run(), search.steps
        if best and steps <= 0:
            return Arrangement(letters=_written(cards, best), proven=False)
    return Arrangement(letters=_written(cards, best)) if best else None


def _written(cards: Sequence[Card], board: _Found) -> str:
    jokers = iter("".join(row.value * count for row, count in zip(ROWS, board.split, strict=True)))
    return "".join(
        next(jokers) if card in JOKERS else _letter(1 << place, board.masks) for place, card in enumerate(cards)
    )


def _letter(bit: int, masks: Sequence[int]) -> str:
    return next((row.value for row, mask in zip(ROWS, masks, strict=True) if mask & bit), DISCARD)


WorthOfRow = Callable[[Row, Strength], float]
"""What a row is worth by its strength, in points."""


class _Worth(dict[Strength, int]):
    """What a row is worth by its strength, entered when it is first met."""

    def __init__(self, variant: Variant, row: Row, worth: WorthOfRow | None) -> None:
        super().__init__()
        self._variant = variant
        self._row = row
        self._worth = worth

    def __missing__(self, strength: Strength) -> int:
        points = round(_UNIT * (self._worth(self._row, strength) if self._worth else self._points(strength)))
        self[strength] = worth = (points << _POINTS_PLACE) + (strength << _TIE_PLACES[self._row])
        return worth

    def _points(self, strength: Strength) -> float:
        """Royalties; where a row pays by what wins it, also what it may be expected to win and lose."""
        royalty = self._variant.royalties.of(self._row, strength)
        if not self._variant.row_values or is_low(strength):
            return royalty
        value = self._variant.row_value(self._row, category_of(strength))
        won = share_beaten(SET[self._row], strength)
        return royalty + won * value - (1 - won) * self._variant.row_point


class _Stays(dict[Strength, bool]):
    """Whether a row keeps its player in Fantasyland by itself, by its strength, entered when it is first met."""

    def __init__(self, variant: Variant, row: Row) -> None:
        super().__init__()
        self._rule = variant.fantasyland
        self._place = row.place

    def __missing__(self, strength: Strength) -> bool:
        strengths = [_NOTHING] * len(ROWS)
        strengths[self._place] = strength
        self[strength] = answer = self._rule is not None and stays(self._rule, strengths)
        return answer


class Rules:
    """What the search asks a variant for."""

    def __init__(self, variant: Variant, *, strict: bool, worth: WorthOfRow | None = None) -> None:
        self.variant = variant
        self.low = variant.middle is MiddleRank.DEUCE_TO_SEVEN
        self.strict = strict and not self.low
        self.worth = {row: _Worth(variant, row, worth) for row in ROWS}
        self._strengths = {row: StrengthsByCode(variant, row) for row in ROWS}
        self.stays = {row: _Stays(variant, row) for row in ROWS}

    def ways(self, row: Row, cards: Sequence[Card], jokers: int) -> list[_Way]:
        """Every way to fill a row with so many jokers and with natural cards among ``cards``, dearest first."""
        natural = [place for place, card in enumerate(cards) if card not in JOKERS]
        return sorted(self._ways(row, cards, natural, jokers), reverse=True)

    def _ways(self, row: Row, cards: Sequence[Card], natural: Sequence[int], jokers: int) -> Iterator[_Way]:
        worth, must_be_low = self.worth[row], self.low and row is Row.MIDDLE
        strengths = self._strengths[row]
        codes, masks = coded_sets(cards, natural, size=row.size - jokers, jokers=jokers)
        for code, mask in zip(codes.tolist(), masks.tolist(), strict=True):
            values = strengths[code]
            if not must_be_low or is_low(values[0]):
                yield _Way(worth[values[0]], values, mask)


@lru_cache(maxsize=4)
def _rules(variant: Variant, *, strict: bool) -> Rules:
    """The rules of a game, with all strengths that have been met."""
    return Rules(variant, strict=strict)


@lru_cache(maxsize=4)
def rules_for(variant: Variant, worth: WorthOfRow) -> Rules:
    """The rules of a game whose rows are worth something else; kept for those that are asked for again."""
    return Rules(variant, strict=variant.strict_rows, worth=worth)


def _kinds(rules: Rules, cards: Sequence[Card], *, extra: int) -> Iterator[_Kind]:
    """Every kind of board that the cards may make. A joker is never discarded: it does what any card does."""
    jokers = [card for card in cards if card in JOKERS]
    counts = range(len(jokers) + 1)
    splits = [split for split in product(counts, counts, counts) if sum(split) == len(jokers)]
    ways = {(row, count): rules.ways(row, cards, count) for row, count in product(ROWS, counts)}
    for split in splits:
        free = [ways[row, count] for row, count in zip(ROWS, split, strict=True)]
        for staying in (None, *ROWS):
            kept = list(free)
            if staying:
                keeps = rules.stays[staying]
                kept[staying.place] = [way for way in free[staying.place] if keeps[way.values[0]]]
            fronts, middles, backs = kept
            # Fronts that stay are few, and each rules out many middles and backs: it is a kind of its own.
            for some in [[front] for front in fronts] if staying is Row.FRONT else [fronts]:
                kind = _Kind(split=split, ways=(some, middles, backs), staying=staying, extra=extra if staying else 0)
                if all(kind.ways):
                    yield kind


class _Most:
    """The most that any row up to some strength is worth, or a row and what stands above it."""

    def __init__(self, worths: Mapping[Strength, int]) -> None:
        self._strengths = sorted(worths)
        self._most = list(accumulate((worths[strength] for strength in self._strengths), max))

    def under(self, highest: int) -> int:
        """The most for a strength of ``highest`` or less."""
        place = bisect(self._strengths, highest)
        return self._most[place - 1] if place else _IMPOSSIBLE

    def under_each(self, highest: Iterable[Strength], *, strict: bool) -> dict[Strength, int]:
        """The most under each of these strengths, and not beside it in ``strict`` order."""
        found, place = {}, 0
        for strength in sorted(highest):
            while place < len(self._strengths) and self._strengths[place] <= strength - strict:
                place += 1
            found[strength] = self._most[place - 1] if place else _IMPOSSIBLE
        return found


class _Search:
    """The search for the best board of one kind, or for one that beats ``best``."""

    def __init__(self, rules: Rules, kind: _Kind, best: _Found | None, *, steps: int) -> None:
        self.steps = steps - sum(map(len, kind.ways))
        """How many are left: every way to fill a row is one, and every middle that is tried above a back."""
        self._rules = rules
        self._kind = kind
        self._best = best
        self._least = best.worth if best else _IMPOSSIBLE
        self._fronts, middles, self._backs = kind.ways
        if kind.staying is Row.FRONT:
            middles, self._backs = (self._under_front(ways) for ways in (middles, self._backs))
        self._fronts_under = _Most({value: self._front_worth(value) for value in self._values(Row.FRONT)})
        self._middle_worth = rules.worth[Row.MIDDLE]
        above = self._most_above_middles()
        self._above = self._most_above_backs(above)
        # Sorted by what a middle allows above it as well: most searches end after a few of them.
        self._middles = sorted(((way.worth + above[way.values[0]], *way) for way in middles), reverse=True)

    def _under_front(self, ways: Sequence[_Way]) -> list[_Way]:
        """The ways that leave the only front its cards and may stand under it. A low is above every high hand."""
        mask, weakest = self._fronts[0].mask, min(self._values(Row.FRONT))
        return [way for way in ways if not way.mask & mask and way.values[0] >= weakest]

    def _values(self, row: Row) -> Iterable[Strength]:
        """Everything that a row can be, the row that has to stay only what stays."""
        values = {value for way in self._kind.ways[row.place] for value in way.values}
        keeps = self._rules.stays[row]
        return [value for value in values if keeps[value]] if self._kind.staying is row else values

    def _front_worth(self, front: Strength) -> int:
        """With what staying is worth."""
        return self._rules.worth[Row.FRONT][front] + self._kind.extra

    def _most_above_middles(self) -> dict[Strength, int]:
        """By what a middle can be, the most that a front is worth above it. A low does not limit it: the back does."""
        middles = self._values(Row.MIDDLE)
        if self._rules.low:
            return dict.fromkeys(middles, self._front_worth(self._fronts[0].values[0]))
        return self._fronts_under.under_each(middles, strict=self._rules.strict)

    def _most_above_backs(self, above: Mapping[Strength, int]) -> _Most:
        """The most that middle and front are worth together."""
        if not self._rules.low:
            return _Most({value: self._middle_worth[value] + most for value, most in above.items()})
        most = self._kind.ways[1][0].worth
        return _Most({value: most + self._front_worth(value) for value in self._values(Row.FRONT)})

    def run(self) -> _Found | None:
        """The best board, or the one to beat."""
        top = max((total for total, *_ in self._middles), default=_IMPOSSIBLE)
        for worth, values, mask in self._backs:
            if worth + top <= self._least or (self._best and self.steps <= 0):
                break
            if worth + self._above.under(values[0] - self._rules.strict) > self._least:
                self._try_back(worth, values[0], mask)
        return self._best

    def _try_back(self, back_worth: int, back: Strength, taken: int) -> None:
        """Look for middles and fronts above a back."""
        beside = next((self._front_worth(way.values[0]) for way in self._fronts if not way.mask & taken), _IMPOSSIBLE)
        natural, low = not self._kind.split[1], self._rules.low
        highest = _ANY if low else back - self._rules.strict
        seen = None
        # Most of the time goes here: what can be known beforehand is.
        needed = self._least - back_worth
        left = self.steps
        for total, worth, values, mask in self._middles:
            left -= 1
            if total <= needed:
                break
            if mask & taken or worth + beside <= needed:
                continue
            middle: Strength | None = values[0]
            if natural:
                # Middles of equal strength hold equal ranks and leave equal fronts.
                if middle == seen or values[0] > highest:
                    continue
                seen = middle
            elif values[0] > highest:
                middle = strongest(values, back, strict=self._rules.strict)
            if middle is not None and self._may_stay(middle):
                below = self._middle_worth[middle]
                if below + beside > needed:
                    self._try_middle(back_worth + below, back if low else middle, (mask, taken))
                    needed = self._least - back_worth
        self.steps = left

    def _may_stay(self, middle: Strength) -> bool:
        return self._kind.staying is not Row.MIDDLE or self._rules.stays[Row.MIDDLE][middle]

    def _try_middle(self, below: int, limit: Strength, taken: tuple[int, int]) -> None:
        """Look for fronts that are in order with ``limit`` and take no card of middle and back."""
        if below + self._fronts_under.under(limit - self._rules.strict) <= self._least:
            return
        for way in self._fronts:
            if below + way.worth + self._kind.extra <= self._least:
                break
            if way.mask & (taken[0] | taken[1]):
                continue
            front = strongest(way.values, limit, strict=self._rules.strict)
            if front is None or (self._kind.staying is Row.FRONT and not self._rules.stays[Row.FRONT][front]):
                continue
            if (worth := below + self._front_worth(front)) > self._least:
                self._least = worth
                self._best = _Found(worth=worth, masks=(way.mask, *taken), split=self._kind.split)
