"""`doctor` checks an installation. Each line says how to fix it, and nothing is changed."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from discord.http import Route
from discord.utils import time_snowflake
from pydantic import SecretStr

from bot.base.settings import VARIABLES, Settings
from bot.chat.kit.bot_permissions import INVITED, Permission
from bot.model.activities import LAUNCHES
from bot.run.cli import doctor
from bot.run.cli.doctor import CheckResult, _asked, _logins_at_once, _looked_over, _page, _proxy, _shards
from bot.store.beat_mark import BeatMark
from bot.store.owner import MOVE, MOVED
from bot.store.sqlite.database import SqliteDatabase
from bot.web.files import document
from tests.databases import do
from tests.file_owners import of_user
from tests.ops.service import APPLICATION
from tests.store.played_databases import played, put_key

NOW = 1_800_000_000.0
EMOJIS = "/applications/100/emojis"

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the default settings, apart from the files' paths."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(doctor, "HOME", tmp_path)
    monkeypatch.setenv("CHAIPO_DATABASE", str(tmp_path / "chaipo.db"))
    monkeypatch.setenv("CHAIPO_KEY_FILE", str(tmp_path / "chaipo.key"))


def found() -> dict[str, CheckResult]:
    """Return the findings by subject."""
    return {finding.about: finding for finding in _looked_over()}


def test_all_is_well_before_the_first_start_and_nothing_is_made(tmp_path: Path) -> None:
    assert all(finding.right for finding in found().values())
    assert "does not exist yet" in found()["database"].text
    assert found()["data"].text == f"{tmp_path / 'chaipo.db'} (CHAIPO_DATABASE in the environment)"
    assert found()["token"].text == "DISCORD_TOKEN is not set, so the bot opens the playground"
    assert list(tmp_path.iterdir()) == []


def test_the_exit_code_and_json_say_what_the_lines_say(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    from bot.__main__ import main

    assert main(["doctor"]) == 0
    assert all(line.startswith("ok ") for line in capsys.readouterr().out.splitlines())
    monkeypatch.setenv("CHAIPO_LOG_LEVEL", "LOUD")
    assert main(["doctor", "--json"]) == 1
    wrong = [finding for finding in json.loads(capsys.readouterr().out) if not finding["right"]]
    assert [finding["about"] for finding in wrong] == ["settings"]
    assert "For example: CHAIPO_LOG_LEVEL=INFO" in wrong[0]["text"]


def test_a_missing_playground_is_told_where_there_is_no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda name: None)
    assert not found()["token"].right
    assert "install requirements-playground.txt" in found()["token"].text


@pytest.mark.skipif(os.name != "posix", reason="the rights are those of POSIX")
def test_a_token_that_others_can_read_is_told(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=abc\nCHAIPO_DATABASE=/dev/null/x\n", encoding="utf-8")
    (tmp_path / ".env").chmod(0o644)
    assert "Run chmod 600 on it" in found()["settings"].text


def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "ROOM_BYTES", 10**18)
    assert not found()["disk"].right
    assert found()["disk"].text.endswith("Free some space")


def test_a_database_and_its_key_are_looked_at(tmp_path: Path) -> None:
    played("tables", tmp_path / "chaipo.db")
    put_key("tables", tmp_path / "chaipo.key")
    before = (tmp_path / "chaipo.db").read_bytes()
    assert found()["key"].right
    assert found()["database"].text.startswith(f"{tmp_path / 'chaipo.db'}, schema ")
    (tmp_path / "chaipo.db").write_bytes(b"a letter" * 1000)
    assert not found()["database"].right
    (tmp_path / "chaipo.db").write_bytes(before)
    assert found()["database"].right


def test_a_key_that_is_gone_is_told_before_an_upgrade_too(tmp_path: Path) -> None:
    played("tables", tmp_path / "chaipo.db")
    do(tmp_path / "chaipo.db", "PRAGMA user_version = 1")
    key = tmp_path / "chaipo.key"
    assert found()["key"].text.startswith(
        f"{key} does not exist, but {tmp_path / 'chaipo.db'} was sealed with it. Restore"
    )
    assert not key.exists()
    put_key("tables", key)
    assert found()["key"].right


@pytest.mark.parametrize("copied_at", [7, 8])
def test_an_older_copy_of_the_database_is_told_before_the_bot_starts(
    tmp_path: Path, capsys: Capture, copied_at: int
) -> None:
    from bot.__main__ import main

    played("tables", tmp_path / "chaipo.db")
    put_key("tables", tmp_path / "chaipo.key")
    database = "0123456789abcdef"
    do(tmp_path / "chaipo.db", f"UPDATE heartbeat SET database_id = '{database}', beats = {copied_at}")
    BeatMark(tmp_path / "chaipo.key").note(database, 8)
    sentence = f"{tmp_path / 'chaipo.db'} is older than the bot's last run. The next start cancels hands in progress"
    told = [finding.text for finding in found().values() if not finding.right]
    assert [text.startswith(sentence) for text in told] == ([True] if copied_at < 8 else [])
    assert main(["check"]) == 0
    assert (sentence in capsys.readouterr().err) == (copied_at < 8)


@pytest.mark.parametrize("name", ["chaipo.db", "data/var/chaipo.db"])
def test_a_database_that_the_settings_leave_behind_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """An installed bot that was moved in first, and given a `.env` with another path afterwards."""
    left = tmp_path / name
    left.parent.mkdir(parents=True, exist_ok=True)
    monkeypatch.setenv("CHAIPO_DATABASE", str(tmp_path / "new" / "chaipo.db"))
    assert "left" not in found()
    played("tables", left)
    assert not found()["left"].right
    assert found()["left"].text == (
        f"{left} is a database too (2 open tables, 3 hands), but the bot uses {tmp_path / 'new' / 'chaipo.db'}. "
        "To use the other one, remove CHAIPO_DATABASE and CHAIPO_KEY_FILE from .env or name it there. "
        "Otherwise move it away"
    )
    do(left, f"INSERT INTO owner (one, name) VALUES (1, '{MOVED}100')")
    assert "left" not in found(), "it is complete elsewhere"
    monkeypatch.setenv("CHAIPO_DATABASE", str(left))
    assert "left" not in found()


# Discord


@asynccontextmanager
async def answering(
    monkeypatch: pytest.MonkeyPatch, answers: Mapping[str, Any], *, status: int = 200, behind: float = 0
) -> AsyncIterator[list[str]]:
    """Serve Discord's responses, with a clock ``behind`` seconds late, and record the requests."""
    kept: list[str] = []

    async def exchange(request: web.Request) -> web.Response:
        assert "Authorization" not in request.headers, "the application's own secret is what it goes by"
        secret = (await request.post())["client_secret"]
        return web.json_response({"error": "..."}, status=400 if secret == "the-secret" else 401)

    async def answer(request: web.Request) -> web.Response:
        assert request.headers["Authorization"] == "Bot the-token"
        assert request.headers["User-Agent"].startswith("DiscordBot ")
        kept.append(request.path)
        date = formatdate(NOW - behind, usegmt=True)
        return web.json_response(answers.get(request.path), status=status, headers={"Date": date})

    monkeypatch.setattr("bot.run.cli.doctor.time.time", lambda: NOW)
    app = web.Application()
    app.router.add_get("/{any:.*}", answer)
    app.router.add_post("/oauth2/token", exchange)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{runner.addresses[0][1]}")
    try:
        yield kept
    finally:
        await runner.cleanup()


