"""Numeric encoding of rows of up to five cards, with lookup tables for their strengths.

A row's *kind* is the multiset of its ranks, with the joker as a fourteenth rank. Kinds are numbered from the empty row
up, and ``add[kind, rank]`` is the kind after one more card. A row's *code*, ``2 * kind + suited``, also says whether
its cards are suited. Everything else about rows is then a table lookup by kind or code, for thousands of rows in one
step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.pure.ofc.cards import JOKERS, Card, Row
from bot.pure.ofc.ranks import Strength, partial_strength, row_strength
from bot.pure.ofc.scoring import possible_strengths
from bot.pure.ofc.variants import MiddleRank, Variant

Ints = NDArray[np.signedinteger[Any]]
Floats = NDArray[np.floating[Any]]
JOKER_RANK = 13
"""Index of the joker, after the ranks 0 (two) to 12 (ace)."""
RANKS = 14
MAX_CARDS = 5
_SUITED = np.array([mask in (1, 2, 4, 8) for mask in range(16)])
"""True if a row's natural cards are suited, by its suit mask."""


def rank_place(card: int) -> int:
    """Return a card's rank index: 0 (two) to 12 (ace), or 13 for a joker."""
    return JOKER_RANK if card >= JOKERS[0] else card // 4


def suit_bit(card: int) -> int:
    """Return a card's suit bit: 1, 2, 4 or 8, or 0 for a joker."""
    return 0 if card >= JOKERS[0] else 1 << card % 4


RANK_OF = np.array([rank_place(card) for card in range(54)], dtype=np.int32)
SUIT_OF = np.array([suit_bit(card) for card in range(54)], dtype=np.int32)


def _multisets() -> list[tuple[int, ...]]:
    return [ranks for size in range(MAX_CARDS + 1) for ranks in combinations_with_replacement(range(RANKS), size)]


@dataclass(frozen=True, slots=True, kw_only=True)
class KindNumbering:
    """The numbering of kinds. The last number means a row with too many cards."""

    ranks: list[tuple[int, ...]]
    add: Ints
    size: Ints

    @property
    def over(self) -> int:
        """The kind that means too many cards."""
        return len(self.ranks)


@lru_cache(maxsize=1)
def kinds() -> KindNumbering:
    """Return the numbering of kinds, cached."""
    ranks = _multisets()
    number = {multiset: place for place, multiset in enumerate(ranks)}
    add = np.full((len(ranks) + 1, RANKS), len(ranks), dtype=np.int32)
    for place, multiset in enumerate(ranks):
        if len(multiset) < MAX_CARDS:
            add[place] = [number[tuple(sorted((*multiset, rank)))] for rank in range(RANKS)]
    size = np.array([*map(len, ranks), MAX_CARDS + 1], dtype=np.int32)
    return KindNumbering(ranks=ranks, add=add, size=size)


def codes_of(kind: Ints, suits: Ints) -> Ints:
    """Return the codes of rows with the given kinds and suit masks."""
    codes: Ints = 2 * kind + _SUITED[suits]
    return codes


@dataclass(frozen=True, slots=True, kw_only=True)
class RowStrengths:
    """Possible strengths of a full row by code.

    A row without jokers has exactly one. ``keys`` holds ``code << 24 | strength`` in ascending order, so that bisection
    finds the highest strength under a limit.
    """

    strongest: Ints
    """Highest strength by code; -1 if the row isn't full."""
    keys: NDArray[np.int64]
    jokers: NDArray[np.bool_]
    """True if the row has a joker, by code."""

    def at_most(self, codes: Ints, limit: Ints) -> Ints:
        """Return each row's highest strength up to its limit; -1 if it has none."""
        best = self.strongest[codes]
        found = np.where(best <= limit, best, -1)
        ask = np.flatnonzero((best > limit) & self.jokers[codes])
        if len(ask):
            keys = codes[ask].astype(np.int64) << 24
            place = np.searchsorted(self.keys, keys | np.maximum(limit[ask], 0), side="right") - 1
            fits = (place >= 0) & (self.keys[place] >= keys) & (limit[ask] >= 0)
            found[ask] = np.where(fits, self.keys[place] & 0xFFFFFF, -1)
        return found


def _sample(ranks: tuple[int, ...], *, suited: bool) -> tuple[Card, ...]:
    """Return sample cards with the given ranks, suited or not."""
    suits = [0] * len(ranks) if suited else [place % 4 for place in range(len(ranks))]
    naturals = [Card(4 * rank + suit) for rank, suit in zip(ranks, suits, strict=True) if rank < JOKER_RANK]
    return (*naturals, *JOKERS[: ranks.count(JOKER_RANK)])


