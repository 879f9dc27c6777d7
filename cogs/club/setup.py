"""Setting up: the welcome of a server, what those who manage it choose, and the check of the bot's permissions."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import discord
from discord import ChannelType, app_commands
from discord.ext import commands
from typing_extensions import override

from bot.base.clean_text import one_line
from bot.base.meter import Outcome
from bot.chat.client import Client
from bot.chat.club.screens.posts.choices import PAGE
from bot.chat.club.screens.setup import (
    HOME,
    LONGEST_NICK,
    MOST_PICTURE_BYTES,
    Checkup,
    SetupPage,
    doctor_screen,
    look_fields,
    setup_screen,
)
from bot.chat.club.screens.setup_forms import FORMS, MOST_CHANNELS, SetupContext
from bot.chat.kit.bot_permissions import invitation
from bot.chat.kit.choice_page import Change, PageState
from bot.chat.kit.choosing import answer_form
from bot.chat.kit.command_words import described
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import as_typed_before, refused_form
from bot.chat.kit.given_roles import could_choose, free_role
from bot.chat.kit.modals import modal
from bot.chat.kit.permissions_here import allowed_in, chosen_channels, for_managers, has_threads
from bot.chat.kit.presses import picked
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.widgets import WRITTEN_IN, Interaction
from bot.chat.library.trouble import SERVER_ERROR
from bot.model.bulletins import Kind
from bot.model.choices import Server
from bot.model.ids import GuildId
from bot.model.refusals import Stale
from bot.text.words import Words

log = logging.getLogger(__name__)

PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"RIFF")
"""How the files begin that Discord takes as pictures of somebody."""
Named = app_commands.AppCommandChannel | app_commands.AppCommandThread


class WhereOneWrites(app_commands.Transformer):
    """A channel in which people write, or a thread, as Discord tells it in the command."""

    @property
    @override
    def type(self) -> discord.AppCommandOptionType:
        """A channel."""
        return discord.AppCommandOptionType.channel

    @property
    @override
    def channel_types(self) -> list[discord.ChannelType]:
        """Those that are offered: Discord's own description knows no others that hold messages."""
        threads = (ChannelType.news_thread, ChannelType.public_thread, ChannelType.private_thread)
        return [*(ChannelType(number) for number in WRITTEN_IN), *threads]

    @override
    async def transform(self, interaction: Interaction, value: Named, /) -> Named:
        """As it is: whether the bot sees the channel is what the check tells."""
        return value


