"""An event that repeats is one of Discord's scheduled events, with a rule that tells no false date."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.chat.event.posts.calendar import discord_rule
from bot.model.clock import DAY
from bot.model.events import DAYS, RepeatInterval
from bot.model.ids import EventKey, GuildId
from bot.play.event.office.permissions import MemberPermissions
from bot.play.event.office.repeating import build_repeat, next_start
from tests.standin import rest
from tests.standin.recurrence import DAILY, WEEKLY, check_recurrence, go_on
from tests.standin.rest import Fault, RefusedError, Request
from tests.standin.test_events import (
    ACTIVE,
    BOSS,
    CANCELLED,
    COMPLETED,
    HOUR,
    SCHEDULED,
    Evening,
    end_by_disqualification,
    refuse,
)
from tests.standin.things import Json
from tests.standin.wired_bot import EPOCH_MS, WiredBot
from tests.store.samples import EVENT
from tests.text.test_calendar_file import at

FIRST = EPOCH_MS + HOUR
WEEK = 7 * DAY
MANAGER = MemberPermissions(manager=True, announces=True)


@pytest.fixture
def evening(wired: WiredBot) -> Evening:
    return Evening(wired)


async def weekly(evening: Evening, *, zone: str = "UTC", every: RepeatInterval = RepeatInterval.WEEK) -> EventKey:
    """An event that begins in an hour and repeats."""
    return await evening.announce(repeat=build_repeat(every, zone, FIRST))


def starts(entry: Json) -> list[int]:
    """When it begins, and when its rule does, in milliseconds."""
    rule = entry["recurrence_rule"]
    texts = [entry["scheduled_start_time"], *([rule["start"]] if rule else [])]
    return [round(datetime.fromisoformat(text).timestamp() * 1000) for text in texts]


async def newest(evening: Evening) -> EventKey:
    """The event that is open."""
    (one,) = await evening.events.events(GuildId(evening.wired.channel.guild.id))
    return one.key


async def cancel(evening: Evening, key: EventKey) -> None:
    await evening.events.cancel(key, BOSS, why="no power", cause=evening.cause())
    await evening.shown()


async def stop_repeating(evening: Evening, key: EventKey) -> None:
    await evening.events.repeat(key, BOSS, MANAGER, every=None, zone="UTC", cause=evening.cause())
    await evening.shown()


@pytest.mark.parametrize(
    ("every", "rule"),
    [
        (RepeatInterval.DAY, {"frequency": DAILY, "interval": 1}),
        (RepeatInterval.WEEK, {"frequency": WEEKLY, "interval": 1, "by_weekday": [4]}),
        (RepeatInterval.FORTNIGHT, {"frequency": WEEKLY, "interval": 2, "by_weekday": [4]}),
    ],
)
async def test_an_event_that_repeats_is_announced_with_its_rule(
    evening: Evening, every: RepeatInterval, rule: Json
) -> None:
    await weekly(evening, every=every)
    (entry,) = evening.calendar
    assert entry["recurrence_rule"] == {"start": "2027-01-15T09:00:00+00:00", **rule}
    assert starts(entry) == [FIRST, FIRST]
    assert entry["image"] == "cover"


async def test_the_next_event_goes_on_with_the_same_entry(evening: Evening) -> None:
    key = await weekly(evening)
    (entry,) = evening.calendar
    for date in range(1, 4):
        await evening.register(key, 1, 2)
        await evening.start(key)
        assert entry["status"] == ACTIVE
        await end_by_disqualification(evening, key)
        assert (entry["status"], starts(entry)) == (SCHEDULED, [FIRST + date * WEEK] * 2)
        assert (await evening.event(key)).scheduled is None
        key = await newest(evening)
        assert str((await evening.event(key)).scheduled) == entry["id"]
    assert len(evening.calendar) == 1


async def test_a_date_that_is_cancelled_leaves_the_entry_at_the_next_one(evening: Evening) -> None:
    key = await weekly(evening)
    await cancel(evening, key)
    (entry,) = evening.calendar
    assert (entry["status"], starts(entry)) == (SCHEDULED, [FIRST + WEEK] * 2)


@pytest.mark.parametrize("later", [HOUR, DAY])
async def test_a_date_that_is_put_off_stands_alone_and_the_rule_comes_back_with_the_next(
    evening: Evening, later: int
) -> None:
    key = await weekly(evening)
    late = FIRST + later
    await evening.events.postpone(key, BOSS, until=late, cause=evening.cause())
    await evening.shown()
    (entry,) = evening.calendar
    assert (entry["recurrence_rule"], starts(entry)) == (None, [late])
    await cancel(evening, key)
    old, new = evening.calendar
    assert old["status"] == CANCELLED
    assert (new["status"], starts(new)) == (SCHEDULED, [FIRST + WEEK] * 2)


async def move_for_good(evening: Evening, key: EventKey, *, later: int) -> None:
    """Move the start of this date and of all later ones."""
    changes = {"starts_at": (FIRST, FIRST + later)}
    await evening.events.change(key, BOSS, changes, authority=MANAGER, cause=evening.cause())
    await evening.shown()


@pytest.mark.parametrize("later", [HOUR, DAY])
async def test_a_start_that_is_moved_for_later_dates_too_takes_the_rule_along(evening: Evening, later: int) -> None:
    key = await weekly(evening)
    await move_for_good(evening, key, later=later)
    (entry,) = evening.calendar
    assert starts(entry) == [FIRST + later] * 2
    assert entry["recurrence_rule"]["by_weekday"] == [4 if later < DAY else 5]
    await cancel(evening, key)
    assert starts(entry) == [FIRST + later + WEEK] * 2


async def test_an_event_that_repeats_from_later_on_gets_its_rule_and_loses_it_when_that_stops(
    evening: Evening,
) -> None:
    key = await evening.announce()
    (entry,) = evening.calendar
    assert not entry.get("recurrence_rule")
    await evening.events.repeat(key, BOSS, MANAGER, every=RepeatInterval.WEEK, zone="UTC", cause=evening.cause())
    await evening.shown()
    assert starts(entry) == [FIRST, FIRST]
    await stop_repeating(evening, key)
    assert (entry["recurrence_rule"], entry["status"]) == (None, SCHEDULED)
    await evening.register(key, 1, 2)
    await evening.start(key)
    await end_by_disqualification(evening, key)
    assert [one["status"] for one in evening.calendar] == [COMPLETED]


async def test_one_that_stops_repeating_while_it_is_played_ends_there_too(evening: Evening) -> None:
    key = await weekly(evening)
    (entry,) = evening.calendar
    await evening.register(key, 1, 2)
    await evening.start(key)
    await stop_repeating(evening, key)
    await end_by_disqualification(evening, key)
    assert (entry["status"], entry["recurrence_rule"]) == (CANCELLED, None)
    assert len(evening.calendar) == 1


async def test_one_that_stops_repeating_once_discord_has_begun_it_ends_there_too(evening: Evening) -> None:
    key = await weekly(evening)
    (entry,) = evening.calendar
    await evening.register(key, 1, 2)
    entry["status"] = ACTIVE
    await stop_repeating(evening, key)
    await evening.start(key)
    await end_by_disqualification(evening, key)
    assert (entry["status"], entry["recurrence_rule"]) == (CANCELLED, None)


async def test_one_that_stopped_and_is_cancelled_is_cancelled_there(evening: Evening) -> None:
    key = await weekly(evening)
    await stop_repeating(evening, key)
    await cancel(evening, key)
    assert [one["status"] for one in evening.calendar] == [CANCELLED]


async def test_one_that_discord_has_moved_on_meanwhile_is_left_at_its_next_date(evening: Evening) -> None:
    key = await weekly(evening)
    (entry,) = evening.calendar
    await evening.register(key, 1, 2)
    go_on(entry)
    await evening.start(key)
    assert (entry["status"], starts(entry)) == (SCHEDULED, [FIRST + WEEK] * 2)
    await end_by_disqualification(evening, key)
    assert (entry["status"], starts(entry)) == (SCHEDULED, [FIRST + WEEK] * 2)
    assert len(evening.calendar) == 1


async def test_one_whose_entry_people_have_cancelled_is_not_made_again(evening: Evening) -> None:
    key = await weekly(evening)
    (entry,) = evening.calendar
    entry["status"] = CANCELLED
    await evening.register(key, 1)
    await evening.events.postpone(key, BOSS, until=FIRST + DAY, cause=evening.cause())
    await evening.shown()
    assert (await evening.event(key)).scheduled_as == "gone"
    assert len(evening.calendar) == 1


async def test_a_rule_that_discord_refuses_makes_it_one_date(evening: Evening) -> None:
    refused = []

    def hook(request: Request) -> Fault | None:
        if request.kind == "calendar" and request.body and request.json.get("recurrence_rule"):
            refused.append(request)
            return Fault(status=400, code=rest.INVALID_FORM)
        return None

    evening.wired.discord.hook = hook
    key = await weekly(evening)
    (entry,) = evening.calendar
    assert not entry.get("recurrence_rule")
    await evening.register(key, 1, 2, 3)
    assert len(refused) == 1, "what was refused is not asked again"
    await move_for_good(evening, key, later=DAY)
    assert (len(refused), starts({"recurrence_rule": None, **entry})) == (2, [FIRST + DAY])
    await cancel(evening, key)
    assert entry["status"] == CANCELLED


@pytest.mark.parametrize("lost", [1, 2])
async def test_an_answer_that_is_lost_on_the_way_to_the_next_date_costs_no_entry(evening: Evening, lost: int) -> None:
    """The next event ends the date of the one before, and tells its own: either may be done and not known."""
    key = await weekly(evening)
    (entry,) = evening.calendar
    await evening.register(key, 1, 2)
    await evening.start(key)
    seen = []

    def hook(request: Request) -> Fault | None:
        if request.kind == "calendar" and request.method == "PATCH":
            seen.append(request)
            if len(seen) == lost:
                return Fault(error=TimeoutError(), done=True)
        return None

    evening.wired.discord.hook = hook
    await end_by_disqualification(evening, key)
    await evening.board.sweep()
    await evening.shown()
    assert len(seen) > lost
    assert (entry["status"], starts(entry)) == (SCHEDULED, [FIRST + WEEK] * 2)
    assert len(evening.calendar) == 1
    assert await evening.events.undrawn() == []


async def test_a_bot_that_dies_between_two_dates_finds_the_entry_again(evening: Evening, tmp_path: Path) -> None:
    key = await weekly(evening)
    (entry,) = evening.calendar
    await evening.register(key, 1, 2)
    await evening.start(key)
    evening.wired.discord.hook = refuse("calendar", Fault(status=503))
    await end_by_disqualification(evening, key)
    assert entry["status"] == ACTIVE
    evening.wired.discord.hook = None
    await evening.restart(tmp_path)
    await asyncio.sleep(30)
    await evening.shown()
    assert (entry["status"], starts(entry)) == (SCHEDULED, [FIRST + WEEK] * 2)
    assert len(evening.calendar) == 1


ZONES = ["UTC", "Asia/Tokyo", "Europe/Berlin", "America/New_York"]


@pytest.mark.parametrize("zone", ZONES)
def test_a_rule_tells_no_date_of_two_months_wrong(zone: str) -> None:
    told = 0
    for week in range(52):
        starts_at = at("2026-10-02 21:00", zone) + week * WEEK
        repeat = build_repeat(RepeatInterval.WEEK, zone, starts_at)
        assert repeat is not None
        event = replace(EVENT, starts_at=starts_at, repeat=repeat)
        if (rule := discord_rule(event)) is None:
            continue
        told += 1
        following, expected = starts_at, starts_at
        while following < starts_at + 60 * DAY:
            following, expected = following + DAYS[repeat.every] * DAY, next_start(repeat, expected, now=0)
            assert following == expected
        assert rule["by_weekday"] == [datetime.fromtimestamp(starts_at / 1000, UTC).weekday()]
    assert told == 52 if zone in ("UTC", "Asia/Tokyo") else 20 < told < 45


def test_a_start_at_some_second_is_told_with_a_rule_all_the_same() -> None:
    starts_at = at("2026-10-02 21:00", "UTC") + 12_345
    event = replace(EVENT, starts_at=starts_at, repeat=build_repeat(RepeatInterval.WEEK, "UTC", starts_at))
    assert discord_rule(event) is not None


@pytest.mark.parametrize(
    "wrong",
    [
        {"end": "2027-02-15T09:00:00+00:00"},
        {"count": 4},
        {"interval": 3},
        {"by_weekday": [3]},
        {"by_weekday": None},
        {"start": "2027-01-22T09:00:00+00:00"},
        {"frequency": DAILY},
    ],
)
def test_the_stand_in_takes_no_rule_that_discord_would_refuse(wrong: Json) -> None:
    start = "2027-01-15T09:00:00+00:00"
    rule = {"start": start, "frequency": WEEKLY, "interval": 1, "by_weekday": [4]}
    event = {"scheduled_start_time": start, "scheduled_end_time": "2027-01-15T11:00:00+00:00"}
    check_recurrence({**event, "recurrence_rule": rule})
    with pytest.raises(RefusedError):
        check_recurrence({**event, "recurrence_rule": {**rule, **wrong}})
