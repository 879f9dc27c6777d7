"""The pictures of the documents are no older than the screens that they show."""

import re
from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from bot.base.installation import HOME
from tests.discord.club import open_club
from tests.evening import EVENINGS, NAMES, UNDATED, Evening, drawn_board, drawn_streets, file_of, save_moving, taken
from tests.test_pineapple_page import WRITTEN

IMAGES = HOME / "docs/images"
PAGES = (*HOME.glob("*.md"), *HOME.glob("docs/**/*.md"))
MEASURED = "solver-time.png"
"""A plot of a measurement, which is no screen."""


@pytest.mark.prose
@pytest.mark.parametrize("language", WRITTEN)
@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening.names[0])
async def test_no_picture_is_older_than_its_screen(evening: Evening, language: str, tmp_path: Path) -> None:
    async with open_club(tmp_path, seeds=evening.seeds) as club:
        if language != "en":
            club.world.speak(language)
        now: dict[str, str] = {}
        async for shot in evening.play(club):
            now[file_of(shot.name, language)] = shot.digest
            if len(now) == len(evening.names):
                break
    assert [*now] == [file_of(name, language) for name in evening.names]
    known = taken()
    assert [name for name, digest in now.items() if known.get(name) != digest] == [], "run make pictures"


def test_every_digest_is_that_of_a_picture_which_is_there() -> None:
    assert [*taken()] == sorted(file_of(name, language) for name in NAMES for language in WRITTEN)
    assert [name for name in taken() if not (IMAGES / name).is_file()] == []


@pytest.mark.prose
@pytest.mark.parametrize("language", WRITTEN)
def test_the_board_that_newcomers_see_is_that_of_their_page_as_it_is_drawn_today(language: str) -> None:
    with Image.open(IMAGES / file_of("board", language)) as shown:
        assert shown.convert("RGB").tobytes() == drawn_board(language).tobytes(), "run make pictures"


@pytest.mark.prose
@pytest.mark.parametrize("language", WRITTEN)
def test_the_moving_hand_is_that_of_the_page_as_it_is_drawn_today(language: str, tmp_path: Path) -> None:
    drawn = drawn_streets(language)
    save_moving(drawn, tmp_path / "hand.png")
    with Image.open(tmp_path / "hand.png") as now, Image.open(IMAGES / file_of("hand", language)) as shown:
        frames = [[frame.convert("RGB").tobytes() for frame in ImageSequence.Iterator(each)] for each in (now, shown)]
    assert len(frames[0]) == len(drawn) + 1
    assert frames[0] == frames[1], "run make pictures"


def test_every_picture_of_the_documents_is_made_by_machine_and_every_one_made_is_shown() -> None:
    shown = {name for path in PAGES for name in re.findall(r"images/([\w-]+\.png)", path.read_text(encoding="utf-8"))}
    made = {file_of(name, language) for name in (*NAMES, *UNDATED) for language in WRITTEN}
    assert {path.name for path in IMAGES.iterdir()} == made | {MEASURED} == shown
