"""The current page of `/setup`, for all forms that lead back to it."""

from __future__ import annotations

from dataclasses import replace

import discord

from bot.chat.club.screens.setup import SetupPage, setup_screen
from bot.chat.kit.bot_permissions import NEEDED_FOR_TABLES, NEEDED_IN_THREAD, Permission, missing
from bot.chat.kit.given_roles import free_role
from bot.chat.kit.permissions_here import allowed_in, has_threads
from bot.chat.kit.reply import Reply
from bot.chat.kit.widgets import Interaction, Screen
from bot.chat.services import Services
from bot.model.bank import BankTerms
from bot.model.bulletins import BulletinKind
from bot.model.choices import ServerSettings
from bot.model.ids import GuildId
from bot.model.posts import Posts


async def show_setup(services: Services, reply: Reply, *, told: str = "", after: str = "") -> None:
    """Show the page. ``told`` is the result of the last choice, and ``after`` the title of the topic just sent."""
    await reply.show(await drawn_setup(services, reply, told=told, after=after))


async def drawn_setup(services: Services, reply: Reply, *, told: str = "", after: str = "") -> Screen:
    """Return the page that :func:`show_setup` shows."""
    play, guild = services.play, reply.guild
    server = without_gone(reply.interaction, await play.server(guild))
    bulletins = {kind: await services.bulletins.of(guild, kind) for kind in BulletinKind}
    page = SetupPage(
        server=server,
        game=await play.default_game(guild),
        games=await play.games(guild),
        posts=Posts.of(await services.bank.club_page(guild), bulletins),
        apart=await posts_are_apart(services, guild),
        bank=await terms_shown(services, reply),
        seasons=await services.bank.seasons(guild),
        silent=_is_silent(reply.interaction, server.told_role),
        silent_events=_is_silent(reply.interaction, server.event_role),
        kept=server.told_role is not None and await free_role(reply.interaction, server) is None,
        nick=nick_of(reply.interaction),
        lacking=_lacking(reply.interaction, threads=server.threads),
    )
    return setup_screen(page, reply.words, told=told, after=after)


async def posts_are_apart(services: Services, guild: GuildId) -> bool:
    """True if the club page and the posts are in different channels or come at different hours."""
    page = await services.bank.club_page(guild)
    bulletins = [await services.bulletins.of(guild, kind) for kind in BulletinKind]
    standing = [one for one in bulletins if one.channel is not None]
    channels = {*([page.channel] if page else []), *(one.channel for one in standing)}
    return len(channels) > 1 or len({one.hour for one in standing}) > 1


async def terms_shown(services: Services, reply: Reply) -> BankTerms:
    """Return the bank's terms without a deleted channel."""
    terms, guild = await services.bank.terms(reply.guild), reply.interaction.guild
    gone = guild is not None and guild.get_channel(terms.audit_channel or 0) is None
    return replace(terms, audit_channel=None) if gone else terms


def without_gone(interaction: Interaction, server: ServerSettings) -> ServerSettings:
    """Return the server's settings without deleted channels and roles."""
    guild = interaction.guild
    if guild is None:
        return server
    return replace(
        server,
        channels=tuple(channel for channel in server.channels if guild.get_channel(channel)),
        host_role=server.host_role if guild.get_role(server.host_role or 0) else None,
        organiser_role=server.organiser_role if guild.get_role(server.organiser_role or 0) else None,
        told_role=server.told_role if guild.get_role(server.told_role or 0) else None,
        event_role=server.event_role if guild.get_role(server.event_role or 0) else None,
    )


def nick_of(interaction: Interaction) -> str:
    """Return the bot's name in this server; empty for the default."""
    guild = interaction.guild
    me: discord.Member | None = None if guild is None else guild.me  # None until discord.py has cached it
    return (me.nick or "") if me is not None else ""


def _lacking(interaction: Interaction, *, threads: bool) -> list[Permission]:
    """Return the permissions that the bot needs in this channel but lacks."""
    channel = interaction.channel_id or 0
    allowed = allowed_in(interaction, channel)
    if allowed is None:
        return []
    in_thread = isinstance(interaction.channel, discord.Thread)
    if in_thread:
        return missing(allowed, NEEDED_IN_THREAD)
    return missing(allowed, NEEDED_FOR_TABLES[threads and has_threads(interaction, channel)])


def _is_silent(interaction: Interaction, role: int | None) -> bool:
    """True if not even the bot may mention the role."""
    found = interaction.guild.get_role(role or 0) if interaction.guild else None
    return found is not None and not (found.mentionable or interaction.app_permissions.mention_everyone)
