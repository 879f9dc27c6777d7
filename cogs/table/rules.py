"""The rules of a game, rendered from its declaration."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from io import BytesIO

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.client import Client
from bot.chat.kit.command_words import described
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.game_choice import find_game, typed_game
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.widgets import Interaction
from bot.chat.table.screens.rules import PICTURE, board_png, game_of, rules_screen
from bot.model.refusals import Stale
from bot.pure.ofc.variants import Variant, VariantError


class Rules(commands.Cog):
    """The rule book."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        bot.services.gate.route("rules", self.turn_page, anywhere=True)
        bot.services.gate.route("rulebook", in_a_new_message(self.turn_page), anywhere=True)

    @app_commands.command(name="rules", description=described("rules"))
    @app_commands.guild_only()
    @app_commands.describe(variant=described("option_variant"))
    async def rules(self, interaction: Interaction, variant: str = "") -> None:
        """Explain a game."""

        async def body(reply: Reply) -> None:
            game = await typed_game(self.services.play, reply.guild, variant, reply.words)
            await self._show(reply, game, page=0)

        await self.services.gate.run(interaction, body)

    @rules.autocomplete("variant")
    async def games(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The presets and the server's own games."""
        return await self.services.offered_games(interaction, current)

    async def turn_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show another page."""
        try:
            game = await find_game(self.services.play, reply.guild, game_of(press))
        except VariantError:
            raise Stale from None
        await self._show(reply, game, page=press.hand)

    @staticmethod
    async def _show(reply: Reply, game: Variant, *, page: int) -> None:
        """A page, the first with its board drawn where the bot may attach a file and its reader wants pictures."""
        picture = page == 0 and reply.interaction.app_permissions.attach_files and not reply.wishes.text_only
        file = await _board_file(game, reply) if picture else None
        heard = reply.wishes.text_only
        await reply.show(rules_screen(game, reply.words, page=page, picture=picture, heard=heard), file=file)


async def _board_file(game: Variant, reply: Reply) -> discord.File:
    drawing = asyncio.get_running_loop().run_in_executor(None, board_png, game, reply.words)
    return discord.File(BytesIO(await drawing), filename=PICTURE)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Rules(bot))
