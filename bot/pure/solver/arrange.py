"""The best board that 13 to 17 cards make: what a player in Fantasyland should set.

What a board earns depends on three things only: the pair or three of a kind that its front is paid for (its core),
and the categories of its back and its middle. Such a plan has a worth before a single card is chosen. The plans are
tried from the dearest down, and the first that the cards can fill is the best one; only plans of equal worth are
then compared by the strength of their rows. Jokers, lows and rows that pay by what wins them need the slower search of
:mod:`bot.pure.solver.general`.

Every set of five cards is rated once, all of them together. A set is a mask, a bit for each card in the order dealt,
so that two copies of one card differ. For one core and one back the first middle that fits is the best one: middles of
equal strength hold equal ranks and leave equal fronts.

Around cards that somebody has placed already, the best board of all cards is the beginning, with what was placed put
where it is. From a legal board any two cards that were not placed change their rows as long as that earns more: such a
board is legal, and not proven to be the best.

Source: docs/rules.md, "Fantasyland", "Setting the board", "Royalties".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from bot.pure.ofc.cards import BOARD_CARDS, DISCARD, EMPTY, JOKERS, ROWS, Card, Row, rank_of
from bot.pure.ofc.outlook import filled
from bot.pure.ofc.placement import OPEN, automatic_placement, place, preview
from bot.pure.ofc.ranks import Category, Strength, strength_of
from bot.pure.ofc.scoring import in_order, resolve, stays
from bot.pure.ofc.variants import MiddleRank, Variant
from bot.pure.solver.general import Arrangement, arranged
from bot.pure.solver.row_tables import Ints, rated_sets

Rated = tuple[Strength, int]
"""A set of cards: its strength and its mask."""
_NOTHING = strength_of(Category.HIGH_CARD, ())


ROUNDS = 20
"""Exchanges after one another: a board is as good as it gets long before."""
_Worth = tuple[bool, int, tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Core:
    """What a front is paid for: the cards as a mask (0 for nothing) and the strength that they alone have."""

    strength: Strength
    mask: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """A kind of board and what it earns."""

    points: int
    back: Category
    middle: Category
    core: _Core


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A legal board: strengths and masks of back, middle and front."""

    strengths: tuple[Strength, Strength, Strength]
    masks: tuple[int, int, int]


STAY_POINTS = 10
"""What staying in Fantasyland counts for: more, or a little less, changes hardly a board."""


STEPS = 50_000
"""How long the search of games beyond the quick one goes on: with two jokers about a tenth of a second in all."""


def best_arrangement(variant: Variant, cards: Sequence[Card], stay_points: int = STAY_POINTS) -> str:
    """The placement of 13 to 17 cards, in the order given, as :func:`arrangement` finds it."""
    return arrangement(variant, cards, stay_points).letters


def arrangement(
    variant: Variant, cards: Sequence[Card], stay_points: int = STAY_POINTS, *, steps: int = STEPS
) -> Arrangement:
    """The board from 13 to 17 cards that earns most on a legal board of this game.

    It maximises royalties plus ``stay_points`` for a board that stays in Fantasyland; among equals the strongest
    back wins, then the strongest middle, then the strongest front. Where rows pay by what wins them, what each may be
    expected to win and lose counts as well; naturals are not looked for. The answer is exact, jokers and lows
    included, unless it is marked as not proven: with jokers the search ends after so many ``steps``. Where strict rows
    leave no legal board, middle and back are equal; where no low can be made, the cards lie as the clock places them.
    Raises ValueError for fewer than 13 cards.
    """
    if len(cards) < BOARD_CARDS:
        raise ValueError(f"a board is arranged from {BOARD_CARDS} cards or more")
    if variant.row_values or variant.middle is not MiddleRank.HIGH or any(card in JOKERS for card in cards):
        return _generally(variant, cards, stay_points=stay_points, steps=steps)
    search = _Search(variant, cards, stay_points=stay_points)
    found = search.best(strict=variant.strict_rows) or search.best(strict=False)
    assert found, "the strongest back, the strongest middle of the rest and any front are in order"
    return Arrangement(letters="".join(_letter(1 << place, found) for place in range(len(cards))))


