"""A player's profile: the reader's own, or that of a player who shows theirs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO

import discord
from discord import app_commands
from discord.ext import commands
from typing_extensions import override

from bot.chat.art.profile import draw_profile
from bot.chat.client import Client
from bot.chat.club.screens.profile import (
    PICTURE,
    can_draw,
    drawn_on,
    for_everybody,
    in_words,
    parse_player,
    profile_elsewhere,
    profile_for_all,
    profile_nowhere,
    profile_screen,
)
from bot.chat.club.screens.profile_tabs import FOR_OTHERS, OUTSIDE, ProfilePart, named_parts, part_name
from bot.chat.kit.command_words import choice_name, description_for
from bot.chat.kit.custom_ids import Press, short_id
from bot.chat.kit.gate import PressKind
from bot.chat.kit.mentions import with_user_names
from bot.chat.kit.ofc import OFC
from bot.chat.kit.permissions_here import may_post, public_language, require_person
from bot.chat.kit.picture_names import picture_name
from bot.chat.kit.posting import post
from bot.chat.kit.presses import parse_ids
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.typed_choice import fitting, the_one
from bot.chat.kit.typed_press import LABEL_LENGTH, DoOption
from bot.chat.kit.widgets import Interaction
from bot.chat.table.screens.replay import build_press
from bot.model.hands import HandFilter
from bot.model.ids import GuildId, Player, TableId
from bot.play.queries.leaderboards import Profile
from bot.text.words import Words, words_for

NOBODY = Player("")


def _of_player(verb: str) -> Callable[[Player], Press]:
    return lambda player: Press(verb=verb, table=TableId(0), argument=short_id(int(player)))


_WAYS: dict[ProfilePart, Callable[[Player], Press]] = {
    ProfilePart.HANDS: lambda _player: build_press(HandFilter(), page=0, verb="hist_page"),
    ProfilePart.CHIPS: _of_player("chips"),
    ProfilePart.BADGES: _of_player("shelf_part"),
}
"""Presses for the parts that other modules draw."""


class Profiles(commands.Cog):
    """Commands and buttons for profiles."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        bot.services.gate.route("profile", in_a_new_message(self.mine), kind=PressKind.DRAWN)
        bot.services.gate.route("pf_part", self.choose_part, kind=PressKind.DRAWN, anywhere=True)
        bot.services.gate.route("pf_server", self.choose_server, kind=PressKind.DRAWN, anywhere=True)
        bot.services.gate.route("pf_show", self.show_to_all, kind=PressKind.PUBLIC)
        self.menu = app_commands.ContextMenu(name=choice_name("command.profile_of"), callback=self.profile_of)
        self.menu.guild_only = True

    @override
    async def cog_load(self) -> None:
        """Add the entry to the user menu."""
        self.bot.tree.add_command(self.menu)

    @override
    async def cog_unload(self) -> None:
        """Remove the entry from the user menu."""
        self.bot.tree.remove_command(self.menu.name, type=self.menu.type)

    @app_commands.command(name="profile", description=description_for("profile"), extras=OFC)
    @app_commands.describe(
        player=description_for("option_profile"), show=description_for("option_show"), do=description_for("option_do")
    )
    async def profile(
        self,
        interaction: Interaction,
        player: discord.User | None = None,
        show: app_commands.Range[str, 0, LABEL_LENGTH] = "",
        do: DoOption = "",
    ) -> None:
        """Show a player's profile: results, past hands, chips and badges."""
        look = partial(self._typed, user=player or interaction.user, part=show)
        await self.services.gate.run_or_press(interaction, look, do, anywhere=True, kind=PressKind.DRAWN)

    @profile.autocomplete("show")
    async def suggest_parts(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the parts of a profile."""
        words = await self.services.gate.words_of(interaction)
        found = fitting(current, named_parts(words))
        return [app_commands.Choice(name=one.name, value=one.value.value) for one in found]

    @profile.autocomplete("do")
    async def buttons(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the buttons of the reader's own profile."""
        part = str(getattr(interaction.namespace, "show", None) or "")
        look = partial(self._typed, user=interaction.user, part=part)
        return await self.services.gate.buttons(interaction, look, current)

    async def profile_of(self, interaction: Interaction, user: discord.User) -> None:
        """Show a profile from the user menu."""

        async def body(reply: Reply) -> None:
            await self._typed(reply, user=user, part="")

        await self.services.gate.run(interaction, body, kind=PressKind.DRAWN, anywhere=True)

    async def _typed(self, reply: Reply, *, user: discord.User | discord.Member, part: str) -> None:
        """Show the part that was typed or chosen; raises Refused."""
        chosen = the_one(part, named_parts(reply.words), reply.words) if part.strip() else ProfilePart.RESULTS
        player = require_person(user)
        if not reply.outside:
            self.services.faces.names.saw(reply.guild, player, user.display_name, username=user.name)
        await self._show_part(reply, player, chosen)

    async def choose_part(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Replace the current part with another."""
        part = next((part for part in ProfilePart if part.value in values), ProfilePart.RESULTS)
        await self._show_part(reply, parse_player(press) or reply.player, part)

    async def _show_part(self, reply: Reply, player: Player, part: ProfilePart) -> None:
        """Show a part of the reader's own profile, or a part of another profile that others may see."""
        words = reply.words
        if player != reply.player and part not in FOR_OTHERS:
            await reply.refuse(words("profile.only_own", part=part_name(part, words)))
        elif reply.outside and part not in OUTSIDE:
            await reply.refuse(words("gate.only_in_servers"))
        elif part is ProfilePart.RESULTS:
            await (self._show_elsewhere(reply, player) if reply.outside else self._show(reply, player))
        else:
            await self.services.gate.handle(reply, _WAYS[part](player), ())

    async def choose_server(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the reader's profile in another server."""
        await self._show_elsewhere(reply, reply.player, chosen=next(iter(parse_ids(values)), 0))

    async def _show_elsewhere(self, reply: Reply, player: Player, *, chosen: int = 0) -> None:
        """Show the reader's own profile in another server, with the parts that everyone may see there.

        Other players' profiles are refused.
        """
        if player != reply.player:
            await reply.refuse(reply.words("gate.only_in_servers"))
            return
        known = {guild: self.bot.get_guild(guild) for guild in await self.services.play.played_in(player)}
        servers = {guild: found.name for guild, found in known.items() if found is not None}
        if not servers:
            await reply.show(profile_nowhere(player, reply.words))
            return
        guild = next((guild for guild in servers if guild == chosen), next(iter(servers)))
        user = reply.interaction.user
        self.services.faces.names.saw(guild, player, user.display_name, username=user.name)
        found = for_everybody(await self.services.play.profile(guild, player, player))
        drawn, told = b"", ""
        if not reply.member_settings.text_only:
            drawn, told = await self._drawn(reply, found, reply.words, guild=guild)
        file = discord.File(BytesIO(drawn), filename=PICTURE) if drawn else None
        faces = self.services.faces_for(reply)
        await reply.show(profile_elsewhere(found, servers, guild, reply.words, faces, picture=told), file=file)

    async def mine(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the reader's own profile from a button."""
        user = reply.interaction.user
        self.services.faces.names.saw(reply.guild, reply.player, user.display_name, username=user.name)
        await self._show(reply, reply.player)

    async def _show(self, reply: Reply, player: Player) -> None:
        found = await self.services.play.profile(reply.guild, player, reply.player)
        drawn, told = b"", ""
        if not reply.member_settings.text_only:
            drawn, told = await self._drawn(reply, found, reply.words)
        file = discord.File(BytesIO(drawn), filename=PICTURE) if drawn else None
        faces = self.services.faces_for(reply)
        await reply.show(profile_screen(found, reply.words, faces, picture=told), file=file)

    async def show_to_all(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Post the profile in the channel, with the parts that everyone may see."""
        player = parse_player(press)
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
        """Return the picture and its description; both empty if everything is shown as text.

        ``guild`` is the profile's server if it isn't this one.
        """
        name = picture_name(self.services.faces.names, guild or reply.guild, profile.player, words)
        if not reply.interaction.app_permissions.attach_files or not can_draw(profile, name):
            return b"", ""
        on_it = drawn_on(profile, name, words)
        drawn = await self.services.pictures.draw(on_it, partial(draw_profile, on_it))
        return drawn, in_words(profile, name, words)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Profiles(bot))
