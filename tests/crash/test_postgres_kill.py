"""A server that is killed under a bot that writes, and a bot that is killed while it writes to a server."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator

import pytest

from bot.model.errors import StorageDoubtError, StorageUnavailableError
from bot.model.ids import GuildId, Player
from bot.store.postgres.database import PostgresDatabase
from bot.store.storage import SqlStorage
from bot.store.upkeep import inspect
from tests.databases import Server, ask

pytestmark = pytest.mark.slow

GUILD, ANN = GuildId(7), Player("1001")
WRITES = 40
_WRITER = """
import asyncio, sys
from bot.model.ids import GuildId, Player
from bot.store.postgres.database import PostgresDatabase
from bot.store.storage import SqlStorage

async def main():
    storage = SqlStorage(await PostgresDatabase.open(sys.argv[1]))
    numbers = iter(range(10**9))
    async def write():
        for number in numbers:
            await storage.write(lambda tx: tx.ledger.grant(GuildId(7), Player("1001"), 1, cause=f"g{number}", at=1))
            print(number, flush=True)
    await asyncio.gather(*(write() for _ in range(8)))

asyncio.run(main())
"""
"""Grants chips forever, and prints each acknowledged grant."""


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that waits for its disk."""
    server = Server(())
    yield server
    server.stop()


async def test_a_server_that_is_killed_has_all_that_was_acknowledged_and_the_bot_goes_on(server: Server) -> None:
    address = server.address(server.take())
    database = await PostgresDatabase.open(address)
    storage, sure = SqlStorage(database), set[str]()

    async def grant(cause: str) -> None:
        await storage.write(lambda tx: tx.ledger.grant(GUILD, ANN, 1, cause=cause, at=1))
        sure.add(cause)

    for round_ in range(2):
        writes = [asyncio.create_task(grant(f"{round_}:{number}")) for number in range(WRITES)]
        await asyncio.wait(writes, return_when=asyncio.FIRST_COMPLETED)
        server.kill()
        ended = await asyncio.gather(*writes, return_exceptions=True)
        assert {type(one) for one in ended} <= {type(None), StorageUnavailableError, StorageDoubtError}
        server.start()
        for _ in range(200):
            try:
                await grant(f"again:{round_}")
                break
            except StorageUnavailableError:
                await asyncio.sleep(0.1)
        there = {cause for (cause,) in ask(address, "SELECT cause FROM transfer")}
        assert sure <= there
        assert ask(address, "SELECT balance FROM account WHERE kind = 'wallet'") == [(len(there),)]
    await database.close()
    assert inspect(address, secrets=None).report.findings == ()


def test_a_bot_that_is_killed_loses_nothing_and_another_starts_at_once(server: Server) -> None:
    address = server.address(server.take())
    with subprocess.Popen([sys.executable, "-c", _WRITER, address], stdout=subprocess.PIPE, text=True) as bot:
        assert bot.stdout is not None
        sure = {f"g{bot.stdout.readline().strip()}" for _ in range(WRITES)}
        bot.kill()
    there = {cause for (cause,) in ask(address, "SELECT cause FROM transfer")}
    assert sure <= there
    assert ask(address, "SELECT balance FROM account WHERE kind = 'wallet'") == [(len(there),)]
    asyncio.run(_open_and_close(address))
    assert inspect(address, secrets=None).report.findings == ()


async def _open_and_close(address: str) -> None:
    await (await PostgresDatabase.open(address)).close()
