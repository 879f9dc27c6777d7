"""Outs: cards that would help a board. Those that opponents already have are dead."""

from __future__ import annotations

from collections import Counter

from bot.pure.ofc.cards import JOKERS, ROWS, Card, Row, RowCards, suit_of
from bot.pure.ofc.placement import place
from bot.pure.ofc.ranks import category_of, partial_strength
from bot.pure.ofc.variants import MiddleRank, Variant
from bot.pure.trainer.position import Position

SUITED = 3
"""Minimum number of cards of one suit that count as a draw to a flush."""


def dead_outs(position: Position, variant: Variant, letters: str, *, other: str) -> list[Card]:
    """Return the cards seen at opponents that would help the board after ``letters``, but not that after ``other``.

    Rows that are equal on both boards are ignored, and so are straights.

    >>> from bot.pure.ofc.cards import cards_text
    >>> from bot.pure.ofc.presets import PINEAPPLE
    >>> from bot.pure.trainer.position import parse_position
    >>> asked = parse_position('As4h/Th3s/Js5hJd +Ac2s9d -9c vs QhQs/Td4sAh/6c7c', PINEAPPLE)
    >>> cards_text(dead_outs(asked, PINEAPPLE, 'MDF', other='FMD'))
    'Ah'
    """
    board, _ = place(position.rows, position.held, letters)
    others, _ = place(position.rows, position.held, other)
    apart = [row for row in ROWS if Counter(board[row.place]) != Counter(others[row.place])]
    seen = {card for one in position.opponents for card in (*(card for row in one.rows for card in row), *one.discards)}

    def helped(rows: RowCards) -> set[Card]:
        return {card for card in seen for row in apart if _helps(card, row, rows[row.place], variant)}

    return sorted(helped(board) - helped(others), reverse=True)


def _helps(card: Card, row: Row, cards: tuple[Card, ...], variant: Variant) -> bool:
    """True if a card would make a better group in a row, or keep its draw to a flush."""
    if len(cards) >= row.size or card in JOKERS or any(one in JOKERS for one in cards):
        return False
    if row is Row.MIDDLE and variant.middle is not MiddleRank.HIGH:
        return False
    grouped = category_of(partial_strength((*cards, card))) > category_of(partial_strength(cards))
    suits = {suit_of(one) for one in (*cards, card)}
    return grouped or (row is not Row.FRONT and len(cards) >= SUITED and len(suits) == 1)
