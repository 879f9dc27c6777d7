"""Worker processes: if one dies or never finishes, only its own computation is lost."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from bot.base.meter import Computation, Meter
from bot.model.errors import ComputationFailedError
from bot.model.ids import GuildId
from bot.play.queries.reviews import placement
from bot.play.session.workers import Job, Priority, T
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.view import view_for
from bot.pure.solver.levels import Level
from bot.workers.worker import Worker
from bot.workers.worker_pool import BOT_BYTES, LOST_IN_A_ROW, WORKER_BYTES, WorkerPool, workers_for
from tests.pure.ofc.games import opened
from tests.workers import jobs

SERVER = GuildId(1)
GIGABYTE = 2**30


class Counted(Meter):
    """Counts the thoughts."""

    def __init__(self) -> None:
        self.kinds: list[Computation] = []

    @override
    def thought(self, kind: Computation, *, seconds: float) -> None:
        self.kinds.append(kind)


@pytest.fixture
def meter() -> Counted:
    return Counted()


class Patient(WorkerPool):
    """A worker pool whose interpreters may take long to start: on a busy machine that is no loss of a worker."""

    @override
    async def think(
        self,
        job: Job[T],
        *,
        guild: GuildId,
        quickly: Job[T] | None = None,
        urgency: Priority = Priority.TABLE,
        seconds: float = 600.0,
        game: str = "",
    ) -> T:
        """Think with a longer default limit."""
        return await super().think(job, guild=guild, quickly=quickly, urgency=urgency, seconds=seconds, game=game)


@pytest.fixture
async def workers(meter: Counted) -> AsyncIterator[WorkerPool]:
    """One worker."""
    made = Patient(1, meter=meter)
    yield made
    made.close()


async def gone(process: int) -> None:
    """Wait until a process has ended."""
    await asyncio.to_thread(jobs.wait_for_end, process)


async def test_a_worker_is_started_when_it_is_needed_and_kept(workers: WorkerPool, meter: Counted) -> None:
    assert workers.running == 0
    first = await workers.think(jobs.process_id, guild=SERVER)
    assert (workers.running, first != os.getpid()) == (1, True)
    assert await workers.think(jobs.process_id, guild=SERVER) == first
    assert meter.kinds == [Computation.WHOLE] * 2


async def test_a_worker_places_what_the_same_player_would_place_here(workers: WorkerPool) -> None:
    view = view_for(opened(PINEAPPLE).hand, opened(PINEAPPLE).hand.seats[0].player)
    there = await workers.think(placement(view, Level.CLUB), guild=SERVER)
    assert there == await WorkerPool().think(placement(view, Level.CLUB), guild=SERVER)


async def test_a_job_that_raises_raises_here_and_its_worker_goes_on(workers: WorkerPool) -> None:
    process = await workers.think(jobs.process_id, guild=SERVER)
    with pytest.raises(ValueError, match="no such board"):
        await workers.think(jobs.refuses, guild=SERVER, quickly=jobs.one)
    assert await workers.think(jobs.process_id, guild=SERVER) == process


async def test_the_quick_way_takes_the_place_of_a_worker_that_dies(
    workers: WorkerPool, meter: Counted, caplog: pytest.LogCaptureFixture
) -> None:
    assert await workers.think(jobs.dies, guild=SERVER, quickly=jobs.one) == 1
    assert "a worker was lost: it died; a quick search takes its place" in caplog.text
    assert meter.kinds == [Computation.LOST, Computation.QUICK]
    assert await workers.think(jobs.process_id, guild=SERVER) != os.getpid()


async def test_the_quick_way_takes_the_place_of_a_worker_that_thinks_for_ever(
    workers: WorkerPool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = await workers.think(jobs.process_id, guild=SERVER)
    hangs = partial(jobs.hangs, file=tmp_path / "process")
    assert await workers.think(hangs, guild=SERVER, quickly=jobs.one, seconds=0.5) == 1
    assert "it was still thinking after 0.5 s" in caplog.text
    await gone(first)
    assert await workers.think(jobs.process_id, guild=SERVER) not in (first, os.getpid())


async def test_where_there_is_no_quick_way_the_asker_is_told(workers: WorkerPool) -> None:
    with pytest.raises(ComputationFailedError):
        await workers.think(jobs.dies, guild=SERVER)


async def test_after_several_lost_workers_none_is_started_for_a_while(
    workers: WorkerPool, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(LOST_IN_A_ROW):
        await workers.think(jobs.dies, guild=SERVER, quickly=jobs.one)
    assert "none is started for 60 s" in caplog.text
    assert workers.quick
    assert await workers.think(jobs.process_id, guild=SERVER, quickly=jobs.process_id) == os.getpid()
    assert workers.running == 0


async def test_a_game_that_is_too_slow_pauses_alone(
    workers: WorkerPool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(LOST_IN_A_ROW):
        hangs = partial(jobs.hangs, file=tmp_path / f"process-{number}")
        assert await workers.think(hangs, guild=SERVER, quickly=jobs.one, seconds=0.5, game="slow") == 1
        # Another game's success doesn't reset the count of the slow one.
        assert await workers.think(jobs.process_id, guild=SERVER, game="other") != os.getpid()
    assert "none is started for 60 s (slow only)" in caplog.text
    assert not workers.quick
    assert await workers.think(jobs.process_id, guild=SERVER, quickly=jobs.process_id, game="slow") == os.getpid()
    assert await workers.think(jobs.process_id, guild=SERVER, quickly=jobs.process_id, game="other") != os.getpid()


async def test_a_worker_that_died_while_nobody_asked_is_replaced(workers: WorkerPool) -> None:
    first = await workers.think(jobs.process_id, guild=SERVER)
    os.kill(first, signal.SIGKILL)
    await gone(first)
    await workers.think(jobs.one, guild=SERVER, quickly=jobs.one)
    assert await workers.think(jobs.process_id, guild=SERVER) not in (first, os.getpid())


async def test_without_workers_what_can_be_is_thought_out_quickly_and_the_rest_in_a_thread(meter: Counted) -> None:
    workers = WorkerPool(meter=meter)
    assert await workers.think(jobs.dies, guild=SERVER, quickly=jobs.one) == 1
    assert await workers.think(jobs.process_id, guild=SERVER) == os.getpid()
    assert meter.kinds == [Computation.QUICK, Computation.WHOLE]
    assert (workers.quick, workers.running) == (True, 0)


async def test_no_more_processes_think_than_there_may_be(meter: Counted) -> None:
    workers = Patient(2, meter=meter)
    found = await asyncio.gather(*(workers.think(jobs.process_id, guild=GuildId(number)) for number in range(8)))
    assert len(set(found)) == workers.running == 2
    workers.close()


async def test_a_worker_knows_no_token_and_nothing_of_discord_or_the_database(workers: WorkerPool) -> None:
    loaded = await workers.think(jobs.rooms, guild=SERVER)
    assert "bot.pure.solver.levels" in loaded
    assert not loaded & {
        "discord",
        "aiosqlite",
        "sqlite3",
        "bot.store",
        "bot.play.api.transactions",
        "bot.base.settings",
    }


@pytest.mark.skipif(not hasattr(os, "nice"), reason="this system has no niceness")
async def test_a_worker_lets_the_bot_go_first(workers: WorkerPool) -> None:
    assert await workers.think(jobs.niceness, guild=SERVER) == min(19, os.nice(0) + 10)


async def test_what_tells_the_bot_to_end_does_not_end_its_workers_before_it(workers: WorkerPool) -> None:
    process = await workers.think(jobs.interrupted, guild=SERVER)
    assert await workers.think(jobs.process_id, guild=SERVER) == process


async def test_whoever_is_not_waited_for_any_more_is_ended(workers: WorkerPool, tmp_path: Path) -> None:
    first = await workers.think(jobs.process_id, guild=SERVER)
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    thought = asyncio.create_task(workers.think(partial(jobs.hangs, file=begun), guild=SERVER))
    assert int(await asyncio.to_thread(begun.read_text)) == first
    thought.cancel()
    await asyncio.gather(thought, return_exceptions=True)
    await gone(first)


async def test_closing_ends_workers_that_think_and_workers_that_wait(tmp_path: Path) -> None:
    workers = Patient(2)
    processes = set(await asyncio.gather(*(workers.think(jobs.process_id, guild=SERVER) for _ in range(2))))
    thought = asyncio.create_task(workers.think(jobs.sleeps, guild=SERVER))
    await asyncio.sleep(0)
    workers.close()
    await asyncio.gather(*map(gone, processes))
    assert isinstance((await asyncio.gather(thought, return_exceptions=True))[0], ComputationFailedError)


@pytest.mark.parametrize("end", ["closed", "not waited for"])
async def test_what_is_ended_while_it_is_about_to_begin_does_not_begin(
    end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins, may_begin, begun = threading.Event(), threading.Event(), tmp_path / "begun"
    submit = Worker._submit  # noqa: SLF001  # Between being asked for and beginning there is no other door.

    def submit_late(worker: Worker, job: Job[Any], ends: int) -> Any:
        begins.set()
        may_begin.wait()
        return submit(worker, job, ends)

    workers = Patient(1)
    monkeypatch.setattr(Worker, "_submit", submit_late)
    thought = asyncio.create_task(workers.think(partial(jobs.tells, file=begun), guild=SERVER))
    await asyncio.to_thread(begins.wait)
    if end == "closed":
        workers.close()
        may_begin.set()
        assert isinstance((await asyncio.gather(thought, return_exceptions=True))[0], ComputationFailedError)
    else:
        thought.cancel()
        await asyncio.gather(thought, return_exceptions=True)
        may_begin.set()
    monkeypatch.undo()
    # The only worker does its jobs in order, so earlier requests would be done by now.
    assert await workers.think(jobs.one, guild=SERVER) == 1
    assert not begun.exists()
    workers.close()


ORPHANED = """
import asyncio, sys
from bot.model.ids import GuildId
from bot.workers.worker_pool import WorkerPool
from tests.workers import jobs

