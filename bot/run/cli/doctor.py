"""The command that checks an installation: the machine, the settings, the files and Discord.

It changes nothing, and sends Discord a few requests. Exit code 0 means that the bot can start. Exit code 1 means that
something is wrong, and the line about it says how to fix it.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import discord
from discord.http import Route

from bot import __version__
from bot.base.command_help import HelpFormatter, examples
from bot.base.file_rights import left_to_root, owned_by_another
from bot.base.installation import HOME, PLAYGROUND_NEEDS, default_places, version_text
from bot.base.settings import Settings, SettingsError, load_settings, shows_token, source_of
from bot.chat.discord_patches.wire import PROXY_IS_WELL, use_proxy
from bot.chat.kit.bot_permissions import invitation, missing, permission_list
from bot.chat.process_mark import SKEW, first_run
from bot.model.activities import ACTIVITY, LAUNCHES
from bot.run.cli.records import RIGHT, WRONG, Commands, as_json, print_line, printable
from bot.run.cluster.processes import leave_seconds, missed_seconds
from bot.store import StoreError
from bot.store.beat_mark import BeatMark
from bot.store.opening import Place, named
from bot.store.owner import MOVE, MOVED, described, owner_of, refuse_another
from bot.store.sql import Sql
from bot.store.sqlite.copy_mark import beside
from bot.store.sqlite.database import MIGRATIONS, require_sqlite
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.files import lock_of, reading
from bot.store.sqlite.migrate import numbered, require_known_schema
from bot.store.upkeep import behind, left_behind, open_snapshot, put_back
from bot.store.vault import SeedVault, find_missing_keys, in_words
from bot.text.words import words_for

ROOM_BYTES = 200_000_000
"""Minimum free disk space, because an upgrade works on a copy of the database."""
DEFAULT_PROCESSES = 3
"""Number of processes started by the compose file."""
APART_SECONDS = 5.0
"""Maximum difference from Discord's clock, because players see deadlines by their own clocks. Also the timeout."""
EMBEDDED = 1 << 17
"""Discord's flag for applications that have an Activity."""
PATIENCE = aiohttp.ClientTimeout(total=15)


Lacking = Callable[[SeedVault], dict[str, list[bytes]]]


class CheckResult(NamedTuple):
    """A check, with its outcome and its explanation or remedy."""

    about: str
    right: bool
    text: str


class DiscordError(Exception):
    """A request to Discord failed. The text is a sentence with the remedy."""


def add_commands(subparsers: Commands) -> None:
    """Add the command to the parser, with its function as ``args.run``."""
    doctor = subparsers.add_parser(
        "doctor",
        help="check the installation and explain how to fix it",
        description="Check Python, SQLite, the settings, the free disk space, the database and its key. With a token, "
        "also ask Discord about the application, its servers and the clock. Nothing is changed.",
        epilog=examples("", "--json"),
        formatter_class=HelpFormatter,
    )
    doctor.add_argument("--json", action="store_true", help="print the findings as JSON")
    doctor.set_defaults(run=_doctor)


def _doctor(args: argparse.Namespace) -> int:
    found = []
    for finding in _looked_over():
        found.append(finding)
        if not args.json:
            print_line(f"{'ok ' if finding.right else '!! '} {finding.about + ':':<13}{finding.text}")
    if args.json:
        print_line(as_json([finding._asdict() for finding in found]))
    return RIGHT if all(finding.right for finding in found) else WRONG


def _looked_over() -> Iterator[CheckResult]:
    yield CheckResult("Chaipo", right=True, text=version_text(__version__))
    yield CheckResult("Python", right=True, text=sys.version.split()[0])
    yield _sqlite()
    try:
        settings = load_settings(os.environ, HOME / ".env")
    except SettingsError as error:
        yield CheckResult("settings", right=False, text=str(error))
        return
    yield _settings(HOME / ".env")
    source = source_of("CHAIPO_DATABASE", os.environ, HOME / ".env")
    yield CheckResult("data", right=True, text=f"{named(settings.place)} ({source})")
    yield from _left(settings)
    yield from _files(settings)
    if settings.discord_proxy is not None:
        use_proxy(settings.discord_proxy)
        yield asyncio.run(_proxy(settings.discord_proxy))
    yield asyncio.run(_page(settings))
    if settings.discord_token is None:
        yield _without_token()
    else:
        yield from _discord(settings.discord_token.get_secret_value(), settings)


