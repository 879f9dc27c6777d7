"""Vacations: correspondence clocks stop, whatever begins, ends or fails during them, and no one gains time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model.choices import Vacation
from bot.model.clock import DAY, HOUR, Clock, Pace
from bot.model.ids import TableKey
from bot.model.limits import VACATION_PER_YEAR_MS
from bot.model.reasons import VacationReason
from tests.play.world import ANN, BOB, CLEO, GUILD, World

SLOW = Clock(pace=Pace.CORRESPONDENCE, seconds=DAY // 1000)


async def bob_thinks(world: World) -> TableKey:
    """Return a correspondence table where Bob has used six of his 24 hours."""
    key = await world.started(ANN, BOB, clock=SLOW)
    await world.later(6 * HOUR)
    assert await world.turn(key) == BOB
    return key


async def take(world: World, *, begins: int, days: int) -> list[TableKey]:
    """Bob's vacation from so many milliseconds ahead."""
    begins += world.now
    tables = await world.play.take_vacation(GUILD, BOB, begins=begins, ends=begins + days * DAY)
    return [table.key for table in tables]


async def left_of_bobs_turn(world: World, key: TableKey) -> int:
    """The time that Bob has left (ms)."""
    until = (await world.play.look(key)).turn_until
    assert until is not None
    return until - world.now


async def test_the_clock_of_a_turn_stands_and_goes_on_with_what_it_had(world: World) -> None:
    key = await bob_thinks(world)
    assert await take(world, begins=0, days=10) == [key]
    view = await world.play.look(key)
    assert view.place_of(BOB).vacation == Vacation(begins=world.now, ends=world.now + 10 * DAY)  # type: ignore[union-attr]
    assert view.table.version > view.table.drawn_version, "everybody there is told"
    await world.later(10 * DAY)
    assert await world.turn(key) == BOB
    assert await left_of_bobs_turn(world, key) == 18 * HOUR
    assert (await world.play.look(key)).place_of(BOB).vacation is None  # type: ignore[union-attr]
    await world.later(18 * HOUR - 1)
    assert await world.turn(key) == BOB
    await world.later(1)
    assert await world.turn(key) == ANN, "and it runs out as ever"


async def test_a_turn_that_begins_meanwhile_has_all_its_time_afterwards(world: World) -> None:
    key = await bob_thinks(world)
    await world.place_cards(key, BOB)
    await take(world, begins=0, days=3)
    await world.later(6 * HOUR)
    assert await world.turn(key) == ANN, "hers runs"
    await world.place_cards(key, ANN)
    assert await left_of_bobs_turn(world, key) == 3 * DAY - 6 * HOUR + DAY
    assert (await world.play.look(key)).place_of(BOB).seat.remind_at == world.now + 3 * DAY - 6 * HOUR + 18 * HOUR  # type: ignore[union-attr]


async def test_one_that_is_planned_takes_what_lies_in_it_and_nothing_before(world: World) -> None:
    key = await bob_thinks(world)
    await take(world, begins=17 * HOUR, days=2)
    assert await left_of_bobs_turn(world, key) == 18 * HOUR + 2 * DAY
    await world.play.end_vacation(GUILD, BOB)
    assert await left_of_bobs_turn(world, key) == 18 * HOUR, "called off"
    await take(world, begins=19 * HOUR, days=2)
    assert await left_of_bobs_turn(world, key) == 18 * HOUR, "this turn is over before it"
    await world.later(18 * HOUR)
    assert await world.turn(key) == ANN


@pytest.mark.parametrize("stop", [0, 5 * HOUR], ids=["killed", "stopped for hours"])
async def test_it_stands_on_the_disk_and_a_stop_gives_nothing_twice(world: World, stop: int) -> None:
    key = await bob_thinks(world)
    await take(world, begins=0, days=4)
    await world.restart(after_ms=stop)
    await world.later(4 * DAY - stop)
    assert await left_of_bobs_turn(world, key) == 18 * HOUR, "the vacation has given that time already"
    # A deadline that an outage moved into a vacation doesn't expire there.
    await take(world, begins=19 * HOUR, days=2)
    await world.later(17 * HOUR)
    await world.restart(after_ms=4 * HOUR)
    await world.later(DAY)
    assert await world.turn(key) == BOB
    assert await left_of_bobs_turn(world, key) > 0


