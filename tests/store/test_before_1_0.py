"""A database of before 1.0.0 is refused in one sentence by all that would read it, and nothing of it is changed."""
# ruff: noqa: ASYNC240  # Nobody else runs on a test's loop.

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.store import StoreError
from bot.store.move import move
from bot.store.opening import Place, open_database
from bot.store.sqlite.backup import back_up, restore
from bot.store.sqlite.copy_mark import APPLICATION_ID, COPY_ID
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.owner import clear_owner
from bot.store.upkeep import inspect, open_snapshot, while_stopped
from tests.databases import DATABASES, POSTGRES, do, everything
from tests.store.played_databases import played

pytestmark = pytest.mark.of_sqlite

SENTENCE = (
    r"was made by a version before 1\.0\.0, which this one cannot read. Keep it with that version, and name a new "
)


def of_before(path: Path, *, version: int) -> Path:
    """Return a file of that schema without a record of its bot's version."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("CREATE TABLE owner (one INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT")
        connection.execute("CREATE TABLE game_table (guild_id INTEGER NOT NULL, table_id INTEGER NOT NULL) STRICT")
        connection.execute("INSERT INTO game_table VALUES (1, 1)")
        connection.execute(f"PRAGMA user_version = {version}")
    return path


def of_an_earlier_draft(path: Path) -> Path:
    """A file of the same number whose schema was written otherwise, as it may be until 1.0.0."""
    played("tables", path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("ALTER TABLE game_table DROP COLUMN quiet")
        connection.execute("UPDATE migration SET digest = 'another'")
        connection.execute("PRAGMA journal_mode = DELETE")
    return path


OLD: list[Callable[[Path], Path]] = [
    lambda path: of_before(path, version=1),
    lambda path: of_before(path, version=25),
    of_an_earlier_draft,
]


@pytest.mark.parametrize("make", OLD)
async def test_a_file_of_before_is_refused_by_all_and_stays_as_it_was(
    make: Callable[[Path], Path], tmp_path: Path
) -> None:
    path = make(tmp_path / "chaipo.db")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=rf"chaipo\.db {SENTENCE}") as refused:
        await open_database(path)
    assert "\n" not in str(refused.value)
    with pytest.raises(StoreError, match=rf"chaipo\.db cannot be checked: it {SENTENCE}"):
        inspect(path, secrets=None)
    with pytest.raises(StoreError, match=rf"chaipo\.db {SENTENCE}"):
        back_up(path, tmp_path / "copy.db", MIGRATIONS, secrets=None)
    with pytest.raises(StoreError, match=rf"chaipo\.db {SENTENCE}"):
        await move(path, tmp_path / "target.db", progress=lambda *_: None)
    with pytest.raises(StoreError, match=rf"chaipo\.db {SENTENCE}"):
        clear_owner(path)
    for look in (open_snapshot, while_stopped):
        with pytest.raises(StoreError, match=rf"chaipo\.db {SENTENCE}"), look(path):
            pass
    assert path.read_bytes() == before
    assert {file.name for file in tmp_path.iterdir()} == {"chaipo.db", "chaipo.db.lock"}


@pytest.mark.parametrize("make", OLD)
def test_a_copy_of_before_is_not_put_back(make: Callable[[Path], Path], tmp_path: Path) -> None:
    path = played("tables", tmp_path / "chaipo.db")
    copy = make(tmp_path / "copy.db")
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA application_id = {COPY_ID}")
    before = path.read_bytes(), copy.read_bytes()
    with pytest.raises(StoreError, match=rf"copy\.db {SENTENCE}"):
        restore(path, copy, MIGRATIONS, now=datetime(2030, 1, 1, tzinfo=UTC))
    assert (path.read_bytes(), copy.read_bytes()) == before
    assert {file.name for file in tmp_path.iterdir()} == {"chaipo.db", "chaipo.db.lock", "copy.db"}


def test_a_copy_of_today_takes_the_place_of_a_file_of_before(tmp_path: Path) -> None:
    path, copy = of_before(tmp_path / "chaipo.db", version=25), played("tables", tmp_path / "copy.db")
    before = path.read_bytes()
    done = restore(path, copy, MIGRATIONS, now=datetime(2030, 1, 1, tzinfo=UTC))
    assert done.aside is not None
    assert done.aside.read_bytes() == before


@pytest.mark.parametrize("change", ["DROP TABLE migration", "UPDATE migration SET digest = 'another'"])
async def test_a_database_of_postgresql_of_before_is_refused_by_all_and_stays_as_it_was(
    change: str, tmp_path: Path
) -> None:
    DATABASES.kind = POSTGRES
    place: Place = DATABASES.place_in(tmp_path)
    do(place, change)
    before = everything(place)
    try:
        with pytest.raises(StoreError, match=SENTENCE):
            await open_database(place)
        with pytest.raises(StoreError, match=rf"cannot be checked: it {SENTENCE}"):
            inspect(place, secrets=None)
        with pytest.raises(StoreError, match=SENTENCE):
            await move(place, tmp_path / "target.db", progress=lambda *_: None)
        for look in (open_snapshot, while_stopped):
            with pytest.raises(StoreError, match=SENTENCE), look(place):
                pass
        assert everything(place) == before
        assert before
    finally:
        # It is given to no other test.
        do(place, "UPDATE meta SET schema = 99")
