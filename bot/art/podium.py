"""Pictures of events: the champion's podium with the boards of the last hand, and the cover of a scheduled event.

Phones show them at a third of their width, so no letter is smaller than 34 of 1200 pixels (24 of 800 on the cover).
Drawing takes a few tenths of a second: run it where nobody waits for it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from bot.art.faces import RANKS, SUITS, Colour, draw_face

FONT_FILE: Final = Path(__file__).resolve().parents[2] / "data" / "fonts" / "NotoSansCJKjp-Bold-names.otf"
WIDTH: Final = 1200
COVER_SIZE: Final = (800, 320)
SMALLEST: Final = 34
"""Pixels of the smallest letters on the podium; those of the cover are smaller with it."""
SMALLEST_ON_COVER: Final = 24
MOST_BOARDS: Final = 3

FELT: Final[Colour] = (24, 78, 58)
NIGHT: Final[Colour] = (7, 24, 20)
IVORY: Final[Colour] = (250, 246, 232)
PALE: Final[Colour] = (186, 210, 196)
INK: Final[Colour] = (44, 32, 12)
GOLD: Final[Colour] = (247, 200, 72)
SILVER: Final[Colour] = (206, 213, 222)
BRONZE: Final[Colour] = (214, 146, 92)
BLACK: Final[Colour] = (0, 0, 0)
SUITS_SHOWN: Final = "♠♥♣♦"

HEAD: Final = 206
"""Height of the lines above the podium."""
STAGE: Final = 486
"""Height of the podium with the names above it."""
STEP_WIDTH: Final = 352
MARGIN: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class OnPodium:
    """One of the first three, with what it brought: lines of text, empty ones are left out."""

    place: int
    name: str
    prize: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidBoard:
    """A board of the last hand: three rows of card names such as ``As``; ``back`` for a card face down."""

    name: str
    rows: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def draw_podium(
    *, heading: str, game: str, places: Sequence[OnPodium], boards: Sequence[LaidBoard] = (), last_hand: str = ""
) -> bytes:
    """The champion's picture as a PNG, 1200 pixels wide: the first three, and up to three boards below them."""
    shown = boards[:MOST_BOARDS]
    below = _Boards(shown)
    canvas = _felt((WIDTH, HEAD + STAGE + (below.height if shown else MARGIN)))
    _heading(canvas, heading, game)
    steps = [step for step in places if step.place in _STEPS]
    # Two stand in the middle of the picture, and not left of it.
    aside = 0 if any(step.place > 2 for step in steps) or len(steps) < 2 else (STEP_WIDTH + 8) // 2
    for step in steps:
        _draw_step(canvas, step, aside=aside)
    if shown:
        below.draw(canvas, top=HEAD + STAGE, label=last_hand)
    return _png(canvas)


def draw_cover(*, heading: str, game: str) -> bytes:
    """The cover of a scheduled event as a PNG of 800 x 320 pixels."""
    width, height = COVER_SIZE
    canvas = _felt(COVER_SIZE)
    _fan(canvas, centre=(width - 166, height - 22))
    room = width - 384
    _write(canvas, heading, (42, 122), size=60, least=SMALLEST_ON_COVER, room=room, colour=GOLD, lines=3)
    _write(canvas, game, (42, 250), size=34, least=SMALLEST_ON_COVER, room=room, colour=IVORY, lines=2)
    return _png(canvas)


def drawable(text: str) -> str:
    """The text as far as the font goes, on one line: fancy letters become plain ones, emojis are left out."""
    plain = unicodedata.normalize("NFKC", text)
    return " ".join("".join(letter for letter in plain if letter.isspace() or _has(letter)).split())


def _png(canvas: Image.Image) -> bytes:
    file = BytesIO()
    canvas.convert("RGB").save(file, "PNG")
    return file.getvalue()


# The ground


def _felt(size: tuple[int, int]) -> Image.Image:
    """Green felt, brighter in the middle, with a faint pattern of suits."""
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
        draw.text((x + 46 * (row % 2), y), SUITS_SHOWN[(number + row) % 4], fill=13, font=_font(46))
    canvas.paste(IVORY, (0, 0), pattern)
    frame = ImageDraw.Draw(canvas)
    frame.rounded_rectangle((10, 10, width - 11, height - 11), 22, outline=(120, 108, 58), width=3)
    return canvas


