"""Weekends off: clocks stop on Saturday and Sunday, whatever begins, ends or fails during them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import accumulate
from random import Random
from zoneinfo import ZoneInfo

import pytest

from bot.model.clock import DAY, HOUR, MINUTE, Clock, Pace
from bot.model.ids import TableKey
from bot.model.reasons import TableReason
from bot.model.tables import TableState, Terms
from bot.model.weekends import LocalWeek
from bot.play.table.rematch import TermChanges, change_terms
from bot.pure.ofc.presets import PINEAPPLE
from tests.play.test_matchmaking import offer
from tests.play.world import ANN, BOB, GUILD, START, World

SLOW = Clock(pace=Pace.CORRESPONDENCE, seconds=DAY // 1000)
SATURDAY = START + 16 * HOUR
"""The clock of these tests begins on a Friday at eight, in UTC."""
MONDAY = SATURDAY + 2 * DAY

CHANGES = [
    ("America/New_York", "2027-03-11"),  # on Sunday night, forward and back
    ("America/New_York", "2026-10-29"),
    ("Asia/Beirut", "2027-03-25"),  # Sunday has no midnight
    ("America/Havana", "2026-10-29"),  # Sunday has two
    ("America/Santiago", "2027-04-01"),  # Saturday has an hour twice at its end
    ("Africa/Cairo", "2027-04-27"),  # Friday has no midnight
    ("Africa/Cairo", "2026-10-27"),  # Thursday is longer
    ("Asia/Gaza", "2027-03-25"),
    ("Pacific/Apia", "2011-12-27"),  # there was no Friday
    ("Asia/Tokyo", "2027-01-13"),
    ("", "2027-01-13"),
    ("Middle/Earth", "2027-01-13"),
]


def test_the_clock_of_these_tests_begins_on_a_friday() -> None:
    assert f"{datetime.fromtimestamp(START / 1000, UTC):%A %H:%M}" == "Friday 08:00"


@pytest.mark.parametrize(("zone", "day"), CHANGES)
def test_every_minute_that_counts_is_counted_once_and_no_other(zone: str, day: str) -> None:
    known = UTC if zone in {"", "Middle/Earth"} else ZoneInfo(zone)
    week, random = LocalWeek(zone), Random(day + zone)
    first = round(datetime.fromisoformat(day).replace(tzinfo=known).timestamp() * 1000)
    minutes = [first + n * MINUTE for n in range(16 * 24 * 60)]
    counts = [datetime.fromtimestamp(at / 1000, known).weekday() < 5 for at in minutes]
    assert any(counts)
    assert not all(counts)
    before = [0, *accumulate(counts)]
    assert all((week.ends(at) is None) == one for at, one in zip(minutes[::7], counts[::7], strict=True))
    for _ in range(120):
        start = random.randrange(4 * 24 * 60)
        allowed = random.choice([0, 1, 60, 24 * 60, random.randrange(5 * 24 * 60)])
        ends = next(n for n in range(start, len(minutes)) if before[n] - before[start] >= allowed and counts[n])
        assert week.deadline(minutes[start], allowed * MINUTE) == minutes[ends]
        assert week.counted(minutes[start], minutes[ends]) == allowed * MINUTE
        assert week.counted(minutes[ends], minutes[start]) == 0


async def slow_table(world: World, clock: Clock = SLOW, *, weekends_off: bool = True) -> TableKey:
    """Return a table with weekends off, where Bob's first turn has just begun."""
    wanted = offer(ANN)
    terms = replace(wanted.terms, clock=clock, weekends_off=weekends_off)
    key = (await world.play.open_table(replace(wanted, terms=terms), cause=world.cause())).key
    await world.join(key, BOB)
    await world.rig(key)
    await world.start(key)
    assert await world.turn(key) == BOB
    return key


async def until(world: World, key: TableKey) -> int | None:
    """When the turn runs out."""
    return (await world.play.look(key)).turn_until


async def test_a_turn_stands_over_the_weekend_and_has_all_its_time(world: World) -> None:
    key = await slow_table(world)
    assert await until(world, key) == MONDAY + 8 * HOUR
    assert world.timers(key)["remind"] == MONDAY + 2 * HOUR, "nobody is reminded on Saturday"
    await world.later(MONDAY + 8 * HOUR - 1 - START)
    assert await world.turn(key) == BOB
    await world.later(1)
    assert await world.turn(key) == ANN, "and it runs out as ever"


async def test_without_it_the_same_turn_ends_on_saturday(world: World) -> None:
    key = await slow_table(world, weekends_off=False)
    assert await until(world, key) == START + DAY
    assert (await world.play.look(key)).week is None


async def test_one_may_play_on_a_weekend_and_the_next_turn_begins_on_monday(world: World) -> None:
    key = await slow_table(world)
    await world.later(DAY)
    await world.place_cards(key, BOB)
    assert await world.turn(key) == ANN
    assert await until(world, key) == MONDAY + DAY