class Setup(commands.Cog):
    """For those who manage a server: what holds there, and what the bot lacks."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        for verb, handler in {
            "set_up": self.show,
            "su_look": self.ask_look,
            "su_looks": self.set_look,
            "su_doctor": self.check_here,
            "su_check": self.check_chosen,
        }.items():
            bot.services.gate.route(verb, for_managers(handler))
        bot.services.gate.route("manage", in_a_new_message(for_managers(self.show)))
        for form in FORMS:
            answer_form(
                form, bot.services.gate, state=self._state, keep=self._keep, show=self._show, guard=for_managers
            )

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was invited."""
        if self.bot.serves(GuildId(guild.id)):
            self.services.welcomes.greet(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server is there, perhaps one that has invited the bot while it was not running."""
        if self.bot.serves(GuildId(guild.id)):
            self.services.welcomes.greet(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_guild_update(self, before: discord.Guild, after: discord.Guild) -> None:
        """The server has another language in Discord: what stands there follows, unless `/setup` has chosen one."""
        guild = GuildId(after.id)
        if before.preferred_locale != after.preferred_locale and self.bot.serves(guild):
            server = await self.services.play.server(guild)
            if server.language is None:
                await self._speak(guild, server)

    async def _speak(self, guild: GuildId, server: Server) -> None:
        """Show what stands in a server in the language that was chosen just now."""
        await self.services.welcomes.redraw(guild, server)
        self.services.club_pages.changed(guild)

    @app_commands.command(name="setup", description=described("setup"))
    @app_commands.describe(check=described("option_check"))
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.checks.has_permissions(manage_guild=True)
    async def setup(
        self,
        interaction: Interaction,
        check: app_commands.Transform[Named, WhereOneWrites] | None = None,
    ) -> None:
        """Choose what holds in this server, or check a channel (Manage Server)."""

        async def body(reply: Reply) -> None:
            if check is None:
                await self._show(reply)
            else:
                await self._check(reply, check.id, in_thread=isinstance(check, app_commands.AppCommandThread))

        await self.services.gate.run(interaction, body)

    # the page

    async def show(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The page, from the welcome or from the check."""
        await self._show(reply)

    async def _show(self, reply: Reply, problem: str = "") -> None:
        play, server = self.services.play, _known(reply.interaction, await self.services.play.server(reply.guild))
        posts = await self._posts(reply)
        hours = {hour for _, hour in posts.values() if hour is not None}
        page = SetupPage(
            server=server,
            game=await play.usual_game(reply.guild),
            games=await play.games(reply.guild),
            posts={what: channel for what, (channel, _) in posts.items()},
            apart=len({channel for channel, _ in posts.values()}) > 1 or len(hours) > 1,
            silent=_is_silent(reply.interaction, server.told_role),
            kept=server.told_role is not None and await free_role(reply.interaction, server) is None,
        )
        await reply.show(setup_screen(page, reply.words, problem=problem))

    async def _posts(self, reply: Reply) -> dict[str, tuple[int, int | None]]:
        """The channels of the club page and the posts, with the hours of posts."""
        page = await self.services.bank.club_page(reply.guild)
        stand: dict[str, tuple[int, int | None]] = {} if page is None else {PAGE: (page.channel, None)}
        for kind in Kind:
            bulletin = await self.services.bulletins.of(reply.guild, kind)
            if bulletin.channel is not None:
                stand[kind.value] = (bulletin.channel, bulletin.hour)
        return stand

    async def _state(self, reply: Reply, press: Press) -> PageState[Server, SetupContext]:
        guild, play = reply.interaction.guild, self.services.play
        context = SetupContext(
            game=await play.usual_game(reply.guild),
            games=await play.games(reply.guild),
            channels=frozenset(() if guild is None else (channel.id for channel in guild.channels)),
            roles=frozenset(() if guild is None else (role.id for role in guild.roles if role.id != guild.id)),
            manager=reply.player,
            may_give=partial(could_choose, reply.interaction),
        )
        return PageState(record=await play.server(reply.guild), context=context, words=reply.words)

    async def _keep(self, reply: Reply, press: Press, change: Change[Server]) -> None:
        before = await self.services.play.server(reply.guild)
        server = await self.services.play.choose_for_server(reply.guild, change)
        if server.zone != before.zone:
            # Its posts come at their hours in the new zone.
            await self.services.choose_for_server(reply, lambda now: now)
        if server.language != before.language:
            await self._speak(reply.guild, server)

    # the bot's own name and picture here

    async def ask_look(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask how the bot looks in this server; the name that was refused is still there."""
        fields = as_typed_before(look_fields(_nick(reply.interaction), reply.words), reply.pressed_texts)
        await reply.ask(modal(HOME.but("su_looks"), reply.words("setup.look"), fields), again=HOME.but("su_look"))

    async def set_look(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """A name, a picture or both; what Discord or somebody's permissions refuse is said, and changes nothing."""
        interaction, words = reply.interaction, reply.words
        guild, fields = interaction.guild, look_fields(_nick(interaction), words)
        if guild is None or len(values) != len(fields):
            raise Stale
        name, changes = one_line(values[0])[:LONGEST_NICK], dict[str, Any]()
        why = ""
        if name != _nick(interaction):
            changes["nick"] = name or None
            why = _why_no_name(interaction, words)
        if picked(values[1]):
            changes["avatar"] = await _picture(interaction, values[1])
            why = why or ("" if changes["avatar"] else words("setup.look_bad_picture"))
        elif picked(values[2]):
            changes["avatar"] = None
        if changes and not why:
            try:
                edited = await guild.me.edit(**changes)
                # The event that tells of it may come after the next press.
                guild.me.nick = None if edited is None else edited.nick
            except discord.HTTPException as error:
                if error.status >= SERVER_ERROR:
                    raise
                log.info("how the bot looks in server %s was refused: %s", guild.id, error)
                why = words("setup.look_refused")
        if why:
            reply.outcome = Outcome.REFUSED
            await reply.show_refused(refused_form(why, fields, values, HOME.but("su_look"), words))
            return
        await reply.say(words("setup.look_changed" if changes else "setup.look_same"))

    # the check

    async def check_here(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The channel in which it was asked."""
        interaction = reply.interaction
        in_thread = isinstance(interaction.channel, discord.Thread)
        await self._check(reply, interaction.channel_id or 0, in_thread=in_thread)

    async def check_chosen(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Another channel."""
        channels = chosen_channels(reply.interaction, values)[:MOST_CHANNELS]
        if channels:
            await self._check(reply, channels[0], in_thread=False)
        else:
            await self.check_here(reply, press, values)

    async def _check(self, reply: Reply, channel: int, *, in_thread: bool) -> None:
        interaction = reply.interaction
        checkup = Checkup(
            channel=channel,
            in_thread=in_thread,
            threads=(await self.services.play.server(reply.guild)).threads,
            threadless=not has_threads(interaction, channel),
            allowed=allowed_in(interaction, channel),
            bot=self.bot.user.name if self.bot.user else "",
            invitation=invitation(interaction.application_id),
            page_url=self.services.page_links.url,
            inside=self.services.page_links.inside is not None,
        )
        await reply.show(doctor_screen(checkup, reply.words))


def _known(interaction: Interaction, server: Server) -> Server:
    """The server's choices without channels and roles that are gone: a menu that names one is refused by Discord."""
    guild = interaction.guild
    if guild is None:
        return server
    return replace(
        server,
        channels=tuple(channel for channel in server.channels if guild.get_channel(channel)),
        host_role=server.host_role if guild.get_role(server.host_role or 0) else None,
        told_role=server.told_role if guild.get_role(server.told_role or 0) else None,
    )


def _nick(interaction: Interaction) -> str:
    """The name that the bot has in this server alone; empty for its usual one."""
    guild = interaction.guild
    me: discord.Member | None = None if guild is None else guild.me  # None before discord.py knows it
    return (me.nick or "") if me is not None else ""


def _why_no_name(interaction: Interaction, words: Words) -> str:
    """Why the person who asks, or the bot, may not change its name here; empty where both may."""
    if not interaction.permissions.manage_nicknames:
        return words("setup.look_not_yours")
    return "" if interaction.app_permissions.change_nickname else words("setup.look_no_power")


async def _picture(interaction: Interaction, chosen: str) -> bytes | None:
    """The picture that was sent with a form; None for what is none, or too large."""
    data: Mapping[str, Any] = interaction.data or {}
    file = data.get("resolved", {}).get("attachments", {}).get(chosen, {})
    if not 0 < int(file.get("size", 0)) <= MOST_PICTURE_BYTES or not str(file.get("url", "")):
        return None
    try:
        read: bytes = await interaction.client.http.get_from_cdn(str(file["url"]))
    except discord.HTTPException:
        return None
    return read if read.startswith(PICTURES) else None


def _is_silent(interaction: Interaction, role: int | None) -> bool:
    """True for a role that nobody may mention, the bot neither."""
    found = interaction.guild.get_role(role or 0) if interaction.guild else None
    return found is not None and not (found.mentionable or interaction.app_permissions.mention_everyone)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Setup(bot))
