"""Cases that need a database server: concurrent transactions, and errors of every kind."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from bot.__main__ import main
from bot.model.errors import StorageUnavailableError
from bot.model.ids import EVERYTHING, GuildId, Player
from bot.run.cli.upkeep import ANOTHERS_WORK
from bot.store import StoreBusyError, StoreError, StoreFatalError, StoreUnavailableError
from bot.store.opening import open_database
from bot.store.postgres import pipe
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.driver import PostgresSql
from bot.store.postgres.pipe import OFTEN
from bot.store.postgres.server import ConnectionFactory
from bot.store.postgres.transaction_runner import TransactionRunner
from bot.store.sqlite.database import MIGRATIONS
from bot.store.storage import SqlStorage
from bot.store.transaction import Tx
from bot.store.upkeep import clear_owner, inspect
from tests.crash.relay import Cut, Relay
from tests.databases import DATABASES, POSTGRES, ask, do, run_program
from tests.store.samples import AT

GUILD, OTHER = GuildId(7), GuildId(8)
ANN = Player("1001")


@pytest.fixture
def address(tmp_path: Path) -> str:
    """An empty database."""
    DATABASES.kind = POSTGRES
    return str(DATABASES.place_in(tmp_path))


@pytest.fixture
async def database(address: str) -> AsyncIterator[PostgresDatabase]:
    """Yield the open database."""
    opened = await PostgresDatabase.open(address)
    yield opened
    await opened.close()


def grant(chips: int, *, cause: str, guild: GuildId = GUILD) -> Callable[[Tx], None]:
    """The mint pays."""
    return lambda tx: tx.ledger.grant(guild, ANN, chips, cause=cause, at=AT)


def name_of(address: str) -> str:
    """The database's name."""
    return str(conninfo_to_dict(address)["dbname"])


def cut(address: str) -> None:
    """End all connections to the database."""
    ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
    with psycopg.connect(DATABASES.server.address("postgres"), autocommit=True) as connection:
        connection.execute(ended, (name_of(address),))


# at the same time


async def test_what_belongs_to_one_server_is_written_one_transaction_after_the_other(
    database: PostgresDatabase,
) -> None:
    def job(tx: Tx) -> None:
        # Without its turn each would have found the same wallet.
        tx.ledger.grant(GUILD, ANN, tx.ledger.wallet(GUILD, ANN) + 1, cause=f"n{tx.ledger.wallet(GUILD, ANN)}", at=AT)

    storage = SqlStorage(database)
    await asyncio.gather(*(storage.write(job) for _ in range(12)))
    assert await storage.read(lambda tx: tx.ledger.wallet(GUILD, ANN)) == 2**12 - 1


async def test_who_stands_in_each_others_way_runs_again(database: PostgresDatabase) -> None:
    storage, both, runs = SqlStorage(database), threading.Barrier(2), list[str]()

    def job(name: str, first: GuildId, then: GuildId) -> Callable[[Tx], None]:
        def run(tx: Tx) -> None:
            runs.append(name)
            grant(1, cause=name, guild=first)(tx)
            if runs.count(name) == 1:
                both.wait(10)
            grant(1, cause=name, guild=then)(tx)

        return run

    await asyncio.gather(storage.write(job("a", GUILD, OTHER)), storage.write(job("b", OTHER, GUILD)))
    assert len(runs) == 3
    assert await storage.read(lambda tx: (tx.ledger.wallet(GUILD, ANN), tx.ledger.wallet(OTHER, ANN))) == (2, 2)


async def test_clocks_are_moved_while_nobody_else_writes(address: str, database: PostgresDatabase) -> None:
    storage, written = SqlStorage(database), threading.Event()

    def slowly(tx: Tx) -> None:
        grant(1, cause="a")(tx)
        assert tx.ledger.wallet(GUILD, ANN) == 1
        written.set()
        # Until the other one waits for this transaction.
        waits = "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        while ask(address, waits) == [(0,)]:
            pass

    def shift(tx: Tx) -> int:
        tx.timers.shift(1, shard=EVERYTHING, tell=False)
        return tx.ledger.wallet(GUILD, ANN)

    slow = asyncio.create_task(storage.write(slowly))
    await asyncio.to_thread(written.wait, 10)
    assert await storage.write(shift) == 1
    await slow


# ownership


async def test_a_second_bot_is_refused_and_the_next_is_not(address: str, database: PostgresDatabase) -> None:
    with pytest.raises(StoreBusyError, match=r"is open in another running bot\. Stop that one first"):
        await PostgresDatabase.open(address)
    await database.close()
    await (await PostgresDatabase.open(address)).close()


