"""The disk fails, fills up or is locked at any call by SQLite. A press is refused without effect, or done and answered.

A failing disk stops the bot, because it can't rely on its data any more. A temporary error refuses the press, and the
same press works afterwards.
"""

# ruff: noqa: ASYNC220, ASYNC240  # Nobody else runs on a test's loop.

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("apsw", reason="the disk is apsw's")

import apsw

from bot.model.errors import StorageUnavailableError
from bot.model.refusals import Stale
from bot.model.tables import TableState
from bot.store import StoreBusyError, StoreError, StoreFatalError, StoreFullError, StoreUnavailableError
from bot.store.sqlite.database import SqliteDatabase
from tests.crash.disk import Disk
from tests.crash.script import KEY, bot, cause_of, take
from tests.crash.shim import connect_over
from tests.crash.trouble import Bench, Calls, bench, everything
from tests.play.world import ANN

LAST_PLACEMENT = 13
"""The step that ends the first hand: events, payments, results, clocks and a message, in one transaction."""
REBUY = 14
"""Ann is bust, so the second hand needs this."""


async def calls_of(folder: Path, number: int, **options: Any) -> list[str]:
    """The calls that a step makes to a disk that does not fail."""
    folder.mkdir()
    async with bench(folder, upto=number) as at:
        at.disk.fault = calls = Calls(**options)
        await take(at.world, number)
    return calls.made


async def press(at: Bench, number: int) -> StorageUnavailableError | None:
    """Do a step; returns the error that refused it, or None if it was answered."""
    try:
        await take(at.world, number)
    except StorageUnavailableError as trouble:
        return trouble
    return None


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.parametrize("lasting", [False, pytest.param(True, marks=pytest.mark.deep)], ids=["once", "from then on"])
async def test_a_disk_that_fails_at_any_call_stops_the_bot_and_leaves_nothing_half_done(
    tmp_path: Path, lasting: bool, every: int
) -> None:
    """A hand's last placement takes effect completely or not at all, and never disappears after its answer."""
    whole = await calls_of(tmp_path / "whole", LAST_PLACEMENT)
    assert len(whole) > 20
    refused = 0
    for fails_at in range(1, len(whole) + 1, every):
        folder = tmp_path / str(fails_at)
        folder.mkdir()
        async with bench(folder, upto=LAST_PLACEMENT) as at:
            before = everything(at.world.path, tmp_path / "copy")
            at.disk.fault = calls = Calls(fails_at, 10**9 if lasting else fails_at)
            trouble = await press(at, LAST_PLACEMENT)
            assert calls.failed
            found = everything(at.world.path, tmp_path / "copy")
            if trouble is None:
                # The failure came after the commit, during the checkpoint. The pages are still in the log.
                assert len(found["result"]) == 2
                continue
            refused += 1
            assert isinstance(trouble.__cause__, StoreFatalError)
            assert len(at.fatal) == 1
            calls.fails_to = 0
            with pytest.raises(StorageUnavailableError, match="Check the disk"):
                await at.world.play.wallet(KEY.guild, ANN)
        # The process ends without closing, and a new one finds its files.
        world = bot(tmp_path / "copy", first=LAST_PLACEMENT)
        await world.open()
        try:
            await take(world, LAST_PLACEMENT)
        except Stale:
            # The disk failed after writing everything. The press was refused but took effect, and its repetition says
            # so.
            assert len(found["result"]) == 2
        else:
            assert {**found, "timer": 0, "heartbeat": 0} == {**before, "timer": 0, "heartbeat": 0}
        world.check_books()
        assert len(world.ask("SELECT 1 FROM result")) == 2
        await world.close()
    assert refused * every > 10


