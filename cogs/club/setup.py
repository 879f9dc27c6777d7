"""Setting up a server: the welcome, the managers' settings, and the check of the bot's permissions."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.base.clean_text import one_line
from bot.base.meter import InteractionOutcome
from bot.chat.client import Client
from bot.chat.club.screens.setup import (
    HOME,
    MAX_NICK_LENGTH,
    MAX_PICTURE_BYTES,
    Checkup,
    doctor_screen,
    look_fields,
    templates_screen,
)
from bot.chat.club.screens.setup_forms import FORMS, MAX_CHANNELS, SetupContext
from bot.chat.club.screens.setup_topics import TOPICS, named_topics
from bot.chat.club.screens.streams import StreamUse, streams_screen
from bot.chat.discord_patches.errors import SERVER_ERROR
from bot.chat.kit.bot_permissions import invitation
from bot.chat.kit.choice_page import Change, PageState
from bot.chat.kit.choosing import answer_form
from bot.chat.kit.command_words import description_for
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import as_typed_before, refused_form
from bot.chat.kit.given_roles import could_choose
from bot.chat.kit.modals import modal
from bot.chat.kit.permissions_here import allowed_in, chosen_channels, for_managers, has_threads
from bot.chat.kit.presses import picked_values
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.typed_choice import fitting, the_one
from bot.chat.kit.typed_press import DoOption as TopicOption
from bot.chat.kit.widgets import Interaction
from bot.model.choices import ServerSettings
from bot.model.ids import GuildId
from bot.model.refusals import Stale
from bot.text.words import Words
from cogs.club.bot_status import status_of
from cogs.club.setup_page import nick_of, posts_are_apart, show_setup

log = logging.getLogger(__name__)

PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"RIFF")
"""First bytes of the picture formats that Discord accepts."""


class Setup(commands.Cog):
    """The managers' settings for a server, and the permission check."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        for verb, handler in {
            "set_up": self.show,
            "su_look": self.ask_look,
            "su_looks": self.set_look,
            "su_doctor": self.check_here,
            "su_check": self.check_chosen,
            "su_templates": self.show_templates,
            "su_streams": self.show_streams,
            "su_stream_off": self.end_stream,
            # Verbs of older pages that had a separate form for channels and threads
            "su_places": self.show,
            "su_placed": self.show,
        }.items():
            bot.services.gate.route(verb, for_managers(handler))
        bot.services.gate.route("manage", in_a_new_message(for_managers(self.show)))
        for form in FORMS:
            answer_form(
                form,
                bot.services.gate,
                state=self._state,
                keep=self._keep,
                show=partial(self._show_after, form.title),
                guard=for_managers,
            )

    async def _show_after(self, title: str, reply: Reply, problem: str) -> None:
        await show_setup(self.services, reply, told=problem, after="" if problem else title)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Greet a server that has invited the bot."""
        if self.bot.serves(GuildId(guild.id)):
            self.services.welcomes.greet(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Greet a server that may have invited the bot while it was offline."""
        if self.bot.serves(GuildId(guild.id)):
            self.services.welcomes.greet(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_guild_update(self, before: discord.Guild, after: discord.Guild) -> None:
        """If a server's language in Discord changes and `/setup` hasn't set one, redraw its public messages."""
        guild = GuildId(after.id)
        if before.preferred_locale != after.preferred_locale and self.bot.serves(guild):
            server = await self.services.play.server(guild)
            if server.language is None:
                await self._speak(guild, server)

    async def _speak(self, guild: GuildId, server: ServerSettings) -> None:
        """Redraw a server's welcome and club page in its new language."""
        await self.services.welcomes.redraw(guild, server)
        self.services.club_pages.changed(guild)

    @app_commands.command(name="setup", description=description_for("setup"))
    @app_commands.describe(topic=description_for("option_topic_setup"))
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.checks.has_permissions(manage_guild=True)
    async def setup(self, interaction: Interaction, topic: TopicOption = "") -> None:
        """Show this server's settings, or open one topic (Manage Server)."""

        async def body(reply: Reply) -> None:
            if not topic.strip():
                await show_setup(self.services, reply)
                return
            apart = await posts_are_apart(self.services, reply.guild)
            verb = the_one(topic, named_topics(reply.words, apart=apart), reply.words)
            await self.services.gate.handle(reply, await self._press_of(reply, verb), ())

        await self.services.gate.run(interaction, body)

    @setup.autocomplete("topic")
    async def topics(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the topics and, once the manager has typed something, further forms."""
        words = await self.services.gate.words_of(interaction)
        known = named_topics(words, apart=False)
        found = fitting(current, known) if current.strip() else known[: len(TOPICS)]
        return [app_commands.Choice(name=one.name, value=one.name) for one in found]

    async def _press_of(self, reply: Reply, verb: str) -> Press:
        """Return the press of a topic's button. The press for ending a season names the season."""
        if verb != "season_end":
            return HOME.but(verb)
        return HOME.but(verb, str((await self.services.bank.seasons(reply.guild)).newest))

    # the page

    async def show(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the page from the welcome, from the check, or from a form of an older page."""
        await show_setup(self.services, reply)

    async def show_templates(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the table templates."""
        await reply.show(templates_screen(await self.services.matchmaking.templates(reply.guild), reply.words))

    # links for streams

    async def show_streams(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the server's links for streams."""
        links, found = self.services.page_links, await self.services.play.stream_links(reply.guild)
        uses = [StreamUse(link=one, used_at=links.stream_used(reply.guild, one.player)) for one in found]
        back = HOME.but("su_doctor")
        await reply.show(streams_screen(uses, reply.words, now=self.services.publisher.now(), back=back))

    async def end_stream(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Revoke a link for streams. The button names the link, so it can't revoke a newer one of the same owner."""
        await self.services.page_links.end_stream_named(reply.guild, press.argument)
        await self.show_streams(reply, press, values)

    async def _state(self, reply: Reply, press: Press) -> PageState[ServerSettings, SetupContext]:
        guild, play = reply.interaction.guild, self.services.play
        context = SetupContext(
            game=await play.default_game(reply.guild),
            games=await play.games(reply.guild),
            channels=frozenset(() if guild is None else (channel.id for channel in guild.channels)),
            roles=frozenset(() if guild is None else (role.id for role in guild.roles if role.id != guild.id)),
            everyone=0 if guild is None else guild.id,
            manager=reply.player,
            may_give=partial(could_choose, reply.interaction),
        )
        return PageState(record=await play.server(reply.guild), context=context, words=reply.words)

    async def _keep(self, reply: Reply, press: Press, change: Change[ServerSettings]) -> None:
        before = await self.services.play.server(reply.guild)
        server = await self.services.play.choose_for_server(reply.guild, change)
        if server.zone != before.zone:
            # The hours of the server's posts are now in the new zone.
            await self.services.choose_for_server(reply, lambda now: now)
        if server.language != before.language:
            await self._speak(reply.guild, server)

    # the bot's name and picture in this server

    async def ask_look(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for the bot's name and picture in this server.

        After a refusal, the form keeps the name that was typed.
        """
        fields = as_typed_before(look_fields(nick_of(reply.interaction), reply.words), reply.pressed_texts)
        await reply.ask(modal(HOME.but("su_looks"), reply.words("setup.topic.look"), fields), again=HOME.but("su_look"))

    async def set_look(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Set the bot's name, its picture, or both.

        If Discord or the permissions don't allow it, nothing changes and the reply says why.
        """
        interaction, words = reply.interaction, reply.words
        guild, fields = interaction.guild, look_fields(nick_of(interaction), words)
        if guild is None or len(values) != len(fields):
            raise Stale
        name, changes = one_line(values[0])[:MAX_NICK_LENGTH], dict[str, Any]()
        why = ""
        if name != nick_of(interaction):
            changes["nick"] = name or None
            why = _why_no_name(interaction, words)
        if picked_values(values[1]):
            changes["avatar"] = await _picture(interaction, values[1])
            why = why or ("" if changes["avatar"] else words("setup.look_bad_picture"))
        elif picked_values(values[2]):
            changes["avatar"] = None
        if changes and not why:
            try:
                edited = await guild.me.edit(**changes)
                # Discord's own update may arrive after the next press.
                guild.me.nick = None if edited is None else edited.nick
            except discord.HTTPException as error:
                if error.status >= SERVER_ERROR:
                    raise
                log.info("the bot's look in server %s was refused: %s", guild.id, error)
                why = words("setup.look_refused")
        if why:
            reply.outcome = InteractionOutcome.REFUSED
            await reply.show_refused(refused_form(why, fields, values, HOME.but("su_look"), words))
            return
        await show_setup(self.services, reply, told=words("setup.look_changed" if changes else "setup.look_same"))

    # the check

    async def check_here(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Check the current channel."""
        interaction = reply.interaction
        in_thread = isinstance(interaction.channel, discord.Thread)
        await self._check(reply, interaction.channel_id or 0, in_thread=in_thread)

    async def check_chosen(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Check another channel."""
        channels = chosen_channels(reply.interaction, values)[:MAX_CHANNELS]
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
            status=await status_of(self.bot, reply.guild),
        )
        await reply.show(doctor_screen(checkup, reply.words))


def _why_no_name(interaction: Interaction, words: Words) -> str:
    """Return why the manager or the bot may not change the bot's name here; empty if both may."""
    if not interaction.permissions.manage_nicknames:
        return words("setup.look_not_yours")
    return "" if interaction.app_permissions.change_nickname else words("setup.look_no_power")


async def _picture(interaction: Interaction, chosen: str) -> bytes | None:
    """Return the picture sent with a form; None if it isn't a picture or is too large."""
    data: Mapping[str, Any] = interaction.data or {}
    file = data.get("resolved", {}).get("attachments", {}).get(chosen, {})
    if not 0 < int(file.get("size", 0)) <= MAX_PICTURE_BYTES or not str(file.get("url", "")):
        return None
    try:
        read: bytes = await interaction.client.http.get_from_cdn(str(file["url"]))
    except discord.HTTPException:
        return None
    return read if read.startswith(PICTURES) else None


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Setup(bot))
