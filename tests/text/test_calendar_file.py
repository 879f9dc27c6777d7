"""The files for people's calendars, opened by a calendar program's own parser and by that of RFC 5545's library."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import icalendar
import pytest
from ical.calendar import Calendar
from ical.calendar_stream import IcsCalendarStream

from bot.model.clock import HOUR
from bot.model.events import DAYS, Event, Phase, Repeat, RepeatInterval
from bot.play.event.office.opening import named_repeating
from bot.play.event.office.repeating import next_start
from bot.text.calendar_file import DatedEvent, calendar_file
from bot.text.words import words_for
from tests.store.samples import EVENT

ENGLISH, JAPANESE = words_for("en"), words_for("ja")
NOW = int(datetime(2026, 10, 1, 12, tzinfo=UTC).timestamp() * 1000)
BERLIN = "Europe/Berlin"
LINE = 75
"""Octets of a line at most, by RFC 5545."""


def at(text: str, zone: str = BERLIN) -> int:
    """An hour in milliseconds."""
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def event(starts: int, repeat: Repeat | None = None, **fields: object) -> Event:
    """An event whose registration is open."""
    plain = replace(EVENT, phase=Phase.REGISTERING, repeat=repeat, repeats_as="", repeats_changes=0, starts_at=starts)
    return replace(named_repeating(plain), **fields)  # type: ignore[arg-type]


def dated(one: Event, *, single: bool = False) -> DatedEvent:
    """Return the contents of the event's file."""
    return DatedEvent(
        event=one, lasts_ms=2 * HOUR, place="#cards", link="https://discord.com/channels/1/2/3", single=single
    )


def file(*events: Event, single: bool = False) -> bytes:
    """The file of these events."""
    return calendar_file([dated(one, single=single) for one in events], ENGLISH, now=NOW)


def opened(data: bytes) -> Calendar:
    """The file as Home Assistant's calendar opens it."""
    return IcsCalendarStream.calendar_from_ics(data.decode())


def starts(data: bytes, *, until: int) -> list[int]:
    """When the dates of a file begin, in milliseconds, as that calendar shows them."""
    last = datetime.fromtimestamp(until / 1000, UTC)
    found = []
    for one in opened(data).timeline_tz(UTC):
        assert isinstance(one.dtstart, datetime)
        if one.dtstart > last:
            break
        found.append(round(one.dtstart.timestamp() * 1000))
    return found


def entries(data: bytes) -> list[icalendar.Event]:
    """The entries, as the library that wrote them reads them again."""
    found = icalendar.Calendar.from_ical(data).walk("VEVENT")
    return [entry for entry in found if isinstance(entry, icalendar.Event)]


def sequence(entry: icalendar.Event) -> int:
    """Return the number of changes to the entry."""
    return int(str(entry["sequence"]))


@pytest.mark.parametrize("zone", [BERLIN, "America/New_York", "Australia/Sydney", "Asia/Tokyo", "UTC"])
@pytest.mark.parametrize("every", list(RepeatInterval))
def test_a_year_of_dates_begins_at_the_hour_that_the_clocks_show(every: RepeatInterval, zone: str) -> None:
    first = at("2026-10-02 21:00", zone)
    repeat = Repeat(every=every, zone=zone, minute=21 * 60)
    expected = [first]
    while len(expected) <= 365 // DAYS[every]:
        expected.append(next_start(repeat, expected[-1], now=0))
    assert starts(file(event(first, repeat)), until=expected[-1]) == expected
    offsets = {datetime.fromtimestamp(one / 1000, ZoneInfo(zone)).utcoffset() for one in expected}
    assert (len(offsets) > 1) is (zone not in ("Asia/Tokyo", "UTC"))  # it saw a change of daylight saving time


def test_an_hour_that_the_clocks_skip_is_the_one_that_they_show_instead() -> None:
    first = at("2027-03-14 02:30")
    repeat = Repeat(every=RepeatInterval.WEEK, zone=BERLIN, minute=2 * 60 + 30)
    expected = [first]
    while len(expected) < 60:
        expected.append(next_start(repeat, expected[-1], now=0))
    assert datetime.fromtimestamp(expected[2] / 1000, ZoneInfo(BERLIN)).hour == 3
    assert starts(file(event(first, repeat)), until=expected[-1]) == expected


def test_a_date_that_was_put_off_stands_at_its_new_hour_and_the_next_ones_at_theirs() -> None:
    first = at("2026-10-02 22:15")
    repeat = Repeat(every=RepeatInterval.WEEK, zone=BERLIN, minute=21 * 60)
    expected = [first, *(at(f"2026-10-{day} 21:00") for day in ("09", "16", "23"))]
    data = file(event(first, repeat))
    assert starts(data, until=expected[-1]) == expected
    assert len({str(one["uid"]) for one in entries(data)}) == 1


