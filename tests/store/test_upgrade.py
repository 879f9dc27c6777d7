"""The upgrade of a club that has played: killed at any point, without room, where nothing may be written, and undone.

Real processes upgrade ``golden/schema-1.db`` as a start does. What they leave is compared, row by row, with the old
database and with that of an upgrade that nothing disturbed.
"""
# ruff: noqa: ASYNC240  # Nobody else runs on a test's loop.

import logging
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import pytest

import bot
from bot.store import StoreError
from bot.store.disk import waiting
from bot.store.invariants import unbalanced
from bot.store.sqlite.backup import restore
from bot.store.sqlite.database import MIGRATIONS, SqliteDatabase
from bot.store.sqlite.migrate import numbered, upgrade
from tests.databases import Dump, everything
from tests.file_owners import nobody
from tests.store.golden_database import GOLDEN, RUNNING, play_evening, world_of
from tests.store.older import followed, without_last

pytestmark = pytest.mark.of_sqlite

NEWEST = len(numbered(MIGRATIONS))

# Kills itself before a statement or a step on the disk. A line has the number of the point, 0 for none.
UPGRADES = """
import os, signal, sqlite3, sys
from pathlib import Path
from bot.store.invariants import unbalanced
from bot.store.sqlite.files import finish
from bot.store.sqlite.migrate import upgrade

path, migrations, kill_at, seen = Path(sys.argv[1]), Path(sys.argv[2]), 0, []

def point(what):
    seen.append(what.split()[0])
    if len(seen) == kill_at:
        os.kill(os.getpid(), signal.SIGKILL)

connect = sqlite3.connect

def traced(*arguments, **more):
    connection = connect(*arguments, **more)
    connection.set_trace_callback(point)
    return connection

def hook(event, arguments):
    if event in ("os.rename", "os.remove", "os.truncate", "open", "sqlite3.connect"):
        point(event)

for line in sys.stdin:
    told, tells = os.pipe()
    if child := os.fork():
        os.close(tells)
        with open(told) as points:
            names = points.read()
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), names, flush=True)
        continue
    kill_at = int(line)
    sys.addaudithook(hook)
    sqlite3.connect = traced
    finish(path)
    upgrade(path, migrations, audit=unbalanced, busy_seconds=5)
    point("os.exit")
    os.write(tells, " ".join(seen).encode())
    os._exit(0)
"""

Upgrade = Callable[[int], tuple[int, list[str]]]


