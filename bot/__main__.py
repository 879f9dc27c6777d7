"""Chaipo's command line: run the bot, or the playground; look after the database; score; verify."""

from __future__ import annotations

import argparse
import asyncio
import logging
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import discord

from bot import __version__
from bot.base import logs
from bot.base.command_help import HelpFormatter, examples
from bot.base.installation import COMMAND, HOME, default_places, version_text
from bot.base.settings import Settings, SettingsError, load_settings, refuse_unknown, shows_token, source_of
from bot.chat.application_assets import emoji_name
from bot.chat.art.faces import draw_all
from bot.chat.club.posts.welcomes import WelcomeTime
from bot.chat.discord_patches.wire import use_proxy
from bot.chat.kit.incidents import incident_code
from bot.chat.process_mark import ProcessMark
from bot.ops.health import Health, HealthError, serving, watching_the_loop
from bot.ops.metrics import Metrics
from bot.play.session.policy import Policy
from bot.run.app import ChaipoBot, settle_in
from bot.run.cli import doctor, export, games, moving, replay, review, score, solver, trainer, upkeep, verify
from bot.run.cli.records import refuse
from bot.run.cluster.processes import Leases
from bot.run.wiring import OperatorChoices, Resources, WebSettings, build_bot
from bot.store import (
    LeaseLostError,
    StoreDamagedError,
    StoreDeniedError,
    StoreError,
    StoreFatalError,
    StoreForeignError,
    StoreUnavailableError,
)
from bot.store.beat_mark import BeatMark
from bot.store.opening import named, open_database
from bot.store.owner import PLAYGROUND, is_unused
from bot.store.sqlite.backup import set_aside
from bot.store.sqlite.database import DEFAULT_PATIENCE_SECONDS
from bot.store.storage import Database
from bot.store.upkeep import left_behind
from bot.store.vault import SeedVault, find_missing_keys, in_words
from bot.text.languages import ENGLISH, Language, language_of
from bot.text.words import Words, words_for
from bot.web.limits import networks
from bot.web.serving import WebError
from bot.web.serving import serving as serving_pages
from bot.workers.worker_pool import WorkerPool, default_workers

T = TypeVar("T")
log = logging.getLogger("chaipo")

SECRET = ("DISCORD_TOKEN", "CHAIPO_DATABASE", "CHAIPO_CLIENT_SECRET")
"""The settings that are secret, or hold a password."""
TOKEN_REFUSED = (
    "Discord no longer accepts DISCORD_TOKEN, because the token was reset while the bot was running. Copy "
    "the new one from the Bot page of https://discord.com/developers/applications into .env, then start the "
    "bot again"
)
AUTHENTICATION_FAILED = 4004
"""Discord's code for a gateway connection whose token it doesn't accept."""
EXIT_MAY_PASS = 1
EXIT_STORAGE_FAILED = 70
EXIT_CONFIGURATION = 78
"""EX_CONFIG: another try would be refused in the same way, by Discord too."""


class StartError(Exception):
    """Why the bot cannot run, in one line that says what to do."""


