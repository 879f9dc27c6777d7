"""Positions in a form that doesn't show where they come from: the order of cards and the names of suits are lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.pure.ofc.cards import Card, RowCards
from bot.pure.trainer.position import Position
from bot.pure.trainer.suits import RENAMINGS, renamed_position


def anonymous(position: Position) -> Position:
    """Return the same position with its suits renamed and each group of cards sorted, high cards first.

    All renamings of a position, in any order of its cards, have the same form.
    """
    return min((_sorted(renamed_position(position, suits)) for suits in RENAMINGS), key=str)


def _sorted(position: Position) -> Position:
    return replace(
        position,
        rows=_rows(position.rows),
        held=_cards(position.held),
        discards=_cards(position.discards),
        opponents=tuple(
            replace(one, rows=_rows(one.rows), discards=_cards(one.discards)) for one in position.opponents
        ),
    )


def _rows(rows: RowCards) -> RowCards:
    front, middle, back = rows
    return _cards(front), _cards(middle), _cards(back)


def _cards(cards: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, reverse=True))
