"""Names that people write."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.base.clean_text import one_line
from bot.text.words import escape_name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "\u202e",
        "\u2066\u2069",
        "\u200b\u200d",
        "\u00ad",
        "\ufeff",
        "\u3164",
        "\u2800\u2800",
        "\u115f\u1160\uffa0",
        "\u034f\ufe0f",
        "\u0301",
        "\U000e0041",
        "\ud800",
        "\x00\x1b\x7f",
        "\u2028\u3000",
    ],
)
def test_what_shows_nothing_is_no_name(text: str) -> None:
    assert one_line(text) == ""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Friday  night\n", "Friday night"),
        ("abc\u202etxt", "abctxt"),
        ("a\u200bb", "ab"),
        ("a\x1b[31mb", "a [31mb"),
        ("夜の\u3000大会", "夜の 大会"),
        ("é e\u0301", "é e\u0301"),
        ("👨\u200d👩\u200d👧 ♥\ufe0f", "👨\u200d👩\u200d👧 ♥\ufe0f"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("!", "!"),
    ],
)
def test_a_name_is_one_line_of_what_can_be_seen(text: str, line: str) -> None:
    assert one_line(text) == line


@given(st.text())
def test_a_line_is_its_own_line_and_nothing_turns_it_around(text: str) -> None:
    line = one_line(text)
    assert one_line(line) == line
    assert not {unicodedata.category(letter) for letter in line} & {"Cc", "Cs", "Zl", "Zp"}
    assert not set(line) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def test_what_was_named_before_there_was_a_rule_is_printed_on_its_own_line() -> None:
    assert escape_name("abc\u2067\u202etxt\n@here") == "abctxt @\u200bhere"
