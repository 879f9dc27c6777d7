"""A small network that estimates the outcome of an unfinished board: its features and layers.

It's fitted to boards that were played out. The first layer is computed as a sum. Each row's part is looked up by the
row's code, and the deal's part is shared by all its boards. Only the features around the rows need a multiplication for
each board.

The features of a single row come from tables: ranks, size, whether it's suited, its strength so far, and the straights
it can still make. The features around the rows (``around``) are the order of the rows, now and with one more card, and
the share of helpful cards that are unseen. The features of the deal (``deals``) are the unseen ranks and the strength
of the opponents' rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.pure.ofc.cards import ROWS, Row
from bot.pure.ofc.ranks import Category
from bot.pure.solver.boards import Boards
from bot.pure.solver.outcomes import STEPS, OpponentBoards, Scorer
from bot.pure.solver.row_tables import JOKER_RANK, RANKS, Floats, Ints, codes_of, kinds, part_strengths

_RANKS = 13
_WINDOWS = [(12, 0, 1, 2, 3), *(tuple(range(low, low + 5)) for low in range(9))]
"""The straights, by the indices of their ranks."""
_TOLD = np.linspace(1, len(STEPS) - 1, 16).astype(np.intp)
"""The strength steps whose chance to beat an opponent's row is a feature."""
_BIT_PLACE = np.array([0, 0, 1, 0, 2, 0, 0, 0, 3, *[0] * 7], dtype=np.intp)
"""The suit's index, by a mask of one suit."""
_SIZES = np.eye(7, dtype=np.float32)[:, 1:5]
"""One-hot encoding of an open row's size. A full row (-1) is all zeros."""


_CHUNK = 4096
"""Boards per batch, small enough for the processor's cache."""


def _one_hot(numbers: Ints, count: int) -> NDArray[np.bool_]:
    """Return the one-hot encoding of ``numbers``, of shape (numbers, count). Numbers out of range become all zeros."""
    found: NDArray[np.bool_] = numbers[:, None] == np.arange(count)
    return found


@cache
def _counts() -> Ints:
    """Return the number of cards of each rank in each kind, jokers last, of shape (kinds, 14)."""
    table = kinds()
    found = np.zeros((len(table.ranks) + 1, RANKS), dtype=np.int32)
    for kind, ranks in enumerate(table.ranks):
        for rank in ranks:
            found[kind, rank] += 1
    return found


@cache
def _can_be() -> NDArray[np.bool_]:
    """Return which straights an open row of five can still make, of shape (kinds, straights)."""
    counts, sizes = _counts()[:, :_RANKS], kinds().size
    inside = np.stack([_one_hot(np.array(window), _RANKS).any(axis=0) for window in _WINDOWS])
    fits = (counts @ ~inside.T == 0) & (counts.max(axis=1) <= 1)[:, None]
    found: NDArray[np.bool_] = fits & ((sizes > 0) & (sizes < 5))[:, None]
    return found


@dataclass(frozen=True, slots=True)
class Deals:
    """The rest of the situation, one per deal: counts of unseen cards, of shape (n, 54), and rivals."""

    unseen: Ints
    rivals: OpponentBoards


@dataclass(frozen=True, slots=True)
class UnseenShares:
    """Unseen share of each rank, of shape (n, 13), and of each suit, of shape (n, 4)."""

    ranks: Floats
    suits: Floats