class TemporaryStartError(StartError):
    """What keeps the bot from running may pass."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(
        prog=COMMAND,
        description="Open-Face Chinese Poker for Discord. Without a command, the bot runs: on Discord if DISCORD_TOKEN "
        "is set in the environment or in .env, otherwise in the playground, a simulated server in your browser.",
        epilog=examples("", "rules pineapple"),
        formatter_class=HelpFormatter,
    )
    top.add_argument(
        "--version", action="version", help="print the version and exit", version=f"chaipo {version_text(__version__)}"
    )
    sub = top.add_subparsers(title="commands", metavar="COMMAND")
    run = sub.add_parser(
        "run",
        help="run the bot (the default command)",
        description="Run the bot on Discord if DISCORD_TOKEN is set, otherwise in the playground. Stop it with Ctrl+C.",
        epilog=examples("", "--playground"),
        formatter_class=HelpFormatter,
    )
    run.add_argument("--playground", action="store_true", help="run the playground even if a token is set")
    for command in (top, run):
        command.set_defaults(run=_run, playground=False)
    for family in (score, games, verify, replay, review, export, solver, trainer, upkeep, moving, doctor):
        family.add_commands(sub)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    args = parser().parse_args(argv)
    try:
        refuse_unknown(os.environ, HOME / ".env")
    except SettingsError as error:
        code = refuse(f"chaipo: {error}")
        return EXIT_CONFIGURATION if args.run is _run else code
    return answered(lambda: args.run(args))


def answered(run: Callable[[], int]) -> int:
    """Run a command. An unexpected failure is logged with its traceback, and its code is printed."""
    try:
        return run()
    except Exception:
        refuse(f"chaipo: something went wrong (incident {incident_code()}). Report it with the lines above.")
        return EXIT_MAY_PASS


def _run(args: argparse.Namespace) -> int:
    # discord.py warns of what voice would need; there is none here.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    env_file = HOME / ".env"
    try:
        settings = load_settings(os.environ, env_file)
        playground = args.playground or settings.discord_token is None
        where = _where(settings.of_playground() if playground else settings, env_file, playground=playground)
        # Worker processes inherit the environment, and need neither the token nor the database's password.
        for secret in SECRET:
            os.environ.pop(secret, None)
        logs.set_up(level=settings.log_level, form=settings.log_format)
        if shows_token(env_file):
            log.warning(
                "%s contains the token and is readable by other users on this machine. Run chmod 600 on it", env_file
            )
        if playground:
            _require_playground()
        log.info(where)
        places = default_places(HOME, "chaipo.db")
        if not playground and settings.file is not None and (said := left_behind(settings.file, places)):
            log.warning("%s", said)
        with suppress(KeyboardInterrupt):
            asyncio.run(_serve(settings, playground=playground))
        log.info("the bot has stopped, and its database is closed")
    except (SettingsError, StoreError, StartError) as error:
        print(f"chaipo: {error}", file=sys.stderr)
        return _exit_code(error)
    return 0


def _where(settings: Settings, env_file: Path, *, playground: bool) -> str:
    """Return the places of the data and the settings that chose them, as the log names them at the start."""
    database, key = (source_of(name, os.environ, env_file) for name in ("CHAIPO_DATABASE", "CHAIPO_KEY_FILE"))
    new = "" if settings.file is None or settings.file.exists() else ", which is new"
    if playground:
        return f"the playground's database is {named(settings.place)}{new}, next to the bot's ({database})"
    return f"the database is {named(settings.place)}{new} ({database}), and the key file is {settings.key_file} ({key})"


def _exit_code(error: Exception) -> int:
    """What a supervisor goes by: only what may pass is worth another try."""
    if isinstance(error, StoreFatalError) and not isinstance(error, LeaseLostError):
        return EXIT_STORAGE_FAILED
    may_pass = isinstance(error, StoreUnavailableError | TemporaryStartError) and not isinstance(
        error, StoreDeniedError
    )
    return EXIT_MAY_PASS if may_pass else EXIT_CONFIGURATION


def _halt(trouble: Exception) -> None:
    """The disk fails, the file is damaged, or others have taken over: stop at once. What was acknowledged is safe."""
    log.critical("the bot is stopping: %s", trouble)
    os._exit(EXIT_MAY_PASS if isinstance(trouble, LeaseLostError) else EXIT_STORAGE_FAILED)


def _policy(settings: Settings) -> Policy:
    return Policy(
        start_chips=settings.start_chips,
        lobby_ms=settings.lobby_minutes * 60_000,
        next_hand_ms=settings.next_hand_seconds * 1000,
        left_server_days=settings.delete_left_servers_days,
    )


async def _serve(settings: Settings, *, playground: bool) -> None:
    """Open the database, then run the bot until it is told to stop."""
    stop = _stop_event()
    if playground:
        settings = settings.of_playground()
    if settings.shards is not None and settings.file is not None:
        raise StartError(
            "CHAIPO_SHARDS needs a PostgreSQL database, but CHAIPO_DATABASE names a file. Name a PostgreSQL "
            "database, or remove CHAIPO_SHARDS"
        )
    if settings.discord_proxy is not None:
        use_proxy(settings.discord_proxy)
    # In the playground nothing is worth a question: without its key, hands are void.
    vault = SeedVault.open(settings.key_file, database=None if playground else settings.file)
    metrics = Metrics()
    health = Health(metrics)
    workers = WorkerPool(default_workers() if settings.workers is None else settings.workers, meter=metrics)
    # In the playground a press is over when all is written that it makes, and until then time stands still.
    patience = 0 if playground else DEFAULT_PATIENCE_SECONDS
    shared = settings.shards is not None
    opened = partial(
        open_database, settings.place, on_fatal=_halt, meter=metrics, patience_seconds=patience, shared=shared
    )
    database = await _unless_stopped(_open_playgrounds(opened, settings) if playground else opened(), stop)
    page_url = settings.web_url or ""
    leases = None if settings.shards is None else _open_leases(database, settings.shards, page_url)

    def build(now_ms: Callable[[], int]) -> ChaipoBot:
        bot = build_bot(
            Resources(
                database=database,
                vault=vault,
                metrics=metrics,
                workers=workers,
                leases=leases,
                mark=BeatMark(settings.key_file),
            ),
            _operation(settings, playground=playground),
            WebSettings(url=page_url, secret=settings.activity_secret),
            now_ms=now_ms,
        )
        health.watch_connection(
            bot,
            bot.services.play,
            now_ms,
            lag_seconds=bot.services.publisher.lag_seconds,
            thinking=lambda: len(bot.clockwork.timekeeper.thinking),
            workers=lambda: workers.running,
            leads=lambda: bot.leads,
        )
        return bot

    try:
        if not playground:
            await _require_matching_keys(database, vault, settings)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(watching_the_loop(health, metrics))
            if settings.health_port:
                await stack.enter_async_context(serving(health, host=settings.health_host, port=settings.health_port))
            if playground:
                await _playground(settings, build, stop)
            else:
                bot = build(lambda: time.time_ns() // 1_000_000)
                mark = await _mark(settings, bot, database)
                if settings.web_url:
                    await stack.enter_async_context(_pages(settings, bot))
                await _discord(settings, bot, stop, mark)
    except (HealthError, WebError) as error:
        raise TemporaryStartError(str(error)) from error
    finally:
        workers.close()
        await database.close()


def _operation(settings: Settings, *, playground: bool) -> OperatorChoices:
    """Return how the bot runs; in the playground at once, without limits, and greeting at each start."""
    policy = _policy(settings)
    if playground:
        return OperatorChoices(
            policy=policy,
            shard_count=1,
            redraw_pause=0,
            requests_a_second=math.inf,
            owner=PLAYGROUND,
            welcoming=WelcomeTime.EACH_START,
        )
    return OperatorChoices(
        policy=policy,
        sync_guild=settings.sync_guild,
        requests_a_second=math.inf if settings.discord_proxy else settings.requests_a_second,
        welcoming=WelcomeTime.ONCE,
    )


async def _open_playgrounds(opened: Callable[[], Coroutine[Any, Any, T]], settings: Settings) -> T:
    """Open the playground's database. One that can't be read is set aside: nobody's club is in it."""
    try:
        return await opened()
    except (StoreForeignError, StoreDamagedError) as error:
        if settings.file is None:
            raise
        aside = set_aside(settings.file, now=datetime.now(UTC))
        log.warning("the playground starts with a new database, and keeps the old one as %s: %s", aside, error)
        return await opened()


