"""Guests of the playground play a whole evening through the public entry points."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from bot.chat.kit.faces import Faces
from bot.chat.services import Services
from bot.model.clock import MINUTE, SECOND, Clock, Pace
from bot.model.events import Entrant, EntrantState, Event, Official, Phase
from bot.model.ids import Player
from bot.play.event.office.permissions import MemberPermissions
from bot.play.event.office.registration import PlannedEvent
from bot.play.event.trials.forecast import Forecast
from bot.play.event.trials.play_speed import MIN_HANDS
from bot.pure.event.structure import PRESETS, Format, Structure
from bot.pure.ofc.presets import PINEAPPLE
from bot.run.playground import guests as guests_of
from bot.run.playground.guests import GUESTS, GuestResult, Guests
from bot.run.playground.menu_actions import MenuActions
from bot.run.playground.scaled_clock import ScaledClock, latest_moment
from bot.text.words import words_for
from bot.workers.worker_pool import WorkerPool
from tests.play.world import ANN, BOB, CHANNEL, GUILD, PER_TURN, FixedVault, World

QUICK = replace(
    PRESETS["chaipo"], levels=(200, 500, 500), level_hands=1, late_levels=2, check_in_minutes=5, threads=False
)
PEOPLE = [Player(str(guest.id)) for guest in GUESTS]
STEP_MS = 2 * SECOND
MAX_STEPS = 4_000


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path, fixed=FixedVault([b"k" * 32]))
    await world.open()
    try:
        yield world
        world.check_books()
    finally:
        await world.close()


def invited(world: World) -> Guests:
    return Guests(world.play, world.events, WorkerPool(), PEOPLE, guild=GUILD, now_ms=lambda: world.now)


async def announced(world: World, structure: Structure = QUICK) -> Event:
    plan = PlannedEvent(
        guild=GUILD,
        channel=CHANNEL,
        organiser=ANN,
        language="en",
        name="Friday",
        variant=PINEAPPLE,
        structure=structure,
        clock=PER_TURN,
        starts_at=None if structure.format is Format.SIT_AND_GO else world.now + 10 * MINUTE,
    )
    return await world.events.create(plan, cause=world.cause())


async def pass_time(world: World, guests: Guests, *, until: Phase, most: int = MAX_STEPS) -> int:
    """Let time pass, and guests act, until the event is there; returns the most that acted in one step."""
    busiest = 0
    for _ in range(most):
        world.now += STEP_MS
        await world.clock.tick()
        busiest = max(busiest, await guests.step())
        found = await world.events.events(GUILD, tuple(Phase))
        if found[0].phase is until:
            return busiest
    raise AssertionError(f"it is still {found[0].phase}")


async def entrants(world: World, event: Event) -> list[Entrant]:
    return [line.entrant for line in (await world.events.look(event.key)).lines]


async def test_an_evening_is_played_to_its_end_with_everything_that_people_do(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in ("COMES_LATE", "WITHDRAWS", "MISSES_CHECK_IN"):
        monkeypatch.setattr(guests_of, kind, 0.25)
    monkeypatch.setattr(guests_of, "SITS_OUT", 0.05)
    monkeypatch.setattr(guests_of, "LEAVES", 0.05)
    event, guests = await announced(world), invited(world)
    assert await guests.fill(12) == GuestResult(name="Friday", guests=12)
    assert not guests.around, "they are only on their way"
    await pass_time(world, guests, until=Phase.RUNNING)
    log = [fact.kind for fact in await world.sessions.read(lambda s: s.tx.events.log(event.key))]
    assert {"registered", "withdrew", "checked_in", "no_show"} <= set(log)
    assert 4 <= log.count("registered") < 12
    assert guests.around
    busiest = await pass_time(world, guests, until=Phase.ENDED)
    assert 0 < busiest <= guests_of.ACTS_AT_ONCE, "whoever presses something is not kept waiting"
    log = [fact.kind for fact in await world.sessions.read(lambda s: s.tx.events.log(event.key))]
    assert log.index("started") < len(log) - 1 - log[::-1].index("registered"), "some come late"
    placed = await entrants(world, event)
    places = [one.place for one in placed]
    # Equal players share a place, and the next place counts all of them.
    assert all(place == 1 + sum(other < place for other in places) for place in places)
    facts = dict(world.ask("SELECT kind, count(*) FROM table_log WHERE actor IS NOT NULL GROUP BY kind"))
    assert facts["cards_laid"] > 20, "they have placed their cards themselves, except those who were away"
    assert facts["table.stays"] >= 1, "somebody who sat out is back"
    assert log.count("left_seat") >= log.count("back_in_seat") >= 1, "somebody who left is back"


async def test_guests_go_on_after_a_restart(world: World) -> None:
    await announced(world, replace(QUICK, check_in_minutes=0, levels=(400, 1000, 2500)))
    guests = invited(world)
    await guests.fill(6)
    await pass_time(world, guests, until=Phase.RUNNING)
    for _ in range(30):
        world.now += STEP_MS
        await world.clock.tick()
        await guests.step()
    last = await latest_moment(world.play, world.events, GUILD)
    assert world.now - MINUTE < last <= world.now, "a clock that went faster goes on from there"
    await world.restart(after_ms=5 * SECOND)
    await pass_time(world, invited(world), until=Phase.ENDED)


async def test_no_more_come_than_were_asked_for(world: World) -> None:
    guests = invited(world)
    assert await guests.fill(12) == GuestResult(), "there is no event"
    event = await announced(world, replace(QUICK, most=14))
    await guests.fill(1)
    await world.events.register(event.key, ANN, cause=world.cause())
    for _ in range(40):
        world.now += STEP_MS
        await guests.step()
    came = [one for one in await entrants(world, event) if one.player in PEOPLE]
    assert len(came) in range(guests_of.MIN_GUESTS - 3, guests_of.MIN_GUESTS + 1), (
        "9 at least, some of whom come late or withdraw"
    )
    assert all(one.state is EntrantState.REGISTERED for one in came)
    assert (await guests.fill(500)).guests == guests_of.MAX_GUESTS


async def test_a_sit_and_go_gets_no_more_than_there_is_room(world: World) -> None:
    event = await announced(world, PRESETS["sit_and_go"])
    await world.events.register(event.key, ANN, cause=world.cause())
    assert (await invited(world).fill(500)).guests == event.structure.most - 1, "one place is Ann's"


async def test_guests_wait_for_a_full_event_and_take_places_in_another_flight(world: World) -> None:
    guests = invited(world)
    first = await announced(world, replace(QUICK, most=5, least=2))
    await guests.fill(12)
    for _ in range(20):
        world.now += STEP_MS
        await guests.step()
    waiting = {one.player for one in (await world.events.look(first.key)).waiting}
    assert len(waiting) >= 3
    by = Official(player=ANN, manager=True)
    named = "{} (Flight {})".format
    flight = await world.events.open_flight(
        first.key, by, MemberPermissions(manager=True), named=named, cause=world.cause()
    )
    for _ in range(40):
        world.now += STEP_MS
        await world.clock.tick()
        await guests.step()
    inside = {one.player for one in await entrants(world, flight)}
    assert inside
    assert inside <= waiting
    assert inside.isdisjoint({one.player for one in (await world.events.look(first.key)).waiting})


def test_a_hasty_clock_never_goes_back() -> None:
    now = [1_000]
    wall = ScaledClock(lambda: now[0])
    now[0] += 500
    assert (wall.now_ms(), wall.hastened) == (1_500, False)
    wall.hasten(10)
    now[0] += 100
    assert (wall.now_ms(), wall.hastened) == (2_500, True)
    assert wall.told() == {"ahead": 900, "times": 10}
    wall.hasten(1)
    now[0] += 100
    assert wall.now_ms() == 2_600
    again = ScaledClock(lambda: now[0], at=2_600)
    now[0] += 50
    assert again.now_ms() == 2_650, "not even after a restart"


async def test_guests_are_known_by_name_and_hastened_hands_tell_no_pace(world: World) -> None:
    began, clock = world.now, Clock(pace=Pace.PER_TURN, seconds=60)
    on_the_wall = began
    faces, wall = Faces(), ScaledClock(lambda: on_the_wall)
    doors = SimpleNamespace(play=world.play, events=world.events, workers=WorkerPool(), faces=faces)
    evening = MenuActions(cast("Services", doors), wall, guild=GUILD, now_ms=lambda: world.now)
    words = words_for("en")
    assert [faces.names.plain(GUILD, str(guest.id), words) for guest in GUESTS] == [guest.shown for guest in GUESTS]

    async def lasting() -> Forecast | None:
        return await world.events.forecast(GUILD, QUICK, PINEAPPLE, clock, people=3)

    async def played() -> None:
        key = await world.table(ANN, BOB)
        await world.start(key)
        for _ in range(MIN_HANDS):
            while (view := await world.play.look(key)).waiting:
                world.now += 40_000
                await world.place_cards(key, view.waiting[0])
            await world.next_hand(key)

    unknown = await lasting()
    assert (await evening.ask({"times": 10}, words))["times"] == 10
    await played()
    assert await lasting() == unknown
    on_the_wall += (world.now - began) // 10
    await evening.ask({"times": 1}, words)
    assert await lasting() == unknown
    await played()
    assert await lasting() != unknown, "hands at the wall's own speed tell it"
