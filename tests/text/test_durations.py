"""Lengths of time: written in both languages, and read as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text.durations import duration, parse_duration
from bot.text.words import words_for

EN, JA = words_for("en"), words_for("ja")


@pytest.mark.parametrize(
    ("seconds", "english", "japanese"),
    [
        (0, "0 seconds", "0秒"),
        (1, "1 second", "1秒"),
        (60, "1 minute", "1分"),
        (90, "1 minute 30 seconds", "1分30秒"),
        (3600, "1 hour", "1時間"),
        (86_400, "1 day", "1日"),
        (129_600, "1 day 12 hours", "1日12時間"),
        (86_461, "1 day 1 minute", "1日1分"),
        (-5, "0 seconds", "0秒"),
    ],
)
def test_a_duration_has_its_two_largest_units(seconds: int, english: str, japanese: str) -> None:
    assert (duration(seconds, EN), duration(seconds, JA)) == (english, japanese)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90),
        ("90s", 90),
        ("2m", 120),
        ("2 min", 120),
        ("1h30m", 5400),
        ("1 hour 30 minutes", 5400),
        ("12H", 43_200),
        ("3d", 259_200),
        ("30秒", 30),
        ("２分", 120),
        ("1日12時間", 129_600),
        ("3日間", 259_200),
    ],
)
def test_a_time_is_read_as_people_write_it(text: str, seconds: int) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", " ", "soon", "m", "5 parsecs", "1h x", "-5m", "1.5h", "12345678", "2m 3"])
def test_what_is_no_time_is_not_read(text: str) -> None:
    assert parse_duration(text) is None


@given(text=st.text(max_size=40))
def test_nothing_that_is_typed_breaks_it(text: str) -> None:
    seconds = parse_duration(text)
    assert seconds is None or seconds >= 0


@given(seconds=st.integers(1, 7 * 86_400))
def test_what_is_written_is_read_again_up_to_its_small_change(seconds: int) -> None:
    for words in (EN, JA):
        read = parse_duration(duration(seconds, words))
        assert read is not None
        assert 0 <= seconds - read < 86_400
        assert read == seconds or seconds > 3600
