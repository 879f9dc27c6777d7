"""Permissions of the bot and the user in a channel, and the tables and hands that the user may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import discord

from bot.chat.kit.bot_permissions import (
    NEEDED,
    NEEDED_FOR_TABLES,
    NEEDED_FOR_THREADS,
    NEEDED_IN_THREAD,
    Permission,
    missing,
    needed_in,
    permission_list,
)
from bot.chat.kit.choice_page import ChoiceError
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.presses import parse_ids
from bot.chat.kit.reply import PressHandler, Reply
from bot.chat.kit.widgets import Interaction
from bot.model.choices import ServerSettings
from bot.model.ids import Player, TableKey
from bot.model.reasons import SeatReason, TableReason
from bot.model.tables import Table
from bot.play.api.play import Play
from bot.play.queries.views import TableView
from bot.pure.ofc.refusals import Refused
from bot.text.languages import Language, language_of
from bot.text.words import Words


def missing_permissions(interaction: Interaction) -> list[Permission]:
    """Return the permissions that the bot needs in this channel but lacks."""
    return missing(interaction.app_permissions, NEEDED_IN_THREAD if _in_thread(interaction) else NEEDED)


def allowed_in(interaction: Interaction, channel: int) -> discord.Permissions | None:
    """Return the bot's permissions in a channel that the user named or chose; None if they're unknown.

    Discord sends them for every channel in an interaction, but discord.py only parses those of the current channel.
    """
    if channel == interaction.channel_id:
        return interaction.app_permissions
    data: Mapping[str, Any] = interaction.data or {}
    told = data.get("resolved", {}).get("channels", {}).get(str(channel), {}).get("app_permissions")
    if told is not None:
        return discord.Permissions(int(told))
    found = interaction.client.get_channel(channel)
    known = isinstance(found, discord.abc.GuildChannel | discord.Thread) and found.guild.me is not None
    return found.permissions_for(found.guild.me) if known else None


async def may_post(reply: Reply, sentence: str) -> bool:
    """True if the bot may post in this channel. Otherwise, ``sentence`` tells the player which permissions are missing.

    Raises Refused if the player may not write here.
    """
    check_may_write(reply.interaction)
    lacking = missing_permissions(reply.interaction)
    if lacking:
        await reply.refuse(reply.words(sentence, permissions=permission_list(lacking, reply.words)))
    return not lacking


def check_may_write(interaction: Interaction, channel: int | None = None) -> None:
    """Raise Refused if the user may not write in the channel, because then the bot doesn't do it for them either.

    A ``channel`` other than the interaction's is looked up. A channel that the bot can't see is allowed, because the
    bot can't write there anyway.
    """
    if channel in (None, interaction.channel_id):
        may = writes(interaction.permissions, thread=_in_thread(interaction))
    else:
        found, member = interaction.client.get_channel(channel or 0), interaction.user
        may = not isinstance(member, discord.Member) or writes_in(member, found)
    if not may:
        raise Refused(TableReason.MAY_NOT_WRITE)


def require_kept_in(interaction: Interaction, channel: int, words: Words) -> None:
    """Raise ChoiceError, which lists missing permissions, if the bot can't keep a message in ``channel``.

    Raises Refused if the user may not write there.
    """
    check_may_write(interaction, channel)
    allowed, place = allowed_in(interaction, channel), interaction.client.get_channel(channel)
    lacking = [] if allowed is None else missing(allowed, needed_in(place))
    if lacking:
        raise ChoiceError("season.channel_refused", channel=channel, permissions=permission_list(lacking, words))


def writes(allowed: discord.Permissions, *, thread: bool) -> bool:
    """True if ``allowed`` includes writing in a thread or, if it isn't a ``thread``, in a channel."""
    return allowed.send_messages_in_threads if thread else allowed.send_messages


def writes_in(member: discord.Member, channel: object) -> bool:
    """True if the member may write in the channel, or if the bot doesn't know the channel."""
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return True
    return writes(channel.permissions_for(member), thread=isinstance(channel, discord.Thread))


