"""Databases of PostgreSQL that earlier versions of the bot made: put back, brought up to date, and played on.

``golden/schema-N.dump`` holds the rows of ``golden/schema-N.db``, by the steps up to N. The first is 14: before it no
bot could open a database of PostgreSQL.
"""

from pathlib import Path

import pytest

from bot.play.model import HandState, TableState
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.migrate import numbered
from bot.store.upkeep import inspect
from bot.store.vault import SeedVault
from tests.databases import DATABASES, POSTGRES, ask
from tests.play.world import World
from tests.store.golden_database import (
    LOBBY,
    RUNNING,
    assert_badges_are_had,
    dumped,
    earn_before_there_were_badges,
    ends_of,
    played_out,
    world_on_server,
    write,
)

FIRST = 14
"""The first schema that a bot could have in PostgreSQL."""


@pytest.fixture(autouse=True)
def on_a_server() -> None:
    """These are about PostgreSQL alone."""
    DATABASES.kind = POSTGRES


def findings(world: World) -> list[str]:
    """What is wrong with a world's database, and where its schema is not that of a new one; hands are replayed."""
    report = inspect(world.place, vault=SeedVault.open(world.key_file)).report
    assert report.not_checked == ()
    return [finding.line for finding in report.findings]


def test_every_schema_of_postgresql_but_the_newest_has_its_golden_dump() -> None:
    missing = {*range(FIRST, len(numbered(MIGRATIONS)))} - {*dumped()}
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


async def test_careers_of_hands_that_were_played_before_there_were_any_are_counted(tmp_path: Path) -> None:
    world = world_on_server(18, tmp_path)
    earn_before_there_were_badges(world)
    await world.open()
    assert_badges_are_had(world)
    # Three have played two hands for chips, and met each other from either side.
    met = world.ask("SELECT hands, COUNT(*) FROM versus GROUP BY hands")
    assert met == [(2, 6)]
    won = world.ask("SELECT player, SUM(chips) FROM versus GROUP BY player HAVING SUM(chips) <> 0 ORDER BY player")
    assert won == world.ask(
        "SELECT player, SUM(chips) FROM result WHERE ranked = 1 GROUP BY player HAVING SUM(chips) <> 0 ORDER BY player"
    )
    assert won
    await world.close()


async def test_an_old_dump_that_is_put_back_elsewhere_cancels_its_hand(tmp_path: Path) -> None:
    world = world_on_server(FIRST, tmp_path)
    world.do("UPDATE meta SET home = 'another server'")
    await world.open()
    assert (await world.record(RUNNING, 2)).state is HandState.VOID
    assert (await world.play.look(LOBBY)).table.state is TableState.LOBBY
    assert findings(world) == []
    await world.close()


async def test_a_golden_dump_written_today_is_played_on_as_it_says(tmp_path: Path) -> None:
    newest = len(numbered(MIGRATIONS))
    await write(newest, golden=tmp_path)
    (tmp_path / "bot").mkdir()
    world = world_on_server(newest, tmp_path / "bot", golden=tmp_path)
    await world.open()
    assert findings(world) == []
    assert await played_out(world) == ends_of(newest, golden=tmp_path)
    await world.close()
