"""Databases written by earlier versions of the bot, which are upgraded and whose hands are continued.

Each schema except the newest has one. A bot with one migration more treats one written today as old.

``golden/schema-N.db`` was written when N was the newest schema, with its key next to it: a club in the middle of its
evening. ``golden_database.py`` writes them. The same code computed the result of the running hand.
"""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from bot.model.hands import HandState
from bot.model.tables import TableState
from bot.pure.rating.model import MODEL
from bot.run.cli.sealed import opened_by
from bot.store.sqlite.backup import restore
from bot.store.sqlite.check import check
from bot.store.sqlite.database import MIGRATIONS, SqliteDatabase
from bot.store.sqlite.files import reading
from bot.store.sqlite.migrate import numbered, schema_version
from bot.store.vault import SeedVault
from tests.play.world import START, World
from tests.store.golden_database import (
    GOLDEN,
    LATER_MS,
    LOBBY,
    RUNNING,
    GoldenError,
    before_upgrade,
    ends_in,
    ends_of,
    of_events,
    play_evening,
    played_out,
    versions,
    world_of,
    write,
    write_today,
)
from tests.store.older import followed
from tests.store.played_databases import HERE, played, put_key

pytestmark = pytest.mark.of_sqlite

ONLY_IN_TROUBLE = {"outage", "epoch", "frozen_server"}
ONLY_WITH_SEVERAL_PROCESSES = {"process", "shard_lease", "login_gate", "heir"}
ONLY_WHILE_SOMEBODY_IS_DELETED = {"leaving"}


def schema(path: Path) -> list[tuple[str, str, str]]:
    """Everything that the file says of its schema; blanks mean nothing."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").fetchall()
    return [(kind, name, " ".join((sql or "").split())) for kind, name, sql in rows]


def findings(world: World) -> list[str]:
    """Return errors in a world's database, after replaying its running hands."""
    with reading(world.path) as connection:
        report = check(connection, world.migrations, secrets=opened_by(SeedVault.open(world.key_file)))
    assert report.not_checked == ()
    return [finding.line for finding in report.findings]


def test_every_schema_but_the_newest_has_its_golden_file() -> None:
    newest = len(numbered(MIGRATIONS))
    missing = {*range(1, newest)} - {*versions()}
    assert not missing, f"where no later migration is there yet: python -m tests.store.golden_database {max(missing)}"
    for version in versions():
        with closing(sqlite3.connect(f"{(GOLDEN / f'schema-{version}.db').as_uri()}?mode=ro", uri=True)) as connection:
            assert schema_version(connection) == version


@pytest.mark.parametrize("version", versions())
async def test_an_old_database_has_the_schema_of_a_new_one_afterwards(version: int, tmp_path: Path) -> None:
    world = world_of(version, tmp_path)
    await world.open()
    await world.close()
    fresh = await SqliteDatabase.open(tmp_path / "fresh.db")
    await fresh.close()
    assert schema(world.path) == schema(tmp_path / "fresh.db")
    assert any(kind == "trigger" for kind, _, _ in schema(world.path))


@pytest.mark.parametrize("version", versions())
async def test_a_hand_that_an_old_bot_dealt_is_played_to_its_end(version: int, tmp_path: Path) -> None:
    world = world_of(version, tmp_path)
    await world.open()
    assert findings(world) == []
    assert await played_out(world) == ends_of(version)
    await world.next_hand(RUNNING)
    await world.play_hand(RUNNING)
    await world.play.close(RUNNING, reason="closed_by_admin")
    await world.start(LOBBY)
    await world.play_hand(LOBBY)
    world.check_books()
    assert findings(world) == []
    await world.close()


@pytest.mark.parametrize("version", versions())
async def test_an_evening_that_an_old_bot_began_is_played_on(version: int, tmp_path: Path) -> None:
    world = world_of(version, tmp_path)
    await world.open()
    await play_evening(world)
    assert findings(world) == []
    await world.close()


@pytest.mark.parametrize("version", versions())
def test_an_old_database_is_checked_and_asked_for_its_keys_before_its_upgrade(version: int, tmp_path: Path) -> None:
    world = world_of(version, tmp_path)
    assert before_upgrade(world) == []
    world.do(f"UPDATE {of_events(version)} SET phase = 'ended' WHERE name = 'Evening'")
    assert any("its event is over" in line for line in before_upgrade(world))


async def test_badges_for_places_without_a_card_are_gone_after_the_upgrade(tmp_path: Path) -> None:
    world = world_of(6, tmp_path)
    for n in range(3, 9):
        world.do(
            "INSERT INTO entrant SELECT guild_id, event_id, ?, state, registered_at, cause, adds, entries, ?, seeded, "
            "score, hands, out_moment, out_stack, out_order, ?, 0, 0, head, bounties, disqualified, penalty, move_to, "
            "absent, ?, 0 FROM entrant WHERE event_id = 1 AND player = '2002'",
            f"300{n}",
            n,
            n,
            n,
        )
    given = [("2001", "event_podium"), ("2001", "big_event_won"), ("2002", "event_podium"), ("3003", "event_podium")]
    for player, badge in given:
        world.do(f"INSERT INTO badge VALUES (700, '{player}', '{badge}', 1800000102000, 0, 0, 0)")
    await world.open()
    with reading(world.path) as connection:
        kept = connection.execute("SELECT player, badge FROM badge ORDER BY player, badge").fetchall()
    assert [tuple(row) for row in kept] == [
        ("1001", "daily_week"),
        ("1001", "whole_table"),
        ("2001", "event_podium"),
        ("2001", "event_won"),
        ("2002", "event_podium"),
    ]
    assert not [line for line in findings(world) if "was not earned" in line]
    await world.close()


