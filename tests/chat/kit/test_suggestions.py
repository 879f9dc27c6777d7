"""Lists of suggestions that are longer than Discord shows."""

from __future__ import annotations

import pytest
from discord import app_commands

from bot.chat.kit.suggestions import MAX_SUGGESTIONS, shortened
from bot.text.languages import LANGUAGES
from bot.text.words import words_for


def choices(count: int) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=f"Table {number}", value=str(number)) for number in range(count)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_last_row_says_how_many_more_there_are(language: str) -> None:
    words = words_for(language)
    assert shortened(choices(MAX_SUGGESTIONS), "t", words) == choices(MAX_SUGGESTIONS)
    found = shortened(choices(40), " t ", words)
    assert found[:-1] == choices(MAX_SUGGESTIONS - 1)
    assert found[-1] == app_commands.Choice(name=words("acts.everything.more", count=16), value="t")


def test_without_a_typed_text_the_row_is_no_value_that_a_free_option_would_take() -> None:
    words = words_for("en")
    row = shortened(choices(40), "", words)[-1]
    assert row.value == row.name
    assert shortened(choices(40), "", words, free=True) == choices(MAX_SUGGESTIONS)
