"""Which roles the bot gives to people: never one that opens a channel or is an office, however it was chosen.

Asked when a role is chosen, and again whenever it is handed out: a role changes in between, and so do people's powers.
"""

from __future__ import annotations

from enum import Enum

import discord

from bot.chat.kit.widgets import Interaction
from bot.model.choices import Server
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
"""Powers over others, or over the server: whoever has one of them holds an office."""


def opens_channels(role: discord.Role) -> bool:
    """True for a role to which the settings of any channel or category allow something."""
    return any(channel.overwrites_for(role).pair()[0].value for channel in role.guild.channels)


def is_office(role: discord.Role, server: Server) -> bool:
    """True for a role with power over others: by its permissions, or because the server lets it host or organise."""
    return bool(role.permissions.value & OFFICES.value) or role.id in (server.host_role, server.organiser_role)


def gives_roles(interaction: Interaction) -> bool:
    """True where the person who asks may give roles in the server; *Manage Permissions* of a channel is not that."""
    return isinstance(interaction.user, discord.Member) and interaction.user.guild_permissions.manage_roles


def could_give(member: discord.Member, role: discord.Role) -> bool:
    """True where somebody could give a role to others by themselves: in the server's settings, not in one channel's."""
    if role.is_default() or role.managed:
        return False
    above = member.id == role.guild.owner_id or role < member.top_role
    return above and member.guild_permissions.manage_roles


def hands_out(role: discord.Role, server: Server) -> bool:
    """True for a role that the bot can give, and may: one that opens no channel and is no office."""
    me = role.guild.me  # discord.py promises a member, and gives None before it knows one
    if me is not None and not (me.guild_permissions.manage_roles and role.is_assignable()):
        return False
    return not opens_channels(role) and not is_office(role, server)


async def still_vouched(
    guild: discord.Guild, role: int, by: Player | None, *, asks: discord.Member | None = None
) -> bool:
    """True while whoever has chosen a role manages the server and could give that role by themselves.

    Discord is asked for them, unless they are the one who ``asks``. Raises what it refuses.
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
    """Why the bot does not give a role for somebody; its value is the sentence under ``given_role``."""

    NO_POWER = "no_power"
    NOT_YOURS = "not_yours"
    OPENS = "opens"
    OFFICE = "office"


def could_choose(interaction: Interaction, role: int) -> bool:
    """True where the person who asks could give a role by themselves."""
    found = interaction.guild.get_role(role) if interaction.guild else None
    return found is not None and isinstance(interaction.user, discord.Member) and could_give(interaction.user, found)


def role_problem(interaction: Interaction, role: int, server: Server) -> RoleProblem | None:
    """Why the bot does not give a role to others for the person who asks; None where it does."""
    guild = interaction.guild
    found = guild.get_role(role) if guild else None
    if guild is not None and guild.me is not None and not guild.me.guild_permissions.manage_roles:
        return RoleProblem.NO_POWER
    if found is None or not could_choose(interaction, role) or not found.is_assignable():
        return RoleProblem.NOT_YOURS
    if opens_channels(found):
        return RoleProblem.OPENS
    return RoleProblem.OFFICE if is_office(found, server) else None


async def free_role(interaction: Interaction, server: Server) -> discord.Role | None:
    """The role that is told of new tables, where anybody may take it for themselves: it has no power at all.

    Whoever has chosen it could still choose it.
    """
    guild, member = interaction.guild, interaction.user
    found = guild.get_role(server.told_role or 0) if guild else None
    if found is None or not isinstance(member, discord.Member) or not hands_out(found, server):
        return None
    if not found.permissions <= found.guild.default_role.permissions:
        return None
    return found if await still_vouched(found.guild, found.id, server.told_role_by, asks=member) else None
