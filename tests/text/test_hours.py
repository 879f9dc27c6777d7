"""Hours are read as people write them, in both languages; daylight saving is told, never hidden."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text.hours import Doubt, Hour, read_hour

TOKYO = "Asia/Tokyo"
TUESDAY = datetime(2026, 11, 24, 15, 0, tzinfo=ZoneInfo(TOKYO))


def ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def read(text: str, zone: str = TOKYO, now: datetime = TUESDAY) -> str | None:
    """What is understood, as the zone's clocks show it."""
    found = read_hour(text, zone=zone, now_ms=ms(now))
    return None if found is None else f"{datetime.fromtimestamp(found.at_ms / 1000, ZoneInfo(zone)):%a %Y-%m-%d %H:%M}"


FRIDAY_NINE = "Fri 2026-11-27 21:00"


@pytest.mark.parametrize(
    "text",
    [
        "Friday 21:00",
        "friday 9pm",
        "Fri 9 p.m.",
        "Friday at 21",
        "Friday, 9:00 PM",
        "next Friday 21:00",
        "21:00 on Friday",
        "2026-11-27 21:00",
        "2026-11-27T21:00",
        "2026/11/27 21:00",
        "11/27 21:00",
        "27.11.2026 21:00",
        "Nov 27 9pm",
        "27 November 21:00",
        "Friday, 27 November 2026 at 9:00 PM",
        "<t:1795780800:F>",
        "<t:1795780800>",
        "金曜21時",
        "金曜日の21時",
        "金曜 21:00",
        "金21時",
        "次の金曜、午後9時",
        "今週の金曜の夜9時",
        "11/27（金）21時",
        "１１月２７日　２１時",
        "11月27日の21時から",
        "2026年11月27日 21:00",
        "27日21時",
    ],
)
def test_many_ways_to_write_one_hour(text: str) -> None:
    assert read(text) == FRIDAY_NINE


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("tomorrow 9pm", "Wed 2026-11-25 21:00"),
        ("9 pm tomorrow", "Wed 2026-11-25 21:00"),
        ("tomorrow evening at 8", "Wed 2026-11-25 20:00"),
        ("day after tomorrow 8pm", "Thu 2026-11-26 20:00"),
        ("明日21時", "Wed 2026-11-25 21:00"),
        ("あした21時半", "Wed 2026-11-25 21:30"),
        ("明日の夜9時", "Wed 2026-11-25 21:00"),
        ("あさって 20時15分", "Thu 2026-11-26 20:15"),
        ("今日21時", "Tue 2026-11-24 21:00"),
        ("tonight 9pm", "Tue 2026-11-24 21:00"),
        ("tonight at 9", "Tue 2026-11-24 21:00"),
        ("今夜9時", "Tue 2026-11-24 21:00"),
        ("今夜21時", "Tue 2026-11-24 21:00"),
        ("noon", "Wed 2026-11-25 12:00"),
        ("明日正午", "Wed 2026-11-25 12:00"),
        ("3 in the afternoon", "Wed 2026-11-25 15:00"),
        ("8:30 in the evening", "Tue 2026-11-24 20:30"),
        ("朝10時", "Wed 2026-11-25 10:00"),
        ("午後9時半", "Tue 2026-11-24 21:30"),
        ("12am", "Wed 2026-11-25 00:00"),
        ("12pm", "Wed 2026-11-25 12:00"),
        ("21h30", "Tue 2026-11-24 21:30"),
        ("next week Friday 21:00", "Fri 2026-12-04 21:00"),
        ("来週の金曜21時", "Fri 2026-12-04 21:00"),
        ("来週月曜 21:00", "Mon 2026-11-30 21:00"),
        ("来月5日21時", "Sat 2026-12-05 21:00"),
        ("31日21時", "Thu 2026-12-31 21:00"),
        ("お正月の21時", "Fri 2027-01-01 21:00"),
        ("正月21:00", "Fri 2027-01-01 21:00"),
        ("元日 10時", "Fri 2027-01-01 10:00"),
        ("元旦の朝8時半", "Fri 2027-01-01 08:30"),
        ("大晦日の夜9時", "Thu 2026-12-31 21:00"),
        ("New Year's Day 3pm", "Fri 2027-01-01 15:00"),
        ("9pm on New Year’s Eve", "Thu 2026-12-31 21:00"),
        ("きのう21時", "Mon 2026-11-23 21:00"),
        ("昨日の夜9時", "Mon 2026-11-23 21:00"),
        ("おととい21時", "Sun 2026-11-22 21:00"),
        ("yesterday 9pm", "Mon 2026-11-23 21:00"),
        ("January 2 20:00", "Sat 2027-01-02 20:00"),
    ],
)
def test_days_are_counted_from_today(text: str, understood: str) -> None:
    assert read(text) == understood


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("in 2 hours", 120),
        ("in an hour", 60),
        ("in 2 hours and 30 minutes", 150),
        ("1h30m from now", 90),
        ("in 90m", 90),
        ("2時間後", 120),
        ("２時間半後", 150),
        ("30分後", 30),
        ("3日後", 3 * 24 * 60),
    ],
)
def test_a_length_of_time_counts_from_now(text: str, minutes: int) -> None:
    assert read_hour(text, zone=TOKYO, now_ms=ms(TUESDAY)) == Hour(at_ms=ms(TUESDAY + timedelta(minutes=minutes)))


