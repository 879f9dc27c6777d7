"""The server's leaderboard: chips won, points per hand, Fantasylands."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.live.client import Client
from bot.ui.command_words import described, named
from bot.ui.gate import Reply
from bot.ui.server.leaderboard import ORDERS, leaderboard_screen
from bot.ui.widgets import Interaction


class Leaderboard(commands.Cog):
    """The players who are ahead."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services

    @app_commands.command(name="leaderboard", description=described("leaderboard"))
    @app_commands.guild_only()
    @app_commands.describe(by=described("option_by"))
    @app_commands.choices(by=[app_commands.Choice(name=named(f"leaderboard.by.{key}"), value=key) for key in ORDERS])
    async def leaderboard(self, interaction: Interaction, by: str = "chips") -> None:
        """The best ten of this server, and the asker's own place."""

        async def body(reply: Reply) -> None:
            standings = await self.services.play.standings(reply.guild)
            await reply.show(leaderboard_screen(standings, reply.words, by=by, asker=reply.player))

        await self.services.gate.run(interaction, body)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Leaderboard(bot))
