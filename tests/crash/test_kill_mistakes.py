"""An hour of *My mistakes* is killed at every statement: each hand is judged once and whole, each answer counts once,
and each position makes one puzzle."""

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

from bot.model.refusals import Stale
from bot.play.trainer import judging
from bot.play.trainer.finding import Finding
from bot.store.invariants import QUESTIONS, Invariant, ask
from bot.store.sqlite.driver import SqliteSql
from tests.crash.fork_server import NEVER, fork_server
from tests.crash.mistake_hour import PRESSES, hour, play, press
from tests.quickly_found import quickly_found
from tests.quickly_judged import quickly_judged

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the process kills itself by a signal")
STREETS = 5


def _ask(connection: sqlite3.Connection, question: Invariant) -> list[dict[str, Any]]:
    return ask(SqliteSql(connection), question)


async def after_a_kill(folder: Path, acknowledged: list[int]) -> list[Any]:
    """Check the database after a kill, and press everything again; returns all rows at the end."""
    world = hour(folder)
    await world.open()
    whole = world.ask(
        "SELECT COUNT(d.number) FROM judged_hand h LEFT JOIN judged_decision d ON d.player = h.player "
        "AND d.guild_id = h.guild_id AND d.table_id = h.table_id AND d.hand_no = h.hand_no GROUP BY h.hand_no"
    )
    assert {count for (count,) in whole} <= {STREETS}, "a hand is judged whole or not at all"
    kept = {PRESSES[number] for number in acknowledged}
    settled = world.ask("SELECT COUNT(*) FROM mistake WHERE candidate = 0")[0][0]
    assert world.ask("SELECT COUNT(*) FROM found_puzzle") == [(settled,)], "a candidate is settled with its puzzle"
    if "judge" in kept:
        assert (len(whole), settled) == (2, 2)
    causes = {cause for (cause,) in world.ask("SELECT cause FROM mistake WHERE tries > 0")}
    assert kept & {"wrong", "right"} <= causes
    for number in range(len(PRESSES)):
        with suppress(Stale):
            await press(world, number)
    for question in QUESTIONS:
        assert await world.database.read(partial(_ask, question=question)) == [], question.kind
    assert world.ask("SELECT cause, tries, solved FROM mistake ORDER BY hand_no") == [("wrong", 1, 0), ("right", 1, 1)]
    assert world.ask("SELECT COUNT(*) FROM mistake WHERE candidate = 1") == [(0,)]
    tables = "judged_hand", "judged_decision", "found_puzzle"
    rows = [world.ask(f"SELECT * FROM {table} ORDER BY 1, 2, 3, 4, 5") for table in tables]
    await world.close()
    return rows


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.deep)])
async def test_judging_and_answers_killed_at_any_point_are_whole_and_count_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    monkeypatch.setattr(judging, "judged", quickly_judged)
    monkeypatch.setattr(Finding, "search", quickly_found)
    before = tmp_path / "before"
    before.mkdir()
    await play(before)
    with fork_server() as ready:
        whole = ready.mistakes(shutil.copytree(before, tmp_path / "whole"), kill_at=NEVER)
        assert whole.acknowledged == list(range(len(PRESSES)))
        end = await after_a_kill(tmp_path / "whole", whole.acknowledged)
        assert len(end[1]) == 2 * STREETS
        assert len(end[2]) == 2
        for kill_at in range(1, len(whole.points) + 1, step):
            folder = shutil.copytree(before, tmp_path / str(kill_at))
            child = ready.mistakes(folder, kill_at=kill_at)
            assert (child.signal, len(child.points)) == (signal.SIGKILL, kill_at)
            assert await after_a_kill(folder, child.acknowledged) == end
