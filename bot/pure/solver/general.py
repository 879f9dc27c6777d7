"""Branch-and-bound search for the best board in any game: with jokers, deuce-to-seven lows or row values.

A board's value is the sum of its rows' values, plus a bonus if it stays in Fantasyland. The search splits boards by the
number of jokers in each row and by the row that stays, if any. For each such type it tries backs, middles and fronts
from the most valuable down. It stops when no remaining board can beat the best one found, so the result is optimal.

As at the showdown, the row below limits what a row with jokers can become. This relies on royalties rising with
strength, as they do in every game with jokers.

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
from bot.pure.ofc.ranks import Category, Strength, category_of, encode_strength, is_low
from bot.pure.ofc.scoring import stays
from bot.pure.ofc.variants import MiddleRank, Variant
from bot.pure.ofc.wild import strongest
from bot.pure.solver.row_tables import StrengthsByCode, coded_sets

# Typical strengths of rows, used to estimate the chance that a row wins.

Marks = Sequence[Strength]
"""Quantiles of a row's strength, weakest first, with half a step below the first and half a step above the last."""


def _marks(*marks: tuple[Category, int, int]) -> Marks:
    return [encode_strength(category, ranks) for category, *ranks in marks]


def _lows(*tops: tuple[int, int]) -> Marks:
    """Return the marks for deuce-to-seven lows, each given by its two highest cards."""
    # A low's strength falls with its ranks as a high hand.
    lowest = encode_strength(Category.LOW, (15,) * 5)
    return [Strength(lowest - encode_strength(Category.HIGH_CARD, (*two, 4, 3, 2))) for two in tops]


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
"""Strength quantiles of rows placed street by street, from the computer's legal boards in 700 hands of Pineapple."""
PLACED_LOWS: Marks = _lows((10, 9), (10, 8), (10, 7), (10, 6), (9, 8), (9, 7), (9, 6), (8, 7), (8, 6), (8, 5))
"""Approximate strength quantiles of deuce-to-seven lows placed street by street."""
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
"""Strength quantiles of rows when thirteen cards are set in one step, from 500 hands of 十三張 set by this search."""


def share_beaten(marks: Marks, strength: Strength) -> float:
    """Return the share of rows that ``strength`` beats, 0 to 1, interpolated between the marks."""
    place = bisect(marks, strength)
    if place == 0:
        return 0.5 / len(marks) * strength / marks[0]
    if place == len(marks):
        return 1 - 0.25 / len(marks)
    below, above = marks[place - 1], marks[place]
    return (place - 0.5 + (strength - below) / (above - below)) / len(marks)


_NOTHING = encode_strength(Category.HIGH_CARD, ())
_UNIT = 1000
"""Values are in thousandths of a point."""
_STRENGTH_BITS = 24
_TIE_PLACES = {Row.FRONT: 0, Row.MIDDLE: _STRENGTH_BITS, Row.BACK: 2 * _STRENGTH_BITS}
"""Bit positions of the row strengths, below the points. They break ties between boards with equal points."""
_POINTS_PLACE = 3 * _STRENGTH_BITS
_IMPOSSIBLE = -1 << 2 * _POINTS_PLACE
"""A value below that of any row or board."""
_ANY = 1 << _STRENGTH_BITS
"""A value above any strength."""
_Split = tuple[int, int, int]
"""Number of jokers in front, middle and back."""


class _Way(NamedTuple):
    """One way to fill a row: its value, its possible strengths (strongest first) and the mask of its natural cards."""

    worth: int
    values: tuple[Strength, ...]
    mask: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """A type of board: the ways to fill front, middle and back, most valuable first, and the row that must stay."""

    split: _Split
    ways: tuple[Sequence[_Way], Sequence[_Way], Sequence[_Way]]
    staying: Row | None
    extra: int
    """Value of staying."""

    @property
    def most(self) -> int:
        """Upper bound of the value of a board of this type."""
        return sum(ways[0].worth for ways in self.ways) + self.extra


@dataclass(frozen=True, slots=True, kw_only=True)
class _ValuedBoard:
    """A legal board: its value, and the masks of its natural cards in front, middle and back."""

    worth: int
    masks: tuple[int, int, int]
    split: _Split


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrangement:
    """A placement, one letter per card in the order given."""

    letters: str
    proven: bool = True
    """False if the search reached its step limit before it could rule out better boards."""


