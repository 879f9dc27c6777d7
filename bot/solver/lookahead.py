"""The best of what a street can bring: expected outcomes of boards, one street ahead.

After the last street but one the answer is exact where so few cards are to come that every deal can be looked at;
before it, deals are drawn and the boards that they lead to are judged by a network.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bot.ofc.variants import Street
from bot.solver.boards import Boards, Children, children
from bot.solver.features import Deals
from bot.solver.outcomes import PARTS, Rivals, Scorer
from bot.solver.rowtables import RANK_OF, SUIT_OF, Floats, Ints, kinds

Judge = Callable[[Boards, Deals, NDArray[np.intp]], Floats]
"""Boards after a street, the deals that they stand in, and which one each: to outcomes."""
_ROWS = 512
_ROW_SIZES = np.array([3, 5, 5])


def best_ways(found: Children, values: Floats, *, deals: int) -> NDArray[np.intp]:
    """For each board and each deal, the child that is worth most: (boards, deals)."""
    starts = np.flatnonzero(np.diff(found.parent, prepend=-1))
    ends = np.append(starts[1:], len(values))
    best = np.empty((len(starts), deals), dtype=np.intp)
    for place, (start, end) in enumerate(zip(starts, ends, strict=True)):
        best[place] = start + np.arange(deals) + deals * values[start:end].reshape(-1, deals).argmax(axis=0)
    return best


def drawn(unseen: Ints, count: int, deals: int, chance: np.random.Generator) -> Ints:
    """Deals of ``count`` unseen cards for each row of ``unseen`` (n, 54): (n, deals, count)."""
    copies = int(unseen.max())
    there = np.hstack([unseen > copy for copy in range(copies)])
    found = np.empty((len(unseen), deals, count), dtype=np.int32)
    for low in range(0, len(unseen), _ROWS):
        some = there[low : low + _ROWS]
        keys = chance.random((len(some), deals, some.shape[1]), dtype=np.float32)
        keys += ~some[:, None]
        found[low : low + _ROWS] = keys.argpartition(count - 1, axis=2)[:, :, :count] % unseen.shape[1]
    return found


def without(unseen: Ints, cards: Ints) -> Ints:
    """What is unseen after each deal: (n, 54) and (n, deals, cards) to (n * deals, 54)."""
    left = np.repeat(unseen, cards.shape[1], axis=0)
    flat = cards.reshape(-1, cards.shape[2])
    for column in range(flat.shape[1]):
        left[np.arange(len(left)), flat[:, column]] -= 1
    return left


def ahead(boards: Boards, deals: Deals, cards: Ints, judge: Judge, weights: Floats, *, lay: int) -> Floats:
    """The outcomes of each board with each of its own deals, placed best: (boards, deals, PARTS).

    ``cards`` has the shape (boards, deals, cards).
    """
    found = children(boards, cards, lay=lay)
    count = cards.shape[1]
    after = without(deals.unseen, cards)
    number = np.repeat(np.arange(len(boards)), count)
    parts = judge(found.boards, Deals(after, deals.rivals.at(number)), found.parent * count + found.deal)
    return parts[best_ways(found, parts @ weights, deals=count)]


@lru_cache(maxsize=64)
def _pairs(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All pairs of so many cards, and for all triples the numbers of their three pairs."""
    pairs = np.array(list(combinations(range(count), 2)), dtype=np.intp)
    number = np.zeros((count, count), dtype=np.intp)
    number[pairs[:, 0], pairs[:, 1]] = np.arange(len(pairs))
    a, b, c = np.array(list(combinations(range(count), 3)), dtype=np.intp).T
    return pairs, np.stack([number[a, b], number[a, c], number[b, c]])


class LastStreet:
    """The exact expectation over all deals of the last street."""

    def __init__(self, scorer: Scorer, street: Street, weights: Floats) -> None:
        self._scorer = scorer
        self._street = street
        self._weights = weights

    @property
    def exact(self) -> bool:
        """True for streets whose deals are few enough: one card, or three of which two are laid."""
        return (self._street.deal, self._street.lay) in ((1, 1), (3, 2))

    def outcomes(self, boards: Boards, deals: Deals, deal: NDArray[np.intp]) -> Floats:
        """What each board comes to: (boards, PARTS)."""
        solve = self._one if self._street.deal == 1 else self._two
        found = np.empty((len(boards), PARTS), dtype=np.float32)
        for place in range(len(boards)):
            cards = np.repeat(np.arange(54), deals.unseen[deal[place]])
            found[place] = solve(boards.at(slice(place, place + 1)), cards, deals.rivals, deal[place])
        return found

    def _one(self, board: Boards, cards: NDArray[np.intp], rivals: Rivals, rival: np.intp) -> Floats:
        row = int(np.argmax(_ROW_SIZES - kinds().size[board.kinds[0]]))
        full = _with(board, row, cards)
        mean: Floats = self._scorer.outcomes(full, rivals, np.full(len(full), rival)).mean(axis=0)
        return mean

    def _two(self, board: Boards, cards: NDArray[np.intp], rivals: Rivals, rival: np.intp) -> Floats:
        free = _ROW_SIZES - kinds().size[board.kinds[0]]
        rows = np.repeat(np.arange(3), free)
        pairs, triples = _pairs(len(cards))
        first, second = cards[pairs[:, 0]], cards[pairs[:, 1]]
        if rows[0] == rows[1]:
            parts = self._placed(board, rows, first, second, rivals, rival)
            values = parts @ self._weights
        else:
            both = np.hstack([first, second]), np.hstack([second, first])
            parts = self._placed(board, rows, *both, rivals, rival)
            values = parts @ self._weights
            place = np.arange(len(pairs))
            place += len(pairs) * (values[len(pairs) :] > values[: len(pairs)])
            values, parts = values[place], parts[place]
        a, b, c = values[triples]
        best = np.where(a >= b, np.where(a >= c, triples[0], triples[2]), np.where(b >= c, triples[1], triples[2]))
        share = np.bincount(best, minlength=len(pairs)) / max(len(best), 1)
        expected: Floats = share.astype(np.float32) @ parts
        return expected

    def _placed(self, board: Boards, rows: Ints, first: Ints, second: Ints, rivals: Rivals, rival: np.intp) -> Floats:
        full = _with(_with(board, int(rows[0]), first), int(rows[1]), second)
        return self._scorer.outcomes(full, rivals, np.full(len(full), rival))


def _with(boards: Boards, row: int, cards: Ints) -> Boards:
    """The boards with one more card each in this row."""
    grown, suits = np.empty((len(cards), 3), np.int32), np.empty((len(cards), 3), np.int32)
    grown[:], suits[:] = boards.kinds, boards.suits
    grown[:, row] = kinds().add[grown[:, row], RANK_OF[cards]]
    suits[:, row] |= SUIT_OF[cards]
    return Boards(grown, suits)
