"""Rules for the roles that the bot gives to players. It never gives a role that opens a channel or grants power.

The rules are checked when a role is chosen and whenever it's given, because roles and permissions can change.
"""

from __future__ import annotations

from enum import Enum

import discord

from bot.chat.kit.widgets import Interaction
from bot.model.choices import ServerSettings
from bot.model.ids import Player

OFFICES = discord.Permissions.elevated() | discord.Permissions(
    deafen_members=True,
    manage_events=True,
    manage_nicknames=True,
    mention_everyone=True,
    move_members=True,
    mute_members=True,
    view_audit_log=True,
)
"""Permissions that give power over others or the server. A role with any of them is an office."""


def opens_channels(role: discord.Role) -> bool:
    """True if an overwrite in any channel or category allows the role something."""
    return any(channel.overwrites_for(role).pair()[0].value for channel in role.guild.channels)


def is_office(role: discord.Role, server: ServerSettings) -> bool:
    """True for a role with power over others, either by its permissions or as the server's host or organiser role."""
    return bool(role.permissions.value & OFFICES.value) or role.id in (server.host_role, server.organiser_role)


def gives_roles(interaction: Interaction) -> bool:
    """True if the user may give roles in the server. *Manage Permissions* for one channel isn't enough."""
    return isinstance(interaction.user, discord.Member) and interaction.user.guild_permissions.manage_roles


def could_give(member: discord.Member, role: discord.Role) -> bool:
    """True if ``member`` could give the role to others through the server's settings, not just one channel's."""
    if role.is_default() or role.managed:
        return False
    above = member.id == role.guild.owner_id or role < member.top_role
    return above and member.guild_permissions.manage_roles


def hands_out(role: discord.Role, server: ServerSettings) -> bool:
    """True if the bot can give the role and it neither opens a channel nor is an office."""
    me = role.guild.me  # typed as Member, but None until the member is cached
    if me is not None and not (me.guild_permissions.manage_roles and role.is_assignable()):
        return False
    return not opens_channels(role) and not is_office(role, server)


async def role_still_allowed(
    guild: discord.Guild, role: int, by: Player | None, *, asks: discord.Member | None = None
) -> bool:
    """True if the manager who chose the role still manages the server and could give the role themselves.

    Their member data is fetched from Discord unless they're ``asks``. Raises Discord's errors.
    """
    found = guild.get_role(role)
    if found is None or by is None or not by.isdigit():
        return False
    try:
        member = asks if asks is not None and str(asks.id) == by else await guild.fetch_member(int(by))
    except discord.NotFound:
        return False
    return member.guild_permissions.manage_guild and could_give(member, found)


class RoleProblem(Enum):
    """The reason that the bot doesn't give a role on a user's behalf. Its value is a key under ``given_role``."""

    NO_POWER = "no_power"
    NOT_YOURS = "not_yours"
    OPENS = "opens"
    OFFICE = "office"


def could_choose(interaction: Interaction, role: int) -> bool:
    """True if the user could give the role themselves."""
    found = interaction.guild.get_role(role) if interaction.guild else None
    return found is not None and isinstance(interaction.user, discord.Member) and could_give(interaction.user, found)


def role_problem(interaction: Interaction, role: int, server: ServerSettings) -> RoleProblem | None:
    """Return the reason that the bot won't give the role to others on this user's behalf; None if it will."""
    guild = interaction.guild
    found = guild.get_role(role) if guild else None
    if guild is not None and guild.me is not None and not guild.me.guild_permissions.manage_roles:
        return RoleProblem.NO_POWER
    if found is None or not could_choose(interaction, role) or not found.is_assignable():
        return RoleProblem.NOT_YOURS
    if opens_channels(found):
        return RoleProblem.OPENS
    return RoleProblem.OFFICE if is_office(found, server) else None


async def free_role(interaction: Interaction, server: ServerSettings) -> discord.Role | None:
    """Return the role pinged for new tables if it has no power, so that any member may take it; otherwise None.

    The manager who chose it must still be allowed to choose it.
    """
    guild, member = interaction.guild, interaction.user
    found = guild.get_role(server.told_role or 0) if guild else None
    if found is None or not isinstance(member, discord.Member) or not hands_out(found, server):
        return None
    if not found.permissions <= found.guild.default_role.permissions:
        return None
    return found if await role_still_allowed(found.guild, found.id, server.told_role_by, asks=member) else None