def may_hold_tables(interaction: Interaction, channel: int, *, threads: bool) -> bool:
    """True if the bot may open an event's tables in this server's channel, and the user may write there."""
    found, member, allowed = interaction.client.get_channel(channel), interaction.user, allowed_in(interaction, channel)
    if not isinstance(found, discord.TextChannel) or not isinstance(member, discord.Member) or allowed is None:
        return False
    here = found.guild.id == interaction.guild_id and found.permissions_for(member).send_messages
    return here and not missing(allowed, NEEDED_FOR_TABLES[threads])


def roles_of(interaction: Interaction) -> frozenset[int]:
    """Return the user's roles in this server."""
    user = interaction.user
    return frozenset(role.id for role in user.roles) if isinstance(user, discord.Member) else frozenset()


def has_threads(interaction: Interaction, channel: int | None = None) -> bool:
    """True if a channel can have threads. The playground, threads and voice channel chats can't.

    A ``channel`` other than the interaction's is looked up.
    """
    here = channel in (None, interaction.channel_id)
    found = interaction.channel if here else interaction.client.get_channel(channel or 0)
    return interaction.client.has_threads and isinstance(found, discord.TextChannel)


def may_thread(interaction: Interaction) -> bool:
    """True if the bot can create threads."""
    return has_threads(interaction) and not missing_for_threads(interaction)


def missing_for_threads(interaction: Interaction) -> list[Permission]:
    """Return the permissions that the bot lacks for threads here; empty if the channel can't have any."""
    return missing(interaction.app_permissions, NEEDED_FOR_THREADS) if has_threads(interaction) else []


def _in_thread(interaction: Interaction) -> bool:
    return isinstance(interaction.channel, discord.Thread)


def for_managers(handler: PressHandler) -> PressHandler:
    """Wrap a handler so that only server managers reach it. The permission is checked on each press."""

    async def managed(reply: Reply, press: Press, values: Sequence[str]) -> None:
        if not reply.interaction.permissions.manage_guild:
            await reply.refuse(reply.words("gate.needs_manage_server"))
            return
        await handler(reply, press, values)

    return managed


def parse_people(interaction: Interaction, values: Sequence[str]) -> list[Player]:
    """Return the chosen users, leaving out bots and ids that Discord didn't resolve."""
    data: Mapping[str, Any] = interaction.data or {}
    users = data.get("resolved", {}).get("users", {})
    return [Player(value) for value in values if value in users and not users[value].get("bot")]


def require_person(user: object) -> Player:
    """Return the user named in a command. Raises Refused for a bot or an unresolved user."""
    if not isinstance(user, discord.User | discord.Member) or user.bot:
        raise Refused(SeatReason.NOT_A_BOT)
    return Player(str(user.id))


def may_see(interaction: Interaction, channel: int) -> bool:
    """True if the user is known to see the channel."""
    found, member = interaction.client.get_channel(channel), interaction.user
    if channel == interaction.channel_id:
        return True
    if not isinstance(found, discord.abc.GuildChannel | discord.Thread) or not isinstance(member, discord.Member):
        return False
    hidden = isinstance(found, discord.Thread) and (found.parent is None or found.is_private())
    return not hidden and found.permissions_for(member).view_channel


def seen_by_all(found: object) -> bool | None:
    """True if everyone in the server may read a channel or thread; None if it's neither or isn't cached.

    Archived threads aren't cached.
    """
    if isinstance(found, discord.Thread):
        if found.is_private():
            return False
        found = found.parent
    if not isinstance(found, discord.abc.GuildChannel):
        return None
    return found.permissions_for(found.guild.default_role).view_channel


def seen_by_readers(guild: discord.Guild, place: int, channel: int) -> bool:
    """True if everyone who can read the channel ``place`` may also read ``channel``.

    That is so if they're the same, if everyone can see ``channel``, or if the same roles and members can see both.
    """
    if place == channel:
        return True
    here, there = (guild.get_channel_or_thread(number) for number in (place, channel))
    return bool(seen_by_all(there)) or ((shown := _shown_to(there)) is not None and shown == _shown_to(here))


