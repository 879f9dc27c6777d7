"""The three rows of a board, and the letters in which a placement is written.

Source: docs/rules.md, "The board".
"""

from __future__ import annotations

from enum import Enum

from bot.ofc.cards import Card

RowCards = tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]
"""Front (up to 3 cards), middle (5) and back (5)."""


class Row(Enum):
    """A row of the board; the value is its letter in a placement (``F M B``)."""

    FRONT = "F"
    MIDDLE = "M"
    BACK = "B"

    def __init__(self, letter: str) -> None:
        self.place = "FMB".index(letter)
        """0 front, 1 middle, 2 back."""
        self.size = 3 if letter == "F" else 5
        """How many cards fill the row: 3, 5 and 5."""

    @property
    def key(self) -> str:
        """``front``, ``middle`` or ``back``."""
        return self.name.lower()


ROWS = (Row.FRONT, Row.MIDDLE, Row.BACK)
DISCARD = "D"
BOARD_CARDS = 13
EMPTY: RowCards = ((), (), ())