async def test_who_was_opened_before_another_writes_no_more(address: str) -> None:
    told: list[StoreUnavailableError] = []
    database = await PostgresDatabase.open(address, on_fatal=told.append)
    storage = SqlStorage(database)
    await storage.write(grant(5, cause="a"))
    # Another bot that opens the database does this, after this one has lost its connections unnoticed.
    do(address, "UPDATE meta SET opening = opening + 1")
    for cause in ("b", "c"):
        with pytest.raises(StorageUnavailableError, match="another bot has opened the database"):
            await storage.write(grant(5, cause=cause))
    assert len(told) == 1
    assert isinstance(told[0], StoreFatalError)
    assert ask(address, "SELECT balance FROM account WHERE kind = 'wallet'") == [(5,)]
    await database.close()


async def test_a_database_that_was_put_back_from_a_dump_knows_it(address: str, tmp_path: Path) -> None:
    await (await PostgresDatabase.open(address)).close()
    again = await PostgresDatabase.open(address)
    assert not await SqlStorage(again).read(lambda tx: tx.timers.restored())
    await again.close()
    with psycopg.connect(DATABASES.server.address("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE put_back TEMPLATE {name_of(address)}".encode())
    copy = await PostgresDatabase.open(DATABASES.server.address("put_back"))
    assert await SqlStorage(copy).read(lambda tx: tx.timers.restored())
    await SqlStorage(copy).write(lambda tx: tx.timers.begin_epoch("e1", copied_at=AT, at=AT))
    assert not await SqlStorage(copy).read(lambda tx: tx.timers.restored())
    await copy.close()


async def test_a_dump_that_is_put_back_into_its_own_database_is_known_too(address: str, tmp_path: Path) -> None:
    before = await PostgresDatabase.open(address)
    await SqlStorage(before).write(grant(5, cause="a"))
    await before.close()
    dump = tmp_path / "chaipo.dump"
    run_program("pg_dump", "--format=custom", f"--file={dump}", address)
    do(address, "DELETE FROM heartbeat")
    run_program("pg_restore", "--clean", "--if-exists", "--single-transaction", f"--dbname={address}", dump)
    again = await PostgresDatabase.open(address)
    assert await SqlStorage(again).read(lambda tx: (tx.timers.restored(), tx.ledger.wallet(GUILD, ANN))) == (True, 5)
    await again.close()
    assert inspect(address, secrets=None).report.findings == ()


async def test_an_owner_is_forgotten_while_the_bot_does_not_run(address: str, database: PostgresDatabase) -> None:
    await database.claim("123")
    with pytest.raises(StoreError, match="is the database of the application 123"):
        await database.claim("456")
    with pytest.raises(StoreBusyError):
        await asyncio.to_thread(clear_owner, address)
    await database.close()
    assert clear_owner(address) == "123"
    assert clear_owner(address) is None


# trouble


async def test_a_connection_that_was_cut_is_made_again_and_nobody_is_told(
    address: str, database: PostgresDatabase
) -> None:
    storage = SqlStorage(database)
    await storage.write(grant(5, cause="a"))
    await storage.read(lambda tx: tx.timers.alive_at())
    cut(address)
    await storage.write(grant(5, cause="b"))
    assert await storage.read(lambda tx: tx.ledger.wallet(GUILD, ANN)) == 10


async def test_a_server_that_is_gone_is_trouble_until_it_is_back(address: str, database: PostgresDatabase) -> None:
    storage = SqlStorage(database)
    await storage.write(grant(5, cause="a"))
    DATABASES.server.do("postgres", f"ALTER DATABASE {name_of(address)} ALLOW_CONNECTIONS false")
    cut(address)
    for _ in range(3):
        with pytest.raises(StorageUnavailableError, match="cannot be reached"):
            await storage.write(grant(5, cause="b"))
        with pytest.raises(StorageUnavailableError, match="cannot be reached"):
            await storage.read(lambda tx: tx.timers.alive_at())
    DATABASES.server.do("postgres", f"ALTER DATABASE {name_of(address)} ALLOW_CONNECTIONS true")
    await _until(lambda: storage.write(grant(5, cause="b")))
    assert await storage.read(lambda tx: tx.ledger.wallet(GUILD, ANN)) == 10


async def _until(attempt: Callable[[], object]) -> None:
    for _ in range(100):
        with suppress(StorageUnavailableError):
            await attempt()  # type: ignore[misc]  # it is given what can be awaited
            return
        await asyncio.sleep(0.1)
    raise AssertionError("it did not come back by itself")


async def test_a_database_that_can_only_be_read_says_so_until_it_can_be_written(
    address: str, database: PostgresDatabase
) -> None:
    storage = SqlStorage(database)
    name = name_of(address)
    DATABASES.server.do("postgres", f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    cut(address)
    with pytest.raises(StorageUnavailableError, match=r"is read-only, because .* Name the primary"):
        await storage.write(grant(5, cause="a"))
    assert await storage.read(lambda tx: tx.ledger.wallet(GUILD, ANN)) == 0
    DATABASES.server.do("postgres", f"ALTER DATABASE {name} RESET default_transaction_read_only")
    await _until(lambda: storage.write(grant(5, cause="a")))
    assert await storage.read(lambda tx: tx.ledger.wallet(GUILD, ANN)) == 5


async def test_a_full_disk_is_trouble_that_names_it(address: str, database: PostgresDatabase) -> None:
    do(
        address,
        "CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$",
    )
    do(address, "CREATE TRIGGER full_disk BEFORE INSERT ON account FOR EACH ROW EXECUTE FUNCTION fill()")
    storage = SqlStorage(database)
    with pytest.raises(
        StorageUnavailableError, match=r"there is no space left for .*. Free some space on its server's disk"
    ):
        await storage.write(grant(5, cause="a"))
    do(address, "DROP TRIGGER full_disk ON account")
    do(address, "DROP FUNCTION fill")
    await storage.write(grant(5, cause="a"))


@pytest.fixture
def relay(address: str) -> Iterator[Relay]:
    """The way to the server."""
    relay = Relay(address)
    yield relay
    relay.close()


async def test_a_commit_whose_answer_was_lost_is_asked_for_and_not_done_twice(relay: Relay) -> None:
    database = await PostgresDatabase.open(relay.address)
    storage = SqlStorage(database)
    await storage.write(grant(5, cause="a"))
    runs: list[int] = []

    def job(tx: Tx) -> str:
        runs.append(1)
        grant(5, cause="b")(tx)
        return "done"

    relay.commits = [Cut.AFTER]
    assert await storage.write(job) == "done"
    assert (relay.commits, runs) == ([], [1])
    assert await storage.read(lambda tx: tx.ledger.wallet(GUILD, ANN)) == 10
    await database.close()


# refusals at the start


async def test_the_database_of_another_program_is_left_alone(address: str) -> None:
    DATABASES.server.do("postgres", "CREATE DATABASE strange")
    strange = DATABASES.server.address("strange")
    do(strange, "CREATE TABLE invoice (number BIGINT)")
    with pytest.raises(StoreError, match="belongs to another program"):
        await PostgresDatabase.open(strange)
    assert ask(strange, "SELECT COUNT(*) FROM pg_tables WHERE schemaname = 'public'") == [(1,)]


async def test_the_database_of_a_newer_bot_is_refused(address: str) -> None:
    do(address, "UPDATE meta SET schema = 9999")
    with pytest.raises(StoreError, match="was written by a newer version of the bot"):
        await PostgresDatabase.open(address)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("postgresql://chaipo:secret@127.0.0.1:1/chaipo", "cannot be reached"),
        ("postgresql://chaipo:secret@nowhere.invalid/chaipo", "cannot be reached"),
    ],
)
async def test_a_server_that_is_not_there_is_named_without_its_password(address: str, why: str) -> None:
    with pytest.raises(StoreUnavailableError, match=why) as refused:
        await PostgresDatabase.open(address)
    assert "secret" not in str(refused.value)


