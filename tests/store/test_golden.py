"""Databases that earlier versions of the bot wrote: they are brought up to date, and the hand in them is played on.

``golden/schema-N.db`` was written by the code of the time when N was the newest schema, with its key beside it: a table
that has closed, one in the middle of its second hand with chips in front of its players, and one that waits elsewhere.
What the running hand came to was computed by that code too. A golden file is never changed afterwards.
"""

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from bot.play.choices import Server, Wishes
from bot.play.model import HandState, Player, TableId, TableKey, TableState
from bot.store.sqlite.backup import restore
from bot.store.sqlite.check import check
from bot.store.sqlite.database import MIGRATIONS, Database
from bot.store.sqlite.files import reading
from bot.store.sqlite.migrate import numbered, schema_version
from bot.store.vault import SeedVault
from tests.play.world import ANN, BOB, CLEO, GUILD, OTHER_GUILD, START, World

GOLDEN = Path(__file__).parent / "golden"
RUNNING = TableKey(guild=GUILD, table=TableId(2))
LOBBY = TableKey(guild=OTHER_GUILD, table=TableId(1))

Results = dict[Player, tuple[int, int, bool]]
"""Points, chips, foul."""
ENDS: dict[int, tuple[Results, dict[Player, int]]] = {
    1: ({ANN: (12, 120, False), BOB: (-6, -60, True), CLEO: (-6, -60, True)}, {ANN: 1240, BOB: 880, CLEO: 880}),
    2: ({ANN: (0, 0, False), BOB: (2, 20, False), CLEO: (-2, -20, False)}, {ANN: 1120, BOB: 960, CLEO: 920}),
    3: ({ANN: (7, 70, False), BOB: (5, 50, False), CLEO: (-12, -120, True)}, {ANN: 1010, BOB: 1170, CLEO: 820}),
    4: ({ANN: (0, 0, False), BOB: (12, 120, False), CLEO: (-12, -120, True)}, {ANN: 940, BOB: 1240, CLEO: 820}),
    5: ({ANN: (12, 120, False), BOB: (0, 0, False), CLEO: (-12, -120, True)}, {ANN: 1060, BOB: 940, CLEO: 1000}),
    6: ({ANN: (12, 120, False), BOB: (-6, -60, True), CLEO: (-6, -60, True)}, {ANN: 1240, BOB: 880, CLEO: 880}),
}
"""What the running hand comes to when everybody lays plainly, and the stacks after it."""


def world_of(version: int, folder: Path) -> World:
    """A bot that finds the files of that version in its folder."""
    shutil.copy(GOLDEN / f"schema-{version}.db", folder / "chaipo.db")
    shutil.copy(GOLDEN / f"schema-{version}.key", folder / "chaipo.key")
    (folder / "chaipo.key").chmod(0o600)
    return World(folder, now=START + 60_000, causes=(f"later {number}" for number in count()))


def schema(path: Path) -> list[tuple[str, str, str]]:
    """Everything that the file says of its schema; blanks mean nothing."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").fetchall()
    return [(kind, name, " ".join((sql or "").split())) for kind, name, sql in rows]


def findings(world: World) -> list[str]:
    """What is wrong with a world's database; its running hands are replayed."""
    with reading(world.path) as connection:
        report = check(connection, MIGRATIONS, vault=SeedVault.open(world.key_file))
    assert report.not_checked == ()
    return [finding.line for finding in report.findings]


def test_every_schema_but_the_newest_has_its_golden_file() -> None:
    newest = len(numbered(MIGRATIONS))
    assert {*ENDS} >= {*range(1, newest)}
    for version in ENDS:
        with closing(sqlite3.connect(f"{(GOLDEN / f'schema-{version}.db').as_uri()}?mode=ro", uri=True)) as connection:
            assert schema_version(connection) == version


@pytest.mark.parametrize("version", ENDS)
async def test_an_old_database_has_the_schema_of_a_new_one_afterwards(version: int, tmp_path: Path) -> None:
    world = world_of(version, tmp_path)
    await world.open()
    await world.close()
    fresh = await Database.open(tmp_path / "fresh.db")
    await fresh.close()
    assert schema(world.path) == schema(tmp_path / "fresh.db")
    assert any(kind == "trigger" for kind, _, _ in schema(world.path))


async def test_what_was_chosen_before_there_was_more_to_choose_is_kept_and_nobody_is_welcomed_again(
    tmp_path: Path,
) -> None:
    world = world_of(5, tmp_path)
    await world.open()
    assert await world.play.server(GUILD) == Server(organiser_role=2**60, zone="Asia/Tokyo", welcomed_at=0)
    assert await world.play.server(OTHER_GUILD) == Server(welcomed_at=0)
    assert await world.play.wishes(GUILD, BOB) == Wishes(reminders=False)
    assert await world.play.wishes(GUILD, ANN) == Wishes()
    await world.close()


@pytest.mark.parametrize("version", ENDS)
async def test_a_hand_that_an_old_bot_dealt_is_played_to_its_end(version: int, tmp_path: Path) -> None:
    world = world_of(version, tmp_path)
    await world.open()
    assert findings(world) == []
    await world.play_hand(RUNNING)
    results, stacks = ENDS[version]
    rows = world.ask("SELECT player, points, chips, foul FROM result WHERE table_id = 2 AND hand_no = 2")
    assert {player: (points, chips, bool(foul)) for player, points, chips, foul in rows} == results
    view = await world.play.look(RUNNING)
    assert {place.seat.player: place.stack for place in view.places} == stacks
    await world.next_hand(RUNNING)
    await world.play_hand(RUNNING)
    await world.play.close(RUNNING, reason="closed_by_admin")
    await world.start(LOBBY)
    await world.play_hand(LOBBY)
    world.check_books()
    assert findings(world) == []
    await world.close()


@pytest.mark.parametrize("version", ENDS)
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
