"""What the bot is known to lack permission for. Discord is not asked: each 403 counts towards a ban."""

from __future__ import annotations

import discord


def server_lacks(guild: discord.Guild, *needed: str) -> list[str]:
    """Which of these permissions the bot lacks in a server, as far as the gateway has told."""
    return [] if (me := _me(guild)) is None else [name for name in needed if not getattr(me.guild_permissions, name)]


def channel_lacks(client: discord.Client, channel: int, *needed: str) -> list[str]:
    """The same in a channel or thread."""
    found = client.get_channel(channel)
    if not isinstance(found, discord.abc.GuildChannel | discord.Thread) or (me := _me(found.guild)) is None:
        return []
    allowed = found.permissions_for(me)
    return [name for name in needed if not getattr(allowed, name)]


def _me(guild: discord.Guild) -> discord.Member | None:
    """The bot as a member. Discord sends it and its changes without any intent."""
    return guild.me  # discord.py promises a member, and gives None before it knows one
