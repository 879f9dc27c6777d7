"""Leases: which of several processes serves which shard, by the clock of the database.

A process has a number for one life, and lives until a time that it moves on. Whoever finds that time over takes its
row away, and its leases go with it. Every transaction that writes holds the row of its process, and those that name a
server the lease of its shard (``bot/run/many/tenure.py``): so a process that wakes up late has written nothing since,
and what it had begun is done before its shards are another's.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from bot.model.errors import StorageTroubleError
from bot.run.many.processes import Standing
from bot.run.many.tenure import LeasedTenure
from bot.store import StoreError, StoreOustedError, StoreTroubleError
from bot.store.postgres.database import PostgresDatabase
from bot.store.sql import Sql

T = TypeVar("T")

LIFE_MS = 7_000
"""How long a process lives on without a word."""
LOGIN_MS = 5_000
"""Discord takes one login of a bucket in this time."""
_STANDING = -3
"""The lock of those who take and give back leases; no server of Discord has such a number."""
_NOW = "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)"


class PostgresLeases:
    """The leases of this process, over its open database."""

    def __init__(self, database: PostgresDatabase, *, shard_count: int, page_url: str = "") -> None:
        """``page_url`` is where this process serves tables' pages; empty where it serves none."""
        self._database = database
        self._page_url = page_url
        self._number = 0
        self._stood_at = self._steady_since = time.monotonic()
        self._leaves = False
        """True once it gives everything back by itself."""
        self.shard_count = shard_count

    @property
    def alone(self) -> bool:
        """True while no other process can have the database."""
        return self._database.server.alone

    async def join(self, now: int) -> None:
        """Be one of the processes. Raises StoreError where others count their shards in another way."""
        server = self._database.server
        newcomer = _Newcomer(shard_count=self.shard_count, connections=server.connections, page_url=self._page_url)
        self._number = await self._write(partial(_join, newcomer=newcomer, now=now))
        server.tenure = partial(
            LeasedTenure, process=self._number, shard_count=self.shard_count, gone=self._why_it_is_gone
        )
        await asyncio.to_thread(server.share)
        self._stood_at = self._steady_since = time.monotonic()

    def live_on(self, now: int) -> None:
        """Say that it lives, and cut off who does not; nothing else is done over the connection that says so."""
        with _told():
            self._database.write_vital(partial(_live_on, process=self._number, now=now))
        at = time.monotonic()
        if at - self._stood_at > LIFE_MS / 2000:
            self._steady_since = at
        self._stood_at = at
        if self._steady():
            with _told():
                self._database.write_vital(partial(_end_what_is_frozen, steady=self._steady))

    def _steady(self) -> bool:
        """True of who was well all the time: it may give others up for dead.

        After an outage of the database nobody is dead who only could not say a word. It is asked in the transaction,
        which may begin, or run again, only when the outage is over.
        """
        silent = time.monotonic() - self._stood_at
        return silent <= LIFE_MS / 2000 <= self._stood_at - self._steady_since

    async def stand(self, now: int, *, logins_at_once: int = 1, moves: bool = True) -> Standing:
        """Bury the dead, and take what is free."""
        return await self._vital(
            partial(
                _stand,
                me=self._number,
                now=now,
                steady=self._steady,
                moves=moves,
                buckets=logins_at_once,
                gone=self._why_it_is_gone,
            )
        )

    async def be_ready(self, shard: int) -> None:
        """As the heir of a shard: its connection is there."""
        await self._write(partial(_be_ready, process=self._number, shard=shard))

    async def hand_over(self, shard: int, *, answered_to: int) -> bool:
        """Let the heir have a shard, once what is being written for it is done; False where there is none."""
        return await self._write(partial(_hand_over, process=self._number, shard=shard, answered_to=answered_to))

    async def held(self) -> Mapping[int, int]:
        """The shards that it holds, with the newest press that the process before has answered."""
        return await self._write(partial(_held, process=self._number))

    async def will_leave(self) -> None:
        """Tell the others that they are to take over."""
        await self._write(partial(_will_leave, process=self._number))

    async def release(self, shards: Collection[int], now: int) -> None:
        """Let others take these shards, once what is being written for them is done."""
        await self._write(partial(_release, process=self._number, count=self.shard_count, shards=shards, now=now))

    async def leave(self, now: int) -> None:
        """Let others take everything. Nothing can be written from here on."""
        self._leaves = True
        await self._write(partial(_leave, process=self._number, now=now))

    async def page_url_of(self, shard: int) -> str:
        """Where the process that has a shard serves tables' pages; empty where that is nobody, or nowhere."""
        return await self._write(partial(_page_url_of, shard=shard))

    def _why_it_is_gone(self) -> StoreTroubleError:
        """Why nothing can be written any more.

        What a process that has left had begun, and what is tried again, comes too late: nobody has taken it for dead.
        """
        if self._leaves:
            return StoreTroubleError("this process has left the others: nothing is written for it any more")
        return StoreOustedError("the other processes have given this one up for dead: it stops, and starts again")

    async def login_free_in(self, bucket: int) -> float:
        """Seconds until a turn of a bucket would come, if nobody else takes it."""
        return await self._write(partial(_free_in, bucket=bucket)) / 1000

    async def wait_to_log_in(self, bucket: int) -> float:
        """Take the next turn of a bucket; returns the seconds until it comes."""
        return await self._write(partial(_turn, bucket=bucket)) / 1000

    async def _write(self, job: Callable[[Sql], T]) -> T:
        with _told():
            return await self._database.write_apart(job)

    async def _vital(self, job: Callable[[Sql], T]) -> T:
        with _told():
            return await self._database.write_apart(job, vital=True)


