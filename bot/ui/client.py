"""What a cog may expect of the bot it is loaded into."""

from __future__ import annotations

from discord.ext import commands

from bot.ui.desk import Desk


class Client(commands.AutoShardedBot):
    """A discord.py bot with a desk."""

    desk: Desk
