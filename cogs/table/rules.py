"""The rules of a game, rendered from its declaration, and the state of the bot."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from io import BytesIO

import discord
from discord import app_commands
from discord.ext import commands

from bot import __version__
from bot.base.installation import version_text
from bot.chat.client import Client
from bot.chat.club.screens.status import BotStatus, status_screen
from bot.chat.kit.command_words import described
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.game_choice import find_game
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.widgets import Interaction
from bot.chat.table.screens.rules import PICTURE, board_png, game_of, rules_screen
from bot.model.ids import GuildId
from bot.model.refusals import Stale
from bot.pure.ofc.variants import Variant, VariantError


class Rules(commands.Cog):
    """The rule book."""

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
        """A page, the first with its board drawn where the bot may attach a file and its reader wants pictures."""
        picture = page == 0 and reply.interaction.app_permissions.attach_files and not reply.wishes.text_only
        file = await _board_file(game, reply) if picture else None
        heard = reply.wishes.text_only
        await reply.show(rules_screen(game, reply.words, page=page, picture=picture, heard=heard), file=file)


async def _board_file(game: Variant, reply: Reply) -> discord.File:
    drawing = asyncio.get_running_loop().run_in_executor(None, board_png, game, reply.words)
    return discord.File(BytesIO(await drawing), filename=PICTURE)


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
            version=version_text(__version__),
            started_at=bot.started_at,
            now=now,
            latency_seconds=connection.latency if connection else float("inf"),
            tables=len(await play.open_tables(guild)),
            behind=backlog.waiting,
            lag_seconds=self.services.publisher.lag_seconds(guild),
            storage_works=storage_works,
            thinks_quickly=self.services.thinkers.quick,
            clocks_run=storage_works and beats and not await play.is_cut_off(shard),
        )


async def setup(bot: Client) -> None:
    """Load the cogs."""
    await bot.add_cog(Rules(bot))
    await bot.add_cog(StatusPage(bot))
