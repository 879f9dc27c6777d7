"""The documents are the rendered ones, in every language."""

from pathlib import Path

import pytest

from bot.ofc.presets import PRESETS
from bot.text.languages import LANGUAGES
from bot.text.rulebook.book import document, games_table
from bot.text.rulebook.documents import DOCS, write_documents, write_readmes
from bot.text.words import words_for
from tests.text.rulebook.games import EN


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


def test_the_table_of_games_is_written_between_its_marks(tmp_path: Path) -> None:
    for name in ("README.md", "README.ja.md"):
        (tmp_path / name).write_text("above\n<!-- games -->\nold\n<!-- /games -->\nbelow\n", encoding="utf-8")
    assert write_readmes(tmp_path) == [tmp_path / "README.md", tmp_path / "README.ja.md"]
    written = (tmp_path / "README.md").read_text(encoding="utf-8")
    table = games_table(PRESETS.values(), EN)
    assert written == f"above\n<!-- games -->\n{table}\n<!-- /games -->\nbelow\n"
    (tmp_path / "README.md").write_text("no marks", encoding="utf-8")
    with pytest.raises(ValueError, match=r"README\.md: the table of games stands between"):
        write_readmes(tmp_path)


def test_a_language_without_a_readme_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("<!-- games -->\n<!-- /games -->\n", encoding="utf-8")
    assert write_readmes(tmp_path) == [tmp_path / "README.md"]
