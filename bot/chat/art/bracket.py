"""The picture of a bracket: rounds as columns from left to right, with lines from each match to its winner's next one.

It's as wide as other pictures, so that its smallest letters are readable on a phone. Four columns fit side by side.
Further rounds go into other blocks, below or on another page. Drawing takes about 0.1 seconds, so run it in an
executor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from PIL import Image, ImageDraw

from bot.chat.art.faces import Colour
from bot.chat.art.felt import GOLD, INK, IVORY, NIGHT, PALE, flat_png, write

WIDTH: Final = 1200
MARGIN: Final = 26
MAX_COLUMNS: Final = 4
WIDEST: Final = 544
"""Maximum width of a column in pixels, reached when there are few."""
GAP: Final = 28
"""Space between columns, for the lines."""
SIDE: Final = 54
"""Height of a player's half of a match."""
LABEL: Final = 44
ROOM: Final = 22
MATCH: Final = LABEL + 2 * SIDE
STEP: Final = MATCH + ROOM
HEAD: Final = 116
TITLE: Final = 74
COLUMN_HEAD: Final = 54
FOOT: Final = 30

GROUND: Final[Colour] = (16, 52, 40)
WON: Final[Colour] = (30, 92, 68)
LINE: Final[Colour] = (112, 146, 130)
DIM: Final[Colour] = (150, 172, 160)
"""Colour for losers' names. Its contrast with the background is over 6 to 1."""


class SideState(Enum):
    """State of one side of a match."""

    PLAYS = "plays"
    WON = "won"
    LOST = "lost"
    OPEN = "open"
    """The player isn't known yet, or there is none. The text says which is the case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnSide:
    """One side of a match."""

    name: str
    fate: SideState
    own: bool = False
    """True for the viewer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnMatch:
    """A match, the label above it, and the numbers of the matches whose winners meet in it."""

    number: int
    label: str
    sides: tuple[DrawnSide, DrawnSide]
    feeds: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnRound:
    """The matches of a round, from top to bottom."""

    title: str
    matches: tuple[DrawnMatch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnBlock:
    """Up to four rounds, side by side."""

    title: str
    rounds: tuple[DrawnRound, ...]


def draw_bracket(*, heading: str, blocks: Sequence[DrawnBlock]) -> bytes:
    """Draw the blocks below each other, as a PNG 1200 pixels wide."""
    placed = [(block, _places(block)) for block in blocks]
    heights = [_height(block, places) for block, places in placed]
    canvas = Image.new("RGB", (WIDTH, HEAD + sum(heights) + FOOT), NIGHT)
    room = WIDTH - 2 * MARGIN
    write(canvas, heading, (WIDTH // 2, HEAD // 2 + 4), size=56, room=room, colour=GOLD, anchor="mm")
    top = HEAD
    for (block, places), height in zip(placed, heights, strict=True):
        _draw_block(canvas, block, places, top=top)
        top += height
    return flat_png(canvas)


def _places(block: DrawnBlock) -> Mapping[int, float]:
    """Return each match's vertical position, in matches: centred between its feeding matches, without overlaps."""
    at: dict[int, float] = {}
    for column in block.rounds:
        last = -1.0
        for match in column.matches:
            fed = [at[number] for number in match.feeds if number in at]
            last = max(sum(fed) / len(fed) if fed else last + 1, last + 1)
            at[match.number] = last
    return at


def _height(block: DrawnBlock, places: Mapping[int, float]) -> int:
    return (TITLE if block.title else 0) + COLUMN_HEAD + round((max(places.values(), default=0) + 1) * STEP)


def _draw_block(canvas: Image.Image, block: DrawnBlock, places: Mapping[int, float], *, top: int) -> None:
    if block.title:
        room = WIDTH - 2 * MARGIN
        write(canvas, block.title, (MARGIN, top + TITLE // 2), size=44, room=room, colour=GOLD)
        ImageDraw.Draw(canvas).rectangle((MARGIN, top + TITLE - 8, WIDTH - MARGIN, top + TITLE - 6), fill=LINE)
        top += TITLE
    count = len(block.rounds)
    wide = min(WIDEST, (WIDTH - 2 * MARGIN - GAP * (count - 1)) // count)
    edge = (WIDTH - count * wide - GAP * (count - 1)) // 2 if not block.title else MARGIN
    spots: dict[int, tuple[int, int]] = {}
    for column, one in enumerate(block.rounds):
        left = edge + column * (wide + GAP)
        middle = (left + wide // 2, top + COLUMN_HEAD // 2)
        write(canvas, one.title, middle, size=38, room=wide, colour=PALE, anchor="mm")
        for match in one.matches:
            spot = (left, top + COLUMN_HEAD + round(places[match.number] * STEP))
            _join(canvas, [spots[number] for number in match.feeds if number in spots], spot, wide=wide)
            _draw_match(canvas, match, spot, wide=wide)
            spots[match.number] = spot


def _join(canvas: Image.Image, fed: Sequence[tuple[int, int]], spot: tuple[int, int], *, wide: int) -> None:
    """Draw lines from the feeding matches to this one."""
    draw, into = ImageDraw.Draw(canvas), spot[1] + LABEL + SIDE
    bend = spot[0] - GAP // 2
    for left, upper in fed:
        out = upper + LABEL + SIDE
        draw.line([(left + wide, out), (bend, out), (bend, into), (spot[0], into)], fill=LINE, width=4)


def _draw_match(canvas: Image.Image, match: DrawnMatch, spot: tuple[int, int], *, wide: int) -> None:
    left, top = spot
    write(canvas, match.label, (left + 4, top + LABEL // 2), size=34, room=wide - 8, colour=PALE)
    draw = ImageDraw.Draw(canvas)
    upper = top + LABEL
    draw.rounded_rectangle((left, upper, left + wide, upper + 2 * SIDE), 12, fill=GROUND)
    for number, side in enumerate(match.sides):
        _draw_side(canvas, side, (left, upper + number * SIDE), wide=wide)
    draw.line([(left, upper + SIDE), (left + wide, upper + SIDE)], fill=NIGHT, width=3)
    own = any(side.own for side in match.sides)
    edge = GOLD if own else LINE
    draw.rounded_rectangle((left, upper, left + wide, upper + 2 * SIDE), 12, outline=edge, width=5 if own else 2)


def _draw_side(canvas: Image.Image, side: DrawnSide, spot: tuple[int, int], *, wide: int) -> None:
    """Draw a name. The winner's has a bar in front, so that colour isn't the only difference."""
    left, top = spot
    draw, indent = ImageDraw.Draw(canvas), 14
    if side.own:
        draw.rounded_rectangle((left, top, left + wide, top + SIDE), 12, fill=GOLD)
    elif side.fate is SideState.WON:
        draw.rounded_rectangle((left, top, left + wide, top + SIDE), 12, fill=WON)
    if side.fate is SideState.WON:
        draw.rectangle((left + 8, top + 12, left + 17, top + SIDE - 12), fill=INK if side.own else GOLD)
        indent = 26
    colour = (
        INK
        if side.own
        else {SideState.WON: IVORY, SideState.PLAYS: IVORY, SideState.LOST: DIM, SideState.OPEN: DIM}[side.fate]
    )
    # The name is a little above the middle, so that the tail of a g doesn't touch the edge.
    room, middle = wide - indent - 10, top + SIDE // 2 - 5
    write(canvas, side.name, (left + indent, middle), size=40, room=room, colour=colour)
