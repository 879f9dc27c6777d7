"""Likeness of positions, regardless of the names of suits.

Both rules serve to refuse help in running hands.

Source: docs/solver.md, "Running hands".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bot.pure.ofc.cards import Card, RowCards
from bot.pure.trainer.position import Position
from bot.pure.trainer.suits import RENAMINGS, renamed_cards, renamed_rows

CARDS_PER_CHANGE = 3
"""Number of a player's cards per card that may be another one without making it another position.

At this number, fewer than 2 in 1,000 positions that have nothing to do with a hand are like one in it.
"""


def is_like(asked: Position, mine: Position) -> bool:
    """True if ``asked`` is nearly ``mine``, from a little before it to the next street.

    The player's own cards count: those on their board and those to place. A third of them may be others. Opponents and
    discards may be anything.
    """
    own = [*_cards(mine.rows), *mine.held]
    placed = [*_cards(asked.rows), *asked.discards]
    if sum(map(len, asked.rows)) > len(own):
        return False
    is_later = sum(map(len, asked.rows)) + len(asked.held) > len(own)
    given = Counter(placed if is_later else [*placed, *asked.held])
    missing = len(own) // CARDS_PER_CHANGE
    return any((Counter(renamed_cards(own, suits)) - given).total() <= missing for suits in RENAMINGS)


def has_board(asked: Position, rows: RowCards) -> bool:
    """True if the player's own board in ``asked`` is this one, apart from the suits' names and the order in a row."""
    board = _sorted(asked.rows)
    return any(board == _sorted(renamed_rows(rows, suits)) for suits in RENAMINGS)


def _cards(rows: RowCards) -> Iterable[Card]:
    return (card for row in rows for card in row)


def _sorted(rows: RowCards) -> list[list[Card]]:
    return [sorted(row) for row in rows]