async def test_a_database_that_is_not_there_is_no_trouble_that_passes(address: str) -> None:
    with pytest.raises(StoreError, match="Check CHAIPO_DATABASE") as refused:
        await PostgresDatabase.open(DATABASES.server.address("not_there"))
    assert not isinstance(refused.value, StoreUnavailableError)


async def test_without_its_extra_the_start_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"names a PostgreSQL database. Install .* first"):
        await open_database("postgresql://127.0.0.1/chaipo")


# checking


def lines(address: str) -> list[str]:
    """Return the findings of a check."""
    return [finding.line for finding in inspect(address, secrets=None).report.findings]


async def test_a_check_changes_nothing_and_finds_what_is_missing_and_what_is_strange(address: str) -> None:
    await (await PostgresDatabase.open(address)).close()
    assert lines(address) == []
    do(address, "DROP TRIGGER table_log_is_final_update ON table_log")
    assert lines(address) == ["the trigger table_log_is_final_update is missing"]
    do(address, "CREATE TABLE note (text TEXT)")
    assert lines(address) == [
        "the trigger table_log_is_final_update is missing",
        "the table note is not one of the bot's",
    ]
    do(address, "ALTER TABLE account DROP CONSTRAINT account_never_negative")
    assert "the constraint account_never_negative is missing" in lines(address)


