"""Leases: a shard has one owner, who is replaced when dead and refused on waking up late. PostgreSQL only."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from threading import Event

import pytest

from bot.model.errors import StorageUnavailableError
from bot.model.ids import GuildId, Shard
from bot.run.cluster.leases import LIFE_MS, PostgresLeases
from bot.run.cluster.processes import ProcessStatus
from bot.store import LeaseLostError, StoreBusyError, StoreError, StoreFatalError, StoreUnavailableError
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.driver import EVERYTHING
from bot.store.sql import Sql
from tests.databases import DATABASES, POSTGRES, ask, do, eyes_on, place_in

WAITS_LONG = "SELECT 1 AS one FROM pg_locks WHERE NOT granted AND clock_timestamp() - waitstart > INTERVAL '0.5 s'"
SHARDS = 4
NOW = 1_700_000_000_000


class Process:
    """One of several processes, without Discord."""

    def __init__(self, database: PostgresDatabase, leases: PostgresLeases, fatal: list[StoreUnavailableError]) -> None:
        self.database = database
        self.leases = leases
        self.fatal = fatal

    async def stand(self, now: int = NOW) -> ProcessStatus:
        await asyncio.to_thread(self.leases.live_on, now)
        return await self.leases.stand(now)

    async def write(self, shard: int) -> None:
        """Write something for a server of this shard."""
        await self.database.write(_touch(GuildId((5 * SHARDS + shard) << 22)))


def _touch(guild: GuildId) -> Callable[[Sql], None]:
    def job(sql: Sql) -> None:
        sql.run("DELETE FROM house_game WHERE guild_id = :guild_id", guild_id=guild)

    return job


@pytest.fixture
def address(tmp_path: Path) -> str:
    DATABASES.kind = POSTGRES
    return str(place_in(tmp_path))


@asynccontextmanager
async def several(address: str, count: int) -> AsyncIterator[list[Process]]:
    """Processes that have joined one after the other."""
    async with AsyncExitStack() as stack:
        made: list[Process] = []
        for _ in range(count):
            made.append(await begun(address))
            stack.push_async_callback(made[-1].database.close)
            await made[-1].leases.join(NOW)
        yield made


async def begun(address: str, shards: int = SHARDS) -> Process:
    fatal: list[StoreUnavailableError] = []
    database = await PostgresDatabase.open(address, on_fatal=fatal.append, shared=True)
    return Process(database, PostgresLeases(database, shard_count=shards), fatal)


def kill(address: str, number: int) -> None:
    """Let a process be silent for so long that it is dead."""
    do(address, f"UPDATE process SET expires_at = expires_at - {10 * LIFE_MS} WHERE process_id = {number}")


def be_steady(process: Process) -> None:
    """Let it have been well for long enough to judge others."""
    process.leases._steady_since -= LIFE_MS  # noqa: SLF001  # Waiting would take long.


async def test_processes_share_all_shards_fairly_and_one_leads(address: str) -> None:
    async with several(address, 3) as processes:
        standings = [await process.stand() for process in processes]
        assert [len(standing.shards) for standing in standings] == [2, 1, 1]
        assert frozenset().union(*(standing.shards for standing in standings)) == frozenset(range(SHARDS))
        assert [standing.leads for standing in standings] == [True, False, False]
        assert [standing.living for standing in standings] == [3, 3, 3]


async def test_a_dead_process_is_replaced_and_the_clocks_of_its_shards_stand_still_since_its_last_word(
    address: str,
) -> None:
    async with several(address, 2) as (one, other):
        assert (await one.stand(NOW)).shards == {0, 1}
        await other.stand(NOW)
        do(address, "DELETE FROM outage")
        await one.stand(NOW + 1000)
        be_steady(other)
        kill(address, 1)
        assert (await other.stand(NOW + 20_000)).shards == {0, 1, 2, 3}
        assert ask(address, "SELECT shard_id, since FROM outage ORDER BY 1") == [(0, NOW + 1000), (1, NOW + 1000)]


async def test_what_a_process_has_is_spread_over_the_buckets_of_logins(address: str) -> None:
    async with several(address, 3) as (one, other, third):
        for process in (one, other, third):
            await process.leases.stand(NOW, logins_at_once=2)
        assert [*await other.leases.held(), *await third.leases.held()] == [2, 3]
        be_steady(other)
        kill(address, 1)
        assert (await other.leases.stand(NOW, logins_at_once=2)).shards == {1, 2}
        assert (await third.leases.stand(NOW, logins_at_once=2)).shards == {0, 3}


async def test_one_that_wakes_up_late_writes_nothing_any_more(address: str) -> None:
    async with several(address, 2) as (one, other):
        await one.stand()
        await other.stand()
        be_steady(other)
        kill(address, 1)
        await other.stand()
        for late in (one.write(0), one.write(3), one.stand()):
            with pytest.raises(Exception, match="consider this one dead"):
                await late
        await asyncio.sleep(0)
        assert [type(trouble) for trouble in one.fatal] == [LeaseLostError]
        await other.write(0)


async def test_a_server_of_another_process_is_refused_and_nothing_else(address: str) -> None:
    async with several(address, 2) as (one, other):
        await one.stand()
        await other.stand()
        await one.write(0)
        await other.write(3)
        with pytest.raises(StoreUnavailableError, match="another process serves this server") as refused:
            await one.write(3)
        assert not isinstance(refused.value, StoreFatalError)
        await one.write(1)


async def test_what_is_being_written_is_done_before_the_shard_is_anothers(address: str) -> None:
    async with several(address, 1) as (one,):
        await one.stand()
        order: list[str] = []
        begun, go_on = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()

        def slow(sql: Sql) -> None:
            sql.one("SELECT 1 AS here FROM house_game WHERE guild_id = :guild_id", guild_id=GuildId(0))
            loop.call_soon_threadsafe(begun.set)
            asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result()
            order.append("written")

        async def release() -> None:
            await one.leases.release([0], NOW)
            order.append("released")

        writing = asyncio.create_task(one.database.write(slow))
        await begun.wait()
        releasing = asyncio.create_task(release())
        await asyncio.sleep(0.2)
        go_on.set()
        await asyncio.gather(writing, releasing)
        assert order == ["written", "released"]
        with pytest.raises(StoreUnavailableError, match="another process"):
            await one.write(0)


async def test_who_leaves_lets_the_others_have_everything_at_once(address: str) -> None:
    async with several(address, 2) as (one, other):
        await one.stand()
        await other.stand()
        do(address, "DELETE FROM outage")
        await one.leases.leave(NOW + 5)
        standing = await other.stand(NOW + 9)
        assert standing.shards == {0, 1, 2, 3}
        assert standing.leads
        assert ask(address, "SELECT shard_id, since FROM outage ORDER BY 1") == [(0, NOW + 5), (1, NOW + 5)]


async def test_what_is_tried_again_after_leaving_is_refused_and_takes_nobody_for_given_up(address: str) -> None:
    async with several(address, 2) as (one, other):
        await one.stand()
        with closing(eyes_on(address)) as busy:
            busy("SELECT pg_advisory_lock_shared(?)", (EVERYTHING,))
            late = asyncio.create_task(one.database.write(lambda sql: sql.hold_all()))
            while not busy("SELECT 1 AS one FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            await one.leases.leave(NOW)
        with pytest.raises(StoreUnavailableError, match="has left"):
            await late
        with pytest.raises(StorageUnavailableError, match="has left"):
            await one.leases.stand(NOW)
        assert one.fatal == []
        assert (await other.stand()).shards == {0, 1, 2, 3}


async def test_after_an_outage_of_the_database_nobody_is_given_up_who_could_say_no_word(address: str) -> None:
    async with several(address, 2) as (one, other):
        await one.stand()
        await other.stand()
        kill(address, 1)
        kill(address, 2)
        be_steady(other)
        be_steady(other)
        other.leases._stood_at -= LIFE_MS / 1000  # noqa: SLF001  # It has heard nothing of the database for so long.
        assert (await other.leases.stand(NOW)).living == 2, "it may look before it has said that it lives itself"
        assert (await other.stand()).living == 2
        assert (await one.stand()).shards == {0, 1}


async def test_nobody_is_given_up_by_who_was_steady_only_before_the_outage_began(address: str) -> None:
    async with several(address, 2) as (one, other):
        await one.stand()
        await other.stand()
        be_steady(one)
        kill(address, 2)
        begun, over = Event(), Event()

        def outage(sql: Sql) -> None:
            begun.set()
            over.wait()

        in_progress = asyncio.create_task(one.database.write_unqueued(outage, urgent=True))
        await asyncio.to_thread(begun.wait)
        looks = asyncio.create_task(one.leases.stand(NOW))
        await asyncio.sleep(0)
        one.leases._stood_at -= LIFE_MS  # noqa: SLF001  # So long has it lasted.
        over.set()
        await in_progress
        assert (await looks).living == 2
        await other.write(2)


async def test_a_start_with_another_count_of_shards_is_refused(address: str) -> None:
    async with several(address, 1):
        stranger = await begun(address, shards=SHARDS + 1)
        with pytest.raises(StoreError, match="share 4 shards, but this process starts with 5"):
            await stranger.leases.join(NOW)
        await stranger.database.close()


async def test_a_bot_that_shares_nothing_and_processes_that_share_keep_each_other_out(address: str) -> None:
    async with several(address, 1):
        with pytest.raises(StoreBusyError, match="open in another running bot"):
            await PostgresDatabase.open(address)
    alone = await PostgresDatabase.open(address)
    waiting = asyncio.create_task(begun(address))
    await asyncio.sleep(0.3)
    assert not waiting.done()
    await alone.close()
    await (await waiting).database.close()


async def test_the_first_process_has_the_database_alone_until_it_joins(address: str) -> None:
    first = await begun(address)
    assert first.leases.alone
    waiting = asyncio.create_task(begun(address))
    await asyncio.sleep(0.3)
    assert not waiting.done()
    await first.leases.join(NOW)
    second = await waiting
    assert not second.leases.alone
    await second.leases.join(NOW)
    for process in (first, second):
        await process.database.close()


async def test_logins_of_one_bucket_take_their_turns(address: str) -> None:
    async with several(address, 2) as (one, other):
        begun = time.monotonic()
        waits = [await one.leases.wait_to_log_in(0), await other.leases.wait_to_log_in(0)]
        waits.append(await one.leases.wait_to_log_in(1))
        free_in = await one.leases.login_free_in(0)
        passed = time.monotonic() - begun + 0.001  # times are stored in milliseconds
        assert waits[0] == waits[2] == 0
        assert 5 - passed <= waits[1] <= 5
        assert 10 - passed <= free_in <= 10
        assert await one.leases.login_free_in(2) == 0


class Frozen:
    """A transaction of a process that stands still between its statements."""

    def __init__(self, process: Process) -> None:
        self.begun = asyncio.Event()
        self._wakes = Event()
        self._loop = asyncio.get_running_loop()
        self.task = asyncio.create_task(process.database.write(self._job))

    def wake(self) -> None:
        self._wakes.set()

    def _job(self, sql: Sql) -> None:
        sql.one("SELECT 1 AS here FROM house_game WHERE guild_id = :guild_id", guild_id=GuildId(0))
        self._loop.call_soon_threadsafe(self.begun.set)
        self._wakes.wait()
        sql.run("DELETE FROM house_game WHERE guild_id = :guild_id", guild_id=GuildId(0))


@asynccontextmanager
async def frozen(process: Process) -> AsyncIterator[Frozen]:
    """Let a process freeze amid a transaction for its first shard."""
    made = Frozen(process)
    try:
        await made.begun.wait()
        yield made
    finally:
        made.wake()
        await asyncio.gather(made.task, return_exceptions=True)


async def replaced(process: Process) -> bool:
    """Return True once the process has the shards of the dead one too, or False after a minute."""
    for _ in range(600):
        if (await process.stand()).shards == {0, 1, 2, 3}:
            return True
        await asyncio.sleep(0.1)
    return False


async def test_one_that_is_frozen_amid_a_transaction_is_replaced_all_the_same(address: str) -> None:
    async with several(address, 2) as (one, other):
        await one.stand()
        await other.stand()
        async with frozen(one) as late:
            be_steady(other)
            kill(address, 1)
            assert await replaced(other)
            await other.write(0)
            late.wake()
            with pytest.raises(StoreUnavailableError):
                await late.task


async def test_nobody_waits_behind_a_deletion_that_waits_for_one_that_is_frozen(address: str) -> None:
    async with several(address, 2) as (one, other):
        await one.stand()
        await other.stand()
        async with frozen(one):
            deletion = asyncio.create_task(other.database.write(_write_alone))
            for _ in range(60):
                await other.write(3)
                await other.stand()
                await asyncio.sleep(0.02)
            assert not deletion.done(), "it waits for what is being written"
            # Its wait is cut short, so that no one queues behind it.
            while ask(address, WAITS_OVER_A_SECOND) != [(0,)]:  # noqa: ASYNC110  # The server doesn't notify.
                await asyncio.sleep(0.02)
            be_steady(other)
            kill(address, 1)
            assert await replaced(other)
            assert await deletion == "alone"


WAITS_OVER_A_SECOND = (
    "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event = 'advisory' AND now() - query_start > interval '1 s'"
)


def _write_alone(sql: Sql) -> str:
    sql.hold_all()
    sql.write_for_all()
    return "alone"


async def test_the_clocks_of_one_shard_are_moved_while_others_are_written_for(address: str) -> None:
    async with several(address, 2) as (one, other):
        await one.stand()
        await other.stand()

        def shift(shard: int) -> Callable[[Sql], str]:
            def job(sql: Sql) -> str:
                sql.hold_clocks([Shard(number=shard, count=SHARDS)])
                return "moved"

            return job

        async with frozen(one) as busy:
            assert await other.database.write(shift(3)) == "moved"
            assert await one.database.write(shift(1)) == "moved"
            waiting = asyncio.create_task(one.database.write(shift(0)))
            await one.write(1)
            assert not waiting.done(), "somebody writes for a server of that shard"
            busy.wake()
            assert await waiting == "moved"


async def test_who_moves_a_shards_clocks_waits_longer_where_somebody_always_writes_for_it(address: str) -> None:
    async with several(address, 1) as (one,):
        await one.stand()
        async with frozen(one) as busy:
            shard = Shard(number=0, count=SHARDS)
            moving = asyncio.create_task(one.database.write(lambda sql: sql.hold_clocks([shard])))
            with closing(eyes_on(address)) as eyes:
                while not moving.done() and not eyes(WAITS_LONG):  # noqa: ASYNC110  # The server tells it to nobody.
                    await asyncio.sleep(0.01)
            busy.wake()
            await moving


async def test_who_says_that_it_lives_does_not_wait_for_who_is_alone(address: str) -> None:
    async with several(address, 2) as (one, other):
        before = (await one.stand()).forgets
        await other.stand()
        loop, begun, wakes = asyncio.get_running_loop(), asyncio.Event(), Event()

        def alone(sql: Sql) -> None:
            assert _write_alone(sql)
            sql.one("SELECT 1 AS here")
            loop.call_soon_threadsafe(begun.set)
            wakes.wait()

        deletion = asyncio.create_task(one.database.write(alone))
        try:
            await begun.wait()
            assert (await other.stand()).living == 2
            assert (await one.stand()).living == 2
        finally:
            wakes.set()
        await deletion
        assert (await other.stand()).forgets == before + 1


async def test_what_is_written_for_all_is_written_for_other_processes_too_and_they_are_told(address: str) -> None:
    async with several(address, 2) as (one, other):
        before = (await one.stand()).forgets
        assert (await other.stand()).forgets == before

        def visit(sql: Sql) -> None:
            sql.write_for_all()
            for shard in range(SHARDS):
                _touch(GuildId((5 * SHARDS + shard) << 22))(sql)

        await one.database.write(visit)
        assert (await other.stand()).forgets == before + 1
        kill(address, 1)
        be_steady(other)
        await other.stand()
        with pytest.raises(LeaseLostError):
            await one.database.write(visit)


async def test_a_shard_goes_from_hand_to_hand_and_its_clocks_do_not_stand_still(address: str) -> None:
    async with several(address, 2) as (one, other):
        await one.stand()
        await other.stand()
        do(address, "DELETE FROM outage")
        await one.leases.will_leave()
        assert (await other.stand()).heir_of == {0, 1}
        assert (await one.stand()).awaited == frozenset()
        assert not await one.leases.hand_over(0, answered_to=5), "nobody is there yet"
        await other.leases.be_ready(0)
        assert (await one.stand()).awaited == {0}
        await one.write(0)
        assert await one.leases.hand_over(0, answered_to=5)
        assert await other.leases.held() == {0: 5, 2: 0, 3: 0}
        await other.write(0)
        with pytest.raises(StoreUnavailableError, match="another process"):
            await one.write(0)
        assert ask(address, "SELECT COUNT(*) FROM outage") == [(0,)]


async def test_who_joins_is_the_heir_of_what_others_have_too_much_of(address: str) -> None:
    async with several(address, 1) as (one,):
        assert (await one.stand()).shards == {0, 1, 2, 3}
        newcomer = await begun(address)
        await newcomer.leases.join(NOW)
        assert (await newcomer.leases.stand(NOW, moves=False)).heir_of == frozenset()
        assert (await newcomer.stand()).heir_of == {2, 3}
        assert (await one.stand()).share == 2
        await newcomer.database.close()


async def test_an_heir_of_who_dies_has_the_shard_as_anybody_who_finds_it_free(address: str) -> None:
    async with several(address, 2) as (one, other):
        await one.stand()
        await other.stand()
        await one.leases.will_leave()
        await other.stand()
        await other.leases.be_ready(0)
        kill(address, 1)
        be_steady(other)
        standing = await other.stand()
        assert standing.shards == {0, 1, 2, 3}
        assert not standing.heir_of


async def test_the_last_who_leaves_waits_for_nobody(address: str) -> None:
    async with several(address, 2) as (one, other):
        await one.leases.will_leave()
        assert not (await one.stand()).last
        await other.leases.will_leave()
        assert (await one.stand()).last
        assert (await other.stand()).last
