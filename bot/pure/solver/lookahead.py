"""One-street search: expected outcomes of boards if every deal of the next street is placed in the best way.

Before the last street, the search enumerates every deal if there are few enough, so the result is exact. On earlier
streets it samples deals, and a network evaluates the resulting boards.

Enumeration is possible if the last street deals one card, or three of which two are placed. Boards that lack cards in
the same rows are processed together in small batches. For three cards, the pairs are ranked once. A pair is placed for
every third card that doesn't form a better pair, so deals needn't be compared one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bot.pure.ofc.variants import Street
from bot.pure.solver.boards import Boards, Children, children
from bot.pure.solver.field import Field
from bot.pure.solver.network import Deals
from bot.pure.solver.outcomes import PARTS, BoardResults, Codes, Scorer, Won
from bot.pure.solver.row_tables import RANK_OF, SUIT_OF, Floats, Ints, codes_of, kinds

Judge = Callable[[Boards, Deals, NDArray[np.intp]], Floats]
"""Returns the outcomes of boards after a street, given the deals and each board's index into them."""
_ROWS = 512


_CHUNK = 32
"""Boards per batch, small enough for the processor's cache."""
_ROW_SIZES = np.array([3, 5, 5])


def best_ways(found: Children, values: Floats, *, deals: int) -> NDArray[np.intp]:
    """Return the most valuable child of each board and deal, of shape (boards, deals)."""
    starts = np.flatnonzero(np.diff(found.parent, prepend=-1))
    ends = np.append(starts[1:], len(values))
    best = np.empty((len(starts), deals), dtype=np.intp)
    for place, (start, end) in enumerate(zip(starts, ends, strict=True)):
        best[place] = start + np.arange(deals) + deals * values[start:end].reshape(-1, deals).argmax(axis=0)
    return best


def likely_ways(found: Children, values: Floats, *, deals: int, keep: int) -> NDArray[np.intp]:
    """Return the ``keep`` most valuable children of each board and deal, best first, of shape (boards, deals, keep).

    If there are fewer children, the last one is repeated.
    """
    key = found.parent * deals + found.deal
    order = np.lexsort((-values, key))
    counts = np.bincount(key)
    starts = np.cumsum(counts) - counts
    ways: NDArray[np.intp] = order[starts[:, None] + np.minimum(np.arange(keep), counts[:, None] - 1)]
    return ways.reshape(-1, deals, keep)


def drawn(unseen: Ints, count: int, deals: int, chance: np.random.Generator) -> Ints:
    """Sample ``deals`` deals of ``count`` cards from each row of ``unseen`` (n, 54), of shape (n, deals, count)."""
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
    """Remove each deal from the unseen cards: (n, 54) and (n, deals, cards) give (n * deals, 54)."""
    left = np.repeat(unseen, cards.shape[1], axis=0)
    flat = cards.reshape(-1, cards.shape[2])
    for column in range(flat.shape[1]):
        left[np.arange(len(left)), flat[:, column]] -= 1
    return left


def ahead(boards: Boards, deals: Deals, cards: Ints, judge: Judge, weights: Floats, *, to_place: int) -> Floats:
    """Return each board's outcomes after the best placement of each of its own deals, of shape (boards, deals, PARTS).

    ``cards`` has the shape (boards, deals, cards).
    """
    found = children(boards, cards, to_place=to_place)
    count = cards.shape[1]
    after = without(deals.unseen, cards)
    number = np.repeat(np.arange(len(boards)), count)
    parts = judge(found.boards, Deals(after, deals.rivals.at(number)), found.parent * count + found.deal)
    return parts[best_ways(found, parts @ weights, deals=count)]


