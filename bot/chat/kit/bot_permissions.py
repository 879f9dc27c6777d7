"""What the bot asks of a server: one list, from which the invitation, refusals, the doctor and the documents follow."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

import discord

from bot.text.words import Words


class Permission(Enum):
    """Everything that the bot asks of a server, as discord.py calls it.

    What Discord calls it, what it is for and what is lost without it stand in ``data/text`` under ``permission``,
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
        """True where it is among those that are given."""
        given: bool = getattr(allowed, self.value)
        return given


NEEDED: Final = (Permission.VIEW_CHANNEL, Permission.SEND_MESSAGES)
NEEDED_IN_THREAD: Final = (Permission.VIEW_CHANNEL, Permission.SEND_MESSAGES_IN_THREADS)
NEEDED_FOR_THREADS: Final = (Permission.CREATE_PUBLIC_THREADS, Permission.SEND_MESSAGES_IN_THREADS)
NEEDED_FOR_TABLES: Final = {False: NEEDED, True: (*NEEDED, *NEEDED_FOR_THREADS)}
"""In a channel of an event's tables, without threads and with them."""
OF_SERVER: Final = (Permission.CREATE_EVENTS, Permission.MANAGE_ROLES)
"""Those that are of use only in the whole server."""
INVITED: Final = discord.Permissions(**{permission.value: True for permission in Permission})
"""What the invitation asks for."""


def invitation(application: int) -> str:
    """The address at which the bot is invited, or given the permissions that it lacks in the whole server."""
    return discord.utils.oauth_url(application, permissions=INVITED, scopes=("bot", "applications.commands"))


def missing(allowed: discord.Permissions, needed: Sequence[Permission] = tuple(Permission)) -> list[Permission]:
    """Those that are not given, of all that the bot asks for or of some."""
    return [permission for permission in needed if not permission.given(allowed)]


def needed_in(channel: object) -> Sequence[Permission]:
    """What the bot needs to post in a channel or a thread."""
    return NEEDED_IN_THREAD if isinstance(channel, discord.Thread) else NEEDED


def labels_of(permissions: Sequence[Permission], words: Words) -> str:
    """What Discord calls them, as a list."""
    return words.list([words(f"permission.{permission.value}") for permission in permissions])


# The permissions that the bot is known to lack. Discord is not asked: each 403 counts towards a ban.


def server_lacks(guild: discord.Guild, *needed: Permission) -> list[Permission]:
    """Which of these permissions the bot lacks in a server, as far as the gateway has told."""
    return [] if (me := _me(guild)) is None else missing(me.guild_permissions, needed)


def channel_lacks(client: discord.Client, channel: int, *needed: Permission) -> list[Permission]:
    """The same in a channel or thread."""
    found = client.get_channel(channel)
    if not isinstance(found, discord.abc.GuildChannel | discord.Thread) or (me := _me(found.guild)) is None:
        return []
    return missing(found.permissions_for(me), needed)


def reads_history(client: discord.Client, channel: int) -> bool:
    """False where the bot is known not to read what was posted in a channel: to Discord that is no refusal, but nothing
    that stands there."""
    found = client.get_channel(channel)
    if not isinstance(found, discord.abc.GuildChannel | discord.Thread) or (me := _me(found.guild)) is None:
        return True
    return found.permissions_for(me).read_message_history


def _me(guild: discord.Guild) -> discord.Member | None:
    """The bot as a member. Discord sends it and its changes without any intent."""
    return guild.me  # discord.py promises a member, and gives None before it knows one