@contextmanager
def upgrades(path: Path) -> Iterator[Upgrade]:
    """Yield what upgrades in a process that is killed at its n-th point, and returns its exit code and its points."""
    command = [sys.executable, "-c", UPGRADES, str(path), str(MIGRATIONS)]
    place, pipe = Path(bot.__file__).parents[1], subprocess.PIPE
    with subprocess.Popen(command, cwd=place, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        asked, told = process.stdin, process.stdout

        def run(kill_at: int) -> tuple[int, list[str]]:
            print(kill_at, file=asked, flush=True)
            code, *points = told.readline().split()
            return int(code), points

        yield run


def put(folder: Path) -> Path:
    """Put only the old database in a folder; returns its path."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return Path(shutil.copy(GOLDEN / "schema-1.db", folder / "chaipo.db"))


def names(path: Path) -> set[str]:
    """Return the files next to the database."""
    return {file.name for file in path.parent.iterdir()}


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> tuple[Dump, Dump]:
    """The rows of the old database, and those after an upgrade that nothing disturbed."""
    path = put(tmp_path_factory.mktemp("rows") / "undisturbed")
    before = everything(path)
    upgrade(path, MIGRATIONS, audit=unbalanced, busy_seconds=5)
    return before, everything(path)


@pytest.mark.skipif(os.name != "posix", reason="there is no kill to be survived")
@pytest.mark.parametrize("every", [22, pytest.param(1, marks=pytest.mark.deep)])
async def test_an_upgrade_killed_at_any_point_loses_nothing_and_the_next_start_completes_it(
    tmp_path: Path, rows: tuple[Dump, Dump], every: int
) -> None:
    before, after = rows
    path, found, commits = tmp_path / "bot" / "chaipo.db", list[bool](), 0
    with upgrades(path) as run:
        put(path.parent)
        code, points = run(0)
        assert code == 0
        for number, what in enumerate(points, 1):
            # `make deep` tries every point.
            if number % every and not {what, points[number - 2]} & {"VACUUM", "COMMIT", "os.rename"}:
                continue
            commits += what == "COMMIT"
            put(path.parent)
            assert run(number) == (-signal.SIGKILL, [])
            if not waiting(path):
                left = everything(path)
                assert left in (before, after)
                found.append(left == after)
            assert run(0)[0] == 0
            assert everything(path) == after
            assert everything(path.with_name("chaipo.db.v1.bak")) == before
            assert names(path) == {"chaipo.db", "chaipo.db.v1.bak"}
    assert commits
    assert {*found} == {False, True}
    world = world_of(1, tmp_path / "bot")
    shutil.copy(path.with_name("chaipo.db.v1.bak"), path)
    await world.open()
    await play_evening(world)
    await world.close()


async def test_an_upgrade_names_the_file_that_it_keeps(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = put(tmp_path / "bot")
    with caplog.at_level(logging.INFO):
        await (await SqliteDatabase.open(path)).close()
    assert f"the previous database is kept in {path}.v1.bak" in [record.getMessage() for record in caplog.records]


async def refused(path: Path, migrations: Path = MIGRATIONS) -> str:
    """The sentence of a start that is refused, which changes nothing and leaves nothing."""
    before, there = path.read_bytes(), names(path)
    with pytest.raises(StoreError) as refusal:
        await SqliteDatabase.open(path, migrations=migrations)
    assert path.read_bytes() == before
    assert names(path) <= there | {"chaipo.db.lock"}
    assert "\n" not in str(refusal.value)
    return str(refusal.value)


async def test_without_room_for_the_copy_the_start_says_how_much_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path / "bot")
    size = path.stat().st_size
    with monkeypatch.context() as full:
        full.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=size - 1))
        text = await refused(path)
    part = path.with_name(f"chaipo.db.v{NEWEST}.part")
    assert text == (
        f"{part}, the copy for the upgrade, cannot be written. Free some space, then start again (there is no "
        f"space left for {part}. It needs {size:,} bytes, but {size - 1:,} are free)"
    )
    await (await SqliteDatabase.open(path)).close()


async def test_a_disk_that_is_full_during_the_upgrade_leaves_the_old_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: tuple[Dump, Dump]
) -> None:
    path = put(tmp_path / "bot")
    connect = sqlite3.connect

    def narrow(place: Any, *args: Any, **more: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(place, *args, **more)
        if str(place).endswith(".part"):
            # SQLite refuses to let the file grow, in the words that it has for a full disk.
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    with monkeypatch.context() as full:
        full.setattr(sqlite3, "connect", narrow)
        assert await refused(path) == f"there is no space left for {path}. Free some space on its disk"
    assert everything(path) == rows[0]
    await (await SqliteDatabase.open(path)).close()
    assert everything(path) == rows[1]


@pytest.mark.skipif(os.name != "posix", reason="folders have no such rights")
async def test_a_folder_that_cannot_be_written_is_named_and_the_next_start_upgrades(
    rows: tuple[Dump, Dump],
) -> None:
    with TemporaryDirectory() as place, nobody(Path(place)):
        path = put(Path(place) / "bot")
        path.parent.chmod(0o500)
        text = await refused(path)
        assert text == (
            f"{path}.lock may not be written (Permission denied): give the bot's user permission to write in "
            "that folder"
        )
        path.parent.chmod(0o700)
        path.with_name("chaipo.db.lock").touch()
        path.parent.chmod(0o500)
        part = path.with_name(f"chaipo.db.v{NEWEST}.part")
        text = await refused(path)
        assert text == (
            f"{part}, the copy for the upgrade, cannot be written (Permission denied). Let the bot's user write in "
            f"{path.parent}, then start again"
        )
        path.parent.chmod(0o700)
        await (await SqliteDatabase.open(path)).close()
        assert everything(path) == rows[1]


async def test_a_version_from_before_the_upgrade_is_refused_and_goes_back_as_it_is_told(tmp_path: Path) -> None:
    world = world_of(NEWEST - 1, tmp_path)
    await world.open()
    await world.play_hand(RUNNING)
    await world.close()
    old = without_last(tmp_path / "migrations")
    kept = f"{world.path}.v{NEWEST - 1}.bak"
    assert await refused(world.path, old) == (
        f"{world.path} was written by a newer version of the bot (schema {NEWEST}, this one knows {NEWEST - 1}). Start "
        f"that version. To go back to this one, run `python -m bot restore {kept}`, which loses everything played since"
    )
    done = restore(world.path, Path(kept), old, now=datetime(2030, 1, 1, tzinfo=UTC))
    assert done.content.version == NEWEST - 1
    await (await SqliteDatabase.open(world.path, migrations=old)).close()


async def test_a_database_of_the_future_is_refused_with_what_to_do(tmp_path: Path) -> None:
    future = followed(tmp_path / "migrations", "ALTER TABLE hand ADD COLUMN made_up INTEGER NOT NULL DEFAULT 7;")
    path = tmp_path / "chaipo.db"
    await (await SqliteDatabase.open(path, migrations=future)).close()
    assert await refused(path) == (
        f"{path} was written by a newer version of the bot (schema {NEWEST + 1}, this one knows {NEWEST}). Start that "
        "version. To go back to this one, restore a copy from before the upgrade, which loses everything played since"
    )
