"""Batches of thousands of boards, and all the ways to place a street's cards on them.

``Boards`` stores a kind and a suit mask per row of each board. Cards are dealt to all boards in one step. A *pattern*
is one way to place them: for each card, the index of its row, or 3 for the discard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bot.pure.ofc.cards import DISCARD, ROWS, Card, RowCards
from bot.pure.solver.row_tables import RANK_OF, SUIT_OF, Ints, kinds

LETTERS = (*(row.value for row in ROWS), DISCARD)
_DISCARD = 3
_SIZES = np.array([row.size for row in ROWS], dtype=np.int32)


@dataclass(frozen=True, slots=True)
class Boards:
    """Kinds and suit masks, both of shape (boards, 3), in the order front, middle, back."""

    kinds: Ints
    suits: Ints

    def __len__(self) -> int:
        return len(self.kinds)

    def at(self, places: NDArray[np.intp] | slice) -> Boards:
        """Return the boards at ``places``, in that order."""
        return Boards(self.kinds[places], self.suits[places])


def mixed(boards: Sequence[Boards]) -> Boards:
    """Concatenate several batches into one."""
    return Boards(np.concatenate([one.kinds for one in boards]), np.concatenate([one.suits for one in boards]))


def single_board(rows: RowCards) -> Boards:
    """Return a batch of one board."""
    add = kinds().add
    kind, suits = [0, 0, 0], [0, 0, 0]
    for place, cards in enumerate(rows):
        for card in cards:
            kind[place] = int(add[kind[place], RANK_OF[card]])
            suits[place] |= int(SUIT_OF[card])
    return Boards(np.array([kind], dtype=np.int32), np.array([suits], dtype=np.int32))


@dataclass(frozen=True, slots=True, kw_only=True)
class Patterns:
    """All ways to place a street's cards. ``masks`` has a bit mask of cards per row, of shape (patterns, 3)."""

    rows: Ints
    masks: Ints
    counts: Ints
    """Number of cards per row, of shape (patterns, 3)."""

    def letters(self, pattern: int) -> str:
        """Return the placement as one letter per card."""
        return "".join(LETTERS[row] for row in self.rows[pattern])


@lru_cache(maxsize=16)
def patterns(deal: int, to_place: int) -> Patterns:
    """Return all ways to place ``to_place`` of ``deal`` cards."""
    places = range(_DISCARD + (to_place < deal))
    choices = [choice for choice in product(places, repeat=deal) if choice.count(_DISCARD) == deal - to_place]
    rows = np.array([choice for choice in choices if _fits(choice)], dtype=np.int32)
    masks = np.stack([((rows == row) << np.arange(deal)).sum(axis=1) for row in range(3)], axis=1).astype(np.int32)
    counts = np.stack([(rows == row).sum(axis=1) for row in range(3)], axis=1).astype(np.int32)
    return Patterns(rows=rows, masks=masks, counts=counts)


def _fits(choice: Sequence[int]) -> bool:
    return all(choice.count(place) <= row.size for place, row in enumerate(ROWS))


def fitting(boards: Boards, ways: Patterns) -> NDArray[np.bool_]:
    """Return which patterns each board has room for, of shape (boards, patterns)."""
    free = _SIZES - kinds().size[boards.kinds]
    fits: NDArray[np.bool_] = np.all(ways.counts[None] <= free[:, None], axis=2)
    return fits


@dataclass(frozen=True, slots=True)
class Children:
    """Boards after a street, each with the indices of its parent board, its deal and its pattern."""

    boards: Boards
    parent: NDArray[np.intp]
    deal: NDArray[np.intp]
    pattern: NDArray[np.intp]


def _subsets(boards: Boards, cards: Ints) -> tuple[Ints, Ints]:
    """Return the kinds and suits of each row with each subset of the cards, of shape (boards, deals, subsets, 3)."""
    add = kinds().add
    count = cards.shape[-1]
    shape = (len(boards), cards.shape[-2], 1 << count, 3)
    grown, suits = np.empty(shape, dtype=np.int32), np.empty(shape, dtype=np.int32)
    grown[:, :, 0] = boards.kinds[:, None]
    suits[:, :, 0] = boards.suits[:, None]
    ranks, bits = RANK_OF[cards], SUIT_OF[cards]
    for card in range(count):
        low, high = 1 << card, 2 << card
        grown[:, :, low:high] = add[grown[:, :, :low], ranks[..., card][..., None, None]]
        suits[:, :, low:high] = suits[:, :, :low] | bits[..., card][..., None, None]
    return grown, suits


def children(boards: Boards, cards: Ints, *, to_place: int) -> Children:
    """Return all boards that result from placing each deal on each board.

    ``cards`` has the shape (deals, cards), or (boards, deals, cards) if each board has its own deals.
    """
    ways = patterns(cards.shape[-1], to_place)
    cards = np.broadcast_to(cards, (len(boards), *cards.shape[-2:]))
    grown, suits = _subsets(boards, cards)
    parent, pattern = np.nonzero(fitting(boards, ways))
    deals = cards.shape[1]
    parent, pattern = np.repeat(parent, deals), np.repeat(pattern, deals)
    deal = np.tile(np.arange(deals), len(parent) // max(deals, 1))
    masks = ways.masks[pattern]
    place = ((parent * deals + deal)[:, None] * grown.shape[2] + masks) * 3 + np.arange(3)
    return Children(Boards(grown.reshape(-1)[place], suits.reshape(-1)[place]), parent, deal, pattern)


def counts_of(cards: Sequence[Card]) -> Ints:
    """Return the number of copies of each of the 54 cards, of shape (54,)."""
    return np.bincount(np.array(cards, dtype=np.int64), minlength=54).astype(np.int32)
