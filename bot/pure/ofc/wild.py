"""Jokers: the strengths of rows with jokers, and the best choice of cards for the jokers.

A joker has no identity until the board is complete. Then the jokers become the cards that make the strongest board
without a foul, row by row. The back becomes as strong as possible, then the middle without overtaking the back, then
the front likewise. A stronger row never has a lower royalty (tables for joker games must be monotone) and never does
worse in a comparison, so no other choice is better. The cards of a row are distinct, so a joker copies a card only for
five of a kind, and in a flush it's the highest rank that the row lacks.

Source: docs/rules.md, "Jokers".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product

from bot.pure.ofc.cards import ACE, JOKERS, Card, rank_of, suit_of
from bot.pure.ofc.ranks import Category, Strength, category_of, rank_strength, row_strength, suited_strength

_RANKS = range(2, ACE + 1)
_DECK = tuple(Card(number) for number in range(52))


def has_joker(cards: Sequence[Card]) -> bool:
    """True if there's a joker among the cards."""
    return max(cards, default=0) >= JOKERS[0]


def row_strengths(cards: Sequence[Card], *, may_copy: bool, double_ace: bool) -> tuple[Strength, ...]:
    """Return all strengths that a full row of three or five cards can have, strongest first; just one without a joker.

    Source: docs/rules.md, "Jokers".
    """
    naturals = [card for card in cards if card < JOKERS[0]]
    jokers = len(cards) - len(naturals)
    if not jokers:
        return (row_strength(cards),)
    suited = len(cards) == 5 and len({suit_of(card) for card in naturals}) == 1
    return _with_jokers(tuple(sorted(map(rank_of, naturals))), jokers, suited, may_copy, double_ace)


@lru_cache(maxsize=8192)
def _with_jokers(
    ranks: tuple[int, ...], jokers: int, suited: bool, may_copy: bool, double_ace: bool
) -> tuple[Strength, ...]:
    """Return all strengths that ``ranks`` (ascending) can have with jokers, strongest first."""
    found = {rank_strength([*ranks, *added]) for added in combinations_with_replacement(_RANKS, jokers)}
    if not may_copy:
        found = {strength for strength in found if category_of(strength) is not Category.FIVE_OF_A_KIND}
    if suited:
        found |= _flushes(ranks, jokers, double_ace=double_ace)
    return tuple(sorted(found, reverse=True))


def _flushes(ranks: Sequence[int], jokers: int, *, double_ace: bool) -> set[Strength]:
    """Return the flushes of suited natural cards with jokers. No rank repeats except the ace, if ``double_ace``."""

    def free(rank: int) -> bool:
        return double_ace and rank == ACE

    usable = [rank for rank in _RANKS if free(rank) or rank not in ranks]
    choices = combinations_with_replacement(usable, jokers)
    return {
        suited_strength([*ranks, *added])
        for added in choices
        if all(free(rank) or added.count(rank) == 1 for rank in added)
    }


def strongest(values: Sequence[Strength], limit: Strength | None, *, strict: bool) -> Strength | None:
    """Return the first of ``values`` (strongest first) up to ``limit`` (below it if ``strict``), or None."""
    for value in values:
        if limit is None or value < limit or (value == limit and not strict):
            return value
    return None


def became(cards: tuple[Card, ...], strength: Strength) -> tuple[Card, ...]:
    """Return the row with its jokers replaced by cards that give it ``strength``, distinct cards if possible.

    >>> from bot.pure.ofc.cards import cards_text, parse_cards
    >>> from bot.pure.ofc.ranks import row_strength
    >>> cards_text(became(parse_cards("QsX12c"), row_strength(parse_cards("QsQh2c"))))
    'QsQc2c'
    """
    places = [place for place, card in enumerate(cards) if card in JOKERS]

    def row_of(chosen: Sequence[Card]) -> tuple[Card, ...]:
        row = list(cards)
        for place, card in zip(places, chosen, strict=True):
            row[place] = card
        return tuple(row)

    rows = map(row_of, product(_DECK, repeat=len(places)))
    return max((row for row in rows if row_strength(row) == strength), key=lambda row: len(set(row)), default=cards)