def _generally(variant: Variant, cards: Sequence[Card], *, stay_points: int, steps: int) -> Arrangement:
    """The best placement by the search that knows every game."""
    for strict in (True, False) if variant.strict_rows else (False,):
        if found := arranged(variant, cards, stay_points=stay_points, strict=strict, steps=steps):
            return found
    return Arrangement(letters=automatic_placement(EMPTY, cards, to_place=BOARD_CARDS))


def _letter(bit: int, found: _Found) -> str:
    rows = zip((Row.BACK, Row.MIDDLE, Row.FRONT), found.masks, strict=True)
    return next((row.value for row, mask in rows if mask & bit), DISCARD)


def _listed(strengths: Ints, masks: Ints) -> list[Rated]:
    return list(zip(strengths.tolist(), masks.tolist(), strict=True))


class _Search:
    """The cards of one player with every set of five and three rated."""

    def __init__(self, variant: Variant, cards: Sequence[Card], *, stay_points: int) -> None:
        self._variant = variant
        self._cards = cards
        self._bits = [1 << place for place in range(len(cards))]
        self._stay_points = stay_points
        self._strengths, self._masks = rated_sets(cards, 5)
        self._categories = self._strengths >> 20
        self._fronts = _listed(*rated_sets(cards, 3))
        self._beside: dict[tuple[int, Category], list[Rated]] = {}
        self._around: dict[int, list[Rated]] = {}

    def best(self, *, strict: bool) -> _Found | None:
        """The best board in (strict) order; None when there is none."""
        best: _Found | None = None
        worth = 0
        for plan in self._plans():
            if best and plan.points < worth:
                break
            if found := self._filled(plan, strict=strict, beat=best):
                best, worth = found, plan.points
        return best

    def _plans(self) -> list[_Plan]:
        """Every kind of board whose rows the cards can make one by one, the dearest first, then the strongest."""
        made = set(np.unique(self._categories).tolist())
        categories = [category for category in Category if category in made]
        plans = [
            _Plan(points=self._points(core, back, middle), back=back, middle=middle, core=core)
            for core in self._cores()
            for back, middle in product(categories, repeat=2)
            if core.strength >> 20 <= middle <= back
        ]
        return sorted(plans, key=lambda plan: (plan.points, plan.back, plan.middle), reverse=True)

    def _cores(self) -> Iterator[_Core]:
        """Every pair and three of a kind that is paid or stays on the front, and nothing."""
        yield _Core(strength=_NOTHING, mask=0)
        for rank in {rank_of(card) for card in self._cards}:
            places = [bit for bit, card in zip(self._bits, self._cards, strict=True) if rank_of(card) == rank]
            for size, category in ((2, Category.PAIR), (3, Category.THREE_OF_A_KIND)):
                strength = strength_of(category, (rank,))
                if self._points(_Core(strength=strength, mask=0), Category.HIGH_CARD, Category.HIGH_CARD):
                    yield from (_Core(strength=strength, mask=sum(bits)) for bits in combinations(places, size))

    def _points(self, core: _Core, back: Category, middle: Category) -> int:
        """What a board of this kind earns."""
        strengths = (core.strength, strength_of(middle, ()), strength_of(back, ()))
        rule = self._variant.fantasyland
        stay = rule is not None and stays(rule, strengths)
        royalties = self._variant.royalties
        paid = sum(royalties.of(row, strength) for row, strength in zip(ROWS, strengths, strict=True))
        return paid + self._stay_points * stay

    def _filled(self, plan: _Plan, *, strict: bool, beat: _Found | None) -> _Found | None:
        """The strongest board of this kind if it is stronger than ``beat``."""
        best = beat
        middles = self._fitting(plan.core, plan.middle)
        for back in self._fitting(plan.core, plan.back):
            if best and back[0] < best.strengths[0]:
                break
            found = self._completed(plan.core, back, middles, strict=strict)
            if found and (not best or found.strengths > best.strengths):
                best = found
        return best if best is not beat else None

    def _completed(self, core: _Core, back: Rated, middles: Sequence[Rated], *, strict: bool) -> _Found | None:
        """The strongest board with this core and back."""
        highest, taken = back[0] - strict, back[1]
        for strength, mask in middles:
            if mask & taken or strength > highest:
                continue
            if front := self._front(core, taken | mask, strength - strict):
                return _Found(strengths=(back[0], strength, front[0]), masks=(taken, mask, front[1]))
        return None

    def _front(self, core: _Core, taken: int, highest: int) -> Rated | None:
        """The strongest front around a core that leaves what is taken and is at most ``highest``."""
        if core.mask not in self._around:
            self._around[core.mask] = [
                front
                for front in self._fronts
                if front[1] & core.mask == core.mask and (not core.mask or front[0] >> 20 == core.strength >> 20)
            ]
        return next((front for front in self._around[core.mask] if not front[1] & taken and front[0] <= highest), None)

    def _fitting(self, core: _Core, category: Category) -> list[Rated]:
        """The sets of a category that leave the core alone and may stand under it, strongest first."""
        key = (core.mask, category)
        if key not in self._beside:
            fits = (self._categories == category) & (self._masks & core.mask == 0) & (self._strengths >= core.strength)
            self._beside[key] = _listed(self._strengths[fits], self._masks[fits])
        return self._beside[key]


