"""Setting thirteen cards in one step: the board that earns the most against good opponents.

All 72,072 boards are rated by how often each row wins on its own. The best are then compared with whole boards of good
opponents, including the bonuses for several rows.
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
"""Number of boards that are compared with whole boards of opponents."""


@dataclass(frozen=True, slots=True)
class _Shapes:
    """All boards of thirteen cards, as indices into the sets of five and three cards."""

    fives: Sequence[tuple[int, ...]]
    threes: Sequence[tuple[int, ...]]
    front: NDArray[np.intp]
    middle: NDArray[np.intp]
    back: NDArray[np.intp]


@lru_cache(maxsize=1)
def all_boards() -> _Shapes:
    """Return all boards of thirteen cards, cached."""
    fives = list(combinations(range(BOARD_CARDS), 5))
    threes = list(combinations(range(BOARD_CARDS), 3))
    masks = np.array([sum(1 << place for place in five) for five in fives])
    back, middle = np.nonzero((masks[:, None] & masks) == 0)
    number = np.zeros(1 << BOARD_CARDS, dtype=np.intp)
    number[[sum(1 << place for place in three) for three in threes]] = np.arange(len(threes))
    front = number[(1 << BOARD_CARDS) - 1 ^ masks[back] ^ masks[middle]]
    return _Shapes(fives, threes, front, middle, back)


def _by_category(variant: Variant, row: Row) -> Ints:
    """Return the value of winning with a row, by category."""
    return np.array([variant.row_value(row, category) for category in Category], dtype=np.int32)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetValue:
    """A placement and its expected points per opponent."""

    letters: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponents:
    """Sampled boards of good opponents."""

    strengths: Ints
    """Strengths of front, middle and back, of shape (boards, 3)."""
    cards: NDArray[np.uint64]
    """Each board's cards as a mask from :func:`mask_of`."""


def mask_of(cards: Iterable[Card]) -> int:
    """Return a mask of cards from one deck, one bit per card number."""
    return sum(1 << card for card in cards)


def _with_other_suits(cards: Sequence[Card]) -> NDArray[np.uint64]:
    """Return the masks of the cards under all permutations of the suits."""
    renamed = permutations(range(4))
    return np.array([mask_of(Card(card - card % 4 + to[card % 4]) for card in cards) for to in renamed], np.uint64)


class Setter:
    """Sets boards of one game against good opponents, who are dealt from the other cards."""

    def __init__(self, variant: Variant, opponents: Opponents) -> None:
        self._variant = variant
        self._opponents = opponents
        self._strongest = [row_values(variant, row).strongest for row in ROWS]
        self._values = [_by_category(variant, row) for row in ROWS]
        self._royalties = self._paid(opponents.strengths)

    def best(self, cards: Sequence[Card]) -> SetValue:
        """Return the best board. Raises ValueError if there aren't thirteen cards, or no board is in order."""
        if len(cards) != BOARD_CARDS:
            raise ValueError(f"a board needs exactly {BOARD_CARDS} cards")
        shapes = all_boards()
        front, middle, back = (self._set_strengths(cards, row) for row in ROWS)
        rows = (front[shapes.front], middle[shapes.middle], back[shapes.back])
        legal = self._legal(rows)
        met = self._compatible_opponents(cards)
        worth = sum(self._row_values(row, rows[row.place][legal], met) for row in ROWS)
        # Without bonuses for several rows, a board's value is the sum of its rows, so the first one is the best.
        some = legal[np.argsort(-worth, kind="stable")[: _FINALISTS if self._variant.all_rows_bonus else 1]]
        if not len(some):
            raise ValueError("these cards make no legal board")
        values = self._against_boards(np.stack([strengths[some] for strengths in rows], axis=1), met).mean(axis=1)
        best = int(values.argmax())
        return SetValue(letters=self._letters(int(some[best])), value=float(values[best]))

    def against_each(self, rows: RowCards) -> Floats:
        """Return a full board's points against each opponent. The board may be foul."""
        strengths = resolve(self._variant, rows)
        met = self._compatible_opponents([card for row in rows for card in row])
        if in_order(self._variant, strengths):
            legal: Floats = self._against_boards(np.array([strengths], dtype=np.int32), met)[0]
            return legal
        theirs = sum(self._value(row, self._opponents.strengths[met, row.place]) for row in ROWS)
        return -self._variant.all_rows_bonus - theirs - self._royalties[met]

    def _compatible_opponents(self, cards: Sequence[Card]) -> NDArray[np.intp]:
        """Return the indices of opponents whose boards hold none of these cards.

        Suits are interchangeable, so each opponent's board is included once per permutation of suits that fits.
        """
        boards = self._opponents.cards
        often = ((boards[:, None] & _with_other_suits(cards)) == 0).sum(axis=1)
        some = self._variant.decks == 1 and often.any()
        return np.repeat(np.arange(len(boards)), often if some else 1)

    def _set_strengths(self, cards: Sequence[Card], row: Row) -> Ints:
        """Return the strengths of all sets of cards that fill the row."""
        codes, _ = coded_sets(cards, range(BOARD_CARDS), size=row.size)
        found: Ints = self._strongest[row.place][codes]
        return found

    def _legal(self, rows: Sequence[Ints]) -> NDArray[np.intp]:
        """Return the indices of boards whose rows are in order."""
        front, middle, back = rows
        strict = int(self._variant.strict_rows)
        return np.flatnonzero((front <= middle - strict) & (middle <= back - strict))

    def _row_values(self, row: Row, strengths: Ints, met: NDArray[np.intp]) -> Floats:
        """Return the expected points of rows on their own, including royalties."""
        distinct, place = np.unique(strengths, return_inverse=True)
        rivals = np.sort(self._opponents.strengths[met, row.place])
        below = np.searchsorted(rivals, distinct, side="left")
        upto = np.searchsorted(rivals, distinct, side="right")
        conceded = np.append(self._value(row, rivals)[::-1].cumsum()[::-1], 0)
        paid = np.array([self._variant.royalties.of(row, Strength(int(s))) for s in distinct])
        # A row also contributes to the bonuses for several rows.
        together = (below + upto - len(rivals)) * self._variant.all_rows_bonus / 4
        found: Floats = (paid + (below * self._value(row, distinct) - conceded[upto] + together) / len(rivals))[place]
        return found

    def _value(self, row: Row, strengths: Ints) -> Ints:
        """Return the value of winning with rows of the given strengths."""
        found: Ints = self._values[row.place][strengths >> 20]
        return found

    def _against_boards(self, boards: Ints, met: NDArray[np.intp]) -> Floats:
        """Return each board's points against each opponent, of shape (boards, opponents)."""
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
        """Return the royalties of each board."""
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
