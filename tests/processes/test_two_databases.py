"""Processes with the same token: they complain if their databases differ."""

from __future__ import annotations

from pathlib import Path

from tests.databases import DATABASES
from tests.processes.house import house
from tests.standin.bot_process import LOOKS, BotProcess
from tests.standin.service import Service

RIVAL = "another process uses this bot's token with a database other than"
GONE = "the other process with this bot's token has ended"
QUICK = {LOOKS: "0.3"}


def bot_of(discord: Service, folder: Path, name: str) -> BotProcess:
    settings = {
        "CHAIPO_DATABASE": str(folder / f"{name}.db"),
        "CHAIPO_KEY_FILE": str(folder / f"{name}.key"),
        "CHAIPO_WORKERS": "0",
    }
    return BotProcess(discord.url, settings | QUICK, log=folder / f"{name}.log")


async def test_both_operators_are_told_that_there_are_two_databases(tmp_path: Path) -> None:
    async with Service(shards=1).serving() as discord:
        discord.channel(discord.guild_on(0), 1)
        one = bot_of(discord, tmp_path, "one")
        bots = [one]
        try:
            await discord.until(lambda: len(discord.sessions) == 1 or one.ended is not None)
            bots.append(other := bot_of(discord, tmp_path, "other"))
            await discord.until(lambda: all(RIVAL in bot.said for bot in bots) or any(bot.ended for bot in bots))
            for name, bot in (("one", one), ("other", other)):
                assert f"{RIVAL} {tmp_path / name}.db" in bot.said
            other.end()
            await discord.until(lambda: GONE in one.said or one.ended is not None)
            assert one.ended is None
        finally:
            for bot in bots:
                bot.end()
    assert not discord.limits.refused


async def test_processes_that_share_a_database_say_nothing(tmp_path: Path) -> None:
    async with house(DATABASES.server, tmp_path, shards=2, logins_at_once=2) as played:
        looks: list[str] = []
        played.discord.hook = lambda request: looks.append(request.path) if "/emojis/" in request.path else None
        await played.start(2, more=QUICK)
        await played.ready()
        await played.discord.until(lambda: len(looks) > 10)
        leader = next(bot for bot in played.living if "the tasks that run once for the whole bot" in bot.said)
        leader.end()
        await played.start(more=QUICK)
        await played.discord.until(played.fairly_shared)
        seen = len(looks)
        await played.discord.until(lambda: len(looks) > seen + 10)
        assert not any(RIVAL in bot.said for bot in played.living)
