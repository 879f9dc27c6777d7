"""Parts of pictures: green felt, cards, and text fitted to its space."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from math import ceil
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.base.installation import SHIPPED
from bot.chat.art.faces import Colour, drawn_face

FONT_FILE: Final = SHIPPED / "fonts" / "NotoSansCJKjp-Bold-names.otf"
MIN_TEXT_SIZE: Final = 34
"""Size of the smallest letters in pixels."""

FELT: Final[Colour] = (24, 78, 58)
NIGHT: Final[Colour] = (7, 24, 20)
IVORY: Final[Colour] = (250, 246, 232)
PALE: Final[Colour] = (186, 210, 196)
INK: Final[Colour] = (44, 32, 12)
GOLD: Final[Colour] = (247, 200, 72)
LOST: Final[Colour] = (255, 180, 170)
"""Colour for lost points. Its contrast with dark felt is over 7 to 1."""
BLACK: Final[Colour] = (0, 0, 0)
FLAT: Final = (NIGHT, FELT, IVORY, PALE, GOLD, LOST)
"""Colours of text and background on flat pictures. The first is the background of all text."""
STAMPS: Final = 512
"""Maximum number of cached texts and cards, 10 KB each. Most texts of a result have been drawn before."""
SLANT: Final = 8
"""Pixels that a letter or its shadow may extend beyond its box."""
SUITS_SHOWN: Final = "♠♥♣♦"


def drawable(text: str) -> str:
    """Return the text on one line in letters that the font has. Fancy letters become plain, and emojis are removed."""
    plain = unicodedata.normalize("NFKC", text)
    return " ".join("".join(letter for letter in plain if letter.isspace() or _has(letter)).split())


def png(canvas: Image.Image) -> bytes:
    """Return the picture as a PNG file."""
    file = BytesIO()
    canvas.convert("RGB").save(file, "PNG")
    return file.getvalue()


def flat_png(canvas: Image.Image) -> bytes:
    """Return a picture of cards and text on a flat background as a PNG, in a fifth of the time and half the size."""
    file = BytesIO()
    _flat(canvas).save(file, "PNG", compress_level=2)
    return file.getvalue()


def _flat(canvas: Image.Image) -> Image.Image:
    """Convert the picture to the palette of flat pictures."""
    return canvas if canvas.mode == "P" else canvas.quantize(palette=_palette(), dither=Image.Dither.NONE)


def flat_canvas(size: tuple[int, int]) -> Image.Image:
    """Return an empty felt in that palette, on which cached drawings are stamped."""
    canvas = Image.new("P", size, FLAT.index(FELT))
    canvas.putpalette(_palette().getpalette() or [])
    return canvas


def stamp_card(canvas: Image.Image, name: str, spot: tuple[int, int], *, side: int) -> None:
    """Draw a card on a ``NIGHT`` background."""
    canvas.paste(card_stamp(name, side), spot)


def stamp(
    canvas: Image.Image, text: str, spot: tuple[int, int], *, size: int, room: int, colour: Colour, anchor: str = "lm"
) -> None:
    """Write a line at ``spot`` on a ``NIGHT`` background. This is a cached form of :func:`write`."""
    if text:
        drawn, left, top = text_stamp(text, size, room, colour, anchor)
        canvas.paste(drawn, (spot[0] + left, spot[1] + top))


@lru_cache(STAMPS)
def card_stamp(name: str, side: int) -> Image.Image:
    """Return a card on a ``NIGHT`` background."""
    ground, face = Image.new("RGB", (side, side), NIGHT), card_face(name, side)
    ground.paste(face, (0, 0), face)
    return _flat(ground)


@lru_cache(STAMPS)
def text_stamp(text: str, size: int, room: int, colour: Colour, anchor: str) -> tuple[Image.Image, int, int]:
    """Return a text on a ``NIGHT`` background, and its offset from its spot."""
    ground = Image.new("RGB", (room + 2 * SLANT, 2 * size), NIGHT)
    x, y = SLANT + (room if anchor == "rm" else 0), size
    write(ground, text, (x, y), size=size, room=room, colour=colour, anchor=anchor)
    drawn = _flat(ground)
    box = drawn.getbbox() or (x, y, x + 1, y + 1)
    return drawn.crop(box), box[0] - x, box[1] - y


@cache
def _palette() -> Image.Image:
    """Return the palette of flat pictures: the exact colours of text, the shades between them, and those on cards."""
    sample = Image.new("RGB", (4 * MIN_TEXT_SIZE, len(FLAT) * MIN_TEXT_SIZE), NIGHT)
    for number, name in enumerate(("As", "Kh", "Qd", "Jc", "back")):
        face = card_face(name, MIN_TEXT_SIZE)
        sample.paste(face, (0, number * MIN_TEXT_SIZE), face)
    for number, colour in enumerate(FLAT):
        spot = (MIN_TEXT_SIZE, number * MIN_TEXT_SIZE + MIN_TEXT_SIZE // 2)
        write(sample, "A8+", spot, size=MIN_TEXT_SIZE, room=3 * MIN_TEXT_SIZE, colour=colour)
    found = sample.quantize(256 - len(FLAT), method=Image.Quantize.FASTOCTREE).getpalette() or []
    others = [
        colour for colour in zip(*[iter(found)] * 3, strict=True) if all(_are_distinct(colour, kept) for kept in FLAT)
    ]
    palette = Image.new("P", (1, 1))
    palette.putpalette([value for colour in (*FLAT, *others) for value in colour])
    return palette


def _are_distinct(one: Sequence[int], other: Sequence[int]) -> bool:
    """False if Pillow may confuse the two colours, because it searches for the nearest one in steps of four."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) > 4


