"""An hour in which the bot makes puzzles for a solver is killed at every statement: none is made twice, or in part."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.model.limits import FEW_PUZZLES
from bot.model.refusals import Stale
from bot.play.trainer import finding
from bot.play.trainer.all_puzzles import read_puzzle
from bot.play.trainer.finding import Finding
from bot.store.invariants import QUESTIONS, Invariant, ask
from bot.store.sqlite.driver import SqliteSql
from tests.crash.fork_server import NEVER, fork_server
from tests.crash.self_play_hour import PRESSES, hour, play, press
from tests.play.trainer.short import GAME, named
from tests.play.world import CLEO, World
from tests.quickly_found import quickly_found, quickly_played

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the process kills itself by a signal")
MADE = PRESSES.count("make")


def _ask(connection: sqlite3.Connection, question: Invariant) -> list[dict[str, Any]]:
    return ask(SqliteSql(connection), question)


async def _made(world: World) -> int:
    """Return the number of puzzles made, each of which can be read."""
    stored = await world.sessions.read(lambda s: s.tx.found_puzzles.puzzles())
    assert all(read_puzzle(one) is not None for one in stored)
    return len(stored)


async def after_a_kill(folder: Path, acknowledged: list[int]) -> list[Any]:
    """Check the database after a kill, and press everything again; returns all rows at the end."""
    world = hour(folder)
    await world.open()
    kept = len(acknowledged)
    ((answers,),) = world.ask("SELECT COUNT(*) FROM puzzle_attempt")
    answers -= len(named(GAME)) - FEW_PUZZLES
    assert (kept + 1) // 2 <= answers <= MADE
    assert kept // 2 <= await _made(world) <= answers
    for number in range(len(PRESSES)):
        with suppress(Stale):
            await press(world, number)
    for question in QUESTIONS:
        assert await world.database.read(partial(_ask, question=question)) == [], question.kind
    assert await _made(world) == MADE
    view = await world.trainer.choices(CLEO)
    assert (view.count, view.unmet) == (len(named(GAME)) + MADE, FEW_PUZZLES)
    rows = world.ask("SELECT * FROM found_puzzle ORDER BY puzzle")
    rows += world.ask("SELECT puzzle, solved, cause FROM puzzle_attempt ORDER BY number")
    await world.close()
    return rows


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.deep)])
async def test_self_play_killed_at_any_point_makes_each_puzzle_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    monkeypatch.setattr(finding, "seeded_views", quickly_played)
    monkeypatch.setattr(Finding, "search", quickly_found)
    before = tmp_path / "before"
    before.mkdir()
    await play(before)
    with fork_server() as ready:
        whole = ready.self_play(shutil.copytree(before, tmp_path / "whole"), kill_at=NEVER)
        assert whole.acknowledged == list(range(len(PRESSES)))
        end = await after_a_kill(tmp_path / "whole", whole.acknowledged)
        for kill_at in range(1, len(whole.points) + 1, step):
            folder = shutil.copytree(before, tmp_path / str(kill_at))
            child = ready.self_play(folder, kill_at=kill_at)
            assert (child.signal, len(child.points)) == (signal.SIGKILL, kill_at)
            assert await after_a_kill(folder, child.acknowledged) == end
