"""Promise 8 on PostgreSQL: server errors stop play and corrupt nothing, and commits can be in doubt.

The bot plays the game of tests/crash as an ordinary database user, on a separate server, over a connection that can be
cut.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot.model.errors import StorageDoubtError, StorageUnavailableError
from bot.model.ids import GuildId, Player
from bot.run.cli.sealed import opened_by
from bot.store import StoreUnavailableError
from bot.store.postgres.database import PostgresDatabase
from bot.store.storage import SqlStorage
from bot.store.transaction import Tx
from bot.store.upkeep import inspect
from bot.store.vault import SeedVault
from tests.crash.relay import Cut, Relay
from tests.crash.script import STEPS, SameVault, take
from tests.databases import DATABASES, HASTY, POSTGRES, Dump, Server, ask, do, everything, eyes_on
from tests.play.world import START, World

pytestmark = pytest.mark.slow

MIDDLE = 9
GUILD, ANN = GuildId(7), Player("1001")
LATE_WRITER = "wal_writer_delay = '10s'"
"""Asynchronous commits stay in the server's memory for this long."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that is stopped and started, with a user who may not everything."""
    server = Server((*HASTY, LATE_WRITER))
    server.do("postgres", "CREATE ROLE chaipo LOGIN")
    yield server
    server.stop()


@dataclass
class House:
    """A database, and the wire to it."""

    server: Server
    name: str
    relay: Relay = field(init=False)

    def __post_init__(self) -> None:
        self.server.do("postgres", f"CREATE DATABASE {self.name} OWNER chaipo")
        self.relay = Relay(self.address.replace("postgres:@", "chaipo@"))

    @property
    def address(self) -> str:
        """Return the superuser's address, which bypasses the relay."""
        return self.server.address(self.name)

    def cut(self) -> None:
        """End all connections to the database."""
        with psycopg.connect(self.server.address("postgres"), autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (self.name,)
            )

    def raising(self, condition: str) -> None:
        """Let whatever writes to a table of a hand fail so."""
        do(
            self.address,
            f"CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION 'trouble' USING ERRCODE = '{condition}'; END $$",
        )
        for table in ("table_log", "timer"):
            do(self.address, f"CREATE TRIGGER fails BEFORE INSERT OR UPDATE ON {table} EXECUTE FUNCTION fails()")

    def everything(self) -> Dump:
        """All rows of all tables, but for the heartbeat."""
        return {name: rows for name, rows in everything(self.address).items() if name != "heartbeat"}


@pytest.fixture
def house(server: Server, request: pytest.FixtureRequest) -> Iterator[House]:
    """An empty database of the bot's user."""
    house = House(server, f"house_{abs(hash(request.node.name))}")
    yield house
    house.relay.close()


@contextmanager
def stopped(house: House, how: signal.Signals) -> Iterator[None]:
    """The server is not there."""
    house.server.kill(how)
    yield
    house.server.start()


@contextmanager
def setting(house: House, begin: str, end: str) -> Iterator[None]:
    """Change a server setting, and change it back later. Only new connections see it."""
    house.server.do("postgres", begin)
    house.cut()
    yield
    house.server.do("postgres", end)
    house.cut()


@contextmanager
def failing(house: House, condition: str) -> Iterator[None]:
    """Every write ends with an error of the server."""
    house.raising(condition)
    yield
    do(house.address, "DROP FUNCTION fails CASCADE")


@contextmanager
def locked(house: House) -> Iterator[None]:
    """Lock a table for longer than the bot waits, like an administrator who alters it."""
    with psycopg.connect(house.address) as other:
        other.execute("LOCK TABLE table_log")
        yield