class Features:
    """The feature tables of one game."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self._decks = scorer.variant.decks
        self.tables = tuple(self._row_table(row) for row in ROWS)
        """For each row, its own features by code."""
        self._present = self._present_table()
        self._straights = self._straight_table()
        self._made = np.stack([self._made_of(row) for row in ROWS], axis=1)
        self._next = np.stack([self._next_of(self._made[:, place]) for place in range(len(ROWS))], axis=1)
        self._open = np.stack([self._open_sizes(row) for row in ROWS], axis=1)

    def _made_of(self, row: Row) -> Ints:
        """Return the strength of a row by code, also of rows that aren't full."""
        kind = np.repeat(np.arange(len(kinds().ranks) + 1), 2)
        return np.maximum(self._scorer.values[row.place].strongest, part_strengths(row.size)[kind]) >> 12

    @staticmethod
    def _next_of(made: Ints) -> Ints:
        """Return, by code, the best strength after one more card of a rank in the row; full rows keep theirs."""
        add, best = kinds().add, made.copy()
        for rank in range(RANKS):
            grown = 2 * add[np.arange(len(add)), rank]
            held = _counts()[:, rank] > 0
            for suited in (0, 1):
                best[suited::2] = np.maximum(best[suited::2], np.where(held, made[grown], 0))
        return best

    @staticmethod
    def _open_sizes(row: Row) -> Ints:
        sizes = kinds().size
        return np.where(sizes < row.size, sizes, -1)

    def _row_table(self, row: Row) -> Floats:
        """Return a row's own features, of shape (codes, features), for the codes that fit the row."""
        table = kinds()
        kind = np.repeat(np.arange(len(table.ranks) + 1), 2)
        suited = np.tile([False, True], len(table.ranks) + 1)
        size = table.size[kind]
        there, full = size <= row.size, size == row.size
        made = np.maximum(self._scorer.values[row.place].strongest, part_strengths(row.size)[kind])
        category, top, second = made >> 20, made >> 16 & 15, made >> 12 & 15
        counts = _counts()[kind]
        flush = suited & (row is not Row.FRONT)
        # A full front's rank decides whether and how it enters Fantasyland.
        paired = _one_hot(np.where(full & (category > 0), top - 2, -1), _RANKS)
        straights = (_can_be()[kind].sum(axis=1) / 10)[:, None]
        facts = [
            *((counts[:, :_RANKS] >= least) & ~full[:, None] for least in (1, 2, 3)),
            *(counts[:, JOKER_RANK:] == held for held in (1, 2)),
            _one_hot(size, row.size + 1),
            _one_hot(category, len(Category)),
            _one_hot(np.where(flush, size - 1, -1), 5),
            ((category + top / 16 + second / 256) / 4)[:, None],
            (self._scorer.royalties(row, made) * full / 10)[:, None],
            paired if row is Row.FRONT else straights,
        ]
        # Kinds are numbered by size, so those too large for the row are at the end.
        return (np.hstack(facts) * there[:, None])[there].astype(np.float32)

    @staticmethod
    def _present_table() -> Floats:
        """Return which ranks each kind holds, of shape (kinds, 13)."""
        return (_counts()[:, :_RANKS] > 0).astype(np.float32)

    @staticmethod
    def _straight_table() -> Floats:
        """Return how many possible straights of each kind still need each rank, of shape (kinds, 13)."""
        windows = np.stack([_one_hot(np.array(window), _RANKS).any(axis=0) for window in _WINDOWS])
        lacking = _can_be().astype(np.float32) @ windows.astype(np.float32)
        found: Floats = lacking * (_counts()[:, :_RANKS] == 0)
        return found

    def codes(self, boards: Boards) -> Ints:
        """Return the code of each row, of shape (boards, 3)."""
        return codes_of(boards.kinds, boards.suits)

    def around(self, boards: Boards, left: UnseenShares, deal: NDArray[np.intp]) -> Floats:
        """Return the features around the rows, of shape (boards, features)."""
        ranks, suits = left.ranks[deal], left.suits[deal]
        facts = [self._order(boards)]
        for place in range(3):
            kind = boards.kinds[:, place]
            size = self._open[kind, place]
            present = self._present[kind] * ranks
            present *= (size >= 0)[:, None]
            facts.append(present)
            if place:
                mask = boards.suits[:, place]
                one_suit = (mask & (mask - 1) == 0) & (mask > 0)
                live = suits[np.arange(len(mask)), _BIT_PLACE[mask]] * one_suit
                outs = np.einsum("ij,ij->i", self._straights[kind], ranks)
                sizes = _SIZES[size]
                facts.extend((sizes * live[:, None], sizes * (outs / 4)[:, None]))
        return np.hstack(facts)

    def _order(self, boards: Boards) -> Floats:
        """Return whether the rows are in order and by how much, with four features per compared pair of rows."""
        codes = self.codes(boards)
        made, grown = ([table[codes[:, place], place] for place in range(3)] for table in (self._made, self._next))
        pairs = [(0, 1), (1, 2), (0, 2)]
        above, below = zip(
            *((made[a], made[b]) for a, b in pairs),
            *((grown[a], made[b]) for a, b in pairs[:2]),
            *((made[a], grown[b]) for a, b in pairs[:2]),
            *((grown[a], grown[b]) for a, b in pairs[:2]),
            strict=True,
        )
        more = np.stack(below, axis=1) - np.stack(above, axis=1)
        facts = np.empty((len(more), 4 * more.shape[1]), dtype=np.float32)
        facts[:, 0::4] = more > 0
        facts[:, 1::4] = more == 0
        facts[:, 2::4] = (more / 64).clip(-1, 1)
        facts[:, 3::4] = (more / 512).clip(-2, 2)
        return facts

    def left(self, deals: Deals) -> UnseenShares:
        """Return the unseen share of each rank and suit."""
        naturals = deals.unseen[:, :52].reshape(-1, _RANKS, 4)
        ranks = naturals.sum(axis=2) / (4 * self._decks)
        suits = naturals.sum(axis=1) / (13 * self._decks)
        return UnseenShares(ranks.astype(np.float32), suits.astype(np.float32))

    def deals(self, deals: Deals) -> Floats:
        """Return the features of the deals, of shape (deals, features)."""
        ranks = self.left(deals).ranks
        count = deals.unseen.sum(axis=1, keepdims=True) / (52 * self._decks)
        jokers = deals.unseen[:, 52:].sum(axis=1, keepdims=True)
        wins = deals.rivals.wins[:, :, _TOLD].reshape(len(ranks), -1)
        return np.hstack([ranks, count, jokers, wins, deals.rivals.fouls[:, None]]).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Weights:
    """The fitted layers. The rows of ``first`` are in the order front, middle, back, around, deal, bias."""

    first: Floats
    second: Floats
    third: Floats


