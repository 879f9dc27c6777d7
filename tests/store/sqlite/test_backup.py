"""Copies: whole whatever the bot is doing, refused with a sentence, and put back whole or not at all."""
# ruff: noqa: ASYNC220, ASYNC240  # Nobody else runs on a test's loop.

import asyncio
import errno
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import bot
from bot.model.hands import HandState
from bot.model.ids import Player
from bot.run.cli.sealed import opened_by
from bot.store import StoreBusyError, StoreError, StoreFatalError, StoreFullError, StoreUnavailableError
from bot.store.disk import waiting
from bot.store.inspection import Content
from bot.store.sqlite.backup import back_up, name_in, restore, rotate
from bot.store.sqlite.check import check
from bot.store.sqlite.copy_mark import COPY_ID, copies_beside
from bot.store.sqlite.database import MIGRATIONS, SqliteDatabase
from bot.store.sqlite.files import finish, locked, reading
from tests.play.world import ANN, BOB, GUILD, OTHER_GUILD, START, World

NOW = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)
POSIX = pytest.mark.skipif(os.name != "posix", reason="this is how POSIX does it")


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """Yield a running bot with a hand in play and a waiting table."""
    (tmp_path / "var").mkdir()
    world = World(tmp_path / "var")
    await world.open()
    key = await world.started(ANN, BOB)
    await world.place_cards(key, await world.turn(key))
    await world.table(ANN, guild=OTHER_GUILD)
    yield world
    await world.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a path for a copy."""
    return tmp_path / "copy.db"


def findings(path: Path, world: World) -> list[str]:
    """Return errors in a file."""
    with reading(path) as connection:
        return [finding.line for finding in check(connection, MIGRATIONS, secrets=opened_by(world.vault)).findings]


def dump(path: Path) -> dict[str, list[Any]]:
    """All rows of a file."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        return {name: sorted(connection.execute(f"SELECT * FROM {name}"), key=repr) for (name,) in names}


def take(world: World, file: Path) -> Path:
    """Make a copy that is in order."""
    assert back_up(world.path, file, MIGRATIONS, secrets=opened_by(world.vault)).report.findings == ()
    return file


def put_back(path: Path, file: Path) -> Path | None:
    """Restore; returns the path of the previous database."""
    return restore(path, file, MIGRATIONS, now=NOW).aside


# Making a copy


async def test_a_copy_holds_what_the_running_bot_has_committed(world: World, file: Path) -> None:
    backup = back_up(world.path, file, MIGRATIONS, secrets=opened_by(world.vault))
    assert (backup.report.findings, backup.report.not_checked) == ((), ())
    assert backup.content == Content(
        version=backup.report.version,
        open_tables=2,
        hands=1,
        running=1,
        chips=30_000,
        guilds=2,
        alive_at=START,
        owner=None,
        size=file.stat().st_size,
    )
    assert dump(file) == dump(world.path)
    assert [path.name for path in file.parent.iterdir() if path.is_file()] == ["copy.db"]
    # The bot goes on as before.
    await world.table(BOB)
    assert dump(file) != dump(world.path)


@POSIX
async def test_only_its_owner_may_read_a_copy(world: World, file: Path) -> None:
    world.path.chmod(0o666)
    before = os.umask(0)
    try:
        take(world, file)
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o777 == 0o600


async def test_a_copy_carries_its_mark_and_the_database_does_not(world: World, file: Path) -> None:
    take(world, file)
    assert int.from_bytes(file.read_bytes()[68:72], "big") == COPY_ID
    assert world.ask("PRAGMA application_id") != [(COPY_ID,)]


async def test_copies_are_whole_while_the_bot_writes_without_a_pause(world: World, tmp_path: Path) -> None:
    stop = asyncio.Event()

    async def play_on(guild_players: tuple[Player, Player]) -> int:
        hands = 0
        while not stop.is_set():
            key = await world.table(*guild_players, point_value=1)
            await world.start(key)
            await world.play_hand(key)
            await world.play.close(key, reason="closed_by_admin")
            hands += 1
        return hands

    writers = [asyncio.create_task(play_on((Player(f"{n}1"), Player(f"{n}2")))) for n in range(3)]
    for number in range(6):
        file = tmp_path / f"{number}.db"
        await asyncio.to_thread(take, world, file)
        await world.play.wallet(GUILD, Player(f"newcomer {number}"))
    stop.set()
    assert min(await asyncio.gather(*writers)) > 0
    copies = [dump(tmp_path / f"{number}.db") for number in range(6)]
    for before, after in pairwise(copies):
        assert len(before["table_log"]) <= len(after["table_log"])
        assert after["table_log"][0] == before["table_log"][0]
        assert {row[0] for row in before["transfer"]} < {row[0] for row in after["transfer"]}