def _sqlite() -> CheckResult:
    try:
        return CheckResult("SQLite", right=True, text=require_sqlite())
    except StoreError as error:
        return CheckResult("SQLite", right=False, text=str(error))


def _settings(env_file: Path) -> CheckResult:
    if not env_file.exists():
        return CheckResult("settings", right=True, text=f"from the environment; {env_file} does not exist")
    if shows_token(env_file):
        text = f"{env_file} contains the token and is readable by other users on this machine. Run chmod 600 on it"
        return CheckResult("settings", right=False, text=text)
    return CheckResult("settings", right=True, text=str(env_file))


# Files


def _files(settings: Settings) -> Iterator[CheckResult]:
    if settings.file is None:
        yield from _server(settings)
        return
    path = settings.file
    yield _room(path)
    yield from _rights(path, settings.key_file)
    if not path.exists():
        yield CheckResult("database", right=True, text=f"{path} does not exist yet. The first start creates it")
        return
    try:
        with reading(path) as connection:
            schema = require_known_schema(SqliteSql(connection), numbered(MIGRATIONS), place=str(path))
            _refuse_moved(SqliteSql(connection), path)
            yield _database(path, schema)
            yield _key(_lacking_in(SqliteSql(connection), schema), path, settings.key_file)
            yield from _behind(settings)
    except StoreError as error:
        yield CheckResult("database", right=False, text=str(error))


def _left(settings: Settings) -> Iterator[CheckResult]:
    if settings.file is not None and (said := left_behind(settings.file, default_places(HOME, "chaipo.db"))):
        yield CheckResult("left", right=False, text=said)


def _server(settings: Settings) -> Iterator[CheckResult]:
    try:
        with open_snapshot(settings.place) as sql:
            schema = sql.schema()
            _refuse_moved(sql, settings.place)
            yield _schema(f"{named(settings.place)}, schema {schema}", schema, kept="")
            yield _key(_lacking_in(sql, schema), None, settings.key_file)
            yield from _behind(settings)
    except StoreError as error:
        yield CheckResult("database", right=False, text=str(error))


def _room(path: Path) -> CheckResult:
    folder = next(folder for folder in path.parents if folder.is_dir())
    free = shutil.disk_usage(folder).free
    wanted = max(ROOM_BYTES, 2 * _bytes(path))
    there = f"{free / 1e9:.1f} GB free in {folder}"
    if free < wanted:
        return CheckResult("disk", right=False, text=f"{there}, but {wanted / 1e9:.1f} GB are needed. Free some space")
    if not os.access(folder, os.W_OK):
        return CheckResult("disk", right=False, text=f"this user cannot write to {folder}. Run this as the bot's user")
    return CheckResult("disk", right=True, text=there)


def _rights(path: Path, key_file: Path) -> Iterator[CheckResult]:
    """Yield a finding for each file that the bot's user can't use."""
    mark = BeatMark(key_file).file
    files = [path, lock_of(path.resolve()), key_file.resolve(), *([mark.resolve()] if mark else [])]
    told = False
    for file in files:
        wanted = os.R_OK if file == key_file.resolve() else os.R_OK | os.W_OK
        if not file.exists() or os.access(file, wanted):
            continue
        remedy = owned_by_another(file, *files)
        if remedy is None:
            remedy = "give the bot's user permission to read and write it"
        elif told:
            continue  # The first finding's command fixes all of them.
        else:
            told = True
        yield CheckResult("rights", right=False, text=f"{file} cannot be used: {remedy}")
    if said := left_to_root(files):
        yield CheckResult("rights", right=False, text=said)


