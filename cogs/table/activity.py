"""The table's page inside Discord."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.chat.client import Client
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.reply import Reply
from bot.chat.launch import launch


class TableInDiscord(commands.Cog):
    """Opens it from a hand and from the list of one's games."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        bot.services.gate.route("launch", self.launch)

    async def launch(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Open it at the table that the button speaks of; at none, it shows the one that is due."""
        await launch(self.services.page_links, reply, press.table)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(TableInDiscord(bot))
