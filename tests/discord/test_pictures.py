"""The pictures of the documents are no older than the screens that they show."""

from pathlib import Path

import pytest

from bot.installation import HOME
from bot.text.languages import LANGUAGES
from tests.discord.club import open_club
from tests.evening import EVENINGS, NAMES, Evening, file_of, taken


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening.names[0])
async def test_no_picture_is_older_than_its_screen(evening: Evening, language: str, tmp_path: Path) -> None:
    async with open_club(tmp_path, seeds=evening.seeds) as club:
        if language != "en":
            club.world.speak(language)
        now = {file_of(shot.name, language): shot.digest async for shot in evening.play(club)}
    assert [*now] == [file_of(name, language) for name in evening.names]
    known = taken()
    assert [name for name, digest in now.items() if known.get(name) != digest] == [], "run make pictures"


def test_every_digest_is_that_of_a_picture_which_is_there() -> None:
    assert [*taken()] == sorted(file_of(name, language) for name in NAMES for language in LANGUAGES)
    assert [name for name in taken() if not (HOME / "docs/images" / name).is_file()] == []
