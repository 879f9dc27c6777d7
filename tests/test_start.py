"""The start: the database's owner, the required key, and refusals for operators and supervisors."""
# No other tasks run on a test's loop.

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from aiohttp import ClientSession, web
from discord.http import Route

import bot.__main__
from bot.__main__ import StartError, _exit_code, _serve, announce, main, terminal_language
from bot.base import logs
from bot.base.installation import HOME, STORED
from bot.base.settings import Settings, SettingsError, load_settings
from bot.run.playground.simulated_server import PEOPLE
from bot.run.wiring import OperatorChoices, Resources, build_bot
from bot.store import LeaseLostError, StoreBusyError, StoreDeniedError, StoreError
from bot.store.sqlite.database import SqliteDatabase
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.files import locked, reading
from bot.store.upkeep import left_behind
from bot.store.vault import SeedVault, find_missing_keys
from bot.workers.worker import Worker
from tests.file_owners import nobody, of_user
from tests.ops.service import APPLICATION, connected, service
from tests.play.world import START
from tests.run.playground.browser import Browser
from tests.run.playground.test_serve import capability
from tests.store.played_databases import played, put_key
from tests.store.test_before_1_0 import of_before
from tests.test_upkeep import damage
from tests.workers import jobs

POSIX = pytest.mark.skipif(os.name != "posix", reason="this is how POSIX does it")

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the bot's database is, with its key: hands in play and announced events."""
    path = tmp_path / "chaipo.db"
    put_key("events", tmp_path / "chaipo.key")
    return played("events", path)


def environ(path: Path, **more: str) -> dict[str, str]:
    """The environment of a bot with a token and that database."""
    return {
        "DISCORD_TOKEN": "the-token",
        "CHAIPO_DATABASE": str(path),
        "CHAIPO_KEY_FILE": str(path.with_name("chaipo.key")),
        "CHAIPO_PORT": "0",
        **more,
    }


def settings(path: Path) -> Settings:
    """Return the settings of a bot on this database."""
    return load_settings(environ(path), None)


