"""Card faces, which must be distinguishable at Discord's size and valid as emojis."""

from hashlib import sha256
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.chat.art.faces import (
    FACE_NAMES,
    FACE_SIDE,
    FACES_DIGEST,
    FONT_FILE,
    FOUR_COLOURS,
    RANKS,
    SUIT_COLOURS,
    SUITS,
    TWO_COLOURS,
    draw_all,
    draw_face,
)

CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)
IN_TWO_COLOURS = tuple(name + "2" if name + "2" in TWO_COLOURS else name for name in FOUR_COLOURS)
DARK = (0x31, 0x33, 0x38)
LIGHT = (0xFF, 0xFF, 0xFF)
TEXT_SIDE = 22
NEAREST_PAIR = 8.0
"""Mean difference per channel, of 255. The nearest two faces, 6d and 8d, were measured at 11.0."""
NEAREST_OF_ONE_COLOUR = 4.0
"""The limit for two colours, where spades and clubs differ only in shape. The measured value is 4.2."""
FAINTEST_FACE = 12.0
"""The limit against the bare background. The faintest face, the slot on dark, has 17.7."""


@pytest.fixture(scope="module")
def faces() -> dict[str, Image.Image]:
    return {name: Image.open(BytesIO(png)) for name, png in draw_all().items()}


def in_text(face: Image.Image, background: tuple[int, int, int]) -> Image.Image:
    small = face.resize((TEXT_SIDE, TEXT_SIDE), Image.Resampling.LANCZOS)
    shown = Image.new("RGB", small.size, background)
    shown.paste(small, (0, 0), small)
    return shown


def difference(one: Image.Image, other: Image.Image) -> float:
    return sum(ImageStat.Stat(ImageChops.difference(one, other)).mean) / 3


def pixels_of(face: Image.Image, colour: tuple[int, int, int]) -> int:
    counts = {pixel: count for count, pixel in face.getcolors(FACE_SIDE * FACE_SIDE) or []}
    return counts.get((*colour, 255), 0)


def test_the_names_are_52_cards_two_jokers_a_back_and_a_slot() -> None:
    assert sorted(FOUR_COLOURS) == sorted([*CARDS, "X1", "X2", "back", "slot"])
    assert len(set(FOUR_COLOURS)) == 56


def test_a_deck_of_two_colours_has_diamonds_and_clubs_of_its_own() -> None:
    assert sorted(TWO_COLOURS) == sorted(card + "2" for card in CARDS if card[1] in "dc")
    assert FACE_NAMES == FOUR_COLOURS + TWO_COLOURS


@pytest.mark.parametrize("name", TWO_COLOURS)
def test_in_two_colours_diamonds_are_red_as_hearts_and_clubs_black_as_spades(
    name: str, faces: dict[str, Image.Image]
) -> None:
    same = {"d": "h", "c": "s"}[name[1]]
    drawn = {suit: pixels_of(faces[name], colour) for suit, colour in SUIT_COLOURS.items()}
    assert drawn.pop(same) > FACE_SIDE * FACE_SIDE // 8
    assert set(drawn.values()) == {0}


def test_every_name_is_drawn_in_the_order_of_the_names() -> None:
    assert tuple(draw_all()) == FACE_NAMES


def test_the_emojis_are_named_after_what_is_drawn(faces: dict[str, Image.Image]) -> None:
    digest = sha256(b"".join(face.tobytes() for face in faces.values())).hexdigest()[:3]
    assert digest == FACES_DIGEST, (
        f"the faces have changed: write {digest} into FACES_DIGEST, with a mark in DECK_MARKS, and they are uploaded"
    )


def test_every_face_is_a_square_png_with_transparent_corners(faces: dict[str, Image.Image]) -> None:
    for name, face in faces.items():
        assert (face.format, face.mode, face.size) == ("PNG", "RGBA", (FACE_SIDE, FACE_SIDE)), name
        assert face.getpixel((0, 0)) == (0, 0, 0, 0), name


