"""The board to set in Fantasyland: royalties, staying, and what its rows win from the boards that it meets.

Opponents are whole boards: those that lie open, what unfinished ones were played out to, and where nothing is seen of
somebody, boards that masters have played beside a Fantasyland, or set in one.

A board is worth what each of its rows is worth by itself, and what they win together. With natural cards it is the best
of all: a back and a middle are given up when no front could make them better than the best board so far. Jokers and
lows go through the slower search of :mod:`bot.solver.general`, which counts together what rows win one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bot.ofc.cards import DISCARD, JOKERS, ROWS, Card, Row, rank_of
from bot.ofc.ranks import Category, Strength, strength_of
from bot.ofc.scoring import stays
from bot.ofc.variants import MiddleRank, Variant
from bot.solver.arrange import STEPS, best_arrangement
from bot.solver.field import Known
from bot.solver.general import arranged, rules_for
from bot.solver.outcomes import Finals, Places, Scorer
from bot.solver.rowtables import Floats, Ints, coded_sets, natural_strengths

BACKS_AT_ONCE = 48
BOARDS_AT_ONCE = 256
"""So many are looked at together: what they find rules out most of the others."""
_STRONGER = 1e-4
"""Points for the strongest row there is: of boards that are worth the same, the one whose rows are stronger."""
_NOTHING = strength_of(Category.HIGH_CARD, ())


@dataclass(frozen=True)
class Against:
    """What rows are worth against some opponents: by row, and by the place of its strength."""

    scorer: Scorer
    opponents: tuple[Known, ...]

    @cached_property
    def values(self) -> list[Floats]:
        """Royalties, and what the row wins by itself."""
        return [
            paid + sum(one.margins[row] for one in self.opponents) / len(self.opponents) + _rising(len(paid))
            for row, paid in enumerate(self.scorer.pays)
        ]

    @cached_property
    def beaten(self) -> list[Floats]:
        """The share of opponents' boards whose row is weaker."""
        return [sum(one.beaten[row] for one in self.opponents) / len(self.opponents) for row in range(len(ROWS))]

    @cached_property
    def stays(self) -> list[NDArray[np.bool_]]:
        """Whether the row keeps its player in Fantasyland by itself."""
        return stays_by_row(self.scorer)

    @property
    def most_together(self) -> int:
        """No three rows win more together, beside the scoop."""
        game = self.scorer.variant
        return game.two_rows_bonus + game.majority_bonus + game.total_bonus

    def points(self, finals: Finals) -> Floats:
        """What boards are worth but for staying: royalties and rows."""
        won = sum(one.points(finals) for one in self.opponents) / len(self.opponents)
        found: Floats = finals.royalties + won
        return found + sum(_rising(len(self.values[row]))[place] for row, place in enumerate(finals.places))

    def of_row(self, row: Row, strength: Strength) -> float:
        """The same of one row, with about what it adds to rows that win together."""
        place = int(np.searchsorted(self.scorer.known[row.place], strength))
        game = self.scorer.variant
        together = (game.scoop_bonus + game.two_rows_bonus + game.majority_bonus) / 2
        return float(self.values[row.place][place] + together * self.beaten[row.place][place])


def _rising(count: int) -> Floats:
    found: Floats = np.linspace(0, _STRONGER, count)
    return found


@lru_cache(maxsize=8)
def stays_by_row(scorer: Scorer) -> list[NDArray[np.bool_]]:
    """By row and the place of its strength, whether it keeps its player in Fantasyland."""
    rule = scorer.variant.fantasyland
    found = []
    for row in ROWS:
        strengths = [_NOTHING] * len(ROWS)
        kept = []
        for strength in scorer.known[row.place].tolist():
            strengths[row.place] = Strength(strength)
            kept.append(rule is not None and stays(rule, strengths))
        found.append(np.array(kept, dtype=np.bool_))
    return found


