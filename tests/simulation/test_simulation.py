"""Evenings from a seed: short ones here, long ones with ``make simulate``."""

import asyncio
import os
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest
from typing_extensions import override

from bot.run.app import ChaipoBot
from bot.store.movements import WAYS
from tests.simulation.__main__ import again, parser
from tests.simulation.loop import KilledError, SimulatedLoop, StuckError
from tests.simulation.world import BrokenPromiseError, Mood, Simulation

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the simulation as ``make simulate`` does."""
    command = [sys.executable, "-m", "tests.simulation", *arguments]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "0"}, capture_output=True, text=True)


@cache
def evening_of_accidents() -> subprocess.CompletedProcess[str]:
    """One that is looked at more than once."""
    return run("--seed", "21", "--steps", "110", "--story")


def test_an_evening_of_accidents_keeps_every_promise() -> None:
    done = evening_of_accidents()
    assert done.returncode == 0, done.stdout
    assert "every promise was kept" in done.stdout
    assert "  confirmed ahead: " in done.stdout


@pytest.mark.deep
@pytest.mark.parametrize(("seed", "steps"), [("7", "200"), ("2", "400")])
def test_longer_evenings_of_accidents_keep_every_promise(seed: str, steps: str) -> None:
    assert "every promise was kept" in run("--seed", seed, "--steps", steps).stdout


@pytest.mark.deep
def test_nothing_of_an_evening_holds_up_the_loop() -> None:
    assert "blocked the loop" not in run("--seed", "1", "--steps", "400").stdout


@pytest.mark.deep
def test_chips_go_every_way_within_a_few_evenings() -> None:
    told = run("--seed", "1", "--steps", "600", "--evenings", "5").stdout
    assert "every promise was kept" in told
    ways = {f"{kind}: {source} to {target}" for kind, all_ways in WAYS.items() for source, target in all_ways}
    assert not {way for way in ways if f"  chips, {way}: " not in told}


def test_the_same_seed_does_the_same() -> None:
    first, second = map(story_of, (evening_of_accidents(), evening_of_accidents.__wrapped__()))
    assert first == second
    assert len(first) > 40


def story_of(evening: subprocess.CompletedProcess[str]) -> list[str]:
    """The lines that tell what was done, without those that tell how long it took."""
    lines = evening.stdout.splitlines()
    end = next(number for number, line in enumerate(lines) if " steps in " in line)
    return [line for line in lines[:end] if "blocked the loop" not in line]


@pytest.mark.parametrize("steps", [80, pytest.param(600, marks=pytest.mark.deep)])
def test_an_evening_without_accidents_never_asks_more_of_discord_than_it_takes(tmp_path: Path, steps: int) -> None:
    evening = Simulation(tmp_path, 3, mood=Mood(disk=0, kills=0, discord=0, accidents=0))
    evening.run(steps)
    assert not evening.discord.limits.refused


class GreedySimulation(Simulation):
    """An evening with a bot that requests a channel far too often."""

    @override
    async def _step(self, bot: ChaipoBot) -> None:
        await super()._step(bot)
        if self.steps == 40:
            await asyncio.sleep(60)
            for _ in range(11):
                self.discord.limits.take("GET", "/channels/1")


def test_asking_too_much_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(BrokenPromiseError, match=r"seed 9, step 40: it asked more than Discord takes: .'GET /channels"):
        GreedySimulation(tmp_path, 9, mood=Mood(disk=0, kills=0, discord=0, accidents=0)).run(100)


class ThievishSimulation(Simulation):
    """An evening with chips that appear from nothing."""

    @override
    async def _step(self, bot: ChaipoBot) -> None:
        await super()._step(bot)
        if self.steps == 40:
            await self.database.write(
                lambda connection: connection.execute("UPDATE account SET balance = balance + 1 WHERE kind = 'wallet'")
            )


def test_a_broken_promise_is_noticed_and_names_its_seed(tmp_path: Path) -> None:
    with pytest.raises(BrokenPromiseError, match=r"seed 9, step 4\d: the accounts of \d+ sum to"):
        ThievishSimulation(tmp_path, 9, mood=Mood(disk=0, kills=0, discord=0, accidents=0)).run(100)


@pytest.mark.parametrize("length", [["--steps", "300"], ["--hands", "40"]])
def test_a_failure_names_the_command_that_repeats_it(length: list[str]) -> None:
    command = again(parser().parse_args(["--seed", "5", "--evenings", "9", *length]), seed=7)
    asked = ["--seed", "7"]
    for setting in command.removeprefix("make simulate SEED=7 ").split():
        name, value = setting.split("=")
        asked += [f"--{name.lower()}", value]
    assert asked == ["--seed", "7", *length]


def test_a_callback_that_blocks_the_loop_is_named() -> None:
    async def think_hard() -> None:
        until = time.thread_time() + 0.08
        while time.thread_time() < until:
            pass

    loop = SimulatedLoop(0)
    loop.run_until_complete(think_hard())
    loop.close()
    assert len(loop.slow) == 1
    assert "think_hard" in loop.slow[0]


def test_work_of_other_threads_does_not_count_as_blocking() -> None:
    def work() -> None:
        until = time.thread_time() + 0.08
        while time.thread_time() < until:
            pass

    async def ask() -> None:
        await asyncio.get_running_loop().run_in_executor(None, work)

    loop = SimulatedLoop(0)
    loop.run_until_complete(ask())
    loop.close()
    assert loop.slow == []


def test_time_jumps_to_what_happens_next() -> None:
    loop = SimulatedLoop(100)
    loop.run_until_complete(asyncio.sleep(86_400))
    assert loop.time() == 100 + 86_400
    loop.close()


def test_who_waits_for_nothing_is_noticed() -> None:
    loop = SimulatedLoop(0)
    waiting = loop.create_future()
    with pytest.raises(StuckError):
        loop.run_until_complete(waiting)
    loop.close()


def test_the_dead_do_nothing_any_more() -> None:
    done: list[str] = []

    async def live(loop: SimulatedLoop) -> None:
        try:
            loop.kill()
            await asyncio.sleep(1)
            done.append("went on")
        finally:
            loop.call_soon(done.append, "cleaned up")

    loop = SimulatedLoop(0)
    with pytest.raises(KilledError):
        loop.run_until_complete(live(loop))
    loop.bury()
    assert done == []
