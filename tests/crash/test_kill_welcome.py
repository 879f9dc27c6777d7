"""The bot is killed at every point of its welcome: no server gets two, and none is left without where that can be."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from random import Random

import pytest

from bot.chat.kit.found_messages import UNSURE_MS
from tests.crash.fork_server import NEVER, Child, ForkServer
from tests.crash.outliving import Posted, worth_a_kill

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the process kills itself by a signal")

AT = 1_800_000_000_000
SOON, LATE = AT + UNSURE_MS // 2, AT + 2 * UNSURE_MS
"""When the bot is started again: while a welcome sent twice would be one message, and afterwards."""
EVERY = pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.deep)])


def greeted(ready: ForkServer, folder: Path, *, at: int, before: list[Posted], kill_at: int = NEVER) -> Child:
    folder.mkdir(exist_ok=True)
    child = ready.greet(folder, at=at, before=before, kill_at=kill_at)
    assert child.signal == signal.SIGKILL
    return child


def test_a_bot_that_nobody_kills_greets_once_however_often_it_starts(tmp_path: Path, ready: ForkServer) -> None:
    first = greeted(ready, tmp_path / "a", at=AT, before=[])
    assert (first.acknowledged, len(first.posted)) == ([1], 1)
    for at in (SOON, LATE):
        again = greeted(ready, tmp_path / "a", at=at, before=first.posted)
        assert (again.acknowledged, again.posted) == ([1], [])


@EVERY
def test_a_bot_killed_at_any_point_of_its_welcome_and_soon_back_has_greeted_once(
    tmp_path: Path, ready: ForkServer, every: int
) -> None:
    points = greeted(ready, tmp_path / "whole", at=AT, before=[]).points
    assert points.index("asked") > 5
    assert len(points) - points.index("posted") > 5
    for kill_at in worth_a_kill(points, every=every):
        killed = greeted(ready, tmp_path / str(kill_at), at=AT, before=[], kill_at=kill_at)
        assert killed.points == points[:kill_at]
        back = greeted(ready, tmp_path / str(kill_at), at=SOON, before=killed.posted)
        assert back.acknowledged == [1], points[kill_at - 1]


@EVERY
def test_a_bot_killed_at_any_point_of_its_welcome_and_late_back_greets_unless_it_was_about_to(
    tmp_path: Path, ready: ForkServer, every: int
) -> None:
    """Whether a welcome arrived cannot be known by then: a server may go without one, and none gets two."""
    points = greeted(ready, tmp_path / "whole", at=AT, before=[]).points
    for kill_at in worth_a_kill(points, every=every):
        killed = greeted(ready, tmp_path / str(kill_at), at=AT, before=[], kill_at=kill_at)
        back = greeted(ready, tmp_path / str(kill_at), at=LATE, before=killed.posted)
        where = points[kill_at - 1]
        assert back.acknowledged == [0 if where == "asked" else 1], where


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.deep) for seed in (1, 2))])
def test_a_bot_killed_again_and_again_while_it_greets_never_greets_twice(
    tmp_path: Path, ready: ForkServer, seed: int
) -> None:
    chance, at = Random(seed), AT
    posted: list[Posted] = []
    for _ in range(8):
        child = greeted(ready, tmp_path / "again", at=at, before=posted, kill_at=chance.randint(1, 40))
        posted += child.posted
        at += chance.choice((1_000, UNSURE_MS // 2, UNSURE_MS * 2))
    last = greeted(ready, tmp_path / "again", at=at, before=posted)
    assert last.acknowledged in ([0], [1])
