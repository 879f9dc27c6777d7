"""The bot is killed before and after each statement of a game. Acknowledged data stays, and the game continues.

Each step is played by separate processes, one for every point where it can be killed. They start from the file of the
previous step, whose process was killed right after its answer.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.crash.fork_server import NEVER, Child, ForkServer, fork_server
from tests.crash.going_on import End, go_on, start_again, stored, take_again, undisturbed
from tests.crash.script import STEPS

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the process kills itself by a signal")

COMMIT = 5
"""The last points of each step, all of which are tried.

Of the others every thirtieth is, and each step begins at another one; `make deep` tries them all.
"""
ALIKE = (5, 8, 9, 10, 11, 12, 22, 23)
"""Placements equivalent to another one: neither first nor last in a hand, and none made ahead."""
WHOLE = 25
"""After every 25th kill, the game is played to its end. After the others, it's played to a state that was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """The start of all kills: the file before each step, and the end of an uninterrupted game."""

    fork_server: ForkServer
    before: list[Path]
    points: list[list[str]]
    """Points of each step."""
    end: End


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    """The game, step by step, by processes that are killed as soon as they have answered."""
    end = asyncio.run(undisturbed(tmp_path_factory.mktemp("undisturbed")))
    folder = tmp_path_factory.mktemp("steps")
    before, points = [folder / "0"], []
    before[0].mkdir()
    with fork_server() as ready:
        for number in range(len(STEPS)):
            before.append(Path(shutil.copytree(before[-1], folder / str(number + 1))))
            child = ready.play(before[-1], first=number, last=number, kill_at=NEVER)
            assert (child.signal, child.acknowledged) == (signal.SIGKILL, [number])
            points.append(child.points)
        yield Game(fork_server=ready, before=before, points=points, end=end)


def killed(game: Game, folder: Path, *, number: int, kill_at: int, opening: bool = False) -> Child:
    """Let a process be killed at a point of a step."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(game.before[number], folder)
    child = game.fork_server.play(folder, first=number, last=number, kill_at=kill_at, opening=opening)
    assert child.signal == signal.SIGKILL
    return child


@pytest.mark.parametrize("ends", [5, pytest.param(1, marks=pytest.mark.deep)])
async def test_a_process_killed_after_every_answer_plays_the_same_game(tmp_path: Path, game: Game, ends: int) -> None:
    """This implies that reaching the state after any step leads to the end."""
    for number, folder in enumerate(game.before[1:]):
        copy = Path(shutil.copytree(folder, tmp_path / str(number)))
        world = await start_again(copy, acknowledged=range(number + 1))
        assert stored(world) == game.end.stored[number]
        # From a state that is the same the game goes on the same way; `make deep` does so after each step.
        if number % ends == 0:
            await go_on(world, first=number + 1, end=game.end)
        else:
            await world.close()


@pytest.mark.parametrize("every", [30, pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.parametrize(
    "number", [pytest.param(number, marks=[pytest.mark.deep] * (number in ALIKE)) for number in range(len(STEPS))]
)
async def test_a_bot_killed_at_any_point_of_a_step_goes_on_as_if_nothing_had_been(
    tmp_path: Path, game: Game, number: int, every: int
) -> None:
    points = game.points[number]
    assert points[-2:] == ["after_commit", "resolved"]
    for kill_at in range(1, len(points) + 1):
        if kill_at <= len(points) - COMMIT and kill_at % every != number % every:
            continue
        child = killed(game, tmp_path / "game", number=number, kill_at=kill_at)
        assert child.points == points[:kill_at]
        assert child.acknowledged == []
        world = await start_again(tmp_path / "game", acknowledged=range(number))
        await take_again(world, number)
        assert stored(world) == game.end.stored[number]
        if kill_at % WHOLE == number % WHOLE:
            await go_on(world, first=number + 1, end=game.end)
        else:
            await world.close()


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.parametrize("number", [0, 9])
async def test_a_bot_killed_at_any_point_of_its_start_starts_again(
    tmp_path: Path, game: Game, number: int, every: int
) -> None:
    """The first start, which makes the database, and one that finds what a kill has left."""
    whole = killed(game, tmp_path / "game", number=number, kill_at=NEVER, opening=True)
    start = len(whole.points) - len(game.points[number])
    assert start > 2 * COMMIT
    for kill_at in range(1, start + 1):
        if kill_at <= start - COMMIT and kill_at % every:
            continue
        child = killed(game, tmp_path / "game", number=number, kill_at=kill_at, opening=True)
        assert (child.acknowledged, len(child.points)) == ([], kill_at)
        world = await start_again(tmp_path / "game", acknowledged=range(number))
        await take_again(world, number)
        assert stored(world) == game.end.stored[number]
        await world.close()


@pytest.mark.parametrize(
    "kill_at", [61, pytest.param(23, marks=pytest.mark.deep), pytest.param(97, marks=pytest.mark.deep)]
)
async def test_a_bot_killed_again_and_again_ends_the_game_all_the_same(
    tmp_path: Path, game: Game, kill_at: int
) -> None:
    acknowledged: list[int] = []
    for _ in range(8):
        child = game.fork_server.play(
            tmp_path, first=len(acknowledged), last=len(STEPS) - 1, kill_at=kill_at, opening=False
        )
        assert child.signal == signal.SIGKILL
        acknowledged += child.acknowledged
    world = await start_again(tmp_path, acknowledged=acknowledged)
    await go_on(world, first=len(acknowledged), end=game.end)


@pytest.mark.deep
@pytest.mark.parametrize("number", range(len(STEPS)))
async def test_after_a_kill_at_any_point_of_a_step_the_game_goes_on_to_its_end(
    tmp_path: Path, game: Game, number: int
) -> None:
    for kill_at in range(1, len(game.points[number]) + 1):
        killed(game, tmp_path / "game", number=number, kill_at=kill_at)
        world = await start_again(tmp_path / "game", acknowledged=range(number))
        await go_on(world, first=number, end=game.end)
