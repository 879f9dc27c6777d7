"""Outcomes of full boards: royalties, Fantasyland, fouls, and row points against a rival.

A rival is a distribution of an opponent's final board: the probability of a foul, and for each row the probabilities of
a number of strength steps. Row points treat the three rows as independent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bot.pure.ofc.cards import ACE, KING, QUEEN, ROWS, Row
from bot.pure.ofc.ranks import WHEEL_LOW, Category, Strength, encode_strength, low_ranks
from bot.pure.ofc.scoring import next_fantasyland
from bot.pure.ofc.variants import MiddleRank, Variant
from bot.pure.solver.boards import Boards
from bot.pure.solver.row_tables import Floats, Ints, RowStrengths, codes_of, part_strengths, row_values

ENTRIES = ("QQ", "KK", "AA", "trips", "wheel", "both")
"""Ways to enter Fantasyland: with the front, with 7-5-4-3-2 in the middle, or with both."""
FOUL, ROYALTIES, ROW_POINTS, ENTERS = 0, 1, 2, 3
PARTS = ENTERS + len(ENTRIES)
"""The columns of an outcome: foul, royalties, row points, and each way to enter."""
_HIGH, _PAIR, _TWO, _TRIPS = Category.HIGH_CARD, Category.PAIR, Category.TWO_PAIR, Category.THREE_OF_A_KIND
_STEPS = (
    *(encode_strength(_HIGH, ranks) for ranks in ((10,), (11,), (12,), (12, 10), (13,), (13, 10), (13, 12))),
    *(encode_strength(_HIGH, ranks) for ranks in ((14,), (14, 9), (14, 11), (14, 12), (14, 13))),
    *(encode_strength(_PAIR, ranks) for top in range(2, 15) for ranks in ((top,), (top, 11))),
    *(encode_strength(_TWO, (top,)) for top in range(3, 15)),
    *(encode_strength(_TRIPS, (top,)) for top in (2, 5, 8, 11, 13, 14)),
    *(encode_strength(Category.STRAIGHT, (top,)) for top in (5, 8, 10, 12, 14)),
    *(encode_strength(Category.FLUSH, (top,)) for top in (7, 10, 11, 12, 13, 14)),
    *(encode_strength(Category.FLUSH, ranks) for ranks in ((14, 11), (14, 13))),
    *(encode_strength(Category.FULL_HOUSE, (top,)) for top in (2, 5, 8, 10, 12, 14)),
    *(encode_strength(Category.FOUR_OF_A_KIND, (top,)) for top in (2, 9)),
    encode_strength(Category.STRAIGHT_FLUSH, ()),
    *((Category.LOW << 20 | 0xFFFFF) - encode_strength(_HIGH, top) for top in ((10, 9), (10, 8), (10, 7), (9, 8))),
    *((Category.LOW << 20 | 0xFFFFF) - encode_strength(_HIGH, top) for top in ((9, 7), (9, 6), (8, 7), (8, 6), (7, 6))),
)
STEPS = np.array(_STEPS, dtype=np.int32)
"""The lowest strength of each step but the first."""
STEP_COUNT = len(STEPS) + 1


def steps_of(strengths: Ints) -> NDArray[np.intp]:
    """Return the step of each strength."""
    return np.searchsorted(STEPS, strengths, side="right")


@dataclass(frozen=True, slots=True)
class OpponentBoards:
    """Distributions of opponents' final boards.

    ``fouls``, of shape (n,), is the probability of a foul. ``wins``, of shape (n, 3, steps), is the probability that a
    row at each strength step beats theirs if they don't foul.
    """

    fouls: Floats
    wins: Floats

    def at(self, places: NDArray[np.intp]) -> OpponentBoards:
        """Return the rivals at ``places``, in that order."""
        return OpponentBoards(self.fouls[places], self.wins[places])


def _rises(values: Floats, strengths: Ints) -> list[tuple[int, float]]:
    """Return the steps at which the value of winning a row changes, and by how much.

    The first entry holds the value itself. ``values`` are the values of winning by each of ``strengths``.
    """
    paid = dict(zip((strengths >> 20).tolist(), values.tolist(), strict=True))
    steps = enumerate((0, *(STEPS >> 20).tolist()))
    known = [(step, paid[category]) for step, category in steps if category in paid]
    return [known[0], *((step, more - less) for (_, less), (step, more) in pairwise(known) if more != less)]


def nobody(count: int) -> OpponentBoards:
    """Return neutral rivals, who never foul and win as many rows as they lose, to evaluate a board on its own."""
    return OpponentBoards(np.zeros(count, np.float32), np.full((count, 3, STEP_COUNT), 0.5, np.float32))


Codes = tuple[Ints, Ints, Ints]
"""The codes of front, middle and back. Their shapes broadcast."""
Places = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]
"""The indices of front, middle and back among their row's possible strengths, weakest first."""