def _refuse_moved(sql: Sql, place: Place) -> None:
    """Raise StoreError if the database has been moved elsewhere or its move isn't finished."""
    owner = owner_of(sql) or ""
    if owner.startswith(MOVED):
        refuse_another(owner, owner="", place=named(place))
    if owner.startswith(MOVE):
        raise StoreError(f"{named(place)} is the database of {described(owner)}. Run that `move` again to finish it")


def _database(path: Path, schema: int) -> CheckResult:
    return _schema(f"{path}, schema {schema}, {_bytes(path) / 1e6:.1f} MB", schema, kept=" and keeps a copy")


def _bytes(path: Path) -> int:
    """Return the size of a database including its ``-wal`` file; 0 if it doesn't exist."""
    return sum(file.stat().st_size for file in (path, beside(path, "-wal")) if file.exists())


def _schema(there: str, schema: int, *, kept: str) -> CheckResult:
    newest = len(numbered(MIGRATIONS))
    later = "" if schema == newest else f"; the next start upgrades it to schema {newest}{kept}"
    return CheckResult("database", right=True, text=there + later)


def _lacking_in(sql: Sql, schema: int) -> Lacking:
    """Return the function that finds missing keys."""
    # An older schema may store its seeds elsewhere. The next start checks their keys before any play.
    return partial(find_missing_keys, sql) if schema == len(numbered(MIGRATIONS)) else lambda _: {}


def _key(lacking_of: Lacking, path: Path | None, key_file: Path) -> CheckResult:
    try:
        lacks = lacking_of(SeedVault.open(key_file, database=path))
    except StoreError as error:
        return CheckResult("key", right=False, text=str(error))
    if lacks:
        text = f"{key_file} lacks a key that the database was sealed with ({in_words(lacks)}). Restore its line"
        return CheckResult("key", right=False, text=text)
    return CheckResult("key", right=True, text=f"{key_file}: back it up separately from the database")


def _behind(settings: Settings) -> Iterator[CheckResult]:
    if said := put_back(settings.place):
        yield CheckResult("copy", right=True, text=said)
    if said := behind(settings.place, settings.key_file):
        yield CheckResult("copy", right=False, text=f"{said}. Restore the newer file if you did not intend that")


# Discord


def _without_token() -> CheckResult:
    if find_spec("simcord") is None:
        text = (
            f"DISCORD_TOKEN is not set, and the playground is not installed. Write the token into {HOME / '.env'}, or "
        )
        return CheckResult("token", right=False, text=f"{text}install {PLAYGROUND_NEEDS}")
    return CheckResult("token", right=True, text="DISCORD_TOKEN is not set, so the bot opens the playground")


async def _proxy(address: str) -> CheckResult:
    otherwise = "start nirn-proxy there, or name its address in CHAIPO_DISCORD_PROXY"
    try:
        async with aiohttp.ClientSession(timeout=PATIENCE) as session, session.get(address + PROXY_IS_WELL) as answer:
            if answer.status == 200:
                return CheckResult("proxy", right=True, text=f"{address} enforces Discord's limits for all processes")
            return CheckResult(
                "proxy", right=False, text=f"{address} is not a nirn-proxy ({answer.status}): {otherwise}"
            )
    except (aiohttp.ClientError, TimeoutError) as error:
        text = f"{address} cannot be reached ({error or 'no answer'}): {otherwise}"
        return CheckResult("proxy", right=False, text=text)


