"""A Discord that outlives the bot. Earlier posts are still there, and new posts are reported immediately."""

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
    """A message that Discord accepted: its time in milliseconds, and the request."""

    at: int
    body: str


_LASTS = ("COMMIT", "before_commit", "after_commit", "resolved", "asked", "posted")
"""The points round which something comes to stay: in the database, or with Discord."""


def worth_a_kill(points: Sequence[str], *, every: int) -> list[int]:
    """Return the points worth a kill: all next to a lasting change, and every ``every``-th of the others.

    Between two such changes, every kill leaves the same state.
    """
    return [number for number, point in enumerate(points, 1) if point in _LASTS or number % every == 1 or every == 1]


def outliving(before: Sequence[Posted], now: list[int]) -> tuple[Standin, Channel]:
    """Return a Discord with a clock set through ``now[0]``, and its channel with the earlier posts."""
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
    """Report each post, between two points at which the bot can be killed."""
    if request.kind == "send":
        point("asked")
        tell(f"posted {json.dumps([now[0], request.body])}")
        point("posted")
    return None
