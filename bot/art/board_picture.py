"""The picture of one board, as the rules show it: large cards, and beside each row its name and its hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image

from bot.art.felt import GOLD, IVORY, NIGHT, card_face, flat_png, write

WIDTH: Final = 1000
MARGIN: Final = 30
CARD: Final = 112
STEP: Final = CARD + 6
ROW: Final = CARD + 20
MOST_CARDS: Final = 5
TEXT_LEFT: Final = MARGIN + MOST_CARDS * STEP + 24


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRow:
    """A row: card names such as ``As``, what the row is called, and what its cards are."""

    name: str
    cards: tuple[str, ...]
    hand: str


def draw_board(rows: Sequence[NamedRow]) -> bytes:
    """The rows from the top down, as a PNG of 1000 pixels in width."""
    canvas = Image.new("RGB", (WIDTH, 2 * MARGIN + len(rows) * ROW - (ROW - CARD)), NIGHT)
    for number, row in enumerate(rows):
        _row(canvas, row, top=MARGIN + number * ROW)
    return flat_png(canvas)


def _row(canvas: Image.Image, row: NamedRow, *, top: int) -> None:
    indent = (MOST_CARDS - len(row.cards)) * STEP // 2
    for number, name in enumerate(row.cards):
        face = card_face(name, CARD)
        canvas.paste(face, (MARGIN + indent + number * STEP, top), face)
    room = WIDTH - TEXT_LEFT - MARGIN
    write(canvas, row.name, (TEXT_LEFT, top + CARD // 4 + 4), size=44, room=room, colour=GOLD)
    write(canvas, row.hand, (TEXT_LEFT, top + CARD * 3 // 4), size=40, room=room, colour=IVORY)
