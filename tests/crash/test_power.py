"""Power fails at any point of a game. Acknowledged data is there, and all data is consistent.

The points are divided into sixteen parts. One of the power failures and one of the kills always run, and ``make deep``
runs the others. tests/crash/test_kill.py kills whole processes at points of every step. Promise 3's control test always
shows that a loss would be noticed. Those here show how much is lost.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("apsw", reason="the disk is apsw's")

from tests.crash.going_on import undisturbed
from tests.crash.power import crashes

PARTS = 16
DEEP = pytest.mark.deep


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=DEEP) for part in range(1, PARTS))])
async def test_a_power_loss_after_any_operation_of_the_disk_loses_and_corrupts_nothing(
    tmp_path: Path, part: int
) -> None:
    game = await crashes(tmp_path, power=True)
    findings = await game.look(part=part, parts=PARTS, end=await undisturbed(tmp_path))
    assert findings.points * PARTS > 900
    assert (findings.lost, findings.damaged, findings.behind) == ([], [], [])


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=DEEP) for part in range(1, PARTS))])
async def test_a_kill_between_any_two_operations_of_the_disk_loses_and_corrupts_nothing(
    tmp_path: Path, part: int
) -> None:
    game = await crashes(tmp_path, power=False)
    findings = await game.look(part=part, parts=PARTS, end=None)
    assert findings.points * PARTS > 900
    assert (findings.lost, findings.damaged, findings.behind) == ([], [], [])


@pytest.mark.deep
@pytest.mark.parametrize("synchronous", ["NORMAL", "OFF"])
async def test_with_less_care_for_the_disk_the_same_power_losses_are_seen_to_lose_what_was_acknowledged(
    tmp_path: Path, synchronous: str
) -> None:
    """The control: this test would notice."""
    game = await crashes(tmp_path, synchronous=synchronous, power=True)
    findings = await game.look(part=0, parts=16, end=None)
    assert len(findings.lost) > findings.points // 4
    if synchronous == "OFF":
        assert findings.damaged
    else:
        assert findings.behind


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(1, 5))
async def test_other_power_losses_after_any_operation_lose_and_corrupt_nothing(tmp_path: Path, seed: int) -> None:
    game = await crashes(tmp_path, power=True, seed=seed)
    for part in range(PARTS):
        await game.look(part=part, parts=PARTS, end=None)
    assert (game.findings.lost, game.findings.damaged, game.findings.behind) == ([], [], [])