async def started(path: Path) -> None:
    """Start the bot on Discord as the command does, and stop it when it is there."""
    found = settings(path)
    vault = SeedVault.open(found.key_file, database=path)
    database = await SqliteDatabase.open(path)
    try:
        await bot.__main__._require_matching_keys(database, vault, found)  # noqa: SLF001
        now_ms = max(time.time_ns() // 1_000_000, START)
        async with connected(
            build_bot(Resources(database=database, vault=vault), OperatorChoices(), now_ms=lambda: now_ms)
        ):
            pass
    finally:
        await database.close()


def refused(environ: Mapping[str, str]) -> tuple[int, str]:
    """Return a refused start's exit code and its line, from a separate process."""
    command = [sys.executable, "-m", "bot"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=HOME, env=environ)
    return done.returncode, the_line(done.stderr)


def the_line(told: str) -> str:
    """The one line of a refusal."""
    assert "Traceback" not in told
    line = told.splitlines()[-1]
    assert line.startswith("chaipo: ")
    return line.removeprefix("chaipo: ")


Refused = Callable[[Mapping[str, str]], tuple[int, str]]


@pytest.fixture
def refused_here(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Refused:
    """Return a function that does the same in this process, which has already loaded the bot."""

    def run(environ: Mapping[str, str]) -> tuple[int, str]:
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(logs, "set_up", lambda **_: None)
        return main([]), the_line(capsys.readouterr().err)

    return run


# The database's owner


async def test_the_bot_takes_the_database_at_its_first_start_and_is_let_in_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        async with service(monkeypatch):
            await started(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name FROM owner").fetchall() == [(APPLICATION["id"],)]


async def test_another_application_is_refused_before_it_closes_anything(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = await SqliteDatabase.open(path)
    await database.claim("999")
    await database.close()
    with closing(sqlite3.connect(path)) as connection:
        before = list(connection.iterdump())
    async with service(monkeypatch):
        with pytest.raises(StoreError, match="is the database of the application 999, but this is the appl"):
            await _serve(settings(path), playground=False)
    with closing(sqlite3.connect(path)) as connection:
        assert list(connection.iterdump()) == before


@contextmanager
def playground(path: Path) -> Iterator[str]:
    """Run the playground next to that database in a separate process; yields its address."""
    without_token = {name: value for name, value in environ(path).items() if name != "DISCORD_TOKEN"}
    command = [sys.executable, "-m", "bot"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=HOME, env=without_token) as run:
        assert run.stdout is not None
        try:
            yield next(line.decode().strip() for line in run.stdout if b"http://" in line)
        finally:
            run.terminate()
        assert run.stderr is not None
        assert "the bot has stopped, and its database is closed" in run.stderr.read().decode().splitlines()[-1]
        assert run.wait(30) == 0


def files_of(path: Path) -> tuple[bytes, bytes]:
    """Return the contents of the bot's database and its key."""
    return path.read_bytes(), path.with_name("chaipo.key").read_bytes()


async def test_what_is_pressed_in_the_playground_waits_for_no_clock_and_never_opens_the_bots_database(
    path: Path,
) -> None:
    before = files_of(path)
    with playground(path) as address:
        async with ClientSession() as http:
            alice = Browser(http=http, address=address, capability=await capability(http, address))
            await alice.open(PEOPLE[0].id)
            receipt = await alice.press("Open a table")
            assert (receipt["settlement"], receipt["rejected"]) == ("settled", False)
            await alice.look()
            receipt = await alice.press("Open")
            assert (receipt["settlement"], receipt["rejected"]) == ("settled", False)
            await alice.look()
            assert "Decks locked" in alice.words()
    assert files_of(path) == before
    names = {file.name for file in path.parent.iterdir()}  # Tests don't wait for other processes.
    assert {"playground.db", "playground.key"} <= names
    assert not names & {"chaipo.db-wal", "chaipo.db.lock"}


def make_newer(path: Path) -> Path:
    played("tables", path)
    damage(path, "PRAGMA user_version = 999")
    return path


def make_damaged(path: Path) -> Path:
    played("tables", path)
    path.write_bytes(path.read_bytes()[:8192])
    return path


def make_nothing_of_ours(path: Path) -> Path:
    path.write_bytes(b"a letter" * 1000)
    return path


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda path: of_before(path, version=25), "was made by a version before 1.0.0"),
        (make_newer, "was written by a newer version of the bot"),
        (make_damaged, "is damaged or not a database"),
        (make_nothing_of_ours, "is damaged or not a database"),
    ],
)
async def test_a_playgrounds_database_that_cannot_be_read_is_set_aside(
    make: Callable[[Path], Path], why: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    own = load_settings({"CHAIPO_DATABASE": str(tmp_path / "chaipo.db")}, None).of_playground()
    assert own.file is not None
    before = make(own.file).read_bytes()
    database = await bot.__main__._open_playgrounds(partial(SqliteDatabase.open, own.file), own)  # noqa: SLF001
    tables = await database.read(lambda sql: sql.execute("SELECT COUNT(*) FROM game_table").fetchone()[0])
    await database.close()
    assert tables == 0
    (aside,) = tmp_path.glob("playground.db.before-*Z")  # noqa: ASYNC240  # A test waits for nobody.
    assert aside.read_bytes() == before
    assert "restore FILE`" not in caplog.text, "that would put it in the place of the bot's own"
    (line,) = (
        record.getMessage()
        for record in caplog.records
        if "the playground starts with a new database" in record.getMessage()
    )
    assert f"keeps the old one as {aside}: " in line
    assert why in line


async def test_a_playgrounds_database_that_is_in_use_stays(tmp_path: Path) -> None:
    own = load_settings({"CHAIPO_DATABASE": str(tmp_path / "chaipo.db")}, None).of_playground()
    assert own.file is not None
    played("tables", own.file)
    with locked(own.file), pytest.raises(StoreBusyError):
        await bot.__main__._open_playgrounds(partial(SqliteDatabase.open, own.file), own)  # noqa: SLF001
    assert not list(tmp_path.glob("*.before-*"))  # noqa: ASYNC240  # A test waits for nobody.


def test_a_hosts_database_that_cannot_be_read_is_refused_and_stays(path: Path, refused_here: Refused) -> None:
    path.unlink()
    before = of_before(path, version=25).read_bytes()
    code, line = refused_here(environ(path))
    assert (code, "was made by a version before 1.0.0" in line) == (78, True)
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*.before-*"))


async def test_the_playground_opens_on_a_new_database(path: Path) -> None:
    of_before(path.with_name("playground.db"), version=1)
    with playground(path) as address:
        async with ClientSession() as http:
            assert await capability(http, address)
    assert list(path.parent.glob("playground.db.before-*Z"))  # Tests don't wait for other processes.


# The key


def test_a_key_that_is_gone_is_asked_for_and_not_made_anew(path: Path, refused_here: Refused) -> None:
    key = path.with_name("chaipo.key")
    key.unlink()
    code, line = refused_here(environ(path))
    assert code == 78
    assert line == (
        f"{key} does not exist, but {path} was sealed with it. Restore the key file, or run `python -m bot lost-key` "
        "if it is lost for good"
    )
    assert not key.exists()


def test_another_key_is_asked_about(path: Path) -> None:
    key = path.with_name("chaipo.key")
    key.write_text("ab" * 32 + "\n", encoding="utf-8")
    code, line = refused(environ(path))
    assert code == 78
    assert line == (
        f"{key} lacks a key that {path} was sealed with (hands in play: 1, next decks: 2, seeds of events: "
        f"4). Restore its line, or run `{sys.executable} -m bot lost-key` if the key is lost for good"
    )


@pytest.mark.parametrize("gone", [True, False])
async def test_a_key_that_was_given_up_is_asked_about_no_more(
    path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, gone: bool, caplog: pytest.LogCaptureFixture
) -> None:
    key = path.with_name("chaipo.key")
    key.unlink() if gone else key.write_text("ab" * 32 + "\n", encoding="utf-8")
    for name, value in environ(path).items():
        monkeypatch.setenv(name, value)
    await (await SqliteDatabase.open(path)).close()
    assert main(["lost-key"]) == 0
    assert "hands in play: 1, next decks: 2, seeds of events: 4" in capsys.readouterr().out
    assert key.stat().st_mode & 0o777 == 0o600
    async with service(monkeypatch):
        await started(path)
    with closing(sqlite3.connect(path)) as connection:
        assert set(connection.execute("SELECT phase, reason FROM event")) == {("cancelled", "seed_lost")}
    assert sum("is cancelled: the key that sealed" in message for message in caplog.messages) == 2


def test_the_key_of_a_database_can_be_given_up(path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    path.with_name("chaipo.key").unlink()
    for name, value in environ(path).items():
        monkeypatch.setenv(name, value)
    assert main(["lost-key"]) == 0
    assert "now records that the keys are lost (hands in play: 1, next decks: 2" in capsys.readouterr().out
    asyncio.run(_opened(path))
    vault = SeedVault.open(path.with_name("chaipo.key"))
    with reading(path) as connection:
        assert find_missing_keys(SqliteSql(connection), vault) == {}


@POSIX
def test_a_key_file_that_is_a_link_stays_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environ(path).items():
        monkeypatch.setenv(name, value)
    key = path.with_name("chaipo.key")
    key.rename(key.with_name("elsewhere.key"))
    key.symlink_to("elsewhere.key")
    assert main(["new-key"]) == 0
    assert key.is_symlink()
    assert len(key.with_name("elsewhere.key").read_text(encoding="utf-8").splitlines()) == 3


def test_nothing_is_given_up_where_no_key_is_lost(path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environ(path).items():
        monkeypatch.setenv(name, value)
    asyncio.run(_opened(path))
    before = path.with_name("chaipo.key").read_bytes()
    assert main(["lost-key"]) == 0
    assert "holds every key that" in capsys.readouterr().out
    assert path.with_name("chaipo.key").read_bytes() == before


async def _opened(path: Path) -> None:
    await (await SqliteDatabase.open(path)).close()


async def test_a_new_key_seals_and_the_old_one_opens(
    path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environ(path).items():
        monkeypatch.setenv(name, value)
    key = path.with_name("chaipo.key")
    before = SeedVault.open(key)
    sealed = before.seal(b"s" * 32, hand_id="1")
    assert main(["new-key"]) == 0
    assert f"{key} has a new key." in capsys.readouterr().out
    after = SeedVault.open(key)
    assert after.unseal(sealed, hand_id="1") == b"s" * 32
    assert before.lacks([after.seal(b"s" * 32, hand_id="1")])
    assert key.stat().st_mode & 0o777 == 0o600
    async with service(monkeypatch):
        await started(path)


def test_a_new_key_is_not_made_in_place_of_one_that_is_gone(
    path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environ(path).items():
        monkeypatch.setenv(name, value)
    path.with_name("chaipo.key").unlink()
    assert main(["new-key"]) == 2
    assert "Restore it, or run `python -m bot lost-key`" in capsys.readouterr().err


@pytest.fixture
def default_database() -> Iterator[Callable[[Path], None]]:
    """Let another file be the database that no setting names."""
    field = Settings.model_fields["database"]
    former = field.default

    def choose(path: Path) -> None:
        field.default = path
        Settings.model_rebuild(force=True)

    yield choose
    choose(former)


# Exit codes


@pytest.mark.parametrize(
    ("more", "code", "told"),
    [
        ({"CHAIPO_PORT": "many"}, 78, "CHAIPO_PORT in the environment is 'many'"),
        ({"CHAIPO_DISK": "1"}, 78, "CHAIPO_DISK in the environment is not a setting"),
        (
            {"DISCORD_TOKEN": "two words"},
            78,
            "DISCORD_TOKEN in the environment is not a token: it must be",
        ),
    ],
)
def test_a_wrong_setting_is_not_worth_another_try(
    path: Path, refused_here: Refused, more: dict[str, str], code: int, told: str
) -> None:
    found, line = refused_here(environ(path, **more))
    assert (found, line[: len(told)]) == (code, told)


def test_a_damaged_database_wants_a_look(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:8192])
    code, line = refused(environ(path))
    assert (code, "is damaged or not a database" in line) == (70, True)


def test_a_database_in_use_may_be_free_later(path: Path) -> None:
    with locked(path):
        code, line = refused(environ(path))
    assert (code, "is open in another running bot" in line) == (1, True)


@POSIX
@pytest.mark.parametrize("name", ["chaipo.db.lock", "chaipo.key", ".env"])
def test_a_file_of_another_user_is_refused_with_the_command_that_mends_it(
    path: Path, refused_here: Refused, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    file = path.with_name(name)
    file.touch()
    monkeypatch.setattr(bot.__main__, "HOME", path.parent)
    opening, reading_text = os.open, Path.read_text

    def opened(named: Any, *more: Any, **options: Any) -> int:
        if named == file:
            raise PermissionError(13, "Permission denied")
        return opening(named, *more, **options)

    def read(named: Path, *more: Any, **options: Any) -> str:
        if named == file:
            raise PermissionError(13, "Permission denied")
        return reading_text(named, *more, **options)

    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(Path, "read_text", read)
    with of_user(54321, below=path.parent, folder=54321, monkeypatch=monkeypatch):
        found, line = refused_here(environ(path))
    assert found == 78
    beside = [] if name == ".env" else [other for other in sorted(path.parent.glob("chaipo.*")) if other != file]
    command = " ".join(map(str, ["sudo chown 54321", file, *beside]))
    assert line.endswith(f"(Permission denied): it belongs to root, but the bot runs as 54321: run `{command}`")


@POSIX
def test_a_user_who_is_not_the_bots_is_told_to_run_it_as_the_bots(
    path: Path, refused_here: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = path.with_name(".env")
    file.touch()
    monkeypatch.setattr(bot.__main__, "HOME", path.parent)
    reading_text = Path.read_text

    def read(named: Path, *more: Any, **options: Any) -> str:
        if named == file:
            raise PermissionError(13, "Permission denied")
        return reading_text(named, *more, **options)

    monkeypatch.setattr(Path, "read_text", read)
    with of_user(54321, below=path.parent, folder=0, files=12345, monkeypatch=monkeypatch):
        found, line = refused_here(environ(path))
    assert (found, line) == (
        78,
        f"{file} cannot be read (Permission denied): it belongs to 12345. Run this as the bot's user, for example with "
        f"`sudo -u '#12345'` in front. If the bot runs as 54321, run `sudo chown 54321 {file}`",
    )


@POSIX
@pytest.mark.parametrize("named", [True, False])
def test_a_folder_that_the_bots_user_may_not_enter_is_told(
    named: bool, default_database: Callable[[Path], None]
) -> None:
    with TemporaryDirectory() as place:
        folder = Path(place) / "var"
        folder.mkdir(mode=0)
        remedy = "give the bot's user permission to enter it"
        if os.geteuid() == 0:
            remedy = f"it belongs to root, but the bot runs as nobody: run `sudo chown nobody {folder}`"
        default_database(folder / "chaipo.db")
        with nobody(Path(place)), pytest.raises(SettingsError) as told:
            load_settings({"CHAIPO_DATABASE": str(folder / "chaipo.db")} if named else {}, None)
        folder.chmod(0o700)
    assert str(told.value) == f"{folder} cannot be entered: {remedy}"
    assert _exit_code(told.value) == 78


@POSIX
def test_a_usual_place_that_the_bots_user_may_not_enter_is_passed_over() -> None:
    with TemporaryDirectory() as place:
        folder = Path(place) / "var"
        folder.mkdir(mode=0)
        with nobody(Path(place)):
            assert left_behind(Path(place) / "chaipo.db", [folder / "chaipo.db"]) is None
        folder.chmod(0o700)


@POSIX
def test_a_folder_of_root_is_handed_over_with_the_bots_files_in_it() -> None:
    with TemporaryDirectory() as place:
        folder = Path(place) / "var"
        folder.mkdir(mode=0o755)
        (folder / "chaipo.key").touch()
        if os.geteuid():
            pytest.skip("only root gives a folder to another user")
        with nobody(Path(place)), pytest.raises(StoreDeniedError) as told, locked(folder / "chaipo.db"):
            pass
    assert str(told.value) == (
        f"{folder / 'chaipo.db.lock'} may not be written (Permission denied): its folder {folder} belongs to root, but "
        f"the bot runs as nobody: run `sudo chown nobody {folder} {folder / 'chaipo.key'}`"
    )


@POSIX
@pytest.mark.parametrize("rights", [0o400, 0o000])
def test_a_database_that_the_bots_user_may_not_write_is_not_worth_another_try(rights: int) -> None:
    with TemporaryDirectory() as place, nobody(Path(place)):
        path = Path(place) / "chaipo.db"
        played("tables", path)
        path.chmod(rights)
        with pytest.raises(
            StoreDeniedError, match=f"{path} may not be written .*: give the bot's user permission"
        ) as told:
            asyncio.run(SqliteDatabase.open(path))
    assert _exit_code(told.value) == 78


@POSIX
@pytest.mark.parametrize("name", ["chaipo.db", "chaipo.db-wal", "chaipo.db.lock", "chaipo.key"])
def test_a_pipe_in_the_place_of_a_file_is_refused(path: Path, refused_here: Refused, name: str) -> None:
    path.with_name(name).unlink(missing_ok=True)
    os.mkfifo(path.with_name(name))
    code, line = refused_here(environ(path))
    assert (code, line) == (78, f"{path.with_name(name)} is a pipe or a device. Name a regular file")


async def refusal_of(path: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> StartError:
    """Return the error of a start with Discord at ``address``."""
    monkeypatch.setattr(Route, "BASE", address)
    with pytest.raises(StartError) as refusal:
        await _serve(settings(path), playground=False)
    return refusal.value


async def test_a_token_that_discord_does_not_accept_is_not_tried_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(_: web.Request) -> web.Response:
        return web.json_response({"message": "401: Unauthorized", "code": 0}, status=401)

    app = web.Application()
    app.router.add_route("*", "/{any:.*}", refuse)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}/api"
    refusal = await refusal_of(path, monkeypatch, address)
    assert str(refusal).startswith("Discord does not accept DISCORD_TOKEN. Copy the token again")
    assert _exit_code(refusal) == 78
    await runner.cleanup()
    refusal = await refusal_of(path, monkeypatch, address)
    assert str(refusal).startswith("Discord cannot be reached")
    assert _exit_code(refusal) == 1


async def test_several_processes_are_refused_on_sqlite(tmp_path: Path) -> None:
    settings = load_settings({"DISCORD_TOKEN": "abc", "CHAIPO_DATABASE": str(tmp_path / "a.db")}, None)
    with pytest.raises(StartError, match="needs a PostgreSQL database, but CHAIPO_DATABASE names a file") as refusal:
        await _serve(settings.model_copy(update={"shards": 4}), playground=False)
    assert _exit_code(refusal.value) == 78
    assert not list(tmp_path.iterdir())  # noqa: ASYNC240  # A test waits for nobody.


def test_a_process_that_was_given_up_for_dead_is_started_again() -> None:
    assert _exit_code(LeaseLostError("given up")) == 1


# Location of the data


@POSIX
def test_the_log_says_where_the_data_are_and_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=abc\nCHAIPO_DATABASE=/dev/null\n", encoding="utf-8")
    (tmp_path / ".env").chmod(0o600)
    monkeypatch.setattr(bot.__main__, "HOME", tmp_path)
    monkeypatch.setattr(logs, "set_up", lambda **_: None)
    key = f"and the key file is {STORED / 'chaipo.key'} (the default, CHAIPO_KEY_FILE is not set)"
    with caplog.at_level(logging.INFO):
        assert main([]) == 78
        assert f"the database is /dev/null (CHAIPO_DATABASE in {tmp_path / '.env'}), {key}" in caplog.messages
        new = tmp_path / "link"
        new.symlink_to("/dev/full/none")
        monkeypatch.setenv("CHAIPO_DATABASE", str(new))
        assert main([]) == 78
        assert f"the database is {new}, which is new (CHAIPO_DATABASE in the environment), {key}" in caplog.messages


@POSIX
def test_the_log_names_a_database_that_the_settings_leave_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=abc\nCHAIPO_DATABASE=/dev/null\n", encoding="utf-8")
    (tmp_path / ".env").chmod(0o600)
    monkeypatch.setattr(bot.__main__, "HOME", tmp_path)
    monkeypatch.setattr(logs, "set_up", lambda **_: None)
    left = played("tables", tmp_path / "chaipo.db")
    assert main([]) == 78
    (line,) = (line for line in caplog.messages if "is a database too" in line)
    assert line.startswith(f"{left} is a database too (2 open tables, 3 hands), but the bot uses /dev/null. ")


def test_a_databases_password_is_not_in_the_log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    address = "postgresql://chaipo:secret@db.example.org/chaipo"
    monkeypatch.setenv("CHAIPO_DATABASE", address)
    where = bot.__main__._where(  # noqa: SLF001
        load_settings({"CHAIPO_DATABASE": address}, None), tmp_path / ".env", playground=False
    )
    assert where.startswith("the database is postgresql://chaipo@db.example.org/chaipo (CHAIPO_DATABASE in the env")


# Other eyes


@POSIX
def test_what_the_bot_starts_is_told_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"DISCORD_TOKEN": "abc", "CHAIPO_DATABASE": "/dev/null"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(logs, "set_up", lambda **_: None)
    assert main([]) == 78
    worker = Worker()
    told = asyncio.run(worker.think(jobs.environment, seconds=60))
    worker.end()
    assert not told.keys() & {"DISCORD_TOKEN", "CHAIPO_DATABASE"}
    assert told["OPENBLAS_NUM_THREADS"] == "1"


@POSIX
def test_a_token_that_others_may_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=abc\nCHAIPO_DATABASE=/dev/null\n", encoding="utf-8")
    (tmp_path / ".env").chmod(0o644)
    monkeypatch.setattr(bot.__main__, "HOME", tmp_path)
    monkeypatch.setattr(logs, "set_up", lambda **_: None)
    with caplog.at_level(logging.WARNING):
        assert main([]) == 78
    assert f"{tmp_path / '.env'} contains the token and is readable by other users on this machine" in caplog.text
    assert "/dev/null is a pipe or a device" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("told", "first"),
    [
        ({"LANG": "ja_JP.UTF-8"}, "お試しページ"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "ja_JP"}, "お試しページ"),
        ({"LANG": "ja_JP.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "playground"),
        ({"LANG": "C.UTF-8"}, "playground"),
        ({}, "playground"),
    ],
)
def test_the_terminal_is_spoken_to_in_its_language(
    told: dict[str, str], first: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    announce("http://127.0.0.1:8765/", terminal_language())
    said = capsys.readouterr().out
    assert first in said.splitlines()[1]
    assert "http://127.0.0.1:8765/" in said
    assert "**" not in said