async def test_a_copy_holds_what_lies_in_the_log_of_a_bot_that_was_killed(world: World, file: Path) -> None:
    # Like after a kill: the files of an open database that no one has open.
    for side in ("", "-wal"):
        shutil.copy(f"{world.path}{side}", f"{file}.killed{side}")
    killed = file.with_name("copy.db.killed")
    assert killed.with_name("copy.db.killed-wal").stat().st_size > 0
    back_up(killed, file, MIGRATIONS, secrets=opened_by(world.vault))
    assert dump(file) == dump(world.path)


async def test_a_copy_of_books_that_are_wrong_is_kept_and_says_so(world: World, file: Path) -> None:
    world.do("UPDATE account SET balance = balance + 1 WHERE kind = 'wallet' AND guild_id = 701")
    backup = back_up(world.path, file, MIGRATIONS, secrets=None)
    assert {finding.guild for finding in backup.report.findings} == {OTHER_GUILD}
    assert backup.report.not_checked != ()
    assert file.exists()
    world.do("UPDATE account SET balance = balance - 1 WHERE kind = 'wallet' AND guild_id = 701")


def refusal(world: World, file: Path, *, path: Path | None = None) -> str:
    """Return the reason why no copy was made, after checking that nothing was left behind."""
    before = {entry: entry.stat().st_size for entry in file.parent.glob("*")}
    with pytest.raises(StoreError) as error:
        back_up(path or world.path, file, MIGRATIONS, secrets=opened_by(world.vault))
    assert {entry: entry.stat().st_size for entry in file.parent.glob("*")} == before
    text = str(error.value)
    assert "\n" not in text
    return text


async def test_a_file_that_is_there_is_not_replaced(world: World, file: Path) -> None:
    file.write_text("precious", encoding="utf-8")
    assert refusal(world, file) == f"{file} already exists. Name a new file, or a folder"
    file.unlink()
    file.symlink_to("nowhere")
    with pytest.raises(StoreError, match="already exists"):
        back_up(world.path, file, MIGRATIONS, secrets=None)


async def test_a_folder_is_not_made(world: World, tmp_path: Path) -> None:
    text = refusal(world, tmp_path / "none" / "copy.db")
    assert text == f"{tmp_path / 'none'} does not exist. Create that folder first"


async def test_a_database_that_is_not_there_is_not_copied(world: World, file: Path) -> None:
    none = file.with_name("none.db")
    assert refusal(world, file, path=none) == f"{none} does not exist. Name the file of a database"
    assert not none.exists()
    assert "is a folder. Name a file in it" in refusal(world, file, path=file.parent)


async def test_a_strange_or_empty_database_is_not_copied(world: World, file: Path) -> None:
    other = file.with_name("other.db")
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE t (x)")
    assert "is not a database of this bot" in refusal(world, file, path=other)
    other.unlink()
    other.touch()
    assert "is not a database of this bot" in refusal(world, file, path=other)
    with closing(sqlite3.connect(other)) as connection:
        connection.execute(f"PRAGMA application_id = {COPY_ID}")
    assert "is still empty" in refusal(world, file, path=other)
    other.write_bytes(b"hello" * 999)
    assert "is damaged or not a database" in refusal(world, file, path=other)


async def test_the_database_of_a_newer_bot_is_not_copied(world: World, file: Path) -> None:
    newer = take(world, file.with_name("newer.db"))
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert "was written by a newer version of the bot (schema 99" in refusal(world, file, path=newer)


