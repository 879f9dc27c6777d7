"""Search for the best Fantasyland board against given opponents, counting royalties, staying and row points.

Each opponent is a set of whole boards: their face-up board, possible completions of an unfinished one, or, if none of
their cards are visible, boards that masters set in Fantasyland or played against one.

A board's value is the value of each row plus the bonuses for winning several rows. With natural cards, the result is
optimal. The search drops a back and middle if no front can lift them above the best board so far. Jokers and lows use
the slower search in :mod:`bot.pure.solver.general`, which only approximates those bonuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bot.pure.ofc.cards import DISCARD, JOKERS, ROWS, Card, Row, rank_of
from bot.pure.ofc.ranks import Category, Strength, encode_strength
from bot.pure.ofc.scoring import stays
from bot.pure.ofc.variants import MiddleRank
from bot.pure.solver.arrange import STEPS, best_arrangement
from bot.pure.solver.field import KnownOpponent
from bot.pure.solver.general import arranged, rules_for
from bot.pure.solver.outcomes import FinalBoards, Places, Scorer
from bot.pure.solver.row_tables import Floats, Ints, coded_sets, natural_strengths

BACKS_FIRST, MORE_BACKS = 24, 8
"""Size of the first batch of backs, and the factor by which each batch grows."""
BOARDS_AT_ONCE = 256
_STRONGER = 1e-4
"""Points for the strongest possible row, as a tie-break between boards of equal value."""
_NOTHING = encode_strength(Category.HIGH_CARD, ())


@dataclass(frozen=True)
class RowValues:
    """Values of rows against some opponents. Each list has one array per row, indexed by strength."""

    scorer: Scorer
    opponents: tuple[KnownOpponent, ...]

    @cached_property
    def values(self) -> list[Floats]:
        """Royalties plus the points that the row wins on its own."""
        return [
            paid + np.mean([one.margins[row] for one in self.opponents], axis=0) + self.rising[row]
            for row, paid in enumerate(self.scorer.pays)
        ]

    @cached_property
    def rising(self) -> list[Floats]:
        """The tie-break: a bonus that rises slightly with each strength."""
        return [np.linspace(0, _STRONGER, len(paid)) for paid in self.scorer.pays]

    @cached_property
    def beaten(self) -> list[Floats]:
        """Share of the opponents' boards whose row is weaker, including fouls."""
        return [np.mean([one.beaten[row] + one.fouls for one in self.opponents], axis=0) for row in range(len(ROWS))]

    @cached_property
    def stays(self) -> list[NDArray[np.bool_]]:
        """True if the row is enough to stay in Fantasyland."""
        return stays_by_row(self.scorer)

    @property
    def max_total(self) -> int:
        """Upper bound of the bonuses for several rows, without the scoop."""
        game = self.scorer.variant
        return game.two_rows_bonus + game.majority_bonus + game.total_bonus

    def points(self, finals: FinalBoards) -> Floats:
        """Return the values of boards without the value of staying."""
        found: Floats = finals.royalties + np.mean([one.points(finals) for one in self.opponents], axis=0)
        for rising, place in zip(self.rising, finals.places, strict=True):
            found = found + rising[place]
        return found

    def of_row(self, row: Row, strength: Strength) -> float:
        """Return the value of one row, including an estimate of its share of the bonuses for several rows."""
        place = int(np.searchsorted(self.scorer.known[row.place], strength))
        game = self.scorer.variant
        together = (game.scoop_bonus + game.two_rows_bonus + game.majority_bonus) / 2
        return float(self.values[row.place][place] + together * self.beaten[row.place][place])


@lru_cache(maxsize=8)
def stays_by_row(scorer: Scorer) -> list[NDArray[np.bool_]]:
    """Return, for each row and indexed by strength, whether the row is enough to stay in Fantasyland."""
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
def against(scorer: Scorer, opponents: tuple[KnownOpponent, ...]) -> RowValues:
    """Return the cached row values against these opponents."""
    return RowValues(scorer, opponents)


