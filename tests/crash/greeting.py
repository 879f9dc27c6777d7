"""A start of the bot that welcomes a server, on a Discord that outlives it and keeps earlier posts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from discord import Intents
from discord.ext import commands

from bot.chat.club.posts.welcomes import Welcomes, WelcomeTime
from bot.model.ids import GuildId
from bot.store.sqlite.driver import Connect
from tests.crash.outliving import Posted, outliving, posts_told
from tests.play.world import World
from tests.standin.standin import custom_ids


async def greet(
    folder: Path,
    *,
    at: int,
    before: Sequence[Posted],
    connect: Connect,
    begin: Callable[[], None],
    point: Callable[[str], None],
    tell: Callable[[str], None],
) -> int:
    """Start at a given time and welcome the server; returns the number of welcomes posted.

    ``begin`` is called before the bot posts a welcome, ``point`` where it can be killed, and ``tell`` with each post
    that Discord accepts, before the bot gets the response.
    """
    now = [at]
    discord, channel = outliving(before, now)
    now[0] = at
    client = commands.AutoShardedBot(command_prefix=(), intents=Intents(guilds=True))
    await discord.start(client)
    world = World(folder, now=at)
    world.connect = connect
    await world.open()

    discord.hook = partial(posts_told, now=now, point=point, tell=tell)
    welcomes = Welcomes(client, world.play, now_ms=lambda: at, welcoming=WelcomeTime.ONCE)
    begin()
    welcomes.greet(GuildId(channel.guild.id))
    assert welcomes._greeting is not None  # noqa: SLF001
    await welcomes._greeting  # noqa: SLF001
    return sum(bool(list(custom_ids(message, "set_up"))) for message in channel.public())
