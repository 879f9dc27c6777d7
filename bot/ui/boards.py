"""Boards as people read them: rows with their labels, sorted once they are whole, and what they are and pay."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from bot.ofc.placement import preview
from bot.ofc.rows import BOARD_CARDS, ROWS, Row
from bot.ofc.variants import Variant
from bot.ofc.view import Facing, SeatView
from bot.text.names import capital, row_name
from bot.text.words import Words
from bot.ui.faces import Faces
from bot.ui.fragments import preview_lines, sorted_row

Rows = tuple[Facing, Facing, Facing]


class Size(Enum):
    """How large a board is shown; each step down is shorter."""

    LARGE = "large"
    """A line for each label, and below it the cards in a heading, which enlarges emojis."""
    SMALL = "small"
    """A line for each row: its letter, its cards, its hand."""
    TIGHT = "tight"
    """The same without empty places."""
    BARE = "bare"
    """Nothing but the cards: eight boards of emojis are just short enough."""


def whole(row: Row, cards: Facing) -> bool:
    """True for a row that is full and lies face up."""
    return len(cards) == row.size and None not in cards


def seat_rows(seat: SeatView, variant: Variant) -> Rows:
    """The rows of a seat as they are shown: sorted where they are whole or were set at once, else in the order laid."""
    at_once = bool(seat.fantasyland) or variant.at_once
    front, middle, back = (
        sorted_row([card for card in cards if card is not None])
        if whole(row, cards) or (at_once and None not in cards)
        else cards
        for row, cards in zip(ROWS, seat.rows, strict=True)
    )
    return front, middle, back


def hands_of(rows: Rows, variant: Variant, words: Words) -> list[str]:
    """What each whole row is and pays; empty for one that is unfinished or lies face down."""
    front, middle, back = (
        tuple(card for card in cards if card is not None) if whole(row, cards) else ()
        for row, cards in zip(ROWS, rows, strict=True)
    )
    return preview_lines(preview(variant, (front, middle, back), fantasyland=0), words)


def board_text(rows: Rows, hands: Sequence[str], words: Words, faces: Faces, *, size: Size) -> str:
    """The three rows of a board with ``hands`` beside their labels."""
    texts = [row_text(*each, words, faces, size=size) for each in zip(ROWS, rows, hands, strict=True)]
    return "\n".join(texts)


def row_text(row: Row, cards: Facing, hand: str, words: Words, faces: Faces, *, size: Size) -> str:
    """One row of a board, as large as its reader wants it at most."""
    size = Size.SMALL if size is Size.LARGE and faces.compact else size
    line = faces.row(cards, size=row.size if size in (Size.LARGE, Size.SMALL) else 0) or "·"
    if size is Size.BARE:
        return line
    if size is Size.LARGE:
        label = capital(row_name(row, words))
        return f"-# {label} · {hand}\n{large(line, faces)}" if hand else f"-# {label}\n{large(line, faces)}"
    return " ".join(text for text in (f"`{words(f'board.mark.{row.key}')}`", line, hand) if text)


def large(line: str, faces: Faces) -> str:
    """Cards as large as Discord shows them; cards in text stay as they are."""
    return f"# {line}" if faces.large else line


def shows_cards(seat: SeatView) -> bool:
    """True when a card of the board lies face up."""
    return any(card is not None for row in seat.rows for card in row)


def laid(seat: SeatView) -> bool:
    """True when the whole board lies face up."""
    return sum(card is not None for row in seat.rows for card in row) == BOARD_CARDS
