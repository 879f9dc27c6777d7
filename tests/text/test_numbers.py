"""Whole numbers as people write them."""

from __future__ import annotations

import pytest

from bot.text.numbers import whole_number


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("2000", 2_000),
        (" 2,000 ", 2_000),
        ("2.000", 2_000),
        ("2 000", 2_000),
        ("2'000", 2_000),
        ("２，０００", 2_000),
        ("0500", 500),
        ("+7", 7),
        ("-7", -7),
        ("−７", -7),
        ("- 7", -7),
        ("5 %", 5),
        ("0", 0),
        ("1k", 1_000),
        ("１０K", 10_000),
        ("-2 k", -2_000),
        ("1千", 1_000),
        ("1,200万", 12_000_000),
        ("1" * 40, int("1" * 40)),
    ],
)
def test_a_whole_number_is_read_as_people_write_it(written: str, number: int) -> None:
    assert whole_number(written) == number


@pytest.mark.parametrize(
    "written", ["", "-", "%", "some", "1.5", "1,5", "1 000,5", "1,00", "2-7", "1 2", "k", "1kk", "1.5k", "9" * 41]
)
def test_what_is_no_whole_number_is_not_guessed(written: str) -> None:
    assert whole_number(written) is None
