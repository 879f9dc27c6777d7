"""The best of what a street can bring: expected outcomes of boards, one street ahead.

After the last street but one the answer is exact where so few cards are to come that every deal can be looked at;
before it, deals are drawn and the boards that they lead to are judged by a network.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bot.solver.boards import Boards, Children, children
from bot.solver.features import Deals
from bot.solver.rowtables import Floats, Ints

Judge = Callable[[Boards, Deals, NDArray[np.intp]], Floats]
"""Boards after a street, the deals that they stand in, and which one each: to outcomes."""
_ROWS = 512


def best_ways(found: Children, values: Floats, *, deals: int) -> NDArray[np.intp]:
    """For each board and each deal, the child that is worth most: (boards, deals)."""
    starts = np.flatnonzero(np.diff(found.parent, prepend=-1))
    ends = np.append(starts[1:], len(values))
    best = np.empty((len(starts), deals), dtype=np.intp)
    for place, (start, end) in enumerate(zip(starts, ends, strict=True)):
        best[place] = start + np.arange(deals) + deals * values[start:end].reshape(-1, deals).argmax(axis=0)
    return best


def likely_ways(found: Children, values: Floats, *, deals: int, keep: int) -> NDArray[np.intp]:
    """For each board and each deal, the children that are worth most, the best first: (boards, deals, ``keep``).

    Where there are fewer children, the last stands for those that are not there.
    """
    key = found.parent * deals + found.deal
    order = np.lexsort((-values, key))
    counts = np.bincount(key)
    starts = np.cumsum(counts) - counts
    ways: NDArray[np.intp] = order[starts[:, None] + np.minimum(np.arange(keep), counts[:, None] - 1)]
    return ways.reshape(-1, deals, keep)


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


def ahead(boards: Boards, deals: Deals, cards: Ints, judge: Judge, weights: Floats, *, to_place: int) -> Floats:
    """The outcomes of each board with each of its own deals, placed best: (boards, deals, PARTS).

    ``cards`` has the shape (boards, deals, cards).
    """
    found = children(boards, cards, to_place=to_place)
    count = cards.shape[1]
    after = without(deals.unseen, cards)
    number = np.repeat(np.arange(len(boards)), count)
    parts = judge(found.boards, Deals(after, deals.rivals.at(number)), found.parent * count + found.deal)
    return parts[best_ways(found, parts @ weights, deals=count)]
