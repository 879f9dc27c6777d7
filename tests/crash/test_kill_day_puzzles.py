"""The bot is killed during answers to a puzzle of the day and during its reveal. Nothing is lost or counts twice."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.model.clock import DAY, HOUR
from bot.model.refusals import Stale
from bot.store.invariants import QUESTIONS, Invariant, ask
from bot.store.sqlite.driver import SqliteSql
from tests.crash.bulletin_day import MONDAY_AT_NINE
from tests.crash.fork_server import NEVER, Child, ForkServer
from tests.crash.outliving import Posted, worth_a_kill
from tests.crash.puzzle_days import PRESSES, answered, asked, press, sunday
from tests.play.world import ANN, BOB

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the process kills itself by a signal")
SOON, LATE, NEXT = MONDAY_AT_NINE + 60_000, MONDAY_AT_NINE + HOUR, MONDAY_AT_NINE + DAY
"""When the bot is started again: while a message sent twice would be one, later, and for the next day's post."""


def rows(folder: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / "chaipo.db")) as connection:
        return connection.execute(sql).fetchall()


def _ask(connection: sqlite3.Connection, question: Invariant) -> list[dict[str, Any]]:
    return ask(SqliteSql(connection), question)


async def after_a_kill(folder: Path, acknowledged: Sequence[int]) -> None:
    """Check the answers after a kill, and press everything again."""
    world = sunday(folder)
    await world.open()
    causes = [row[0] for row in world.ask("SELECT cause FROM day_answer ORDER BY player")]
    everyone = [str(player) for player, _ in PRESSES]
    assert causes == everyone[: len(causes)]
    assert len(acknowledged) <= len(causes) <= len(acknowledged) + 1
    for number in range(len(PRESSES)):
        with suppress(Stale):
            await press(world, number)
    assert world.ask("SELECT cause, rated FROM day_answer ORDER BY player") == [(cause, 0) for cause in everyone]
    assert world.ask("SELECT COUNT(*) FROM puzzle_attempt") == [(0,)]
    for question in QUESTIONS:
        assert await world.database.read(partial(_ask, question=question)) == [], question.kind
    await world.close()


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.deep)])
async def test_answers_killed_at_any_point_count_once(tmp_path: Path, ready: ForkServer, step: int) -> None:
    await asked(tmp_path / "begun")
    shutil.copytree(tmp_path / "begun", tmp_path / "whole")
    whole = ready.day_answers(tmp_path / "whole", kill_at=NEVER)
    assert whole.acknowledged == list(range(len(PRESSES)))
    await after_a_kill(tmp_path / "whole", whole.acknowledged)
    for kill_at in range(1, len(whole.points) + 1, step):
        folder = Path(shutil.copytree(tmp_path / "begun", tmp_path / str(kill_at)))
        child = ready.day_answers(folder, kill_at=kill_at)
        assert (child.signal, len(child.points)) == (signal.SIGKILL, kill_at)
        await after_a_kill(folder, child.acknowledged)


def passed(ready: ForkServer, folder: Path, *, at: int, before: Sequence[Posted], kill_at: int = NEVER) -> Child:
    child = ready.reveals(folder, at=at, before=before, kill_at=kill_at)
    assert child.signal == signal.SIGKILL
    return child


def reveals(posted: Sequence[Posted], day: int) -> int:
    """Return how many posts lead to a day's result or puzzle."""
    return sum(f":pz_day:{day}." in one.body for one in posted)


def check_ratings(folder: Path) -> None:
    """Both answers are rated once."""
    answers = rows(folder, "SELECT player, cause, solved, rated FROM puzzle_attempt ORDER BY player")
    assert answers == [(ANN, ANN, 1, 1), (BOB, BOB, 0, 1)]
    assert rows(folder, "SELECT people, solved FROM day_puzzle WHERE number = 1") == [(2, 1)]
    assert rows(folder, "SELECT SUM(people) FROM puzzle_choice") == [(2,)]
    solvers = rows(folder, "SELECT player, tries FROM solver WHERE tries > 0 ORDER BY player")
    assert solvers == [(ANN, 1), (BOB, 1)]


@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.parametrize("back", [SOON, LATE], ids=["soon back", "late back"])
async def test_a_reveal_killed_at_any_point_is_posted_once(
    tmp_path: Path, ready: ForkServer, back: int, every: int
) -> None:
    await answered(tmp_path / "begun")
    shutil.copytree(tmp_path / "begun", tmp_path / "whole")
    points = passed(ready, tmp_path / "whole", at=MONDAY_AT_NINE, before=[]).points
    assert points.count("posted") == 1
    check_ratings(tmp_path / "whole")
    (day,) = rows(tmp_path / "whole", "SELECT puzzle FROM day_puzzle WHERE number = 2")
    sent = set()
    for kill_at in worth_a_kill(points, every=every):
        folder = Path(shutil.copytree(tmp_path / "begun", tmp_path / str(kill_at)))
        killed = passed(ready, folder, at=MONDAY_AT_NINE, before=[], kill_at=kill_at)
        again = passed(ready, folder, at=back, before=killed.posted)
        assert again.acknowledged == [1], points[kill_at - 1]
        if back == LATE:
            posted = [*killed.posted, *again.posted]
            assert (reveals(posted, 1), reveals(posted, 2)) == (1, 1), points[kill_at - 1]
        check_ratings(folder)
        assert rows(folder, "SELECT puzzle FROM day_puzzle WHERE number = 2") == [day], "a repeated post asks the same"
        sent.add(len(killed.posted))
    assert sent == {0, 1}


@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.deep)])
async def test_a_reveal_that_was_killed_and_slept_through_comes_in_the_next_post(
    tmp_path: Path, ready: ForkServer, every: int
) -> None:
    await answered(tmp_path / "begun")
    shutil.copytree(tmp_path / "begun", tmp_path / "whole")
    points = passed(ready, tmp_path / "whole", at=MONDAY_AT_NINE, before=[]).points
    for kill_at in worth_a_kill(points, every=every):
        folder = Path(shutil.copytree(tmp_path / "begun", tmp_path / str(kill_at)))
        killed = passed(ready, folder, at=MONDAY_AT_NINE, before=[], kill_at=kill_at)
        again = passed(ready, folder, at=NEXT, before=killed.posted)
        assert len(again.posted) == 1
        posted = [*killed.posted, *again.posted]
        assert reveals(posted, 1) == 1, points[kill_at - 1]
        # Monday's puzzle is revealed if its post arrived. If not, Tuesday's takes its place.
        assert reveals(again.posted, 2) == 1
        assert reveals(again.posted, 3) == len(killed.posted)
        check_ratings(folder)
