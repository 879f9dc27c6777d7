"""Promise 7: time cannot cheat. Clock jumps, sleep and outages time no one out, and repeat nothing."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.model.clock import DAY, HOUR, Clock, Pace
from bot.model.ids import GuildId, Shard
from tests.play.world import ANN, BOB, World
from tests.standin.standin import Standin, custom_ids
from tests.standin.things import User
from tests.standin.wired_bot import make_bot

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("jump", [-DAY, -HOUR, HOUR, DAY])
@pytest.mark.parametrize("pace", [Pace.LIVE, Pace.PER_TURN, Pace.CORRESPONDENCE])
async def test_promise_7_a_jump_of_the_clock_while_the_bot_is_down_costs_nobody_anything(
    tmp_path: Path, jump: int, pace: Pace
) -> None:
    world = World(tmp_path)
    await world.open()
    seconds = {Pace.LIVE: 60, Pace.PER_TURN: 60, Pace.CORRESPONDENCE: 86_400}[pace]
    key = await world.started(ANN, BOB, clock=Clock(pace=pace, seconds=seconds))
    await world.clock.tick()
    before = (await world.play.look(key)).turn_until
    assert before is not None
    left = before - world.now
    await world.restart(after_ms=jump)
    await world.clock.tick()
    view = await world.play.look(key)
    assert view.waiting == (BOB,)
    assert view.turn_until is not None
    assert view.turn_until - world.now == left
    await world.later(left)
    assert await world.turn(key) == ANN
    await world.close()


async def test_promise_7_a_deadline_fires_once_however_often_the_clock_looks(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    await world.started(ANN, BOB)
    world.now += 60_000
    await asyncio.gather(*(world.clock.tick() for _ in range(8)))
    assert world.ask("SELECT COUNT(*) FROM table_log WHERE kind = 'cards_laid'") == [(1,)]
    await world.close()


async def test_promise_7_who_is_cut_off_from_discord_is_not_timed_out(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    key, shard = await world.started(ANN, BOB), Shard(number=0, count=1)
    await world.clock.cut_off(shard)
    for _ in range(5):
        await world.later(HOUR)
    await world.clock.connected(shard)
    view = await world.play.look(key)
    assert (view.waiting, view.turn_until) == ((BOB,), world.now + 60_000)
    await world.close()


class Machine:
    """A machine whose clock can be moved while the bot runs on it."""

    def __init__(self) -> None:
        self.offset = 0

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000 + self.offset


@pytest.mark.parametrize("jump", [-HOUR, HOUR])
async def test_promise_7_a_jump_of_the_clock_under_the_running_bot_is_noticed_at_its_next_beat(
    tmp_path: Path, jump: int
) -> None:
    machine = Machine()
    discord = Standin(now_ms=lambda: time.time_ns() // 1_000_000, machine_ms=machine.now_ms)
    channel = discord.channel(discord.guild(1), 1)
    bot = await make_bot(discord, tmp_path, now_ms=machine.now_ms)
    await discord.start(bot)
    people: list[User] = [discord.user(1), discord.user(2)]
    opened = await discord.slash(people[0], channel, "ofc play", game="pineapple", clock="5m").finished()
    assert opened.acknowledged
    await bot.services.publisher.drawn()
    for user, verb in ((people[1], "join"), (people[0], "start")):
        message = channel.public()[-1]
        (custom_id,) = custom_ids(message, verb)
        await discord.press(user, message, custom_id).finished()
        await bot.services.publisher.drawn()
    (table,) = await bot.services.play.open_tables(GuildId(channel.guild.id))
    await asyncio.sleep(2.5)
    before = (await bot.services.play.look(table.key)).turn_until
    assert before is not None
    machine.offset = jump
    after: int | None = before
    for _ in range(1_200):
        await asyncio.sleep(0.1)
        after = (await bot.services.play.look(table.key)).turn_until
        if after != before:
            break
    assert after is not None
    assert abs(after - before - jump) < 60_000
    assert (await bot.services.play.look(table.key)).places[1].seat.timeouts == 0
    await discord.stop()


SLEEPER = """
import asyncio, sys, time
from pathlib import Path
sys.path.insert(0, {root!r})
from tests.promises.sleeper import sleep_through
asyncio.run(sleep_through(Path({folder!r})))
"""


@pytest.mark.skipif(os.name != "posix", reason="a process is stopped by a signal")
def test_promise_7_a_process_that_was_stopped_gives_the_time_back(tmp_path: Path) -> None:
    program = SLEEPER.format(root=str(ROOT), folder=str(tmp_path))
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    assert process.stdout.readline() == "playing\n"
    os.kill(process.pid, signal.SIGSTOP)
    time.sleep(12)
    os.kill(process.pid, signal.SIGCONT)
    said, _ = process.communicate()
    assert said == "nobody was timed out\n"
    assert process.returncode == 0
