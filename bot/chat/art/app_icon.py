"""The icon of the table's page, for devices that install it: three cards on felt."""

from __future__ import annotations

from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from bot.chat.art.faces import SUIT_COLOURS, SUIT_OUTLINES, WHITE, Colour, placed
from bot.chat.art.felt import FELT

FINE: Final = 4
"""Each final pixel is the mean of so many pixels across and down."""
CARD: Final = (0.36, 0.5)
"""Width and height of a card, as a part of the icon's side."""
FAN: Final = (
    ("h", 18.0, -0.15, (0.1, 0.08, 0.34)),
    ("d", -18.0, 0.15, (0.56, 0.08, 0.34)),
    ("s", 0.0, 0.0, (0.18, 0.27, 0.64)),
)
"""The cards, back to front: suit, rotation (degrees), offset, and where its suit is and how large.

Places and sizes are parts of the card's width and height. The suits of the cards behind are where they can be seen.
"""
CORNER: Final = 0.22
EDGE: Final[Colour] = (15, 40, 30)


def draw_icon(side: int, *, full: bool) -> bytes:
    """Return the icon as a PNG. ``full`` fills the corners, for systems that cut the icon into their own shape."""
    large = side * FINE
    canvas = Image.new("RGBA", (large, large))
    corner = 0.0 if full else CORNER * large
    ImageDraw.Draw(canvas).rounded_rectangle((0, 0, large - 1, large - 1), corner, fill=FELT)
    for suit, degrees, offset, (x, y, size) in FAN:
        card = _card(suit, large, x=x, y=y, size=size).rotate(degrees, Image.Resampling.BICUBIC, expand=True)
        left, top = (large - card.width) // 2 + round(offset * large), (large - card.height) // 2
        canvas.alpha_composite(card, (left, top + round(abs(offset) * 0.2 * large)))
    file = BytesIO()
    canvas.resize((side, side), Image.Resampling.BOX).save(file, "PNG", optimize=True)
    return file.getvalue()


def _card(suit: str, large: int, *, x: float, y: float, size: float) -> Image.Image:
    width, height = (round(part * large) for part in CARD)
    card = Image.new("RGBA", (width, height))
    draw = ImageDraw.Draw(card)
    draw.rounded_rectangle((0, 0, width - 1, height - 1), width * 0.12, fill=WHITE, outline=EDGE, width=large // 96)
    left, top, across = x * width, y * height, size * width
    box = (left, top, left + across, top + across)
    for outline in SUIT_OUTLINES[suit]:
        draw.polygon(placed(outline, box), fill=SUIT_COLOURS[suit])
    return card