async def _unless_stopped(opening: Coroutine[Any, Any, T], stop: asyncio.Event) -> T:
    """Wait for the database, and end at once where the bot is told to stop meanwhile: nothing is open yet."""
    opened, stopped = asyncio.create_task(opening), asyncio.create_task(stop.wait())
    await asyncio.wait({opened, stopped}, return_when=asyncio.FIRST_COMPLETED)
    if not opened.done():
        log.info("the bot was told to stop while it was waiting for its database")
        # A thread may wait for a server that does not answer, and would be waited for.
        os._exit(0)
    stopped.cancel()
    return opened.result()


def _open_leases(database: Database[Any], shard_count: int, page_url: str) -> Leases:
    """What several processes tell each other by a database that they share."""
    from bot.run.cluster.leases import PostgresLeases
    from bot.store.postgres.database import PostgresDatabase

    assert isinstance(database, PostgresDatabase)
    return PostgresLeases(database, shard_count=shard_count, page_url=page_url)


def _require_playground() -> None:
    """Refuse before anything is opened: the one line says what is missing."""
    from bot.run.playground import PlaygroundMissingError, require_playground

    try:
        require_playground()
    except PlaygroundMissingError as error:
        raise StartError(str(error)) from error


async def _require_matching_keys(database: Database[Any], vault: SeedVault, settings: Settings) -> None:
    """Refuse a key file that is not the database's: at once all that was sealed would be void."""
    lacks = await database.read(lambda transaction: find_missing_keys(database.sql(transaction), vault))
    if lacks:
        raise StartError(
            f"{settings.key_file} lacks a key that {named(settings.place)} was sealed with "
            f"({in_words(lacks)}). Restore its line, or run `{COMMAND} lost-key` if the key is lost for good"
        )


