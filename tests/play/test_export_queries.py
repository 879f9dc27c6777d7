"""A turn begins when a message has told it, and an event's table is dealt when one shows it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.model.clock import ANNOUNCE_TIMEOUT_MS, LATE_MS, Clock, Pace
from bot.model.events import Official
from bot.model.ids import GuildId, Player, TableKey
from bot.model.tables import TableState, Timer, WaitReason
from bot.play.api.events import Events
from bot.play.event.office.registration import PlannedEvent
from bot.play.queries.views import TableView
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.presets import PINEAPPLE
from tests.play.world import ANN, BOB, CHANNEL, CLEO, GUILD, FixedVault, World

LONG = 40_000
"""A drawing that is late."""
BOSS = Official(player=Player("1"))
WEEKLY = replace(PRESETS["chaipo"], check_in_minutes=0)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path, fixed=FixedVault([b"k" * 32]), published=True)
    await world.open()
    yield world
    world.check_books()
    await world.close()


async def show(world: World, key: TableKey, view: TableView | None = None) -> None:
    """Record a post like the publisher."""
    view = view or await world.play.look(key)
    table = view.table
    await world.play.drawn(
        key, version=table.version, hand_no=table.hand_no, message=7, call=None, turn=view.announced_turn
    )


async def time_left(world: World, key: TableKey, player: Player) -> int:
    until = (await world.play.look(key)).until(player)
    assert until is not None
    return until - world.now


async def test_a_turn_that_is_told_late_begins_then(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.later(LONG)
    await show(world, key)
    assert await time_left(world, key, BOB) == 60_000
    assert world.timers(key) == {Timer.TURN.value: world.now + 60_000, Timer.REMIND.value: world.now + 45_000}


async def test_a_turn_that_is_told_at_once_began_when_it_came(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.later(LATE_MS)
    await show(world, key)
    assert await time_left(world, key, BOB) == 60_000 - LATE_MS


async def test_nobodys_time_runs_out_before_he_was_told(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.later(ANNOUNCE_TIMEOUT_MS - 1)
    assert await world.turn(key) == BOB
    view = await world.play.look(key)
    assert [place.seat.timeouts for place in view.places] == [0, 0]
    await show(world, key)
    await world.later(59_999)
    assert await world.turn(key) == BOB
    await world.later(1)
    assert await world.turn(key) == ANN


async def test_what_cannot_be_shown_goes_on_at_last(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.later(ANNOUNCE_TIMEOUT_MS)
    await world.later(1_000)
    assert await world.turn(key) == ANN


async def test_what_is_shown_again_gives_no_more_time(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.later(LONG)
    for _ in range(3):
        await show(world, key)
        await world.later(10_000)
    assert await time_left(world, key, BOB) == 30_000


async def test_a_restart_gives_a_turn_that_was_told_no_more_time(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.later(LONG)
    await show(world, key)
    await world.later(10_000)
    left = await time_left(world, key, BOB)
    lost = world.now - int(world.ask("SELECT alive_at FROM heartbeat")[0][0])
    await world.restart()
    await show(world, key)
    assert await time_left(world, key, BOB) == left + lost


async def test_a_restart_before_a_turn_was_told_gives_all_of_it(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.later(LONG)
    await world.restart(after_ms=3_600_000)
    await world.later(LONG)
    await show(world, key)
    assert await time_left(world, key, BOB) == 60_000


async def test_a_drawing_of_the_turn_before_tells_nobody(world: World) -> None:
    key = await world.started(ANN, BOB)
    before = await world.play.look(key)
    await world.later(LONG)
    await world.place_cards(key, BOB)
    await show(world, key, before)
    await world.later(LONG)
    await world.later(LONG)
    assert await world.turn(key) == ANN
    await show(world, key)
    assert await time_left(world, key, ANN) == 60_000


async def test_a_late_message_says_the_time_that_there_will_be(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.later(LONG)
    view = await world.play.look(key)
    assert view.until(BOB) == world.now + 60_000
    await show(world, key, view)
    assert (await world.play.look(key)).table.version == view.table.version


async def test_a_countdown_that_was_long_on_its_way_is_drawn_anew(world: World) -> None:
    key = await world.started(ANN, BOB)
    view = await world.play.look(key)
    await world.later(LONG)
    await show(world, key, view)
    table = (await world.play.look(key)).table
    assert table.drawn_version < table.version
    await show(world, key)
    table = (await world.play.look(key)).table
    assert table.drawn_version == table.version


async def test_who_acts_before_he_was_told_spends_nothing_of_his_budget(world: World) -> None:
    key = await world.started(ANN, BOB, clock=Clock(pace=Pace.LIVE, seconds=120))
    await world.later(LONG)
    await world.place_cards(key, BOB)
    (bob,) = [place.seat for place in (await world.play.look(key)).places if place.seat.player == BOB]
    assert (bob.left_ms, bob.bank_ms) == (120_000, 60_000)


async def test_a_budget_is_spent_from_the_telling_on(world: World) -> None:
    key = await world.started(ANN, BOB, clock=Clock(pace=Pace.LIVE, seconds=120))
    await world.later(LONG)
    await show(world, key)
    await world.later(30_000)
    await world.place_cards(key, BOB)
    (bob,) = [place.seat for place in (await world.play.look(key)).places if place.seat.player == BOB]
    assert (bob.left_ms, bob.bank_ms) == (90_000, 60_000)


async def test_for_who_is_away_nobody_waits_for_a_message(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    await show(world, key)
    first = await world.turn(key)
    for _ in range(2):
        while await world.turn(key) != first:
            await world.place_cards(key, await world.turn(key))
        await show(world, key)
        await world.later(60_000)
    while await world.turn(key) != first:
        await world.place_cards(key, await world.turn(key))
    await world.later(0)
    assert await world.turn(key) != first


# tables of events


async def announced(world: World) -> tuple[Events, TableKey]:
    """An event that has just begun, and its only table."""
    events = world.events
    plan = PlannedEvent(
        guild=GuildId(GUILD),
        channel=CHANNEL,
        organiser=BOSS.player,
        language="en",
        name="Friday",
        variant=PINEAPPLE,
        structure=WEEKLY,
        clock=Clock(pace=Pace.PER_TURN, seconds=60),
        starts_at=world.now + 3_600_000,
    )
    key = (await events.create(plan, cause=world.cause())).key
    for player in (ANN, BOB, CLEO):
        await events.register(key, player, cause=world.cause())
    await events.start(key, BOSS, cause=world.cause())
    (line,) = (await events.look(key)).tables
    return events, line.table.key


async def opened(world: World) -> tuple[Events, TableKey]:
    """An event's only table, whose first hand is due."""
    events, key = await announced(world)
    await world.later(world.policy.seating_ms)
    return events, key


