"""The bot is killed during every chip movement outside hands. Each movement is complete and happens once."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

import pytest

from bot.model.refusals import Stale
from bot.run.cli.sealed import opened_by
from bot.store.sqlite.check import check
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.files import reading
from tests.crash.banking import MOVED, PRESSES, house, play, press
from tests.crash.fork_server import NEVER, fork_server
from tests.databases import Dump
from tests.play.world import World

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the process kills itself by a signal")


def findings(world: World) -> list[str]:
    """Return errors in the database. Each change of a balance needs a line of a suitable kind."""
    with reading(world.path) as connection:
        return [finding.line for finding in check(connection, MIGRATIONS, secrets=opened_by(world.vault)).findings]


async def after_a_kill(folder: Path, *, acknowledged: Collection[int]) -> Dump:
    """Check the database after a kill, including acknowledged presses, and repeat all presses in order."""
    world = house(folder)
    await world.open()
    assert findings(world) == []
    for number in range(len(PRESSES)):
        if number in acknowledged:
            with world.stale():
                await press(world, number)
        else:
            with suppress(Stale):
                await press(world, number)
    assert findings(world) == []
    assert {kind for (kind,) in world.ask("SELECT DISTINCT kind FROM transfer")} == MOVED
    end = world.dump(clocks=False)
    await world.close()
    return end


@pytest.mark.parametrize("step", [61, pytest.param(1, marks=pytest.mark.deep)])
async def test_chips_that_were_moving_when_the_bot_was_killed_have_moved_once(tmp_path: Path, step: int) -> None:
    before = tmp_path / "before"
    world = house(before)
    await world.open()
    await play(world)
    await world.close()
    with fork_server() as ready:
        whole = ready.banking(shutil.copytree(before, tmp_path / "whole"), kill_at=NEVER)
        assert whole.acknowledged == [*range(len(PRESSES))]
        end = await after_a_kill(tmp_path / "whole", acknowledged=whole.acknowledged)
        for kill_at in range(1, len(whole.points) + 1, step):
            folder = shutil.copytree(before, tmp_path / str(kill_at))
            child = ready.banking(folder, kill_at=kill_at)
            assert (child.signal, len(child.points)) == (signal.SIGKILL, kill_at)
            assert await after_a_kill(folder, acknowledged=child.acknowledged) == end
