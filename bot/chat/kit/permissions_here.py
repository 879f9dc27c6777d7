"""What the bot, and the person who asks, may do where something is to happen; which tables and hands they may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import discord

from bot.base.meter import Outcome
from bot.chat.kit.bot_permissions import (
    NEEDED,
    NEEDED_FOR_TABLES,
    NEEDED_FOR_THREADS,
    NEEDED_IN_THREAD,
    Permission,
    labels_of,
    missing,
    needed_in,
)
from bot.chat.kit.choice_page import ChoiceError
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.presses import ids_of
from bot.chat.kit.reply import PressHandler, Reply
from bot.chat.kit.widgets import Interaction
from bot.model.choices import Server
from bot.model.ids import Player, TableKey
from bot.model.reasons import SeatReason, TableReason
from bot.model.tables import Table
from bot.play.doors.play import Play
from bot.play.look.views import TableView
from bot.pure.ofc.refusals import Refused
from bot.text.languages import Language, language_of
from bot.text.words import Words


def missing_permissions(interaction: Interaction) -> list[Permission]:
    """What the bot may not do in this channel but must."""
    return missing(interaction.app_permissions, NEEDED_IN_THREAD if _in_thread(interaction) else NEEDED)


def allowed_in(interaction: Interaction, channel: int) -> discord.Permissions | None:
    """What the bot may do in a channel that somebody has named or chosen; None where that is not known.

    Discord says so of every channel in an interaction. discord.py reads it of the one in which it was made alone.
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
    """True when the bot may write in this channel; otherwise the reader is told in a sentence what it lacks.

    Raises Refused where the reader may not write.
    """
    check_may_write(reply.interaction)
    lacking = missing_permissions(reply.interaction)
    if lacking:
        reply.outcome = Outcome.REFUSED
        await reply.say(reply.words(sentence, permissions=labels_of(lacking, reply.words)))
    return not lacking


def check_may_write(interaction: Interaction, channel: int | None = None) -> None:
    """Raise Refused where the person who asks may not write: the bot does not do it for them.

    Another ``channel`` than that of the interaction is looked up; in one that the bot does not see it writes nothing.
    """
    if channel in (None, interaction.channel_id):
        may = writes(interaction.permissions, thread=_in_thread(interaction))
    else:
        found, member = interaction.client.get_channel(channel or 0), interaction.user
        may = not isinstance(member, discord.Member) or writes_in(member, found)
    if not may:
        raise Refused(TableReason.MAY_NOT_WRITE)


def require_kept_in(interaction: Interaction, channel: int, words: Words) -> None:
    """Raise ChoiceError if the bot can't keep a message of its own in a channel; its sentence names what it lacks.

    Raises Refused if the person who asks may not write there.
    """
    check_may_write(interaction, channel)
    allowed, place = allowed_in(interaction, channel), interaction.client.get_channel(channel)
    lacking = [] if allowed is None else missing(allowed, needed_in(place))
    if lacking:
        raise ChoiceError("season.channel_refused", channel=channel, permissions=labels_of(lacking, words))


def writes(allowed: discord.Permissions, *, thread: bool) -> bool:
    """True where somebody with these permissions may write, in a thread or outside."""
    return allowed.send_messages_in_threads if thread else allowed.send_messages


def writes_in(member: discord.Member, channel: object) -> bool:
    """True where somebody may write in a channel, or where it is none that the bot knows."""
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return True
    return writes(channel.permissions_for(member), thread=isinstance(channel, discord.Thread))


def may_hold_tables(interaction: Interaction, channel: int, *, threads: bool) -> bool:
    """True for a channel of this server where the bot may open an event's tables, and the person who asks may write."""
    found, member, allowed = interaction.client.get_channel(channel), interaction.user, allowed_in(interaction, channel)
    if not isinstance(found, discord.TextChannel) or not isinstance(member, discord.Member) or allowed is None:
        return False
    here = found.guild.id == interaction.guild_id and found.permissions_for(member).send_messages
    return here and not missing(allowed, NEEDED_FOR_TABLES[threads])


def roles_of(interaction: Interaction) -> frozenset[int]:
    """The roles that the person who asks has in this server."""
    user = interaction.user
    return frozenset(role.id for role in user.roles) if isinstance(user, discord.Member) else frozenset()


def has_threads(interaction: Interaction, channel: int | None = None) -> bool:
    """True where threads can be: the playground shows none, and a thread or the chat of a voice channel has none.

    Another ``channel`` than that of the interaction is looked up.
    """
    here = channel in (None, interaction.channel_id)
    found = interaction.channel if here else interaction.client.get_channel(channel or 0)
    return interaction.client.has_threads and isinstance(found, discord.TextChannel)


def may_thread(interaction: Interaction) -> bool:
    """True where the bot can make threads."""
    return has_threads(interaction) and not missing_for_threads(interaction)


def missing_for_threads(interaction: Interaction) -> list[Permission]:
    """What keeps the bot from making threads here and can be mended; nothing where there can be none."""
    return missing(interaction.app_permissions, NEEDED_FOR_THREADS) if has_threads(interaction) else []


def _in_thread(interaction: Interaction) -> bool:
    return isinstance(interaction.channel, discord.Thread)


