"""Databases of PostgreSQL that earlier versions of the bot made: put back, brought up to date, and played on.

``golden/schema-N.dump`` holds the rows of ``golden/schema-N.db``, by the steps up to N. Each schema but the newest has
one. One that is written today is older to a bot with one migration more.
"""

from pathlib import Path

import pytest

from bot.model.hands import HandState
from bot.model.tables import TableState
from bot.run.cli.sealed import opened_by
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.migrate import numbered
from bot.store.upkeep import inspect
from bot.store.vault import SeedVault
from tests.databases import DATABASES, POSTGRES, ask
from tests.play.world import World
from tests.store.golden_database import (
    LOBBY,
    RUNNING,
    before_upgrade,
    dumped,
    ends_of,
    of_events,
    play_evening,
    played_out,
    world_on_server,
    write_today,
)
from tests.store.older import followed


@pytest.fixture(autouse=True)
def on_a_server() -> None:
    """Use PostgreSQL for all tests in this file."""
    DATABASES.kind = POSTGRES


def findings(world: World) -> list[str]:
    """Return errors in a world's database, including differences from a new schema, after replaying hands."""
    report = inspect(world.place, secrets=opened_by(SeedVault.open(world.key_file))).report
    assert report.not_checked == ()
    return [finding.line for finding in report.findings]


def test_every_schema_of_postgresql_but_the_newest_has_its_golden_dump() -> None:
    missing = {*range(1, len(numbered(MIGRATIONS)))} - {*dumped()}
    assert not missing, f"where no later migration is there yet: python -m tests.store.golden_database {max(missing)}"


@pytest.mark.parametrize("version", dumped())
async def test_an_old_database_becomes_as_a_new_one_and_its_hand_is_played_to_its_end(
    version: int, tmp_path: Path
) -> None:
    world = world_on_server(version, tmp_path)
    assert ask(world.place, "SELECT schema FROM meta") == [(version,)]
    await world.open()
    assert findings(world) == []
    assert await played_out(world) == ends_of(version)
    await world.next_hand(RUNNING)
    await world.play_hand(RUNNING)
    world.check_books()
    assert findings(world) == []
    await world.close()


@pytest.mark.parametrize("version", dumped())
async def test_an_evening_that_an_old_bot_began_on_a_server_is_played_on(version: int, tmp_path: Path) -> None:
    world = world_on_server(version, tmp_path)
    await world.open()
    await play_evening(world)
    assert findings(world) == []
    await world.close()


@pytest.mark.parametrize("version", dumped())
def test_an_old_database_on_a_server_is_checked_before_its_upgrade(version: int, tmp_path: Path) -> None:
    world = world_on_server(version, tmp_path)
    assert before_upgrade(world) == []
    world.do(f"UPDATE {of_events(version)} SET phase = 'ended' WHERE name = 'Evening'")
    assert any("its event is over" in line for line in before_upgrade(world))


async def test_a_dump_of_today_is_brought_up_to_a_later_schema_and_played_on(tmp_path: Path) -> None:
    newest = len(numbered(MIGRATIONS))
    await write_today(tmp_path)
    (tmp_path / "bot").mkdir()
    world = world_on_server(newest, tmp_path / "bot", golden=tmp_path)
    world.migrations = followed(
        tmp_path / "migrations",
        "ALTER TABLE hand ADD COLUMN made_up INTEGER NOT NULL DEFAULT 7; UPDATE hand SET made_up = made_up + hand_no;",
    )
    await world.open()
    assert world.ask("SELECT DISTINCT made_up - hand_no FROM hand") == [(7,)]
    assert await played_out(world) == ends_of(newest, golden=tmp_path)
    world.check_books()
    await world.close()


async def test_a_dump_that_is_put_back_elsewhere_cancels_its_hand(tmp_path: Path) -> None:
    newest = len(numbered(MIGRATIONS))
    await write_today(tmp_path)
    (tmp_path / "bot").mkdir()
    world = world_on_server(newest, tmp_path / "bot", golden=tmp_path)
    world.do("UPDATE meta SET home = 'another server'")
    await world.open()
    assert (await world.record(RUNNING, 2)).state is HandState.VOID
    assert (await world.play.look(LOBBY)).table.state is TableState.LOBBY
    assert findings(world) == []
    await world.close()


async def test_a_golden_dump_written_today_is_played_on_as_it_says(tmp_path: Path) -> None:
    newest = len(numbered(MIGRATIONS))
    await write_today(tmp_path)
    (tmp_path / "bot").mkdir()
    world = world_on_server(newest, tmp_path / "bot", golden=tmp_path)
    await world.open()
    assert findings(world) == []
    assert await played_out(world) == ends_of(newest, golden=tmp_path)
    await world.close()