@pytest.mark.parametrize("text", ["16:00", "4pm", "16", "16時", "１６：００"])
def test_a_bare_hour_is_the_next_such_hour(text: str) -> None:
    assert read(text) == "Tue 2026-11-24 16:00"
    assert read(text, now=TUESDAY + timedelta(hours=1)) == "Wed 2026-11-25 16:00"


@pytest.mark.parametrize("text", ["Tuesday 16:00", "火曜16時"])
def test_a_bare_weekday_is_the_next_one_in_future(text: str) -> None:
    assert read(text) == "Tue 2026-11-24 16:00"
    assert read(text, now=TUESDAY + timedelta(hours=1)) == "Tue 2026-12-01 16:00"


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("Friday midnight", "Sat 2026-11-28 00:00"),
        ("金曜24時", "Sat 2026-11-28 00:00"),
        ("金曜25時", "Sat 2026-11-28 01:00"),
        ("今夜1時", "Wed 2026-11-25 01:00"),
        ("tonight at 1", "Wed 2026-11-25 01:00"),
    ],
)
def test_the_night_belongs_to_the_day_before(text: str, understood: str) -> None:
    assert read(text) == understood


@pytest.mark.parametrize(
    "text",
    ["", "soon", "Friday", "明日", "今夜", "100", "21:60", "30:00", "2/30 21:00", "13/13 21:00", "9pm 10pm", "9pm EST"],
)
def test_what_says_too_little_or_nonsense_is_no_hour(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize("text", ["Friday 9pm EST", "Friday 21:00 UTC+1", "2026-11-27T21:00Z", "9 PM CET Nov 27"])
def test_an_hour_of_another_zone_is_not_taken_for_one_of_ours(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize("text", ["Friday 9pm JST", "日本時間 金曜21時"])
def test_the_name_of_our_own_zone_changes_nothing(text: str) -> None:
    assert read(text) == FRIDAY_NINE


def test_a_date_that_has_passed_stays_that_date() -> None:
    assert read("2026-11-20 21:00") == "Fri 2026-11-20 21:00"


@pytest.mark.parametrize(
    ("zone", "now", "text", "utc"),
    [
        ("Europe/Berlin", datetime(2026, 7, 1, tzinfo=ZoneInfo("UTC")), "21:00", "07-01 19:00"),
        ("Europe/Berlin", datetime(2026, 12, 1, tzinfo=ZoneInfo("UTC")), "21:00", "12-01 20:00"),
        ("America/New_York", datetime(2026, 7, 1, tzinfo=ZoneInfo("UTC")), "tomorrow 9pm", "07-02 01:00"),
        ("UTC", datetime(2026, 7, 1, tzinfo=ZoneInfo("UTC")), "21:00", "07-01 21:00"),
    ],
)
def test_hours_are_those_of_the_zone(zone: str, now: datetime, text: str, utc: str) -> None:
    found = read_hour(text, zone=zone, now_ms=ms(now))
    assert found is not None
    assert f"{datetime.fromtimestamp(found.at_ms / 1000, ZoneInfo('UTC')):%m-%d %H:%M}" == utc


@pytest.mark.parametrize(
    ("zone", "text", "shown", "doubt"),
    [
        ("Europe/Berlin", "2027-03-28 2:30", "03:30 CEST", Doubt.SKIPPED),
        ("Europe/Berlin", "2027-10-31 2:30", "02:30 CEST", Doubt.TWICE),
        ("Europe/Berlin", "2027-03-28 3:30", "03:30 CEST", Doubt.NONE),
        ("America/New_York", "2027-03-14 2:30", "03:30 EDT", Doubt.SKIPPED),
        ("America/New_York", "2027-11-07 1:30", "01:30 EDT", Doubt.TWICE),
        ("America/New_York", "2027-11-07 9pm", "21:00 EST", Doubt.NONE),
    ],
)
def test_daylight_saving_is_told(zone: str, text: str, shown: str, doubt: Doubt) -> None:
    hour = read_hour(text, zone=zone, now_ms=ms(TUESDAY))
    assert hour is not None
    assert f"{datetime.fromtimestamp(hour.at_ms / 1000, ZoneInfo(zone)):%H:%M %Z}" == shown
    assert hour.doubt is doubt


def test_two_hours_are_two_hours_while_the_clocks_change() -> None:
    eve = datetime(2027, 3, 28, 1, 0, tzinfo=ZoneInfo("Europe/Berlin"))
    assert read("in 2 hours", "Europe/Berlin", eve) == "Sun 2027-03-28 04:00"


@given(st.text(max_size=30))
def test_no_text_makes_it_stumble(text: str) -> None:
    found = read_hour(text, zone="Europe/Berlin", now_ms=ms(TUESDAY))
    assert found is None or found.at_ms >= 0


@given(st.integers(0, 23), st.integers(0, 59), st.sampled_from(["Europe/Berlin", "America/New_York", TOKYO, "UTC"]))
def test_a_bare_hour_comes_within_a_day_and_a_clock_change(hour: int, minute: int, zone: str) -> None:
    found = read_hour(f"{hour}:{minute:02}", zone=zone, now_ms=ms(TUESDAY))
    assert found is not None
    assert 0 < found.at_ms - ms(TUESDAY) <= 25 * 3_600_000
