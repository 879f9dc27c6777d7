"""What a network is told of an unfinished board.

Of each row by itself, from tables: ranks, size, whether it is of one suit, what it is worth so far, straights that it
can still be. Of each row in its deal (``around``): how many of the cards that would help are still unseen. Of the deal
(``deals``): the unseen ranks, and how strong the rivals' rows are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.ofc.ranks import Category, Strength
from bot.ofc.rows import ROWS, Row
from bot.solver.boards import Boards
from bot.solver.outcomes import STEPS, Rivals, Scorer
from bot.solver.rowtables import JOKER_RANK, Floats, Ints, codes_of, kinds, part_strengths

_RANKS = 13
_WINDOWS = [(12, 0, 1, 2, 3), *(tuple(range(low, low + 5)) for low in range(9))]
"""Straights by the places of their ranks."""
_TOLD = np.linspace(1, len(STEPS) - 1, 16).astype(np.intp)
"""The steps of strength at which a network is told how often a rival's row is beaten."""
_BIT_PLACE = np.array([0, 0, 1, 0, 2, 0, 0, 0, 3, *[0] * 7], dtype=np.intp)
"""By a mask of one suit, the suit's number."""


@dataclass(frozen=True, slots=True)
class Deals:
    """What is known beside a board, one each: unseen cards by number (n, 54), and rivals."""

    unseen: Ints
    rivals: Rivals


@dataclass(frozen=True, slots=True)
class Left:
    """Shares of each rank (n, 13) and of each suit (n, 4) that are unseen."""

    ranks: Floats
    suits: Floats


class Features:
    """The tables of one game."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self._decks = scorer.variant.decks
        self.tables = tuple(self._row_table(row) for row in ROWS)
        """For each row, by code: what it is by itself."""
        self._present = self._present_table()
        self._straights = self._straight_table()
        self._open = np.stack([self._open_sizes(row) for row in ROWS], axis=1)

    @staticmethod
    def _open_sizes(row: Row) -> Ints:
        sizes = kinds().size
        return np.where(sizes < row.size, sizes, -1)

    def _row_table(self, row: Row) -> Floats:
        table = kinds()
        values = self._scorer.values[row.place].strongest
        parts = part_strengths(row)
        rows: list[Floats] = []
        for kind, ranks in enumerate(table.ranks):
            for suited in (False, True):
                if len(ranks) > row.size:
                    rows.append(np.zeros_like(rows[0]))
                else:
                    full = int(values[2 * kind + suited])
                    rows.append(self._row_facts(row, ranks, suited=suited, strength=max(full, int(parts[kind]))))
        rows.extend([np.zeros_like(rows[0])] * 2)
        return np.stack(rows)

    def _row_facts(self, row: Row, ranks: tuple[int, ...], *, suited: bool, strength: int) -> Floats:
        full = len(ranks) == row.size
        counts = np.bincount([rank for rank in ranks if rank < JOKER_RANK], minlength=_RANKS)
        shown = [(counts >= least) * (not full) for least in (1, 2, 3)]
        jokers = [ranks.count(JOKER_RANK) == held for held in (1, 2)]
        size = np.arange(row.size + 1) == len(ranks)
        category = np.arange(len(Category)) == strength >> 20
        flush = (np.arange(1, 6) == len(ranks)) & (suited and row is not Row.FRONT)
        made = Strength(strength)
        value = (strength >> 20) + (strength >> 16 & 15) / 16 + (strength >> 12 & 15) / 256
        royalty = self._scorer.variant.royalties.of(row, made) / 10 if full else 0
        straights = sum(self._can_be(ranks, window) for window in _WINDOWS) / 10
        # The rank of a full front says whether and how it enters Fantasyland.
        paired = (np.arange(_RANKS) == (strength >> 16 & 15) - 2) & full & (strength >> 20 > 0)
        last = paired if row is Row.FRONT else straights
        facts = [*shown, jokers, size, category, flush, value / 4, royalty, last]
        return np.hstack(facts).astype(np.float32)

    @staticmethod
    def _can_be(ranks: tuple[int, ...], window: tuple[int, ...]) -> bool:
        naturals = [rank for rank in ranks if rank < JOKER_RANK]
        return 0 < len(ranks) < 5 and len(set(naturals)) == len(naturals) and set(naturals) <= set(window)

    @staticmethod
    def _present_table() -> Floats:
        """By kind, the ranks that it holds."""
        table = kinds()
        found = np.zeros((len(table.ranks) + 1, _RANKS), dtype=np.float32)
        for kind, ranks in enumerate(table.ranks):
            found[kind, [rank for rank in ranks if rank < JOKER_RANK]] = 1
        return found

    def _straight_table(self) -> Floats:
        """By kind and rank, how many straights that the row can still be lack the rank."""
        table = kinds()
        found = np.zeros((len(table.ranks) + 1, _RANKS), dtype=np.float32)
        for kind, ranks in enumerate(table.ranks):
            for window in _WINDOWS:
                if self._can_be(ranks, window):
                    found[kind, [rank for rank in window if rank not in ranks]] += 1
        return found

    def codes(self, boards: Boards) -> Ints:
        """The code of each row: (boards, 3)."""
        return codes_of(boards.kinds, boards.suits)

    def around(self, boards: Boards, left: Left, deal: NDArray[np.intp]) -> Floats:
        """What is left for each board's rows: (boards, facts)."""
        ranks, suits = left.ranks[deal], left.suits[deal]
        facts = []
        for place in range(3):
            kind = boards.kinds[:, place]
            size = self._open[kind, place]
            there = (size >= 0)[:, None]
            facts.append(self._present[kind] * ranks * there)
            if place:
                mask = boards.suits[:, place]
                one_suit = (mask & (mask - 1) == 0) & (mask > 0)
                live = suits[np.arange(len(mask)), _BIT_PLACE[mask]] * one_suit
                outs = np.einsum("ij,ij->i", self._straights[kind], ranks)
                sizes = size[:, None] == np.arange(1, 5)
                facts.extend((sizes * live[:, None], sizes * outs[:, None] / 4))
        return np.hstack(facts).astype(np.float32, copy=False)

    def left(self, deals: Deals) -> Left:
        """What is unseen of each rank and suit."""
        naturals = deals.unseen[:, :52].reshape(-1, _RANKS, 4)
        ranks = naturals.sum(axis=2) / (4 * self._decks)
        suits = naturals.sum(axis=1) / (13 * self._decks)
        return Left(ranks.astype(np.float32), suits.astype(np.float32))

    def deals(self, deals: Deals) -> Floats:
        """What is known beside the board: (deals, facts)."""
        ranks = self.left(deals).ranks
        count = deals.unseen.sum(axis=1, keepdims=True) / (52 * self._decks)
        jokers = deals.unseen[:, 52:].sum(axis=1, keepdims=True)
        wins = deals.rivals.wins[:, :, _TOLD].reshape(len(ranks), -1)
        return np.hstack([ranks, count, jokers, wins, deals.rivals.fouls[:, None]]).astype(np.float32)