class LastStreet:
    """The exact expectation over all deals of the last street."""

    def __init__(self, scorer: Scorer, street: Street, weights: Floats) -> None:
        self._scorer = scorer
        self._street = street
        self._weights = weights

    @property
    def exact(self) -> bool:
        """True if the street's deals can be enumerated: one card, or three of which two are placed."""
        return (self._street.deal, self._street.to_place) in ((1, 1), (3, 2))

    def outcomes(self, boards: Boards, deals: Deals, deal: NDArray[np.intp], field: Field | None = None) -> Floats:
        """Return each board's expected outcome, of shape (boards, PARTS). ``field`` replaces the deals' rivals."""
        found = np.empty((len(boards), PARTS), dtype=np.float32)
        for some, rows in _some_alike(boards, deals, deal):
            ends, copies = self._ends(boards.at(some), rows, deals, deal[some], field)
            found[some] = ends.summed(self._shares(ends, copies))
        return found

    def each(self, boards: Boards, deals: Deals, deal: NDArray[np.intp], field: Field) -> Floats:
        """Return the expected outcomes against each sampled board of the opponents, of shape (boards, drawn, PARTS).

        The cards are placed without knowing which sampled board it will be.
        """
        found = []
        for board in range(len(boards)):
            one = np.array([board])
            for _, rows in _some_alike(boards.at(one), deals, deal[one]):
                ends, copies = self._ends(boards.at(one), rows, deals, deal[one], field)
                shares, points = self._shares(ends, copies), field.each(ends.finals)
                found.append([replace(ends, points=drawn).summed(shares)[0] for drawn in np.moveaxis(points, -1, 0)])
        return np.array(found, dtype=np.float32)

    def best(self, boards: Boards, some: NDArray[np.intp], deals: Deals, deal: NDArray[np.intp]) -> Floats:
        """Return the outcome of the best board in each group; the last axis of ``some`` holds a group's indices."""
        chosen = some.reshape(-1)
        found = self.outcomes(boards.at(chosen), deals, deal[chosen]).reshape(-1, some.shape[-1], PARTS)
        best = (found @ self._weights).argmax(axis=1)
        outcomes: Floats = found[np.arange(len(found)), best].reshape(*some.shape[:-1], PARTS)
        return outcomes

    def _ends(
        self, boards: Boards, rows: Sequence[int], deals: Deals, deal: NDArray[np.intp], field: Field | None
    ) -> tuple[BoardResults, Ints]:
        """Return every final board, with one axis per missing card, and the copies of each card on these axes.

        ``rows`` are the rows of the missing cards. The copies have the shape (boards, cards).
        """
        cards, copies = _unseen_kinds(deals.unseen[deal])
        codes = _codes(boards, rows, cards)
        won: Won = self._scorer.against(deals.rivals, deal.reshape(-1, *[1] * (codes[0].ndim - 1)))
        return self._scorer.ends(codes, field.points if field else won), copies

    def _shares(self, ends: BoardResults, copies: Ints) -> Floats:
        """Return the probability of each final board when every deal is placed best."""
        values = ends.values(self._weights)
        if values.ndim == 2:
            weights = copies.astype(values.dtype)
            shares: Floats = weights / weights.sum(axis=1, keepdims=True)
            return shares
        return _pair_probabilities(values, copies)


def _some_alike(
    boards: Boards, deals: Deals, deal: NDArray[np.intp]
) -> Iterator[tuple[NDArray[np.intp], tuple[int, ...]]]:
    """Like :func:`_alike`, in batches that fit the processor's cache."""
    for places, rows in _alike(boards, deals.unseen.sum(axis=1)[deal]):
        for low in range(0, len(places), _CHUNK):
            yield places[low : low + _CHUNK], rows


def _alike(boards: Boards, unseen: Ints) -> Iterator[tuple[NDArray[np.intp], tuple[int, ...]]]:
    """Group boards that lack cards in the same rows and have equally many unseen cards.

    Yield each group's indices and the row of each missing card.
    """
    free = _ROW_SIZES - kinds().size[boards.kinds]
    keys, number = np.unique(np.column_stack([free, unseen]), axis=0, return_inverse=True)
    for place, key in enumerate(keys):
        yield np.flatnonzero(number.reshape(-1) == place), tuple(np.repeat(np.arange(3), key[:3]).tolist())


