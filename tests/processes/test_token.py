"""A token that is reset while the bot runs: the bot ends with one sentence, and isn't started again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.__main__ import EXIT_CONFIGURATION, TOKEN_REFUSED
from tests.databases import DATABASES
from tests.processes.house import house
from tests.standin.bot_process import BotProcess
from tests.standin.rest import Fault, Request
from tests.standin.service import Service


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[tuple[Service, BotProcess]]:
    """A bot that has started."""
    settings = {
        "CHAIPO_DATABASE": str(folder / "chaipo.db"),
        "CHAIPO_KEY_FILE": str(folder / "chaipo.key"),
        "CHAIPO_WORKERS": "0",
    }
    async with Service(shards=1).serving() as discord:
        channel = discord.channel(discord.guild_on(0), 1)
        bot = BotProcess(discord.url, settings, log=folder / "bot.log")
        try:
            await discord.until(
                lambda: (discord.held and discord.commands and channel.public()) or bot.ended is not None
            )
            assert bot.ended is None, bot.said
            yield discord, bot
        finally:
            bot.end()


async def ends_with_the_sentence(discord: Service, bot: BotProcess) -> None:
    await discord.until(lambda: bot.ended is not None)
    assert bot.said.splitlines()[-1] == f"chaipo: {TOKEN_REFUSED}"
    assert "Traceback" not in bot.said
    assert bot.ended == EXIT_CONFIGURATION


async def test_a_connection_that_discord_closes_for_its_token_ends_the_bot(tmp_path: Path) -> None:
    async with running(tmp_path) as (discord, bot):
        discord.reset_token(bot.token)
        for login in discord.sessions.values():
            login.go_elsewhere()
        await ends_with_the_sentence(discord, bot)


async def test_a_request_that_discord_refuses_for_its_token_ends_the_bot(tmp_path: Path) -> None:
    """The open connection would deliver presses for hours."""
    async with running(tmp_path) as (discord, bot):
        discord.reset_token(bot.token)
        channel = next(iter(discord.channels.values()))
        await discord.slash(discord.user(1), channel, "ofc play", game="pineapple").finished()
        await ends_with_the_sentence(discord, bot)


async def test_a_refusal_of_one_thing_ends_nothing(tmp_path: Path) -> None:
    async with running(tmp_path) as (discord, bot):
        refused: list[Request] = []

        def refuse(request: Request) -> Fault | None:
            if request.kind != "send":
                return None
            refused.append(request)
            return Fault(status=401)

        discord.hook = refuse
        channel = next(iter(discord.channels.values()))
        await discord.slash(discord.user(1), channel, "ofc play", game="pineapple").finished()
        await discord.until(lambda: refused and any(r.path == "/users/@me" for r in discord.requests))
        discord.hook = None
        answer = (await discord.slash(discord.user(2), channel, "rules").finished()).answer
        assert answer is not None
        assert bot.ended is None


async def test_several_processes_end_too(tmp_path: Path) -> None:
    async with house(DATABASES.server, tmp_path, shards=2, logins_at_once=2) as played:
        (bot,) = await played.start()
        await played.ready()
        played.discord.reset_token(bot.token)
        for login in played.discord.sessions.values():
            login.go_elsewhere()
        await ends_with_the_sentence(played.discord, bot)