_VALUES: dict[tuple[object, ...], RowStrengths] = {}
"""Cache of values, keyed by the rules that they depend on. Most games share them."""


def row_values(variant: Variant, row: Row) -> RowStrengths:
    """Return the possible strengths of a game's full rows. The cache is shared by games that rate them alike."""
    middle = variant.middle if row is Row.MIDDLE else None
    jokers = variant.joker_may_copy or variant.decks > 1, variant.double_ace_flush
    alike = row.size, middle is MiddleRank.DEUCE_TO_SEVEN, variant.jokers, variant.jokers > 0 and jokers
    if alike not in _VALUES:
        _VALUES[alike] = _row_values(variant, row)
    return _VALUES[alike]


def _row_values(variant: Variant, row: Row) -> RowStrengths:
    table = kinds()
    codes = 2 * len(table.ranks) + 2
    strongest = np.full(codes, -1, dtype=np.int32)
    jokers = np.zeros(codes, dtype=np.bool_)
    keys: list[int] = []
    for kind, ranks in enumerate(table.ranks):
        held = ranks.count(JOKER_RANK)
        if len(ranks) != row.size or held > variant.jokers:
            continue
        for suited in (False, True):
            code = 2 * kind + suited
            values = possible_strengths(variant, row, _sample(ranks, suited=suited))
            strongest[code] = values[0]
            jokers[code] = held > 0
            keys.extend(code << 24 | value for value in values)
    return RowStrengths(strongest=strongest, keys=np.sort(np.array(keys, dtype=np.int64)), jokers=jokers)


@lru_cache(maxsize=2)
def part_strengths(size: int) -> Ints:
    """Return the strength of open rows by kind, for a row of ``size`` cards; 0 for full rows."""
    table = kinds()
    parts = np.zeros(len(table.ranks) + 1, dtype=np.int32)
    for kind, ranks in enumerate(table.ranks):
        if len(ranks) < size and ranks.count(JOKER_RANK) <= 2:
            held = ranks.count(JOKER_RANK)
            parts[kind] = partial_strength(_sample(ranks[: len(ranks) - held], suited=False), jokers=held)
    return parts


@lru_cache(maxsize=2)
def natural_strengths(size: int) -> Ints:
    """Return the strength of full rows of ``size`` natural cards by code; -1 for any other row."""
    table = kinds()
    found = np.full(2 * len(table.ranks) + 2, -1, dtype=np.int64)
    for kind, ranks in enumerate(table.ranks):
        if len(ranks) == size and JOKER_RANK not in ranks:
            found[2 * kind] = row_strength(_sample(ranks, suited=False))
            found[2 * kind + 1] = row_strength(_sample(ranks, suited=True))
    return found


@lru_cache(maxsize=32)
def _choices(count: int, size: int) -> NDArray[np.intp]:
    """Return the combinations of ``size`` out of ``count`` indices, of shape (size, combinations)."""
    return np.array(list(combinations(range(count), size)), dtype=np.intp).T


def coded_sets(cards: Sequence[Card], places: Sequence[int], *, size: int, jokers: int = 0) -> tuple[Ints, Ints]:
    """Return the codes and bit masks of all sets of ``size`` cards at ``places``, with ``jokers`` jokers added."""
    held = np.array(cards)[list(places)]
    ranks, bits, add = RANK_OF[held], SUIT_OF[held], kinds().add
    choices = _choices(len(places), size)
    kind, suits = np.zeros(choices.shape[1], dtype=np.int32), np.zeros(choices.shape[1], dtype=np.int32)
    for line in choices:
        kind = add[kind, ranks[line]]
        suits |= bits[line]
    for _ in range(jokers):
        kind = add[kind, JOKER_RANK]
    return codes_of(kind, suits), (1 << np.array(places))[choices].sum(axis=0)


def rated_sets(cards: Sequence[Card], size: int) -> tuple[Ints, Ints]:
    """Return the strengths and bit masks of all sets of ``size`` natural cards (three or five), strongest first."""
    codes, masks = coded_sets(cards, range(len(cards)), size=size)
    keys = np.sort(natural_strengths(size)[codes] << len(cards) | masks)[::-1]
    return keys >> len(cards), keys & ((1 << len(cards)) - 1)


class StrengthsByCode(dict[int, tuple[Strength, ...]]):
    """Cache of a full row's possible strengths by code, strongest first."""

    def __init__(self, variant: Variant, row: Row) -> None:
        super().__init__()
        self._variant = variant
        self._row = row

    def __missing__(self, code: int) -> tuple[Strength, ...]:
        cards = _sample(kinds().ranks[code // 2], suited=bool(code % 2))
        self[code] = found = possible_strengths(self._variant, self._row, cards)
        return found
