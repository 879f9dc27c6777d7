"""Sentences for *Text only* readers, which have no signs, whatever their values."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from bot.text.catalogue import ALOUD, COUNT, TextError, aloud, load_catalogue
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.text.test_catalogue import BOTH, write

DRAWN = ("page.", "playground.", "event_picture.")
"""Sections of pages and pictures, which these readers don't get from Discord."""
UNHEARD = {
    "daily.legend": "names the squares, which aren't drawn for these readers",
    "royalty_editor.line_example": "is typed",
}
SAID_BY_THE_REST = {
    "event_notice.title": "an event's name",
    "season.titled": "the title",
    "typed.placed": "where, and which cards",
}
"""Sentences that are nothing but fields behind a sign, and what says the same as the sign."""
SPOKEN_SIGNS = frozenset("+＋=＝−×÷√～")
"""Signs that every screen reader has a short name for."""
_FIELD = re.compile(r"\{\w+\}")
_TIME = re.compile(r"<[t@#:][^>]*>")


def signs(text: str) -> list[str]:
    """Return signs in a sentence that are only meaningful visually."""
    plain = _TIME.sub("", _FIELD.sub("x", text))
    found = [
        one
        for one in plain
        if one not in SPOKEN_SIGNS and (unicodedata.category(one) in ("So", "Sm") or one in "·→›▸\ufe0e\ufe0f")
    ]
    return [*found, *re.findall(r"(?<=\w)–(?=\w)| – ", plain)]


def every_sentence(code: str) -> dict[str, list[str]]:
    """Every wording of every sentence as these readers get it, by its key."""
    entries = words_for(code).aloud.entries
    return {
        key: [*entry.forms.values(), entry.other]
        for key, entry in entries.items()
        if not key.startswith(DRAWN) and key not in UNHEARD
    }


def test_the_check_sees_signs() -> None:
    assert signs("a · b") == ["·"]
    assert signs("{first} – {second}") == [" – "]
    assert signs("{least}–{most}") == ["–"]
    assert signs("⛔ {player} ≤ ♠") == ["⛔", "≤", "♠"]
    assert not signs("{points} = +3, <t:{at}:R>")


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_sentence_has_a_sign_in_it(code: str) -> None:
    sentences = every_sentence(code)
    assert len(sentences) > 2000
    assert {key: said for key, said in sentences.items() if any(map(signs, said))} == {}


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_sign_that_says_something_is_not_just_left_out(code: str) -> None:
    """``✅ {street}`` without its sign would say nothing of the street."""
    drawn, heard = words_for(code).entries, words_for(code).aloud.entries
    left_out = [
        key for key in every_sentence(code) if drawn[key].other != heard[key].other and key + ALOUD not in drawn
    ]
    assert len(left_out) > 80
    assert {key for key in left_out if not re.search(r"\w", _FIELD.sub("", heard[key].other))} == set(SAID_BY_THE_REST)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_twin_stands_where_a_language_needs_one(code: str) -> None:
    entries = load_catalogue()[code]
    twins = {key: key.removesuffix(ALOUD) for key in entries if key.endswith(ALOUD)}
    assert len(twins) > 80
    plain = aloud({key: entry for key, entry in entries.items() if key not in twins})
    assert [key for key, sentence in twins.items() if entries[key].other == plain[sentence].other] == []


def test_a_twin_stands_in_for_its_sentence(tmp_path: Path) -> None:
    write(
        tmp_path,
        en=(
            'word = "{a} · {b}"\nword-aloud = "{a}"\nmark = "-# 🔒 Locked"\n'
            'more = { one = "⏳ {count}", other = "⏳ {count}s" }'
        ),
        ja='word = "{a} · {b}"\nword-aloud = "{a}の番"\nmark = "-# 🔒 確定"\nmore = "⏳ {count}"',
    )
    english = aloud(load_catalogue(tmp_path, BOTH)["en"])
    assert english["word"].other == "{a}"
    assert english["word"].fields == {"a", "b"}, "it takes what the sentence takes"
    assert english["mark"].other == "-# Locked"
    assert english["more"].forms["one"] == "{count}"
    assert english["more"].fields == {COUNT}


def test_a_twin_without_a_sentence_is_refused(tmp_path: Path) -> None:
    write(tmp_path, en='word-aloud = "a"', ja='word-aloud = "あ"')
    with pytest.raises(TextError, match="is the twin of a sentence that does not exist"):
        aloud(load_catalogue(tmp_path, BOTH)["en"])


def test_a_field_that_the_sentence_lacks_is_refused(tmp_path: Path) -> None:
    write(tmp_path, en='word = "a"\nword-aloud = "{b}"', ja='word = "あ"\nword-aloud = "{b}"')
    with pytest.raises(TextError, match="is unknown to"):
        aloud(load_catalogue(tmp_path, BOTH)["en"])