def _unseen_kinds(unseen: Ints) -> tuple[Ints, Ints]:
    """Return the distinct unseen cards of each deal and the copies of each, both of shape (deals, cards).

    With two decks, a card with both copies unseen occurs once, with 2 copies. Deals with fewer distinct cards are
    padded with cards that have no copies.
    """
    there = unseen > 0
    most = int(there.sum(axis=1).max())
    cards = (~there).argsort(axis=1, kind="stable")[:, :most]
    return cards, np.take_along_axis(unseen, cards, axis=1)


def _codes(boards: Boards, rows: Sequence[int], cards: Ints) -> Codes:
    """Return the codes of the full rows, with one axis per missing card: (boards, cards) or (boards, cards, cards)."""
    axes = [1] * len(rows)
    kind = [boards.kinds[:, row].reshape(-1, *axes) for row in range(3)]
    suits = [boards.suits[:, row].reshape(-1, *axes) for row in range(3)]
    for axis, row in enumerate(rows):
        shape = [len(cards), *axes]
        shape[1 + axis] = cards.shape[1]
        added = cards.reshape(shape)
        kind[row] = kinds().add[kind[row], RANK_OF[added]]
        suits[row] = suits[row] | SUIT_OF[added]
    front, middle, back = (codes_of(*row) for row in zip(kind, suits, strict=True))
    return front, middle, back


@lru_cache(maxsize=64)
def _pairs(count: int, *, twins: bool) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the indices of all pairs of ``count`` cards. ``twins`` adds pairs of a card and its copy."""
    first, second = np.triu_indices(count, 0 if twins else 1)
    return first, second


def _pair_probabilities(values: Floats, copies: Ints) -> Floats:
    """Return the probability that each ordered pair of cards is placed, over all deals of three.

    The result has the shape of ``values``, (boards, cards, cards). ``copies`` has the shape (boards, cards). Equal
    cards are counted by their copies instead of one by one, because the time grows with the cube of the card count.
    """
    count, twins = values.shape[1], bool((copies > 1).any())
    first, second = _pairs(count, twins=twins)
    there, turned = values[:, first, second], values[:, second, first]
    best = np.maximum(there, turned)
    order = (-best).argsort(axis=1)
    rank = np.empty(best.shape, dtype=np.int16)
    np.put_along_axis(rank, order, np.arange(best.shape[1], dtype=np.int16)[None], axis=1)
    # The third card is the first axis, so that one operation per card compares all pairs of all boards.
    ranks = np.full((count, len(values), count), -1, dtype=np.int16)
    ranks[first, :, second] = ranks[second, :, first] = rank.T
    # A pair stays best if it ranks before both pairs that include the third card.
    beside = np.minimum(ranks[:, :, first], ranks[:, :, second])
    if twins:
        times = _times_of_copies(beside >= rank, copies, first, second)
    else:
        times = (beside > rank).sum(axis=0, dtype=np.uint8).astype(np.float32)
    times /= times.sum(axis=1, keepdims=True)
    shares = np.zeros_like(values)
    in_order = there >= turned
    shares[:, first, second] = np.where(in_order, times, 0)
    shares[:, second, first] += np.where(in_order, 0, times)
    return shares


def _times_of_copies(
    stays_best: NDArray[np.bool_], copies: Ints, first: NDArray[np.intp], second: NDArray[np.intp]
) -> Floats:
    """Return the number of deals of three in which each pair is the best, of shape (boards, pairs).

    ``stays_best``, of shape (cards, boards, pairs), says whether a pair beats both pairs that include the third card.
    Deals with equal cards are counted once.
    """
    held = copies.astype(np.float32)
    one, two = held[:, first], held[:, second]
    same = first == second
    thirds: Floats = np.einsum("cbp,bc->bp", stays_best, held, optimize=True)
    boards, pairs = np.arange(len(copies))[:, None], np.arange(len(first))[None]
    with_first = stays_best[first[None], boards, pairs]
    with_second = stays_best[second[None], boards, pairs]
    apart = one * two * (thirds - with_first * (one + 1) / 2 - with_second * (two + 1) / 2)
    twins = one * (one - 1) / 2 * (thirds - one + (one - 2) / 3)
    times: Floats = np.where(same, twins, apart).astype(np.float32)
    return times