Trouble = Callable[[House], AbstractContextManager[None]]
TROUBLES: dict[str, tuple[Trouble, str]] = {
    "stopped at once": (lambda house: stopped(house, signal.SIGQUIT), "cannot be reached"),
    "stopped in order": (lambda house: stopped(house, signal.SIGINT), "cannot be reached"),
    "killed": (lambda house: stopped(house, signal.SIGKILL), "cannot be reached"),
    "read-only": (
        lambda house: setting(
            house,
            f"ALTER DATABASE {house.name} SET default_transaction_read_only = on",
            f"ALTER DATABASE {house.name} RESET default_transaction_read_only",
        ),
        "is read-only",
    ),
    "too many connections": (
        lambda house: setting(house, "ALTER ROLE chaipo CONNECTION LIMIT 0", "ALTER ROLE chaipo CONNECTION LIMIT -1"),
        "is too busy",
    ),
    "full": (lambda house: failing(house, "disk_full"), "there is no space left"),
    "always in somebody's way": (lambda house: failing(house, "serialization_failure"), "is too busy"),
    "too slow": (lambda house: failing(house, "query_canceled"), "is too busy"),
    "rights taken away": (lambda house: failing(house, "insufficient_privilege"), "give the bot's user permission to"),
}


@dataclass
class Game:
    """The scripted game up to its middle."""

    house: House
    world: World
    fatal: list[StoreUnavailableError]


@pytest.fixture
async def game(house: House, tmp_path: Path) -> AsyncIterator[Game]:
    """A bot in the middle of the game."""
    DATABASES.kind = POSTGRES
    DATABASES.put(tmp_path, house.relay.address)
    fatal: list[StoreUnavailableError] = []
    world = World(tmp_path, fixed=SameVault([b"k" * 32]), now=START, on_fatal=fatal.append)
    await world.open()
    for number in range(MIDDLE):
        await take(world, number)
    yield Game(house, world, fatal)
    await world.close()


async def until_done(attempt: Callable[[], Awaitable[Any]]) -> None:
    """Try until the trouble is over."""
    for _ in range(300):
        with suppress(StorageUnavailableError):
            await attempt()
            return
        await asyncio.sleep(0.1)
    raise AssertionError("it did not come back by itself")


async def play_on(game: Game) -> None:
    """Repeat the failed step with the same bot, then do the next one."""
    before = game.house.everything()
    await until_done(lambda: take(game.world, MIDDLE))
    await take(game.world, MIDDLE + 1)
    assert game.house.everything() != before


async def play_to_the_end(game: Game) -> None:
    """Play from the middle to the end with the same bot, and check the database."""
    await until_done(lambda: take(game.world, MIDDLE))
    for number in range(MIDDLE + 1, len(STEPS)):
        await take(game.world, number)
    # The observer's connection was cut too.
    game.world.eyes.close()
    game.world.eyes = eyes_on(game.house.address)
    game.world.check_books()
    assert len(game.world.ask("SELECT 1 FROM result")) == 4
    report = inspect(game.house.address, secrets=opened_by(SeedVault([b"k" * 32]))).report
    assert report.findings == ()


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_promise_8_trouble_of_the_server_that_passes_is_a_pause(game: Game, trouble: str) -> None:
    """Presses are refused with its sentence and change nothing; then the same bot plays on, once to the game's end."""
    cause, sentence = TROUBLES[trouble]
    before = game.house.everything()
    with cause(game.house):
        for _ in range(3):
            with pytest.raises(StorageUnavailableError, match=sentence):
                await take(game.world, MIDDLE)
    assert game.house.everything() == before
    assert game.fatal == []
    await (play_to_the_end if trouble == "killed" else play_on)(game)


async def test_promise_8_a_frozen_way_to_the_server_holds_a_press_until_it_thaws(game: Game) -> None:
    """The press waits and takes effect once, and no wrong message is sent."""
    game.house.relay.flows.clear()
    press = asyncio.create_task(take(game.world, MIDDLE))
    await asyncio.sleep(0.5)
    assert not press.done()
    game.house.relay.flows.set()
    await press
    game.house.relay.flows.clear()
    press = asyncio.create_task(take(game.world, MIDDLE + 1))
    await asyncio.sleep(0.1)
    # It does not thaw: the wires end, and new ones are there.
    game.house.cut()
    game.house.relay.flows.set()
    await press
    for number in range(MIDDLE + 2, len(STEPS)):
        await take(game.world, number)
    assert ask(game.house.address, "SELECT COUNT(*) FROM result") == [(4,)]


# commits in doubt


