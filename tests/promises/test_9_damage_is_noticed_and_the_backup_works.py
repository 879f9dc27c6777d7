"""Promise 9: damage is noticed, and the backup works: whatever is copied can be put back and played on."""
# No other tasks run on a test's loop.

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from bot.model.hands import HandState
from bot.model.ids import GuildId
from bot.run.cli.sealed import opened_by
from bot.store import StoreError
from bot.store.sqlite.backup import back_up, restore
from bot.store.sqlite.check import check
from bot.store.sqlite.database import MIGRATIONS, SqliteDatabase
from bot.store.vault import SeedVault
from tests.play.world import ANN, BOB, CLEO, GUILD, World

NOW = datetime(2027, 1, 15, tzinfo=UTC)


async def an_evening(folder: Path) -> World:
    """A bot with a settled hand, one in play and a lobby."""
    world = World(folder)
    await world.open()
    key = await world.started(ANN, BOB)
    await world.play_hand(key)
    await world.next_hand(key)
    await world.table(CLEO)
    return world


@pytest.mark.of_sqlite
async def test_promise_9_a_copy_of_a_bot_that_runs_is_put_back_and_played_on(tmp_path: Path) -> None:
    world = await an_evening(tmp_path)
    copy = tmp_path / "copy.db"
    vault = SeedVault.open(world.key_file)
    assert back_up(world.path, copy, MIGRATIONS, secrets=opened_by(vault)).report.findings == ()
    key = (await world.play.open_tables(GUILD))[0].key
    await world.place_cards(key, await world.turn(key))
    await world.close()
    restore(world.path, copy, MIGRATIONS, now=NOW)
    await world.open()
    view = await world.play.look(key)
    assert (await world.record(key, 2)).state is HandState.VOID
    assert view.next_hand_at is not None
    await world.later(view.next_hand_at - world.now)
    await world.play_hand(key)
    view = await world.play.look(key)
    assert (await world.record(key, view.table.hand_no)).state is HandState.SETTLED
    world.check_books()
    with closing(sqlite3.connect(world.path)) as connection:
        connection.row_factory = sqlite3.Row
        assert check(connection, MIGRATIONS, secrets=opened_by(vault)).findings == ()
    await world.close()


@pytest.mark.of_sqlite
@pytest.mark.parametrize("seed", range(12))
async def test_promise_9_a_file_with_a_torn_page_is_refused_or_as_it_was(tmp_path: Path, seed: int) -> None:
    world = await an_evening(tmp_path)
    before = world.dump()
    await world.close()
    chance = Random(seed)
    content = bytearray(world.path.read_bytes())
    page = chance.randrange(0, len(content) // 4096) * 4096
    content[page : page + 4096] = chance.randbytes(4096)
    world.path.write_bytes(content)
    refused = None
    try:
        await (await SqliteDatabase.open(world.path)).close()
    except StoreError as error:
        refused = str(error)
    if refused is not None:
        assert "restore" in refused or "another program" in refused
        return
    with closing(sqlite3.connect(world.path)) as connection:
        found = {name: connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2, 3").fetchall() for name in before}
    assert found == before, "what was opened is what was stored: a page that nothing stood on"


@pytest.mark.of_sqlite
async def test_promise_9_a_file_that_was_cut_off_is_refused_with_the_way_back(tmp_path: Path) -> None:
    world = await an_evening(tmp_path)
    await world.close()
    content = world.path.read_bytes()
    world.path.write_bytes(content[: len(content) // 2])
    with pytest.raises(StoreError, match="python -m bot restore"):
        await SqliteDatabase.open(world.path)


@pytest.mark.of_sqlite
async def test_promise_9_chips_that_appear_from_outside_are_found_while_the_bot_runs(tmp_path: Path) -> None:
    world = await an_evening(tmp_path)
    world.do("UPDATE account SET balance = balance + 1000 WHERE kind = 'wallet' AND owner = ?", ANN)
    assert await world.clock.audit_books() == {GuildId(GUILD)}
    with closing(sqlite3.connect(world.path)) as connection:
        connection.row_factory = sqlite3.Row
        report = check(connection, MIGRATIONS, secrets=None)
    assert report.findings
    await world.close()