def completed(variant: Variant, cards: Sequence[Card], draft: str) -> str:
    """The placement of 13 to 17 cards, with those of the draft where it has them.

    Where nothing is placed, or where what is placed can only foul, it is the best arrangement.
    """
    best = best_arrangement(variant, cards)
    if not any(letter in "FMB" for letter in draft):
        return best
    begun = _begun(variant, cards, draft)
    if begun is None:
        return best
    return _improved(variant, cards, begun, draft)


def _begun(variant: Variant, cards: Sequence[Card], draft: str) -> str | None:
    """Some legal board around the draft; None where there is none."""
    rows, _ = place(EMPTY, cards, draft)
    left = [number for number, letter in enumerate(draft) if letter == OPEN]
    board = filled(variant, rows, tuple(cards[number] for number in left))
    if board is None:
        return None
    letters = list(draft.replace(OPEN, DISCARD))
    for row, held, before in zip("FMB", board, rows, strict=True):
        for card in held[len(before) :]:
            number = next(n for n in left if cards[n] == card)
            left.remove(number)
            letters[number] = row
    return "".join(letters)


def _improved(variant: Variant, cards: Sequence[Card], letters: str, draft: str) -> str:
    worth = _worth(variant, cards, letters)
    for _ in range(ROUNDS):
        found = max(((_worth(variant, cards, other), other) for other in _exchanged(letters, draft)), default=None)
        if found is None or found[0] <= worth:
            break
        worth, letters = found
    return letters


def _exchanged(letters: str, draft: str) -> Iterator[str]:
    free = [number for number, letter in enumerate(draft) if letter == OPEN]
    for one, other in combinations(free, 2):
        if letters[one] != letters[other]:
            changed = list(letters)
            changed[one], changed[other] = letters[other], letters[one]
            yield "".join(changed)


def _worth(variant: Variant, cards: Sequence[Card], letters: str) -> _Worth:
    """Whether a board is legal, what it earns, and its rows from the back."""
    rows, _ = place(EMPTY, cards, letters)
    strengths = resolve(variant, rows)
    if not in_order(variant, strengths):
        return False, 0, ()
    seen = preview(variant, rows, fantasyland=len(cards) if variant.fantasyland else 0)
    stays = STAY_POINTS if seen.next_fantasyland else 0
    return True, sum(points or 0 for points in seen.royalties) + stays, tuple(reversed(strengths))