async def _page(settings: Settings) -> CheckResult:
    """Check that players can reach the table's page by their links."""
    if settings.web_url is None:
        text = (
            "CHAIPO_WEB_URL is not set. The playground shows the tables' page, but there are no links to it on Discord"
        )
        return CheckResult("page", right=True, text=text)
    address, own = f"{settings.web_url}/table", f"{settings.web_host}:{settings.web_port}"
    try:
        async with (
            aiohttp.ClientSession(timeout=PATIENCE) as session,
            session.get(address, allow_redirects=False) as answer,
        ):
            if answer.status == 200 and "nonce-" in answer.headers.get("Content-Security-Policy", ""):
                trouble = await _missing_file(session, str(settings.web_url), await answer.text())
                if trouble:
                    why = f"forward everything below {settings.web_url}/api/ to {own} too"
                    return CheckResult("page", right=False, text=f"{trouble}. The reverse proxy must {why}")
                return CheckResult(
                    "page", right=True, text=f"{address} answers. Hands have an Open the table button that leads there"
                )
            if answer.status == 403:
                why = "pass on the Host header unchanged"
            elif answer.status in (502, 503, 504):
                why = f"forward requests to {own}, and check whether the bot is running"
            else:
                why = f"forward requests to {own}"
            return CheckResult(
                "page", right=False, text=f"{address} answers {answer.status}. The reverse proxy must {why}"
            )
    except (aiohttp.ClientError, TimeoutError) as error:
        text = f"{address} cannot be reached ({error or 'no answer'})"
        if not await _listens(settings.web_host, settings.web_port):
            return CheckResult(
                "page", right=True, text=f"{text}, and the bot is not running yet. Check again once it is"
            )
        otherwise = f"point its name to this machine, and let a reverse proxy forward requests to {own}"
        return CheckResult("page", right=False, text=f"{text}: {otherwise}")


async def _missing_file(session: aiohttp.ClientSession, home: str, page: str) -> str:
    """Return which of the files that ``page`` asks for doesn't come; empty if all do."""
    for file in re.findall(r'(?:href|src)="(api/[^"]+)"', page):
        async with session.get(f"{home}/{file}") as answer:
            if answer.status != 200:
                return f"{home}/{file} answers {answer.status}"
    return ""


