"""Card faces: the small square pictures that become application emojis.

Discord shows them at about 20 px on buttons, 22 px in text and 48 px on their own, on dark and light backgrounds. So
the design uses only details that are visible at 22 px: a tall rank on the left, a large suit at the bottom right, and
one colour per suit. Lengths are in pixels on a 512 px canvas, which is scaled down to 128 px at the end. Outlines are
fractions of their own box.
"""

from collections.abc import Callable, Iterable
from functools import cache
from io import BytesIO
from itertools import product
from math import cos, pi, sin, tau
from typing import Final, TypeAlias

from PIL import Image, ImageDraw, ImageFont

from bot.base.installation import SHIPPED

Colour: TypeAlias = tuple[int, int, int]
Point: TypeAlias = tuple[float, float]
Outline: TypeAlias = list[Point]
Box: TypeAlias = tuple[int, int, int, int]

FACES_DIGEST: Final = "405"
"""Digest of all the deck's pixels. If it changes, the bot uploads the emojis again.

It's stored because drawing the faces at every start would take most of a second. A test fails if it's out of date.
"""
DECK_MARKS: Final = {"405": ""}
"""Suffix of the emojis' names, keyed by their deck's digest. The next one is ``_b``.

It's as short as possible, because screen readers say the names, and because messages contain many cards and are limited
to 4,000 characters.
"""

RANKS: Final = "23456789TJQKA"
SUITS: Final = "shdc"
JOKERS: Final = ("X1", "X2")
FOUR_COLOURS: tuple[str, ...] = (*(rank + suit for suit, rank in product(SUITS, RANKS)), *JOKERS, "back", "slot")
"""The 52 cards in notation ("As", "Th"), the coloured and the dark joker, a face-down card, and an empty place."""
TWO_COLOURED: Final = "2"
"""Suffix for cards of the two-colour deck."""
TWO_COLOURS: tuple[str, ...] = tuple(rank + suit + TWO_COLOURED for suit, rank in product("dc", RANKS))
"""The red diamonds and black clubs. The other cards are the same in both decks."""
FACE_NAMES: tuple[str, ...] = FOUR_COLOURS + TWO_COLOURS

FACE_SIDE: Final = 128
SUIT_COLOURS: Final[dict[str, Colour]] = {
    "s": (22, 24, 29),
    "h": (214, 31, 38),
    "d": (27, 94, 214),
    "c": (15, 132, 56),
}
"""The four-colour deck: near-black spades, red hearts, blue diamonds, green clubs."""
RED_AND_BLACK: Final[dict[str, Colour]] = {"d": SUIT_COLOURS["h"], "c": SUIT_COLOURS["s"]}
"""Colours that are different in the two-colour deck."""

WHITE: Final[Colour] = (255, 255, 255)
EDGE: Final[Colour] = (132, 138, 150)
NIGHT: Final[Colour] = (30, 31, 38)
SILVER: Final[Colour] = (226, 229, 235)
STEEL: Final[Colour] = (150, 156, 168)
GOLD: Final[Colour] = (245, 166, 10)
PURPLE: Final[Colour] = (126, 48, 176)
BACK_BLUE: Final[Colour] = (52, 88, 148)
BACK_LIGHT: Final[Colour] = (142, 172, 217)
SLOT_GREY: Final[Colour] = (142, 146, 151)

CANVAS: Final = 512
RADIUS: Final = 72
EDGE_WIDTH: Final = 11

RANK_BOX: Final[Box] = (36, 48, 270, 446)
TEN_BOX: Final[Box] = (28, 48, 276, 446)
SUIT_BOX: Final[Box] = (280, 238, 490, 472)
CAP_BOX: Final[Box] = (36, 52, 476, 470)
QUEEN_TAIL: Final = 30
"""Height of the Q's tail, which extends below the other ranks. The bowl is as tall as they are."""

STEM: Final = 71
TEN_STEM: Final = 54
FONT_FILE: Final = SHIPPED / "fonts" / "DejaVuSansCondensed-Bold-ranks.ttf"
FONT_SIZE: Final = 400
FONT_STEM: Final = FONT_SIZE * 347 / 2048
"""Stem width of J and K in the font's own outlines, 347 of 2048 units."""


