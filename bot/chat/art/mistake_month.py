"""A player's month as a picture: the points lost per decision by street, by theme and by month, as bars.

It's narrow, because phones show it at two fifths of its width: the smallest letters are 34 of 840 pixels. Drawing takes
about 0.1 seconds, so run it in an executor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from bot.chat.art.felt import FELT, GOLD, IVORY, NIGHT, PALE, flat_png, write

WIDTH: Final = 840
MARGIN: Final = 24
HEAD: Final = 136
LINE: Final = 56
HEADING: Final = 78
ROW: Final = 58
BAR: Final = 40
LABEL: Final = 466
"""Width for the labels."""
VALUE: Final = 110
"""Width for the numbers next to the bars."""
MARK: Final = 8
"""Width of the mark for the months before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnBar:
    """A bar. Its length is ``value``, compared with the longest of its section."""

    label: str
    value: float
    shown: str
    """The value as it's written."""
    before: float | None = None
    """The value of the months before, as a mark; None for none."""
    pale: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnBars:
    """A section with its heading."""

    heading: str
    bars: Sequence[DrawnBar]
    key: str = ""
    """Meaning of the marks; empty if there are none."""
    note: str = ""
    """A line below the bars; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnMonth:
    """Content of a month's picture."""

    title: str
    lines: Sequence[str]
    """Lines below the title."""
    sections: Sequence[DrawnBars]


def draw_month(month: DrawnMonth) -> bytes:
    """Draw the picture as a PNG, 840 pixels wide."""
    rows = sum(
        HEADING + (len(section.bars) + bool(section.key) + bool(section.note)) * ROW for section in month.sections
    )
    head = HEAD + len(month.lines) * LINE
    canvas = Image.new("RGB", (WIDTH, head + rows + 32), NIGHT)
    room = WIDTH - 2 * MARGIN
    write(canvas, month.title, (WIDTH // 2, 70), size=60, room=room, colour=GOLD, anchor="mm")
    for number, line in enumerate(month.lines):
        write(canvas, line, (WIDTH // 2, HEAD + number * LINE), size=40, room=room, colour=IVORY, anchor="mm")
    top = head
    for section in month.sections:
        write(canvas, section.heading, (MARGIN, top + 46), size=42, room=room, colour=GOLD)
        top += HEADING
        most = max((max(bar.value, bar.before or 0.0) for bar in section.bars), default=0.0)
        for bar in section.bars:
            _bar(canvas, bar, top=top, most=most)
            top += ROW
        if section.key:
            _mark(canvas, MARGIN, top + (ROW - BAR) // 2)
            write(canvas, section.key, (MARGIN + 28, top + ROW // 2), size=36, room=room - 28, colour=PALE)
            top += ROW
        if section.note:
            write(canvas, section.note, (MARGIN, top + ROW // 2), size=36, room=room, colour=PALE)
            top += ROW
    return flat_png(canvas)


def _bar(canvas: Image.Image, bar: DrawnBar, *, top: int, most: float) -> None:
    middle, left, right = top + ROW // 2, MARGIN + LABEL, WIDTH - MARGIN - VALUE
    write(canvas, bar.label, (MARGIN, middle), size=38, room=LABEL - 20, colour=PALE if bar.pale else IVORY)
    draw, edge = ImageDraw.Draw(canvas), middle - BAR // 2
    draw.rectangle((left, edge, right, edge + BAR), fill=FELT)
    if length := _length(bar.value, most, right - left):
        draw.rectangle((left, edge, left + length, edge + BAR), fill=PALE if bar.pale else GOLD)
    if bar.before is not None:
        _mark(canvas, left + _length(bar.before, most, right - left - MARK), edge)
    write(canvas, bar.shown, (WIDTH - MARGIN, middle), size=40, room=VALUE - 12, colour=IVORY, anchor="rm")


def _mark(canvas: Image.Image, left: int, top: int) -> None:
    ImageDraw.Draw(canvas).rectangle((left, top - 6, left + MARK, top + BAR + 6), fill=IVORY, outline=NIGHT, width=2)


def _length(value: float, most: float, room: int) -> int:
    return round(room * value / most) if most else 0
