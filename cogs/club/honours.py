"""A player's badges, and the server's records."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from io import BytesIO

import discord
from discord.ext import commands

from bot.chat.art.profile import draw_shelf
from bot.chat.client import Client
from bot.chat.club.screens.honours import (
    PICTURE,
    drawn_on,
    in_words,
    parse_game,
    parse_part,
    part_screen,
    records_screen,
    shelf_screen,
)
from bot.chat.club.screens.profile import parse_player
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.gate import PressKind
from bot.chat.kit.mentions import with_user_names
from bot.chat.kit.permissions_here import may_post, public_language, seen_by_readers, sees
from bot.chat.kit.picture_names import picture_name
from bot.chat.kit.posting import post
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.model.ids import Player
from bot.model.standings import EVERY_GAME
from bot.text.words import words_for


class Honours(commands.Cog):
    """Badges and records."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        gate = bot.services.gate
        gate.route("shelf", in_a_new_message(self.shelf), kind=PressKind.DRAWN)
        gate.route("shelf_part", self.part, kind=PressKind.DRAWN)
        gate.route("rec_show", self.show_to_all, kind=PressKind.PUBLIC)
        gate.route("records", in_a_new_message(self.press), kind=PressKind.DRAWN)
        gate.route("rec_game", self.choose_game, kind=PressKind.DRAWN)

    async def press(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the server's records for all games."""
        await self._records(reply, EVERY_GAME)

    async def choose_game(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the records of the chosen game."""
        await self._records(reply, parse_game(next(iter(values), "")))

    async def _records(self, reply: Reply, game: str) -> None:
        channels = await self.services.bulletins.channels_played_in(reply.guild)
        seen = {channel for channel in channels if await sees(reply.interaction, channel)}
        await reply.show(records_screen(await self.services.play.records(reply.guild, game, seen), reply.words))

    async def show_to_all(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Post the records that all readers of the channel may see."""
        if not await may_post(reply, "lobby.missing_permissions"):
            return
        interaction, guild = reply.interaction, reply.interaction.guild
        channels = await self.services.bulletins.channels_played_in(reply.guild)
        here = interaction.channel_id or 0
        seen = {channel for channel in channels if guild and seen_by_readers(guild, here, channel)}
        found = await self.services.play.records(reply.guild, parse_game(press.argument), seen)
        words = words_for(public_language(interaction, await self.services.play.server(reply.guild)).code)
        shown = records_screen(found, words, shown_to_all=True)
        await post(
            self.bot.get_partial_messageable(interaction.channel_id or 0),
            with_user_names(shown, self.services.faces.names, reply.guild, words),
            "records",
            reply.cause,
        )
        await reply.say(reply.words("records.shown"))

    async def shelf(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show a player's badges as a picture, or as text if the reader prefers it or no picture is possible."""
        await self._shelf(reply, parse_player(press) or reply.player)

    async def part(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show one section of the reader's own badges, or the overview again."""
        part = parse_part(values)
        if part is None:
            await self._shelf(reply, parse_player(press) or reply.player)
            return
        view = await self.services.play.shelf(reply.guild, reply.player, reply.player)
        await reply.show(part_screen(view, part, reply.words))

    async def _shelf(self, reply: Reply, player: Player) -> None:
        view = await self.services.play.shelf(reply.guild, player, reply.player)
        name = picture_name(self.services.faces.names, reply.guild, view.player, reply.words)
        file, told = None, ""
        if name and not reply.member_settings.text_only and reply.interaction.app_permissions.attach_files:
            on_it = drawn_on(view, name, reply.words)
            if on_it.rows:
                drawn = await self.services.pictures.draw(on_it, partial(draw_shelf, on_it))
                file, told = discord.File(BytesIO(drawn), filename=PICTURE), in_words(view, name, reply.words)
        await reply.show(shelf_screen(view, reply.words, picture=told), file=file)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Honours(bot))