def arranged(
    variant: Variant,
    cards: Sequence[Card],
    *,
    stay_points: float,
    strict: bool,
    steps: int,
    rules: SearchRules | None = None,
) -> Arrangement | None:
    """Return the most valuable placement of at least 13 cards whose rows are in order; None if there is none.

    With ``strict``, equal rows aren't in order. After ``steps`` steps, return the best board found so far, if any.
    ``rules`` overrides the game's own row values; it must be equally strict.
    """
    rules = rules or _rules(variant, strict=strict)
    best: _ValuedBoard | None = None
    kinds = _kinds(rules, cards, extra=round(_UNIT * stay_points) << _POINTS_PLACE)
    for kind in sorted(kinds, key=lambda kind: kind.most, reverse=True):
        if best and kind.most <= best.worth:
            break
        search = _TypeSearch(rules, kind, best, steps=steps)
        best, steps = search.run(), search.steps
        if best and steps <= 0:
            return Arrangement(letters=_written(cards, best), proven=False)
    return Arrangement(letters=_written(cards, best)) if best else None


def _written(cards: Sequence[Card], board: _ValuedBoard) -> str:
    jokers = iter("".join(row.value * count for row, count in zip(ROWS, board.split, strict=True)))
    return "".join(
        next(jokers) if card in JOKERS else _letter(1 << place, board.masks) for place, card in enumerate(cards)
    )


def _letter(bit: int, masks: Sequence[int]) -> str:
    return next((row.value for row, mask in zip(ROWS, masks, strict=True) if mask & bit), DISCARD)


WorthOfRow = Callable[[Row, Strength], float]
"""Returns the value of a row of some strength, in points."""


class _RowWorth(dict[Strength, int]):
    """Cache of a row's values by strength."""

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
        """Return the royalties, plus the expected wins and losses in a game with row values."""
        royalty = self._variant.royalties.of(self._row, strength)
        if not self._variant.row_values or is_low(strength):
            return royalty
        value = self._variant.row_value(self._row, category_of(strength))
        won = share_beaten(SET[self._row], strength)
        return royalty + won * value - (1 - won) * self._variant.row_point


class _Stays(dict[Strength, bool]):
    """Cache, by strength, of whether a row is enough to stay in Fantasyland."""

    def __init__(self, variant: Variant, row: Row) -> None:
        super().__init__()
        self._rule = variant.fantasyland
        self._place = row.place

    def __missing__(self, strength: Strength) -> bool:
        strengths = [_NOTHING] * len(ROWS)
        strengths[self._place] = strength
        self[strength] = answer = self._rule is not None and stays(self._rule, strengths)
        return answer


class SearchRules:
    """A variant's rules as the search needs them, with caches."""

    def __init__(self, variant: Variant, *, strict: bool, worth: WorthOfRow | None = None) -> None:
        self.variant = variant
        self.low = variant.middle is MiddleRank.DEUCE_TO_SEVEN
        self.strict = strict and not self.low
        self.worth = {row: _RowWorth(variant, row, worth) for row in ROWS}
        self._strengths = {row: StrengthsByCode(variant, row) for row in ROWS}
        self.stays = {row: _Stays(variant, row) for row in ROWS}

    def ways(self, row: Row, cards: Sequence[Card], jokers: int) -> list[_Way]:
        """Return all ways to fill ``row`` with ``jokers`` jokers and natural cards from ``cards``, best first."""
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
def _rules(variant: Variant, *, strict: bool) -> SearchRules:
    """Return the rules of a game, cached together with the strengths computed so far."""
    return SearchRules(variant, strict=strict)


@lru_cache(maxsize=4)
def rules_for(variant: Variant, worth: WorthOfRow) -> SearchRules:
    """Return the cached rules of a game with other row values."""
    return SearchRules(variant, strict=variant.strict_rows, worth=worth)


def _kinds(rules: SearchRules, cards: Sequence[Card], *, extra: int) -> Iterator[_Kind]:
    """Yield all types of board that the cards can make. Jokers are never discarded, as they replace any card."""
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
            # Few fronts stay, and each rules out many middles and backs, so each gets its own type.
            for some in [[front] for front in fronts] if staying is Row.FRONT else [fronts]:
                kind = _Kind(split=split, ways=(some, middles, backs), staying=staying, extra=extra if staying else 0)
                if all(kind.ways):
                    yield kind