def test_every_face_is_a_small_file() -> None:
    sizes = {name: len(png) for name, png in draw_all().items()}
    assert max(sizes.values()) < 8 * 1024, sizes


def test_every_face_reaches_all_four_sides_of_the_square(faces: dict[str, Image.Image]) -> None:
    for name, face in faces.items():
        assert face.getbbox() == (0, 0, FACE_SIDE, FACE_SIDE), name


@pytest.mark.parametrize("name", ["As", "Th", "X1", "slot"])
def test_a_face_is_drawn_the_same_twice(name: str) -> None:
    assert draw_face.__wrapped__(name) == draw_face.__wrapped__(name)


@pytest.mark.parametrize("background", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize(
    ("deck", "nearest"), [(FOUR_COLOURS, NEAREST_PAIR), (IN_TWO_COLOURS, NEAREST_OF_ONE_COLOUR)], ids=["four", "two"]
)
def test_any_two_faces_of_a_deck_differ_at_the_size_of_text(
    faces: dict[str, Image.Image], background: tuple[int, int, int], deck: tuple[str, ...], nearest: float
) -> None:
    shown = {name: in_text(faces[name], background) for name in deck}
    close = [pair for pair in combinations(shown, 2) if difference(shown[pair[0]], shown[pair[1]]) < nearest]
    assert close == []


@pytest.mark.parametrize("background", [DARK, LIGHT], ids=["dark", "light"])
def test_every_face_stands_out_from_the_background(
    faces: dict[str, Image.Image], background: tuple[int, int, int]
) -> None:
    bare = Image.new("RGB", (TEXT_SIDE, TEXT_SIDE), background)
    assert [name for name, face in faces.items() if difference(in_text(face, background), bare) < FAINTEST_FACE] == []


@pytest.mark.parametrize("name", CARDS)
def test_a_card_is_drawn_in_the_colour_of_its_suit_alone_on_white(name: str, faces: dict[str, Image.Image]) -> None:
    drawn = {suit: pixels_of(faces[name], colour) for suit, colour in SUIT_COLOURS.items()}
    inked = drawn.pop(name[1])
    assert inked > FACE_SIDE * FACE_SIDE // 8
    assert set(drawn.values()) == {0}
    assert pixels_of(faces[name], (255, 255, 255)) > FACE_SIDE * FACE_SIDE // 3


def test_the_suits_are_near_black_red_blue_and_green() -> None:
    assert max(SUIT_COLOURS["s"]) < 40
    strongest = {suit: "rgb"[colour.index(max(colour))] for suit, colour in SUIT_COLOURS.items() if suit != "s"}
    assert strongest == {"h": "r", "d": "b", "c": "g"}


def test_one_joker_is_coloured_and_the_other_dark(faces: dict[str, Image.Image]) -> None:
    coloured, dark = (ImageStat.Stat(in_text(faces[name], LIGHT).convert("HSV")) for name in ("X1", "X2"))
    assert coloured.mean[1] > 2 * dark.mean[1]
    assert dark.mean[2] < 0.6 * coloured.mean[2]


def test_the_slot_is_empty_inside(faces: dict[str, Image.Image]) -> None:
    inside = faces["slot"].crop((16, 16, FACE_SIDE - 16, FACE_SIDE - 16))
    assert inside.getchannel("A").getextrema() == (0, 0)


@pytest.mark.parametrize("name", ["", "10h", "Xs", "as", "AS", "1h", "X3", "Back", "As2", "back2"])
def test_an_unknown_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no such card face"):
        draw_face(name)


def test_the_font_travels_with_its_licence() -> None:
    assert FONT_FILE.is_file()
    assert "Bitstream Vera Fonts Copyright" in (FONT_FILE.parent / "LICENSE-DejaVu.txt").read_text(encoding="utf-8")
