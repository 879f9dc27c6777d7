"""Quiet hours and digests by a zone's clocks, including the days on which they change."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.chat.table.posts.call_hours import call_time, next_digest, quiet_end, rescheduled
from bot.model.choices import MemberSettings
from bot.model.weekends import LocalWeek

NEW_YORK = ZoneInfo("America/New_York")
NIGHT = MemberSettings(zone="America/New_York", quiet_from=22, quiet_until=7)
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


def at(text: str) -> int:
    """A moment of New York, in milliseconds; of an hour that comes twice the first."""
    return round(datetime.fromisoformat(text).replace(tzinfo=NEW_YORK).timestamp() * 1000)


@pytest.mark.parametrize(
    ("moment", "ends"),
    [
        ("2026-11-27 21:59", None),
        ("2026-11-27 22:00", "2026-11-28 07:00"),
        ("2026-11-28 06:59", "2026-11-28 07:00"),
        ("2026-11-28 07:00", None),
        ("2026-11-28 12:00", None),
        # The night is eight hours long when the clocks go forward, and ten when they go back.
        ("2027-03-13 23:00", "2027-03-14 07:00"),
        ("2027-03-14 03:30", "2027-03-14 07:00"),
        ("2026-10-31 23:00", "2026-11-01 07:00"),
        ("2026-11-01 01:30", "2026-11-01 07:00"),
    ],
)
def test_quiet_hours_go_by_the_clocks_of_the_zone(moment: str, ends: str | None) -> None:
    assert quiet_end(NIGHT, at(moment)) == (None if ends is None else at(ends))


def test_a_night_is_as_long_as_its_clocks_make_it() -> None:
    lengths = {}
    for day in ("2027-03-13", "2026-10-31", "2026-12-01"):
        begins = at(f"{day} 22:00")
        ends = quiet_end(NIGHT, begins)
        assert ends is not None
        lengths[day] = (ends - begins) // HOUR
        minutes = range(begins, ends, MINUTE)
        assert {quiet_end(NIGHT, minute) for minute in minutes} == {ends}, "no minute of it is loud"
        assert quiet_end(NIGHT, begins - 1) is None
        assert quiet_end(NIGHT, ends) is None
    assert lengths == {"2027-03-13": 8, "2026-10-31": 10, "2026-12-01": 9}


def test_hours_of_the_day_itself_and_none() -> None:
    noon = replace(NIGHT, quiet_from=12, quiet_until=14)
    assert quiet_end(noon, at("2026-11-27 13:00")) == at("2026-11-27 14:00")
    assert quiet_end(noon, at("2026-11-27 23:00")) is None
    assert quiet_end(MemberSettings(zone="America/New_York"), at("2026-11-27 23:00")) is None


def test_an_hour_that_is_skipped_is_the_one_that_follows() -> None:
    early = replace(NIGHT, quiet_from=2, quiet_until=4)
    assert quiet_end(early, at("2027-03-14 03:00")) == at("2027-03-14 04:00")
    assert quiet_end(early, at("2027-03-14 01:59")) is None


@pytest.mark.parametrize("hour", range(24))
def test_there_is_one_digest_for_each_day_whatever_the_clocks_do(hour: int) -> None:
    member_settings = replace(NIGHT, digest_at=hour)
    due, days = at("2026-10-29 23:30"), []
    while due < at("2027-03-17 00:00"):
        due = next_digest(member_settings, due)
        days.append(datetime.fromtimestamp(due / 1000, NEW_YORK))
    dates = [day.date() for day in days]
    assert dates == [dates[0] + timedelta(days=n) for n in range(len(dates))]
    odd = [day for day in days if day.hour != hour]
    assert [(day.month, day.day, day.hour) for day in odd] == ([(3, 14, 3)] if hour == 2 else [])


def test_a_zone_that_the_machine_does_not_know_is_that_of_the_world() -> None:
    lost = replace(NIGHT, zone="Atlantis/Poseidonis", digest_at=9)
    noon = round(datetime(2026, 11, 27, 12, tzinfo=UTC).timestamp() * 1000)
    assert next_digest(lost, noon) == noon + 21 * HOUR
    assert quiet_end(lost, noon + 11 * HOUR) == noon + 19 * HOUR


def test_a_choice_moves_the_next_digest_but_not_one_that_is_due() -> None:
    now = at("2026-11-27 15:00")
    chosen = rescheduled(replace(NIGHT, digest_at=9), now=now)
    assert chosen.digest_due == at("2026-11-28 09:00")
    assert rescheduled(replace(chosen, digest_at=20), now=now).digest_due == at("2026-11-27 20:00")
    due = rescheduled(replace(chosen, digest_at=20), now=chosen.digest_due)
    assert due.digest_due == chosen.digest_due
    assert rescheduled(replace(chosen, digest_at=None), now=now).digest_due == now, "the last one is taken away"
    assert rescheduled(MemberSettings(), now=now).digest_due == 0


@pytest.mark.parametrize(
    ("moment", "called"),
    [
        ("2026-11-27 12:00", "2026-11-27 12:00"),
        ("2026-11-27 21:59", "2026-11-27 21:59"),
        ("2026-11-27 23:00", "2026-11-30 07:00"),  # the night leads into a weekend, and another night out of it
        ("2026-11-28 12:00", "2026-11-30 07:00"),
        ("2026-11-30 00:00", "2026-11-30 07:00"),
        ("2026-11-30 07:00", "2026-11-30 07:00"),
    ],
)
def test_a_call_waits_for_quiet_hours_and_a_weekend_off_whichever_ends_last(moment: str, called: str) -> None:
    week = LocalWeek("America/New_York")
    assert call_time(NIGHT, at(moment), week=week) == at(called)
    assert call_time(MemberSettings(), at(moment), week=week) == (week.ends(at(moment)) or at(moment))
    assert call_time(NIGHT, at(moment), week=None) == (quiet_end(NIGHT, at(moment)) or at(moment))
