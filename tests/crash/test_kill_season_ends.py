"""The bot is killed at every point of announcing a season's end. It's announced once, however late the bot returns.

If the bot can't read the history, an announcement that may exist isn't repeated. One that was never sent is sent
anyway.
"""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest

from bot.model.clock import HOUR, MINUTE
from tests.crash.fork_server import NEVER, Child, ForkServer
from tests.crash.outliving import Posted, worth_a_kill
from tests.crash.season_over import house
from tests.play.world import START

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the process kills itself by a signal")

AWAY = START + 10 * MINUTE
"""When the bot is there for the first time after the end."""
SOON, LATE = AWAY + MINUTE, AWAY + HOUR
"""When it is started again: while a message sent twice would be one, and when it would be a second one."""


def passed(
    ready: ForkServer, folder: Path, *, at: int, before: list[Posted], reads_history: bool, kill_at: int = NEVER
) -> Child:
    child = ready.season_end(folder, at=at, before=before, kill_at=kill_at, reads_history=reads_history)
    assert child.signal == signal.SIGKILL
    return child


@pytest.mark.parametrize(
    ("reads_history", "back"),
    [(True, LATE), (False, SOON), (False, LATE)],
    ids=["late back", "soon back, reads none", "late back, reads none"],
)
async def test_a_bot_killed_at_any_point_tells_an_end_once(
    tmp_path: Path, ready: ForkServer, back: int, reads_history: bool
) -> None:
    await house(tmp_path / "begun")
    whole = Path(shutil.copytree(tmp_path / "begun", tmp_path / "whole"))
    first = passed(ready, whole, at=AWAY, before=[], reads_history=reads_history)
    assert (first.acknowledged, len(first.posted)) == ([1], 1)
    assert passed(ready, whole, at=back, before=first.posted, reads_history=reads_history).posted == []
    asked, posted = first.points.index("asked"), first.points.index("posted")
    noted = first.points[:asked].index("COMMIT")
    found = {"before": 0, "in doubt": 0, "after": 0}
    for kill_at in worth_a_kill(first.points, every=12):
        folder = Path(shutil.copytree(tmp_path / "begun", tmp_path / str(kill_at)))
        killed = passed(ready, folder, at=AWAY, before=[], kill_at=kill_at, reads_history=reads_history)
        again = passed(ready, folder, at=back, before=killed.posted, reads_history=reads_history)
        when = "before" if kill_at <= noted + 1 else "in doubt" if kill_at <= asked + 1 else "after"
        found[when] += 1
        assert len(killed.posted) == (kill_at > posted), first.points[kill_at - 1]
        doubtful = when == "in doubt" and back == LATE and not reads_history
        assert again.acknowledged == [0 if doubtful else 1], first.points[kill_at - 1]
    assert all(found.values()), found