async def main() -> None:
    pool = WorkerPool(1)
    print(await pool.think(jobs.process_id, guild=GuildId(1), seconds=600), flush=True)
    await pool.think(jobs.sleeps, guild=GuildId(1), seconds=600)

if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_a_bot_that_is_killed(number: signal.Signals, tmp_path: Path) -> None:
    file = tmp_path / "bot_that_thinks.py"
    file.write_text(ORPHANED)
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ) as bot:
        assert bot.stdout
        worker = int(bot.stdout.readline())
        assert jobs.alive(worker)
        bot.send_signal(number)
    jobs.wait_for_end(worker)


@pytest.mark.parametrize(
    ("cores", "memory_bytes", "workers"),
    [
        (1, GIGABYTE // 2, 0),
        (1, GIGABYTE, 1),
        (1, 4 * GIGABYTE, 1),
        (2, 4 * GIGABYTE, 1),
        (4, GIGABYTE, 1),
        (4, 4 * GIGABYTE, 3),
        (64, 64 * GIGABYTE, 4),
        (8, BOT_BYTES + 2 * WORKER_BYTES, 2),
        (8, 0, 0),
    ],
)
def test_a_machine_gets_as_many_workers_as_suit_it(cores: int, memory_bytes: int, workers: int) -> None:
    assert workers_for(cores=cores, memory_bytes=memory_bytes) == workers


async def test_urgent_thoughts_come_before_those_that_can_wait() -> None:
    workers, order = WorkerPool(), list[str]()

    async def think(name: str, urgency: Priority) -> None:
        await workers.think(jobs.one, guild=SERVER, urgency=urgency)
        order.append(name)

    await asyncio.gather(think("first", Priority.TABLE), think("later", Priority.LATER), think("next", Priority.TABLE))
    assert order == ["first", "next", "later"]


async def test_what_takes_long_has_a_process_of_its_own_that_ends_with_it(workers: WorkerPool) -> None:
    usual = await workers.think(jobs.process_id, guild=SERVER)
    aside = await workers.think_aside(jobs.process_id, seconds=600)
    assert aside not in (usual, os.getpid())
    await gone(aside)
    assert await workers.think(jobs.process_id, guild=SERVER) == usual
    with pytest.raises(ValueError, match="no such board"):
        await workers.think_aside(jobs.refuses, seconds=600)


async def test_no_table_waits_for_what_takes_long(workers: WorkerPool, tmp_path: Path) -> None:
    begun = tmp_path / "process"
    long = asyncio.create_task(workers.think_aside(partial(jobs.hangs, file=begun), seconds=600))
    await asyncio.to_thread(jobs.wait_for_text, begun)
    assert await workers.think(jobs.process_id, guild=SERVER) != int(begun.read_text())
    assert not long.done()
    long.cancel()
    with pytest.raises(asyncio.CancelledError):
        await long
    await gone(int(begun.read_text()))


async def test_what_takes_too_long_aside_is_given_up_and_told(
    workers: WorkerPool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(ComputationFailedError):
        await workers.think_aside(partial(jobs.hangs, file=tmp_path / "process"), seconds=1)
    assert "a background computation was lost" in caplog.text
    with pytest.raises(ComputationFailedError):
        await workers.think_aside(jobs.dies, seconds=600)


async def test_without_workers_what_takes_long_is_done_in_a_thread() -> None:
    assert await WorkerPool().think_aside(jobs.process_id, seconds=1) == os.getpid()