@cache
def draw_face(name: str) -> bytes:
    """Return a face as a 128 x 128 PNG, transparent outside the card. A process draws each face only once.

    The same version of Pillow always returns the same bytes. Raises ValueError if the name isn't in FACE_NAMES.
    """
    file = BytesIO()
    drawn_face(name).save(file, "PNG", optimize=True)
    return file.getvalue()


@cache
def drawn_face(name: str) -> Image.Image:
    """Return a face as an image, which callers must not modify."""
    if name not in FACE_NAMES:
        raise ValueError(f"no such card face: {name!r}")
    colours = RED_AND_BLACK if name in TWO_COLOURS else SUIT_COLOURS
    canvas = _SPECIALS[name]() if name in _SPECIALS else _card(name[0], name[1], colours[name[1]])
    # Each final pixel is the mean of 4 x 4. Flat areas stay flat, so the files are half the size of those from sharper
    # filters.
    return canvas.resize((FACE_SIDE, FACE_SIDE), Image.Resampling.BOX)


def draw_all() -> dict[str, bytes]:
    """Return all faces by name, in the order of FACE_NAMES."""
    return {name: draw_face(name) for name in FACE_NAMES}


# The cards


def _card(rank: str, suit: str, colour: Colour) -> Image.Image:
    canvas = _blank_card(WHITE, EDGE)
    canvas.paste(colour, SUIT_BOX[:2], _suit_mask(suit))
    canvas.paste(colour, _rank_box(rank)[:2], _rank_mask(rank))
    return canvas


def _coloured_joker() -> Image.Image:
    red, blue, green = (SUIT_COLOURS[suit] for suit in "hdc")
    return _joker(_blank_card(WHITE, EDGE), horns=(red, GOLD, blue), bells=(GOLD, PURPLE, GOLD), brim=green)


def _dark_joker() -> Image.Image:
    # The light edge separates the dark card from a dark background.
    return _joker(_blank_card(NIGHT, STEEL), horns=(STEEL, SILVER, STEEL), bells=(SILVER, SILVER, SILVER), brim=STEEL)


def _back() -> Image.Image:
    canvas = _blank_card(WHITE, EDGE)
    draw = ImageDraw.Draw(canvas)
    draw.rounded_rectangle(_inset(44), RADIUS - 30, fill=BACK_BLUE)
    # There are only nine lozenges, because a finer pattern would blur at 22 px.
    for column, row in product(range(3), repeat=2):
        left, top = 68 + 128 * column, 68 + 128 * row
        draw.polygon(placed(_DIAMOND, (left, top, left + 120, top + 120)), fill=BACK_LIGHT)
    return canvas


def _slot() -> Image.Image:
    canvas = Image.new("RGBA", (CANVAS, CANVAS))
    draw = ImageDraw.Draw(canvas)
    pen = 19
    for x, y in _dashes(half=CANVAS / 2 - pen - 1, radius=RADIUS):
        draw.ellipse((x - pen, y - pen, x + pen, y + pen), fill=SLOT_GREY)
    return canvas


_SPECIALS: Final[dict[str, Callable[[], Image.Image]]] = {
    "X1": _coloured_joker,
    "X2": _dark_joker,
    "back": _back,
    "slot": _slot,
}


def _blank_card(paper: Colour, edge: Colour) -> Image.Image:
    """Return a rounded card that fills the canvas."""
    canvas = Image.new("RGBA", (CANVAS, CANVAS))
    draw = ImageDraw.Draw(canvas)
    draw.rounded_rectangle(_inset(0), RADIUS, fill=edge)
    draw.rounded_rectangle(_inset(EDGE_WIDTH), RADIUS - EDGE_WIDTH, fill=paper)
    return canvas


def _inset(margin: int) -> Box:
    return (margin, margin, CANVAS - 1 - margin, CANVAS - 1 - margin)