@pytest.fixture
async def storage(house: House) -> AsyncIterator[SqlStorage]:
    """The database, open, with 5 chips in a wallet."""
    database = await PostgresDatabase.open(house.relay.address)
    storage = SqlStorage(database)
    await storage.write(grant("first"))
    yield storage
    await database.close()


def grant(cause: str) -> Callable[[Tx], str]:
    """The mint pays 5 chips."""

    def job(tx: Tx) -> str:
        tx.ledger.grant(GUILD, ANN, 5, cause=cause, at=1)
        return "done"

    return job


def paid(house: House) -> int:
    """Return the wallet's balance, and the sum of its transfers."""
    got = "SELECT SUM(amount) FROM transfer WHERE payee = account_id"
    ((balance, transfers),) = ask(house.address, f"SELECT balance, ({got}) FROM account WHERE kind = 'wallet'")
    assert balance == transfers
    return int(balance)


@pytest.mark.parametrize("where", Cut)
async def test_a_wire_that_is_cut_in_the_middle_of_a_commit_pays_once(
    house: House, storage: SqlStorage, where: Cut
) -> None:
    house.relay.commits = [where]
    assert await storage.write(grant("second")) == "done"
    assert house.relay.commits == []
    assert paid(house) == 10


async def test_commits_that_are_lost_one_after_the_other_pay_once_each(house: House, storage: SqlStorage) -> None:
    house.relay.commits = [Cut.AFTER, Cut.BEFORE, Cut.AFTER, Cut.AFTER]
    # One whose new connection is cut as well is refused, and pressed again.
    await asyncio.gather(*(until_done(partial(storage.write, grant(f"n{number}"))) for number in range(8)))
    assert paid(house) == 45


def crash(house: House) -> None:
    """The server goes without writing down what it knows, and comes back."""
    house.server.kill(signal.SIGQUIT)
    house.server.start()


async def test_a_server_that_crashes_after_a_commit_leaves_it_in_doubt_and_it_is_there_once(
    house: House, storage: SqlStorage
) -> None:
    def crash_once_it_is_there() -> None:
        while paid(house) < 10:
            pass
        crash(house)

    house.relay.commits, house.relay.then = [Cut.AFTER], crash_once_it_is_there
    with pytest.raises(StorageDoubtError, match="was lost during a write"):
        await storage.write(grant("second"))
    assert paid(house) == 10
    await until_done(lambda: storage.write(grant("third")))
    assert paid(house) == 15


async def test_a_server_that_is_stopped_in_order_after_a_commit_still_knows_it(
    house: House, storage: SqlStorage
) -> None:
    def restart() -> None:
        while paid(house) < 10:
            pass
        house.server.kill(signal.SIGINT)
        house.server.start()

    house.relay.commits, house.relay.then = [Cut.AFTER], restart
    assert await storage.write(grant("second")) == "done"
    assert paid(house) == 10


async def test_a_server_that_crashes_before_a_commit_was_on_its_disk_has_not_paid_and_it_is_paid_again(
    house: House, storage: SqlStorage
) -> None:
    house.relay.commits, house.relay.then = [Cut.BEFORE], lambda: crash(house)
    assert await storage.write(grant("second")) == "done"
    assert paid(house) == 10


async def test_a_number_that_a_crashed_server_has_given_again_is_nobodys_proof(
    house: House, storage: SqlStorage
) -> None:
    """The transaction existed only in the server's memory. Later another one gets its number, and is committed."""
    numbers: list[int] = []

    def job(tx: Tx) -> str:
        grant("second")(tx)
        numbers.extend(number for (number,) in ask(house.address, LATEST))
        return "done"

    def crash_and_give_the_number_again() -> None:
        crash(house)
        with psycopg.connect(house.address, autocommit=True) as other:
            while int(other.execute("SELECT pg_current_xact_id()::text").fetchone()[0]) < numbers[0]:  # type: ignore[index]
                pass

    house.relay.commits, house.relay.then = [Cut.BEFORE], crash_and_give_the_number_again
    with pytest.raises(StorageDoubtError):
        await storage.write(job)
    assert paid(house) == 5
    await storage.write(grant("second"))
    assert paid(house) == 10


LATEST = "SELECT MAX(backend_xid::text::bigint) FROM pg_stat_activity"
"""The number of the newest transaction that is under way."""
