"""The upgrade of a played club on a server: killed before its commit, and with processes of the version before."""
# ruff: noqa: ASYNC220, ASYNC251  # Nobody else runs on a test's loop.

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

import bot
from bot.store import StoreError
from bot.store.postgres.database import PostgresDatabase
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.migrate import numbered
from tests.databases import DATABASES, POSTGRES, ask, everything
from tests.store.golden_database import play_evening, world_on_server
from tests.store.older import followed, without_last

NEWEST = len(numbered(MIGRATIONS))
OPEN = """
import asyncio, sys
from pathlib import Path
from bot.store.postgres.database import PostgresDatabase
asyncio.run(PostgresDatabase.open(sys.argv[1], migrations=Path(sys.argv[2])))
"""
ASLEEP = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"


@pytest.fixture(autouse=True)
def on_a_server() -> None:
    """Use PostgreSQL for all tests in this file."""
    DATABASES.kind = POSTGRES


@pytest.mark.skipif(os.name != "posix", reason="there is no kill to be survived")
async def test_an_upgrade_killed_before_its_commit_changes_nothing_and_the_next_start_completes_it(
    tmp_path: Path,
) -> None:
    world = world_on_server(1, tmp_path)
    place = str(world.place)
    before = everything(place)
    # Sleeps once all steps are made.
    migrations = followed(tmp_path / "migrations", "SELECT pg_sleep(10);")
    command = [sys.executable, "-c", OPEN, place, str(migrations)]
    with subprocess.Popen(command, cwd=Path(bot.__file__).parents[1]) as process:
        while not (asleep := ask(place, ASLEEP)):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    # A server on another machine would take longer to notice the lost connection.
    with psycopg.connect(place, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", asleep[0])
    assert everything(place) == before
    assert ask(place, "SELECT schema FROM meta") == [(1,)]
    await world.open()
    assert ask(place, "SELECT schema FROM meta") == [(NEWEST,)]
    await play_evening(world)
    await world.close()


async def test_beside_processes_of_the_version_before_no_newer_one_starts_and_nothing_is_changed(
    tmp_path: Path,
) -> None:
    place = str(world_on_server(NEWEST - 1, tmp_path).place)
    old = without_last(tmp_path / "migrations")
    first = await PostgresDatabase.open(place, migrations=old, shared=True)
    first.server.share()
    second = await PostgresDatabase.open(place, migrations=old, shared=True)
    before = everything(place)
    others = "other processes have .* open with schema {}, but this version needs {}. Stop them all, then start them "
    for running in (first, second):
        with pytest.raises(StoreError, match=others.format(NEWEST - 1, NEWEST)):
            await PostgresDatabase.open(place, shared=True)
        assert everything(place) == before
        assert await running.write(lambda sql: sql.schema()) == NEWEST - 1
        await running.close()
    newer = await PostgresDatabase.open(place, shared=True)
    newer.server.share()
    assert ask(place, "SELECT schema FROM meta") == [(NEWEST,)]
    with pytest.raises(StoreError, match=others.format(NEWEST, NEWEST - 1)):
        await PostgresDatabase.open(place, migrations=old, shared=True)
    await newer.close()