class _Most:
    """Upper bounds of the value of a row, alone or with the rows above it, by maximum strength."""

    def __init__(self, worths: Mapping[Strength, int]) -> None:
        self._strengths = sorted(worths)
        self._most = list(accumulate((worths[strength] for strength in self._strengths), max))

    def under(self, highest: int) -> int:
        """Return the highest value at a strength of at most ``highest``."""
        place = bisect(self._strengths, highest)
        return self._most[place - 1] if place else _IMPOSSIBLE

    def under_each(self, highest: Iterable[Strength], *, strict: bool) -> dict[Strength, int]:
        """Return the highest value at strengths up to each in ``highest``, or below it if ``strict``."""
        found, place = {}, 0
        for strength in sorted(highest):
            while place < len(self._strengths) and self._strengths[place] <= strength - strict:
                place += 1
            found[strength] = self._most[place - 1] if place else _IMPOSSIBLE
        return found


class _TypeSearch:
    """Search for the best board of one type, if it beats ``best``."""

    def __init__(self, rules: SearchRules, kind: _Kind, best: _ValuedBoard | None, *, steps: int) -> None:
        self.steps = steps - sum(map(len, kind.ways))
        """Remaining steps. Each way to fill a row costs one step, as does each middle tried with a back."""
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
        # Sorting by the bound that includes the front ends most searches after a few middles.
        self._middles = sorted(((way.worth + above[way.values[0]], *way) for way in middles), reverse=True)

    def _under_front(self, ways: Sequence[_Way]) -> list[_Way]:
        """Return the ways that don't use the only front's cards and aren't weaker. A low ranks above any high hand."""
        mask, weakest = self._fronts[0].mask, min(self._values(Row.FRONT))
        return [way for way in ways if not way.mask & mask and way.values[0] >= weakest]

    def _values(self, row: Row) -> Iterable[Strength]:
        """Return a row's possible strengths; for the row that must stay, only those that stay."""
        values = {value for way in self._kind.ways[row.place] for value in way.values}
        keeps = self._rules.stays[row]
        return [value for value in values if keeps[value]] if self._kind.staying is row else values

    def _front_worth(self, front: Strength) -> int:
        """Return the value of a front plus that of staying."""
        return self._rules.worth[Row.FRONT][front] + self._kind.extra

    def _most_above_middles(self) -> dict[Strength, int]:
        """Return the highest value of a front above each middle. A low doesn't limit the front, but the back does."""
        middles = self._values(Row.MIDDLE)
        if self._rules.low:
            return dict.fromkeys(middles, self._front_worth(self._fronts[0].values[0]))
        return self._fronts_under.under_each(middles, strict=self._rules.strict)

    def _most_above_backs(self, above: Mapping[Strength, int]) -> _Most:
        """Return upper bounds of the value of middle and front together, by the strength of the back."""
        if not self._rules.low:
            return _Most({value: self._middle_worth[value] + most for value, most in above.items()})
        most = self._kind.ways[1][0].worth
        return _Most({value: most + self._front_worth(value) for value in self._values(Row.FRONT)})

    def run(self) -> _ValuedBoard | None:
        """Return the best board, which is the one to beat if none is better."""
        top = max((total for total, *_ in self._middles), default=_IMPOSSIBLE)
        for worth, values, mask in self._backs:
            if worth + top <= self._least or (self._best and self.steps <= 0):
                break
            if worth + self._above.under(values[0] - self._rules.strict) > self._least:
                self._try_back(worth, values[0], mask)
        return self._best

    def _try_back(self, back_worth: int, back: Strength, taken: int) -> None:
        """Try middles and fronts above a back."""
        beside = next((self._front_worth(way.values[0]) for way in self._fronts if not way.mask & taken), _IMPOSSIBLE)
        natural, low = not self._kind.split[1], self._rules.low
        highest = _ANY if low else back - self._rules.strict
        seen = None
        # This is the hot loop, so everything possible is computed before it.
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
                # Middles of equal strength have equal ranks and leave equal fronts.
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
        """Try fronts up to the strength ``limit`` that use no card of middle and back."""
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
                self._best = _ValuedBoard(worth=worth, masks=(way.mask, *taken), split=self._kind.split)