class Network:
    """Estimates the outcomes of boards after one street, with the columns of :mod:`bot.pure.solver.outcomes`."""

    def __init__(self, features: Features, weights: Weights) -> None:
        self.features = features
        self.weights = weights
        sizes = [table.shape[1] for table in features.tables]
        front, middle, back, rest = np.split(weights.first, np.cumsum(sizes))
        self._rows = [table @ part for table, part in zip(features.tables, (front, middle, back), strict=True)]
        self._rest = rest

    def outcomes(self, boards: Boards, deals: Deals, deal: NDArray[np.intp]) -> Floats:
        """Return each board's expected outcome, of shape (boards, PARTS); ``deal`` holds indices into ``deals``."""
        beside = self.features.deals(deals)
        around = self._rest[: len(self._rest) - beside.shape[1] - 1]
        known = beside @ self._rest[len(around) : -1] + self._rest[-1]
        left = self.features.left(deals)
        found = [
            self._chunk(boards.at(slice(low, low + _CHUNK)), left, deal[low : low + _CHUNK], around, known)
            for low in range(0, len(boards), _CHUNK)
        ]
        return np.concatenate(found) if found else np.zeros((0, self.weights.third.shape[1]), np.float32)

    def _chunk(
        self, boards: Boards, left: UnseenShares, deal: NDArray[np.intp], around: Floats, known: Floats
    ) -> Floats:
        codes = self.features.codes(boards)
        hidden = self.features.around(boards, left, deal) @ around
        hidden += known[deal]
        for place, table in enumerate(self._rows):
            hidden += table[codes[:, place]]
        np.maximum(hidden, 0, out=hidden)
        hidden = hidden @ self.weights.second[:-1] + self.weights.second[-1]
        np.maximum(hidden, 0, out=hidden)
        found: Floats = hidden @ self.weights.third[:-1] + self.weights.third[-1]
        return found


def weights_from(arrays: Mapping[str, NDArray[Any]], name: str) -> Weights:
    """Return the weights stored under ``name``."""
    first, second, third = (arrays[f"{name}.{layer}"].astype(np.float32) for layer in range(3))
    return Weights(first, second, third)
