"""An hour of puzzles is killed at every statement: each answer counts once, and none that was acknowledged is lost."""

from __future__ import annotations

import os
import signal
import sqlite3
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.model.puzzles import Solver
from bot.model.refusals import Stale
from bot.store.invariants import QUESTIONS, Invariant, ask
from bot.store.sqlite.driver import SqliteSql
from tests.crash.fork_server import NEVER, fork_server
from tests.crash.puzzle_hour import PRESSES, hour, press, puzzle_of
from tests.play.world import ANN

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the process kills itself by a signal")
ANSWERS = [how for how in PRESSES if how != "later"]


def _ask(connection: sqlite3.Connection, question: Invariant) -> list[dict[str, Any]]:
    return ask(SqliteSql(connection), question)


async def after_a_kill(folder: Path, acknowledged: list[int]) -> Solver:
    """Check the database after a kill, and press everything again; returns the solver at the end."""
    world = hour(folder)
    await world.open()
    causes = [row[0] for row in world.ask("SELECT cause FROM puzzle_attempt ORDER BY number")]
    kept = [PRESSES[number] for number in acknowledged if PRESSES[number] != "later"]
    assert causes[: len(kept)] == kept
    assert causes == ANSWERS[: len(causes)]
    assert len(causes) <= len(kept) + 1
    for number in range(len(PRESSES)):
        with suppress(Stale):
            await press(world, number)
    for question in QUESTIONS:
        assert await world.database.read(partial(_ask, question=question)) == [], question.kind
    assert world.ask("SELECT cause, solved, rated FROM puzzle_attempt ORDER BY number") == [
        ("wrong", 0, 1),
        ("right", 1, 1),
    ]
    assert world.ask("SELECT SUM(people), COUNT(*) FROM puzzle_choice") == [(2, 2)]
    waiting = {name for (name,) in world.ask("SELECT puzzle FROM repetition")}
    assert waiting == {puzzle_of(0), puzzle_of(1)}
    solver = await world.sessions.read(lambda s: s.tx.puzzles.solver(ANN))
    await world.close()
    return solver


@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.deep)])
async def test_answers_killed_at_any_point_count_once(tmp_path: Path, step: int) -> None:
    with fork_server() as ready:
        whole = ready.puzzles(tmp_path / "whole", kill_at=NEVER)
        assert whole.acknowledged == list(range(len(PRESSES)))
        end = await after_a_kill(tmp_path / "whole", whole.acknowledged)
        assert end.rating.hands == len(ANSWERS)
        for kill_at in range(1, len(whole.points) + 1, step):
            folder = tmp_path / str(kill_at)
            child = ready.puzzles(folder, kill_at=kill_at)
            assert (child.signal, len(child.points)) == (signal.SIGKILL, kill_at)
            solver = await after_a_kill(folder, child.acknowledged)
            assert solver.rating.mean == end.rating.mean
