"""Moving a whole database, from SQLite to PostgreSQL and back: every row arrives, and nothing is half there."""

import asyncio
from pathlib import Path

import pytest

from bot.store import StoreError
from bot.store.move import ROWS, move
from bot.store.opening import Place, open_database
from bot.store.sqlite.copy_mark import COPY_ID
from tests.databases import DATABASES, POSTGRES, ask, do, everything
from tests.store.golden_database import lived as lived_in

pytestmark = pytest.mark.of_sqlite


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A database with rows of every kind, as bytes."""
    return asyncio.run(lived_in(tmp_path_factory.mktemp("lived"))).path.read_bytes()


@pytest.fixture
def source(lived: bytes, tmp_path: Path) -> Path:
    """A database with a row in each table that a golden database has rows in."""
    path = tmp_path / "source.db"
    path.write_bytes(lived)
    return path


@pytest.fixture
def server(tmp_path: Path) -> Place:
    """An empty PostgreSQL database."""
    DATABASES.kind = POSTGRES
    return DATABASES.place_in(tmp_path)


def silent(_: str, __: int) -> None:
    """Ignore the progress."""


def content(path: Path) -> bytes:
    """The bytes of a file."""
    return path.read_bytes()


async def test_what_goes_to_postgresql_and_back_is_the_same_database(
    source: Path, server: Place, tmp_path: Path
) -> None:
    there = await move(source, server, progress=silent)
    assert there.report.findings == ()
    back = await move(server, tmp_path / "back.db", progress=silent)
    assert back.report.findings == ()
    assert everything(server) == everything(source) == everything(tmp_path / "back.db")
    assert len([rows for rows in everything(source).values() if rows]) > 20


async def test_new_rows_are_numbered_behind_those_that_were_moved(source: Path, server: Place) -> None:
    await move(source, server, progress=silent)
    last = ask(source, "SELECT MAX(account_id) FROM account")[0][0]
    do(server, "INSERT INTO account (guild_id, kind, owner) VALUES (1, 'wallet', 'x')")
    assert ask(server, "SELECT account_id FROM account WHERE owner = 'x'") == [(last + 1,)]


async def test_a_target_with_something_in_it_is_refused(source: Path, server: Place) -> None:
    do(server, "INSERT INTO server (guild_id, zone) VALUES (1, '')")
    with pytest.raises(StoreError, match=r"is not empty\. Name a new database"):
        await move(source, server, progress=silent)
    assert ask(server, "SELECT COUNT(*) FROM account") == [(0,)]


async def test_a_move_writes_nothing_into_its_source(source: Path, tmp_path: Path) -> None:
    before = content(source)
    await move(source, tmp_path / "there.db", progress=silent)
    assert content(source) == before
    assert everything(tmp_path / "there.db") == everything(source)


async def test_a_source_that_is_refused_is_not_written_either_and_no_target_is_made(
    source: Path, tmp_path: Path
) -> None:
    do(source, f"PRAGMA application_id = {COPY_ID}")
    before = content(source)
    with pytest.raises(StoreError, match=r"is a copy that no bot has started on\. Start the bot on it once"):
        await move(source, tmp_path / "there.db", progress=silent)
    assert content(source) == before
    assert not (tmp_path / "there.db").exists()


async def test_a_source_of_an_older_schema_is_not_brought_up_to_date(source: Path, tmp_path: Path) -> None:
    do(source, "PRAGMA user_version = 0")
    before = content(source)
    with pytest.raises(StoreError, match=r"is of an older version\. Start the bot on it once, then move it"):
        await move(source, tmp_path / "there.db", progress=silent)
    assert content(source) == before


async def test_a_move_that_was_cut_short_goes_on_and_no_bot_starts_on_half_of_it(source: Path, server: Place) -> None:
    with_rows = "table_log"

    def stop(table: str, _: int) -> None:
        if table == with_rows:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await move(source, server, progress=stop)
    database = await open_database(server)
    with pytest.raises(StoreError, match=f"is the database of a move from {source} that was interrupted"):
        await database.claim("1")
    await database.close()
    await move(source, server, progress=silent)
    assert everything(server) == everything(source)


async def test_a_move_back_that_was_cut_short_goes_on_too(source: Path, server: Place, tmp_path: Path) -> None:
    def stop(table: str, _: int) -> None:
        if table == "table_log":
            raise KeyboardInterrupt

    await move(source, server, progress=silent)
    with pytest.raises(KeyboardInterrupt):
        await move(server, tmp_path / "back.db", progress=stop)
    await move(server, tmp_path / "back.db", progress=silent)
    assert everything(tmp_path / "back.db") == everything(source)


async def test_half_a_move_is_no_target_for_another(source: Path, server: Place, tmp_path: Path) -> None:
    do(server, "INSERT INTO owner (one, name) VALUES (1, 'move from elsewhere.db')")
    with pytest.raises(
        StoreError, match=r"contains the first part of a move from elsewhere\.db\. Finish that move first"
    ):
        await move(source, server, progress=silent)
    with pytest.raises(StoreError, match=r"is itself the target of an unfinished move\. Finish that move first"):
        await move(server, tmp_path / "back.db", progress=silent)


async def test_a_copy_that_differs_is_not_used(source: Path, server: Place) -> None:
    def spoil(table: str, _: int) -> None:
        if table == "server":
            do(server, "UPDATE server SET zone = 'Mars'")

    with pytest.raises(StoreError, match=r"differs from .* in the table server, so it is not used"):
        await move(source, server, progress=spoil)


async def test_tables_of_more_rows_than_a_transaction_takes_arrive_whole(source: Path, server: Place) -> None:
    await (await open_database(source)).close()
    rows = ROWS * 2 + 7
    do(
        source,
        f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows}) "
        "INSERT INTO event_draft SELECT 9000 + i % 3, 'é' || i, '{}', i FROM n",
    )
    await move(source, server, progress=silent)
    assert everything(server) == everything(source)
