"""Promise 3: acknowledged data survives crashes and power failures.

tests/crash tries all points of a game. These tests check the promise itself at a few of them.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("apsw", reason="the disk is apsw's")

from tests.crash.fork_server import fork_server
from tests.crash.going_on import start_again
from tests.crash.power import crashes
from tests.crash.script import STEPS

FEW = 12


@pytest.mark.of_sqlite
@pytest.mark.skipif(os.name != "posix", reason="the process kills itself by a signal")
async def test_promise_3_a_killed_process_has_lost_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    chance = Random(3)
    with fork_server() as ready:
        for number in range(FEW):
            folder = tmp_path / str(number)
            folder.mkdir()
            child = ready.play(folder, first=0, last=len(STEPS) - 1, kill_at=chance.randrange(80, 1300))
            assert child.signal == signal.SIGKILL
            assert child.acknowledged
            # It looks for the event of each press that was answered.
            world = await start_again(folder, acknowledged=child.acknowledged)
            await world.close()


@pytest.mark.of_sqlite
async def test_promise_3_a_power_loss_takes_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    game = await crashes(tmp_path, power=True, seed=33)
    findings = await game.look(part=7, parts=32, end=None)
    assert findings.points > 25
    assert (findings.lost, findings.damaged) == ([], [])


@pytest.mark.of_sqlite
async def test_promise_3_would_be_seen_to_be_broken(tmp_path: Path) -> None:
    """The control: with one sync less the same test finds what is lost."""
    game = await crashes(tmp_path, synchronous="NORMAL", power=True, seed=33)
    assert (await game.look(part=7, parts=32, end=None)).lost
