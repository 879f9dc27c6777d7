"""Thirteen cards set at once: the board that wins most against opponents who set well.

All 72,072 boards of thirteen cards are looked at: first by how often each row wins by itself, then the best of them
against whole boards of such opponents, row by row and with what comes of the rows together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bot.ofc.cards import Card
from bot.ofc.ranks import Category, Strength
from bot.ofc.rows import BOARD_CARDS, DISCARD, ROWS, Row, RowCards
from bot.ofc.scoring import in_order, possible_strengths, resolve
from bot.ofc.variants import Variant
from bot.solver.rowtables import Floats, Ints

_FINALISTS = 400
"""So many boards are compared with whole boards of opponents."""


@dataclass(frozen=True, slots=True)
class _Shapes:
    """All boards of thirteen cards: places of the fives and threes that they are made of."""

    fives: Sequence[tuple[int, ...]]
    threes: Sequence[tuple[int, ...]]
    front: NDArray[np.intp]
    middle: NDArray[np.intp]
    back: NDArray[np.intp]


@lru_cache(maxsize=1)
def _shapes() -> _Shapes:
    fives = list(combinations(range(BOARD_CARDS), 5))
    threes = list(combinations(range(BOARD_CARDS), 3))
    masks = np.array([sum(1 << place for place in five) for five in fives])
    back, middle = np.nonzero((masks[:, None] & masks) == 0)
    number = np.zeros(1 << BOARD_CARDS, dtype=np.intp)
    number[[sum(1 << place for place in three) for three in threes]] = np.arange(len(threes))
    front = number[(1 << BOARD_CARDS) - 1 ^ masks[back] ^ masks[middle]]
    return _Shapes(fives, threes, front, middle, back)


@dataclass(frozen=True, slots=True, kw_only=True)
class Set:
    """A board in letters and what it is expected to win from each opponent."""

    letters: str
    value: float


class Setter:
    """Sets boards of one game against a sample of boards that well-set opponents had: strengths (boards, 3)."""

    def __init__(self, variant: Variant, rivals: Ints) -> None:
        self._variant = variant
        self._rivals = rivals
        self._sorted = np.sort(rivals, axis=0)

    def best(self, cards: Sequence[Card]) -> Set:
        """The best board; raises ValueError for other than thirteen cards."""
        if len(cards) != BOARD_CARDS:
            raise ValueError(f"a board is set from {BOARD_CARDS} cards")
        shapes = _shapes()
        fives = self._rated(cards, shapes.fives, (Row.MIDDLE, Row.BACK))
        threes = self._rated(cards, shapes.threes, (Row.FRONT,))
        rows = (threes[shapes.front], fives[shapes.middle], fives[shapes.back])
        strict = int(self._variant.strict_rows)
        legal = np.flatnonzero((rows[0] <= rows[1] - strict) & (rows[1] <= rows[2] - strict))
        worth = sum(self._worth(row, strengths)[legal] for row, strengths in zip(ROWS, rows, strict=True))
        some = legal[np.argsort(-worth, kind="stable")[:_FINALISTS]]
        if not len(some):
            raise ValueError("these cards make no board in order")
        values = self._against_boards(np.stack([strengths[some] for strengths in rows], axis=1)).mean(axis=1)
        best = int(values.argmax())
        return Set(letters=self._letters(int(some[best])), value=float(values[best]))

    def against_each(self, rows: RowCards) -> Floats:
        """What a board wins from each opponent of the sample; one that fouls pays for its rows and theirs."""
        strengths = resolve(self._variant, rows)
        if in_order(self._variant, strengths):
            legal: Floats = self._against_boards(np.array([strengths], dtype=np.int32))[0]
            return legal
        return -self._variant.foul_points - self._paid(self._rivals)

    def _rated(self, cards: Sequence[Card], sets: Sequence[tuple[int, ...]], rows: tuple[Row, ...]) -> Ints:
        """The strength of every set of cards."""
        found = [possible_strengths(self._variant, rows[0], tuple(cards[place] for place in some))[0] for some in sets]
        return np.array(found, dtype=np.int32)

    def _worth(self, row: Row, strengths: Ints) -> Floats:
        """What rows win by themselves, with what they are paid."""
        distinct, place = np.unique(strengths, return_inverse=True)
        rivals = self._sorted[:, row.place]
        below = np.searchsorted(rivals, distinct, side="left")
        upto = np.searchsorted(rivals, distinct, side="right")
        game = self._variant
        won, lost = below / len(rivals), 1 - upto / len(rivals)
        values = np.array([game.row_value(row, Category(s >> 20)) for s in distinct])
        paid = np.array([game.royalties.of(row, Strength(int(s))) for s in distinct])
        # A row is worth more than itself where rows won together pay.
        together = (game.scoop_bonus + game.majority_bonus + game.two_rows_bonus) / 4
        found: Floats = (paid + won * (values + together) - lost * (self._loses(row) + together)).astype(np.float32)
        return found[place]

    def _loses(self, row: Row) -> float:
        """What a row costs that is lost, on average."""
        values = [self._variant.row_value(row, Category(s >> 20)) for s in self._rivals[:, row.place]]
        return float(np.mean(values))

    def _against_boards(self, boards: Ints) -> Floats:
        """What each board wins from each opponent: (boards, opponents)."""
        game = self._variant
        signs = np.sign(boards[:, None, :] - self._rivals[None]).astype(np.int8)
        points = np.zeros(signs.shape[:2], dtype=np.float32)
        for row in ROWS:
            mine = np.array([game.row_value(row, Category(s >> 20)) for s in boards[:, row.place]])
            theirs = np.array([game.row_value(row, Category(s >> 20)) for s in self._rivals[:, row.place]])
            sign = signs[:, :, row.place]
            points += np.where(sign > 0, mine[:, None], np.where(sign < 0, -theirs, 0))
        total = signs.sum(axis=2)
        won, lost = (signs > 0).sum(axis=2), (signs < 0).sum(axis=2)
        points += game.scoop_bonus * ((total == 3).astype(np.int8) - (total == -3))
        points += game.majority_bonus * np.sign(total)
        points += game.two_rows_bonus * ((won >= 2).astype(np.int8) - (lost >= 2))
        points += self._paid(boards)[:, None] - self._paid(self._rivals)
        if game.total_bonus:
            points += game.total_bonus * np.sign(points)
        return points

    def _paid(self, boards: Ints) -> Floats:
        """The royalties of each board."""
        paid = np.zeros(len(boards), dtype=np.float32)
        for row in ROWS:
            paid += [self._variant.royalties.of(row, Strength(int(s))) for s in boards[:, row.place]]
        return paid

    @staticmethod
    def _letters(board: int) -> str:
        shapes = _shapes()
        letters = [DISCARD] * BOARD_CARDS
        front, middle, back = shapes.front[board], shapes.middle[board], shapes.back[board]
        parts = (shapes.threes[front], shapes.fives[middle], shapes.fives[back])
        for row, places in zip(ROWS, parts, strict=True):
            for place in places:
                letters[place] = row.value
        return "".join(letters)