async def _listens(host: str, port: int) -> bool:
    """True if a TCP connection succeeds."""
    try:
        async with asyncio.timeout(APART_SECONDS):
            _, writer = await asyncio.open_connection(host, port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True


def _discord(token: str, settings: Settings) -> Iterator[CheckResult]:
    try:
        yield from asyncio.run(_asked(token, settings))
        if settings.shards is not None:
            yield _shards(settings.shards, asyncio.run(_logins_at_once(token)), processes=_processes(settings))
    except DiscordError as error:
        yield CheckResult("Discord", right=False, text=str(error))


def _processes(settings: Settings) -> int:
    """Return the number of running processes; by default the number that the compose file starts."""
    with suppress(StoreError), open_snapshot(settings.place) as sql:
        row = sql.one("SELECT COUNT(*) AS count FROM process")
        return (row and int(row["count"])) or DEFAULT_PROCESSES
    return DEFAULT_PROCESSES


def _shards(shards: int, at_once: int, *, processes: int) -> CheckResult:
    """Report the outage that would follow if a process ended. It depends on Discord's limit for logins."""
    each = math.ceil(shards / processes)
    missed, leaves = missed_seconds(each, logins_at_once=at_once), leave_seconds(each, logins_at_once=at_once)
    text = (
        f"{shards} on {processes} processes, {at_once} logins at once. If a process dies, its last shard is served "
        f"after {missed} s. A process that stops takes up to {leaves:.0f} s, so let its supervisor wait "
        f"{leaves + 15:.0f} s"
    )
    return CheckResult("shards", right=True, text=text)


def _session(token: str) -> aiohttp.ClientSession:
    headers = {"Authorization": f"Bot {token}", "User-Agent": f"DiscordBot (chaipo, {__version__})"}
    return aiohttp.ClientSession(headers=headers, timeout=PATIENCE)


async def _logins_at_once(token: str) -> int:
    async with _session(token) as session:
        told, _ = await _get(session, "/gateway/bot")
    return int(told["session_start_limit"]["max_concurrency"])


async def _asked(token: str, settings: Settings) -> list[CheckResult]:
    async with _session(token) as session:
        application, apart = await _get(session, "/applications/@me")
        guilds, _ = await _get(session, "/users/@me/guilds?limit=200")
        activity = await _activity(session, application, settings)
        past = await _past(session, int(application["id"]), guilds, settings)
    found = [_accepted(application), _clock(apart), _roads(application), *_owner(settings, str(application["id"]))]
    return [*found, *past, *_servers(guilds, application=int(application["id"])), activity]


def _owner(settings: Settings, application: str) -> Iterator[CheckResult]:
    """Yield a finding if the bot can't start with this token because the database is another application's."""
    if settings.file is not None and not settings.file.exists():
        return
    with suppress(StoreError), open_snapshot(settings.place) as sql:
        former = owner_of(sql)
        # A move is reported with the files.
        if former is None or former == application or former.startswith((MOVED, MOVE)):
            return
        try:
            refuse_another(former, owner=application, place=named(settings.place))
        except StoreError as error:
            yield CheckResult("database", right=False, text=str(error))


async def _past(
    session: aiohttp.ClientSession, application: int, guilds: list[dict[str, Any]], settings: Settings
) -> list[CheckResult]:
    """Return a finding if the bot has run before with a different database."""
    unused = guilds and _unused_since(settings)
    if not unused:
        return []
    emojis, _ = await _get(session, f"/applications/{application}/emojis")
    since = first_run((int(emoji["id"]), str(emoji["name"])) for emoji in emojis["items"])
    if since is None or since > unused - SKEW:
        return []
    text = (
        f"{named(settings.place)} has no tables, but the bot of this application has run since "
        f"{since:%Y-%m-%d}. If a club has played with it, its data is in another database. Move it here with "
        "`move-out` and `move-in`"
    )
    return [CheckResult("past", right=False, text=text)]


def _unused_since(settings: Settings) -> datetime | None:
    """Return the time since which the database has had no tables; now if there is no database.

    Returns None if the database has been used for play.
    """
    now = datetime.now(UTC)
    if settings.file is not None and not settings.file.exists():
        return now
    with suppress(StoreError, OSError), open_snapshot(settings.place) as sql:
        if sql.one("SELECT 1 AS found FROM game_table LIMIT 1") is not None:
            return None
        if owner_of(sql) is None:
            return now
        if settings.file is not None:
            # The first start creates the lock file, which isn't written to afterwards.
            lock = settings.file.with_name(f"{settings.file.name}.lock")
            return datetime.fromtimestamp(lock.stat().st_mtime, UTC)
    return None


async def _activity(session: aiohttp.ClientSession, application: dict[str, Any], settings: Settings) -> CheckResult:
    """Check that the table's page also opens inside Discord. Raises DiscordError."""
    if not settings.activity:
        text = "CHAIPO_ACTIVITY is not set, so the table's page does not open inside Discord"
        return CheckResult("Activity", right=True, text=text)
    commands, _ = await _get(session, f"/applications/{application['id']}/commands")
    id, enabled = str(application["id"]), any(one["type"] == LAUNCHES for one in commands)
    enabled = enabled or bool(int(application.get("flags") or 0) & EMBEDDED)
    target = f"{settings.web_url}{ACTIVITY}".partition("://")[2]
    portal = f"https://discord.com/developers/applications/{id}"
    if not await _is_accepted(id, settings.activity_secret):
        text = f"CHAIPO_CLIENT_SECRET is not accepted. Copy it again from {portal}/oauth2"
        return CheckResult("Activity", right=False, text=text)
    if not enabled:
        text = (
            f"Activities are not enabled. Enable them at {portal}/embedded/settings, and map / to {target} "
            "under URL Mappings"
        )
        return CheckResult("Activity", right=False, text=text)
    text = f"hands have an Open in Discord button. The portal's URL Mappings must map / to {target}"
    return CheckResult("Activity", right=True, text=text)


async def _is_accepted(application: str, secret: str) -> bool:
    """True if ``secret`` is the application's. An invalid code is used to find out. Raises DiscordError."""
    form = {"client_id": application, "client_secret": secret, "grant_type": "authorization_code", "code": "none"}
    headers = {"User-Agent": f"DiscordBot (chaipo, {__version__})"}
    try:
        async with (
            aiohttp.ClientSession(headers=headers, timeout=PATIENCE) as session,
            session.post(f"{Route.BASE}/oauth2/token", data=form) as answer,
        ):
            return answer.status != 401
    except (aiohttp.ClientError, TimeoutError) as error:
        raise DiscordError(f"cannot be reached ({error or 'no answer'}). Check the network and the proxy") from error


async def _get(session: aiohttp.ClientSession, path: str) -> tuple[Any, float]:
    """Return the answer, and how many seconds this machine's clock is ahead of Discord's. Raises DiscordError."""
    try:
        async with session.get(Route.BASE + path) as answer:
            if answer.status == 401:
                raise DiscordError(
                    "DISCORD_TOKEN is not accepted. Copy the token again from the Bot page of "
                    "https://discord.com/developers/applications"
                )
            if answer.status != 200:
                raise DiscordError(f"Discord answered {answer.status} to {path}. Try again in a few minutes")
            told = (
                parsedate_to_datetime(answer.headers["Date"]).timestamp() if "Date" in answer.headers else time.time()
            )
            return await answer.json(), time.time() - told
    except (aiohttp.ClientError, TimeoutError) as error:
        raise DiscordError(f"cannot be reached ({error or 'no answer'}). Check the network and the proxy") from error


def _accepted(application: dict[str, Any]) -> CheckResult:
    name = printable(str(application["name"]))
    text = f"the token belongs to {name} ({application['id']}); it needs no privileged intents"
    return CheckResult("Discord", right=True, text=text)


def _clock(apart: float) -> CheckResult:
    # Discord's time is in whole seconds.
    if abs(apart) > APART_SECONDS:
        way = "ahead of" if apart > 0 else "behind"
        text = f"{abs(apart):.0f} seconds {way} Discord's. Let the system set its clock over the network (NTP)"
        return CheckResult("clock", right=False, text=text)
    return CheckResult("clock", right=True, text="the same as Discord's")


def _roads(application: dict[str, Any]) -> CheckResult:
    address = application.get("interactions_endpoint_url")
    if address:
        way = "empty Interactions Endpoint URL on the application's General Information page"
        text = f"go to {printable(str(address))}, so the bot does not get them: {way}"
        return CheckResult("presses", right=False, text=text)
    return CheckResult("presses", right=True, text="arrive over the gateway")


def _reads_history(permissions: int) -> bool:
    allowed = discord.Permissions(permissions)
    return allowed.administrator or allowed.read_message_history


def _servers(guilds: list[dict[str, Any]], *, application: int) -> Iterator[CheckResult]:
    words = words_for("en")
    if not guilds:
        yield CheckResult("servers", right=True, text=f"none yet: invite the bot with {invitation(application)}")
        return
    more = " or more" if len(guilds) == 200 else ""
    lacking_some = 0
    for guild in guilds:
        lacks = missing(discord.Permissions(int(guild["permissions"])))
        if lacks:
            lacking_some += 1
            named = permission_list(lacks, words)
            text = f"{printable(guild['name'])} does not grant {named}. Open {invitation(application)}"
            yield CheckResult("permissions", right=False, text=text)
    blind = [printable(guild["name"]) for guild in guilds if not _reads_history(int(guild["permissions"]))]
    if blind:
        text = f"{', '.join(blind)} {'does' if len(blind) == 1 else 'do'} not let the bot read message history: "
        text += "after a crash, an event's notice may be posted twice, and a digest not at all"
        yield CheckResult("history", right=True, text=text)
    if not lacking_some:
        text = f"{len(guilds)}{more}, and all grant the permissions that the bot needs; /setup checks each channel"
        yield CheckResult("servers", right=True, text=text)
