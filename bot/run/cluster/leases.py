"""Leases that assign each shard to one of several processes, by the database's clock.

A process has a number for its lifetime, and an expiry time that it keeps extending. The first process to see that
another one has expired removes its row, and its leases with it. Every writing transaction locks the row of its process,
and transactions that name a server also lock the lease of its shard (``bot/run/cluster/write_lease.py``). A process
that wakes up late has therefore written nothing in the meantime, and its earlier transactions end before its shards get
another owner.
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

from bot.model.errors import StorageUnavailableError
from bot.run.cluster.processes import ProcessStatus
from bot.run.cluster.write_lease import WriteLease
from bot.store import LeaseLostError, StoreError, StoreUnavailableError
from bot.store.postgres.database import PostgresDatabase
from bot.store.sql import Sql

T = TypeVar("T")

LIFE_MS = 7_000
"""Time that a process keeps its leases without a heartbeat."""
LOGIN_MS = 5_000
"""Minimum time between two logins of a bucket, set by Discord."""
_STANDING = -3
"""Key of the lock for changing leases. No server has a negative id."""
_NOW = "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)"


class PostgresLeases:
    """The leases of this process, stored in its open database."""

    def __init__(self, database: PostgresDatabase, *, shard_count: int, page_url: str = "") -> None:
        """``page_url`` is the address of this process's table pages; empty if it serves none."""
        self._database = database
        self._page_url = page_url
        self._number = 0
        self._stood_at = self._steady_since = time.monotonic()
        self._leaves = False
        """True once it has started to leave on its own."""
        self.shard_count = shard_count

    @property
    def alone(self) -> bool:
        """True while no other process can open the database."""
        return self._database.server.alone

    async def join(self, now: int) -> None:
        """Join the other processes. Raises StoreError if they have a different number of shards."""
        server = self._database.server
        newcomer = _JoiningProcess(
            shard_count=self.shard_count, connections=server.connections, page_url=self._page_url
        )
        self._number = await self._write(partial(_join, newcomer=newcomer, now=now))
        server.permission = partial(
            WriteLease, process=self._number, shard_count=self.shard_count, gone=self._lost_lease_error
        )
        await asyncio.to_thread(server.share)
        self._stood_at = self._steady_since = time.monotonic()

    def live_on(self, now: int) -> None:
        """Extend this process's lease, then end the connections of expired processes.

        Each of the two runs in its own transaction, so nothing delays the heartbeat.
        """
        with _translate_errors():
            self._database.write_urgent(partial(_live_on, process=self._number, now=now))
        at = time.monotonic()
        if at - self._stood_at > LIFE_MS / 2000:
            self._steady_since = at
        self._stood_at = at
        if self._steady():
            with _translate_errors():
                self._database.write_urgent(partial(_end_what_is_frozen, steady=self._steady))

    def _steady(self) -> bool:
        """True if the heartbeat has been regular, so that this process may declare others dead.

        After an outage of the database, processes that merely couldn't send their heartbeat aren't dead. This is
        checked within the transaction, which may begin or be retried only after the outage.
        """
        silent = time.monotonic() - self._stood_at
        return silent <= LIFE_MS / 2000 <= self._stood_at - self._steady_since

    async def stand(self, now: int, *, logins_at_once: int = 1, moves: bool = True) -> ProcessStatus:
        """Remove dead processes and claim free shards."""
        return await self._vital(
            partial(
                _stand,
                me=self._number,
                now=now,
                steady=self._steady,
                moves=moves,
                buckets=logins_at_once,
                gone=self._lost_lease_error,
            )
        )

    async def be_ready(self, shard: int) -> None:
        """Report, as a shard's heir, that its connection is ready."""
        await self._write(partial(_be_ready, process=self._number, shard=shard))

    async def hand_over(self, shard: int, *, answered_to: int) -> bool:
        """Give a shard to its heir once current writes for it have ended; False if there is no heir."""
        return await self._write(partial(_hand_over, process=self._number, shard=shard, answered_to=answered_to))

    async def held(self) -> Mapping[int, int]:
        """Return the leased shards, each with the newest interaction that its previous owner has answered."""
        return await self._write(partial(_held, process=self._number))

    async def will_leave(self) -> None:
        """Ask the other processes to take over."""
        await self._write(partial(_will_leave, process=self._number))

    async def release(self, shards: Collection[int], now: int) -> None:
        """Release ``shards`` once current writes for them have ended."""
        await self._write(partial(_release, process=self._number, count=self.shard_count, shards=shards, now=now))

    async def leave(self, now: int) -> None:
        """Release everything. Nothing can be written afterwards."""
        self._leaves = True
        await self._write(partial(_leave, process=self._number, now=now))

    async def page_url_of(self, shard: int) -> str:
        """Return the page address of a shard's owner; empty if there is no owner or it serves no pages."""
        return await self._write(partial(_page_url_of, shard=shard))

    def _lost_lease_error(self) -> StoreUnavailableError:
        """Return the error for writes without a lease.

        After a regular departure, unfinished work and retries get a temporary error, because no process has declared
        this one dead.
        """
        if self._leaves:
            return StoreUnavailableError("this process has left the others, so it can't write any more")
        return LeaseLostError("the other processes consider this one dead, so it stops and starts again")

    async def login_free_in(self, bucket: int) -> float:
        """Return the seconds until the bucket's next turn, without taking it."""
        return await self._write(partial(_free_in, bucket=bucket)) / 1000

    async def wait_to_log_in(self, bucket: int) -> float:
        """Take the bucket's next turn; return the seconds until it."""
        return await self._write(partial(_turn, bucket=bucket)) / 1000

    async def _write(self, job: Callable[[Sql], T]) -> T:
        with _translate_errors():
            return await self._database.write_unqueued(job)

    async def _vital(self, job: Callable[[Sql], T]) -> T:
        with _translate_errors():
            return await self._database.write_unqueued(job, urgent=True)


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Turn store errors into errors for callers that know nothing about the database."""
    try:
        yield
    except StoreUnavailableError as trouble:
        raise StorageUnavailableError(str(trouble)) from trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class _JoiningProcess:
    """A process that is joining."""

    shard_count: int
    connections: str
    page_url: str


def _join(sql: Sql, *, newcomer: _JoiningProcess, now: int) -> int:
    sql.hold(_STANDING)
    _remove_dead(sql)
    count = newcomer.shard_count
    other = sql.one("SELECT shard_count FROM process WHERE shard_count <> :count LIMIT 1", count=count)
    if other is not None:
        raise StoreError(
            f"other processes of the bot share {other['shard_count']} shards, but this process starts with "
            f"{count}. Set the same CHAIPO_SHARDS for all, or stop the others first"
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
    """End the database connections of dead processes, because a process frozen in a transaction keeps its locks."""
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
class _Cluster:
    """All processes, with their shards."""

    shards: int
    living: Sequence[int]
    """Processes in the order they joined."""
    staying: Sequence[int]
    owners: Mapping[int, int]
    """The owner of each leased shard."""
    heirs: Mapping[int, int]
    ready: frozenset[int]
    """Shards with a connected heir."""
    forgets: int
    """Counter of writes that concern all servers."""

    def share(self, process: int) -> int:
        """Return the number of shards that a process should own; 0 if it's leaving."""
        if process not in self.staying:
            return 0
        each, more = divmod(self.shards, len(self.staying))
        return each + (self.staying.index(process) < more)

    def of(self, process: int) -> set[int]:
        """Return the shards of a process."""
        return {shard for shard, owner in self.owners.items() if owner == process}

    def inherits(self, process: int) -> set[int]:
        """Return the shards of which a process is the heir."""
        return {shard for shard, heir in self.heirs.items() if heir == process}

    def surplus(self, *, moves: bool, buckets: int) -> list[int]:
        """Return shards without an heir that their owners should give up, starting with those of leaving processes.

        If ``moves`` is False, return only those of leaving processes.
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
    """Choose up to ``count`` shards, spread evenly over the login buckets. ``beside`` are the shards already held."""
    left, chosen = list(shards), list[int]()
    taken = Counter(shard % buckets for shard in beside)
    while left and len(chosen) < count:
        chosen.append(min(left, key=lambda shard: taken[shard % buckets]))
        left.remove(chosen[-1])
        taken[chosen[-1] % buckets] += 1
    return chosen


def _house(sql: Sql) -> _Cluster:
    processes = sql.all("SELECT process_id, shard_count, leaves FROM process ORDER BY process_id")
    written = sql.one("SELECT forgets FROM meta")
    heirs = sql.all("SELECT shard_id, process_id, ready FROM heir")
    return _Cluster(
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
    gone: Callable[[], StoreUnavailableError],
) -> ProcessStatus:
    # If the lock's owner has died, its connections are ended before one of the next attempts.
    sql.run("SET LOCAL lock_timeout = '1s'")
    sql.hold(_STANDING)
    if steady():
        _remove_dead(sql)
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
    return ProcessStatus(
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


def _remove_dead(sql: Sql) -> None:
    """Remove dead processes. A process frozen in a transaction stays until its connections have been ended."""
    dead = sql.all(
        f"SELECT process_id, shard_count, alive_at FROM process WHERE expires_at < {_NOW} FOR UPDATE SKIP LOCKED"
    )
    for row in dead:
        _end(sql, row["process_id"], row["shard_count"], since=row["alive_at"])


def _end(sql: Sql, process: int, shard_count: int, *, since: int) -> None:
    """Remove a process. The clocks of its shards are stopped from ``since`` on."""
    for row in sql.all("SELECT shard_id FROM shard_lease WHERE process_id = :process", process=process):
        _stand_still(sql, row["shard_id"], shard_count, since=since)
    sql.run("DELETE FROM process WHERE process_id = :process", process=process)


def _stand_still(sql: Sql, shard: int, shard_count: int, *, since: int) -> None:
    """Stop the clocks of a shard until its connection is ready, unless they are already stopped."""
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
    """Return the milliseconds until the next turn."""
    row = sql.one(f"SELECT free_at - {_NOW} AS wait FROM login_gate WHERE bucket = :bucket", bucket=bucket)
    return 0 if row is None else max(0, int(row["wait"]))


def _turn(sql: Sql, *, bucket: int) -> int:
    """Take a turn; return the milliseconds until it."""
    row = sql.one(
        "INSERT INTO login_gate (bucket, free_at) "
        f"VALUES (:bucket, {_NOW} + :pause) ON CONFLICT (bucket) DO UPDATE "
        f"SET free_at = GREATEST(login_gate.free_at, {_NOW}) + :pause RETURNING free_at - :pause - {_NOW} AS wait",
        bucket=bucket,
        pause=LOGIN_MS,
    )
    assert row is not None
    return max(0, int(row["wait"]))
