"""Promise 10: no split brain. One database has one bot; a second one is refused until the first is gone."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from bot.store import StoreBusyError
from bot.store.sqlite.database import SqliteDatabase
from tests.play.world import ANN, BOB, World

ROOT = Path(__file__).parents[2]

BOT = """
import asyncio, sys
from pathlib import Path
from bot.store import StoreError
from bot.store.sqlite.database import SqliteDatabase

async def main():
    try:
        database = await SqliteDatabase.open(Path(sys.argv[1]))
    except StoreError as error:
        print(f"refused: {error}", flush=True)
        return
    print("open", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await database.close()

asyncio.run(main())
"""


def start(path: Path) -> subprocess.Popen[str]:
    """A process that opens the database and keeps it until it reads a line."""
    command = [sys.executable, "-c", BOT, str(path)]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def first_line(process: subprocess.Popen[str]) -> str:
    """Return the first line of a process's output."""
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.mark.of_sqlite
async def test_promise_10_a_second_process_is_refused_and_starts_when_the_first_is_gone(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    key = await world.started(ANN, BOB)
    await world.close()
    for killed in (True, False):
        with start(world.path) as first:
            assert await asyncio.to_thread(first_line, first) == "open\n"
            with start(world.path) as second:
                said = await asyncio.to_thread(first_line, second)
                assert "refused" in said
                assert "is open in another running bot. Stop that one first" in said
            with pytest.raises(StoreBusyError):
                await SqliteDatabase.open(world.path)
            # The refusal took nothing away from the running process.
            with start(world.path) as third:
                assert "refused" in await asyncio.to_thread(first_line, third)
            if killed:
                first.kill()
            else:
                await asyncio.to_thread(first.communicate, "stop\n")
        with start(world.path) as next_one:
            assert await asyncio.to_thread(first_line, next_one) == "open\n"
            await asyncio.to_thread(next_one.communicate, "stop\n")
    await world.open()
    await world.play_hand(key)
    world.check_books()
    await world.close()


async def test_promise_10_of_many_that_start_at_once_one_runs(tmp_path: Path) -> None:
    processes = [start(tmp_path / "chaipo.db") for _ in range(4)]
    said = await asyncio.gather(*(asyncio.to_thread(first_line, process) for process in processes))
    for process in processes:
        await asyncio.to_thread(process.communicate, "stop\n")
    assert sorted(line.split(":")[0].strip() for line in said) == ["open", "refused", "refused", "refused"]
