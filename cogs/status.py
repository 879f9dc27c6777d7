"""Status: how the bot is doing, for those who manage a server."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot import __version__
from bot.live.client import Client
from bot.model.ids import GuildId
from bot.ui.command_words import described
from bot.ui.gate import Reply
from bot.ui.server.status import BotStatus, status_screen
from bot.ui.widgets import Interaction

BEAT_MS = 5_000
"""Clocks that have not beaten for so long stand still."""


class StatusPage(commands.Cog):
    """The bot as one server sees it; nothing of any other server."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services

    @app_commands.command(name="status", description=described("status"))
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.checks.has_permissions(manage_guild=True)
    async def status(self, interaction: Interaction) -> None:
        """Show how the bot is doing (Manage Server)."""

        async def body(reply: Reply) -> None:
            await reply.show(status_screen(await self._status(reply.guild), reply.words))

        await self.services.gate.run(interaction, body)

    async def _status(self, guild: GuildId) -> BotStatus:
        bot, play = self.bot, self.services.play
        now = self.services.publisher.now()
        shard = bot.shard_of(guild)
        connection = bot.get_shard(shard.number)
        backlog = await play.backlog(guild)
        storage_works = bot.metrics.storage_trouble is None
        beats = bot.metrics.beat_at is not None and now - bot.metrics.beat_at <= BEAT_MS
        return BotStatus(
            version=__version__,
            started_at=bot.started_at,
            now=now,
            latency_seconds=connection.latency if connection else float("inf"),
            tables=len(await play.open_tables(guild)),
            behind=backlog.undrawn + backlog.unposted,
            lag_seconds=self.services.publisher.lag_seconds(guild),
            storage_works=storage_works,
            thinks_quickly=self.services.thinkers.quick,
            clocks_run=storage_works and beats and not await play.is_cut_off(shard),
        )


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(StatusPage(bot))