@contextmanager
def _told() -> Iterator[None]:
    """Say of trouble what those may hear who know no database."""
    try:
        yield
    except StoreTroubleError as trouble:
        raise StorageTroubleError(str(trouble)) from trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class _Newcomer:
    """Who joins."""

    shard_count: int
    connections: str
    page_url: str


def _join(sql: Sql, *, newcomer: _Newcomer, now: int) -> int:
    sql.hold(_STANDING)
    _bury(sql)
    count = newcomer.shard_count
    other = sql.one("SELECT shard_count FROM process WHERE shard_count <> :count LIMIT 1", count=count)
    if other is not None:
        raise StoreError(
            f"other processes of the bot share {other['shard_count']} shards, and this is a start with {count}: "
            "write the same CHAIPO_SHARDS for all, or stop the others first"
        )
    row = sql.one(
        "INSERT INTO process (shard_count, alive_at, expires_at, connections, page_url) "
        f"VALUES (:count, :now, {_NOW} + :life, :connections, :page_url) RETURNING process_id",
        count=count,
        now=now,
        life=LIFE_MS,
        connections=newcomer.connections,
        page_url=newcomer.page_url,
    )
    assert row is not None
    return int(row["process_id"])


def _page_url_of(sql: Sql, *, shard: int) -> str:
    row = sql.one(
        "SELECT p.page_url FROM shard_lease l JOIN process p ON p.process_id = l.process_id WHERE l.shard_id = :shard",
        shard=shard,
    )
    return "" if row is None else str(row["page_url"])


def _end_what_is_frozen(sql: Sql, *, steady: Callable[[], bool]) -> None:
    """End the connections of those who are dead: whoever is frozen amid a transaction keeps what it holds."""
    if not steady():
        return
    sql.all(
        "SELECT pg_terminate_backend(a.pid) AS ended FROM pg_stat_activity a "
        "JOIN process p ON p.connections = a.application_name "
        f"WHERE p.expires_at < {_NOW} AND p.connections <> '' AND a.pid <> pg_backend_pid()"
    )