@dataclass(frozen=True, slots=True)
class FinalBoards:
    """Full boards; all shapes broadcast.

    ``places`` are the rows' strength indices, ``legal`` is True if the rows are in order, and ``entry`` is the way to
    enter Fantasyland, or -1. Royalties and entry count for legal boards only.
    """

    places: Places
    legal: NDArray[np.bool_]
    royalties: Floats
    entry: Ints

    def at(self, some: slice) -> FinalBoards:
        """Return a slice of one-dimensional boards."""
        front, middle, back = (places[some] for places in self.places)
        return FinalBoards((front, middle, back), self.legal[some], self.royalties[some], self.entry[some])

    def each(self) -> FinalBoards:
        """Return the boards with an extra axis at the end, for broadcasting against other boards."""
        front, middle, back = (places[..., None] for places in self.places)
        return FinalBoards(
            (front, middle, back), self.legal[..., None], self.royalties[..., None], self.entry[..., None]
        )

    def alone(self, weights: Floats) -> Floats:
        """Return their values without row points."""
        enters = np.append(weights[ENTERS:], np.float32(0))[self.entry]
        found: Floats = np.where(self.legal, weights[ROYALTIES] * self.royalties + enters, weights[FOUL])
        return found


def board_codes(boards: Boards) -> Codes:
    """Return the row codes of full boards."""
    front, middle, back = codes_of(boards.kinds, boards.suits).T
    return front, middle, back


Won = Callable[[FinalBoards], Floats]
"""Returns the row points of full boards, or the cost of a foul."""


@dataclass(frozen=True, slots=True)
class BoardResults:
    """Full boards with their row points, or the cost of a foul."""

    finals: FinalBoards
    points: Floats

    def values(self, weights: Floats) -> Floats:
        """Return their values."""
        found: Floats = weights[ROW_POINTS] * self.points + self.finals.alone(weights)
        return found

    def outcomes(self) -> Floats:
        """Return the outcomes of one-dimensional boards, of shape (boards, PARTS)."""
        legal, entry = self.finals.legal, self.finals.entry
        found = np.zeros((len(legal), PARTS), dtype=np.float32)
        found[:, FOUL] = ~legal
        found[:, ROYALTIES] = self.finals.royalties * legal
        found[:, ROW_POINTS] = self.points
        enters = np.flatnonzero(legal & (entry >= 0))
        found[enters, ENTERS + entry[enters]] = 1
        return found

    def summed(self, shares: Floats) -> Floats:
        """Return mean outcomes, of shape (boards, PARTS), for boards with several endings weighted by ``shares``."""
        found = np.empty((len(shares), PARTS), dtype=np.float32)
        legal = shares * self.finals.legal
        axes = tuple(range(1, shares.ndim))
        found[:, FOUL] = (shares - legal).sum(axis=axes)
        found[:, ROYALTIES] = (legal * self.finals.royalties).sum(axis=axes)
        found[:, ROW_POINTS] = (shares * self.points).sum(axis=axes)
        for way in range(len(ENTRIES)):
            found[:, ENTERS + way] = (legal * (self.finals.entry == way)).sum(axis=axes)
        return found


