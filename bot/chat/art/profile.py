"""A player's profile as a picture: numbers, the plot of the last hands, the best board, and badges.

Phones show it at a third of its width, so the smallest letters are 34 of 1200 pixels. Drawing takes about 0.1 seconds,
so run it in an executor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from PIL import Image, ImageDraw

from bot.chat.art.felt import (
    FELT,
    GOLD,
    IVORY,
    LOST,
    NIGHT,
    PALE,
    NamedRow,
    card_face,
    drawable,
    flat_png,
    font_of,
    write,
)

WIDTH: Final = 1200
MARGIN: Final = 40
HEAD: Final = 176
GAMES: Final = 36
TILE: Final = 132
TILES_PER_ROW: Final = 3
PLOT: Final = 360
CARD: Final = 92
STEP: Final = CARD + 6
ROW: Final = CARD + 14
TITLE: Final = 76
PILL: Final = 66
_AXIS: Final = 130
"""Width for the numbers next to the plot."""
_FINER: Final = 3
"""Factor for supersampling lines, which makes their edges smooth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A number with its label below it."""

    value: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """Points per hand, oldest first, plotted as running totals, with a title and the last, highest and lowest value."""

    title: str
    points: Sequence[int]
    end: str
    high: str
    low: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnProfile:
    """Content of a profile picture. Parts that are empty or None are left out."""

    name: str
    games: Sequence[str]
    """The games, most played first. Those that don't fit on the line completely are left out."""
    tiles: Sequence[Tile]
    plot: Plot | None
    best_title: str
    best: Sequence[NamedRow]
    badges: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPill:
    """A badge on the picture of badges."""

    text: str
    earned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnBadges:
    """Content of the badges picture."""

    name: str
    count: str
    rows: Sequence[tuple[str, Sequence[DrawnPill]]]
    """The sections with their headings."""