async def test_a_damaged_database_is_not_copied_and_the_way_back_is_named(world: World, file: Path) -> None:
    damaged = take(world, file.with_name("damaged.db"))
    content = damaged.read_bytes()
    damaged.write_bytes(content[:8192] + b"\xff" * 8192 + content[16384:])
    text = refusal(world, file, path=damaged)
    assert "damaged.db is damaged or not a database" in text
    assert "Restore a backup with `python -m bot restore FILE`" in text


async def test_a_copy_without_room_is_not_begun(world: World, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(file.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=4096))
    with pytest.raises(
        StoreFullError, match=r"there is no space left for .*copy\.db\.part\. It needs [\d,]+ bytes, but 4,096"
    ):
        back_up(world.path, file, MIGRATIONS, secrets=None)
    assert not list(file.parent.glob("copy*"))


@POSIX
async def test_a_copy_for_which_the_room_ends_leaves_nothing(world: World, file: Path) -> None:
    short = f"""if True:
        import resource
        from pathlib import Path
        from bot.store import StoreError
        from bot.store.sqlite.backup import back_up
        from bot.store.sqlite.database import MIGRATIONS
        resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
        try:
            back_up(Path({str(world.path)!r}), Path({str(file)!r}), MIGRATIONS, secrets=None)
        except StoreError as error:
            print(error)
    """
    await world.table(BOB)
    process = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", short], capture_output=True, check=True)
    assert b"copy.db.part" in process.stdout
    assert process.stdout.count(b"\n") == 1
    assert not list(file.parent.glob("copy*"))


async def test_a_place_that_cannot_be_written_is_refused(world: World, file: Path) -> None:
    file.with_name("copy.db.part").mkdir()
    with pytest.raises(StoreUnavailableError, match="cannot be written"):
        back_up(world.path, file, MIGRATIONS, secrets=None)


async def test_what_a_killed_backup_left_does_not_hinder_the_next(world: World, file: Path) -> None:
    file.with_name("copy.db.part").write_bytes(b"half")
    file.with_name("copy.db.part-journal").write_bytes(b"half")
    take(world, file)
    assert not list(file.parent.glob("*.part*"))


# Names and rotation


def test_copies_in_a_folder_are_named_by_the_time_and_sort_by_it(tmp_path: Path) -> None:
    path = tmp_path / "var" / "chaipo.db"
    east = NOW.astimezone(datetime.strptime("+0900", "%z").tzinfo)
    assert name_in(tmp_path, path, now=east) == tmp_path / "chaipo-20300102T030405Z.db"
    names = [name_in(tmp_path, path, now=NOW + timedelta(hours=hours)).name for hours in (0, 1, 24, 9000)]
    assert names == sorted(names)


def test_the_newest_copies_are_kept_and_nothing_else_is_touched(tmp_path: Path) -> None:
    path = Path("var/chaipo.db")
    mine = [name_in(tmp_path, path, now=NOW + timedelta(days=days)) for days in range(5)]
    others = ["chaipo.db", "chaipo-backup.db", "chaipo-20300102T030405Z.db.gz", "other-20300102T030405Z.db"]
    for file in [*mine, *(tmp_path / name for name in others)]:
        file.touch()
    (tmp_path / "chaipo-20291231T000000Z.db.part").touch()
    assert rotate(tmp_path, path, keep=2) == mine[:3]
    assert {file.name for file in tmp_path.iterdir()} == {*others, *(file.name for file in mine[3:])}
    assert rotate(tmp_path, path, keep=2) == []


def test_a_folder_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=rf"old backups .* cannot be removed \({os.strerror(errno.ENOENT)}\)"):
        rotate(tmp_path / "none", Path("chaipo.db"), keep=1)


# Putting a copy back


async def test_a_restored_bot_plays_on_and_the_former_database_is_kept(world: World, file: Path) -> None:
    take(world, file)
    await world.table(BOB, guild=OTHER_GUILD)
    await world.close()
    before = dump(world.path)
    aside = put_back(world.path, file)
    assert aside == world.path.with_name("chaipo.db.before-20300102T030405Z")
    assert dump(aside) == before
    assert dump(world.path) == dump(file)
    await world.open()
    (key,) = (table.key for table in await world.play.open_tables(GUILD))
    assert (await world.record(key, 1)).state is HandState.VOID
    await world.next_hand(key)
    await world.play_hand(key)
    assert findings(world.path, world) == []
    # And back again.
    await world.close()
    put_back(world.path, aside)
    await world.open()
    assert len(await world.play.open_tables(OTHER_GUILD)) == 2
    assert findings(world.path, world) == []


