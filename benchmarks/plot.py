"""Plots of values with their intervals, over a logarithmic axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

from PIL import Image, ImageDraw, ImageFont

SIZE = (1000, 560)
LEFT, RIGHT, TOP, BOTTOM = 90, 40, 60, 80
INK, FAINT, POINT = (40, 40, 40), (215, 215, 215), (30, 90, 160)
TICKS = 6
"""Approximate number of ticks of the vertical axis."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A value with its error and its position on the horizontal axis."""

    at: float
    value: float
    off: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Maps values to positions in the picture."""

    low: float
    high: float
    first: float
    last: float

    @classmethod
    def around(cls, figures: Sequence[Figure]) -> Frame:
        """Return a frame that fits all figures."""
        return cls(
            low=min(one.value - one.off for one in figures),
            high=max(one.value + one.off for one in figures),
            first=min(one.at for one in figures) / 1.3,
            last=max(one.at for one in figures) * 1.3,
        )

    def across(self, at: float) -> float:
        """Return the distance from the left edge."""
        width = SIZE[0] - LEFT - RIGHT
        return LEFT + width * log2(at / self.first) / log2(self.last / self.first)

    def down(self, value: float) -> float:
        """Return the distance from the upper edge."""
        height = SIZE[1] - TOP - BOTTOM
        return TOP + height * (self.high - value) / (self.high - self.low)


def plotted(figures: Sequence[Figure], *, title: str, below: str) -> Image.Image:
    """Return a line chart of the figures; ``below`` is the label of the horizontal axis."""
    frame = Frame.around(figures)
    picture = Image.new("RGB", SIZE, "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(18)
    draw.text((LEFT, 18), title, fill=INK, font=font)
    draw.text((SIZE[0] / 2, SIZE[1] - 20), below, fill=INK, font=font, anchor="ms")
    for value in _round_values(frame):
        draw.line([(LEFT, frame.down(value)), (SIZE[0] - RIGHT, frame.down(value))], fill=FAINT)
        draw.text((LEFT - 10, frame.down(value)), f"{value:.1f}", fill=INK, font=font, anchor="rm")
    draw.line([(frame.across(one.at), frame.down(one.value)) for one in figures], fill=POINT, width=2)
    for one in figures:
        x, y = frame.across(one.at), frame.down(one.value)
        draw.line([(x, frame.down(one.value - one.off)), (x, frame.down(one.value + one.off))], fill=POINT, width=2)
        draw.ellipse([(x - 5, y - 5), (x + 5, y + 5)], fill=POINT)
        draw.text((x, SIZE[1] - BOTTOM + 8), f"{one.at:.0f}", fill=INK, font=font, anchor="mt")
    return picture


def _round_values(frame: Frame) -> list[float]:
    """Return the tick values of the vertical axis, in tenths."""
    tenths = max(1, round(10 * (frame.high - frame.low) / TICKS))
    first, last = int(10 * frame.low) + 1, int(10 * frame.high)
    return [tenth / 10 for tenth in range(first, last + 1) if tenth % tenths == 0]
