"""Closing a table for good, for those who manage the server."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.live.client import Client
from bot.model.ids import TableId, TableKey
from bot.ui.brakes import PressKind
from bot.ui.command_words import described
from bot.ui.gate import Reply
from bot.ui.widgets import Interaction


class CloseTable(commands.Cog):
    """A command of its own: subcommands of ``/ofc`` could not be hidden from everybody else."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services

    @app_commands.command(name="close-table", description=described("close_table"))
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.checks.has_permissions(manage_guild=True)
    @app_commands.describe(table=described("option_table"))
    async def close(self, interaction: Interaction, table: app_commands.Range[int, 1, 999_999_999]) -> None:
        """Close a table for good (Manage Server)."""

        async def body(reply: Reply) -> None:
            closed = await self.services.play.close(
                TableKey(guild=reply.guild, table=TableId(table)), reason="closed_by_admin"
            )
            await reply.say(reply.words("lobby.closed", table=closed.key.table))

        await self.services.gate.run(interaction, body, kind=PressKind.PUBLIC)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(CloseTable(bot))
