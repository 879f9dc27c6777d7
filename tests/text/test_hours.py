"""Times as people write them, in both languages, including explained daylight saving changes."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text.durations import parse_duration
from bot.text.hours import ParsedTime, TimeDoubt, lacks_clock, read_hour, read_span
from bot.text.languages import LANGUAGES
from bot.text.words import words_for

TOKYO = "Asia/Tokyo"
TUESDAY = datetime(2026, 11, 24, 15, 0, tzinfo=ZoneInfo(TOKYO))


def ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def read(text: str, zone: str = TOKYO, now: datetime = TUESDAY) -> str | None:
    """Return the parsed time on the zone's clocks."""
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
        "Friday night 9",
        "Fri 11/27 9pm",
        "Friday @ 9.00pm",
        "9pm on the 27th",
        "27th of November 9pm",
        "Nov. 27, 9pm",
        "11/27/26 9pm",
        "27-11-2026 21:00",
        "27.11. 21:00",
        "11.27 21:00",
        "2026.11.27 21:00",
        "in 3 days at 9pm",
        "しあさって21時",
        "明々後日の夜9時",
        "3日後の21時",
        "今月27日21時",
        "27日(金)21時",
        "（金）21時開始",
        "11/27(金) 21:00～",
        "十一月二十七日 二十一時",
        "金曜の夜九時",
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
        ("11/24 21:00", "Tue 2026-11-24 21:00"),
        ("tonight 9", "Tue 2026-11-24 21:00"),
        ("this evening at 8", "Tue 2026-11-24 20:00"),
        ("this afternoon at 4", "Tue 2026-11-24 16:00"),
        ("tomorrow morning 10", "Wed 2026-11-25 10:00"),
        ("tomorrow night 9", "Wed 2026-11-25 21:00"),
        ("tmrw at nine", "Wed 2026-11-25 09:00"),
        ("half past nine", "Wed 2026-11-25 09:30"),
        ("9 o'clock", "Wed 2026-11-25 09:00"),
        ("friday next week 9pm", "Fri 2026-12-04 21:00"),
        ("saturday the week after next 8pm", "Sat 2026-12-12 20:00"),
        ("next month 5th 9pm", "Sat 2026-12-05 21:00"),
        ("the 5th 9pm", "Sat 2026-12-05 21:00"),
        ("next year Jan 2 20:00", "Sat 2027-01-02 20:00"),
        ("in a week at 9pm", "Tue 2026-12-01 21:00"),
        ("5.12. 20:00", "Sat 2026-12-05 20:00"),
        ("5.12.2026 20:00", "Sat 2026-12-05 20:00"),
        ("12.5 20:00", "Sat 2026-12-05 20:00"),
        ("Christmas Eve 8pm", "Thu 2026-12-24 20:00"),
        ("クリスマス 20時", "Fri 2026-12-25 20:00"),
        ("来週の土曜 午後8時半", "Sat 2026-12-05 20:30"),
        ("再来週の土曜20時", "Sat 2026-12-12 20:00"),
        ("今度の土曜 二十時半", "Sat 2026-11-28 20:30"),
        ("今晩8時半", "Tue 2026-11-24 20:30"),
        ("明晩9時", "Wed 2026-11-25 21:00"),
        ("明朝10時", "Wed 2026-11-25 10:00"),
        ("正午", "Wed 2026-11-25 12:00"),
        ("昼の1時", "Wed 2026-11-25 13:00"),
        ("昼11時", "Wed 2026-11-25 11:00"),
        ("夕方6時", "Tue 2026-11-24 18:00"),
        ("深夜1時", "Wed 2026-11-25 01:00"),
        ("零時", "Wed 2026-11-25 00:00"),
        ("来年1月2日20時", "Sat 2027-01-02 20:00"),
        ("一週間後の21時", "Tue 2026-12-01 21:00"),
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
        ("in half an hour", 30),
        ("in an hour and a half", 90),
        ("in two hours", 120),
        ("in a week", 7 * 24 * 60),
        ("一時間後", 60),
        ("1週間後", 7 * 24 * 60),
    ],
)
def test_a_length_of_time_counts_from_now(text: str, minutes: int) -> None:
    assert read_hour(text, zone=TOKYO, now_ms=ms(TUESDAY)) == ParsedTime(at_ms=ms(TUESDAY + timedelta(minutes=minutes)))


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
    "text", ["2026-11-20 21:00", "last Friday 9pm", "先週の金曜21時", "前の金曜 21時", "11/20/2026 9pm"]
)
def test_a_date_that_has_passed_stays_that_date(text: str) -> None:
    assert read(text) == "Fri 2026-11-20 21:00"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_of_a_start_are_read_and_lie_ahead_whenever_they_are_shown(language: str) -> None:
    words = words_for(language)
    _, examples = re.split("[:：]", words("event_form.hint.when"), maxsplit=1)
    for month in (1, 6, 11):
        now = TUESDAY.replace(year=2031, month=month)
        for text in re.split("[,、]", examples):
            found = read_hour(text, zone=TOKYO, now_ms=ms(now))
            assert found is not None, text
            assert found.at_ms > ms(now), text