PASSING = {"full": (apsw.SQLITE_FULL, StoreFullError), "read-only": (apsw.SQLITE_READONLY, StoreUnavailableError)}


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.parametrize("lasting", [pytest.param(False, marks=pytest.mark.deep), True], ids=["once", "from then on"])
@pytest.mark.parametrize("trouble", ["full", pytest.param("read-only", marks=pytest.mark.deep)])
async def test_a_disk_that_is_full_or_read_only_at_any_write_refuses_and_the_same_bot_goes_on(
    tmp_path: Path, trouble: str, lasting: bool, every: int
) -> None:
    code, kind = PASSING[trouble]
    whole = await calls_of(tmp_path / "whole", LAST_PLACEMENT, only=("write",))
    refused = 0
    for fails_at in range(1, len(whole) + 1, every):
        folder = tmp_path / str(fails_at)
        folder.mkdir()
        async with bench(folder, upto=LAST_PLACEMENT) as at:
            before = everything(at.world.path, tmp_path / "copy")
            at.disk.fault = calls = Calls(fails_at, 10**9 if lasting else fails_at, code, only=("write",))
            error = await press(at, LAST_PLACEMENT)
            assert calls.failed
            assert at.fatal == []
            found = everything(at.world.path, tmp_path / "copy")
            if error is not None:
                refused += 1
                assert type(error.__cause__) is kind
                assert {**found, "heartbeat": 0} == {**before, "heartbeat": 0}
                # The error passes, and the bot needs no restart.
                calls.fails_to = 0
                await take(at.world, LAST_PLACEMENT)
            with pytest.raises(Stale):
                await take(at.world, LAST_PLACEMENT)
            assert len(everything(at.world.path, tmp_path / "copy")["result"]) == 2
            assert (await at.world.play.look(KEY)).table.state is TableState.BETWEEN
    assert refused * every > 10


async def test_the_clock_waits_for_a_disk_that_is_full_and_then_deals(tmp_path: Path) -> None:
    """No one presses anything. The pause after the hand ends while the disk is full."""
    async with bench(tmp_path, upto=REBUY + 1) as at:
        at.disk.fault = calls = Calls(1, 10**9, apsw.SQLITE_FULL, only=("write",))
        for _ in range(3):
            at.world.now += 60_000
            with pytest.raises(StorageUnavailableError):
                await at.world.clock.tick()
        assert (await at.world.play.look(KEY)).table.hand_no == 1
        calls.fails_to = 0
        await at.world.clock.tick()
        table = (await at.world.play.look(KEY)).table
        assert (table.hand_no, table.state) == (2, TableState.PLAYING)
        assert at.fatal == []


HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
connection.execute("ROLLBACK")
"""


async def test_presses_are_refused_while_another_process_holds_the_database_and_work_when_it_lets_go(
    tmp_path: Path,
) -> None:
    world = bot(tmp_path, first=0)
    world.busy_seconds = 0.01
    await world.open()
    for number in range(LAST_PLACEMENT):
        await take(world, number)
    before = world.dump()
    command = [sys.executable, "-c", HOLDER, str(world.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert await asyncio.to_thread(holder.stdout.readline) == "held\n"
        for _ in range(3):
            with pytest.raises(StorageUnavailableError) as refused:
                await take(world, LAST_PLACEMENT)
            assert isinstance(refused.value.__cause__, StoreBusyError)
            # Looking goes on: readers do not wait for writers.
            assert (await world.play.look(KEY)).waiting == (ANN,)
        assert world.dump() == before
        await asyncio.to_thread(holder.communicate, "let go\n")
    assert holder.returncode == 0
    await take(world, LAST_PLACEMENT)
    assert len(world.ask("SELECT 1 FROM result")) == 2
    assert world.ask("SELECT COUNT(*) FROM table_log WHERE cause = ?", cause_of(LAST_PLACEMENT)) == [(1,)]
    world.check_books()
    await world.close()


async def test_a_start_on_a_disk_that_fails_at_any_call_is_refused_and_the_next_start_finds_all(tmp_path: Path) -> None:
    """The sentence that the operator reads is one of the store's, whichever call failed."""
    played = tmp_path / "played"
    played.mkdir()
    async with bench(played, upto=LAST_PLACEMENT) as at:
        left = everything(at.world.path, tmp_path / "left")
    fails_at, refusals = 0, list[str]()
    while True:
        fails_at += 1
        folder = Path(shutil.copytree(tmp_path / "left", tmp_path / "start", dirs_exist_ok=True))
        with Disk("failing") as disk:
            disk.fault = calls = Calls(fails_at, fails_at)
            try:
                database = await SqliteDatabase.open(folder / "chaipo.db", connect=connect_over(disk.name))
            except StoreError as error:
                refusals.append(str(error))
            else:
                disk.fault = None
                await database.close()
        if not calls.failed:
            break
        assert everything(folder / "chaipo.db", tmp_path / "copy") == left
        shutil.rmtree(folder)
    assert len(refusals) > 20
    assert not any("\n" in refusal for refusal in refusals)
