"""The server's leaderboard: chips won, points per hand, Fantasylands."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands

from bot.live.client import Client
from bot.ui.command_words import described, named
from bot.ui.custom_ids import Press
from bot.ui.gate import Reply, in_a_new_message
from bot.ui.server.leaderboard import ORDERS, leaderboard_screen
from bot.ui.widgets import Interaction


class Leaderboard(commands.Cog):
    """The players who are ahead."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        bot.services.gate.route("ranks", in_a_new_message(self.press))

    @app_commands.command(name="leaderboard", description=described("leaderboard"))
    @app_commands.guild_only()
    @app_commands.describe(by=described("option_by"))
    @app_commands.choices(by=[app_commands.Choice(name=named(f"leaderboard.by.{key}"), value=key) for key in ORDERS])
    async def leaderboard(self, interaction: Interaction, by: str = "chips") -> None:
        """The best ten of this server, and the asker's own place."""

        async def body(reply: Reply) -> None:
            await self._show(reply, by=by)

        await self.services.gate.run(interaction, body)

    async def press(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The same from a button."""
        await self._show(reply, by=next(iter(ORDERS)))

    async def _show(self, reply: Reply, *, by: str) -> None:
        standings = await self.services.play.standings(reply.guild)
        await reply.show(leaderboard_screen(standings, reply.words, by=by, asker=reply.player))


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Leaderboard(bot))
