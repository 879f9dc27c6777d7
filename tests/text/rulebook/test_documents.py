"""The documents are the rendered ones, in every language."""

from pathlib import Path

import pytest

from bot.pure.ofc.presets import PRESETS
from bot.text.languages import LANGUAGES
from bot.text.rulebook.book import DOCS, count_games, document, write_documents
from bot.text.words import words_for


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_committed_rules_are_the_rendered_ones(language: str) -> None:
    written = (DOCS / LANGUAGES[language].document("rules")).read_text(encoding="utf-8")
    assert written == document(words_for(language)), "run python -m bot.text.rulebook"


def test_the_papers_are_written_in_every_language(tmp_path: Path) -> None:
    written = write_documents(tmp_path)
    assert (
        {*written}
        == {*tmp_path.iterdir()}
        == {tmp_path / language.document("rules") for language in LANGUAGES.values()}
    )


def test_the_readmes_are_told_how_many_games_there_are(tmp_path: Path) -> None:
    lines = {"README.md": "There are {} games, from 3 cards on.\n", "README.ja.md": "3枚から、{}種類のゲーム\n"}
    for name, line in lines.items():
        (tmp_path / name).write_text(line.format(1), encoding="utf-8")
    assert count_games(tmp_path) == [tmp_path / name for name in lines]
    for name, line in lines.items():
        assert (tmp_path / name).read_text(encoding="utf-8") == line.format(len(PRESETS))