@pytest.mark.parametrize("text", ["昨夜9時", "昨日の夜9時", "yesterday 9pm"])
def test_yesterday_is_not_the_next_such_hour(text: str) -> None:
    assert read(text) == "Mon 2026-11-23 21:00"


@pytest.mark.parametrize("text", ["last Tuesday 9pm", "先週の火曜21時"])
def test_last_tuesday_is_not_today(text: str) -> None:
    assert read(text) == "Tue 2026-11-17 21:00"


@pytest.mark.parametrize("text", ["Friday", "tonight", "今夜", "来週の土曜", "11/27", "明日"])
def test_a_day_without_a_time_of_day_is_told_from_nonsense(text: str) -> None:
    assert read(text) is None
    assert lacks_clock(text, zone=TOKYO, now_ms=ms(TUESDAY))


@pytest.mark.parametrize("text", ["soon", "100", "Friday 9pm EST", "9pm 10pm", "月末", "Friday 21:60"])
def test_nonsense_lacks_more_than_a_time_of_day(text: str) -> None:
    assert not lacks_clock(text, zone=TOKYO, now_ms=ms(TUESDAY))


@pytest.mark.parametrize("text", ["Thursday, 27 November 21:00", "11/27（木）21時", "27日(木)21時"])
def test_a_weekday_that_differs_from_the_date_is_told(text: str) -> None:
    found = read_hour(text, zone=TOKYO, now_ms=ms(TUESDAY))
    assert read(text) == FRIDAY_NINE
    assert found is not None
    assert found.doubt is TimeDoubt.WEEKDAY


def test_a_weekday_that_fits_chooses_the_month() -> None:
    assert read("5日(火)21時") == "Tue 2027-01-05 21:00"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "soon",
            "Friday",
            "明日",
            "今夜",
            "100",
            "21:60",
            "30:00",
            "2/30 21:00",
            "13/13 21:00",
            "9pm 10pm",
            "9pm EST",
        ),
        *("26/11/27 21:00", "毎週金曜21時", "週末の21時", "last week 9pm", "in 30 minutes at 9pm"),
    ],
)
def test_what_says_too_little_or_nonsense_is_no_hour(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize("text", ["Friday 9pm EST", "Friday 21:00 UTC+1", "2026-11-27T21:00Z", "9 PM CET Nov 27"])
def test_an_hour_of_another_zone_is_not_taken_for_one_of_ours(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize("text", ["Friday 9pm JST", "日本時間 金曜21時"])
def test_the_name_of_our_own_zone_changes_nothing(text: str) -> None:
    assert read(text) == FRIDAY_NINE


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
        ("Europe/Berlin", "2027-03-28 2:30", "03:30 CEST", TimeDoubt.SKIPPED),
        ("Europe/Berlin", "2027-10-31 2:30", "02:30 CEST", TimeDoubt.TWICE),
        ("Europe/Berlin", "2027-03-28 3:30", "03:30 CEST", TimeDoubt.NONE),
        ("America/New_York", "2027-03-14 2:30", "03:30 EDT", TimeDoubt.SKIPPED),
        ("America/New_York", "2027-11-07 1:30", "01:30 EDT", TimeDoubt.TWICE),
        ("America/New_York", "2027-11-07 9pm", "21:00 EST", TimeDoubt.NONE),
    ],
)
def test_daylight_saving_is_told(zone: str, text: str, shown: str, doubt: TimeDoubt) -> None:
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


