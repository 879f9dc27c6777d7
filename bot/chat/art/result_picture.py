"""The picture of a hand's result: every board with its hands, player and points, and the payment between each pair.

Phones show it at a third of its width, so the smallest letters are 34 of 1000 pixels. The plain background keeps the
file small. Drawing takes milliseconds, or tens of milliseconds if texts aren't cached, so run it in an executor.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from PIL import Image, ImageDraw

from bot.chat.art.felt import (
    FLAT,
    GOLD,
    IVORY,
    LOST,
    MIN_TEXT_SIZE,
    NIGHT,
    PALE,
    drawable,
    flat_canvas,
    flat_png,
    font_of,
    stamp,
    stamp_card,
)

WIDTH: Final = 1000
MARGIN: Final = 28
GAP: Final = 20
CARD: Final = 74
STEP: Final = CARD + 4
NAME: Final = 64
"""Height of the line with the name and the points."""
ROW: Final = CARD + 50
"""Height of a row of cards with the line below it."""
BOARD: Final = NAME + 3 * ROW + 18
PAIR: Final = 50
"""Height of a pair's line."""
SPACE: Final = 12
ROOM: Final = (WIDTH - 2 * MARGIN - GAP) // 2 - 36
"""Width within a board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnRow:
    """A row: card names such as ``As``, the letter before them, and their hand."""

    letter: str
    cards: tuple[str, ...]
    hand: str
    royalty: str
    """Empty if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnBoard:
    """A player's board."""

    name: str
    note: str
    """A note on the whole board, such as ``foul``; empty for most. Long names are cut off, but notes aren't."""
    points: str
    won: bool
    rows: tuple[DrawnRow, DrawnRow, DrawnRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPair:
    """One player's win against another."""

    winner: str
    between: str
    """The words between the names. Long names are cut off, but words and numbers aren't."""
    loser: str
    end: str = ""
    """The words after the names."""
    points: str
    chips: str
    """Empty if the game wasn't for chips."""


def draw_result(boards: Sequence[DrawnBoard], pairs: Sequence[DrawnPair] = ()) -> bytes:
    """Draw the boards in rows of two and the pairs below them, as a PNG 1000 pixels wide."""
    lines = -(-len(boards) // 2)
    below = 2 * MARGIN + lines * BOARD + (lines - 1) * GAP
    canvas = flat_canvas((WIDTH, below + (len(pairs) * PAIR + GAP + MARGIN - (MARGIN - GAP) if pairs else 0)))
    width = ROOM + 36
    for number, board in enumerate(boards):
        left = MARGIN + (number % 2) * (width + GAP)
        top = MARGIN + (number // 2) * (BOARD + GAP)
        if number == len(boards) - 1 and not number % 2:
            left = (WIDTH - width) // 2
        _board(canvas, board, left=left, top=top, width=width)
    if pairs:
        _pairs(canvas, pairs, top=below - MARGIN + GAP)
    return flat_png(canvas)


def _pairs(canvas: Image.Image, pairs: Sequence[DrawnPair], *, top: int) -> None:
    """Draw a line for each pair on a common background: the names, the points, and the chips."""
    place = (MARGIN, top, WIDTH - MARGIN - 1, top + len(pairs) * PAIR + GAP - 1)
    ImageDraw.Draw(canvas).rounded_rectangle(place, 18, fill=FLAT.index(NIGHT))
    left, right = MARGIN + 18, WIDTH - MARGIN - 18
    chips, points = _widest(pair.chips for pair in pairs), _widest(pair.points for pair in pairs)
    scored = right - chips - 2 * SPACE
    room = scored - points - 18 - left
    for number, pair in enumerate(pairs):
        line = top + GAP // 2 + number * PAIR + PAIR // 2
        sign, end = _widest([pair.between]), _widest([pair.end])
        names = room - sign - end - 3 * SPACE
        first = min(_widest([pair.winner]), max(names // 2, names - _widest([pair.loser])))
        second = left + first + sign + 2 * SPACE
        stamp(canvas, pair.winner, (left, line), size=MIN_TEXT_SIZE, room=first, colour=IVORY)
        stamp(canvas, pair.between, (left + first + SPACE, line), size=MIN_TEXT_SIZE, room=sign, colour=PALE)
        stamp(canvas, pair.loser, (second, line), size=MIN_TEXT_SIZE, room=names - first, colour=IVORY)
        end_at = second + min(_widest([pair.loser]), names - first) + SPACE
        stamp(canvas, pair.end, (end_at, line), size=MIN_TEXT_SIZE, room=end, colour=PALE)
        stamp(canvas, pair.points, (scored, line), size=MIN_TEXT_SIZE, room=points, colour=GOLD, anchor="rm")
        stamp(canvas, pair.chips, (right, line), size=MIN_TEXT_SIZE, room=chips, colour=PALE, anchor="rm")


def _widest(texts: Iterable[str]) -> int:
    return max(ceil(font_of(MIN_TEXT_SIZE).getlength(drawable(text))) + 1 for text in texts)


def _board(canvas: Image.Image, board: DrawnBoard, *, left: int, top: int, width: int) -> None:
    place = (left, top, left + width - 1, top + BOARD - 1)
    ImageDraw.Draw(canvas).rounded_rectangle(place, 18, fill=FLAT.index(NIGHT))
    middle, right = top + NAME // 2, left + width - 18
    colour = GOLD if board.won else LOST
    pointed = min(ceil(font_of(44).getlength(board.points)), 160)
    stamp(canvas, board.points, (right, middle), size=44, room=pointed, colour=colour, anchor="rm")
    room = width - 36 - pointed - 14
    noted = min(ceil(font_of(MIN_TEXT_SIZE).getlength(board.note)), room * 2 // 3)
    stamp(canvas, board.note, (left + 18 + room, middle), size=MIN_TEXT_SIZE, room=noted, colour=PALE, anchor="rm")
    stamp(canvas, board.name, (left + 18, middle), size=38, room=room - noted - 12 * bool(noted), colour=IVORY)
    for number, row in enumerate(board.rows):
        _row(canvas, row, left=left + 18, top=top + NAME + number * ROW, room=width - 36)


def _row(canvas: Image.Image, row: DrawnRow, *, left: int, top: int, room: int) -> None:
    stamp(canvas, row.letter, (left, top + CARD // 2), size=MIN_TEXT_SIZE, room=36, colour=PALE)
    line = top + CARD + 22
    # The line uses the full width, which the longest full house needs.
    paid = royalty_room(row.royalty)
    stamp(canvas, row.hand, (left, line), size=MIN_TEXT_SIZE, room=room - paid, colour=IVORY)
    stamp(canvas, row.royalty, (left + room, line), size=MIN_TEXT_SIZE, room=paid, colour=GOLD, anchor="rm")
    for number, name in enumerate(row.cards):
        stamp_card(canvas, name, (left + 40 + number * STEP, top), side=CARD)


def royalty_room(royalty: str) -> int:
    """Return the width of a royalty on a row's line."""
    return _widest([royalty]) + SPACE // 2 * bool(royalty)
