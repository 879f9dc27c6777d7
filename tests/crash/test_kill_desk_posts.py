"""The bot is killed at every point of a call from the desk and of the desk's message. Each is posted once."""

from __future__ import annotations

import os
import shutil
import signal
from collections import Counter
from pathlib import Path

import pytest

from bot.model.clock import MINUTE
from tests.crash.desk_posts import CALLED, house
from tests.crash.fork_server import NEVER, Child, ForkServer
from tests.crash.outliving import Posted
from tests.play.world import START

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the process kills itself by a signal")

EVENING = START + 5 * MINUTE
SOON, LATE = EVENING + MINUTE, EVENING + 30 * MINUTE
"""When the bot is started again: while a message sent twice would be one, and when it would be a second one."""
ONE_OF_EACH = 11


def passed(ready: ForkServer, folder: Path, *, at: int, before: list[Posted], kill_at: int = NEVER) -> Child:
    child = ready.organises(folder, at=at, before=before, kill_at=kill_at)
    assert child.signal == signal.SIGKILL
    return child


def of_the_desk(child: Child) -> list[Posted]:
    """Return the calls and desks posted by a child. The event's own message may have been posted again."""
    return [posted for posted in child.posted if CALLED in posted.body or ":ev_d_more:" in posted.body]


@pytest.mark.parametrize("back", [SOON, LATE], ids=["soon back", "late back"])
@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.deep)], ids=["once posted", "anywhere"])
async def test_a_bot_that_is_killed_calls_once_and_keeps_one_desk(
    tmp_path: Path, ready: ForkServer, back: int, every: bool
) -> None:
    announced = tmp_path / "announced"
    announced.mkdir()
    await house(announced)
    before = passed(ready, announced, at=START, before=[]).posted
    assert before, "the event itself"
    whole = passed(ready, shutil.copytree(announced, tmp_path / "whole"), at=EVENING, before=before)
    assert (whole.acknowledged, len(of_the_desk(whole))) == ([ONE_OF_EACH], 2)
    points = whole.points
    # Discord has it, and the bot does not know it yet: nowhere else could it be posted twice.
    kill_at = [at for at, point in enumerate(points, start=1) if every or point == "posted"]
    sent = Counter[int]()
    for at in kill_at:
        folder = shutil.copytree(announced, tmp_path / str(at))
        killed = passed(ready, folder, at=EVENING, before=before, kill_at=at)
        again = passed(ready, folder, at=back, before=[*before, *killed.posted])
        assert again.acknowledged == [ONE_OF_EACH], points[at - 1]
        sent[len(of_the_desk(killed))] += 1
    assert set(sent) - {0}, "some were killed once one of them was posted"
