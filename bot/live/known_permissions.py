"""The permissions that the bot is known to lack. Discord is not asked: each 403 counts towards a ban."""

from __future__ import annotations

import discord

from bot.ui.bot_permissions import Permission, missing


def server_lacks(guild: discord.Guild, *needed: Permission) -> list[Permission]:
    """Which of these permissions the bot lacks in a server, as far as the gateway has told."""
    return [] if (me := _me(guild)) is None else missing(me.guild_permissions, needed)


def channel_lacks(client: discord.Client, channel: int, *needed: Permission) -> list[Permission]:
    """The same in a channel or thread."""
    found = client.get_channel(channel)
    if not isinstance(found, discord.abc.GuildChannel | discord.Thread) or (me := _me(found.guild)) is None:
        return []
    return missing(found.permissions_for(me), needed)


def _me(guild: discord.Guild) -> discord.Member | None:
    """The bot as a member. Discord sends it and its changes without any intent."""
    return guild.me  # discord.py promises a member, and gives None before it knows one