def set_board(scorer: Scorer, cards: Sequence[Card], opponents: tuple[KnownOpponent, ...], *, staying: float) -> str:
    """Return the placement of 13 to 17 cards that earns the most against ``opponents``, one letter per card.

    ``staying`` is the value of staying, in points. If there is no legal board because of strict rows or a missing low,
    return the best arrangement instead.
    """
    game = scorer.variant
    criterion = against(scorer, opponents)
    if game.middle is not MiddleRank.HIGH or any(card in JOKERS for card in cards):
        rules = rules_for(game, criterion.of_row)
        found = arranged(game, cards, stay_points=staying, strict=game.strict_rows, steps=STEPS, rules=rules)
        return found.letters if found else best_arrangement(game, cards)
    return _NaturalSearch(criterion, cards, staying=staying).letters() or best_arrangement(game, cards)


@dataclass(frozen=True, slots=True)
class _Sets:
    """Sets of cards for one row, most valuable first."""

    places: NDArray[np.intp]
    """Indices of their strengths."""
    strengths: Ints
    masks: Ints
    values: Floats
    """Their values, including staying."""
    beaten: Floats

    def __len__(self) -> int:
        return len(self.masks)

    def at(self, some: NDArray[np.bool_] | NDArray[np.intp] | slice) -> _Sets:
        """Return the selected sets."""
        return _Sets(self.places[some], self.strengths[some], self.masks[some], self.values[some], self.beaten[some])

    @property
    def most(self) -> float:
        """The highest value; minus infinity if there are no sets."""
        return float(self.values[0]) if len(self) else -np.inf


@dataclass(frozen=True, slots=True)
class _FrontGroup:
    """Fronts with the same pair or three of a kind (or neither), strongest first; ``mask`` covers those cards."""

    mask: int
    strength: int
    fronts: _Sets
    most: float
    """Upper bound of a front's value, including the bonuses for several rows."""
    beaten: float
    """Upper bound of the share of boards that a front beats."""


