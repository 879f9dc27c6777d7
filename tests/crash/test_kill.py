"""The bot is killed at any point of any write: what was acknowledged stays, and the game goes on as if nothing was."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.play.model import HandState, TableState
from bot.play.refusals import Stale
from tests.crash.script import KEY, STEPS, bot, cause_of, take
from tests.play.world import ANN, BOB, CLEO, Dump, World

ROOT = Path(__file__).parents[2]
POINTS = 160
"""How often a whole run of the script passes a point at which it can be killed."""
EVERY = 7


def quiet(_: str) -> None:
    """Nobody is killed."""


def state(world: World) -> Dump:
    """What is stored, but for what differs in every run: deadlines moved by an outage, and how seeds look sealed."""
    dump = world.dump()
    dump["timer"] = [row[:3] for row in dump["timer"]]
    columns = {name: [row[1] for row in world.ask(f"PRAGMA table_info({name})")] for name in ("hand", "game_table")}
    for name, names in columns.items():
        sealed = names.index("sealed_seed")
        dump[name] = [row[:sealed] + row[sealed + 1 :] for row in dump[name]]
    return dump


async def views(world: World) -> list[object]:
    """What everybody sees in the end, but for clocks and seals."""
    seen = [await world.play.look(KEY, player) for player in (ANN, BOB, CLEO, None)]
    return [(view.hand, view.places, view.table.state, view.table.hand_no) for view in seen]


async def _whole_game(folder: Path) -> tuple[int, Dump, list[object]]:
    points = 0

    def count(_: str) -> None:
        nonlocal points
        points += 1

    world = bot(folder, first=0, trace=count)
    await world.open()
    for number in range(len(STEPS)):
        await take(world, number)
    # What the last commit has to tell reaches the loop a moment later.
    await asyncio.sleep(0)
    end = state(world), await views(world)
    assert [(await world.record(KEY, hand_no)).state for hand_no in (1, 2, 3)] == [
        HandState.SETTLED,
        HandState.SETTLED,
        HandState.PLAYING,
    ]
    assert world.ask("SELECT COUNT(*) FROM event WHERE kind = 'fantasyland_set'") == [(1,)]
    assert world.ask("SELECT COUNT(*) FROM event WHERE payload LIKE '%clock%'") == [(1,)]
    assert len(world.ask("SELECT 1 FROM transfer WHERE kind = 'hand'")) == 2
    await world.close()
    return points, *end


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Dump, list[object]]:
    """How the game ends when nobody is killed."""
    points, stored, seen = asyncio.run(_whole_game(tmp_path_factory.mktemp("undisturbed")))
    assert points == POINTS
    return stored, seen


def play_until_killed(folder: Path, *, first: int, kill_at: int) -> list[int]:
    """A process plays the script from a step on and kills itself; returns the steps that it acknowledged."""
    command = [sys.executable, "-m", "tests.crash.script", str(folder), str(first), str(kill_at)]
    child = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert child.returncode == -signal.SIGKILL, child.stderr
    return [int(line) for line in child.stdout.split()]


async def go_on(folder: Path, *, acknowledged: Sequence[int]) -> World:
    """The bot starts again on the same file: nothing acknowledged is lost, and the press in flight comes once more."""
    first = len(acknowledged)
    world = bot(folder, first=first, trace=quiet)
    await world.open()
    kept = {row[0] for row in world.ask("SELECT cause FROM event WHERE cause IS NOT NULL")}
    pressed = [number for number in acknowledged if STEPS[number].act is not None]
    assert kept >= {cause_of(number) for number in pressed}
    assert len(kept) <= len(pressed) + 1
    world.check_books()
    for number in range(first, len(STEPS)):
        try:
            await take(world, number)
        except Stale:
            assert number == first, "only the press in flight may have been done before"
            assert cause_of(number) in kept
        world.check_books()
    return world


async def check_the_end(world: World, undisturbed: tuple[Dump, list[object]]) -> None:
    """Log, ledger, results and what people see are those of the game that was not disturbed."""
    assert (await world.play.look(KEY)).table.state is TableState.PLAYING
    assert state(world) == undisturbed[0]
    assert await views(world) == undisturbed[1]
    await world.close()


@pytest.mark.parametrize(
    "kill_at",
    [pytest.param(point, marks=() if point % EVERY == 1 else pytest.mark.slow) for point in range(1, POINTS + 1)],
)
async def test_a_bot_killed_at_this_point_of_a_write_goes_on_as_if_nothing_had_been(
    tmp_path: Path, undisturbed: tuple[Dump, list[object]], kill_at: int
) -> None:
    acknowledged = await asyncio.to_thread(play_until_killed, tmp_path, first=0, kill_at=kill_at)
    assert acknowledged == list(range(len(acknowledged)))
    await check_the_end(await go_on(tmp_path, acknowledged=acknowledged), undisturbed)


@pytest.mark.slow
@pytest.mark.parametrize("kill_at", [2, 7, 13, 19, 23])
async def test_a_bot_killed_again_and_again_ends_the_game_all_the_same(
    tmp_path: Path, undisturbed: tuple[Dump, list[object]], kill_at: int
) -> None:
    acknowledged: list[int] = []
    for _ in range(8):
        acknowledged += await asyncio.to_thread(play_until_killed, tmp_path, first=len(acknowledged), kill_at=kill_at)
    await check_the_end(await go_on(tmp_path, acknowledged=acknowledged), undisturbed)
