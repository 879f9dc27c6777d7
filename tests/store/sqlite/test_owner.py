"""The owner of a database: another application, or the playground, can't start on it by mistake."""
# ruff: noqa: ASYNC240  # Nobody else runs on a test's loop.

from pathlib import Path

import pytest

from bot.store import StoreBusyError, StoreError
from bot.store.owner import PLAYGROUND, owner_of
from bot.store.sqlite.database import SqliteDatabase
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.files import locked, reading
from bot.store.sqlite.owner import clear_owner

OURS, OTHER = "1111", "2222"
HEADER = 100
"""Bytes before the first page's content."""


async def start(path: Path, owner: str) -> None:
    """Open the database as that owner, and close it again."""
    database = await SqliteDatabase.open(path)
    try:
        await database.claim(owner)
    finally:
        await database.close()


def owner(path: Path) -> str | None:
    """Return the database's owner."""
    with reading(path) as connection:
        return owner_of(SqliteSql(connection))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a path for a database."""
    return tmp_path / "chaipo.db"


async def test_a_new_database_is_that_of_the_first_who_starts(path: Path) -> None:
    await start(path, OURS)
    assert owner(path) == OURS
    await start(path, OURS)
    assert owner(path) == OURS


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (
            OURS,
            OTHER,
            "the application 1111, but this is the application 2222: check .*`python -m bot disown`",
        ),
        (OURS, PLAYGROUND, "the application 1111, but this is the playground: move that file away"),
        (
            PLAYGROUND,
            OURS,
            "the playground, but this is the application 1111: check .*`python -m bot disown`",
        ),
    ],
)
async def test_another_start_is_refused_and_changes_nothing(path: Path, first: str, second: str, told: str) -> None:
    await start(path, first)
    # The header counts the starts.
    before = path.read_bytes()[HEADER:]
    with pytest.raises(StoreError, match=rf"chaipo\.db is the database of {told}") as refused:
        await start(path, second)
    assert "\n" not in str(refused.value)
    assert path.read_bytes()[HEADER:] == before


# Handing it over


async def test_a_database_that_was_disowned_is_that_of_the_next_who_starts(path: Path) -> None:
    await start(path, OURS)
    assert clear_owner(path) == OURS
    assert owner(path) is None
    assert clear_owner(path) is None
    await start(path, OTHER)
    assert owner(path) == OTHER


async def test_a_database_in_use_is_not_disowned(path: Path) -> None:
    await start(path, OURS)
    with locked(path), pytest.raises(StoreBusyError, match="is open in another running bot"):
        clear_owner(path)
    assert owner(path) == OURS


def test_what_is_not_there_is_not_disowned(path: Path) -> None:
    with pytest.raises(StoreError, match=r"does not exist\. Name the file of a database"):
        clear_owner(path)
    assert not path.exists()