@pytest.mark.parametrize(
    ("begins", "lasts", "given_back"),
    [(2 * HOUR, 10 * HOUR, 4 * HOUR), (12 * HOUR, 10 * HOUR, 0), (50 * HOUR, 10 * HOUR, 6 * HOUR)],
    ids=["into it", "within it", "out of it"],
)
async def test_of_an_outage_that_part_is_given_back_in_which_the_clock_ran(
    world: World, begins: int, lasts: int, given_back: int
) -> None:
    key = await bob_thinks(world)
    await take(world, begins=6 * HOUR, days=2)  # 6 to 54 hours from now on
    plain = await left_of_bobs_turn(world, key)
    await world.later(begins)
    await world.restart(after_ms=lasts)
    assert await left_of_bobs_turn(world, key) == plain - begins - lasts + given_back


async def test_who_is_back_early_has_their_clock_and_their_days(world: World) -> None:
    key = await bob_thinks(world)
    await take(world, begins=0, days=20)
    await world.later(5 * DAY)
    await world.play.end_vacation(GUILD, BOB)
    assert await left_of_bobs_turn(world, key) == 18 * HOUR
    assert await world.play.vacation_left(GUILD, BOB) == VACATION_PER_YEAR_MS - 5 * DAY
    with world.refuses(VacationReason.VACATION_TOO_LONG, left=25, most=30):
        await take(world, begins=0, days=26)
    assert (await world.play.member_settings(GUILD, BOB)).vacation(world.now) is None, "nothing was noted"
    await take(world, begins=0, days=25)
    await world.later(25 * DAY)
    with world.refuses(VacationReason.VACATION_TOO_LONG, left=0, most=30):
        await take(world, begins=0, days=1)
    await take(world, begins=366 * DAY, days=30)
    with world.refuses(VacationReason.VACATION_PAST):
        await world.play.take_vacation(GUILD, BOB, begins=world.now - 2, ends=world.now - 1)


async def test_another_one_takes_its_place_and_clocks_are_put_off_once(world: World) -> None:
    key = await bob_thinks(world)
    await take(world, begins=0, days=10)
    await world.later(DAY)
    await take(world, begins=0, days=3)
    assert await left_of_bobs_turn(world, key) == 18 * HOUR + 3 * DAY
    assert await world.play.vacation_left(GUILD, BOB) == VACATION_PER_YEAR_MS - DAY


async def test_quick_tables_go_on_and_so_does_everybody_else(world: World) -> None:
    quick = await world.started(ANN, BOB)
    until = (await world.play.look(quick)).turn_until
    slow = await bob_thinks_elsewhere(world)
    assert await take(world, begins=0, days=10) == [slow]
    assert (await world.play.look(quick)).turn_until == until
    assert (await world.play.look(quick)).place_of(BOB).vacation is None  # type: ignore[union-attr]
    table = (await world.play.look(slow)).table
    assert (await world.play.look(slow)).place_of(ANN).vacation is None  # type: ignore[union-attr]
    assert table.pauses_for_vacations
    assert not replace(table, event_no=1).pauses_for_vacations, "an event keeps to its dates"


async def bob_thinks_elsewhere(world: World) -> TableKey:
    """Return a second correspondence table."""
    return await world.started(ANN, BOB, clock=SLOW)


async def test_who_sits_out_is_back_with_it_and_is_still_told_what_they_missed(world: World) -> None:
    key = await world.started(ANN, BOB, clock=SLOW)
    for _ in range(2):
        await world.later(DAY)
        await world.place_cards(key, ANN)
    assert (await world.play.look(key)).place_of(BOB).seat.away  # type: ignore[union-attr]
    await take(world, begins=0, days=2)
    await world.later(HOUR)
    assert await world.turn(key) == BOB
    assert not (await world.play.look(key)).place_of(BOB).seat.away  # type: ignore[union-attr]
    assert (await world.play.missed(key, BOB)).placed == ((1, 1), (1, 2))


async def test_who_has_left_since_their_panel_was_looked_at_has_missed_nothing_there(world: World) -> None:
    """Their panel is drawn in two looks: in between an event may have moved them."""
    key = await world.started(ANN, BOB, CLEO)
    await world.play.leave(key, CLEO, cause=world.cause())
    while waiting := (await world.play.look(key)).waiting:
        await world.place_cards(key, waiting[0])
    await world.next_hand(key)
    assert (await world.play.look(key)).place_of(CLEO) is None
    missed = await world.play.missed(key, CLEO)
    assert (missed.placed, missed.points, missed.without) == ((), (), 0)


async def test_a_persons_file_tells_it_and_it_goes_with_them(world: World) -> None:
    await take(world, begins=0, days=2)
    (row,) = (await world.privacy.kept_about(BOB)).servers[GUILD]["settings"]
    assert (row["vacation_from"], row["vacation_until"]) == (world.now, world.now + 2 * DAY)
    await world.privacy.delete(BOB)
    assert not world.ask("SELECT 1 FROM member WHERE vacation_from <> 0")