class Scorer:
    """Scores full boards of one game."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.values: tuple[RowStrengths, RowStrengths, RowStrengths] = (
            row_values(variant, Row.FRONT),
            row_values(variant, Row.MIDDLE),
            row_values(variant, Row.BACK),
        )
        self._low = variant.middle is MiddleRank.DEUCE_TO_SEVEN
        self._strict = int(variant.strict_rows and not self._low)
        known = [self._strengths_known(values) for values in self.values]
        self.known = known
        """For each row, its possible strengths when full, weakest first."""
        self.pays = [self.royalties(row, strengths) for row, strengths in zip(ROWS, known, strict=True)]
        """For each row, its royalties by strength index."""
        self._enters = np.array([self.entry(Strength(int(strength))) for strength in known[0]], dtype=np.int32)
        lows = known[1][known[1] >> 20 == Category.LOW].tolist()
        self._wheel = max((low for low in lows if low_ranks(Strength(low)) == WHEEL_LOW), default=-2)
        self._steps = [steps_of(strengths) for strengths in known]
        self.natural = None if variant.jokers else [self._places(v, k) for v, k in zip(self.values, known, strict=True)]
        """For each row, the strength index of a full row by code; None in games with jokers."""
        self.row_values = [self._row_value(row, strengths) for row, strengths in zip(ROWS, known, strict=True)]
        self._rises = [_rises(*each) for each in zip(self.row_values, known, strict=True)] if variant.row_values else []

    @staticmethod
    def _strengths_known(values: RowStrengths) -> Ints:
        return np.unique(values.keys & 0xFFFFFF).astype(np.int32)

    @staticmethod
    def _places(values: RowStrengths, known: Ints) -> NDArray[np.intp]:
        """Return a full row's strength index by code."""
        return np.searchsorted(known, values.strongest)

    def entry(self, strength: Strength) -> int:
        """Return how a front enters Fantasyland, as an index of ``ENTRIES``; -1 if it doesn't."""
        rule = self.variant.fantasyland
        if rule is None or not next_fantasyland(self.variant, (strength,) * 3, held=0):
            return -1
        if strength >> 20 == Category.THREE_OF_A_KIND:
            return ENTRIES.index("trips")
        rank = strength >> 16 & 15
        return {KING: 1, ACE: 2}.get(rank, 0) if rank >= QUEEN else 0

    def royalties(self, row: Row, strengths: Ints) -> Floats:
        """Return the royalties of strengths in a row. Except for lows, they depend only on category and top rank."""
        alike = np.where(strengths >> 20 == Category.LOW, strengths, strengths >> 16 << 16)
        distinct, place = np.unique(alike, return_inverse=True)
        of = self.variant.royalties.of
        paid: Floats = np.array([of(row, Strength(one)) for one in distinct.tolist()], np.float32)[place]
        return paid

    def _row_value(self, row: Row, strengths: Ints) -> Floats:
        distinct, place = np.unique(strengths >> 20, return_inverse=True)
        values = [self.variant.row_value(row, Category(one)) for one in distinct.tolist()]
        found: Floats = np.array(values, np.float32)[place]
        return found

    def strengths(self, boards: Boards) -> tuple[Ints, Ints, Ints, NDArray[np.bool_]]:
        """Return the strengths of front, middle and back, and whether each board is legal."""
        return self._strengths(board_codes(boards))

    def _strengths(self, codes: Codes) -> tuple[Ints, Ints, Ints, NDArray[np.bool_]]:
        strict = self._strict
        if self.natural is None:
            return self._strengths_with_jokers(codes)
        front, middle, back = (values.strongest[code] for values, code in zip(self.values, codes, strict=True))
        if self._low:
            return front, middle, back, (front <= back) & (middle >> 20 == Category.LOW)
        return front, middle, back, (front <= middle - strict) & (middle <= back - strict)

    def _strengths_with_jokers(self, codes: Codes) -> tuple[Ints, Ints, Ints, NDArray[np.bool_]]:
        """Like :meth:`_strengths`, with each joker limited by the row below it."""
        front, middle, back = np.broadcast_arrays(*codes)
        its_back = self.values[2].strongest[back]
        its_middle = self.values[1].at_most(middle.reshape(-1), its_back.reshape(-1) - self._strict)
        its_front = self.values[0].at_most(front.reshape(-1), its_middle - self._strict).reshape(front.shape)
        return its_front, its_middle.reshape(front.shape), its_back, its_front >= 0

    def finals(self, codes: Codes) -> FinalBoards:
        """Return the boards with the given codes, without opponents."""
        front, middle, back, legal = self._strengths(codes)
        places = self._places_of(codes, (front, middle, back))
        entry = self._enters[places[0]]
        if self._low:
            entry = self._with_wheel(entry, middle)
        paid = [pays[place] for pays, place in zip(self.pays, places, strict=True)]
        return FinalBoards(places, legal, paid[0] + paid[1] + paid[2], entry)

    def against(self, rivals: OpponentBoards, rival: NDArray[np.intp]) -> Won:
        """Return a function for the points of full boards against their rivals; ``rival`` holds each board's index."""

        def won(finals: FinalBoards) -> Floats:
            return np.where(
                finals.legal, self._row_points(finals.places, rivals, rival), self._foul_cost(rivals, rival)
            )

        return won

    def standing(self, boards: Boards) -> Floats:
        """Return the summed strength of boards' rows, full or not, as relative ranks: above 0, at most 3."""
        found = np.zeros(len(boards))
        for row, codes in zip(ROWS, board_codes(boards), strict=True):
            made = self.values[row.place].strongest[codes]
            if row is not Row.MIDDLE or not self._low:
                made = np.maximum(made, part_strengths(row.size)[codes // 2])
            known = self.known[row.place]
            found += np.searchsorted(known, made) / len(known)
        return found

    def ends(self, codes: Codes, won: Won) -> BoardResults:
        """Return full boards with their points."""
        finals = self.finals(codes)
        return BoardResults(finals, won(finals))

    def outcomes(self, boards: Boards, rivals: OpponentBoards, rival: NDArray[np.intp]) -> Floats:
        """Return each full board's outcome against its rival, of shape (boards, PARTS)."""
        return self.ends(board_codes(boards), self.against(rivals, rival)).outcomes()

    def _places_of(self, codes: Codes, strengths: Sequence[Ints]) -> Places:
        """Return each row's strength index."""
        if self.natural is None:
            rows = (np.searchsorted(known[:-1], row) for known, row in zip(self.known, strengths, strict=True))
        else:
            rows = (table[code] for table, code in zip(self.natural, codes, strict=True))
        front, middle, back = rows
        return front, middle, back

    def _with_wheel(self, entry: Ints, middle: Ints) -> Ints:
        rule = self.variant.fantasyland
        if rule is None or not rule.wheel_cards:
            return entry
        wheel = middle == self._wheel
        return np.where(wheel, np.where(entry >= 0, ENTRIES.index("both"), ENTRIES.index("wheel")), entry)

    def _foul_cost(self, rivals: OpponentBoards, rival: NDArray[np.intp]) -> Floats:
        """Return the cost of a foul against rivals, who may foul too."""
        legal = 1 - rivals.fouls[rival]
        if not self._rises:
            return -self.variant.foul_points * legal
        nothing = np.zeros(1, np.float32)
        rows = sum(self._conceded_points(row, nothing, rivals, rival) for row in range(len(ROWS)))
        lost: Floats = -(rows + self.variant.all_rows_bonus) * legal
        return lost

    def _row_points(
        self, places: Sequence[NDArray[np.intp]], rivals: OpponentBoards, rival: NDArray[np.intp]
    ) -> Floats:
        """Return the row points of legal boards."""
        game = self.variant
        a, b, c = wins = [rivals.wins[rival, row, self._steps[row][place]] for row, place in enumerate(places)]
        fouls = rivals.fouls[rival]
        if self._rises:
            own = [values[place] for values, place in zip(self.row_values, places, strict=True)]
            from_foul = sum(own) + game.all_rows_bonus
            points = sum(win * value for win, value in zip(wins, own, strict=True))
            points = points - sum(self._conceded_points(row, win, rivals, rival) for row, win in enumerate(wins))
        else:
            from_foul = game.foul_points
            points = -3 * game.row_point + sum(win * (2 * game.row_point) for win in wins)
        points = points + game.scoop_bonus * (a * b * c - (1 - a) * (1 - b) * (1 - c))
        if game.majority_bonus or game.two_rows_bonus:
            two = a * b + a * c + b * c - 2 * a * b * c
            points = points + (game.majority_bonus + game.two_rows_bonus) * (2 * two - 1)
        found: Floats = points * (1 - fouls) + from_foul * fouls
        return found

    def _conceded_points(self, row: int, win: Floats, rivals: OpponentBoards, rival: NDArray[np.intp]) -> Floats:
        """Return the average points lost to a rival's row, by its value; ``win`` is the probability of beating it."""
        # ``wins`` counts half of its own step, so the chance of being below a step is the mean of two neighbours.
        below = [
            rivals.wins[:, row, max(step - 1, 0) : step + 1].mean(axis=1) * (step > 0) for step, _ in self._rises[row]
        ]
        rises = zip(self._rises[row], below, strict=True)
        lost: Floats = sum(rise * (1 - np.maximum(win, weaker[rival])) for (_, rise), weaker in rises)
        return lost

    def rivals_from(self, boards: Boards, per_rival: int) -> OpponentBoards:
        """Return rivals from consecutive groups of ``per_rival`` final boards each."""
        front, middle, back, legal = self.strengths(boards)
        legal = legal.reshape(-1, per_rival)
        count = len(legal)
        kept, number = legal.reshape(-1), np.repeat(np.arange(count), per_rival)
        tallies = [
            np.bincount(number[kept] * STEP_COUNT + steps_of(strengths[kept]), minlength=count * STEP_COUNT)
            for strengths in (front, middle, back)
        ]
        shares = np.stack([tally.reshape(count, STEP_COUNT) for tally in tallies], axis=1).astype(np.float32)
        total = shares.sum(axis=2, keepdims=True)
        below = np.cumsum(shares, axis=2) - shares / 2
        wins = np.where(total > 0, below / np.maximum(total, 1), 0.5)
        return OpponentBoards(1 - legal.mean(axis=1, dtype=np.float32), wins.astype(np.float32))