def draw_shelf(shelf: DrawnBadges) -> bytes:
    """Draw a player's badges as a PNG, 1200 pixels wide. Earned badges are filled, and the others only framed."""
    rows = [(heading, _pills([pill.text for pill in pills]), pills) for heading, pills in shelf.rows]
    height = sum(TITLE + len(lines) * (PILL + 16) for _, lines, _ in rows)
    canvas = Image.new("RGB", (WIDTH, HEAD + height + 32), NIGHT)
    write(canvas, shelf.name, (WIDTH // 2, 74), size=64, room=WIDTH - 2 * MARGIN, colour=GOLD, anchor="mm")
    write(canvas, shelf.count, (WIDTH // 2, 136), size=GAMES, room=WIDTH - 2 * MARGIN, colour=PALE, anchor="mm")
    top = HEAD
    for heading, lines, pills in rows:
        write(canvas, heading, (MARGIN, top + 40), size=42, room=WIDTH - 2 * MARGIN, colour=IVORY)
        top += TITLE
        earned = iter(pills)
        for line in lines:
            _line_of_pills(canvas, line, top=top, filled=[next(earned).earned for _ in line])
            top += PILL + 16
    return flat_png(canvas)


def draw_profile(profile: DrawnProfile) -> bytes:
    """Draw the picture as a PNG, 1200 pixels wide."""
    pills = _pills(profile.badges)
    tiles = -(-len(profile.tiles) // TILES_PER_ROW) * TILE
    plot = PLOT + 24 if profile.plot else 0
    best = TITLE + ROW * len(profile.best) if profile.best else 0
    badges = 20 + len(pills) * (PILL + 16) if pills else 0
    canvas = Image.new("RGB", (WIDTH, HEAD + tiles + plot + best + badges + 32), NIGHT)
    write(canvas, profile.name, (WIDTH // 2, 74), size=64, room=WIDTH - 2 * MARGIN, colour=GOLD, anchor="mm")
    room = WIDTH - 2 * MARGIN
    write(canvas, whole_games(profile.games, room), (WIDTH // 2, 136), size=GAMES, room=room, colour=PALE, anchor="mm")
    for number, tile in enumerate(profile.tiles):
        _tile(canvas, tile, number, top=HEAD)
    if profile.plot:
        _plot(canvas, profile.plot, top=HEAD + tiles)
    if profile.best:
        _best(canvas, profile, top=HEAD + tiles + plot)
    for number, line in enumerate(pills):
        _line_of_pills(canvas, line, top=HEAD + tiles + plot + best + 20 + number * (PILL + 16))
    return flat_png(canvas)


def whole_games(games: Sequence[str], room: int) -> str:
    """Return the games that fit completely on a line of ``room`` pixels, at least one."""
    font = font_of(GAMES)
    lines = (" · ".join(games[:count]) for count in range(len(games), 1, -1))
    return next((line for line in lines if font.getlength(drawable(line)) <= room), "".join(games[:1]))


def _tile(canvas: Image.Image, tile: Tile, number: int, *, top: int) -> None:
    wide = (WIDTH - 2 * MARGIN) // TILES_PER_ROW
    row, column = divmod(number, TILES_PER_ROW)
    x, y = MARGIN + wide * column + wide // 2, top + TILE * row
    write(canvas, tile.value, (x, y + 40), size=54, room=wide - 16, colour=IVORY, anchor="mm")
    write(canvas, tile.label, (x, y + 92), size=36, room=wide - 12, colour=PALE, anchor="mm")


def _plot(canvas: Image.Image, plot: Plot, *, top: int) -> None:
    """Draw the plot on a panel, with its highest, lowest and last values."""
    left, right = MARGIN, WIDTH - MARGIN
    ImageDraw.Draw(canvas).rounded_rectangle((left, top, right, top + PLOT - 8), 18, fill=FELT)
    won = sum(plot.points) >= 0
    write(canvas, plot.title, (left + 24, top + 40), size=38, room=760, colour=PALE)
    write(canvas, plot.end, (right - 24, top + 40), size=48, room=280, colour=GOLD if won else LOST, anchor="rm")
    line = [0, *accumulate(plot.points)]
    high, low = max(line), min(line)
    area = (left + 24, top + 104, right - 24 - _AXIS, top + PLOT - 40)
    heights = {value: _height(value, low, high, area) for value in (high, low)}
    write(canvas, plot.high, (right - 24, heights[high]), size=36, room=_AXIS - 16, colour=IVORY, anchor="rm")
    if high != low:
        write(canvas, plot.low, (right - 24, heights[low]), size=36, room=_AXIS - 16, colour=IVORY, anchor="rm")
    _draw_line(canvas, line, area)


def _height(value: float, low: int, high: int, area: tuple[int, int, int, int]) -> int:
    _, top, _, bottom = area
    return round(bottom - (bottom - top) * ((value - low) / (high - low) if high > low else 0.5))


def _draw_line(canvas: Image.Image, line: Sequence[int], area: tuple[int, int, int, int]) -> None:
    """Draw the plot's line and the zero line, with smooth edges."""
    left, top, right, bottom = area
    edge, high, low = 12, max(line), min(line)
    size = (right - left + 2 * edge, bottom - top + 2 * edge)
    mask = Image.new("L", (size[0] * _FINER, size[1] * _FINER))
    across = (right - left) / max(1, len(line) - 1)
    spots = [
        ((edge + across * number) * _FINER, (edge + _height(value, low, high, area) - top) * _FINER)
        for number, value in enumerate(line)
    ]
    nothing = _height(0, low, high, area)
    ImageDraw.Draw(canvas).line((left, nothing, right, nothing), fill=PALE, width=2)
    ImageDraw.Draw(mask).line(spots, fill=255, width=6 * _FINER, joint="curve")
    x, y = spots[-1]
    ImageDraw.Draw(mask).ellipse((x - 9 * _FINER, y - 9 * _FINER, x + 9 * _FINER, y + 9 * _FINER), fill=255)
    canvas.paste(GOLD, (left - edge, top - edge), mask.resize(size, Image.Resampling.BOX))


def _best(canvas: Image.Image, profile: DrawnProfile, *, top: int) -> None:
    """Draw the board, with each row's hand next to it."""
    write(canvas, profile.best_title, (MARGIN, top + 40), size=42, room=WIDTH - 2 * MARGIN, colour=GOLD)
    most = max(len(row.cards) for row in profile.best)
    text = MARGIN + most * STEP + 28
    for number, row in enumerate(profile.best):
        y = top + TITLE + number * ROW
        indent = (most - len(row.cards)) * STEP // 2
        for place, name in enumerate(row.cards):
            face = card_face(name, CARD)
            canvas.paste(face, (MARGIN + indent + place * STEP, y), face)
        write(canvas, row.hand, (text, y + CARD // 2), size=42, room=WIDTH - MARGIN - text, colour=IVORY, lines=2)


def _pills(badges: Sequence[str]) -> list[list[str]]:
    """Return the badges in lines, with as many per line as fit."""
    lines: list[list[str]] = []
    left = 0
    for badge in badges:
        wide = _wide(badge)
        if not lines or left + wide > WIDTH - 2 * MARGIN:
            lines.append([])
            left = 0
        lines[-1].append(badge)
        left += wide + 16
    return lines


def _wide(badge: str) -> int:
    return min(round(font_of(38).getlength(badge)) + 56, WIDTH - 2 * MARGIN)


def _line_of_pills(
    canvas: Image.Image, badges: Sequence[str], *, top: int, filled: Sequence[bool] | None = None
) -> None:
    """Draw a line of badges framed in gold. If some are ``filled``, the others are pale."""
    x = MARGIN
    for number, badge in enumerate(badges):
        wide = _wide(badge)
        full = filled is not None and filled[number]
        frame = GOLD if filled is None or full else PALE
        draw = ImageDraw.Draw(canvas)
        draw.rounded_rectangle(
            (x, top, x + wide, top + PILL), PILL // 2, outline=frame, width=3, fill=GOLD if full else None
        )
        middle, ink = (x + wide // 2, top + PILL // 2), NIGHT if full else frame
        write(canvas, badge, middle, size=38, room=wide - 36, colour=ink, anchor="mm")
        x += wide + 16
