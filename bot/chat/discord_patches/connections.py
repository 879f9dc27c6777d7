"""Connecting and disconnecting shards while the bot runs, and receiving their interactions."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import discord
from discord.gateway import DiscordWebSocket

from bot.model.ids import GuildId, Shard

log = logging.getLogger(__name__)

# discord.py has no public API for either.
# ruff: noqa: SLF001

Hear = Callable[[Any], None]
"""Receives the raw data of an interaction."""


def hear_presses(client: discord.Client, hear: Hear) -> Hear:
    """Let ``hear`` receive interactions instead of discord.py. Returns discord.py's own handler."""
    parsers = client._connection.parsers
    answer: Hear = parsers["INTERACTION_CREATE"]
    parsers["INTERACTION_CREATE"] = hear
    return answer


def allow_partial_shards(client: discord.AutoShardedClient) -> None:
    """Make discord.py wait for no shards.

    It would wait until all of them are connected, which may never happen if shards come and go. :func:`become_ready`
    reports that they are.
    """
    client._connection.shard_count = client.shard_count
    client._connection.shard_ids = []


def become_ready(client: discord.AutoShardedClient) -> None:
    """Mark discord.py as ready."""
    if not client.is_ready():
        client._connection.call_handlers("ready")
        client.dispatch("ready")


async def connect(client: discord.AutoShardedClient, number: int) -> None:
    """Connect a shard when its turn to log in comes."""
    await client.launch_shard(DiscordWebSocket.DEFAULT_GATEWAY, number)


async def disconnect(client: discord.AutoShardedClient, shard: Shard) -> None:
    """Close a shard's connection permanently, and remove its servers from the cache."""
    connections: dict[int, discord.shard.Shard] = client._AutoShardedClient__shards  # type: ignore[attr-defined]
    connection = connections.pop(shard.number, None)
    if connection is not None:
        await connection.close()
    for guild in list(client.guilds):
        if shard.serves(GuildId(guild.id)):
            client._connection._remove_guild(guild)