async def test_hands_without_a_lesson_are_not_counted_as_rated_after_the_upgrade(tmp_path: Path) -> None:
    world = world_of(7, tmp_path)
    world.do("UPDATE rating SET mean = mean + 1 WHERE guild_id = 700")
    world.do("UPDATE result SET lesson = 0 WHERE guild_id = 700 AND lesson = 1")
    await world.open()
    with reading(world.path) as connection:
        (row,) = connection.execute("SELECT SUM(hands), SUM(lessons) FROM versus WHERE guild_id = 700").fetchall()
        (model,) = connection.execute("SELECT model FROM rating_book WHERE guild_id = 700").fetchone()
    assert row[0] > row[1] > 0
    assert model == MODEL
    assert findings(world) == [], "the ratings are recomputed"
    await world.close()


@pytest.mark.parametrize("version", versions())
async def test_an_old_copy_is_restored_and_upgraded(version: int, tmp_path: Path) -> None:
    world = world_of(version, tmp_path)
    copy = tmp_path / "old.db"
    world.path.rename(copy)
    restore(world.path, copy, MIGRATIONS, now=datetime(2030, 1, 1, tzinfo=UTC))
    await world.open()
    assert (await world.record(RUNNING, 2)).state is HandState.VOID
    assert (await world.play.look(LOBBY)).table.state is TableState.LOBBY
    assert findings(world) == []
    await world.close()


async def test_a_database_of_today_is_brought_up_to_a_later_schema_and_played_on(tmp_path: Path) -> None:
    newest = len(numbered(MIGRATIONS))
    await write_today(tmp_path)
    (tmp_path / "bot").mkdir()
    world = world_of(newest, tmp_path / "bot", golden=tmp_path)
    # A column with a value for existing rows, and a recreated index.
    world.migrations = followed(
        tmp_path / "migrations",
        "ALTER TABLE hand ADD COLUMN made_up INTEGER NOT NULL DEFAULT 7; DROP INDEX timer_by_due; "
        "CREATE INDEX timer_by_due ON timer (due_at, kind); UPDATE hand SET made_up = made_up + hand_no",
    )
    await world.open()
    assert world.ask("SELECT DISTINCT made_up - hand_no FROM hand") == [(7,)]
    assert (tmp_path / "bot" / f"chaipo.db.v{newest}.bak").exists()
    assert findings(world) == []
    assert await played_out(world) == ends_of(newest, golden=tmp_path)
    await world.close()
    fresh = await SqliteDatabase.open(tmp_path / "fresh.db", migrations=world.migrations)
    await fresh.close()
    assert schema(world.path) == schema(tmp_path / "fresh.db")


async def test_a_hand_that_a_bot_dealt_long_ago_ends_as_that_bot_said(tmp_path: Path) -> None:
    played("tables", tmp_path / "chaipo.db")
    put_key("tables", tmp_path / "chaipo.key")
    world = World(tmp_path, now=START + LATER_MS, causes=(f"later {number}" for number in count()))
    await world.open()
    assert findings(world) == []
    assert await played_out(world) == ends_in(HERE / "tables.ends.json")
    await world.next_hand(RUNNING)
    await world.play_hand(RUNNING)
    world.check_books()
    assert findings(world) == []
    await world.close()


async def test_a_golden_database_written_today_is_played_on_as_it_says_and_has_rows_of_every_kind(
    tmp_path: Path,
) -> None:
    newest = len(numbered(MIGRATIONS))
    written = await write_today(tmp_path)
    assert [path.name for path in written] == [
        f"schema-{newest}.{ending}" for ending in ("db", "key", "dump", "ends.json")
    ]
    (tmp_path / "bot").mkdir()
    world = world_of(newest, tmp_path / "bot", golden=tmp_path)
    await world.open()
    assert findings(world) == []
    assert {name for name, rows in world.dump().items() if not rows} == (
        ONLY_IN_TROUBLE | ONLY_WITH_SEVERAL_PROCESSES | ONLY_WHILE_SOMEBODY_IS_DELETED
    )
    assert await played_out(world) == ends_of(newest, golden=tmp_path)
    await world.close()


async def test_a_golden_database_is_written_once_and_by_the_code_of_its_schema(tmp_path: Path) -> None:
    newest = len(numbered(MIGRATIONS))
    (tmp_path / f"schema-{newest}.dump").touch()
    with pytest.raises(GoldenError, match="never written again"):
        await write(newest, golden=tmp_path)
    with pytest.raises(GoldenError, match=f"writes schema {newest}, not {newest - 1}"):
        await write(newest - 1, golden=tmp_path)
    assert (tmp_path / f"schema-{newest}.dump").read_bytes() == b""
    assert not (tmp_path / f"schema-{newest}.db").exists()
