"""A lost key is noticed immediately. No one waits at a table or registers for an event that can't continue."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from bot.model.clock import Clock, Pace
from bot.model.events import Notice, Official, Phase
from bot.model.ids import EventKey, GuildId, Player
from bot.model.tables import TableState
from bot.play.event.office.registration import PlannedEvent
from bot.pure.event.structure import PRESETS, Structure
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.variants import Variant
from tests.play.world import ANN, BOB, CHANNEL, GUILD, World

BOSS = Official(player=Player("1"))
PEOPLE = [Player(str(number)) for number in range(2001, 2007)]
HOUR = 3_600_000
DAY = 24 * HOUR
FEE = 500
OPEN_CARDS = house_variant("classic", {"fantasyland": "off"})


async def event(world: World, structure: Structure, variant: Variant = PINEAPPLE) -> EventKey:
    """Publish an event and register six players."""
    events = world.events
    plan = PlannedEvent(
        guild=GuildId(GUILD),
        channel=CHANNEL,
        organiser=BOSS.player,
        language="en",
        name="Friday",
        variant=variant,
        structure=replace(structure, threads=False, check_in_minutes=0),
        clock=Clock(pace=Pace.PER_TURN, seconds=60),
        starts_at=world.now + DAY,
    )
    key = (await events.create(plan, cause=world.cause())).key
    for player in PEOPLE:
        await events.register(key, player, cause=world.cause())
    return key


async def lose_the_key(world: World) -> None:
    """The bot ends, its key is lost, and it starts with another one."""
    await world.close()
    world.key_file.unlink()
    await world.open()


async def phase(world: World, key: EventKey) -> tuple[Phase, str]:
    """Return the event's phase and the reason for its cancellation."""
    found = (await world.events.look(key)).event
    return found.phase, found.reason


async def cancelled_notices(world: World, key: EventKey) -> int:
    """Return the number of cancellation notices."""
    waiting = await world.events.postings(key)
    return sum(posting.notice is Notice.CANCELLED for posting in waiting)


# Tables


async def test_a_table_without_its_key_is_void_when_it_is_looked_at(real_world: World) -> None:
    world = real_world
    key = await world.table(ANN, BOB, clock=Clock(pace=Pace.CORRESPONDENCE, seconds=7 * 24 * 3600))
    await world.start(key)
    await lose_the_key(world)
    view = await world.play.look(key, ANN)
    assert (view.table.state, view.turn_until) == (TableState.BETWEEN, None)
    assert (await world.record(key, 1)).reason == "seed_lost"
    await world.next_hand(key)
    await world.next_hand(key)
    await world.play_hand(key)


async def test_looking_at_a_hand_that_is_well_writes_nothing(real_world: World) -> None:
    key = await real_world.started(ANN, BOB)
    with real_world.changes_nothing():
        await real_world.play.look(key)


# Events


@pytest.mark.parametrize(
    ("structure", "variant"), [(PRESETS["bicycle"], PINEAPPLE), (PRESETS["duplicate"], OPEN_CARDS)]
)
async def test_an_announced_event_without_its_key_is_called_off_once_and_every_fee_comes_back(
    real_world: World, structure: Structure, variant: Variant, caplog: pytest.LogCaptureFixture
) -> None:
    world = real_world
    key = await event(world, replace(structure, fee=FEE), variant)
    assert world.balances("wallet")[PEOPLE[0]] == 10_000 - FEE
    await lose_the_key(world)
    assert await phase(world, key) == (Phase.CANCELLED, "seed_lost")
    assert {world.balances("wallet")[player] for player in PEOPLE} == {10_000}
    await world.restart()
    await world.later(2 * DAY)
    assert await cancelled_notices(world, key) == 1
    errors = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(errors) == 1
    assert errors[0].startswith(f"event {GUILD}/{key.number} is cancelled: the key that sealed the seed of")
    world.check_books()


async def test_a_running_duplicate_event_without_its_key_is_called_off(real_world: World) -> None:
    world = real_world
    key = await event(world, replace(PRESETS["duplicate"], fee=FEE), OPEN_CARDS)
    await world.events.start(key, BOSS, cause=world.cause())
    await world.later(world.policy.seating_ms)
    await lose_the_key(world)
    assert await phase(world, key) == (Phase.CANCELLED, "seed_lost")
    assert not await world.play.all_open()
    assert {world.balances("wallet")[player] for player in PEOPLE} == {10_000}
    world.check_books()


async def test_a_running_tournament_needs_its_old_key_no_more(real_world: World) -> None:
    world = real_world
    key = await event(world, replace(PRESETS["bicycle"], fee=FEE))
    await world.events.start(key, BOSS, cause=world.cause())
    await world.later(world.policy.seating_ms)
    await lose_the_key(world)
    for table in await world.play.all_open():
        await world.play.look(table)
        await world.next_hand(table)
        await world.next_hand(table)
    assert (await phase(world, key))[0] is Phase.RUNNING
    told = [posting for posting in await world.events.postings(key) if posting.notice is Notice.COMMITTED]
    now = (await world.events.look(key)).event.board_commitment.hex()
    assert [posting.details["decks"] == now for posting in told] == [False, True]
    tables = await world.play.all_open()
    assert {(await world.play.look(table)).table.state for table in tables} == {TableState.PLAYING}


# Time


async def test_a_round_begins_at_its_hour_whatever_the_bot_slept_before(real_world: World) -> None:
    world = real_world
    structure = replace(PRESETS["league"], rounds=2, round_hands=1, round_hours=1)
    key = await event(world, structure)
    await world.events.start(key, BOSS, cause=world.cause())
    began = world.now
    await world.later(world.policy.seating_ms)
    while open_tables := await world.play.all_open():
        for table in open_tables:
            await world.play_hand(table)
        await world.later(world.policy.next_hand_ms)
    while world.now < began + HOUR:
        assert (await world.events.look(key)).event.round == 1
        await world.restart(after_ms=7 * 60_000)
        await world.later(1_000)
    assert world.now < began + HOUR + 8 * 60_000
    assert (await world.events.look(key)).event.round == 2
