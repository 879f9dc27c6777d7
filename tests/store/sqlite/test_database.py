"""The database: acknowledged data is on the disk, and other callers' errors don't interfere."""
# ruff: noqa: ASYNC240  # Nobody else runs on a test's loop.

import asyncio
import gc
import inspect
import logging
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

import bot
from bot.store import StoreBusyError, StoreError, StoreFatalError, StoreFullError, StoreUnavailableError
from bot.store.sqlite.copy_mark import APPLICATION_ID
from bot.store.sqlite.database import BATCH, READERS, SqliteDatabase

PATIENCE = 600
"""Timeout in seconds for tests that wait. It's never reached if all is well."""

SCHEMA = """
CREATE TABLE account (
    name TEXT PRIMARY KEY,
    chips INTEGER NOT NULL CONSTRAINT account_never_negative CHECK (chips >= 0)
) STRICT;
CREATE TABLE transfer (
    id INTEGER PRIMARY KEY,
    payer TEXT NOT NULL REFERENCES account (name),
    payee TEXT NOT NULL REFERENCES account (name),
    chips INTEGER NOT NULL
) STRICT;
CREATE TABLE promise (owner TEXT REFERENCES account (name) DEFERRABLE INITIALLY DEFERRED) STRICT;
CREATE TABLE page (number INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT;
CREATE TRIGGER transfers_of_nothing BEFORE INSERT ON transfer WHEN NEW.chips = 0 BEGIN
    SELECT RAISE(ROLLBACK, 'a transfer of nothing');
END;
INSERT INTO account VALUES ('ann', 1000000), ('bob', 1000000);
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The database's file, in a folder that is not there yet."""
    return tmp_path / "var" / "chaipo.db"


@pytest.fixture
def migrations(tmp_path: Path) -> Path:
    """A small schema, with the invariants of the real one."""
    folder = tmp_path / "migrations"
    folder.mkdir()
    (folder / "0001_first.sql").write_text(SCHEMA, encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE)
        assert not thread.is_alive(), thread


Open = Callable[..., AbstractAsyncContextManager[SqliteDatabase]]


@pytest.fixture
def opened(path: Path, migrations: Path) -> Open:
    """Open the database for a ``with`` block."""

    @asynccontextmanager
    async def opened(**options: Any) -> AsyncIterator[SqliteDatabase]:
        database = await SqliteDatabase.open(path, migrations=migrations, **options)
        try:
            yield database
        finally:
            await database.close()

    return opened


@contextmanager
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file by another connection, like another program. It doesn't wait for locks."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=0)
    try:
        yield connection
    finally:
        connection.close()


def pay(connection: sqlite3.Connection, number: int | None = None, *, chips: int = 1) -> int:
    """Move chips from ann to bob, in three statements; returns the transfer's number."""
    connection.execute("UPDATE account SET chips = chips - ? WHERE name = 'ann'", (chips,))
    added = connection.execute("INSERT INTO transfer VALUES (?, 'ann', 'bob', ?)", (number, chips))
    connection.execute("UPDATE account SET chips = chips + ? WHERE name = 'bob'", (chips,))
    assert added.lastrowid is not None
    return added.lastrowid


def transfers(connection: sqlite3.Connection) -> set[int]:
    """The numbers of all transfers; first checks that balances and transfers agree."""
    chips = dict(connection.execute("SELECT name, chips FROM account").fetchall())
    rows = connection.execute("SELECT id, chips FROM transfer").fetchall()
    moved = sum(row[1] for row in rows)
    assert chips == {"ann": 1_000_000 - moved, "bob": 1_000_000 + moved}
    return {row[0] for row in rows}


