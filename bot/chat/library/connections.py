"""Shards that connect and disconnect while the bot runs, and hearing the presses that they bring."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import discord
from discord.gateway import DiscordWebSocket

from bot.model.ids import GuildId, Shard

log = logging.getLogger(__name__)

# discord.py has no public door for either.
# ruff: noqa: SLF001

Hear = Callable[[Any], None]
"""Is told of a press, as Discord sends it."""


def hear_presses(client: discord.Client, hear: Hear) -> Hear:
    """Have ``hear`` told of each press in place of discord.py; returns how discord.py is told of one."""
    parsers = client._connection.parsers
    answer: Hear = parsers["INTERACTION_CREATE"]
    parsers["INTERACTION_CREATE"] = hear
    return answer


def let_come_and_go(client: discord.AutoShardedClient) -> None:
    """Have discord.py wait for no shards: it counts whether all are there, and never finds that where they come and go.

    When they are, it is told by :func:`become_ready`.
    """
    client._connection.shard_count = client.shard_count
    client._connection.shard_ids = []


def become_ready(client: discord.AutoShardedClient) -> None:
    """Tell discord.py that it is ready."""
    if not client.is_ready():
        client._connection.call_handlers("ready")
        client.dispatch("ready")


async def connect(client: discord.AutoShardedClient, number: int) -> None:
    """Connect one shard, after its turn to log in."""
    await client.launch_shard(DiscordWebSocket.DEFAULT_GATEWAY, number)


async def disconnect(client: discord.AutoShardedClient, shard: Shard) -> None:
    """End a connection for good, and know its servers no longer."""
    connections: dict[int, discord.shard.Shard] = client._AutoShardedClient__shards  # type: ignore[attr-defined]
    connection = connections.pop(shard.number, None)
    if connection is not None:
        await connection.close()
    for guild in list(client.guilds):
        if shard.serves(GuildId(guild.id)):
            client._connection._remove_guild(guild)