async def test_the_former_database_keeps_its_log_of_writes(world: World, file: Path) -> None:
    take(world, file)
    await world.table(BOB, guild=OTHER_GUILD)
    before = dump(world.path)
    # Like after a kill, in another folder.
    other = file.parent / "other"
    other.mkdir()
    for side in ("", "-wal", "-shm"):
        shutil.copy(f"{world.path}{side}", other / f"chaipo.db{side}")
    aside = put_back(other / "chaipo.db", file)
    assert aside is not None
    assert {entry.name for entry in other.iterdir()} == {
        "chaipo.db",
        "chaipo.db.lock",
        *(f"{aside.name}{side}" for side in ("", "-wal", "-shm")),
    }
    assert dump(aside) == before
    assert dump(other / "chaipo.db") == dump(file)


async def test_a_copy_can_be_put_where_nothing_was(world: World, file: Path, tmp_path: Path) -> None:
    take(world, file)
    fresh = tmp_path / "new" / "var" / "chaipo.db"
    assert put_back(fresh, file) is None
    assert dump(fresh) == dump(file)


async def test_a_running_bot_is_not_robbed_of_its_database(world: World, file: Path) -> None:
    take(world, file)
    before = dump(world.path)
    with pytest.raises(StoreBusyError, match=r"is open in another running bot\. Stop that one first"):
        put_back(world.path, file)
    assert dump(world.path) == before


READ = """
import sqlite3, sys
connection = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
print(connection.execute("SELECT count(*) FROM heartbeat").fetchone()[0], flush=True)
sys.stdin.read()
"""


@POSIX
async def test_a_database_that_another_program_reads_is_not_replaced(world: World, file: Path) -> None:
    take(world, file)
    await world.close()
    command = [sys.executable, "-c", READ, str(world.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"1\n"
        with pytest.raises(StoreBusyError, match=r"is locked by another program\. Close that program"):
            put_back(world.path, file)
        assert other.stdin is not None
        other.stdin.close()
    assert not list(world.folder.glob("*.part")) + list(world.folder.glob("*.before*")) + waiting(world.path)
    assert put_back(world.path, file) is not None
    await world.open()


async def test_two_restores_in_one_second_keep_both(world: World, file: Path) -> None:
    take(world, file)
    await world.close()
    first, second = put_back(world.path, file), put_back(world.path, file)
    assert (first and first.name, second and second.name) == (
        "chaipo.db.before-20300102T030405Z",
        "chaipo.db.before-20300102T030405Z-2",
    )
    await world.open()


def _cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def _scribble(content: bytes) -> bytes:
    return content[:4096] + b"\xff" * 4096 + content[8192:]


def _newer(content: bytes) -> bytes:
    return content[:60] + (99).to_bytes(4, "big") + content[64:]


def _foreign(content: bytes) -> bytes:
    return content[:68] + (7).to_bytes(4, "big") + content[72:]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_cut, "is damaged or not a database, and nothing was changed. Name another backup"),
        (_scribble, "is damaged or not a database, and nothing was changed. Name another backup"),
        (lambda _: b"hello" * 999, "is damaged or not a database, and nothing was changed. Name another backup"),
        (_newer, r"was written by a newer version of the bot \(schema 99"),
        (_foreign, "is not a database of this bot. Name another file"),
        (lambda _: b"", "is not a database of this bot. Name another file"),
    ],
)
async def test_a_file_that_is_no_good_copy_is_not_put_back(
    world: World, file: Path, change: Callable[[bytes], bytes], why: str
) -> None:
    file.write_bytes(change(take(world, file).read_bytes()))
    await world.close()
    before, names = world.path.read_bytes(), {entry.name for entry in world.folder.iterdir()}
    with pytest.raises(StoreError, match=why):
        put_back(world.path, file)
    assert world.path.read_bytes() == before
    assert {entry.name for entry in world.folder.iterdir()} == names
    await world.open()


# A copy that is whole, and holds what it should not