def _joker(
    canvas: Image.Image, *, horns: tuple[Colour, Colour, Colour], bells: tuple[Colour, Colour, Colour], brim: Colour
) -> Image.Image:
    """Draw a jester's cap on the card: the left, middle and right horn, each with its bell, above a brim."""
    draw = ImageDraw.Draw(canvas)
    # The middle horn is drawn last, in front of the others.
    for place in (0, 2, 1):
        draw.polygon(placed(_HORNS[place], CAP_BOX), fill=horns[place])
        draw.polygon(placed(_BELLS[place], CAP_BOX), fill=bells[place])
    draw.polygon(placed(_BRIM, CAP_BOX), fill=brim)
    return canvas


# Ranks


def _rank_box(rank: str) -> Box:
    left, top, right, bottom = TEN_BOX if rank == "T" else RANK_BOX
    match rank:
        case "Q":
            return (left, top, right, bottom + QUEEN_TAIL)
        case "J":
            return (left + 16, top, right - 32, bottom)
        case _:
            return (left, top, right, bottom)


@cache
def _rank_mask(rank: str) -> Image.Image:
    """Return the rank as a mask of the size of its box."""
    left, top, right, bottom = _rank_box(rank)
    size = (right - left, bottom - top)
    return _ten(size) if rank == "T" else _glyph(rank, size, STEM)


def _ten(size: tuple[int, int]) -> Image.Image:
    """Return a "10" as tall as the other ranks. Its 1 has no foot, which leaves more room for the 0."""
    width, height = size
    mask = Image.new("L", size)
    one, zero = TEN_STEM + 22, width - TEN_STEM - 22 - 18
    stem: Outline = [(one - TEN_STEM, 0), (one, 0), (one, height), (one - TEN_STEM, height)]
    flag: Outline = [(one - TEN_STEM, height * 0.22), (0, height * 0.28), (0, height * 0.13)]
    ImageDraw.Draw(mask).polygon([*stem, *flag], fill=255)
    mask.paste(_glyph("0", (zero, height), TEN_STEM), (width - zero, 0))
    return mask


def _glyph(character: str, size: tuple[int, int], stem: int) -> Image.Image:
    """Return a character stretched to `size`, with stems about `stem` wide.

    Squeezing a letter makes its stems thinner. To compensate, it's first drawn repeatedly, shifted by a pixel each
    time.
    """
    width, height = size
    font = _font()
    left, top, right, bottom = font.getbbox(character)
    natural = right - left
    smear = max(0, round((stem * natural - FONT_STEM * width) / (width - stem)))
    mask = Image.new("L", (round(natural) + smear, round(bottom - top)))
    draw = ImageDraw.Draw(mask)
    for shift in range(smear + 1):
        draw.text((shift - left, -top), character, fill=255, font=font)
    return mask.resize((width, height), Image.Resampling.LANCZOS, box=mask.getbbox())


@cache
def _font() -> ImageFont.FreeTypeFont:
    # The basic layout engine is the same everywhere. The other one depends on a library that may be missing.
    return ImageFont.truetype(FONT_FILE, FONT_SIZE, layout_engine=ImageFont.Layout.BASIC)


# Outlines as fractions of their box: x to the right, y down


@cache
def _suit_mask(suit: str) -> Image.Image:
    """Return the suit as a mask of the size of its box."""
    left, top, right, bottom = SUIT_BOX
    mask = Image.new("L", (right - left, bottom - top))
    draw = ImageDraw.Draw(mask)
    for outline in SUIT_OUTLINES[suit]:
        draw.polygon(placed(outline, (0, 0, right - left - 1, bottom - top - 1)), fill=255)
    return mask


def placed(outline: Iterable[Point], box: tuple[float, float, float, float]) -> Outline:
    """Return an outline, whose points lie between 0 and 1, as large as ``box``."""
    left, top, right, bottom = box
    return [(left + x * (right - left), top + y * (bottom - top)) for x, y in outline]


def _curve(start: Point, pull: Point, push: Point, end: Point) -> Outline:
    """Return a cubic Bézier curve as 24 points, without its end."""
    xs, ys = zip(start, pull, push, end, strict=True)
    return [(_bezier(step / 24, *xs), _bezier(step / 24, *ys)) for step in range(24)]


def _bezier(t: float, start: float, pull: float, push: float, end: float) -> float:
    return (1 - t) ** 3 * start + 3 * (1 - t) ** 2 * t * pull + 3 * (1 - t) * t**2 * push + t**3 * end