class Gate:
    """A job that waits on the writer's thread until it is let go, so that others gather behind it."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.leave = threading.Event()

    def __call__(self, connection: sqlite3.Connection) -> None:
        self.entered.set()
        assert self.leave.wait(PATIENCE)

    async def wait(self) -> None:
        """Return when the job is running."""
        assert await asyncio.to_thread(self.entered.wait, PATIENCE)


async def behind_gate(database: SqliteDatabase, *jobs: Callable[[sqlite3.Connection], Any]) -> list[Any]:
    """Let all jobs wait at the same time, then run; returns results and errors."""
    gate = Gate()
    first = asyncio.create_task(database.write(gate))
    await gate.wait()
    waiting = [asyncio.create_task(database.write(job)) for job in jobs]
    await asyncio.sleep(0)
    gate.leave.set()
    await first
    return await asyncio.gather(*waiting, return_exceptions=True)


# writing


async def test_a_write_returns_what_its_job_returns(opened: Open) -> None:
    async with opened() as database:
        assert await database.write(partial(pay, number=7)) == 7
        assert await database.read(transfers) == {7}


async def test_what_is_written_is_there_after_a_restart(opened: Open) -> None:
    async with opened() as database:
        await database.write(partial(pay, number=7))
    async with opened() as database:
        assert await database.read(transfers) == {7}


async def test_other_programs_see_a_write_that_was_acknowledged(opened: Open, path: Path) -> None:
    async with opened() as database:
        await database.write(partial(pay, number=7))
        with raw(path) as other:
            assert transfers(other) == {7}


async def test_the_connection_is_set_up_for_safety(opened: Open) -> None:
    def settings(connection: sqlite3.Connection) -> dict[str, Any]:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "temp_store", "application_id")
        return {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names}

    async with opened() as database:
        assert await database.write(settings) == {
            "journal_mode": "wal",
            "synchronous": 2,
            "foreign_keys": 1,
            "busy_timeout": 5000,
            "temp_store": 2,
            "application_id": APPLICATION_ID,
        }


async def test_rows_have_names(opened: Open) -> None:
    def ann(connection: sqlite3.Connection) -> int:
        row = connection.execute("SELECT name, chips FROM account WHERE name = 'ann'").fetchone()
        return int(row["chips"])

    async with opened() as database:
        assert await database.write(ann) == await database.read(ann) == 1_000_000


async def test_sixty_four_writers_share_one_commit(opened: Open) -> None:
    points: list[str] = []
    async with opened(trace=points.append) as database:
        numbers = await behind_gate(database, *[pay] * 64)
        assert sorted(numbers) == list(range(1, 65))
        assert await database.read(transfers) == set(numbers)
    alone = ["begin", "job", "before_commit", "after_commit", "resolved"]
    assert points == [*alone, "begin", *["job"] * 64, "before_commit", "after_commit", "resolved"]


async def test_who_is_patient_shares_the_commit_of_who_comes_next(opened: Open) -> None:
    points: list[str] = []
    async with opened(trace=points.append, patience_seconds=PATIENCE) as database:
        patient = [asyncio.create_task(database.write(pay, patient=True)) for _ in range(3)]
        await asyncio.sleep(0)
        assert points == []
        await database.write(pay)
        assert sorted(await asyncio.gather(*patient)) == [1, 2, 3]
    assert points.count("after_commit") == 1


async def test_who_is_patient_waits_for_the_next_commit_and_not_for_a_second_one(opened: Open) -> None:
    points: list[str] = []
    async with opened(trace=points.append, patience_seconds=PATIENCE) as database:
        gate = Gate()
        first = asyncio.create_task(database.write(gate))
        await gate.wait()
        patient = asyncio.create_task(database.write(pay, patient=True))
        await asyncio.sleep(0)
        gate.leave.set()
        await first
        await database.write(pay)
        await patient
    assert points.count("after_commit") == 2


async def test_patience_ends(opened: Open) -> None:
    async with opened(patience_seconds=0.01) as database:
        assert await database.write(partial(pay, number=7), patient=True) == 7


async def test_who_is_patient_is_written_before_the_database_is_closed(opened: Open) -> None:
    async with opened(patience_seconds=PATIENCE) as database:
        patient = asyncio.create_task(database.write(partial(pay, number=7), patient=True))
        await asyncio.sleep(0)
    assert await patient == 7
    async with opened() as database:
        assert await database.read(transfers) == {7}


async def test_callers_are_answered_on_their_loop(opened: Open) -> None:
    threads: dict[str, bool] = {}

    def note(point: str) -> None:
        threads[point] = threading.current_thread() is threading.main_thread()

    async with opened(trace=note) as database:
        await database.write(pay)
    assert threads == {
        "begin": False,
        "job": False,
        "before_commit": False,
        "after_commit": False,
        "resolved": True,
    }


async def test_a_commit_has_a_bound(opened: Open) -> None:
    points: list[str] = []
    async with opened(trace=points.append) as database:
        await behind_gate(database, *[pay] * (2 * BATCH + 1))
        assert points.count("after_commit") == 1 + 3
        assert len(await database.read(transfers)) == 2 * BATCH + 1


async def test_jobs_run_in_the_order_in_which_they_came(opened: Open) -> None:
    async with opened() as database:
        assert await behind_gate(database, *[pay] * 300) == list(range(1, 301))


async def test_a_failed_job_rolls_back_alone(opened: Open) -> None:
    def fail(connection: sqlite3.Connection) -> None:
        pay(connection, 99)
        raise LookupError("no such player")

    points: list[str] = []
    async with opened(trace=points.append) as database:
        results = await behind_gate(database, partial(pay, number=1), fail, partial(pay, number=2), fail)
        assert [type(result) for result in results] == [int, LookupError, int, LookupError]
        assert await database.read(transfers) == {1, 2}
    assert points.count("after_commit") == 2


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("INSERT INTO transfer VALUES (1, 'ann', 'bob', 1)", sqlite3.IntegrityError),
        ("INSERT INTO transfer VALUES (2, 'ann', 'eve', 1)", sqlite3.IntegrityError),
        ("UPDATE account SET chips = -1", sqlite3.IntegrityError),
        ("SELECT nothing FROM nowhere", sqlite3.OperationalError),
        ("SELECT ?", sqlite3.ProgrammingError),
    ],
)
async def test_what_a_statement_did_wrong_is_raised_as_it_is(
    opened: Open, statement: str, error: type[Exception]
) -> None:
    async with opened() as database:
        await database.write(partial(pay, number=1))
        with pytest.raises(error):
            await database.write(lambda connection: connection.execute(statement).fetchall())
        assert await database.read(transfers) == {1}


async def test_a_refusal_is_answered_only_after_the_commit_that_it_saw(opened: Open) -> None:
    def refuse(connection: sqlite3.Connection) -> None:
        raise LookupError("already paid")

    def promise_nothing(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO promise VALUES ('eve')")

    async with opened() as database:
        results = await behind_gate(database, pay, refuse, promise_nothing)
        assert [type(result) for result in results] == [StoreUnavailableError] * 3


@pytest.mark.parametrize("kind", ["write", "read"])
async def test_a_job_that_raises_stop_iteration_gets_its_answer(opened: Open, kind: str) -> None:
    def first_of_none(connection: sqlite3.Connection) -> Any:
        return next(connection.execute("SELECT 1 WHERE 0"))

    async with opened() as database:
        with pytest.raises(RuntimeError, match="StopIteration"):
            await getattr(database, kind)(first_of_none)
        assert await database.write(pay) == 1


async def test_an_error_does_not_keep_its_job_alive(opened: Open) -> None:
    class Held:
        pass

    def fail(connection: sqlite3.Connection) -> None:
        alive.append(held := Held())
        raise LookupError(held)

    alive: list[Held] = []
    async with opened() as database:
        gc.disable()
        try:
            with pytest.raises(LookupError):
                await database.write(fail)
            await database.write(pay)
            holders = [holder for holder in gc.get_referrers(alive[0]) if holder is not alive]
        finally:
            gc.enable()
        assert holders == []


async def test_no_task_waits_when_nothing_is_to_be_written(opened: Open) -> None:
    async with opened() as database:
        for _ in range(3):
            await asyncio.gather(*(database.write(pay) for _ in range(5)))
            async with asyncio.timeout(PATIENCE):
                while asyncio.all_tasks() != {asyncio.current_task()}:  # noqa: ASYNC110  # No event tells of it.
                    await asyncio.sleep(0)


# trouble


async def test_a_lock_of_another_program_fails_all_who_wait_and_then_passes(opened: Open, path: Path) -> None:
    async with opened(busy_seconds=0.01) as database:
        with raw(path) as other:
            other.execute("BEGIN IMMEDIATE")
            results = await asyncio.gather(*(database.write(pay) for _ in range(10)), return_exceptions=True)
            assert [type(result) for result in results] == [StoreBusyError] * 10
            assert str(results[0]) == f"{path} is locked by another program. Close that program"
            assert isinstance(results[0], StoreBusyError)
            assert isinstance(results[0].__cause__, sqlite3.OperationalError)
            assert await database.read(transfers) == set()
        assert await database.write(pay) == 1
        assert await database.read(transfers) == {1}


async def test_each_who_fails_gets_an_error_of_his_own(opened: Open, path: Path) -> None:
    async with opened(busy_seconds=0.01) as database:
        with raw(path) as other:
            other.execute("BEGIN IMMEDIATE")
            results = await asyncio.gather(*(database.write(pay) for _ in range(10)), return_exceptions=True)
        assert len({id(result) for result in results}) == 10


async def test_a_failed_commit_fails_all_who_wait_and_the_next_write_works(opened: Open) -> None:
    def promise_nothing(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO promise VALUES ('eve')")

    async with opened() as database:
        results = await behind_gate(database, pay, promise_nothing, pay)
        assert [type(result) for result in results] == [StoreUnavailableError] * 3
        assert "FOREIGN KEY constraint failed" in str(results[0])
        assert await database.read(transfers) == set()
        assert await database.write(pay) == 1


def fill(connection: sqlite3.Connection) -> None:
    """Write more than the disk of these tests holds."""
    connection.execute("INSERT INTO page (content) VALUES (zeroblob(1000000))")


def set_room(connection: sqlite3.Connection, *, pages: int) -> None:
    """Make the disk as large as the database and ``pages`` more."""
    used = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {used + pages}")


async def test_a_full_disk_fails_all_who_wait_and_writes_go_on_when_there_is_room(opened: Open) -> None:
    async with opened() as database:
        await database.write(pay)
        await database.write(partial(set_room, pages=1))
        results = await behind_gate(database, pay, fill, pay)
        assert {type(result) for result in results} <= {StoreFullError, int}
        assert isinstance(results[1], StoreFullError)
        assert "Free some space on its disk" in str(results[1])
        done = {result for result in results if isinstance(result, int)}
        assert await database.read(transfers) == {1} | done
        await database.write(partial(set_room, pages=1000))
        await database.write(fill)


async def test_a_disk_that_fills_up_loses_nothing_that_was_acknowledged(opened: Open) -> None:
    def pay_with_note(connection: sqlite3.Connection) -> int:
        connection.execute("INSERT INTO page (content) VALUES (zeroblob(5000))")
        return pay(connection)

    async with opened() as database:
        await database.write(partial(set_room, pages=50))
        results = await behind_gate(database, *[pay_with_note] * 600)
        done = {result for result in results if isinstance(result, int)}
        assert {type(result) for result in results} == {int, StoreFullError} or not done
        assert await database.read(transfers) == done


async def test_a_job_that_takes_the_whole_transaction_with_it_fails_all_who_wait(opened: Open) -> None:
    async with opened() as database:
        results = await behind_gate(database, pay, partial(pay, chips=0), pay)
        assert [type(result) for result in results] == [StoreUnavailableError] * 3
        assert "a transfer of nothing" in str(results[0])
        assert await database.read(transfers) == set()
        assert await database.write(pay) == 1


@pytest.mark.parametrize("word", ["COMMIT", "ROLLBACK"])
async def test_a_job_that_ends_the_transaction_is_told_so(opened: Open, word: str) -> None:
    async with opened() as database:
        with pytest.raises(StoreUnavailableError, match="a job ended the transaction"):
            await database.write(lambda connection: connection.execute(word) and None)
        assert await database.write(pay) == 1


async def test_a_failing_disk_ends_all_writing(opened: Open, path: Path) -> None:
    resource = pytest.importorskip("resource", reason="only POSIX limits the size of files")
    fatal: list[StoreUnavailableError] = []
    async with opened(on_fatal=fatal.append) as database:
        await database.write(pay)
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.with_name("chaipo.db-wal").stat().st_size, limits[1]))
        try:
            results = await behind_gate(database, fill, pay)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert [type(result) for result in results] == [StoreFatalError] * 2
        assert [str(trouble) for trouble in fatal] == [str(results[0])]
        assert "Check the disk, then try again" in str(results[0])
        with pytest.raises(StoreUnavailableError, match="Check the disk"):
            await database.write(pay)
        assert await database.read(transfers) == {1}
        assert len(fatal) == 1
    async with opened() as database:
        assert await database.write(pay) == 2


async def test_damage_that_shows_while_reading_ends_all_writing(
    opened: Open, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened() as database:
        await database.write(fill)
    async with opened() as database:
        with path.open("r+b") as file:
            file.seek(8 * 4096)
            file.write(b"\xff" * (path.stat().st_size - 12 * 4096))
        for _ in range(2):
            with pytest.raises(StoreFatalError, match="is damaged or not a database"):
                await database.read(lambda connection: connection.execute("SELECT max(content) FROM page").fetchall())
        with pytest.raises(StoreUnavailableError, match="is damaged"):
            await database.write(pay)
    assert [record.levelname for record in caplog.records] == ["CRITICAL"]


async def test_those_who_wait_when_the_disk_fails_get_their_answer(opened: Open) -> None:
    def fail(connection: sqlite3.Connection) -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
        raise error

    fatal: list[StoreUnavailableError] = []
    async with opened(on_fatal=fatal.append) as database:
        results = await behind_gate(database, *[pay] * BATCH, fail, *[pay] * BATCH)
        assert [type(result) for result in results] == [int] * BATCH + [StoreFatalError] * (BATCH + 1)
        assert len(await database.read(transfers)) == BATCH
        assert len(fatal) == 1


@pytest.mark.parametrize("point", ["begin", "job", "before_commit", "after_commit"])
async def test_a_fault_at_any_point_is_answered_and_passes(opened: Open, point: str) -> None:
    def fail_once(here: str) -> None:
        if here == point and not failed:
            failed.append(here)
            raise OSError("a fault")

    failed: list[str] = []
    async with opened(trace=fail_once) as database:
        with pytest.raises(StoreUnavailableError, match="a fault"):
            await database.write(pay)
        # After the commit the answer is lost, not the transfer: a caller must be able to ask twice.
        before = 1 if point == "after_commit" else 0
        assert await database.write(pay) == before + 1


# cancellation


async def test_cancelled_writers_leave_no_transaction_open(opened: Open, path: Path) -> None:
    chance = random.Random(1)
    acknowledged: set[int] = set()

    async def writer(database: SqliteDatabase, number: int) -> None:
        acknowledged.add(await database.write(partial(pay, number=number)))

    async with opened() as database:
        tasks = []
        for number in range(300):
            tasks.append(asyncio.create_task(writer(database, number)))
            if chance.random() < 0.3:
                await asyncio.sleep(chance.choice([0, 0, 0.001]))
            if chance.random() < 0.7:
                chance.choice(tasks).cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert {type(result) for result in results} == {type(None), asyncio.CancelledError}
        await database.write(partial(pay, number=1000))
        assert acknowledged <= await database.read(transfers)
        with raw(path) as other:
            other.execute("BEGIN IMMEDIATE")
            assert acknowledged <= transfers(other)


async def test_a_job_that_has_not_started_is_dropped_with_its_caller(opened: Open) -> None:
    async with opened() as database:
        gate = Gate()
        first = asyncio.create_task(database.write(gate))
        await gate.wait()
        waiting = [asyncio.create_task(database.write(partial(pay, number=number))) for number in range(10)]
        await asyncio.sleep(0)
        for task in waiting[::2]:
            task.cancel()
        gate.leave.set()
        await first
        await asyncio.gather(*waiting, return_exceptions=True)
        assert await database.read(transfers) == {1, 3, 5, 7, 9}


async def test_a_job_that_has_started_is_done_though_its_caller_is_gone(opened: Open) -> None:
    def slow_pay(connection: sqlite3.Connection) -> None:
        gate(connection)
        pay(connection, 7)

    async with opened() as database:
        gate = Gate()
        task = asyncio.create_task(database.write(slow_pay))
        await gate.wait()
        task.cancel()
        gate.leave.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await database.write(pay) == 8


async def test_a_cancelled_read_leaves_its_reader_usable(opened: Open) -> None:
    async with opened() as database:
        gates = [Gate() for _ in range(READERS)]
        tasks = [asyncio.create_task(database.read(gate)) for gate in gates]
        for gate, task in zip(gates, tasks, strict=True):
            await gate.wait()
            task.cancel()
            gate.leave.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        await database.write(pay)
        for _ in range(2 * READERS):
            assert await database.read(transfers) == {1}


# reading


async def test_readers_are_not_held_up_by_the_writer_and_see_only_what_is_committed(opened: Open) -> None:
    def slow_pay(connection: sqlite3.Connection) -> None:
        pay(connection)
        gate(connection)

    async with opened() as database:
        gate = Gate()
        write = asyncio.create_task(database.write(slow_pay))
        await gate.wait()
        assert await database.read(transfers) == set()
        gate.leave.set()
        await write
        assert await database.read(transfers) == {1}


async def test_a_read_sees_one_snapshot_from_its_first_look_to_its_last(opened: Open) -> None:
    def look_twice(connection: sqlite3.Connection) -> tuple[set[int], set[int]]:
        first = transfers(connection)
        gate(connection)
        return first, transfers(connection)

    async with opened() as database:
        gate = Gate()
        read = asyncio.create_task(database.read(look_twice))
        await gate.wait()
        await database.write(pay)
        gate.leave.set()
        assert await read == (set(), set())
        assert await database.read(transfers) == {1}


async def test_reads_are_spread_over_the_readers(opened: Open) -> None:
    meeting = threading.Barrier(READERS)
    async with opened() as database:
        for _ in range(3):
            await asyncio.gather(*(database.read(lambda _: meeting.wait(PATIENCE)) for _ in range(READERS)))


async def test_a_read_cannot_write(opened: Open) -> None:
    async with opened() as database:
        with pytest.raises(StoreUnavailableError, match="attempt to write a readonly database"):
            await database.read(pay)
        assert await database.read(transfers) == set()


async def test_what_a_read_did_wrong_is_raised_as_it_is(opened: Open) -> None:
    async with opened() as database:
        with pytest.raises(sqlite3.OperationalError, match="no such table"):
            await database.read(lambda connection: connection.execute("SELECT * FROM nowhere"))
        with pytest.raises(LookupError):
            await database.read(lambda connection: connection.execute("SELECT 1").fetchone()["x"])
        assert await database.read(transfers) == set()


# closing


async def test_closing_waits_for_what_is_to_be_written(opened: Open) -> None:
    async with opened() as database:
        writes = [asyncio.create_task(database.write(pay)) for _ in range(2 * BATCH)]
        read = asyncio.create_task(database.read(lambda _: "read"))
        await asyncio.sleep(0)
        await database.close()
        assert await asyncio.gather(*writes) == list(range(1, 2 * BATCH + 1))
        assert await read == "read"


async def test_closing_tidies_the_folder_up(opened: Open, path: Path) -> None:
    async with opened() as database:
        await database.write(pay)
    assert {file.name for file in path.parent.iterdir()} == {"chaipo.db", "chaipo.db.lock"}


async def test_closing_twice_is_closing_once(opened: Open) -> None:
    async with opened() as database:
        await asyncio.gather(database.close(), database.close())
        await database.close()


async def test_closing_goes_on_though_its_caller_is_cancelled(opened: Open) -> None:
    async with opened() as database:
        gate = Gate()
        write = asyncio.create_task(database.write(gate))
        await gate.wait()
        close = asyncio.create_task(database.close())
        await asyncio.sleep(0)
        close.cancel()
        gate.leave.set()
        await write
        with pytest.raises(asyncio.CancelledError):
            await close
        await database.close()
    async with opened() as database:
        assert await database.write(pay) == 1


@pytest.mark.parametrize("kind", ["write", "read"])
async def test_a_closed_database_says_so(opened: Open, kind: str) -> None:
    async with opened() as database:
        await database.close()
        with pytest.raises(StoreUnavailableError, match="is closed"):
            await getattr(database, kind)(transfers)


async def test_another_program_may_look_while_we_close(opened: Open, path: Path) -> None:
    async with opened() as database:
        await database.write(pay)
        with raw(path) as other:
            other.execute("BEGIN")
            assert transfers(other) == {1}
            await database.close()
            assert transfers(other) == {1}


# opening


async def refusal(path: Path, migrations: Path) -> str:
    """The one line that the operator reads."""
    with pytest.raises(StoreError) as refused:
        await SqliteDatabase.open(path, migrations=migrations, busy_seconds=0.01)
    text = str(refused.value)
    assert "\n" not in text
    assert path.name in text
    return text


async def test_two_bots_never_open_one_database(opened: Open, path: Path, migrations: Path) -> None:
    async with opened() as database:
        assert await refusal(path, migrations) == f"{path} is open in another running bot. Stop that one first"
        await database.write(pay)
    async with opened() as database:
        assert await database.read(transfers) == {1}


@pytest.mark.skipif(os.name != "posix", reason="Windows lets few users make links")
async def test_another_name_of_the_file_is_the_same_database(opened: Open, path: Path, migrations: Path) -> None:
    async with opened():
        link = path.with_name("link.db")
        link.symlink_to(path)
        with pytest.raises(StoreBusyError, match="is open in another running bot"):
            await SqliteDatabase.open(link, migrations=migrations)


async def test_a_refused_opening_holds_nothing(path: Path, migrations: Path) -> None:
    for _ in range(2):
        with pytest.raises(StoreError, match="contains no migrations"):
            await SqliteDatabase.open(path, migrations=migrations / "none")
    database = await SqliteDatabase.open(path, migrations=migrations)
    await database.close()


async def test_the_database_of_another_program_is_refused_and_left_alone(tmp_path: Path, migrations: Path) -> None:
    path = tmp_path / "other.db"
    for setting in ("CREATE TABLE t (x)", "PRAGMA application_id = 7", "PRAGMA user_version = 7"):
        path.unlink(missing_ok=True)
        with raw(path) as other:
            other.execute(setting)
        before = path.read_bytes()
        assert "belongs to another program. Name another path" in await refusal(path, migrations)
        assert path.read_bytes() == before


async def test_an_empty_file_is_a_new_database(path: Path, migrations: Path) -> None:
    path.parent.mkdir()
    path.touch()
    database = await SqliteDatabase.open(path, migrations=migrations)
    await database.write(pay)
    await database.close()


@pytest.mark.parametrize("content", [b"hello\n", b"\0" * 4096, b"SQLite format 3\0", random.Random(1).randbytes(9000)])
async def test_a_file_that_is_no_database_is_refused_and_left_alone(
    tmp_path: Path, migrations: Path, content: bytes
) -> None:
    path = tmp_path / "notes.db"
    path.write_bytes(content)
    text = await refusal(path, migrations)
    assert "or move the file away to start with an empty one" in text
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[: len(content) // 2],
        lambda content: content[:-4096],
        lambda content: content[:4096] + b"\xff" * 4096 + content[8192:],
        lambda content: content[:100] + b"\xff" * 3000 + content[3100:],
        lambda content: content[: 3 * 4096] + random.Random(1).randbytes(len(content) - 3 * 4096),
    ],
)
async def test_a_damaged_database_is_refused(
    opened: Open, path: Path, migrations: Path, damage: Callable[[bytes], bytes]
) -> None:
    async with opened() as database:
        await behind_gate(database, *[pay] * 200, fill)
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)
    assert "or move the file away to start with an empty one" in await refusal(path, migrations)
    assert path.read_bytes() == damaged


async def test_a_database_of_a_newer_bot_is_refused(opened: Open, path: Path, migrations: Path) -> None:
    async with opened() as database:
        await database.write(pay)
    with raw(path) as other:
        other.execute("PRAGMA user_version = 9")
    text = await refusal(path, migrations)
    assert "was written by a newer version of the bot (schema 9, this one knows 1)" in text


@pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
async def test_a_database_that_another_program_locks_is_refused(
    opened: Open, path: Path, migrations: Path, lock: str
) -> None:
    async with opened():
        pass
    with raw(path) as other:
        other.execute(f"BEGIN {lock}")
        assert await refusal(path, migrations) == f"{path} is locked by another program. Close that program"


async def test_a_folder_is_no_database(tmp_path: Path, migrations: Path) -> None:
    assert "is a folder. Name a file in it" in await refusal(tmp_path, migrations)


async def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path, migrations: Path) -> None:
    (tmp_path / "file").touch()
    text = await refusal(tmp_path / "file" / "chaipo.db", migrations)
    assert "Create it, or name another path for the database" in text


async def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path, migrations: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    if os.access(folder, os.W_OK):
        pytest.skip("this user may write everywhere")
    assert "give the bot's user permission to write in that folder" in await refusal(folder / "chaipo.db", migrations)


async def test_a_file_that_cannot_be_written_is_refused(opened: Open, path: Path, migrations: Path) -> None:
    async with opened():
        pass
    path.chmod(0o400)
    if os.access(path, os.W_OK):
        pytest.skip("this user may write everything")
    assert "give the bot's user permission to write the file" in await refusal(path, migrations)


async def test_a_file_that_sqlite_cannot_open_is_refused(tmp_path: Path, migrations: Path) -> None:
    # SQLite knows no longer paths than 512 bytes.
    path = tmp_path.joinpath(*["deep" * 30] * 5, "chaipo.db")
    assert "give the bot's user permission to write the file" in await refusal(path, migrations)


@pytest.mark.parametrize("name", ["notes.db", "/".join(["deep" * 30] * 5)])
def test_a_refusal_leaves_nothing_that_the_end_of_the_loop_could_break(
    tmp_path: Path, migrations: Path, name: str
) -> None:
    (tmp_path / "notes.db").write_text("hello", encoding="utf-8")
    for _ in range(20):
        with pytest.raises(StoreError):
            asyncio.run(SqliteDatabase.open(tmp_path / name, migrations=migrations))


async def test_a_lock_file_that_cannot_be_made_is_refused(path: Path, migrations: Path) -> None:
    path.with_name("chaipo.db.lock").mkdir(parents=True)
    assert "give the bot's user permission to write in that folder" in await refusal(path, migrations)


async def test_an_old_sqlite_is_refused(path: Path, migrations: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 0))
    with pytest.raises(StoreError, match=r"but the bot needs 3\.37\.0\. Install a newer Python"):
        await SqliteDatabase.open(path, migrations=migrations)


async def test_a_failed_migration_is_refused_and_can_be_mended(path: Path, migrations: Path) -> None:
    (migrations / "0002_second.sql").write_text("not SQL;", encoding="utf-8")
    assert "0002_second.sql" in await refusal(path, migrations)
    (migrations / "0002_second.sql").write_text("DROP TABLE promise;", encoding="utf-8")
    database = await SqliteDatabase.open(path, migrations=migrations)
    await database.close()


# aiosqlite


async def test_aiosqlite_still_has_the_two_private_doors_that_we_use(opened: Open) -> None:
    assert inspect.iscoroutinefunction(getattr(aiosqlite.Connection, "_execute", None))
    async with opened() as database:
        for kind in (database.write, database.read):
            thread = await kind(lambda _: threading.current_thread())
            assert thread is not threading.main_thread()
            assert thread.daemon


async def test_secrets_in_a_job_are_not_logged(opened: Open, caplog: pytest.LogCaptureFixture) -> None:
    def keep(connection: sqlite3.Connection, seed: str) -> str:
        return f"{connection.execute('SELECT ?', (seed,)).fetchone()[0]}!"

    caplog.set_level(logging.DEBUG)
    async with opened() as database:
        assert await database.write(partial(keep, seed="secret-seed")) == "secret-seed!"
        assert await database.read(partial(keep, seed="secret-seed")) == "secret-seed!"
    assert "executing" in caplog.text
    assert "secret-seed" not in caplog.text


# crashes

CHILD = """
import asyncio, os, signal, sys
from functools import partial
from pathlib import Path
from bot.store.sqlite.database import SqliteDatabase