def for_managers(handler: PressHandler) -> PressHandler:
    """Only for those who manage the server, asked again at each press."""

    async def managed(reply: Reply, press: Press, values: Sequence[str]) -> None:
        if not reply.interaction.permissions.manage_guild:
            reply.outcome = Outcome.REFUSED
            await reply.say(reply.words("gate.needs_manage_server"))
            return
        await handler(reply, press, values)

    return managed


def people_of(interaction: Interaction, values: Sequence[str]) -> list[Player]:
    """The chosen people that Discord names beside the choice and who are no bots."""
    data: Mapping[str, Any] = interaction.data or {}
    users = data.get("resolved", {}).get("users", {})
    return [Player(value) for value in values if value in users and not users[value].get("bot")]


def person_of(user: object) -> Player:
    """Somebody who was named in a command; raises Refused for a bot, and for one that Discord does not name."""
    if not isinstance(user, discord.User | discord.Member) or user.bot:
        raise Refused(SeatReason.NOT_A_BOT)
    return Player(str(user.id))


def may_see(interaction: Interaction, channel: int) -> bool:
    """True where the person who asks sees a channel, as far as that is known."""
    found, member = interaction.client.get_channel(channel), interaction.user
    if channel == interaction.channel_id:
        return True
    if not isinstance(found, discord.abc.GuildChannel | discord.Thread) or not isinstance(member, discord.Member):
        return False
    hidden = isinstance(found, discord.Thread) and (found.parent is None or found.is_private())
    return not hidden and found.permissions_for(member).view_channel


def seen_by_all(found: object) -> bool | None:
    """True for a channel or thread that everybody in its server may read; None for what is no such thing, or unknown.

    Neither is a thread known that is archived.
    """
    if isinstance(found, discord.Thread):
        if found.is_private():
            return False
        found = found.parent
    if not isinstance(found, discord.abc.GuildChannel):
        return None
    return found.permissions_for(found.guild.default_role).view_channel


def seen_by_readers(guild: discord.Guild, place: int, channel: int) -> bool:
    """Return True if everyone who reads the channel ``place`` may read ``channel`` too.

    It's the same one, everyone sees it, or both are shown to the same roles and members.
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
    """The same; a thread that is archived, and so not known, is looked up at Discord."""
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


async def demand_seen(play: Play, reply: Reply, key: TableKey) -> Table:
    """A table whose channel the one who pressed may see, or at which they sit; raises Refused."""
    view = await play.look(key, reply.player)
    own = view.mine is not None or view.table.host == reply.player
    if not own and not await sees(reply.interaction, view.table.channel):
        raise Refused(TableReason.CHANNEL_HIDDEN)
    return view.table


async def demand_hand_seen(play: Play, reply: Reply, key: TableKey, hand: int) -> None:
    """The same for looking at one of its hands, also for those who have played it."""
    try:
        await demand_seen(play, reply, key)
    except Refused as refused:
        if refused.reason is not TableReason.CHANNEL_HIDDEN or not await _played(play, reply.player, key, hand):
            raise


async def _played(play: Play, player: Player, key: TableKey, hand: int) -> bool:
    """True for somebody who has played a hand that is over."""
    try:
        result = await play.result(key, hand, player)
    except Refused:
        return False
    return any(line.player == player for line in result.results)


async def tables_seen(play: Play, reply: Reply) -> list[Table]:
    """The open tables of the server whose channel the one who pressed may see, and those at which they sit."""
    own = {table.key for table in await play.tables_of(reply.guild, reply.player)}
    return [
        table
        for table in await play.open_tables(reply.guild)
        if table.key in own or may_see(reply.interaction, table.channel)
    ]


MOST_LISTED = 15
"""Tables in one message, each with its game, pace and seats."""


async def views_listed(play: Play, reply: Reply, tables: Sequence[Table]) -> list[TableView]:
    """So many of them as one message lists, as the one who pressed sees them."""
    return [await play.look(table.key, reply.player) for table in tables[:MOST_LISTED]]


def chosen_channels(interaction: Interaction, values: Sequence[str]) -> tuple[int, ...]:
    """Those of the chosen channels that the server has."""
    guild = interaction.guild
    return tuple(channel for channel in ids_of(values) if guild and guild.get_channel(channel))


def known_ids(interaction: Interaction) -> frozenset[int]:
    """Return the channels and roles that the server has: Discord refuses a form or a menu that names another."""
    guild = interaction.guild
    return frozenset() if guild is None else frozenset(one.id for one in (*guild.channels, *guild.roles))


# The language of what everybody reads: tables, calls, results, events. What one person reads is in theirs.


def public_language(interaction: Interaction, server: Server) -> Language:
    """The language of what everybody sees: the server's where one was chosen, otherwise that of who begins it."""
    told = interaction.guild_locale if tells_language(interaction) else interaction.locale
    return language_of(server.language or str(told))


def tells_language(interaction: Interaction) -> bool:
    """True where Discord knows the server's language.

    Only Community servers tell Discord one; it reports American English for all the others.
    """
    guild, told = interaction.guild, interaction.guild_locale
    community = guild is not None and "COMMUNITY" in guild.features
    return community or told not in (None, discord.Locale.american_english)
