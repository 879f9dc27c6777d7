"""The bot is killed at every point of a morning post and a recap. Each is posted once, and each recap stored once."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from bot.model.clock import DAY, HOUR
from tests.crash.bulletin_day import MONDAY_AT_NINE, house
from tests.crash.fork_server import NEVER, Child, ForkServer
from tests.crash.outliving import Posted, worth_a_kill

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the process kills itself by a signal")

SOON, LATE = MONDAY_AT_NINE + 60_000, MONDAY_AT_NINE + HOUR
"""When the bot is started again: while a message sent twice would be one, and when it would be a second one."""
ONE_OF_EACH = 11


def passed(ready: ForkServer, folder: Path, *, at: int, before: list[Posted], kill_at: int = NEVER) -> Child:
    child = ready.bulletins(folder, at=at, before=before, kill_at=kill_at)
    assert child.signal == signal.SIGKILL
    return child


def recaps(folder: Path) -> int:
    """Return the number of stored recaps."""
    with closing(sqlite3.connect(folder / "chaipo.db")) as connection:
        return int(connection.execute("SELECT COUNT(*) FROM recap").fetchone()[0])


async def test_a_bot_that_nobody_kills_posts_each_once_however_often_it_starts(
    tmp_path: Path, ready: ForkServer
) -> None:
    await house(tmp_path)
    early = passed(ready, tmp_path, at=MONDAY_AT_NINE - 1, before=[])
    assert (early.acknowledged, early.posted) == ([0], [])
    first = passed(ready, tmp_path, at=MONDAY_AT_NINE, before=[])
    assert (first.acknowledged, len(first.posted)) == ([ONE_OF_EACH], 2)
    for at in (SOON, LATE):
        again = passed(ready, tmp_path, at=at, before=first.posted)
        assert (again.acknowledged, again.posted) == ([ONE_OF_EACH], [])
    assert recaps(tmp_path) == 1
    # One that was deleted by hand is not posted again.
    assert passed(ready, tmp_path, at=LATE, before=[]).posted == []


@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.parametrize("back", [SOON, LATE], ids=["soon back", "late back"])
async def test_a_bot_killed_at_any_point_posts_each_once(
    tmp_path: Path, ready: ForkServer, back: int, every: int
) -> None:
    await house(tmp_path / "begun")
    shutil.copytree(tmp_path / "begun", tmp_path / "whole")
    points = passed(ready, tmp_path / "whole", at=MONDAY_AT_NINE, before=[]).points
    assert points.count("posted") == 2
    assert points.index("asked") > 5
    sent, found = set(), 0
    for kill_at in worth_a_kill(points, every=every):
        folder = Path(shutil.copytree(tmp_path / "begun", tmp_path / str(kill_at)))
        killed = passed(ready, folder, at=MONDAY_AT_NINE, before=[], kill_at=kill_at)
        again = passed(ready, folder, at=back, before=killed.posted)
        assert again.acknowledged == [ONE_OF_EACH], points[kill_at - 1]
        assert recaps(folder) == 1
        if back == LATE:
            assert len(killed.posted) + len(again.posted) == 2, points[kill_at - 1]
        sent.add(len(killed.posted))
        found += len(killed.posted)
    assert sent == {0, 1, 2}
    assert found > 2, "some were killed once it was sent"


@pytest.mark.parametrize("every", [25, pytest.param(1, marks=pytest.mark.deep)])
async def test_a_morning_that_is_long_over_is_given_up_wherever_the_bot_was_killed(
    tmp_path: Path, ready: ForkServer, every: int
) -> None:
    await house(tmp_path / "begun")
    shutil.copytree(tmp_path / "begun", tmp_path / "whole")
    points = passed(ready, tmp_path / "whole", at=MONDAY_AT_NINE, before=[]).points
    for kill_at in worth_a_kill(points, every=every):
        folder = Path(shutil.copytree(tmp_path / "begun", tmp_path / str(kill_at)))
        killed = passed(ready, folder, at=MONDAY_AT_NINE, before=[], kill_at=kill_at)
        again = passed(ready, folder, at=MONDAY_AT_NINE + 2 * DAY + 4 * HOUR, before=killed.posted)
        assert again.posted == []


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.deep) for seed in (1, 2))])
async def test_a_bot_killed_again_and_again_posts_each_once(tmp_path: Path, ready: ForkServer, seed: int) -> None:
    await house(tmp_path)
    chance, at = Random(seed), MONDAY_AT_NINE
    posted: list[Posted] = []
    for _ in range(8):
        child = passed(ready, tmp_path, at=at, before=posted, kill_at=chance.randint(1, 60))
        posted += child.posted
        at += chance.choice((1_000, 60_000, 15 * 60_000))
    last = passed(ready, tmp_path, at=at, before=posted)
    assert last.acknowledged == [ONE_OF_EACH]
