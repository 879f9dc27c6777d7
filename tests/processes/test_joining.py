"""A joining process finds leftovers of dead ones. No clock may wait for them, or get extra time twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.run.app import ChaipoBot
from bot.run.cluster.leases import PostgresLeases
from bot.run.wiring import OperatorChoices, Resources, build_bot
from bot.store.postgres.database import PostgresDatabase
from bot.store.vault import SeedVault
from tests.databases import DATABASES, POSTGRES, ask, do, place_in

FORMER, NOW = 2, 1_700_000_000_000
ALIVE_AT, BEAT_AT = NOW - 9_000, NOW - 6_000
"""The last word of the process that had shard 1, and of the last one at all."""
GUILD = 1 << 22
"""A server of shard 1, whether there are two or three."""
DUE_AT = NOW - 1_000


@pytest.fixture
def address(tmp_path: Path) -> str:
    """Return a database whose shard with an alarm belonged to a process that has died."""
    DATABASES.kind = POSTGRES
    place = str(place_in(tmp_path))
    do(place, f"INSERT INTO process (shard_count, alive_at, expires_at) VALUES ({FORMER}, {ALIVE_AT}, {ALIVE_AT})")
    do(place, "INSERT INTO shard_lease (shard_id, process_id) SELECT 1, process_id FROM process")
    do(place, f"INSERT INTO heartbeat (one, alive_at) VALUES (1, {BEAT_AT})")
    do(place, f"INSERT INTO timer (guild_id, table_id, kind, due_at) VALUES ({GUILD}, 1, 'turn', {DUE_AT})")
    return place


@asynccontextmanager
async def joined(address: str, folder: Path, shards: int) -> AsyncIterator[ChaipoBot]:
    """A process that has joined, without Discord."""
    database = await PostgresDatabase.open(address, shared=True)
    leases = PostgresLeases(database, shard_count=shards)
    vault = SeedVault.open(folder / "chaipo.key")
    bot = build_bot(Resources(database=database, vault=vault, leases=leases), OperatorChoices(), now_ms=lambda: NOW)
    assert bot.held is not None
    try:
        await bot.held.join(bot.clockwork.timekeeper)
        yield bot
    finally:
        await database.close()


def due_at(address: str) -> int:
    """When the alarm rings."""
    return int(ask(address, "SELECT due_at FROM timer")[0][0])


@pytest.mark.parametrize("shards", [FORMER, FORMER + 1])
async def test_time_is_given_back_once_whatever_the_number_of_shards(address: str, tmp_path: Path, shards: int) -> None:
    async with joined(address, tmp_path, shards):
        assert due_at(address) == DUE_AT + NOW - ALIVE_AT
        assert ask(address, "SELECT COUNT(*) FROM outage") == [(0,)]
        assert ask(address, "SELECT shard_count FROM process") == [(shards,)]


async def test_a_frozen_process_with_another_number_of_shards_stops_no_clocks(address: str, tmp_path: Path) -> None:
    frozen = await PostgresDatabase.open(address, shared=True)
    await PostgresLeases(frozen, shard_count=FORMER).join(NOW)
    do(address, f"UPDATE process SET expires_at = {ALIVE_AT}, alive_at = {ALIVE_AT}")
    do(address, "INSERT INTO shard_lease (shard_id, process_id) SELECT 1, process_id FROM process")
    async with joined(address, tmp_path, FORMER + 1):
        assert due_at(address) == DUE_AT + NOW - ALIVE_AT
        assert ask(address, "SELECT COUNT(*) FROM outage") == [(0,)]
    await frozen.close()
