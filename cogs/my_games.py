"""My games: every table where I sit, and whose turn it is."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands

from bot.live.client import Client
from bot.ui.command_words import described
from bot.ui.custom_ids import Press
from bot.ui.gate import Reply, in_a_new_message
from bot.ui.server.my_games import my_games_screen
from bot.ui.widgets import Interaction


class MyGames(commands.Cog):
    """What concerns one player at all their tables."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        bot.services.gate.route("my_games", self.turn_page)
        bot.services.gate.route("games", in_a_new_message(self.turn_page))

    @app_commands.command(name="my-games", description=described("my_games"))
    @app_commands.guild_only()
    async def my_games(self, interaction: Interaction) -> None:
        """Every table where I sit, those that wait for me first."""

        async def body(reply: Reply) -> None:
            await self._show(reply, page=0)

        await self.services.gate.run(interaction, body)

    async def turn_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Another page, or this one again."""
        await self._show(reply, page=press.hand)

    async def _show(self, reply: Reply, *, page: int) -> None:
        tables = await self.services.play.tables_of(reply.guild, reply.player)
        views = await asyncio.gather(*(self.services.play.look(table.key, reply.player) for table in tables))
        await reply.show(my_games_screen(views, reply.words, page=page))


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(MyGames(bot))
