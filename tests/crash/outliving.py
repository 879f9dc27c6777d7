"""A Discord that outlives the bot: what was posted before stands there, and what is posted is told at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from discord import Intents
from discord.ext import commands

from bot.store.sqlite.driver import Connect
from tests.play.world import World
from tests.standin.rest import Fault, Request
from tests.standin.standin import Standin
from tests.standin.things import Channel


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """A message that Discord took: when, in milliseconds, and what it was asked."""

    at: int
    body: str


_LASTS = ("COMMIT", "before_commit", "after_commit", "resolved", "asked", "posted")
"""The points round which something comes to stay: in the database, or with Discord."""


def worth_a_kill(points: Sequence[str], *, every: int) -> list[int]:
    """The numbers of the points to kill at: all round which something comes to stay, and every so many of the others.

    Whoever is killed between two of those leaves what whoever was killed at the one before has left.
    """
    return [number for number, point in enumerate(points, 1) if point in _LASTS or number % every == 1 or every == 1]


def outliving(before: Sequence[Posted], now: list[int]) -> tuple[Standin, Channel]:
    """A Discord by a clock that its user moves (``now[0]``), and its channel, where what was posted before stands."""
    discord = Standin(now_ms=lambda: now[0])
    channel = discord.channel(discord.guild(1), 1)
    for posted in before:
        now[0] = posted.at
        discord._post(channel, posted.body)  # noqa: SLF001  # As Discord did when the process before was alive.
    return discord, channel


async def woken(discord: Standin, folder: Path, *, at: int, connect: Connect) -> tuple[commands.AutoShardedBot, World]:
    """A client that has come to it, and the bot's database opened at a time (ms), as after a kill."""
    client = commands.AutoShardedBot(command_prefix=(), intents=Intents(guilds=True))
    await discord.start(client)
    world = World(folder, now=at)
    world.connect = connect
    await world.open()
    return client, world


def posts_told(
    request: Request, *, now: Sequence[int], point: Callable[[str], None], tell: Callable[[str], None]
) -> Fault | None:
    """Tell of each post, between two points at which the bot can be killed."""
    if request.kind == "send":
        point("asked")
        tell(f"posted {json.dumps([now[0], request.body])}")
        point("posted")
    return None
