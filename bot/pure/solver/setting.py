"""Thirteen cards set at once: the board that wins most against opponents who set well.

All 72,072 boards of thirteen cards are looked at: first by how often each row wins by itself, then the best of them
against whole boards of such opponents, row by row and with what comes of the rows together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from bot.pure.ofc.cards import BOARD_CARDS, DISCARD, ROWS, Card, Row, RowCards
from bot.pure.ofc.ranks import Category, Strength
from bot.pure.ofc.scoring import in_order, resolve
from bot.pure.ofc.variants import Variant
from bot.pure.solver.row_tables import Floats, Ints, coded_sets, row_values

_FINALISTS = 60
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
def all_boards() -> _Shapes:
    """Every board of thirteen cards, by their places."""
    fives = list(combinations(range(BOARD_CARDS), 5))
    threes = list(combinations(range(BOARD_CARDS), 3))
    masks = np.array([sum(1 << place for place in five) for five in fives])
    back, middle = np.nonzero((masks[:, None] & masks) == 0)
    number = np.zeros(1 << BOARD_CARDS, dtype=np.intp)
    number[[sum(1 << place for place in three) for three in threes]] = np.arange(len(threes))
    front = number[(1 << BOARD_CARDS) - 1 ^ masks[back] ^ masks[middle]]
    return _Shapes(fives, threes, front, middle, back)


def _by_category(variant: Variant, row: Row) -> Ints:
    """What a row is paid that wins, by its category."""
    return np.array([variant.row_value(row, category) for category in Category], dtype=np.int32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Set:
    """A board in letters and what it is expected to win from each opponent."""

    letters: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponents:
    """Boards that opponents had who set well."""

    strengths: Ints
    """Of front, middle and back: (boards, 3)."""
    cards: NDArray[np.uint64]
    """The cards of each board as a mask, as :func:`mask_of` says it."""


def mask_of(cards: Iterable[Card]) -> int:
    """Cards of one deck as a mask, a bit for each by its number."""
    return sum(1 << card for card in cards)


def _with_other_suits(cards: Sequence[Card]) -> NDArray[np.uint64]:
    """The masks of these cards with suits renamed in every way."""
    renamed = permutations(range(4))
    return np.array([mask_of(Card(card - card % 4 + to[card % 4]) for card in cards) for to in renamed], np.uint64)


class Setter:
    """Sets boards of one game against those of opponents who are dealt from the other cards and set well."""

    def __init__(self, variant: Variant, opponents: Opponents) -> None:
        self._variant = variant
        self._opponents = opponents
        self._strongest = [row_values(variant, row).strongest for row in ROWS]
        self._values = [_by_category(variant, row) for row in ROWS]
        self._royalties = self._paid(opponents.strengths)

    def best(self, cards: Sequence[Card]) -> Set:
        """The best board; raises ValueError for other than thirteen cards."""
        if len(cards) != BOARD_CARDS:
            raise ValueError(f"a board is set from {BOARD_CARDS} cards")
        shapes = all_boards()
        front, middle, back = (self._rated(cards, row) for row in ROWS)
        rows = (front[shapes.front], middle[shapes.middle], back[shapes.back])
        legal = self._legal(rows)
        met = self._met(cards)
        worth = sum(self._worth(row, rows[row.place][legal], met) for row in ROWS)
        # Where nothing is paid for rows together, a board is worth its rows: no other can be better than the first.
        some = legal[np.argsort(-worth, kind="stable")[: _FINALISTS if self._variant.all_rows_bonus else 1]]
        if not len(some):
            raise ValueError("these cards make no board in order")
        values = self._against_boards(np.stack([strengths[some] for strengths in rows], axis=1), met).mean(axis=1)
        best = int(values.argmax())
        return Set(letters=self._letters(int(some[best])), value=float(values[best]))

    def against_each(self, rows: RowCards) -> Floats:
        """What a full board wins from each opponent; one that fouls pays for its rows and theirs."""
        strengths = resolve(self._variant, rows)
        met = self._met([card for row in rows for card in row])
        if in_order(self._variant, strengths):
            legal: Floats = self._against_boards(np.array([strengths], dtype=np.int32), met)[0]
            return legal
        theirs = sum(self._value(row, self._opponents.strengths[met, row.place]) for row in ROWS)
        return -self._variant.all_rows_bonus - theirs - self._royalties[met]

    def _met(self, cards: Sequence[Card]) -> NDArray[np.intp]:
        """The opponents whose boards hold none of these cards.

        Suits have no names: a board that others have with other suits may be met as well, and counts for every way.
        """
        boards = self._opponents.cards
        often = ((boards[:, None] & _with_other_suits(cards)) == 0).sum(axis=1)
        some = self._variant.decks == 1 and often.any()
        return np.repeat(np.arange(len(boards)), often if some else 1)

    def _rated(self, cards: Sequence[Card], row: Row) -> Ints:
        """The strength of every set of cards that fills a row."""
        codes, _ = coded_sets(cards, range(BOARD_CARDS), size=row.size)
        found: Ints = self._strongest[row.place][codes]
        return found

    def _legal(self, rows: Sequence[Ints]) -> NDArray[np.intp]:
        """The boards in order."""
        front, middle, back = rows
        strict = int(self._variant.strict_rows)
        return np.flatnonzero((front <= middle - strict) & (middle <= back - strict))

    def _worth(self, row: Row, strengths: Ints, met: NDArray[np.intp]) -> Floats:
        """What rows win by themselves, with what they are paid."""
        distinct, place = np.unique(strengths, return_inverse=True)
        rivals = np.sort(self._opponents.strengths[met, row.place])
        below = np.searchsorted(rivals, distinct, side="left")
        upto = np.searchsorted(rivals, distinct, side="right")
        conceded = np.append(self._value(row, rivals)[::-1].cumsum()[::-1], 0)
        paid = np.array([self._variant.royalties.of(row, Strength(int(s))) for s in distinct])
        # A row is worth more than itself where rows won together pay.
        together = (below + upto - len(rivals)) * self._variant.all_rows_bonus / 4
        found: Floats = (paid + (below * self._value(row, distinct) - conceded[upto] + together) / len(rivals))[place]
        return found

    def _value(self, row: Row, strengths: Ints) -> Ints:
        """What rows are paid that win."""
        found: Ints = self._values[row.place][strengths >> 20]
        return found

    def _against_boards(self, boards: Ints, met: NDArray[np.intp]) -> Floats:
        """What each board wins from each opponent: (boards, opponents)."""
        game, rivals = self._variant, self._opponents.strengths[met]
        signs = np.sign(boards[:, None, :] - rivals[None]).astype(np.int8)
        points = np.zeros(signs.shape[:2], dtype=np.float32)
        for row in ROWS:
            mine, theirs = (self._value(row, some[:, row.place]) for some in (boards, rivals))
            sign = signs[:, :, row.place]
            points += np.where(sign > 0, mine[:, None], np.where(sign < 0, -theirs, 0))
        total = signs.sum(axis=2)
        won, lost = (signs > 0).sum(axis=2), (signs < 0).sum(axis=2)
        points += game.scoop_bonus * ((total == 3).astype(np.int8) - (total == -3))
        points += game.majority_bonus * np.sign(total)
        points += game.two_rows_bonus * ((won >= 2).astype(np.int8) - (lost >= 2))
        points += self._paid(boards)[:, None] - self._royalties[met]
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
        shapes = all_boards()
        letters = [DISCARD] * BOARD_CARDS
        front, middle, back = shapes.front[board], shapes.middle[board], shapes.back[board]
        parts = (shapes.threes[front], shapes.fives[middle], shapes.fives[back])
        for row, places in zip(ROWS, parts, strict=True):
            for place in places:
                letters[place] = row.value
        return "".join(letters)
