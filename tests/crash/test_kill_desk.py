"""The bot is killed at each statement of the desk's acts, of giving up, of the draw of a bracket, and of a pairing."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

import pytest

from bot.model.refusals import Stale
from tests.crash.evening_acts import SCRIPTS, Script, house
from tests.crash.fork_server import NEVER, fork_server
from tests.crash.test_kill_banking import findings
from tests.databases import Dump
from tests.play.world import World

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the process kills itself by a signal")


def stored(world: World) -> Dump:
    """Return the stored data, without deadlines that an outage moves and without the encrypted form of seeds."""
    return world.dump(clocks=False, but=("sealed_seed", "board_sealed"))


async def after_a_kill(folder: Path, script: Script, *, acknowledged: Collection[int]) -> Dump:
    """Check the database after a kill. Repeating all presses in order must not change completed acts."""
    world = house(folder)
    await world.open()
    assert findings(world) == []
    for number, act in enumerate(script.presses):
        before = stored(world) if number == max(acknowledged, default=None) else None
        with suppress(Stale):
            await act(world, f"press {number}")
        assert before in (None, stored(world)), number
    assert findings(world) == []
    assert {kind for (kind,) in world.ask("SELECT kind FROM event_log")} >= script.told
    end = stored(world)
    await world.close()
    return end


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("before", 101),
        ("while it runs", 151),
        ("giving up", 61),
        ("to the bracket", 61),
        ("to the next round", 61),
        *(pytest.param(name, 1, marks=pytest.mark.deep) for name in SCRIPTS),
    ],
)
async def test_what_was_done_when_the_bot_was_killed_is_done_once(tmp_path: Path, name: str, step: int) -> None:
    script, before = SCRIPTS[name], tmp_path / "before"
    before.mkdir()
    await script.prepare(before)
    with fork_server() as ready:
        whole = ready.evening(shutil.copytree(before, tmp_path / "whole"), name, kill_at=NEVER)
        assert whole.acknowledged == [*range(len(script.presses))]
        end = await after_a_kill(tmp_path / "whole", script, acknowledged=whole.acknowledged)
        for kill_at in range(1, len(whole.points) + 1, step):
            folder = shutil.copytree(before, tmp_path / str(kill_at))
            child = ready.evening(folder, name, kill_at=kill_at)
            assert (child.signal, len(child.points)) == (signal.SIGKILL, kill_at)
            assert await after_a_kill(folder, script, acknowledged=child.acknowledged) == end, child.points[-1]
