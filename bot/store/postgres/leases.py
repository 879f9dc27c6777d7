"""Leases: which of several processes serves which shard, by the clock of the database.

A process has a number for one life, and lives until a time that it moves on. Whoever finds that time over takes its
row away, and its leases go with it. Every transaction that writes holds the row of its process, and those that name a
server the lease of its shard (:class:`bot.store.postgres.driver.Tenure`): so a process that wakes up late has written
nothing since, and what it had begun is done before its shards are another's.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection
from functools import partial
from typing import TypeVar

from bot.play.ports import StorageTroubleError
from bot.play.processes import Standing
from bot.store import StoreError, StoreOustedError, StoreTroubleError
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.driver import Tenure
from bot.store.sql import Sql

T = TypeVar("T")

LIFE_MS = 10_000
"""How long a process lives on without a word."""
LOGIN_MS = 5_000
"""Discord takes one login of a bucket in this time."""
_STANDING = -3
"""The lock of those who take and give back leases; no server of Discord has such a number."""
_NOW = "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)"


class PostgresLeases:
    """The leases of this process, over its open database."""

    def __init__(self, database: PostgresDatabase, *, shard_count: int) -> None:
        self._database = database
        self._number = 0
        self._stood_at = self._steady_since = time.monotonic()
        self.shard_count = shard_count

    @property
    def alone(self) -> bool:
        """True while no other process can have the database."""
        return self._database.server.alone

    async def join(self, now: int) -> None:
        """Be one of the processes. Raises StoreError where others count their shards in another way."""
        self._number = await self._write(partial(_join, shard_count=self.shard_count, now=now, first=self.alone))
        self._database.server.tenure = Tenure(process=self._number, shard_count=self.shard_count)
        await asyncio.to_thread(self._database.server.share)
        self._stood_at = self._steady_since = time.monotonic()

    async def stand(self, now: int) -> Standing:
        """Live on, and take what is free; the dead are buried by those alone who were well all the time.

        After an outage of the database nobody is dead who only could not say a word.
        """
        await self._write(partial(_live_on, process=self._number, now=now))
        at = time.monotonic()
        if at - self._stood_at > LIFE_MS / 2000:
            self._steady_since = at
        self._stood_at = at
        steady = at - self._steady_since >= LIFE_MS / 2000
        return await self._write(partial(_stand, me=self._number, shards=self.shard_count, now=now, buries=steady))

    async def release(self, shards: Collection[int], now: int) -> None:
        """Let others take these shards, once what is being written for them is done."""
        await self._write(partial(_release, process=self._number, count=self.shard_count, shards=shards, now=now))

    async def leave(self, now: int) -> None:
        """Let others take everything. Nothing can be written from here on."""
        await self._write(partial(_leave, process=self._number, now=now))

    async def wait_to_log_in(self, bucket: int) -> float:
        """Take the next turn of a bucket; returns the seconds until it comes."""
        return await self._write(partial(_turn, bucket=bucket)) / 1000

    async def _write(self, job: Callable[[Sql], T]) -> T:
        try:
            return await self._database.write(job)
        except StoreTroubleError as trouble:
            raise StorageTroubleError(str(trouble)) from trouble


def _join(sql: Sql, *, shard_count: int, now: int, first: bool) -> int:
    sql.hold(_STANDING)
    _bury(sql, everybody=first)
    other = sql.one("SELECT shard_count FROM process WHERE shard_count <> :count LIMIT 1", count=shard_count)
    if other is not None:
        raise StoreError(
            f"other processes of the bot share {other['shard_count']} shards, and this is a start with {shard_count}: "
            "write the same CHAIPO_SHARDS for all, or stop the others first"
        )
    row = sql.one(
        f"INSERT INTO process (shard_count, alive_at, expires_at) VALUES (:count, :now, {_NOW} + :life) "
        "RETURNING process_id",
        count=shard_count,
        now=now,
        life=LIFE_MS,
    )
    assert row is not None
    return int(row["process_id"])


def _live_on(sql: Sql, *, process: int, now: int) -> None:
    sql.run(
        f"UPDATE process SET alive_at = :now, expires_at = {_NOW} + :life WHERE process_id = :process",
        now=now,
        life=LIFE_MS,
        process=process,
    )


def _stand(sql: Sql, *, me: int, shards: int, now: int, buries: bool) -> Standing:
    sql.hold(_STANDING)
    if buries:
        _bury(sql, everybody=False)
    living = [row["process_id"] for row in sql.all("SELECT process_id FROM process ORDER BY process_id")]
    held = {row["shard_id"]: row["process_id"] for row in sql.all("SELECT shard_id, process_id FROM shard_lease")}
    if me not in living:
        raise StoreOustedError("the other processes have given this one up for dead: it stops, and starts again")
    mine = {shard for shard, process in held.items() if process == me}
    place = living.index(me)
    share = shards // len(living) + (place < shards % len(living))
    free = [shard for shard in range(shards) if shard not in held]
    for shard in free[: max(0, share - len(mine))]:
        sql.run("INSERT INTO shard_lease (shard_id, process_id) VALUES (:shard, :me)", shard=shard, me=me)
        _stand_still(sql, shard, shards, since=now)
        mine.add(shard)
    return Standing(shards=frozenset(mine), share=share, living=len(living), leads=place == 0)


def _bury(sql: Sql, *, everybody: bool) -> None:
    """Take those away who are dead. One who is frozen amid a transaction is left until the server has ended it."""
    dead = sql.all(
        "SELECT process_id, shard_count, alive_at FROM process "
        f"WHERE expires_at < {_NOW} OR :everybody = 1 FOR UPDATE SKIP LOCKED",
        everybody=int(everybody),
    )
    for row in dead:
        _end(sql, row["process_id"], row["shard_count"], since=row["alive_at"])


def _end(sql: Sql, process: int, shard_count: int, *, since: int) -> None:
    """Time has counted for its shards until ``since``."""
    for row in sql.all("SELECT shard_id FROM shard_lease WHERE process_id = :process", process=process):
        _stand_still(sql, row["shard_id"], shard_count, since=since)
    sql.run("DELETE FROM process WHERE process_id = :process", process=process)


def _stand_still(sql: Sql, shard: int, shard_count: int, *, since: int) -> None:
    """Let the clocks of a shard stand still until its connection is there, unless they do so already."""
    sql.run(
        "INSERT INTO outage (shard_id, shard_count, since) VALUES (:shard, :count, :since) "
        "ON CONFLICT (shard_id, shard_count) DO NOTHING",
        shard=shard,
        count=shard_count,
        since=since,
    )


def _release(sql: Sql, *, process: int, count: int, shards: Collection[int], now: int) -> None:
    for shard in sorted(shards):
        _stand_still(sql, shard, count, since=now)
        sql.run(
            "DELETE FROM shard_lease WHERE shard_id = :shard AND process_id = :process", shard=shard, process=process
        )


def _leave(sql: Sql, *, process: int, now: int) -> None:
    row = sql.one("SELECT shard_count FROM process WHERE process_id = :process FOR UPDATE", process=process)
    if row is not None:
        _end(sql, process, row["shard_count"], since=now)


def _turn(sql: Sql, *, bucket: int) -> int:
    """Milliseconds until the turn that is taken."""
    row = sql.one(
        "INSERT INTO login_gate (bucket, free_at) "
        f"VALUES (:bucket, {_NOW} + :pause) ON CONFLICT (bucket) DO UPDATE "
        f"SET free_at = GREATEST(login_gate.free_at, {_NOW}) + :pause RETURNING free_at - :pause - {_NOW} AS wait",
        bucket=bucket,
        pause=LOGIN_MS,
    )
    assert row is not None
    return max(0, int(row["wait"]))