path, migrations, point, count = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])

def trace(here):
    global count
    count -= here == point
    if count == 0:
        os.kill(os.getpid(), signal.SIGKILL)

def pay(connection, number):
    connection.execute("UPDATE account SET chips = chips - 1 WHERE name = 'ann'")
    connection.execute("INSERT INTO transfer VALUES (?, 'ann', 'bob', 1)", (number,))
    connection.execute("UPDATE account SET chips = chips + 1 WHERE name = 'bob'")
    return number

async def writer(database, first):
    for number in range(first, 10**9, 8):
        os.write(1, b"%d\\n" % await database.write(partial(pay, number=number)))

async def main():
    database = await SqliteDatabase.open(path, migrations=migrations, trace=trace)
    if point == "start":
        raise SystemExit(3)
    await asyncio.gather(*(writer(database, first) for first in range(8)))

asyncio.run(main())
"""


def child(path: Path, migrations: Path, point: str, count: int) -> subprocess.Popen[bytes]:
    """Start a process with eight writers that kills itself when it comes to ``point`` for the ``count``-th time."""
    root = Path(bot.__file__).parent.parent
    command = [sys.executable, "-c", CHILD, str(path), str(migrations), point, str(count)]
    return subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE)


@pytest.mark.skipif(os.name != "posix", reason="the process kills itself by a signal")
@pytest.mark.parametrize(
    ("point", "count"),
    [("begin", 20), ("job", 100), ("job", 101), ("before_commit", 20), ("after_commit", 20), ("resolved", 20)],
)
async def test_what_was_acknowledged_outlives_a_kill_and_nothing_is_half_written(
    opened: Open, path: Path, migrations: Path, point: str, count: int
) -> None:
    process = child(path, migrations, point, count)
    output = (await asyncio.to_thread(process.communicate, timeout=PATIENCE))[0]
    assert process.returncode == -signal.SIGKILL
    acknowledged = {int(line) for line in output.split()}
    assert acknowledged
    async with opened() as database:
        written = await database.read(transfers)
        assert acknowledged <= written
        # Eight writers: at most one unacknowledged commit each.
        assert len(written - acknowledged) <= 8
        assert await database.write(pay) > 0


@pytest.mark.skipif(os.name != "posix", reason="the process is killed by a signal")
async def test_a_killed_bot_does_not_keep_the_next_one_out(opened: Open, path: Path, migrations: Path) -> None:
    process = child(path, migrations, "never", -1)
    assert process.stdout is not None
    await asyncio.to_thread(process.stdout.readline)
    assert "is open in another running bot" in await refusal(path, migrations)
    process.kill()
    output = (await asyncio.to_thread(process.communicate, timeout=PATIENCE))[0]
    async with opened() as database:
        # The kill may have cut the last line short.
        assert {int(line) for line in output.split(b"\n")[:-1]} <= await database.read(transfers)


async def test_a_process_that_fails_before_it_closes_the_database_ends(path: Path, migrations: Path) -> None:
    process = child(path, migrations, "start", -1)
    await asyncio.to_thread(process.communicate, timeout=PATIENCE)
    assert process.returncode == 3


# file permissions


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")
async def test_only_its_owner_may_read_what_the_bot_makes(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        database = await SqliteDatabase.open(tmp_path / "chaipo.db")
        await database.write(lambda sql: sql.execute("INSERT INTO heartbeat (one, alive_at) VALUES (1, 1)"))
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
        await database.close()
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("chaipo.db", "chaipo.db-wal", "chaipo.db-shm", "chaipo.db.lock"), 0o600)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")
async def test_a_database_that_others_were_let_read_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "chaipo.db"
    await (await SqliteDatabase.open(path)).close()
    path.chmod(0o640)
    await (await SqliteDatabase.open(path)).close()
    assert path.stat().st_mode & 0o777 == 0o640


async def test_names_that_are_no_text_are_told_as_damage(tmp_path: Path) -> None:
    path = tmp_path / "chaipo.db"
    await (await SqliteDatabase.open(path)).close()
    content = path.read_bytes()
    at = content.index(b"CREATE TABLE result")
    path.write_bytes(content[:at] + b"CREATE \xff\xfe\xfd" + content[at + 10 :])
    with pytest.raises(StoreFatalError, match="is damaged or not a database"):
        await SqliteDatabase.open(path)