@lru_cache(maxsize=4)
def against(scorer: Scorer, opponents: tuple[Known, ...]) -> Against:
    """What rows are worth against these opponents; kept for those that are met again."""
    return Against(scorer, opponents)


def set_board(scorer: Scorer, cards: Sequence[Card], opponents: tuple[Known, ...], *, staying: float) -> str:
    """The placement of 13 to 17 cards that is worth most from these opponents, one letter for each card in the order
    given; ``staying`` is what it is worth to stay.

    Where strict rows leave no legal board, or no low can be made, it is the best arrangement.
    """
    game = scorer.variant
    criterion = against(scorer, opponents)
    if game.middle is not MiddleRank.HIGH or any(card in JOKERS for card in cards):
        rules = rules_for(game, criterion.of_row)
        found = arranged(game, cards, stay_points=staying, strict=game.strict_rows, steps=STEPS, rules=rules)
        return found.letters if found else best_arrangement(game, cards)
    return _Search(criterion, cards, staying=staying).letters() or best_arrangement(game, cards)


@dataclass(frozen=True, slots=True)
class _Sets:
    """Sets of cards for one row, those that are worth most first."""

    places: NDArray[np.intp]
    """Of their strengths among all."""
    strengths: Ints
    masks: Ints
    values: Floats
    """What they are worth by themselves, with staying."""
    beaten: Floats

    def __len__(self) -> int:
        return len(self.masks)

    def at(self, some: NDArray[np.bool_] | NDArray[np.intp] | slice) -> _Sets:
        """Some of them."""
        return _Sets(self.places[some], self.strengths[some], self.masks[some], self.values[some], self.beaten[some])

    @property
    def most(self) -> float:
        """No set is worth more."""
        return float(self.values[0]) if len(self) else -np.inf


@dataclass(frozen=True, slots=True)
class _Core:
    """Fronts with the same pair or three of a kind, the strongest first, or those without one; ``mask`` is that of the
    cards.
    """

    mask: int
    strength: int
    fronts: _Sets


