"""The bot is killed at every point of a vacation, a choice of hours and a digest.

A vacation is stored completely or not at all, together with the clock that it moves. A day's digest is sent once, even
if the bot returns long after Discord has forgotten the nonce of the first.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from bot.model.clock import DAY, HOUR, MINUTE
from bot.model.ids import Player, TableKey
from tests.crash.days import VACATION_ENDS, house
from tests.crash.fork_server import NEVER, Child, ForkServer
from tests.crash.outliving import Posted, worth_a_kill
from tests.play.world import ANN, BOB, START

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the process kills itself by a signal")

SENT = START + 4 * HOUR
SOON, LATE = SENT + 60_000, SENT + HOUR
"""When the bot is started again: while a message sent twice would be one, and when it would be a second one."""


def passed(
    ready: ForkServer,
    folder: Path,
    *,
    at: int,
    before: list[Posted],
    kill_at: int = NEVER,
    reads_history: bool = True,
) -> Child:
    child = ready.days(folder, at=at, before=before, kill_at=kill_at, reads_history=reads_history)
    assert child.signal == signal.SIGKILL
    return child


def vacation_moved(folder: Path, tables: dict[TableKey, Player]) -> bool:
    """True if Ann's vacation is stored. Her clock must have moved with it, and Bob's must not."""
    with closing(sqlite3.connect(folder / "chaipo.db")) as connection:
        until = connection.execute("SELECT vacation_until FROM member WHERE player = ?", [ANN]).fetchone()
        moved = {}
        for key, player in tables.items():
            ((deadline,),) = connection.execute(
                "SELECT deadline FROM seat WHERE table_id = ? AND player = ?", [key.table, player]
            )
            moved[player] = deadline - START - 3 * DAY
    assert moved[BOB] < DAY
    stands = bool(until is not None and until[0] == VACATION_ENDS)
    assert stands == (moved[ANN] > 9 * DAY)
    return stands


async def test_a_bot_that_nobody_kills_sends_one_digest_however_often_it_starts(
    tmp_path: Path, ready: ForkServer
) -> None:
    tables = await house(tmp_path)
    assert not vacation_moved(tmp_path, tables)
    first = passed(ready, tmp_path, at=SENT, before=[])
    assert (first.acknowledged, [posted.at for posted in first.posted]) == ([1], [SENT]), "after the quiet hours"
    assert f"<@{BOB}>" in first.posted[0].body
    assert vacation_moved(tmp_path, tables)
    for at in (SOON, LATE):
        again = passed(ready, tmp_path, at=at, before=first.posted)
        assert (again.acknowledged, again.posted) == ([1], [])
    tomorrow = passed(ready, tmp_path, at=SENT + DAY, before=first.posted)
    assert len(tomorrow.posted) == 1
    assert tomorrow.acknowledged == [1], "the one before is gone"


@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.parametrize("back", [SOON, LATE], ids=["soon back", "late back"])
async def test_a_bot_killed_at_any_point_sends_one_digest_and_no_half_vacation(
    tmp_path: Path, ready: ForkServer, back: int, every: int
) -> None:
    tables = await house(tmp_path / "begun")
    shutil.copytree(tmp_path / "begun", tmp_path / "whole")
    points = passed(ready, tmp_path / "whole", at=SENT, before=[]).points
    assert points.index("asked") > 20
    assert len(points) - points.index("posted") > 5
    # After the posting, one transaction notes it: some are killed in the middle of that too.
    noting = (points.index("posted") + 1 + len(points)) // 2
    taken, found = set(), 0
    for kill_at in sorted({noting, *worth_a_kill(points, every=every)}):
        folder = Path(shutil.copytree(tmp_path / "begun", tmp_path / str(kill_at)))
        killed = passed(ready, folder, at=SENT, before=[], kill_at=kill_at)
        assert killed.points == points[:kill_at]
        taken.add(vacation_moved(folder, tables))
        again = passed(ready, folder, at=back, before=killed.posted)
        assert again.acknowledged == [1], points[kill_at - 1]
        assert vacation_moved(folder, tables)
        if back == LATE:
            assert len(killed.posted) + len(again.posted) == 1, points[kill_at - 1]
        found += len(killed.posted)
    assert taken == {False, True}
    assert found > 2, "some were killed once it was sent"


async def test_a_bot_that_may_not_look_back_sends_one_digest_or_none_and_the_next_day_s(
    tmp_path: Path, ready: ForkServer
) -> None:
    due = START // HOUR * HOUR + 3 * HOUR
    await house(tmp_path / "begun")
    shutil.copytree(tmp_path / "begun", tmp_path / "whole")
    points = passed(ready, tmp_path / "whole", at=due, before=[], reads_history=False).points
    sent = points.index("posted")
    for kill_at, stood in ((points.index("asked") + 1, 0), (sent + 1, 1)):
        for late_ms, stands in ((MINUTE, 1), (HOUR, stood)):
            folder = Path(shutil.copytree(tmp_path / "begun", tmp_path / f"{kill_at} {late_ms}"))
            killed = passed(ready, folder, at=due, before=[], kill_at=kill_at, reads_history=False)
            assert len(killed.posted) == stood
            again = passed(ready, folder, at=due + late_ms, before=killed.posted, reads_history=False)
            assert again.acknowledged == [stands], "one that may stand is not sent again"
        tomorrow = passed(ready, folder, at=due + DAY, before=killed.posted, reads_history=False)
        assert len(tomorrow.posted) == 1, "and keeps nobody from the next one"


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.deep) for seed in (1, 2))])
async def test_a_bot_killed_again_and_again_sends_one_digest(tmp_path: Path, ready: ForkServer, seed: int) -> None:
    await house(tmp_path)
    chance, at = Random(seed), SENT
    posted: list[Posted] = []
    for _ in range(8):
        child = passed(ready, tmp_path, at=at, before=posted, kill_at=chance.randint(1, 90))
        posted += child.posted
        at += chance.choice((1_000, 60_000, HOUR))
    assert passed(ready, tmp_path, at=at, before=posted).acknowledged == [1]