GIFT = "CREATE TRIGGER gift AFTER INSERT ON transfer BEGIN UPDATE account SET balance = balance + 1000000; END"


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        (GIFT, "the trigger gift is not one of the bot's; findings: 1"),
        ("DROP TRIGGER transfer_is_final_update", "the trigger transfer_is_final_update is missing; findings: 1"),
        ("CREATE VIEW outlook AS SELECT 1", "the view outlook is not one of the bot's; findings: 1"),
        (
            "UPDATE account SET balance = balance + 1 WHERE kind = 'wallet'",
            "holds .* chips, but its transfers add up to",
        ),
    ],
)
async def test_a_copy_in_which_a_check_finds_something_is_not_put_back(
    world: World, file: Path, statement: str, why: str
) -> None:
    with closing(sqlite3.connect(take(world, file), isolation_level=None)) as connection:
        connection.execute(statement)
    await world.close()
    before = world.path.read_bytes()
    with pytest.raises(StoreError, match=rf"is not in order, and nothing was changed \(.*{why}.*Name another backup"):
        put_back(world.path, file)
    assert world.path.read_bytes() == before
    assert not list(world.folder.glob("*.part"))
    await world.open()


async def test_the_key_is_not_needed_to_put_a_copy_back(world: World, file: Path) -> None:
    take(world, file)
    await world.close()
    world.key_file.unlink()
    assert put_back(world.path, file) is not None
    await world.open()


async def test_a_copy_of_somebody_elses_database_is_not_put_back(world: World, file: Path, tmp_path: Path) -> None:
    other = await SqliteDatabase.open(tmp_path / "other.db")
    await other.claim("2222")
    await other.close()
    back_up(tmp_path / "other.db", file, MIGRATIONS, secrets=None)
    await world.database.claim("1111")
    await world.close()
    before = world.path.read_bytes()
    with pytest.raises(
        StoreError, match=r"is a copy of the database of the application 2222, but .* is that of the application 1111"
    ):
        put_back(world.path, file)
    assert world.path.read_bytes() == before
    assert not list(world.folder.glob("*.part"))
    await world.open()