async def state(world: World, key: TableKey) -> TableState:
    return (await world.play.look(key)).table.state


async def test_an_events_table_is_dealt_once_a_message_shows_it(world: World) -> None:
    _, key = await opened(world)
    assert await state(world, key) is TableState.LOBBY
    await world.later(LONG)
    assert await state(world, key) is TableState.LOBBY
    await show(world, key)
    assert await state(world, key) is TableState.PLAYING
    assert await time_left(world, key, await world.turn(key)) == 60_000


async def test_a_table_that_was_shown_at_once_is_dealt_when_its_players_had_time_to_find_it(world: World) -> None:
    _, key = await announced(world)
    await show(world, key)
    await world.later(world.policy.seating_ms - 1)
    assert await state(world, key) is TableState.LOBBY
    await world.later(1)
    assert await state(world, key) is TableState.PLAYING


async def test_a_table_that_no_message_can_show_is_dealt_at_last(world: World) -> None:
    _, key = await opened(world)
    await world.later(ANNOUNCE_TIMEOUT_MS - 1)
    assert await state(world, key) is TableState.LOBBY
    await world.later(1)
    assert await state(world, key) is TableState.PLAYING
    note = (await world.play.look(key)).event
    assert note is not None
    assert note.waits is WaitReason.NOTHING


async def test_a_table_where_nothing_may_be_written_is_dealt_once_that_is_known(world: World) -> None:
    _, key = await opened(world)
    table = (await world.play.look(key)).table
    await world.play.drawn(key, version=table.version, hand_no=0, message=None, call=None)
    assert await state(world, key) is TableState.PLAYING


async def test_a_restart_does_not_deal_what_was_not_shown(world: World) -> None:
    _, key = await opened(world)
    await world.restart(after_ms=3_600_000)
    await world.later(LONG)
    assert await state(world, key) is TableState.LOBBY
    await show(world, key)
    assert await state(world, key) is TableState.PLAYING


async def test_a_table_moves_into_its_thread_between_hands_only(world: World) -> None:
    events, key = await opened(world)
    await show(world, key)
    assert not await events.set_thread(key, channel=77)
    assert (await world.play.look(key)).table.channel == CHANNEL
    await world.play_hand(key)
    await show(world, key)
    assert await events.set_thread(key, channel=77)
    table = (await world.play.look(key)).table
    assert (table.channel, table.posted) == (77, False)
    await world.later(world.policy.next_hand_ms)
    assert await state(world, key) is TableState.BETWEEN
    await show(world, key)
    assert await state(world, key) is TableState.PLAYING


async def test_the_first_hand_of_an_event_is_drawn_where_its_table_was_posted(world: World) -> None:
    _, key = await opened(world)
    await show(world, key)
    table = (await world.play.look(key)).table
    assert (table.hand_no, table.message, table.retired) == (1, 7, None)
