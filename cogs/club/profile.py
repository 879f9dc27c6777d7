"""A player's profile: one's own, or that of somebody who lets others see it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from io import BytesIO

import discord
from discord import app_commands
from discord.ext import commands
from typing_extensions import override

from bot.base.meter import Outcome
from bot.chat.art.profile import draw_profile
from bot.chat.client import Client
from bot.chat.club.screens.profile import (
    PICTURE,
    asked_of,
    drawn_on,
    for_everybody,
    in_words,
    pictured,
    profile_elsewhere,
    profile_for_all,
    profile_screen,
)
from bot.chat.kit.command_words import described, named
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.gate import PressKind
from bot.chat.kit.mentions import with_user_names
from bot.chat.kit.permissions_here import may_post, person_of, public_language
from bot.chat.kit.picture_names import picture_name
from bot.chat.kit.posting import post
from bot.chat.kit.presses import ids_of
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.widgets import Interaction
from bot.model.ids import GuildId, Player
from bot.play.look.leaderboards import Profile
from bot.text.words import Words, words_for

NOBODY = Player("")


class Profiles(commands.Cog):
    """What somebody has played."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        bot.services.gate.route("profile", in_a_new_message(self.mine), kind=PressKind.DRAWN)
        bot.services.gate.route("pf_server", self.choose_server, kind=PressKind.DRAWN, anywhere=True)
        bot.services.gate.route("pf_show", self.show_to_all, kind=PressKind.PUBLIC)
        self.menu = app_commands.ContextMenu(name=named("command.profile_of"), callback=self.profile_of)
        self.menu.guild_only = True

    @override
    async def cog_load(self) -> None:
        """The entry in the menu of a user."""
        self.bot.tree.add_command(self.menu)

    @override
    async def cog_unload(self) -> None:
        """And without it."""
        self.bot.tree.remove_command(self.menu.name, type=self.menu.type)

    @app_commands.command(name="profile", description=described("profile"))
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(player=described("option_profile"))
    async def profile(self, interaction: Interaction, player: discord.User | None = None) -> None:
        """My profile, or somebody's."""
        await self._answer(interaction, player or interaction.user)

    async def profile_of(self, interaction: Interaction, user: discord.User) -> None:
        """The same from the menu of a user."""
        await self._answer(interaction, user)

    async def _answer(self, interaction: Interaction, user: discord.User | discord.Member) -> None:
        async def body(reply: Reply) -> None:
            if reply.outside:
                await self._show_elsewhere(reply, user)
            else:
                await self._show(reply, user)

        await self.services.gate.run(interaction, body, kind=PressKind.DRAWN, anywhere=True)

    async def choose_server(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """My profile as it is in another server."""
        await self._show_elsewhere(reply, reply.interaction.user, chosen=next(iter(ids_of(values)), 0))

    async def _show_elsewhere(self, reply: Reply, user: discord.User | discord.Member, *, chosen: int = 0) -> None:
        """One's own profile in a server that is not here, as everybody may see it there; nobody else's."""
        player = person_of(user)
        if player != reply.player:
            reply.outcome = Outcome.REFUSED
            await reply.say(reply.words("gate.only_in_servers"))
            return
        known = {guild: self.bot.get_guild(guild) for guild in await self.services.play.played_in(player)}
        servers = {guild: found.name for guild, found in known.items() if found is not None}
        if not servers:
            await reply.say(reply.words("profile.nowhere"))
            return
        guild = next((guild for guild in servers if guild == chosen), next(iter(servers)))
        self.services.faces.names.saw(guild, player, user.display_name, username=user.name)
        found = for_everybody(await self.services.play.profile(guild, player, player))
        drawn, told = b"", ""
        if not reply.wishes.text_only:
            drawn, told = await self._drawn(reply, found, reply.words, guild=guild)
        file = discord.File(BytesIO(drawn), filename=PICTURE) if drawn else None
        faces = self.services.faces_for(reply)
        await reply.show(profile_elsewhere(found, servers, guild, reply.words, faces, picture=told), file=file)

    async def mine(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """My profile from a button."""
        await self._show(reply, reply.interaction.user)

    async def _show(self, reply: Reply, user: discord.User | discord.Member) -> None:
        player = person_of(user)
        self.services.faces.names.saw(reply.guild, player, user.display_name, username=user.name)
        found = await self.services.play.profile(reply.guild, player, reply.player)
        drawn, told = b"", ""
        if not reply.wishes.text_only:
            drawn, told = await self._drawn(reply, found, reply.words)
        file = discord.File(BytesIO(drawn), filename=PICTURE) if drawn else None
        faces = self.services.faces_for(reply)
        await reply.show(profile_screen(found, reply.words, faces, picture=told), file=file)

    async def show_to_all(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Post it in the channel, as everybody may see it."""
        player = asked_of(press)
        if player is None:
            await reply.done()
            return
        if not await may_post(reply, "lobby.missing_permissions"):
            return
        interaction = reply.interaction
        found = for_everybody(await self.services.play.profile(reply.guild, player, NOBODY))
        words = words_for(public_language(interaction, await self.services.play.server(reply.guild)).code)
        drawn, told = await self._drawn(reply, found, words)
        shown = profile_for_all(found, words, self.services.faces, picture=told)
        await post(
            self.bot.get_partial_messageable(interaction.channel_id or 0),
            with_user_names(shown, self.services.faces.names, reply.guild, words),
            "profile",
            reply.cause,
            attached=(PICTURE, drawn) if drawn else None,
        )
        await reply.say(reply.words("profile.shown"))

    async def _drawn(
        self, reply: Reply, profile: Profile, words: Words, *, guild: GuildId | None = None
    ) -> tuple[bytes, str]:
        """The picture and its description; nothing where all is told as text. ``guild`` is another than this one."""
        name = picture_name(self.services.faces.names, guild or reply.guild, profile.player, words)
        if not reply.interaction.app_permissions.attach_files or not pictured(profile, name):
            return b"", ""
        on_it = drawn_on(profile, name, words)
        drawn = await self.services.pictures.draw(on_it, partial(draw_profile, on_it))
        return drawn, in_words(profile, name, words)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Profiles(bot))
