"""The pictures of events: whatever the names are, they fit, and phones can read them."""

from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from bot.chat.art.felt import MIN_TEXT_SIZE, drawable, fit_text
from bot.chat.art.podium import COVER_SIZE, WIDTH, PlacedBoard, PodiumStep, draw_cover, draw_podium

BOARD = PlacedBoard(
    name="Ann", rows=(("Ah", "Ad", "Qc"), ("9s", "9h", "X1", "4c", "4s"), ("Ts", "Js", "Qs", "Ks", "As"))
)
LONG = "第12回 金曜夜のオープンフェイス・チャイニーズポーカー選手権大会・冬の陣 Grand Final"


def read(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


def podium(*names: str, boards: int = 0, heading: str = "Friday night") -> Image.Image:
    places = [PodiumStep(place=place, names=(name,), prize="100 chips") for place, name in enumerate(names, start=1)]
    picture = draw_podium(
        heading=heading, game="Pineapple OFC", places=places, boards=[BOARD] * boards, last_hand="The last hand"
    )
    return read(picture)


def test_a_champions_picture_is_a_png_that_discord_shows_at_once() -> None:
    png = draw_podium(heading="Friday", game="OFC", places=[PodiumStep(place=1, names=("Ann",))], boards=[BOARD] * 3)
    assert (read(png).format, read(png).width) == ("PNG", WIDTH)
    assert len(png) < 1024 * 1024


def test_a_cover_has_the_size_that_discord_asks_for() -> None:
    assert read(draw_cover(heading=LONG, game="Pineapple OFC")).size == COVER_SIZE


@pytest.mark.parametrize("boards", [0, 1, 2, 3, 8])
def test_however_many_boards_there_are_the_picture_is_never_taller_than_wide_by_much(boards: int) -> None:
    assert podium("Ann", "Bob", "Cleo", boards=boards).height < WIDTH * 1.05


def test_every_name_is_seen() -> None:
    bare = podium("Ann", "", "")
    for names in (("Ann", "Bob", ""), ("Ann", "", "太郎")):
        assert ImageChops.difference(bare, podium(*names)).getbbox() is not None


def test_two_players_stand_in_the_middle() -> None:
    picture = podium("Ann", "Bob")
    left, _, right, _ = ImageChops.difference(picture, podium()).getbbox() or (0, 0, 0, 0)
    assert abs((left + right) / 2 - WIDTH / 2) < 12


def test_fancy_letters_become_plain_and_emojis_are_left_out() -> None:
    assert drawable("𝕬𝖓𝖓 🎉 ﾀﾛｳ\n\u202eevil") == "Ann タロウ evil"


def test_a_name_that_cannot_be_drawn_at_all_leaves_nothing() -> None:
    assert drawable("🎉🎉") == ""


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=60), st.integers(1, 3))
def test_whatever_is_written_no_line_is_wider_than_its_room_and_no_letter_too_small(text: str, lines: int) -> None:
    broken, font = fit_text(drawable(text), size=64, least=MIN_TEXT_SIZE, room=400, lines=lines)
    assert len(broken) <= lines
    assert font.size >= MIN_TEXT_SIZE
    assert all(font.getlength(line.rstrip()) <= 400 for line in broken)


def test_a_long_name_is_cut_and_says_so() -> None:
    (line,), font = fit_text(LONG, size=52, least=MIN_TEXT_SIZE, room=350, lines=1)
    assert line.endswith("…")
    assert font.size == MIN_TEXT_SIZE
