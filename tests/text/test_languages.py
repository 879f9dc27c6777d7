"""Each language is one complete entry, and input in one language has no other meaning in another."""

from collections.abc import Mapping
from typing import Any

import pytest

from bot.text.languages import ENGLISH, JAPANESE, LANGUAGES, PLURAL_FORMS, Language, language_of


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("ja", JAPANESE),
        ("ja-JP", JAPANESE),
        ("en-US", ENGLISH),
        ("en-GB", ENGLISH),
        ("th", ENGLISH),
        ("", ENGLISH),
        ("None", ENGLISH),
    ],
)
def test_a_locale_is_read_in_its_language_or_else_in_english(locale: str, language: Language) -> None:
    assert language_of(locale) is language


@pytest.mark.parametrize("code", LANGUAGES)
def test_an_entry_stands_under_its_code_and_knows_the_form_of_every_number(code: str) -> None:
    language = LANGUAGES[code]
    assert language.code == code
    assert list(language.forms) == [form for form in PLURAL_FORMS if form in language.forms]
    assert {language.form(number) for number in range(-2, 1_001)} == {*language.forms}


def test_no_two_languages_share_a_document_or_a_locale() -> None:
    assert len({language.documents for language in LANGUAGES.values()}) == len(LANGUAGES)
    locales = [locale for language in LANGUAGES.values() for locale in language.locales]
    assert len({*locales}) == len(locales)


@pytest.mark.parametrize("what", ["units", "places", "multiples"])
def test_a_word_that_is_typed_means_the_same_in_every_language(what: str) -> None:
    meanings: dict[str, Any] = {}
    for language in LANGUAGES.values():
        typed: Mapping[str, Any] = getattr(language.typed, what)
        assert {word: meanings.setdefault(word, meaning) for word, meaning in typed.items()} == typed


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_week_that_is_typed_has_seven_days(code: str) -> None:
    assert len(LANGUAGES[code].typed.weekdays) == 7
