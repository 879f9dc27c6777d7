"""Permissions that the bot needs. The invitation, refusals, the doctor and the documentation all use this list."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

import discord

from bot.text.words import Words


class Permission(Enum):
    """A permission that the bot uses, under discord.py's name.

    ``data/text`` has its name on Discord, its purpose, and the cost of lacking it, under ``permission``,
    ``permission_use`` and ``permission_cost``.
    """

    VIEW_CHANNEL = "view_channel"
    SEND_MESSAGES = "send_messages"
    SEND_MESSAGES_IN_THREADS = "send_messages_in_threads"
    CREATE_PUBLIC_THREADS = "create_public_threads"
    CREATE_EVENTS = "create_events"
    ATTACH_FILES = "attach_files"
    MANAGE_ROLES = "manage_roles"

    def given(self, allowed: discord.Permissions) -> bool:
        """True if the permission is in ``allowed``."""
        given: bool = getattr(allowed, self.value)
        return given


NEEDED: Final = (Permission.VIEW_CHANNEL, Permission.SEND_MESSAGES)
NEEDED_IN_THREAD: Final = (Permission.VIEW_CHANNEL, Permission.SEND_MESSAGES_IN_THREADS)
NEEDED_FOR_THREADS: Final = (Permission.CREATE_PUBLIC_THREADS, Permission.SEND_MESSAGES_IN_THREADS)
NEEDED_FOR_TABLES: Final = {False: NEEDED, True: (*NEEDED, *NEEDED_FOR_THREADS)}
"""Permissions needed in channels with an event's tables. The key is True if the tables use threads."""
OF_SERVER: Final = (Permission.CREATE_EVENTS, Permission.MANAGE_ROLES)
"""Permissions that are only useful for the whole server."""
INVITED: Final = discord.Permissions(**{permission.value: True for permission in Permission})
"""Permissions that the invitation requests."""


def invitation(application: int) -> str:
    """Return the URL that invites the bot, or grants it permissions that it lacks in the whole server."""
    return discord.utils.oauth_url(application, permissions=INVITED, scopes=("bot", "applications.commands"))


def missing(allowed: discord.Permissions, needed: Sequence[Permission] = tuple(Permission)) -> list[Permission]:
    """Return the permissions in ``needed`` that aren't in ``allowed``."""
    return [permission for permission in needed if not permission.given(allowed)]


def needed_in(channel: object) -> Sequence[Permission]:
    """Return the permissions needed to post in a channel or thread."""
    return NEEDED_IN_THREAD if isinstance(channel, discord.Thread) else NEEDED


def permission_list(permissions: Sequence[Permission], words: Words) -> str:
    """Return Discord's names of the permissions, as a list."""
    return words.list([words(f"permission.{permission.value}") for permission in permissions])


# Permissions that the bot is known to lack. They're checked in the cache, because each 403 counts towards a ban.


def missing_in_server(guild: discord.Guild, *needed: Permission) -> list[Permission]:
    """Return the permissions that the bot is known to lack in a server, according to the gateway's cache."""
    return [] if (me := _me(guild)) is None else missing(me.guild_permissions, needed)


def missing_in_channel(client: discord.Client, channel: int, *needed: Permission) -> list[Permission]:
    """Like :func:`missing_in_server`, in a channel or thread."""
    found = client.get_channel(channel)
    if not isinstance(found, discord.abc.GuildChannel | discord.Thread) or (me := _me(found.guild)) is None:
        return []
    return missing(found.permissions_for(me), needed)


def reads_history(client: discord.Client, channel: int) -> bool:
    """False if the bot is known to lack access to a channel's history. Discord would return no messages, no error."""
    found = client.get_channel(channel)
    if not isinstance(found, discord.abc.GuildChannel | discord.Thread) or (me := _me(found.guild)) is None:
        return True
    return found.permissions_for(me).read_message_history


def _me(guild: discord.Guild) -> discord.Member | None:
    """Return the bot as a member; None if it isn't cached yet. It's sent and kept up to date without any intent."""
    return guild.me  # discord.py promises a member, and gives None before it knows one
