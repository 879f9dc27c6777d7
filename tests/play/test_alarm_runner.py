"""Computations delay no clock, and servers take turns."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from bot.model.clock import Clock, Pace
from bot.model.errors import StorageUnavailableError
from bot.model.ids import GuildId, Player, TableId, TableKey
from bot.model.tables import Timer
from bot.play.api.alarm_runner import AlarmRunner
from bot.pure.ofc.presets import PRESETS
from tests.play.world import ANN, BOB, CLEO, DAN, FixedVault, World

ELSEWHERE = GuildId(77)
THOUGHTFUL = PRESETS["joker_ultimate"]


def alarm(guild: int, table: int) -> tuple[TableKey, Timer]:
    """That of a computer."""
    return TableKey(guild=GuildId(guild), table=TableId(table)), Timer.COMPUTER


async def test_a_clock_does_not_wait_for_the_computers_of_another_server(world: World) -> None:
    played = await world.started(ANN, BOB)
    hosts = [Player(str(number)) for number in range(2001, 2007)]
    theirs = [
        await world.started(host, guild=ELSEWHERE, variant=THOUGHTFUL, point_value=0, computers=1) for host in hosts
    ]
    for key, host in zip(theirs, hosts, strict=True):
        await world.play_hand_of(key, host)
    world.now += 60_000
    await world.clock.tick()
    assert await world.turn(played) == ANN
    assert len(world.clock.thinking) > 0
    await world.clock.thinking.done()
    assert [await world.turn(key) for key in theirs] == hosts


async def test_boards_that_the_clock_sets_are_thought_about_too(world: World) -> None:
    played = await world.started(ANN, BOB)
    seats = [CLEO, DAN, Player("2001"), Player("2002")]
    theirs = await world.started(*seats, guild=ELSEWHERE, variant=PRESETS["thirteen"])
    world.now += 120_000
    await world.clock.tick()
    assert await world.turn(played) == ANN
    assert len(world.clock.thinking) == 1
    await world.clock.thinking.done()
    assert (await world.play.look(theirs)).next_hand_at is not None


async def test_a_computer_that_is_thought_about_is_not_begun_again(world: World) -> None:
    key = await world.started(ANN, point_value=0, computers=1)
    await world.play_hand_of(key, ANN)
    world.now += world.policy.computer_ms
    await asyncio.gather(*(world.clock.tick() for _ in range(4)))
    await world.clock.thinking.done()
    assert await world.turn(key) == ANN
    assert world.ask("SELECT COUNT(*) FROM table_log WHERE actor LIKE 'computer-%'") == [(1,)]


async def test_what_was_not_thought_out_is_due_after_the_next_start(world: World) -> None:
    clock = Clock(pace=Pace.NONE, seconds=0)
    keys = [await world.started(ANN, point_value=0, computers=1, clock=clock) for _ in range(3)]
    for key in keys:
        await world.play_hand_of(key, ANN)
    world.now += world.policy.computer_ms
    await world.clock.tick()
    await world.restart()
    await world.later(world.policy.computer_ms)
    assert [await world.turn(key) for key in keys] == [ANN] * 3


@pytest.mark.of_sqlite
async def test_what_cannot_be_written_is_begun_once_a_beat(tmp_path: Path) -> None:
    world = World(tmp_path, fixed=FixedVault([b"w" * 32]), busy_seconds=0)
    await world.open()
    key = await world.started(ANN, point_value=0, computers=1)
    await world.play_hand_of(key, ANN)
    await world.later(0)
    other = sqlite3.connect(world.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    world.now += world.policy.computer_ms
    with world.changes_nothing():
        await world.clock.tick()
        await world.clock.thinking.done()
    other.execute("ROLLBACK")
    other.close()
    await world.later(1)
    assert await world.turn(key) == ANN
    await world.close()


async def test_a_clock_that_beats_while_the_bot_stops_comes_to_an_end(world: World) -> None:
    key = await world.started(ANN, point_value=0, computers=1)
    await world.play_hand_of(key, ANN)
    world.now += world.policy.computer_ms
    await world.clock.stop()
    await world.clock.tick()
    assert world.timers(key) == {Timer.COMPUTER.value: world.now}


async def test_what_cannot_be_written_does_not_stop_the_others(caplog: pytest.LogCaptureFixture) -> None:
    thought: list[TableKey] = []

    async def act(key: TableKey, timer: Timer, due_at: int) -> None:
        if key.table == 1:
            raise StorageUnavailableError("as the test wants it")
        thought.append(key)

    thinking = AlarmRunner(act)
    for table in (1, 2):
        thinking.add(alarm(1, table), due_at=0)
    await thinking.done()
    assert thought == [alarm(1, 2)[0]]
    assert not caplog.records