def felt(size: tuple[int, int]) -> Image.Image:
    """Return green felt, brighter in the middle, with a faint pattern of suits."""
    width, height = size
    canvas = Image.new("RGB", size, FELT)
    glow = Image.radial_gradient("L").resize((round(width * 1.5), round(height * 1.7)), Image.Resampling.BICUBIC)
    left, top = (glow.width - width) // 2, round((glow.height - height) * 0.3)
    shade = glow.crop((left, top, left + width, top + height)).point([min(255, level * 5 // 4) for level in range(256)])
    canvas.paste(NIGHT, (0, 0), shade)
    pattern = Image.new("L", size)
    draw = ImageDraw.Draw(pattern)
    for number, (x, y) in enumerate((x, y) for y in range(-20, height, 92) for x in range(-30, width, 92)):
        row = number // len(range(-30, width, 92))
        draw.text((x + 46 * (row % 2), y), SUITS_SHOWN[(number + row) % 4], fill=13, font=font_of(46))
    canvas.paste(IVORY, (0, 0), pattern)
    frame = ImageDraw.Draw(canvas)
    frame.rounded_rectangle((10, 10, width - 11, height - 11), 22, outline=(120, 108, 58), width=3)
    return canvas


@cache
def card_face(name: str, side: int) -> Image.Image:
    """Return a card as a square of ``side`` pixels. ``back`` is a card face down."""
    return drawn_face(name).resize((side, side), Image.Resampling.LANCZOS)


# Letters


@cache
def font_of(size: int) -> ImageFont.FreeTypeFont:
    """Return the font of all pictures, which has the letters of players' names."""
    return ImageFont.truetype(FONT_FILE, size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _blank() -> bytes:
    """Return the bitmap that the font draws for a missing letter."""
    return bytes(font_of(40).getmask("\U0010fffd"))


@cache
def _has(letter: str) -> bool:
    """True if the font has the letter."""
    return letter.isprintable() and bytes(font_of(40).getmask(letter)) != _blank()


def write(
    canvas: Image.Image,
    text: str,
    spot: tuple[int, int],
    *,
    size: int,
    room: int,
    colour: Colour,
    least: int = MIN_TEXT_SIZE,
    anchor: str = "lm",
    lines: int = 1,
) -> None:
    """Write a text at ``spot`` within ``room`` pixels.

    If a text is too long, it's made smaller, then split into up to ``lines`` lines, then cut off.
    """
    fitted, font = fit_text(drawable(text), size=size, least=least, room=room, lines=lines)
    draw = ImageDraw.Draw(canvas)
    height = round(font.size * 1.2)
    x, y = spot
    for number, line in enumerate(fitted):
        where = (x, y + round((number - (len(fitted) - 1) / 2) * height))
        if colour != INK:
            draw.text((where[0] + 2, where[1] + 3), line, fill=BLACK, font=font, anchor=anchor)
        draw.text(where, line, fill=colour, font=font, anchor=anchor)


def fit_text(text: str, *, size: int, least: int, room: int, lines: int) -> tuple[list[str], ImageFont.FreeTypeFont]:
    """Return a text's lines and the largest font in which they fit. If it fits in none, the last line ends with ``…``.

    A text shrinks by up to a third before it's split into one more line.
    """
    for allowed in range(1, lines + 1):
        largest = size if allowed == 1 else size * 3 // 4
        for smaller in range(largest, max(least, size * 2 // 3 if allowed < lines else 0) - 1, -2):
            font = font_of(smaller)
            broken = _broken(text, font, room)
            if len(broken) <= allowed:
                return broken, font
    font = font_of(least)
    kept = _broken(text, font, room)[: lines - 1]
    rest = text[sum(len(line) for line in kept) :]
    rest = rest[: _fit_longest([f"{rest[:count]}…" for count in range(len(rest) + 1)], font, room)]
    return [*kept, rest.rstrip() + "…"], font


def _broken(text: str, font: ImageFont.FreeTypeFont, room: int) -> list[str]:
    """Return the text in lines of at most ``room`` pixels. Lines break at a space if one is near the end."""
    lines = []
    while font.getlength(text.rstrip()) > room and len(text) > 1:
        count = max(1, _fit_longest([text[:count].rstrip() for count in range(len(text))], font, room))
        space = text.rfind(" ", count // 2, count + 1)
        end = space + 1 if space > 0 else count
        lines.append(text[:end])
        text = text[end:]
    return [*lines, text] if text else lines


def _fit_longest(texts: Sequence[str], font: ImageFont.FreeTypeFont, room: int) -> int:
    """Return the index of the longest text that fits; 0 if none does. Each text must be a prefix of the next."""
    return max(1, bisect_right(texts, room, key=lambda text: ceil(font.getlength(text)))) - 1


# The picture of a single board, for the rules: large cards, with each row's name and hand next to it.

WIDTH: Final = 1000
MARGIN: Final = 30
CARD: Final = 112
STEP: Final = CARD + 6
ROW: Final = CARD + 20
MAX_CARDS: Final = 5
TEXT_LEFT: Final = MARGIN + MAX_CARDS * STEP + 24


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRow:
    """A row: card names such as ``As``, the row's name, and its hand."""

    name: str
    cards: tuple[str, ...]
    hand: str


def draw_board(rows: Sequence[NamedRow]) -> bytes:
    """Draw the rows from top to bottom, as a PNG 1000 pixels wide."""
    canvas = Image.new("RGB", (WIDTH, 2 * MARGIN + len(rows) * ROW - (ROW - CARD)), NIGHT)
    for number, row in enumerate(rows):
        _row(canvas, row, top=MARGIN + number * ROW)
    return flat_png(canvas)


def _row(canvas: Image.Image, row: NamedRow, *, top: int) -> None:
    indent = (MAX_CARDS - len(row.cards)) * STEP // 2
    for number, name in enumerate(row.cards):
        face = card_face(name, CARD)
        canvas.paste(face, (MARGIN + indent + number * STEP, top), face)
    room = WIDTH - TEXT_LEFT - MARGIN
    write(canvas, row.name, (TEXT_LEFT, top + CARD // 4 + 4), size=44, room=room, colour=GOLD)
    write(canvas, row.hand, (TEXT_LEFT, top + CARD * 3 // 4), size=40, room=room, colour=IVORY)