class _Search:
    """The best board of natural cards."""

    def __init__(self, criterion: Against, cards: Sequence[Card], *, staying: float) -> None:
        self._criterion = criterion
        self._scorer = scorer = criterion.scorer
        self._game: Variant = scorer.variant
        self._cards = cards
        self._staying = staying
        self._strict = int(self._game.strict_rows)
        self._fronts, self._middles, self._backs = (self._sets(row) for row in ROWS)
        self._best = -np.inf
        self._masks: tuple[int, int, int] | None = None

    def letters(self) -> str:
        """The placement; empty where there is no legal board."""
        most = self._middles.most + self._backs.most
        for core in sorted(self._cores(), key=lambda core: core.fronts.most, reverse=True):
            if core.fronts.most + most + self._together(1.0) >= self._best:
                self._look_under(core)
        if self._masks is None:
            return ""
        rows = list(zip(ROWS, self._masks, strict=True))
        return "".join(
            next((row.value for row, mask in rows if mask >> place & 1), DISCARD) for place in range(len(self._cards))
        )

    def _sets(self, row: Row) -> _Sets:
        """Every set of cards that fills a row."""
        codes, masks = coded_sets(self._cards, range(len(self._cards)), size=row.size)
        natural, known = self._scorer.natural, self._scorer.known[row.place]
        places = natural[row.place][codes] if natural else np.searchsorted(known, natural_strengths(row.size)[codes])
        values = self._criterion.values[row.place][places]
        if self._staying:
            values = values + self._staying * self._criterion.stays[row.place][places]
        order = np.argsort(-values, kind="stable")
        found = _Sets(places, known[places], masks, values, self._criterion.beaten[row.place][places])
        return found.at(order)

    def _cores(self) -> Iterator[_Core]:
        """Every pair and three of a kind that a front may hold, and none."""
        category, fronts = self._fronts.strengths >> 20, self._fronts
        yield _Core(0, 0, _strongest_first(fronts.at(category == Category.HIGH_CARD)))
        ranks = [rank_of(card) for card in self._cards]
        for rank in {*ranks}:
            bits = [1 << place for place, its in enumerate(ranks) if its == rank]
            for size, made in ((2, Category.PAIR), (3, Category.THREE_OF_A_KIND)):
                for mask in map(sum, combinations(bits, size)):
                    some = (fronts.masks & mask == mask) & (category == made)
                    yield _Core(mask, strength_of(made, (rank,)), _strongest_first(fronts.at(some)))

    def _look_under(self, core: _Core) -> None:
        backs, middles = (
            sets.at((sets.masks & core.mask == 0) & (sets.strengths >= core.strength))
            for sets in (self._backs, self._middles)
        )
        front = core.fronts.most
        for low in range(0, len(backs), BACKS_AT_ONCE):
            some = backs.at(slice(low, low + BACKS_AT_ONCE))
            needed = self._best - front - self._together(1.0)
            if not len(middles) or some.most + middles.most < needed:
                return
            middles = middles.at(middles.values >= needed - some.most)
            self._look_at(core, some, middles)

    def _together(self, beaten: Floats | float) -> Floats:
        """The most that rows win together of which one beats no more than this share."""
        found: Floats = self._game.scoop_bonus * np.asarray(beaten) + self._criterion.most_together
        return found

    def _look_at(self, core: _Core, backs: _Sets, middles: _Sets) -> None:
        """All pairs of these backs and middles that may be part of a better board."""
        fits = (backs.masks[:, None] & middles.masks) == 0
        fits &= middles.strengths <= backs.strengths[:, None] - self._strict
        back, middle = np.nonzero(fits)
        b, m = backs.at(back), middles.at(middle)
        below = b.values + m.values
        most = below + self._together(np.minimum(b.beaten, m.beaten)) + core.fronts.most
        order = np.argsort(-most, kind="stable")
        for low in range(0, len(order), BOARDS_AT_ONCE):
            some = order[low : low + BOARDS_AT_ONCE]
            some = some[most[some] >= self._best]
            if not len(some):
                return
            self._completed(core, b.at(some), m.at(some))

    def _completed(self, core: _Core, backs: _Sets, middles: _Sets) -> None:
        """Each of these boards with the strongest front that it can have."""
        taken = backs.masks | middles.masks
        fits = (core.fronts.masks & taken[:, None]) == 0
        fits &= core.fronts.strengths <= middles.strengths[:, None] - self._strict
        number = fits.argmax(axis=1)
        found = np.flatnonzero(fits[np.arange(len(fits)), number])
        if not len(found):
            return
        fronts, middles, backs = core.fronts.at(number[found]), middles.at(found), backs.at(found)
        most = backs.values + middles.values + fronts.values
        some = most + self._together(np.minimum(np.minimum(backs.beaten, middles.beaten), fronts.beaten)) >= self._best
        fronts, middles, backs = fronts.at(some), middles.at(some), backs.at(some)
        if not len(fronts):
            return
        worth = self._worth((fronts.places, middles.places, backs.places))
        best = int(worth.argmax())
        if worth[best] > self._best:
            self._best = float(worth[best])
            self._masks = int(fronts.masks[best]), int(middles.masks[best]), int(backs.masks[best])

    def _worth(self, places: Places) -> Floats:
        paid = sum(pays[place] for pays, place in zip(self._scorer.pays, places, strict=True))
        count = len(places[0])
        finals = Finals(places, np.ones(count, np.bool_), paid, np.full(count, -1, np.int32))
        kept = np.zeros(count, np.bool_)
        for keeps, place in zip(self._criterion.stays, places, strict=True):
            kept |= keeps[place]
        found: Floats = self._criterion.points(finals) + self._staying * kept
        return found


def _strongest_first(sets: _Sets) -> _Sets:
    """What is stronger is worth more, or as much."""
    return sets.at(np.argsort(-sets.strengths, kind="stable"))
