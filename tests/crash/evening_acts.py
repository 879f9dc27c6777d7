"""An organiser's acts at the desk and the consequences of a last card, as fixed scripts with repeated presses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bot.model.clock import MINUTE, Clock, Pace
from bot.model.events import Official
from bot.model.ids import EventKey, Player, TableId, TableKey
from bot.model.refusals import Stale
from bot.play.event.office.registration import PlannedEvent
from bot.play.session.policy import Policy
from bot.pure.event.pairings import Pairings
from bot.pure.event.structure import PRESETS, Format, Leaving, Structure
from bot.pure.ofc.house_rules import house_variant
from tests.crash.script import SameVault, last_heartbeat
from tests.play.event.event_world import SMALL_GROUPS
from tests.play.world import CHANNEL, GUILD, START, World

KEY = EventKey(guild=GUILD, number=1)
BOSS = Official(player=Player("1"), manager=True)
POLICY = Policy(next_hand_ms=2_000, seating_ms=2_000)
NO_FANTASYLAND = house_variant("pineapple", {"fantasyland": "off"})
Act = Callable[[World, str], Awaitable[Any]]
TOURNAMENT = replace(PRESETS["chaipo"], check_in_minutes=10, late_levels=2, most=16)
GIVING_UP = replace(TOURNAMENT, leaving=Leaving.REMOVE, fee=100, bounty=41, reentries=1)
SWISS = Structure(
    format=Format.LEAGUE, table_seats=2, most=8, rounds=3, round_hands=1, round_hours=1, pairings=Pairings.SWISS
)


def house(folder: Path, *, trace: Callable[[str], None] | None = None) -> World:
    """A bot that is started, or started again in the same moment."""
    now = max(START, last_heartbeat(folder / "chaipo.db"))
    return World(folder, fixed=SameVault([b"k" * 32]), policy=POLICY, now=now, trace=trace)


def somebody(number: int) -> Player:
    """One of those who may take part."""
    return Player(str(5_000 + number))


async def _announce(world: World, structure: Structure, people: int) -> None:
    plan = PlannedEvent(
        guild=GUILD,
        channel=CHANNEL,
        organiser=BOSS.player,
        language="en",
        name="Night",
        variant=NO_FANTASYLAND,
        structure=structure,
        clock=Clock(pace=Pace.PER_TURN, seconds=60),
        starts_at=world.now + 20 * MINUTE,
    )
    await world.events.create(plan, cause="announced")
    for number in range(people):
        await world.events.register(KEY, somebody(number), cause=f"registers {number}")


async def _pass_on(world: World) -> None:
    """Let time pass until something is due, and let the bot act."""
    ((due,),) = world.ask("SELECT MIN(at) FROM (SELECT due_at AS at FROM timer UNION SELECT alarm_at FROM event)")
    world.now = max(world.now, int(due))
    await world.clock.tick()


async def _waiting(world: World) -> tuple[TableKey, Player] | None:
    """Return the first table that waits for a placement, and its player to act."""
    for (table,) in world.ask("SELECT table_id FROM game_table WHERE state = 'playing' ORDER BY table_id"):
        key = TableKey(guild=GUILD, table=TableId(table))
        if waiting := (await world.play.look(key)).waiting:
            return key, waiting[0]
    return None


async def _play(world: World, reached: Callable[[World], bool], *, most: int | None = None) -> int:
    """Place for all players until ``reached`` is true, at most ``most`` times; returns the number of placements."""
    placed = 0
    while not reached(world):
        if asked := await _waiting(world):
            if placed == most:
                break
            await world.place_cards(*asked, cause=f"card {placed}")
            placed += 1
        else:
            await _pass_on(world)
    return placed


async def _before_the_last_card(
    folder: Path, structure: Structure, people: int, reached: Callable[[World], bool]
) -> None:
    """Prepare an event that is one placement away from ``reached``."""
    cards: int | None = None
    for place in (folder.parent / "counted", folder):
        place.mkdir(exist_ok=True)
        world = house(place)
        await world.open()
        await _announce(world, structure, people)
        await world.events.start(KEY, BOSS, cause="starts")
        placed = await _play(world, reached, most=cards)
        assert reached(world) is (cards is None)
        cards = placed - 1 if cards is None else cards
        await world.clock.tick()
        await world.close()


async def _check_in(folder: Path) -> None:
    world = house(folder)
    await world.open()
    await _announce(world, TOURNAMENT, 6)
    while world.ask("SELECT phase FROM event") != [("check_in",)]:
        await _pass_on(world)
    await world.close()


async def _tables(folder: Path) -> None:
    """Three tables with a hand each, and a free seat at the last."""
    world = house(folder)
    await world.open()
    await _announce(world, TOURNAMENT, 8)
    await world.events.start(KEY, BOSS, cause="starts")
    while world.ask("SELECT COUNT(*) FROM game_table WHERE state = 'playing'") != [(3,)]:
        await _pass_on(world)
    await world.clock.tick()
    await world.close()


def _at(world: World, table: int) -> Player:
    """Return a player at a table."""
    rows = world.ask("SELECT player FROM seat WHERE table_id = ? ORDER BY seat_no LIMIT 1", table)
    return Player(rows[0][0])


async def _last_card(world: World, cause: str) -> None:
    asked = await _waiting(world)
    if asked is None:
        raise Stale
    await world.place_cards(*asked, cause=cause)


async def _next_round(world: World, cause: str) -> None:
    if world.ask("SELECT round FROM event") == [(2,)]:
        raise Stale
    while world.ask("SELECT round FROM event") != [(2,)]:
        await _pass_on(world)


async def _lift(world: World, cause: str) -> None:
    log = await world.events.log(KEY, BOSS)
    number = next(fact.number for fact in reversed(log) if fact.kind == "penalty" and fact.details["hands"])
    await world.events.lift_penalty(KEY, BOSS, number=number, why="not theirs", cause=cause)


BEFORE: tuple[Act, ...] = (
    lambda world, cause: world.events.check_in_for(KEY, BOSS, somebody(0), cause=cause),
    lambda world, cause: world.events.call_missing(KEY, BOSS, cause=cause),
    lambda world, cause: world.events.call_person(KEY, BOSS, somebody(1), cause=cause),
    lambda world, cause: world.events.register_for(KEY, BOSS, somebody(6), cause=cause),
    lambda world, cause: world.events.unregister(KEY, BOSS, somebody(6), cause=cause),
    lambda world, cause: world.events.register_for(KEY, BOSS, somebody(7), cause=cause),
    lambda world, cause: world.events.postpone(KEY, BOSS, until=START + 60 * MINUTE, cause=cause),
    lambda world, cause: world.events.change(KEY, BOSS, {"stack": (TOURNAMENT.stack, 20_000)}, cause=cause),
    lambda world, cause: world.events.announce(KEY, BOSS, "Soon", cause=cause),
    lambda world, cause: world.events.start(KEY, BOSS, cause=cause),
)
WHILE_IT_RUNS: tuple[Act, ...] = (
    lambda world, cause: world.events.call_table(KEY, BOSS, table=TableId(2), cause=cause),
    lambda world, cause: world.events.register_for(KEY, BOSS, somebody(9), cause=cause),
    lambda world, cause: world.events.attend(KEY, BOSS, _at(world, 1), away=True, cause=cause),
    lambda world, cause: world.play.leave(TableKey(guild=GUILD, table=TableId(3)), _at(world, 3), cause=cause),
    lambda world, cause: world.events.call_missing(KEY, BOSS, cause=cause),
    lambda world, cause: world.events.attend(KEY, BOSS, _at(world, 1), away=False, cause=cause),
    lambda world, cause: world.events.penalty(KEY, BOSS, _at(world, 1), hands=2, why="late", cause=cause),
    _lift,
    lambda world, cause: world.events.disqualify(KEY, BOSS, _at(world, 2), why="rude", cause=cause),
    lambda world, cause: world.events.reinstate(KEY, BOSS, _at(world, 2), cause=cause),
    lambda world, cause: world.events.hold(KEY, BOSS, table=TableId(1), held=True, cause=cause),
    lambda world, cause: world.events.hold(KEY, BOSS, table=TableId(1), held=False, cause=cause),
    lambda world, cause: world.events.keep_desk(KEY, BOSS, channel=CHANNEL + 1, cause=cause),
    lambda world, cause: world.events.end_hand(KEY, BOSS, table=TableId(2), hand_no=1, why="misdealt", cause=cause),
    lambda world, cause: world.events.pause(KEY, BOSS, cause=cause),
    lambda world, cause: world.events.resume(KEY, BOSS, cause=cause),
    lambda world, cause: world.events.announce(KEY, BOSS, "Drinks", cause=cause),
    lambda world, cause: world.events.co_organiser(KEY, BOSS, Player("2"), remove=False, cause=cause),
    lambda world, cause: world.events.co_organiser(KEY, BOSS, Player("2"), remove=True, cause=cause),
    lambda world, cause: world.events.leave(KEY, _at(world, 1), cause=cause),
    lambda world, cause: world.events.come_back(KEY, _at(world, 1), cause=cause),
)
GIVES_UP: tuple[Act, ...] = (
    lambda world, cause: world.events.leave(KEY, somebody(0), cause=cause),
    lambda world, cause: _last_card(world, cause),
    lambda world, cause: world.events.register(KEY, somebody(0), cause=cause),
    lambda world, cause: world.events.leave(KEY, somebody(1), cause=cause),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A starting state, and the presses that follow."""

    prepare: Callable[[Path], Awaitable[None]]
    presses: tuple[Act, ...]
    told: frozenset[str]
    """Entries of the event's log afterwards."""


