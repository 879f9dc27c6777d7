"""Naturals: thirteen-card hands that win without being set if they are declared before the showdown.

Source: docs/rules.md, "Naturals".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from enum import IntEnum
from itertools import combinations_with_replacement, product
from typing import assert_never

from bot.pure.ofc.cards import ACE, Card, rank_of, suit_of


class Natural(IntEnum):
    """The naturals of 十三張, weakest first; the value orders them."""

    SIX_PAIRS = 1
    """Six pairs among the thirteen cards. Four of a kind counts as two pairs, three of a kind as one."""
    THREE_STRAIGHTS = 2
    """A head of three cards in sequence, with straights in body and tail."""
    THREE_FLUSHES = 3
    """Head, body and tail, each of a single suit."""
    COMPLETE_STRAIGHT = 4
    """One card of each rank."""

    @property
    def key(self) -> str:
        """The stored name, such as ``six_pairs``."""
        return self.name.lower()


def natural_named(name: str) -> Natural:
    """Return the natural with a name such as ``six_pairs``; raises ValueError if there isn't one."""
    for natural in Natural:
        if natural.key == name:
            return natural
    raise ValueError(f"{name!r} is not a natural")


def natural_of(cards: Sequence[Card], known: Collection[Natural] = tuple(Natural)) -> Natural | None:
    """Return the strongest natural among ``known`` that thirteen cards without jokers make, or None.

    Source: docs/rules.md, "Naturals".

    >>> from bot.pure.ofc.cards import parse_cards
    >>> natural_of(parse_cards('AsAdKsKdQhQcJsJdTsTd9h9c2s')).key
    'six_pairs'
    >>> natural_of(parse_cards('AsAdKsKdQhQcJsJdTsTd9h4c2s')) is None
    True
    """
    return next((natural for natural in sorted(known, reverse=True) if _makes(natural, cards)), None)


def _makes(natural: Natural, cards: Sequence[Card]) -> bool:
    ranks = Counter(rank_of(card) for card in cards)
    match natural:
        case Natural.SIX_PAIRS:
            return sum(count // 2 for count in ranks.values()) == 6
        case Natural.THREE_STRAIGHTS:
            return _three_straights(ranks)
        case Natural.THREE_FLUSHES:
            return _three_flushes(Counter(suit_of(card) for card in cards))
        case Natural.COMPLETE_STRAIGHT:
            return len(ranks) == 13
        case _:  # pragma: no cover
            assert_never(natural)


def _three_flushes(suits: Counter[int]) -> bool:
    """True if rows of 3, 5 and 5 cards can each be filled from one suit."""
    for head, body, tail in product(range(4), repeat=3):
        need = Counter({head: 0})
        for suit, size in ((head, 3), (body, 5), (tail, 5)):
            need[suit] += size
        if all(suits[suit] >= count for suit, count in need.items()):
            return True
    return False


def _runs(size: int) -> Iterator[frozenset[int]]:
    """Yield the ranks of every run of ``size`` cards; the ace is low or high."""
    for low in range(1, ACE + 2 - size):
        yield frozenset(ACE if rank == 1 else rank for rank in range(low, low + size))


def _three_straights(ranks: Counter[int]) -> bool:
    fives = [run for run in _runs(5) if all(ranks[rank] for rank in run)]
    for body, tail in combinations_with_replacement(fives, 2):
        left = ranks - Counter(body)
        if any(left[rank] < 1 for rank in tail):
            continue
        left -= Counter(tail)
        if any(left == Counter(run) for run in _runs(3)):
            return True
    return False