def _circle(x: float, y: float, radius: float) -> Outline:
    return [(x + radius * cos(tau * step / 64), y + radius * sin(tau * step / 64)) for step in range(64)]


def _mirrored(outline: Outline) -> Outline:
    return [(1 - x, y) for x, y in reversed(outline)]


def _heart() -> Outline:
    right = [
        *_curve((0.5, 0.24), (0.58, 0.04), (0.72, 0.0), (0.77, 0.0)),
        *_curve((0.77, 0.0), (0.91, 0.0), (1.0, 0.11), (1.0, 0.28)),
        *_curve((1.0, 0.28), (1.0, 0.56), (0.68, 0.74), (0.5, 1.0)),
        (0.5, 1.0),
    ]
    return right + _mirrored(right)


def _spade() -> list[Outline]:
    blade = [(x, 0.86 * (1 - y)) for x, y in _heart()]
    return [blade, [(0.5, 0.5), (0.56, 0.8), (0.72, 1.0), (0.28, 1.0), (0.44, 0.8)]]


def _club() -> list[Outline]:
    leaves = [_circle(0.5, 0.235, 0.235), _circle(0.235, 0.59, 0.235), _circle(0.765, 0.59, 0.235)]
    heart = [(0.5, 0.2), (0.66, 0.62), (0.5, 0.75), (0.34, 0.62)]
    return [*leaves, heart, [(0.5, 0.5), (0.57, 0.78), (0.73, 1.0), (0.27, 1.0), (0.43, 0.78)]]


_DIAMOND: Final[Outline] = [(0.5, 0.0), (0.96, 0.5), (0.5, 1.0), (0.04, 0.5)]
SUIT_OUTLINES: Final[dict[str, list[Outline]]] = {"s": _spade(), "h": [_heart()], "d": [_DIAMOND], "c": _club()}

_LEFT_HORN: Final[Outline] = [
    *_curve((0.16, 0.8), (0.24, 0.5), (0.2, 0.44), (0.07, 0.5)),
    *_curve((0.07, 0.5), (0.08, 0.1), (0.46, 0.1), (0.6, 0.8)),
    (0.6, 0.8),
]
_MIDDLE_HORN: Final[Outline] = [
    *_curve((0.26, 0.8), (0.3, 0.5), (0.42, 0.4), (0.5, 0.1)),
    *_curve((0.5, 0.1), (0.58, 0.4), (0.7, 0.5), (0.74, 0.8)),
    (0.74, 0.8),
]
_HORNS: Final = (_LEFT_HORN, _MIDDLE_HORN, _mirrored(_LEFT_HORN))
_BELLS: Final = (_circle(0.09, 0.55, 0.09), _circle(0.5, 0.09, 0.09), _circle(0.91, 0.55, 0.09))
_BRIM: Final[Outline] = [(0.13, 0.8), (0.87, 0.8), (0.83, 1.0), (0.17, 1.0)]


def _dashes(*, half: float, radius: float) -> Outline:
    """Return close points along twelve dashes around a rounded square: one on each corner, two on each side.

    `half` is half the square's side. The first quarter runs from the middle of the top to the middle of the right.
    """
    straight = half - radius
    quarter = 2 * straight + radius * pi / 2
    # A quarter has three dashes in 240 steps, the second on the corner. The round pen makes the gaps look narrower.
    on = [step for step in range(240) if 22 <= step % 80 < 58]
    points = [_along_quarter(quarter * step / 240, straight, radius) for step in on]
    turned = [points]
    for _ in range(3):
        turned.append([(-y, x) for x, y in turned[-1]])
    return [(CANVAS / 2 + x, CANVAS / 2 + y) for part in turned for x, y in part]


def _along_quarter(way: float, straight: float, radius: float) -> Point:
    """Return the point after `way` pixels along the top, the corner and the right side, relative to the centre."""
    half = straight + radius
    arc = radius * pi / 2
    if way < straight:
        return (way, -half)
    if way < straight + arc:
        angle = (way - straight) / radius
        return (straight + radius * sin(angle), -straight - radius * cos(angle))
    return (half, way - arc - 2 * straight)
