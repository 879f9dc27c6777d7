"""Search for the best Fantasyland board from 13 to 17 cards.

A board's points depend on only three things: the front's pair or three of a kind (its core), the back's category and
the middle's category. Together they form a plan, and a plan's points are known before any card is chosen. The search
tries the plans from the most points down and returns the first one that the cards can make. It compares row strengths
only between plans of equal points. Jokers, lows and row values need the slower search in
:mod:`bot.pure.solver.general`.

All five-card sets are rated once, in one batch. A set is a bit mask over the cards in dealing order, so two copies of
the same card stay distinct. For a given core and back, the first middle that fits is the best, because middles of equal
strength have equal ranks and leave equal fronts.

If the player has already placed some cards, the search starts with any legal board around them. It then swaps pairs of
the other cards for as long as a swap earns more. The result is legal but not proven to be optimal.

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
from bot.pure.ofc.ranks import Category, Strength, encode_strength
from bot.pure.ofc.scoring import in_order, resolve, stays
from bot.pure.ofc.variants import MiddleRank, Variant
from bot.pure.solver.general import Arrangement, arranged
from bot.pure.solver.row_tables import Ints, rated_sets

Rated = tuple[Strength, int]
"""A set of cards: its strength and its bit mask."""
_NOTHING = encode_strength(Category.HIGH_CARD, ())


ROUNDS = 20
"""Maximum number of successive swaps. Boards stop improving long before that."""
_Worth = tuple[bool, int, tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _FrontCore:
    """The part of a front that earns points: its bit mask (0 if there is none) and the strength of those cards."""

    strength: Strength
    mask: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """A type of board and the points it earns."""

    points: int
    back: Category
    middle: Category
    core: _FrontCore


@dataclass(frozen=True, slots=True, kw_only=True)
class _RatedBoard:
    """A legal board: strengths and bit masks of back, middle and front."""

    strengths: tuple[Strength, Strength, Strength]
    masks: tuple[int, int, int]


STAY_POINTS = 10
"""Default points for staying in Fantasyland. A higher or slightly lower value changes hardly any boards."""


STEPS = 50_000
"""Default step limit of the general search. With two jokers, it takes about a tenth of a second."""


def best_arrangement(variant: Variant, cards: Sequence[Card], stay_points: int = STAY_POINTS) -> str:
    """Return the placement that :func:`arrangement` finds, one letter per card in the order of ``cards``."""
    return arrangement(variant, cards, stay_points).letters


def arrangement(
    variant: Variant, cards: Sequence[Card], stay_points: int = STAY_POINTS, *, steps: int = STEPS
) -> Arrangement:
    """Return the legal board that earns the most points from 13 to 17 cards.

    A board's points are its royalties, plus ``stay_points`` if it stays in Fantasyland. Ties go to the strongest back,
    then the strongest middle, then the strongest front. In games with row values, the expected wins and losses of each
    row count too. Naturals are ignored.

    The result is optimal, even with jokers and lows, unless it's marked as unproven. With jokers, the search stops
    after ``steps`` steps. If strict rows allow no legal board, middle and back are equal. If no low is possible, the
    cards are placed automatically, as after a time-out. Raises ValueError for fewer than 13 cards.
    """
    if len(cards) < BOARD_CARDS:
        raise ValueError(f"a board needs at least {BOARD_CARDS} cards")
    if variant.row_values or variant.middle is not MiddleRank.HIGH or any(card in JOKERS for card in cards):
        return _search_generally(variant, cards, stay_points=stay_points, steps=steps)
    search = _SetSearch(variant, cards, stay_points=stay_points)
    found = search.best(strict=variant.strict_rows) or search.best(strict=False)
    assert found, "the strongest back, the strongest middle of the rest and any front make a legal board"
    return Arrangement(letters="".join(_letter(1 << place, found) for place in range(len(cards))))


def _search_generally(variant: Variant, cards: Sequence[Card], *, stay_points: int, steps: int) -> Arrangement:
    """Return the best placement found by the general search, which supports every game."""
    for strict in (True, False) if variant.strict_rows else (False,):
        if found := arranged(variant, cards, stay_points=stay_points, strict=strict, steps=steps):
            return found
    return Arrangement(letters=automatic_placement(EMPTY, cards, to_place=BOARD_CARDS))


def _letter(bit: int, found: _RatedBoard) -> str:
    rows = zip((Row.BACK, Row.MIDDLE, Row.FRONT), found.masks, strict=True)
    return next((row.value for row, mask in rows if mask & bit), DISCARD)


def _listed(strengths: Ints, masks: Ints) -> list[Rated]:
    return list(zip(strengths.tolist(), masks.tolist(), strict=True))


class _SetSearch:
    """One player's cards, with all their sets of five and three rated."""

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

    def best(self, *, strict: bool) -> _RatedBoard | None:
        """Return the best board whose rows are in order, strictly if ``strict``; None if there is none."""
        best: _RatedBoard | None = None
        worth = 0
        for plan in self._plans():
            if best and plan.points < worth:
                break
            if found := self._best_for_plan(plan, strict=strict, beat=best):
                best, worth = found, plan.points
        return best

    def _plans(self) -> list[_Plan]:
        """Return the plans whose rows the cards can make one at a time, highest points first, then highest strength."""
        made = set(np.unique(self._categories).tolist())
        categories = [category for category in Category if category in made]
        plans = [
            _Plan(points=self._points(core, back, middle), back=back, middle=middle, core=core)
            for core in self._cores()
            for back, middle in product(categories, repeat=2)
            if core.strength >> 20 <= middle <= back
        ]
        return sorted(plans, key=lambda plan: (plan.points, plan.back, plan.middle), reverse=True)

    def _cores(self) -> Iterator[_FrontCore]:
        """Yield the empty core, then each pair and three of a kind that earns points on the front."""
        yield _FrontCore(strength=_NOTHING, mask=0)
        for rank in {rank_of(card) for card in self._cards}:
            places = [bit for bit, card in zip(self._bits, self._cards, strict=True) if rank_of(card) == rank]
            for size, category in ((2, Category.PAIR), (3, Category.THREE_OF_A_KIND)):
                strength = encode_strength(category, (rank,))
                if self._points(_FrontCore(strength=strength, mask=0), Category.HIGH_CARD, Category.HIGH_CARD):
                    yield from (_FrontCore(strength=strength, mask=sum(bits)) for bits in combinations(places, size))

    def _points(self, core: _FrontCore, back: Category, middle: Category) -> int:
        """Return the points of a board of this type."""
        strengths = (core.strength, encode_strength(middle, ()), encode_strength(back, ()))
        rule = self._variant.fantasyland
        stay = rule is not None and stays(rule, strengths)
        royalties = self._variant.royalties
        paid = sum(royalties.of(row, strength) for row, strength in zip(ROWS, strengths, strict=True))
        return paid + self._stay_points * stay

    def _best_for_plan(self, plan: _Plan, *, strict: bool, beat: _RatedBoard | None) -> _RatedBoard | None:
        """Return the strongest board for ``plan``; None if it isn't stronger than ``beat``."""
        best = beat
        middles = self._fitting_sets(plan.core, plan.middle)
        for back in self._fitting_sets(plan.core, plan.back):
            if best and back[0] < best.strengths[0]:
                break
            found = self._best_completion(plan.core, back, middles, strict=strict)
            if found and (not best or found.strengths > best.strengths):
                best = found
        return best if best is not beat else None

    def _best_completion(
        self, core: _FrontCore, back: Rated, middles: Sequence[Rated], *, strict: bool
    ) -> _RatedBoard | None:
        """Return the strongest board with this core and back; None if there is none."""
        highest, taken = back[0] - strict, back[1]
        for strength, mask in middles:
            if mask & taken or strength > highest:
                continue
            if front := self._front(core, taken | mask, strength - strict):
                return _RatedBoard(strengths=(back[0], strength, front[0]), masks=(taken, mask, front[1]))
        return None

    def _front(self, core: _FrontCore, taken: int, highest: int) -> Rated | None:
        """Return the strongest front around ``core`` without the cards in ``taken``, up to strength ``highest``."""
        if core.mask not in self._around:
            self._around[core.mask] = [
                front
                for front in self._fronts
                if front[1] & core.mask == core.mask and (not core.mask or front[0] >> 20 == core.strength >> 20)
            ]
        return next((front for front in self._around[core.mask] if not front[1] & taken and front[0] <= highest), None)

    def _fitting_sets(self, core: _FrontCore, category: Category) -> list[Rated]:
        """Return the sets of ``category`` without the core's cards and at least as strong, strongest first."""
        key = (core.mask, category)
        if key not in self._beside:
            fits = (self._categories == category) & (self._masks & core.mask == 0) & (self._strengths >= core.strength)
            self._beside[key] = _listed(self._strengths[fits], self._masks[fits])
        return self._beside[key]


