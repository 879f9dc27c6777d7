"""A daily hand is killed at every statement: one try stays one try, and no street that was acknowledged is lost."""

from __future__ import annotations

import os
import signal
import sqlite3
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.model.refusals import Stale
from bot.play.daily.views import AttemptView
from bot.store.invariants import QUESTIONS, Invariant, ask
from bot.store.sqlite.driver import SqliteSql
from tests.crash.daily_day import PRESSES, morning, press
from tests.crash.fork_server import NEVER, fork_server
from tests.play.world import ANN

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the process kills itself by a signal")


def _ask(connection: sqlite3.Connection, question: Invariant) -> list[dict[str, Any]]:
    return ask(SqliteSql(connection), question)


async def after_a_kill(folder: Path, acknowledged: list[int]) -> AttemptView:
    """Check the database after a kill, and play the hand to its end; returns the result."""
    world = morning(folder)
    await world.open()
    causes = [row[0] for row in world.ask("SELECT cause FROM attempt_fact WHERE cause IS NOT NULL ORDER BY seq")]
    assert causes[: len(acknowledged)] == [PRESSES[number] for number in acknowledged]
    assert len(causes) <= len(acknowledged) + 1
    for number in range(len(PRESSES)):
        with suppress(Stale):
            await press(world, number)
    for question in QUESTIONS:
        assert await world.database.read(partial(_ask, question=question)) == [], question.kind
    assert world.ask("SELECT COUNT(*), COUNT(points) FROM attempt") == [(1, 1)]
    assert world.ask("SELECT people FROM challenge_count") == [(1,)]
    assert world.ask("SELECT days, best FROM streak") == [(1, 1)]
    view = await world.daily.today(ANN)
    await world.close()
    return view


@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.deep)])
async def test_a_try_killed_at_any_point_goes_on_to_the_same_end(tmp_path: Path, step: int) -> None:
    with fork_server() as ready:
        whole = ready.day(tmp_path / "whole", kill_at=NEVER)
        assert whole.acknowledged == list(range(len(PRESSES)))
        end = await after_a_kill(tmp_path / "whole", whole.acknowledged)
        assert end.standing is not None
        for kill_at in range(1, len(whole.points) + 1, step):
            folder = tmp_path / str(kill_at)
            child = ready.day(folder, kill_at=kill_at)
            assert (child.signal, len(child.points)) == (signal.SIGKILL, kill_at)
            view = await after_a_kill(folder, child.acknowledged)
            assert (view.standing, view.streak, view.people) == (end.standing, end.streak, end.people)
