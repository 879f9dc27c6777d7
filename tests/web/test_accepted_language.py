"""The header Accept-Language, as browsers and strangers send it."""

from __future__ import annotations

import pytest

from bot.web.accepted_language import MAX_HEADER_LENGTH, accepted_language


@pytest.mark.parametrize(
    ("header", "default", "expected"),
    [
        ("ja", "en", "ja"),
        ("en-GB;q=0.5, ja-JP;q=0.9", "en", "ja"),
        ("fr, ja;q=0.1", "en", "ja"),
        ("en,ja", "ja", "en"),  # equal weights: the one named first
        ("ja;q=0.4, en;q=0.3, ja-JP;q=0.2", "en", "ja"),  # named twice: the higher weight
        ("JA-jp ; Q=1.000 , EN", "en", "ja"),
        ("\tja\t;\tq=0.5\t", "en", "ja"),
        ("zh-Hant-TW", "ja", "ja"),
        ("", "ja", "ja"),
    ],
)
def test_the_language_with_the_highest_weight_is_chosen(header: str, default: str, expected: str) -> None:
    assert accepted_language(header, default) == expected


@pytest.mark.parametrize(
    ("header", "default", "expected"),
    [
        ("*", "ja", "ja"),
        ("*;q=0.5, en;q=0.1", "en", "ja"),  # any other language is better than English
        ("*;q=0.1, en;q=0.5", "ja", "en"),
        ("fr, *;q=0.5", "ja", "ja"),
        ("*;q=0", "ja", "ja"),
    ],
)
def test_a_star_stands_for_the_languages_that_are_not_named(header: str, default: str, expected: str) -> None:
    assert accepted_language(header, default) == expected


@pytest.mark.parametrize(
    ("header", "default", "expected"),
    [
        ("ja;q=0, en", "ja", "en"),
        ("ja;q=0.000, *", "ja", "en"),
        ("ja;q=0", "ja", "ja"),  # nothing else is accepted either
        ("en;q=0, ja;q=0", "en", "en"),
    ],
)
def test_a_language_with_weight_zero_is_refused_if_there_is_another(header: str, default: str, expected: str) -> None:
    assert accepted_language(header, default) == expected


@pytest.mark.parametrize(
    "entry",
    [
        *("en;q=", "en;q=much", "en;q=2", "en;q=1.5", "en;q=-1", "en;q=nan", "en;q=inf", "en;q=1e0", "en;q=0.1234"),
        *(
            "en;q=１",
            "en;level=1",
            "en;q=1;q=1",
            "en q=1",
            "en_GB",
            "-en",
            "en-",
            "e n",
            ";q=1",
            "../en",
            "ｅｎ",
            "\x00en",
        ),
    ],
)
def test_malformed_entries_are_ignored(entry: str) -> None:
    assert accepted_language(entry, "ja") == "ja"
    assert accepted_language(f"ja;q=0.1,,{entry}, ;", "en") == "ja"


def test_a_long_header_is_read_up_to_its_limit_without_the_entry_that_is_cut_off() -> None:
    filler = "fr-CA;q=0.5,"
    start = filler * ((MAX_HEADER_LENGTH - 20) // len(filler))
    assert accepted_language(f"{start}ja", "en") == "ja"
    assert accepted_language(filler * 1_000 + "ja", "en") == "en"
    cut = "en" + " " * (MAX_HEADER_LENGTH - 2) + ";q=0,ja"  # up to the limit, it would be plain English
    assert accepted_language(cut, "ja") == "ja"
    for header in ("," * 100_000, "a" * 100_000, "ja;" * 50_000, "a-" * 50_000, "ja" + "\t;" * 50_000):
        assert accepted_language(header, "en") == "en"
