"""Promise 8: storage errors stop play and corrupt nothing.

tests/crash tries every call that can fail. These tests check the promise itself, for each kind of error.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("apsw", reason="the disk is apsw's")

import apsw

from bot.model.errors import StorageUnavailableError
from bot.model.refusals import Stale
from tests.crash.script import STEPS, bot, take
from tests.crash.trouble import Calls, bench, everything

MIDDLE = 9
PASSES = {"full": apsw.SQLITE_FULL, "read-only": apsw.SQLITE_READONLY, "locked": apsw.SQLITE_BUSY}


@pytest.mark.of_sqlite
@pytest.mark.parametrize("trouble", PASSES)
async def test_promise_8_trouble_that_passes_is_a_pause(tmp_path: Path, trouble: str) -> None:
    """Ten presses are refused and change nothing; when it is over the same bot plays the game to its end."""
    async with bench(tmp_path, upto=MIDDLE) as at:
        before = everything(at.world.path, tmp_path / "copy")
        at.disk.fault = calls = Calls(1, 10**9, PASSES[trouble], only=("write",))
        for _ in range(10):
            with pytest.raises(StorageUnavailableError):
                await take(at.world, MIDDLE)
        assert everything(at.world.path, tmp_path / "copy") == before
        assert at.fatal == []
        calls.fails_to = 0
        for number in range(MIDDLE, len(STEPS)):
            await take(at.world, number)
        assert len(everything(at.world.path, tmp_path / "copy")["result"]) == 4


@pytest.mark.of_sqlite
@pytest.mark.parametrize("what", ["write", "sync"])
async def test_promise_8_a_failing_disk_is_the_end_and_the_next_start_goes_on(tmp_path: Path, what: str) -> None:
    """After one failure, nothing more is written even if the disk would accept it, because its contents are unknown."""
    async with bench(tmp_path, upto=MIDDLE) as at:
        at.disk.fault = calls = Calls(1, 1, only=(what,))
        with pytest.raises(StorageUnavailableError):
            await take(at.world, MIDDLE)
        assert len(at.fatal) == 1
        calls.made.clear()
        for _ in range(3):
            with pytest.raises(StorageUnavailableError):
                await take(at.world, MIDDLE)
        assert calls.made == []
        everything(at.world.path, tmp_path / "copy")
    world = bot(tmp_path / "copy", first=MIDDLE)
    await world.open()
    for number in range(MIDDLE, len(STEPS)):
        try:
            await take(world, number)
        except Stale:
            assert number == MIDDLE
        world.check_books()
    assert len(world.ask("SELECT 1 FROM result")) == 4
    await world.close()