def servers(**permissions: int) -> dict[str, Any]:
    """Discord's answers where the bot is in servers that give it these permissions."""
    guilds = [
        {"id": str(number), "name": name, "permissions": str(given)}
        for number, (name, given) in enumerate(permissions.items())
    ]
    return {"/applications/@me": APPLICATION, "/users/@me/guilds": guilds, EMOJIS: {"items": []}}


async def asked(settings: Settings | None = None) -> dict[str, CheckResult]:
    """Return the findings about Discord by subject."""
    return {finding.about: finding for finding in await _asked("the-token", settings or Settings())}


async def test_what_discord_says_is_all_right(monkeypatch: pytest.MonkeyPatch) -> None:
    async with answering(monkeypatch, servers(Club=INVITED.value)):
        found = await asked()
    assert all(finding.right for finding in found.values())
    assert found["Discord"].text.startswith("the token belongs to Chaipo (100)")
    assert found["servers"].text.startswith("1, and all grant")


async def test_a_server_that_gives_too_little_is_named_with_the_way_to_mend_it(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = INVITED.value & ~(1 << 44)
    assert Permission.CREATE_EVENTS.value == "create_events"
    async with answering(monkeypatch, servers(Club=INVITED.value, Bar=lacking)):
        found = await asked()
    assert not found["permissions"].right
    assert found["permissions"].text.startswith("Bar does not grant Create Events. Open https://discord.com/oauth2/")


async def test_a_server_where_the_bot_reads_no_history_is_named_without_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    history, administrator = 1 << 16, 1 << 3
    given = INVITED.value | history
    async with answering(monkeypatch, servers(Club=given, Bar=INVITED.value, Den=INVITED.value | administrator)):
        found = await asked()
    assert found["history"].right
    assert found["history"].text.startswith("Bar does not let the bot read message history")
    async with answering(monkeypatch, servers(Club=given)):
        assert "history" not in await asked()


def emojis(*names: str, at: datetime) -> dict[str, Any]:
    """Discord's answer about an application with emojis that were made at a time."""
    items = [{"id": str(time_snowflake(at) + place), "name": name} for place, name in enumerate(names)]
    return {EMOJIS: {"items": items}}


LONG_AGO = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.mark.parametrize(
    ("begun", "names", "told"),
    [
        ("", ("ace_spades",), True),
        ("", ("process_0123456789abcdef",), True),
        ("", ("our_own_smiley",), False),
        ("", (), False),
        ("made", ("ace_spades",), True),
        ("made before", ("ace_spades",), False),
        ("played", ("ace_spades",), False),
    ],
)
async def test_an_empty_database_of_a_bot_that_has_run_is_told(
    begun: str, names: tuple[str, ...], told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "chaipo.db"
    settings = Settings(database=path)
    if begun == "played":
        played("tables", path)
    elif begun:
        await (await SqliteDatabase.open(path)).close()
        do(path, "INSERT INTO owner (one, name) VALUES (1, '100')")
        if begun == "made before":
            os.utime(f"{path}.lock", (LONG_AGO.timestamp(), LONG_AGO.timestamp()))
    async with answering(monkeypatch, servers(Club=INVITED.value) | emojis(*names, at=LONG_AGO)):
        found = await asked(settings)
    assert ("past" in found) is told
    if told:
        assert not found["past"].right
        assert f"{path} has no tables, but the bot of this application has run since 2026-11-21" in found["past"].text


async def test_a_bot_in_no_server_has_no_past_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    async with answering(monkeypatch, servers() | emojis("ace_spades", at=LONG_AGO)) as kept:
        assert "past" not in await asked()
    assert EMOJIS not in kept


async def test_a_bot_in_no_server_is_shown_its_invitation(monkeypatch: pytest.MonkeyPatch) -> None:
    async with answering(monkeypatch, servers()):
        assert "none yet: invite the bot with https://discord.com/oauth2/" in (await asked())["servers"].text


async def test_a_clock_that_is_wrong_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async with answering(monkeypatch, servers(), behind=90):
        assert (await asked())["clock"].text.startswith("90 seconds ahead of Discord's")
    async with answering(monkeypatch, servers(), behind=-90):
        assert (await asked())["clock"].text.startswith("90 seconds behind Discord's")


async def test_presses_that_go_elsewhere_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = {"/applications/@me": APPLICATION | {"interactions_endpoint_url": "https://example.org/"}}
    async with answering(monkeypatch, servers() | elsewhere):
        found = await asked()
    assert not found["presses"].right
    assert "empty Interactions Endpoint URL" in found["presses"].text


@pytest.mark.parametrize(
    ("status", "sentence"),
    [(401, "DISCORD_TOKEN is not accepted. Copy the token again"), (500, "Discord answered 500")],
)
async def test_a_refusal_says_what_to_do(monkeypatch: pytest.MonkeyPatch, status: int, sentence: str) -> None:
    async with answering(monkeypatch, {}, status=status):
        with pytest.raises(doctor.DiscordError, match=sentence):
            await asked()


async def test_a_network_that_is_down_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async with answering(monkeypatch, {}):
        pass
    with pytest.raises(doctor.DiscordError, match="cannot be reached"):
        await asked()


@pytest.mark.parametrize(
    ("path", "text"), [("/nirn/healthz", "enforces Discord's limits"), ("/else", "is not a nirn-proxy (404)")]
)
async def test_a_proxy_is_asked_whether_it_is_well(path: str, text: str) -> None:
    async def answer(_: web.Request) -> web.Response:
        return web.Response()

    app = web.Application()
    app.router.add_get(path, answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    finding = await _proxy(address)
    await runner.cleanup()
    assert text in finding.text
    assert finding.right is (path == "/nirn/healthz")
    assert "cannot be reached" in (await _proxy(address)).text


async def test_how_long_logins_take_is_told_for_this_bots_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    async with answering(monkeypatch, {"/gateway/bot": {"session_start_limit": {"max_concurrency": 1}}}):
        at_once = await _logins_at_once("the-token")
    told = _shards(100, at_once, processes=3)
    assert told.right
    assert "If a process dies, its last shard is served after 174 s." in told.text
    assert "A process that stops takes up to 185 s, so let its supervisor wait 200 s" in told.text
    assert "served after 9 s" in _shards(100, 16, processes=7).text


# the tables' pages


@asynccontextmanager
async def proxy(
    status: int, headers: Mapping[str, str] | None = None, *, text: str = "", files: int = 200
) -> AsyncIterator[int]:
    """Serve a response at the pages' address, and another at that of its files; yields its port."""

    async def answer(request: web.Request) -> web.Response:
        assert request.path == "/table"
        return web.Response(status=status, headers=headers, text=text)

    async def file(request: web.Request) -> web.Response:
        return web.Response(status=files)

    app = web.Application()
    app.router.add_get("/table", answer)
    app.router.add_get("/api/{rest:.*}", file)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield runner.addresses[0][1]
    await runner.cleanup()


@pytest.mark.parametrize(
    ("status", "headers", "right", "says"),
    [
        (
            200,
            {"Content-Security-Policy": "script-src 'nonce-abc'"},
            True,
            "answers. Hands have an Open the table button",
        ),
        (200, {}, False, "answers 200. The reverse proxy must forward requests to 127.0.0.1:8780"),
        (301, {"Location": "/elsewhere"}, False, "answers 301"),
        (403, {}, False, "must pass on the Host header unchanged"),
        (502, {}, False, "and check whether the bot is running"),
    ],
)
async def test_the_pages_are_asked_for_at_their_address(
    status: int, headers: Mapping[str, str], right: bool, says: str
) -> None:
    async with proxy(status, headers) as port:
        looked = await _page(Settings(web_url=f"http://127.0.0.1:{port}"))
        assert (looked.about, looked.right) == ("page", right)
        assert says in looked.text


@pytest.mark.parametrize("files", [200, 404])
async def test_the_pages_files_are_asked_for_too(files: int) -> None:
    policy = {"Content-Security-Policy": "script-src 'nonce-abc'"}
    async with proxy(200, policy, text=document("table.html"), files=files) as port:
        looked = await _page(Settings(web_url=f"http://127.0.0.1:{port}"))
        assert looked.right is (files == 200)
        assert (f"must forward everything below http://127.0.0.1:{port}/api/" in looked.text) is (files == 404)


async def test_pages_that_nobody_answers_for_are_told_from_a_bot_that_does_not_run() -> None:
    async with proxy(200) as port:
        pass
    nowhere = f"http://127.0.0.1:{port}"
    looked = await _page(Settings(web_url=nowhere, web_port=port))
    assert looked.right
    assert "the bot is not running yet" in looked.text
    async with proxy(200) as running:
        looked = await _page(Settings(web_url=nowhere, web_port=running))
        assert not looked.right
        assert f"a reverse proxy forward requests to 127.0.0.1:{running}" in looked.text


def test_without_an_address_the_pages_are_said_to_be_the_playgrounds() -> None:
    assert "CHAIPO_WEB_URL is not set" in found()["page"].text


# inside Discord


@pytest.mark.parametrize(
    ("secret", "flags", "commands", "right", "says"),
    [
        ("the-secret", 1 << 17, [], True, "URL Mappings must map / to cards.example.org/ofc/activity"),
        ("the-secret", 0, [{"type": LAUNCHES}], True, "hands have an Open in Discord button"),
        (
            "the-secret",
            0,
            [{"type": 1}],
            False,
            "Activities are not enabled. Enable them at https://discord.com/developers/",
        ),
        ("another", 1 << 17, [], False, "CHAIPO_CLIENT_SECRET is not accepted. Copy it again"),
    ],
)
async def test_what_the_activity_needs_at_discord_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, secret: str, flags: int, commands: list[Any], right: bool, says: str
) -> None:
    settings = Settings(activity=True, web_url="https://cards.example.org/ofc", client_secret=SecretStr(secret))
    answers = servers() | {"/applications/@me": APPLICATION | {"flags": flags}, "/applications/100/commands": commands}
    async with answering(monkeypatch, answers) as kept:
        looked = (await asked(settings))["Activity"]
    assert kept == ["/applications/@me", "/users/@me/guilds", "/applications/100/commands"]
    assert (looked.about, looked.right) == ("Activity", right)
    assert says in looked.text
    assert secret not in looked.text


async def test_an_activity_that_is_off_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    async with answering(monkeypatch, servers()) as kept:
        assert "CHAIPO_ACTIVITY is not set" in (await asked())["Activity"].text
    assert kept == ["/applications/@me", "/users/@me/guilds"]


# refusals of a start


def test_a_database_that_was_moved_out_is_told(tmp_path: Path) -> None:
    played("tables", tmp_path / "chaipo.db")
    put_key("tables", tmp_path / "chaipo.key")
    do(tmp_path / "chaipo.db", f"INSERT INTO owner (one, name) VALUES (1, '{MOVED}100')")
    told = [finding.text for finding in _looked_over() if not finding.right]
    assert told == [
        f"{tmp_path / 'chaipo.db'} was moved to another installation with `move-out`. Start the bot there, or run "
        "`python -m bot disown` to continue here, which leaves out the hands played there and cancels hands in progress"
    ]


def test_the_size_counts_what_waits_in_the_log(tmp_path: Path) -> None:
    path = tmp_path / "chaipo.db"
    played("tables", path)
    put_key("tables", tmp_path / "chaipo.key")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("CREATE TABLE filling (bytes BLOB)")
        connection.execute("INSERT INTO filling VALUES (zeroblob(3000000))")
        told = found()["database"].text
        size = path.stat().st_size + path.with_name("chaipo.db-wal").stat().st_size
    assert size > 3_000_000
    assert f", {size / 1e6:.1f} MB" in told


def test_half_of_a_move_is_told(tmp_path: Path) -> None:
    played("tables", tmp_path / "chaipo.db")
    put_key("tables", tmp_path / "chaipo.key")
    do(tmp_path / "chaipo.db", f"INSERT INTO owner (one, name) VALUES (1, '{MOVE}a.db')")
    (told,) = [finding.text for finding in _looked_over() if not finding.right]
    assert told.endswith("is the database of a move from a.db that was interrupted. Run that `move` again to finish it")


BESIDE = ("chaipo.db", "chaipo.db.lock", "chaipo.key", "chaipo.key.mark")


@pytest.mark.parametrize("name", BESIDE)
def test_a_file_of_another_user_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    played("tables", tmp_path / "chaipo.db")
    put_key("tables", tmp_path / "chaipo.key")
    for made in ("chaipo.db.lock", "chaipo.key.mark"):
        (tmp_path / made).touch()
    assert "rights" not in found()
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != name)
    with of_user(54321, below=tmp_path, folder=54321, monkeypatch=monkeypatch):
        looked = found()["rights"]
    others = [other for other in sorted(tmp_path.glob("chaipo.*")) if other.name != name]
    command = " ".join(map(str, ["sudo chown 54321", tmp_path / name, *others]))
    assert not looked.right
    assert looked.text == (
        f"{tmp_path / name} cannot be used: it belongs to root, but the bot runs as 54321: run `{command}`"
    )


def test_files_of_another_user_are_handed_over_by_one_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = tmp_path / "keys" / "decks.key"
    key.parent.mkdir()
    monkeypatch.setenv("CHAIPO_KEY_FILE", str(key))
    played("tables", tmp_path / "chaipo.db")
    put_key("tables", key)
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name not in ("chaipo.db", "decks.key"))
    with of_user(54321, below=tmp_path, folder=54321, monkeypatch=monkeypatch):
        (looked,) = [finding for finding in _looked_over() if finding.about == "rights"]
    assert looked.text.endswith(f"run `sudo chown 54321 {tmp_path / 'chaipo.db'} {key}`")