def complete_placement(variant: Variant, cards: Sequence[Card], draft: str) -> str:
    """Return a placement of 13 to 17 cards that keeps the cards placed in ``draft``.

    If the draft places no cards, or can only foul, return the best arrangement of all cards.
    """
    best = best_arrangement(variant, cards)
    if not any(letter in "FMB" for letter in draft):
        return best
    begun = _complete_draft(variant, cards, draft)
    if begun is None:
        return best
    return _improve(variant, cards, begun, draft)


def _complete_draft(variant: Variant, cards: Sequence[Card], draft: str) -> str | None:
    """Return a legal board around the draft; None if there is none."""
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


def _improve(variant: Variant, cards: Sequence[Card], letters: str, draft: str) -> str:
    worth = _rate_board(variant, cards, letters)
    for _ in range(ROUNDS):
        found = max(((_rate_board(variant, cards, other), other) for other in _exchanges(letters, draft)), default=None)
        if found is None or found[0] <= worth:
            break
        worth, letters = found
    return letters


def _exchanges(letters: str, draft: str) -> Iterator[str]:
    free = [number for number, letter in enumerate(draft) if letter == OPEN]
    for one, other in combinations(free, 2):
        if letters[one] != letters[other]:
            changed = list(letters)
            changed[one], changed[other] = letters[other], letters[one]
            yield "".join(changed)


def _rate_board(variant: Variant, cards: Sequence[Card], letters: str) -> _Worth:
    """Return whether the board is legal, its points, and its row strengths from back to front."""
    rows, _ = place(EMPTY, cards, letters)
    strengths = resolve(variant, rows)
    if not in_order(variant, strengths):
        return False, 0, ()
    seen = preview(variant, rows, fantasyland=len(cards) if variant.fantasyland else 0)
    stays = STAY_POINTS if seen.next_fantasyland else 0
    return True, sum(points or 0 for points in seen.royalties) + stays, tuple(reversed(strengths))