async def test_a_check_asks_the_books(address: str, database: PostgresDatabase) -> None:
    await SqlStorage(database).write(grant(5, cause="a"))
    do(address, "UPDATE account SET balance = 6 WHERE kind = 'wallet'")
    assert "the wallet account of '1001' holds 6 chips, but its transfers add up to 5" in lines(address)[0]
    assert await SqlStorage(database).unbalanced() == [GUILD]


# the command line


async def test_check_is_told_an_address(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHAIPO_KEY_FILE", str(tmp_path / "chaipo.key"))
    await (await PostgresDatabase.open(address)).close()
    assert main(["check", address]) == 0
    assert "is in order" in capsys.readouterr().out


def test_a_copy_is_the_work_of_postgresqls_own_programs(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHAIPO_DATABASE", address)
    assert main(["backup", str(tmp_path)]) == ANOTHERS_WORK
    assert "pg_dump" in capsys.readouterr().err


async def test_a_bot_that_is_told_to_stop_while_it_waits_for_its_database_says_so(
    address: str, database: PostgresDatabase, tmp_path: Path
) -> None:
    settings = {"DISCORD_TOKEN": "none", "CHAIPO_DATABASE": address, "CHAIPO_SHARDS": "2", "CHAIPO_WORKERS": "0"}
    waiting = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot"),
        env={**os.environ, **settings, "CHAIPO_KEY_FILE": str(tmp_path / "chaipo.key")},
        stderr=asyncio.subprocess.PIPE,
    )
    here = f"SELECT COUNT(DISTINCT application_name) FROM pg_stat_activity WHERE datname = '{name_of(address)}'"
    while ask(address, f"{here} AND application_name LIKE 'chaipo %'") != [(2,)]:
        assert waiting.returncode is None
        await asyncio.sleep(0.1)
    waiting.send_signal(signal.SIGTERM)
    _, said = await waiting.communicate()
    assert waiting.returncode == 0, said
    assert b"told to stop while it was waiting for its database" in said


def _mores(sql: PostgresSql, *, asked: str, number: int) -> list[int]:
    return [row["more"] for row in sql.all(asked, number=number)]


async def test_a_statement_that_was_to_be_prepared_when_another_failed_is_prepared_later(address: str) -> None:
    server = ConnectionFactory(address)
    server.open(MIGRATIONS)
    line = TransactionRunner(server)
    asked = "SELECT CAST(:number AS BIGINT) + 1 AS more"

    def fails(sql: PostgresSql) -> None:
        sql.run("SELECT 1 / 0 AS never")
        for _ in range(OFTEN + 1):
            sql.run(asked, number=1)
        sql.one(asked, number=1)

    for _ in range(2):
        with pytest.raises(psycopg.errors.DivisionByZero):
            line.read(fails)
    for number in range(OFTEN + 2):
        rows = line.read(partial(_mores, asked=asked, number=number))
        assert rows == [number + 1]
    prepared = line.read(lambda sql: sql.one("SELECT COUNT(*) AS many FROM pg_prepared_statements"))
    assert prepared is not None
    assert prepared["many"] > 0
    line.close()
    server.close()


async def test_the_oldest_of_too_many_statements_is_let_go(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipe, "STATEMENTS", 5)
    server = ConnectionFactory(address)
    server.open(MIGRATIONS)
    line = TransactionRunner(server)

    def many(sql: PostgresSql) -> list[int]:
        rows = [sql.one(f"SELECT CAST(:value AS BIGINT) + {n} AS more", value=n) for n in range(20) for _ in range(4)]
        return [row["more"] for row in rows if row is not None]

    assert line.read(many) == [2 * n for n in range(20) for _ in range(4)]
    prepared = line.read(lambda sql: sql.one("SELECT COUNT(*) AS many FROM pg_prepared_statements"))
    assert prepared is not None
    assert 0 < prepared["many"] <= 5
    line.close()
    server.close()


async def test_values_come_back_as_they_were_given(address: str) -> None:
    server = ConnectionFactory(address)
    server.open(MIGRATIONS)
    line = TransactionRunner(server)
    statement = (
        "SELECT CAST(:text AS TEXT) AS text, CAST(:data AS BYTEA) AS data, :number + 0 AS number, '100%' AS rest"
    )
    text, data, number = "a'b%(c)s ♠ $1", b"\0\xff\\x", -(2**63)
    row = line.read(lambda sql: sql.one(statement, text=text, data=data, number=number))
    assert row is not None
    assert list(row.keys()) == ["text", "data", "number", "rest"]
    assert list(row) == [text, data, number, "100%"]
    with pytest.raises(psycopg.DataError, match="NUL"):
        line.read(lambda sql: sql.one("SELECT CAST(:text AS TEXT) AS text", text="a\0b"))
    line.close()
    server.close()