def _heading(canvas: Image.Image, heading: str, game: str) -> None:
    room = WIDTH - 4 * MARGIN
    _write(canvas, heading, (WIDTH // 2, 78), size=68, room=room, colour=GOLD, anchor="mm", lines=2)
    _write(canvas, game, (WIDTH // 2, 168), size=36, room=room, colour=PALE, anchor="mm")


# The podium


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """Where a place stands: its middle, the height of its block, and its metal."""

    x: int
    height: int
    metal: Colour


_STEPS: Final = {
    1: _Step(x=WIDTH // 2, height=326, metal=GOLD),
    2: _Step(x=WIDTH // 2 - STEP_WIDTH - 8, height=274, metal=SILVER),
    3: _Step(x=WIDTH // 2 + STEP_WIDTH + 8, height=240, metal=BRONZE),
}
_DIGIT: Final = 96


def _draw_step(canvas: Image.Image, step: OnPodium, *, aside: int) -> None:
    """A block of metal with the number, the title and the prize on it, and the name above."""
    where = _STEPS[step.place]
    x = where.x + aside
    left = x - STEP_WIDTH // 2
    foot = HEAD + STAGE - 16
    top = foot - where.height
    canvas.paste(_block((STEP_WIDTH, where.height), where.metal), (left, top), _rounded((STEP_WIDTH, where.height), 18))
    lines = [text for text in (step.title, step.prize) if drawable(text)]
    number = top + (where.height - 12 - 56 * len(lines)) // 2
    _write(canvas, str(step.place), (x, number), size=_DIGIT, room=200, colour=INK, anchor="mm")
    for place, text in enumerate(lines):
        spot = (x, foot - 44 - 56 * (len(lines) - 1 - place))
        _write(canvas, text, spot, size=40, room=STEP_WIDTH - 28, colour=INK, anchor="mm")
    name_top = top - 46
    if step.place == 1:
        _crown(canvas, (x, name_top - 64))
    colour = GOLD if step.place == 1 else IVORY
    _write(canvas, step.name, (x, name_top), size=52, room=STEP_WIDTH - 4, colour=colour, anchor="mm")


def _block(size: tuple[int, int], metal: Colour) -> Image.Image:
    """A block that is lit from above."""
    block = Image.new("RGB", size, metal)
    dark = Image.linear_gradient("L").resize(size).point([level * 2 // 5 for level in range(256)])
    block.paste((0, 0, 0), (0, 0), dark)
    light = tuple((255 + 2 * part) // 3 for part in metal)
    block.paste(light, (0, 0, size[0], 10))
    return block


def _rounded(size: tuple[int, int], radius: int) -> Image.Image:
    """A mask with round upper corners."""
    width, height = size
    mask = Image.new("L", (width * 2, height * 2))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, width * 2 - 1, height * 2 + 2 * radius), 2 * radius, fill=255)
    return mask.resize(size, Image.Resampling.BOX)


def _crown(canvas: Image.Image, centre: tuple[int, int]) -> None:
    """A crown, 84 pixels wide."""
    width, height = 84, 54
    mask = Image.new("L", (width * 4, height * 4))
    draw = ImageDraw.Draw(mask)
    outline = [(0.06, 0.78), (0.0, 0.22), (0.27, 0.5), (0.5, 0.06), (0.73, 0.5), (1.0, 0.22), (0.94, 0.78)]
    draw.polygon([(x * (width * 4 - 1), y * height * 4) for x, y in outline], fill=255)
    draw.rectangle((0.06 * width * 4, 0.84 * height * 4, 0.94 * width * 4, height * 4), fill=255)
    small = mask.resize((width, height), Image.Resampling.BOX)
    canvas.paste(GOLD, (centre[0] - width // 2, centre[1] - height // 2), small)


# The boards of the last hand


class _Boards:
    """Boards side by side, their cards as large as there is room for."""

    def __init__(self, boards: Sequence[LaidBoard]) -> None:
        self._boards = boards
        count = max(1, len(boards))
        self._column = (WIDTH - 2 * MARGIN) // count
        self._card = min(92, (self._column - 24) // 5 - 4)

    @property
    def height(self) -> int:
        """Of the whole part, with the line above and the names."""
        return 78 + 58 + 3 * (self._card + 4) + 34

    def draw(self, canvas: Image.Image, *, top: int, label: str) -> None:
        """A dark ground with the label on it, and the boards."""
        ground = Image.new("L", (WIDTH - 2 * MARGIN, self.height - 28))
        ImageDraw.Draw(ground).rounded_rectangle((0, 0, ground.width - 1, ground.height - 1), 20, fill=118)
        canvas.paste((0, 0, 0), (MARGIN, top), ground)
        _write(canvas, label, (WIDTH // 2, top + 36), size=36, room=WIDTH - 4 * MARGIN, colour=PALE, anchor="mm")
        for number, board in enumerate(self._boards):
            self._draw_board(canvas, board, middle=MARGIN + self._column * number + self._column // 2, top=top + 66)

    def _draw_board(self, canvas: Image.Image, board: LaidBoard, *, middle: int, top: int) -> None:
        room = self._column - 40
        _write(canvas, board.name, (middle, top + 26), size=38, room=room, colour=IVORY, anchor="mm")
        side = self._card
        for place, cards in enumerate(board.rows):
            left = middle - (len(cards) * (side + 4) - 4) // 2
            for number, name in enumerate(cards):
                face = _face(name, side)
                canvas.paste(face, (left + number * (side + 4), top + 58 + place * (side + 4)), face)


@cache
def _face(name: str, side: int) -> Image.Image:
    return Image.open(BytesIO(draw_face(name))).convert("RGBA").resize((side, side), Image.Resampling.LANCZOS)


def _fan(canvas: Image.Image, *, centre: tuple[int, int]) -> None:
    """Five cards of a royal flush, held like a fan."""
    side = 120
    for number, rank in enumerate(RANKS[-5:]):
        angle = 50 - 25 * number
        sheet = Image.new("RGBA", (side * 4, side * 4))
        sheet.paste(_face(rank + SUITS[0], side), (side * 2 - side // 2, side * 2 - side - 104))
        turned = sheet.rotate(angle, Image.Resampling.BICUBIC)
        shadow = Image.new("RGBA", turned.size)
        shadow.putalpha(turned.getchannel("A").filter(ImageFilter.GaussianBlur(6)).point([v // 2 for v in range(256)]))
        spot = (centre[0] - side * 2, centre[1] - side * 2)
        canvas.paste(shadow, (spot[0] - 4, spot[1] + 4), shadow)
        canvas.paste(turned, spot, turned)


# Letters


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONT_FILE, size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _blank() -> bytes:
    """What the font draws for a letter that it does not have."""
    return bytes(_font(40).getmask("\U0010fffd"))


@cache
def _has(letter: str) -> bool:
    """True when the font can draw this letter."""
    return letter.isprintable() and bytes(_font(40).getmask(letter)) != _blank()


def _write(
    canvas: Image.Image,
    text: str,
    spot: tuple[int, int],
    *,
    size: int,
    room: int,
    colour: Colour,
    least: int = SMALLEST,
    anchor: str = "lm",
    lines: int = 1,
) -> None:
    """Write a text at ``spot`` within ``room`` pixels: smaller where it is long, then over ``lines``, then cut off."""
    fitted, font = _fitted(drawable(text), size=size, least=least, room=room, lines=lines)
    draw = ImageDraw.Draw(canvas)
    height = round(font.size * 1.2)
    x, y = spot
    for number, line in enumerate(fitted):
        where = (x, y + round((number - (len(fitted) - 1) / 2) * height))
        if colour != INK:
            draw.text((where[0] + 2, where[1] + 3), line, fill=BLACK, font=font, anchor=anchor)
        draw.text(where, line, fill=colour, font=font, anchor=anchor)


def _fitted(text: str, *, size: int, least: int, room: int, lines: int) -> tuple[list[str], ImageFont.FreeTypeFont]:
    """The lines of a text and the largest font in which they fit; the last line ends with ``…`` when none does.

    A text becomes up to a third smaller before it takes one more line.
    """
    for allowed in range(1, lines + 1):
        largest = size if allowed == 1 else size * 3 // 4
        for smaller in range(largest, max(least, size * 2 // 3 if allowed < lines else 0) - 1, -2):
            font = _font(smaller)
            broken = _broken(text, font, room)
            if len(broken) <= allowed:
                return broken, font
    font = _font(least)
    kept = _broken(text, font, room)[: lines - 1]
    rest = text[sum(len(line) for line in kept) :]
    while rest and font.getlength(rest + "…") > room:
        rest = rest[:-1]
    return [*kept, rest.rstrip() + "…"], font


def _broken(text: str, font: ImageFont.FreeTypeFont, room: int) -> list[str]:
    """The text in lines of at most ``room`` pixels, broken at a space where one is not far from the end."""
    lines = []
    while text:
        count = len(text)
        while count > 1 and font.getlength(text[:count].rstrip()) > room:
            count -= 1
        space = text.rfind(" ", count // 2, count + 1) if count < len(text) else -1
        end = space + 1 if space > 0 else count
        lines.append(text[:end])
        text = text[end:]
    return lines