def _live_on(sql: Sql, *, process: int, now: int) -> None:
    sql.run(
        f"UPDATE process SET alive_at = :now, expires_at = {_NOW} + :life WHERE process_id = :process",
        now=now,
        life=LIFE_MS,
        process=process,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _House:
    """All processes, and who has what."""

    shards: int
    living: Sequence[int]
    """Who joined first comes first."""
    staying: Sequence[int]
    owners: Mapping[int, int]
    """The process of each shard that is held."""
    heirs: Mapping[int, int]
    ready: frozenset[int]
    """Shards whose heir is connected."""
    forgets: int
    """Counts what was written for all."""

    def share(self, process: int) -> int:
        """How many shards should be a process's own: who leaves should have none."""
        if process not in self.staying:
            return 0
        each, more = divmod(self.shards, len(self.staying))
        return each + (self.staying.index(process) < more)

    def of(self, process: int) -> set[int]:
        """What a process holds."""
        return {shard for shard, owner in self.owners.items() if owner == process}

    def inherits(self, process: int) -> set[int]:
        """What a process is the heir of."""
        return {shard for shard, heir in self.heirs.items() if heir == process}

    def surplus(self, *, moves: bool, buckets: int) -> list[int]:
        """Shards that their owners should give away and that have no heir, first of those who leave.

        Where nothing ``moves``, only those of who leaves.
        """
        found: list[int] = []
        for process in sorted(self.living, key=lambda process: process in self.staying):
            if process in self.staying and not moves:
                continue
            stays = self.of(process).difference(self.heirs)
            kept = _spread(sorted(stays), self.share(process), beside=(), buckets=buckets)
            found += sorted(stays.difference(kept), reverse=True)
        return found


def _spread(shards: Collection[int], count: int, *, beside: Collection[int], buckets: int) -> list[int]:
    """So many of these shards, each of the bucket of logins of which there are fewest by then."""
    left, chosen = list(shards), list[int]()
    taken = Counter(shard % buckets for shard in beside)
    while left and len(chosen) < count:
        chosen.append(min(left, key=lambda shard: taken[shard % buckets]))
        left.remove(chosen[-1])
        taken[chosen[-1] % buckets] += 1
    return chosen


def _house(sql: Sql) -> _House:
    processes = sql.all("SELECT process_id, shard_count, leaves FROM process ORDER BY process_id")
    written = sql.one("SELECT forgets FROM meta")
    heirs = sql.all("SELECT shard_id, process_id, ready FROM heir")
    return _House(
        shards=max((row["shard_count"] for row in processes), default=0),
        living=[row["process_id"] for row in processes],
        staying=[row["process_id"] for row in processes if not row["leaves"]],
        owners={row["shard_id"]: row["process_id"] for row in sql.all("SELECT shard_id, process_id FROM shard_lease")},
        heirs={row["shard_id"]: row["process_id"] for row in heirs},
        ready=frozenset(row["shard_id"] for row in heirs if row["ready"]),
        forgets=0 if written is None else written["forgets"],
    )


def _stand(
    sql: Sql,
    *,
    me: int,
    now: int,
    steady: Callable[[], bool],
    moves: bool,
    buckets: int,
    gone: Callable[[], StoreTroubleError],
) -> Standing:
    # Whoever died with the lock is ended at the next look: it comes soon.
    sql.run("SET LOCAL lock_timeout = '1s'")
    sql.hold(_STANDING)
    if steady():
        _bury(sql)
    house = _house(sql)
    if me not in house.living:
        raise gone()
    share, mine, inherits = house.share(me), house.of(me), house.inherits(me)
    free = [shard for shard in range(house.shards) if shard not in house.owners]
    for shard in _spread(free, share - len(mine), beside=mine, buckets=buckets):
        sql.run("INSERT INTO shard_lease (shard_id, process_id) VALUES (:shard, :me)", shard=shard, me=me)
        _stand_still(sql, shard, house.shards, since=now)
        mine.add(shard)
    room = share - len(mine)
    for shard in sorted(inherits, key=lambda shard: shard in house.ready)[: max(0, len(inherits) - room)]:
        sql.run("DELETE FROM heir WHERE shard_id = :shard", shard=shard)
        inherits.remove(shard)
    surplus = house.surplus(moves=moves, buckets=buckets)
    for shard in _spread(surplus, room - len(inherits), beside=mine | inherits, buckets=buckets):
        sql.run("INSERT INTO heir (shard_id, process_id) VALUES (:shard, :me)", shard=shard, me=me)
        inherits.add(shard)
    return Standing(
        shards=frozenset(mine),
        heir_of=frozenset(inherits),
        awaited=house.ready & mine,
        share=share,
        living=len(house.living),
        last=not [process for process in house.staying if process != me],
        leads=house.staying[:1] == [me],
        forgets=house.forgets,
    )


def _be_ready(sql: Sql, *, process: int, shard: int) -> None:
    sql.run("UPDATE heir SET ready = 1 WHERE shard_id = :shard AND process_id = :process", shard=shard, process=process)


def _hand_over(sql: Sql, *, process: int, shard: int, answered_to: int) -> bool:
    sql.hold(_STANDING)
    heir = sql.one("SELECT process_id FROM heir WHERE shard_id = :shard AND ready = 1", shard=shard)
    if heir is None:
        return False
    sql.run("DELETE FROM shard_lease WHERE shard_id = :shard AND process_id = :process", shard=shard, process=process)
    sql.run(
        "INSERT INTO shard_lease (shard_id, process_id, answered_to) VALUES (:shard, :heir, :answered_to)",
        shard=shard,
        heir=heir["process_id"],
        answered_to=answered_to,
    )
    return True


def _held(sql: Sql, *, process: int) -> Mapping[int, int]:
    rows = sql.all("SELECT shard_id, answered_to FROM shard_lease WHERE process_id = :process", process=process)
    return {row["shard_id"]: row["answered_to"] for row in rows}


def _will_leave(sql: Sql, *, process: int) -> None:
    sql.hold(_STANDING)
    sql.run("UPDATE process SET leaves = 1 WHERE process_id = :process", process=process)


def _bury(sql: Sql) -> None:
    """Take those away who are dead. One who is frozen amid a transaction is left until its connections have ended."""
    dead = sql.all(
        f"SELECT process_id, shard_count, alive_at FROM process WHERE expires_at < {_NOW} FOR UPDATE SKIP LOCKED"
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


def _free_in(sql: Sql, *, bucket: int) -> int:
    """Milliseconds until the next turn."""
    row = sql.one(f"SELECT free_at - {_NOW} AS wait FROM login_gate WHERE bucket = :bucket", bucket=bucket)
    return 0 if row is None else max(0, int(row["wait"]))


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
