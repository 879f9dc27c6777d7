"""Contrast of pictures for weak eyes (WCAG 2.2: 4.5 to 1 for letters, 3 to 1 for shapes)."""

from collections import Counter
from io import BytesIO
from itertools import combinations
from typing import Protocol, cast

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.chat.art.faces import (
    BACK_BLUE,
    BACK_LIGHT,
    EDGE,
    FACE_NAMES,
    FACE_SIDE,
    FOUR_COLOURS,
    RANKS,
    SILVER,
    SLOT_GREY,
    STEEL,
    SUIT_COLOURS,
    SUITS,
    TWO_COLOURED,
    TWO_COLOURS,
    WHITE,
    Colour,
    draw_face,
)
from bot.chat.art.faces import NIGHT as DARK_JOKER
from bot.chat.art.felt import FELT, GOLD, INK, IVORY, LOST, NIGHT, PALE, NamedRow, draw_board
from bot.chat.art.podium import PlacedBoard, PodiumStep, draw_cover, draw_podium
from bot.chat.art.result_picture import DrawnBoard, DrawnRow, draw_result

LETTERS, SHAPES = 4.5, 3.0
"""Minimum contrast of letters, and of shapes."""
DISCORD_DARK: Colour = (49, 51, 56)
DISCORD_LIGHT: Colour = (255, 255, 255)
CARDS: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]] = (
    ("Ah", "Ad", "Qc"),
    ("9s", "9h", "8d", "4c", "4s"),
    ("Ts", "Js", "Qs", "Ks", "As"),
)
RIMS = 0.01
"""Permitted share of letters on the rim of a dot that marks their position."""
INSIDE = (16, 16, FACE_SIDE - 16, FACE_SIDE - 16)
"""The area within a card's edge."""
TEXT_SIDE = 22
"""Pixels of an emoji in a line of text."""


def luminance(colour: Colour) -> float:
    parts = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: Colour, other: Colour) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


# Cards


@pytest.mark.parametrize("deck", [FOUR_COLOURS, TWO_COLOURS], ids=["four", "two"])
def test_rank_and_suit_of_a_card_can_be_read_on_its_paper(deck: tuple[str, ...]) -> None:
    for name in deck:
        if name[0] in RANKS:
            assert contrast(*_paper_and_ink(name)) >= LETTERS, name


def _paper_and_ink(name: str) -> list[Colour]:
    """The two commonest colours of a card."""
    face = Image.open(BytesIO(draw_face(name))).convert("RGB").crop(INSIDE)
    colours = [cast("Colour", colour) for colour, _ in Counter(face.get_flattened_data()).most_common(2)]
    assert WHITE in colours
    return colours


@pytest.mark.parametrize(
    ("shape", "ground"),
    [
        (EDGE, DISCORD_DARK),
        (EDGE, DISCORD_LIGHT),
        (WHITE, DISCORD_DARK),
        (WHITE, FELT),
        (WHITE, NIGHT),
        (SLOT_GREY, DISCORD_DARK),
        (SLOT_GREY, DISCORD_LIGHT),
        (BACK_LIGHT, BACK_BLUE),
        (SUIT_COLOURS["h"], WHITE),
        (SUIT_COLOURS["d"], WHITE),
        (STEEL, DARK_JOKER),
        (SILVER, DARK_JOKER),
    ],
)
def test_shapes_stand_out_from_their_ground(shape: Colour, ground: Colour) -> None:
    """Cards and empty places in both themes of Discord, the back's pattern, both jokers."""
    assert contrast(shape, ground) >= SHAPES


@pytest.mark.parametrize("two", ["", TWO_COLOURED], ids=["four", "two"])
@pytest.mark.parametrize("rank", RANKS)
def test_suits_are_told_apart_without_their_colours(rank: str, two: str) -> None:
    own = {suit: rank + suit + two for suit in SUITS}
    inked = {suit: _inked(draw_face(name if name in FACE_NAMES else rank + suit)) for suit, name in own.items()}
    for one, other in combinations(SUITS, 2):
        apart = ImageChops.difference(inked[one], inked[other]).point([255 * (level > 96) for level in range(256)])
        assert ImageStat.Stat(apart).sum[0] / 255 >= 4, (one, other)


def _inked(png: bytes) -> Image.Image:
    """Where a card is printed, at the size of text, whatever the colour."""
    face = Image.open(BytesIO(png)).convert("RGB").convert("L")
    return face.point([255 if level < 160 else 0 for level in range(256)]).resize((TEXT_SIDE, TEXT_SIDE))


# Letters on pictures


def weak(written: bytes, blank: bytes, colours: set[Colour]) -> dict[Colour, float]:
    """Return, for each colour of letters, the share that is hard to read on the blank picture."""
    pixels, hard = Counter[Colour](), Counter[Colour]()
    pictures = [Image.open(BytesIO(png)).convert("RGB") for png in (written, blank)]
    pairs = Counter(zip(*(picture.get_flattened_data() for picture in pictures), strict=True))
    for (letter, ground), count in pairs.items():
        if letter != ground and letter in colours:
            pixels[letter] += count
            hard[letter] += count * (contrast(letter, ground) < LETTERS)
    assert pixels.keys() == colours
    return {colour: hard[colour] / pixels[colour] for colour in colours if hard[colour]}


class Draw(Protocol):
    """A picture as a PNG, with all its letters or without them."""

    def __call__(self, *, written: bool) -> bytes: ...


def podium(*, written: bool) -> bytes:
    def text(shown: str) -> str:
        return shown if written else ""

    places = [
        # A dot marks the position of omitted text, and so that of the number above.
        PodiumStep(place=place, names=(text("Ann"),), prize=text("12,345 chips") or ".", title=text("Champion") or ".")
        for place in (1, 2, 3)
    ]
    boards = [PlacedBoard(name=text("Ann Mustermann"), rows=CARDS)] * 3
    return draw_podium(
        heading=text("Friday night"), game=text("Pineapple OFC"), places=places, boards=boards, last_hand=text("Last")
    )


def result(*, written: bool) -> bytes:
    def text(told: str) -> str:
        return told if written else ""

    def row(number: int) -> DrawnRow:
        told = ("F", "pair of aces", "+9") if written else ("", "", "")
        return DrawnRow(letter=told[0], cards=CARDS[number], hand=told[1], royalty=told[2])

    rows = (row(0), row(1), row(2))
    boards = [
        DrawnBoard(
            name="Ann" if written else "",
            note="foul" if written else "",
            points="+13" if written else "",
            won=won,
            rows=rows,
        )
        for won in (True, False)
    ]
    return draw_result(boards)


def board(*, written: bool) -> bytes:
    rows = [NamedRow(name="Front" if written else "", cards=cards, hand="Pair" if written else "") for cards in CARDS]
    return draw_board(rows)


def cover(*, written: bool) -> bytes:
    return draw_cover(heading="Friday night" if written else "", game="Pineapple OFC" if written else "")


@pytest.mark.parametrize(
    ("draw", "colours"),
    [
        pytest.param(podium, {INK, GOLD, IVORY, PALE}, id="podium"),
        pytest.param(result, {GOLD, IVORY, PALE, LOST}, id="result"),
        pytest.param(board, {GOLD, IVORY}, id="board"),
        pytest.param(cover, {GOLD, IVORY}, id="cover"),
    ],
)
def test_every_letter_of_a_picture_can_be_told_from_what_lies_below_it(draw: Draw, colours: set[Colour]) -> None:
    found = weak(draw(written=True), draw(written=False), colours)
    assert {colour: share for colour, share in found.items() if share > RIMS} == {}