async def test_a_copy_that_cannot_be_counted_is_made_all_the_same(world: World, file: Path) -> None:
    await world.close()
    with closing(sqlite3.connect(world.path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("DROP TABLE account")
        connection.execute(
            "CREATE VIEW account AS WITH RECURSIVE n (balance) AS (SELECT 1 UNION ALL SELECT balance + 1 FROM n) "
            "SELECT balance, 'wallet' AS kind, '1' AS owner, 1 AS guild_id FROM n"
        )
    backup = back_up(world.path, file, MIGRATIONS, secrets=None)
    assert backup.content is None
    assert file.exists()


@POSIX
@pytest.mark.parametrize("name", ["copy.db", "copy.db-wal"])
async def test_a_pipe_is_not_put_back(world: World, file: Path, name: str) -> None:
    take(world, file)
    await world.close()
    pipe = file.with_name(name)
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    with pytest.raises(StoreError, match="is a pipe or a device"):
        put_back(world.path, file)
    await world.open()


async def test_a_file_that_is_not_there_or_is_the_database_is_not_put_back(world: World, file: Path) -> None:
    await world.close()
    with pytest.raises(StoreError, match=r"does not exist\. Name the file of a database"):
        put_back(world.path, file)
    with pytest.raises(StoreError, match=r"is a folder\. Name a file in it"):
        put_back(world.path, file.parent)
    with pytest.raises(StoreError, match=r"is the database itself\. Name a backup"):
        put_back(world.path, world.path)
    await world.open()


RESTORE = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from bot.store.sqlite.backup import restore
from bot.store.sqlite.database import MIGRATIONS

path, file, kill_at, seen = Path(sys.argv[1]), Path(sys.argv[2]), 0, 0

def hook(event, arguments):
    global seen
    if event in ("os.rename", "os.remove", "open", "sqlite3.connect"):
        seen += 1
        if seen == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

for line in sys.stdin:
    kill_at = int(line)
    child = os.fork()
    if child == 0:
        sys.addaudithook(hook)
        restore(path, file, MIGRATIONS, now=datetime(2030, 1, 1, tzinfo=UTC))
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Restores repeatedly on demand, each time in a separate process that is killed at that step."""


@contextmanager
def restoring(path: Path, file: Path) -> Iterator[Callable[[int], int]]:
    """A function that restores a copy, killed at a step, and returns how the process ended."""
    command = [sys.executable, "-c", RESTORE, str(path), str(file)]
    root = Path(bot.__file__).parents[1]
    with subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def run(kill_at: int) -> int:
            assert process.stdin is not None
            assert process.stdout is not None
            print(kill_at, file=process.stdin, flush=True)
            return int(process.stdout.readline())

        yield run


@POSIX
async def test_a_restore_killed_at_any_step_leaves_the_old_or_the_new_database(world: World, file: Path) -> None:
    new = dump(take(world, file))
    await world.table(BOB, guild=OTHER_GUILD)
    # Like after a kill: the last writes are in the write-ahead log.
    sides = {f"chaipo.db{side}": Path(f"{world.path}{side}").read_bytes() for side in ("", "-wal", "-shm")}
    old = dump(world.path)
    folder = file.parent / "other"
    path = folder / "chaipo.db"
    found = []
    with restoring(path, file) as restore_until:
        for kill_at in range(1, 1000):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for name, content in sides.items():
                (folder / name).write_bytes(content)
            if (code := restore_until(kill_at)) == 0:
                break
            assert code == -signal.SIGKILL
            if waiting(path):
                with pytest.raises(StoreError, match=r"was interrupted\. Start the bot to finish it"), reading(path):
                    pass
            with locked(path):
                finish(path)
            found.append(dump(path))
            assert found[-1] in (old, new)
            if found[-1] == new:
                assert dump(folder / "chaipo.db.before-20300101T000000Z") == old
    assert kill_at > 8
    assert old in found
    assert new in found


async def test_the_start_ends_a_restore_that_was_cut_short(world: World, file: Path) -> None:
    take(world, file)
    await world.close()
    shutil.copy(file, world.path.with_name("chaipo.db.next.before-x"))
    before = dump(world.path)
    # The kill came after the first of the moves.
    world.path.rename(world.path.with_name("chaipo.db.before-x"))
    await world.open()
    assert dump(world.path.with_name("chaipo.db.before-x")) == before
    assert waiting(world.path) == []
    assert findings(world.path, world) == []


# The way back from damage


async def test_a_damaged_database_is_refused_at_the_start_with_the_newest_copies(world: World) -> None:
    names = [f"copy-{number}.db" for number in range(4)]
    for number, name in enumerate(names):
        take(world, world.path.with_name(name))
        os.utime(world.path.with_name(name), (number, number))
    old = world.path.with_name("chaipo.db.v1.bak")
    shutil.copy(world.path, old)
    os.utime(old, (9, 9))
    for stranger in ("copy-5.db.part", "notes.txt"):
        world.path.with_name(stranger).write_bytes(b"SQLite format 3\0")
    await world.close()
    content = world.path.read_bytes()
    world.path.write_bytes(content[:4096])
    with pytest.raises(StoreFatalError) as error:
        await SqliteDatabase.open(world.path)
    folder = world.folder
    assert "Restore a backup with `python -m bot restore FILE` " in str(error.value)
    assert f"(the newest next to it: {old}, {folder / 'copy-3.db'}, {folder / 'copy-2.db'})" in str(error.value)
    assert "or move the file away to start with an empty one" in str(error.value)
    put_back(world.path, folder / "copy-3.db")
    await world.open()


def test_a_folder_without_copies_or_without_a_folder_is_no_trouble(tmp_path: Path) -> None:
    assert copies_beside(tmp_path / "chaipo.db") == []
    assert copies_beside(tmp_path / "none" / "chaipo.db") == []


async def test_copies_of_the_playground_are_not_offered_to_the_bot_nor_the_bots_to_the_playground(world: World) -> None:
    ours, playgrounds = (world.folder / f"{name}-20300102T030405Z.db" for name in ("chaipo", "playground"))
    take(world, ours)
    take(world, playgrounds)
    assert copies_beside(world.folder / "chaipo.db") == [ours]
    assert copies_beside(world.folder / "playground.db") == [playgrounds]
