"""A leaderboard as a picture: a line for each player, large enough to be read on a phone.

Drawing takes a tenth of a second: run it where nobody waits for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from bot.art.felt import FELT, GOLD, INK, IVORY, NIGHT, PALE, png, write
from bot.art.podium import BRONZE, MARGIN, SILVER, WIDTH, crown

HEAD: Final = 150
LINE: Final = 84
FOOT: Final = 36
CROWNED: Final = 206
"""Height of the champions' part."""
_MEDALS: Final = {1: GOLD, 2: SILVER, 3: BRONZE}
_PLACE, _NAME, _VALUE, _HANDS = MARGIN + 52, MARGIN + 124, WIDTH - 356, WIDTH - MARGIN - 20
"""The middle of places, where names begin, and where values and hands end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnLine:
    """One player: their place, as it counts and as it is written, and what is written beside it."""

    rank: int
    place: str
    name: str
    value: str
    hands: str
    own: bool = False
    """True for the one who looks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowned:
    """Those who have won it all, and what they are called."""

    names: str
    title: str


def draw_leaderboard(*, heading: str, lines: Sequence[DrawnLine], crowned: Crowned | None = None) -> bytes:
    """The lines below a heading, and below the champions where there are any, as a PNG, 1200 pixels wide."""
    # A flat ground: a picture that is asked for at every page has to be small, and drawn quickly.
    top = HEAD + (CROWNED if crowned else 0)
    canvas = Image.new("RGB", (WIDTH, top + LINE * len(lines) + FOOT), NIGHT)
    write(canvas, heading, (WIDTH // 2, HEAD // 2 + 8), size=60, room=WIDTH - 4 * MARGIN, colour=GOLD, anchor="mm")
    if crowned:
        _crown(canvas, crowned)
    for number, line in enumerate(lines):
        _draw(canvas, line, top=top + LINE * number)
    return png(canvas)


def _crown(canvas: Image.Image, crowned: Crowned) -> None:
    ground = (MARGIN - 12, HEAD - 22, WIDTH - MARGIN + 12, HEAD + CROWNED - 30)
    ImageDraw.Draw(canvas).rounded_rectangle(ground, 18, fill=FELT)
    crown(canvas, (WIDTH // 2, HEAD + 22))
    room = WIDTH - 4 * MARGIN
    write(canvas, crowned.names, (WIDTH // 2, HEAD + 82), size=60, room=room, colour=IVORY, anchor="mm")
    write(canvas, crowned.title, (WIDTH // 2, HEAD + 148), size=42, room=room, colour=GOLD, anchor="mm")


def _draw(canvas: Image.Image, line: DrawnLine, *, top: int) -> None:
    middle, draw = top + LINE // 2, ImageDraw.Draw(canvas)
    if line.own:
        draw.rounded_rectangle((MARGIN - 12, top + 4, WIDTH - MARGIN + 12, top + LINE - 4), 18, fill=FELT)
    medal = _MEDALS.get(line.rank)
    if medal:
        draw.ellipse((_PLACE - 34, middle - 34, _PLACE + 34, middle + 34), fill=medal)
    write(
        canvas,
        line.place,
        (_PLACE, middle),
        size=42,
        room=60 if medal else 110,
        colour=INK if medal else PALE,
        anchor="mm",
    )
    write(canvas, line.name, (_NAME, middle), size=46, room=_VALUE - 260 - _NAME, colour=IVORY)
    write(canvas, line.value, (_VALUE, middle), size=46, room=250, colour=GOLD, anchor="rm")
    write(canvas, line.hands, (_HANDS, middle), size=36, room=_HANDS - _VALUE - 20, colour=PALE, anchor="rm")