def test_some_seconds_beside_the_hour_are_no_other_hour() -> None:
    hour = at("2026-10-02 21:00")
    (one,) = entries(file(event(hour + 12_345, Repeat(every=RepeatInterval.WEEK, zone=BERLIN, minute=21 * 60))))
    assert one.start == datetime(2026, 10, 2, 21, tzinfo=ZoneInfo(BERLIN))


def test_a_single_date_is_told_in_universal_time_and_lasts_as_long_as_expected() -> None:
    first = at("2026-10-02 21:00")
    (one,) = opened(file(event(first))).events
    assert one.dtstart == datetime(2026, 10, 2, 19, tzinfo=UTC)
    assert one.dtend == one.dtstart + timedelta(hours=2)
    assert (one.summary, one.location) == (EVENT.name, "#cards")
    assert b"DTSTART:20261002T190000Z\r\n" in file(event(first))
    assert b"VTIMEZONE" not in file(event(first))


def test_the_zone_of_a_repetition_comes_with_it() -> None:
    data = file(event(at("2026-10-02 21:00"), Repeat(every=RepeatInterval.WEEK, zone=BERLIN, minute=21 * 60)))
    (zone,) = icalendar.Calendar.from_ical(data).walk("VTIMEZONE")
    assert zone["tzid"] == BERLIN
    assert b"DTSTART;TZID=Europe/Berlin:20261002T210000\r\n" in data


def test_a_change_keeps_the_uid_and_raises_the_sequence() -> None:
    before = event(at("2026-10-02 21:00"), version=3)
    after = replace(before, starts_at=at("2026-10-03 20:00"), version=4)
    (old,), (new,) = entries(file(before)), entries(file(after))
    assert old["uid"] == new["uid"]
    assert (sequence(old), sequence(new)) == (3, 4)
    assert (old["status"], new["status"]) == ("CONFIRMED", "CONFIRMED")


def test_a_cancellation_is_the_same_entry_cancelled() -> None:
    before = event(at("2026-10-02 21:00"), version=3)
    (old,), (new,) = entries(file(before)), entries(file(replace(before, phase=Phase.CANCELLED, version=5)))
    assert old["uid"] == new["uid"]
    assert sequence(new) > sequence(old)
    assert new["status"] == "CANCELLED"


def test_a_repetition_that_is_stopped_ends_with_this_date_and_its_cancellation_reaches_both_files() -> None:
    first = at("2026-10-02 21:00")
    before = event(first, Repeat(every=RepeatInterval.WEEK, zone=BERLIN, minute=21 * 60), version=3)
    stopped = replace(before, repeat=None, version=4)
    (old,), (new,), (alone,) = entries(file(before)), entries(file(stopped)), entries(file(before, single=True))
    assert old["uid"] == new["uid"] != alone["uid"]
    assert starts(file(stopped), until=first + 30 * 24 * HOUR) == [first]
    assert sequence(new) > sequence(old)
    assert "rrule" in old
    assert "rrule" not in new
    gone = entries(file(replace(stopped, phase=Phase.CANCELLED, version=6)))
    assert [one["uid"] for one in gone] == [alone["uid"], new["uid"]]
    assert [one["status"] for one in gone] == ["CANCELLED", "CANCELLED"]


@pytest.mark.parametrize("dates", [1, 2, 5, 60])
def test_a_repetition_in_a_series_ends_with_its_last_date(dates: int) -> None:
    first = at("2027-03-14 02:30")  # an hour that the clocks skip on the third date
    repeat = Repeat(every=RepeatInterval.WEEK, zone=BERLIN, minute=2 * 60 + 30)
    expected = [first]
    while len(expected) < dates:
        expected.append(next_start(repeat, expected[-1], now=0))
    data = calendar_file([replace(dated(event(first, repeat)), dates_left=dates)], ENGLISH, now=NOW)
    assert starts(data, until=first + 1_000 * 24 * HOUR) == expected
    assert any("rrule" in entry for entry in entries(data)) is (dates > 1)


def test_lines_are_folded_and_end_as_the_standard_says_and_texts_come_back_as_they_were() -> None:
    name, told = "金曜の夜、" * 12 + "; a, b\\c", "First line, with a comma;\nsecond: line"
    one = event(at("2026-10-02 21:00"), name=name, description=told)
    data = calendar_file([dated(one)], JAPANESE, now=NOW)
    lines = data.split(b"\r\n")
    assert lines[-1] == b""
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    assert max(map(len, lines)) <= LINE
    assert any(line.startswith(b" ") for line in lines)  # it saw a folded one
    data.decode()
    (read,) = opened(data).events
    assert read.summary == name
    assert read.description is not None
    assert told in read.description


def test_a_series_is_one_file_with_an_entry_for_each_event() -> None:
    hours = [at(f"2026-10-{day} 21:00") for day in ("02", "16", "30")]
    made = [event(hour, key=replace(EVENT.key, number=number)) for number, hour in enumerate(hours, start=1)]
    data = file(*made)
    assert starts(data, until=hours[-1]) == hours
    assert len({str(one["uid"]) for one in entries(data)}) == len(made)