async def test_the_next_hand_waits_for_so_long_without_the_weekend(world: World) -> None:
    key = await slow_table(world)
    await world.later(DAY)
    await world.play_hand(key)
    assert (await world.play.look(key)).next_hand_at == MONDAY + DAY
    await world.restart(after_ms=5 * HOUR)
    assert (await world.play.look(key)).next_hand_at == MONDAY + DAY, "a stop on a weekend takes nothing"
    await world.later(MONDAY + DAY - 1 - world.now)
    assert (await world.play.look(key)).table.state is TableState.BETWEEN
    await world.later(1)
    assert (await world.play.look(key)).table.state is TableState.PLAYING


@pytest.mark.parametrize(
    ("stops", "for_ms", "ends"),
    [
        (4 * HOUR, 0, MONDAY + 8 * HOUR),
        (4 * HOUR, 2 * HOUR, MONDAY + 10 * HOUR),
        (4 * HOUR, 20 * HOUR, MONDAY + 20 * HOUR),  # from Friday into Saturday
        (4 * HOUR, 3 * DAY, MONDAY + DAY + 8 * HOUR),  # over the weekend, to Monday noon
        (20 * HOUR, 10 * HOUR, MONDAY + 8 * HOUR),  # on Saturday
        (20 * HOUR, 2 * DAY, MONDAY + 12 * HOUR),  # from Saturday to Monday at four
        (20 * HOUR, -10 * HOUR, MONDAY + 2 * HOUR),  # the machine's clock was set back, from Saturday to Friday
    ],
)
async def test_a_stop_leaves_what_was_left(world: World, stops: int, for_ms: int, ends: int) -> None:
    key = await slow_table(world)
    await world.later(stops)
    await world.restart(after_ms=for_ms)
    assert await until(world, key) == ends
    assert world.timers(key)["turn"] == ends
    assert await world.turn(key) == BOB


async def test_a_vacation_and_a_weekend_each_take_their_own(world: World) -> None:
    key = await slow_table(world)
    await world.later(6 * HOUR)
    await world.play.take_vacation(GUILD, BOB, begins=world.now, ends=world.now + 2 * DAY)
    assert await until(world, key) == MONDAY + 18 * HOUR, "eighteen hours were left on Friday"
    await world.play.end_vacation(GUILD, BOB)
    assert await until(world, key) == MONDAY + 8 * HOUR
    await world.play.take_vacation(GUILD, BOB, begins=MONDAY, ends=MONDAY + 4 * DAY + 12 * HOUR)
    assert await until(world, key) == MONDAY + 4 * DAY + 20 * HOUR, "eight hours of Friday were left for Monday"
    await world.play.end_vacation(GUILD, BOB)
    assert await until(world, key) == MONDAY + 8 * HOUR


async def test_the_weekend_is_that_of_the_server_s_zone_also_once_it_changes(world: World) -> None:
    key = await slow_table(world)
    await world.later(17 * HOUR)
    before = (await world.play.look(key)).table.version
    await world.play.choose_for_server(GUILD, lambda server: replace(server, zone="America/New_York"))
    view = await world.play.look(key)
    assert view.week == LocalWeek("America/New_York")
    assert view.table.version > before, "the table tells it"
    # It is Friday evening there again: four of eight hours are left for Monday, which begins five hours later.
    assert view.turn_until == MONDAY + 9 * HOUR
    assert world.timers(key)["turn"] == MONDAY + 9 * HOUR


async def test_it_is_for_correspondence_alone_and_not_for_events(world: World) -> None:
    wanted = offer(ANN)
    live = replace(wanted, terms=replace(wanted.terms, weekends_off=True))
    with world.refuses(TableReason.WEEKENDS_NEED_DAYS):
        await world.play.open_table(live, cause=world.cause())
    objection = await world.play.objection(live)
    assert objection is not None
    assert objection.reason is TableReason.WEEKENDS_NEED_DAYS
    view = await world.play.look(await slow_table(world))
    assert view.week is not None
    assert view.table.pauses_for_vacations
    assert not replace(view.table, event_no=1).pauses_for_vacations, "an event keeps to its dates"


async def test_a_table_like_it_keeps_it_while_its_pace_does(world: World) -> None:
    key = await slow_table(world)
    await world.play_hand(key)
    await world.leave(key, ANN)
    await world.leave(key, BOB)
    await world.later(MONDAY + 8 * HOUR - world.now)
    assert not (await world.play.look(key)).table.open
    again = await world.play.play_again(key, offer(BOB), cause=world.cause())
    assert again.terms.weekends_off
    assert (await world.play.look(again.key)).week == LocalWeek()
    faster = {"clock": Clock(pace=Pace.PER_TURN, seconds=60)}
    assert not change_terms(again.terms, TermChanges(others=faster)).weekends_off
    assert change_terms(again.terms, TermChanges(others=faster, weekends_off=True)).weekends_off, (
        "which is refused then"
    )
    assert not change_terms(again.terms, TermChanges(weekends_off=False)).weekends_off
    plain = Terms(variant=PINEAPPLE, point_value=0, buy_in=0, max_seats=3, clock=SLOW)
    assert change_terms(plain, TermChanges(weekends_off=True)).weekends_off