class _NaturalSearch:
    """Search for the best board of natural cards."""

    def __init__(self, criterion: RowValues, cards: Sequence[Card], *, staying: float) -> None:
        self._criterion = criterion
        self._scorer = scorer = criterion.scorer
        self._cards = cards
        self._staying = staying
        game = scorer.variant
        self._strict = int(game.strict_rows)
        self._scoop, self._beside = game.scoop_bonus, criterion.max_total
        """Upper bounds of the bonuses. The scoop's is multiplied by the share of boards that the weakest row beats."""
        fives = coded_sets(cards, range(len(cards)), size=Row.BACK.size)
        self._fronts = self._sets(Row.FRONT, *coded_sets(cards, range(len(cards)), size=Row.FRONT.size))
        self._middles, self._backs = (self._sets(row, *fives) for row in (Row.MIDDLE, Row.BACK))
        self._best = -np.inf
        self._masks: tuple[int, int, int] | None = None

    def letters(self) -> str:
        """Return the placement; empty if there is no legal board."""
        for core in sorted(self._cores(), key=lambda core: core.most, reverse=True):
            self._look_under(core)
        if self._masks is None:
            return ""
        rows = list(zip(ROWS, self._masks, strict=True))
        return "".join(
            next((row.value for row, mask in rows if mask >> place & 1), DISCARD) for place in range(len(self._cards))
        )

    def _sets(self, row: Row, codes: Ints, masks: Ints) -> _Sets:
        """Return all sets of cards that fill the row."""
        natural, known = self._scorer.natural, self._scorer.known[row.place]
        places = natural[row.place][codes] if natural else np.searchsorted(known, natural_strengths(row.size)[codes])
        values = self._criterion.values[row.place][places]
        if self._staying:
            values = values + self._staying * self._criterion.stays[row.place][places]
        order = np.argsort(-values, kind="stable")
        found = _Sets(places, known[places], masks, values, self._criterion.beaten[row.place][places])
        return found.at(order)

    def _cores(self) -> Iterator[_FrontGroup]:
        """Yield the core without a pair, then those with each pair and three of a kind."""
        category, fronts = self._fronts.strengths >> 20, self._fronts
        yield self._core(0, 0, fronts.at(category == Category.HIGH_CARD))
        ranks = [rank_of(card) for card in self._cards]
        for rank in {*ranks}:
            bits = [1 << place for place, its in enumerate(ranks) if its == rank]
            for size, made in ((2, Category.PAIR), (3, Category.THREE_OF_A_KIND)):
                for mask in map(sum, combinations(bits, size)):
                    some = (fronts.masks & mask == mask) & (category == made)
                    yield self._core(mask, encode_strength(made, (rank,)), fronts.at(some))

    def _core(self, mask: int, strength: int, fronts: _Sets) -> _FrontGroup:
        # A stronger front is never worth less.
        fronts = fronts.at(np.argsort(-fronts.strengths, kind="stable"))
        beaten = float(fronts.beaten[0]) if len(fronts) else 0.0
        return _FrontGroup(mask, strength, fronts, fronts.most + self._scoop * beaten + self._beside, beaten)

    def _look_under(self, core: _FrontGroup) -> None:
        backs, middles = (
            sets.at((sets.masks & core.mask == 0) & (sets.strengths >= core.strength))
            for sets in (self._backs, self._middles)
        )
        low, count = 0, BACKS_FIRST
        while low < len(backs) and len(middles):
            some = backs.at(slice(low, low + count))
            needed = self._best - core.most
            if some.most + middles.most < needed:
                return
            middles = middles.at(middles.values >= needed - some.most)
            self._look_at(core, some.at(some.values >= needed - middles.most), middles)
            # The first batches usually rule out most later backs, so later batches can be larger.
            low, count = low + count, count * MORE_BACKS

    def _look_at(self, core: _FrontGroup, backs: _Sets, middles: _Sets) -> None:
        """Try all pairs of these backs and middles that could lead to a better board."""
        below = backs.values[:, None] + middles.values
        fits = below >= self._best - core.most
        fits &= (backs.masks[:, None] & middles.masks) == 0
        fits &= middles.strengths <= backs.strengths[:, None] - self._strict
        back, middle = np.nonzero(fits)
        together = np.minimum(np.minimum(backs.beaten[back], middles.beaten[middle]), core.beaten)
        most = below[back, middle] + core.fronts.most + self._scoop * together + self._beside
        some = np.flatnonzero(most >= self._best)
        some = some[np.argsort(-most[some], kind="stable")]
        for low in range(0, len(some), BOARDS_AT_ONCE):
            now = some[low : low + BOARDS_AT_ONCE]
            now = now[most[now] >= self._best]
            if not len(now):
                return
            self._complete_fronts(core, backs.at(back[now]), middles.at(middle[now]))

    def _complete_fronts(self, core: _FrontGroup, backs: _Sets, middles: _Sets) -> None:
        """Complete each pair with its strongest possible front, and record the best board."""
        taken = backs.masks | middles.masks
        fits = (core.fronts.masks & taken[:, None]) == 0
        fits &= core.fronts.strengths <= middles.strengths[:, None] - self._strict
        number = fits.argmax(axis=1)
        found = np.flatnonzero(fits[np.arange(len(fits)), number])
        if not len(found):
            return
        fronts, middles, backs = core.fronts.at(number[found]), middles.at(found), backs.at(found)
        most = backs.values + middles.values + fronts.values
        together = np.minimum(np.minimum(backs.beaten, middles.beaten), fronts.beaten)
        some = most + self._scoop * together + self._beside >= self._best
        fronts, middles, backs = fronts.at(some), middles.at(some), backs.at(some)
        if not len(fronts):
            return
        worth = self._worth((fronts.places, middles.places, backs.places))
        best = int(worth.argmax())
        if worth[best] > self._best:
            self._best = float(worth[best])
            self._masks = int(fronts.masks[best]), int(middles.masks[best]), int(backs.masks[best])

    def _worth(self, places: Places) -> Floats:
        front, middle, back = (pays[place] for pays, place in zip(self._scorer.pays, places, strict=True))
        count = len(places[0])
        finals = FinalBoards(places, np.ones(count, np.bool_), front + middle + back, np.full(count, -1, np.int32))
        kept = np.zeros(count, np.bool_)
        for keeps, place in zip(self._criterion.stays, places, strict=True):
            kept |= keeps[place]
        found: Floats = self._criterion.points(finals) + self._staying * kept
        return found