@pytest.mark.parametrize(
    ("begins", "until", "zone", "first", "after"),
    [
        ("", "10 days", "Europe/Berlin", None, "2026-04-03T00:00+02:00"),
        ("", "2週間", TOKYO, None, "2026-04-07T00:00+09:00"),
        ("27 March", "29 March", "Europe/Berlin", "2026-03-27T00:00+01:00", "2026-03-30T00:00+02:00"),
        ("24 October", "25 October", "Europe/Berlin", "2026-10-24T00:00+02:00", "2026-10-26T00:00+01:00"),
        ("3月27日", "3月29日", TOKYO, "2026-03-27T00:00+09:00", "2026-03-30T00:00+09:00"),
        ("today", "tomorrow", "America/New_York", None, "2026-03-26T00:00-04:00"),
    ],
)
def test_days_of_a_vacation_are_those_of_the_zone_whatever_its_clocks_do(
    begins: str, until: str, zone: str, first: str | None, after: str
) -> None:
    now = datetime.fromisoformat("2026-03-24T12:00+00:00")
    span = read_span(begins, until, zone=zone, now_ms=ms(now))
    assert span == (ms(now if first is None else datetime.fromisoformat(first)), ms(datetime.fromisoformat(after)))


@pytest.mark.parametrize(("begins", "until"), [("", "soon"), ("soon", "Friday"), ("", ""), ("", "99 March")])
def test_what_is_no_day_is_no_vacation(begins: str, until: str) -> None:
    assert read_span(begins, until, zone=TOKYO, now_ms=ms(TUESDAY)) is None


# failed attempts by organisers


def read_at(text: str, zone: str, now: str) -> tuple[str, TimeDoubt]:
    here = ZoneInfo(zone)
    hour = read_hour(text, zone=zone, now_ms=round(datetime.fromisoformat(now).replace(tzinfo=here).timestamp()) * 1000)
    assert hour is not None, text
    return datetime.fromtimestamp(hour.at_ms / 1000, here).strftime("%Y-%m-%d %H:%M"), hour.doubt


@pytest.mark.parametrize(
    ("text", "zone", "now", "wanted", "doubt"),
    [
        ("5/12 21:00", "Europe/Berlin", "2026-11-29 12:00", "2026-12-05 21:00", TimeDoubt.NONE),
        ("5/12 21:00", "America/New_York", "2026-11-29 12:00", "2027-05-12 21:00", TimeDoubt.NONE),
        ("5/12 21:00", "Asia/Tokyo", "2026-11-29 12:00", "2027-05-12 21:00", TimeDoubt.NONE),
        ("12/31 21:00", "Europe/Berlin", "2026-11-29 12:00", "2026-12-31 21:00", TimeDoubt.NONE),
        ("12/11 21:00", "America/New_York", "2026-12-12 12:00", "2027-12-11 21:00", TimeDoubt.NEXT_YEAR),
        ("12/11/2027 21:00", "America/New_York", "2026-12-12 12:00", "2027-12-11 21:00", TimeDoubt.NONE),
        ("12/13 21:00", "America/New_York", "2026-12-12 12:00", "2026-12-13 21:00", TimeDoubt.NONE),
        ("8pm ET", "America/New_York", "2026-11-29 12:00", "2026-11-29 20:00", TimeDoubt.NONE),
        ("8pm PT", "America/Los_Angeles", "2026-07-29 12:00", "2026-07-29 20:00", TimeDoubt.NONE),
        ("22:00〜", "Asia/Tokyo", "2026-11-29 12:00", "2026-11-29 22:00", TimeDoubt.NONE),
        ("明日22:00～", "Asia/Tokyo", "2026-11-29 12:00", "2026-11-30 22:00", TimeDoubt.NONE),
    ],
)
def test_hours_are_read_as_their_server_writes_them(
    text: str, zone: str, now: str, wanted: str, doubt: TimeDoubt
) -> None:
    assert read_at(text, zone, now) == (wanted, doubt)


def test_another_zone_than_the_server_s_is_not_guessed() -> None:
    assert read_hour("8pm ET", zone="Europe/Berlin", now_ms=0) is None


def test_hours_and_minutes_need_one_unit() -> None:
    assert parse_duration("1h30") == parse_duration("1h 30m") == 5400
    assert parse_duration("30") == 30