def _drawn(world: World) -> bool:
    return bool(world.ask("SELECT 1 FROM event_log WHERE kind = 'groups_over'"))


def _round_told(world: World) -> bool:
    return bool(world.ask("SELECT 1 FROM event_log WHERE kind = 'round_over'"))


async def _before_the_bracket(folder: Path) -> None:
    await _before_the_last_card(folder, SMALL_GROUPS, 6, _drawn)


def _hand_over(world: World) -> bool:
    return bool(world.ask("SELECT 1 FROM result"))


async def _before_giving_up(folder: Path) -> None:
    await _before_the_last_card(folder, GIVING_UP, 3, _hand_over)


async def _before_the_pairing(folder: Path) -> None:
    await _before_the_last_card(folder, SWISS, 5, _round_told)


SCRIPTS: Mapping[str, Script] = {
    "before": Script(
        prepare=_check_in,
        presses=BEFORE,
        told=frozenset({"called", "registered_for", "checked_in_for", "unregistered", "changed", "said"}),
    ),
    "while it runs": Script(
        prepare=_tables,
        presses=WHILE_IT_RUNS,
        told=frozenset(
            {"called", "registered_for", "sat_out", "penalty", "disqualified", "held", "hand_ended"}
            | {"left_seat", "back_in_seat"}
        ),
    ),
    "giving up": Script(
        prepare=_before_giving_up,
        presses=GIVES_UP,
        told=frozenset({"gave_up", "out", "bounty_back", "entered_again"}),
    ),
    "to the bracket": Script(prepare=_before_the_bracket, presses=(_last_card,), told=frozenset({"groups_over"})),
    "to the next round": Script(
        prepare=_before_the_pairing,
        presses=(_last_card, _next_round),
        told=frozenset({"round_over", "round_began"}),
    ),
}
