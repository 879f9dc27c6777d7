"""Renamings of the suits. They change the names of cards, but nothing about a position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from bot.pure.ofc.cards import JOKERS, Card, RowCards, suit_of
from bot.pure.trainer.position import Position

RENAMINGS = tuple(permutations(range(4)))
"""The new suit of each suit, in every way. The first one changes nothing."""


def renamed_cards(cards: Sequence[Card], suits: Sequence[int]) -> tuple[Card, ...]:
    """Return the cards with their suits renamed. Jokers have none."""
    return tuple(card if card in JOKERS else Card(card - suit_of(card) + suits[suit_of(card)]) for card in cards)


def renamed_rows(rows: RowCards, suits: Sequence[int]) -> RowCards:
    """Return a board with its suits renamed."""
    front, middle, back = (renamed_cards(row, suits) for row in rows)
    return front, middle, back


def renamed_position(position: Position, suits: Sequence[int]) -> Position:
    """Return a position with its suits renamed."""
    return replace(
        position,
        rows=renamed_rows(position.rows, suits),
        held=renamed_cards(position.held, suits),
        discards=renamed_cards(position.discards, suits),
        opponents=tuple(
            replace(one, rows=renamed_rows(one.rows, suits), discards=renamed_cards(one.discards, suits))
            for one in position.opponents
        ),
    )
