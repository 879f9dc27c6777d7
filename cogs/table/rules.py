"""Handlers for the rules of a game, which are generated from its definition."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from io import BytesIO

import discord
from discord.ext import commands

from bot.chat.client import Client
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.game_choice import find_game
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.table.screens.rules import PICTURE, board_png, game_of, rules_screen
from bot.model.refusals import Stale
from bot.pure.ofc.variants import Variant, VariantError


class Rules(commands.Cog):
    """Handlers for the rules."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        bot.services.gate.route("rules", self.turn_page, anywhere=True)
        bot.services.gate.route("rulebook", in_a_new_message(self.turn_page), anywhere=True)

    async def turn_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show another page."""
        try:
            game = await find_game(self.services.play, reply.guild, game_of(press))
        except VariantError:
            raise Stale from None
        await self._show(reply, game, page=press.hand)

    @staticmethod
    async def _show(reply: Reply, game: Variant, *, page: int) -> None:
        """Show a page. The first has a picture if the bot may attach files and the reader doesn't use *Text only*."""
        picture = page == 0 and reply.interaction.app_permissions.attach_files and not reply.member_settings.text_only
        file = await _board_file(game, reply) if picture else None
        heard = reply.member_settings.text_only
        await reply.show(rules_screen(game, reply.words, page=page, picture=picture, heard=heard), file=file)


async def _board_file(game: Variant, reply: Reply) -> discord.File:
    drawing = asyncio.get_running_loop().run_in_executor(None, board_png, game, reply.words)
    return discord.File(BytesIO(await drawing), filename=PICTURE)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Rules(bot))