def _shown_to(found: object) -> dict[int, bool] | None:
    """Return the roles and members that a channel is shown to or hidden from; None if that isn't known."""
    if isinstance(found, discord.Thread):
        found = None if found.is_private() else found.parent
    if not isinstance(found, discord.abc.GuildChannel):
        return None
    told = {target.id: rights.view_channel for target, rights in found.overwrites.items()}
    return {target: view for target, view in told.items() if view is not None}


async def sees(interaction: Interaction, channel: int) -> bool:
    """Like :func:`may_see`, but fetch a thread that isn't cached because it's archived."""
    client = interaction.client
    if channel == interaction.channel_id or client.get_channel(channel) is not None:
        return may_see(interaction, channel)
    try:
        found = await client.fetch_channel(channel)
    except discord.HTTPException:
        return False
    member = interaction.user
    if not isinstance(found, discord.Thread) or not isinstance(member, discord.Member):
        return False
    parent = found.parent
    return parent is not None and not found.is_private() and parent.permissions_for(member).view_channel


async def require_visible(play: Play, reply: Reply, key: TableKey) -> Table:
    """Return a table if the player sits there or may see its channel; otherwise raises Refused."""
    view = await play.look(key, reply.player)
    own = view.mine is not None or view.table.host == reply.player
    if not own and not await sees(reply.interaction, view.table.channel):
        raise Refused(TableReason.CHANNEL_HIDDEN)
    return view.table


async def require_hand_visible(play: Play, reply: Reply, key: TableKey, hand: int) -> None:
    """Like :func:`require_visible`, but also allow players of ``hand``, so that they can view it."""
    try:
        await require_visible(play, reply, key)
    except Refused as refused:
        if refused.reason is not TableReason.CHANNEL_HIDDEN or not await _has_played(play, reply.player, key, hand):
            raise


async def _has_played(play: Play, player: Player, key: TableKey, hand: int) -> bool:
    """True if ``player`` took part in a finished hand."""
    try:
        result = await play.result(key, hand, player)
    except Refused:
        return False
    return any(line.player == player for line in result.results)


async def tables_seen(play: Play, reply: Reply) -> list[Table]:
    """Return the server's open tables at which the player sits or whose channel they may see."""
    own = {table.key for table in await play.tables_of(reply.guild, reply.player)}
    return [
        table
        for table in await play.open_tables(reply.guild)
        if table.key in own or may_see(reply.interaction, table.channel)
    ]


MAX_LISTED = 15
"""Maximum number of tables in one message, each with its game, pace and seats."""


async def views_listed(play: Play, reply: Reply, tables: Sequence[Table]) -> list[TableView]:
    """Return the views of the first ``MAX_LISTED`` tables for the player."""
    return [await play.look(table.key, reply.player) for table in tables[:MAX_LISTED]]


def chosen_channels(interaction: Interaction, values: Sequence[str]) -> tuple[int, ...]:
    """Return the chosen channels that exist in the server."""
    guild = interaction.guild
    return tuple(channel for channel in parse_ids(values) if guild and guild.get_channel(channel))


def known_ids(interaction: Interaction) -> frozenset[int]:
    """Return the server's channels and roles. Discord refuses a form or menu that names others."""
    guild = interaction.guild
    return frozenset() if guild is None else frozenset(one.id for one in (*guild.channels, *guild.roles))


# The language of public messages, such as tables and results. Private messages use the player's own language.


def public_language(interaction: Interaction, server: ServerSettings) -> Language:
    """Return the language for public messages: the server's if one was chosen, otherwise the user's."""
    told = interaction.guild_locale if tells_language(interaction) else interaction.locale
    return language_of(server.language or str(told))


def tells_language(interaction: Interaction) -> bool:
    """True if Discord knows the server's language.

    Only Community servers set one. Discord reports American English for all others.
    """
    guild, told = interaction.guild, interaction.guild_locale
    community = guild is not None and "COMMUNITY" in guild.features
    return community or told not in (None, discord.Locale.american_english)