def _pages(settings: Settings, bot: ChaipoBot) -> AbstractAsyncContextManager[int]:
    """The tables' pages, which go on while the bot leaves Discord: whoever has one open is told where it goes on."""
    proxies = networks(settings.web_proxies)
    return serving_pages(bot.pages, bot.links, host=settings.web_host, port=settings.web_port, proxies=proxies)


async def _mark(settings: Settings, bot: ChaipoBot, database: Database[Any]) -> ProcessMark:
    unused = await database.read(lambda transaction: is_unused(database.sql(transaction)))
    return ProcessMark(
        bot, place=named(settings.place), unused=unused, leads=lambda: bot.leads, started_at=datetime.now(UTC)
    )


async def _discord(settings: Settings, bot: ChaipoBot, stop: asyncio.Event, mark: ProcessMark) -> None:
    assert settings.discord_token is not None
    bot.add_listener(_settle_in, "on_ready")
    bot.add_listener(mark.begin, "on_ready")
    running = asyncio.create_task(bot.start(settings.discord_token.get_secret_value()))
    stopping = asyncio.create_task(stop.wait())
    refused = asyncio.create_task(bot.token_watch.refused.wait())
    watching = asyncio.create_task(bot.watchdog.run())
    try:
        await asyncio.wait({running, stopping, refused}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
        elif refused.done():
            raise StartError(TOKEN_REFUSED)
    except discord.LoginFailure as error:
        raise StartError(
            "Discord does not accept DISCORD_TOKEN. Copy the token again from the Bot page of "
            "https://discord.com/developers/applications into .env"
        ) from error
    except discord.ConnectionClosed as error:
        raise _why_closed(error) from error
    except discord.PrivilegedIntentsRequired as error:
        raise StartError(
            "Discord requires intents that this bot does not use. Check that .env has this bot's token"
        ) from error
    except (OSError, discord.GatewayNotFound, discord.HTTPException) as error:
        raise TemporaryStartError(f"Discord cannot be reached ({error}). Check the network and start again") from error
    finally:
        for task in (stopping, refused, watching):
            task.cancel()
        mark.end()
        await bot.close()
        running.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await running


def _why_closed(error: discord.ConnectionClosed) -> StartError:
    """Return why Discord closed a connection for good."""
    if error.code == AUTHENTICATION_FAILED:
        return StartError(TOKEN_REFUSED)
    return TemporaryStartError(
        f"Discord has closed the connection permanently (code {error.code}). Start again, and report it if "
        "this keeps happening"
    )


async def _settle_in() -> None:
    settle_in()


async def _playground(settings: Settings, build: Callable[[Callable[[], int]], ChaipoBot], stop: asyncio.Event) -> None:
    from bot.run.playground import PlaygroundError, serve

    faces = {emoji_name(name): image for name, image in draw_all().items()}
    language = terminal_language()
    try:
        await serve(
            build,
            port=settings.port,
            faces=faces,
            language=language,
            announce=partial(announce, language=language),
            stop=stop,
        )
    except PlaygroundError as error:
        raise TemporaryStartError(str(error)) from error


def announce(url: str, language: Language) -> None:
    try:
        print(_opened(url, words_for(language.code)), flush=True)
    except UnicodeEncodeError:  # A terminal that can't write its own language.
        print(_opened(url, words_for(ENGLISH.code)), flush=True)


def _opened(url: str, words: Words) -> str:
    """What a newcomer does next, without Discord's marks of bold text and code."""
    file = str(HOME / ".env")
    lines = [words(f"playground.{key}") for key in ("play", "people", "commands")]
    lines.append(words("playground.stop", file=file))
    text = "\n".join(lines).replace("**", '"').replace("`", "")
    return f"\n{words('playground.opened')}\n\n    {url}\n\n{text}\n"


def terminal_language() -> Language:
    """The language that the terminal names, as in ``LANG=ja_JP.UTF-8``; English where it names none."""
    told = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return language_of(told.partition(".")[0].replace("_", "-"))


def _stop_event() -> asyncio.Event:
    """Set by Ctrl-C and by a polite kill."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows: Ctrl-C arrives as KeyboardInterrupt
            return stop
    return stop


if __name__ == "__main__":
    sys.exit(main())
