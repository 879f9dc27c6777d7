"""The table's page inside Discord."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.chat.client import Client
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.reply import Reply
from bot.chat.launch import launch


class TableInDiscord(commands.Cog):
    """Opens the page from a hand and from the list of a player's tables."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        bot.services.gate.route("launch", self.launch)

    async def launch(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Open the page at the button's table. Without one, it shows the table where it's the player's turn."""
        await launch(self.services.page_links, reply, press.table)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(TableInDiscord(bot))