def test_files_of_the_bots_user_are_not_handed_to_whoever_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played("tables", tmp_path / "chaipo.db")
    put_key("tables", tmp_path / "chaipo.key")
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "chaipo.key")
    with of_user(54321, below=tmp_path, folder=0, files=12345, monkeypatch=monkeypatch):
        looked = found()["rights"]
    assert looked.text == (
        f"{tmp_path / 'chaipo.key'} cannot be used: it belongs to 12345. Run this as the bot's user, for example with "
        f"`sudo -u '#12345'` in front. If the bot runs as 54321, run `sudo chown 54321 {tmp_path / 'chaipo.key'} "
        f"{tmp_path / 'chaipo.db'}`"
    )


def test_a_file_in_another_users_folder_is_not_handed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A `.env` that was brought along names the database of the old place."""
    played("tables", tmp_path / "chaipo.db")
    put_key("tables", tmp_path / "chaipo.key")
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "chaipo.db")
    with of_user(54321, below=tmp_path, folder=12345, monkeypatch=monkeypatch):
        looked = found()["rights"]
    assert not looked.right
    assert looked.text == (
        f"{tmp_path / 'chaipo.db'} cannot be used: it is in a folder that belongs to 12345. Run this as the "
        "bot's user, for example "
        "with `sudo -u '#12345'` in front. If the bot runs as 54321, name a file in .env that 54321 owns"
    )


def test_files_that_root_has_left_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "service"
    folder.mkdir()
    monkeypatch.setenv("CHAIPO_DATABASE", str(folder / "chaipo.db"))
    monkeypatch.setenv("CHAIPO_KEY_FILE", str(folder / "chaipo.key"))
    played("tables", folder / "chaipo.db")
    put_key("tables", folder / "chaipo.key")
    with of_user(0, below=folder, folder=54321, monkeypatch=monkeypatch):
        looked = found()["rights"]
    assert not looked.right
    assert looked.text.endswith(
        f"run `sudo chown 54321 {folder / 'chaipo.db'} {folder / 'chaipo.key'}` before it starts"
    )


async def test_a_database_of_another_application_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(database=tmp_path / "chaipo.db")
    played("tables", tmp_path / "chaipo.db")
    do(tmp_path / "chaipo.db", "INSERT INTO owner (one, name) VALUES (1, '100')")
    async with answering(monkeypatch, servers(Club=INVITED.value)):
        assert "database" not in await asked(settings)
        do(tmp_path / "chaipo.db", "UPDATE owner SET name = '999'")
        looked = (await asked(settings))["database"]
    assert not looked.right
    assert looked.text.startswith(
        f"{tmp_path / 'chaipo.db'} is the database of the application 999, but this is the application 100: "
    )
