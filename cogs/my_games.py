"""My games and my settings: every table where I sit, whose turn it is, and how I am reminded."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from bot.live.client import Client
from bot.play.choices import Calls
from bot.ui.command_words import described
from bot.ui.custom_ids import Press
from bot.ui.gate import Reply, in_a_new_message
from bot.ui.server.my_games import my_games_screen, settings_screen
from bot.ui.widgets import Interaction


class MyGames(commands.Cog):
    """What concerns one player at all their tables."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        bot.services.gate.route("my_games", self.turn_page)
        bot.services.gate.route("reminders", self.set_reminders)
        bot.services.gate.route("calls", self.set_calls)
        bot.services.gate.route("games", in_a_new_message(self.turn_page))
        bot.services.gate.route("settings", in_a_new_message(self.press_settings))

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

    @app_commands.command(name="settings", description=described("settings"))
    @app_commands.guild_only()
    async def settings(self, interaction: Interaction) -> None:
        """What I have chosen in this server."""
        await self.services.gate.run(interaction, self._settings)

    async def press_settings(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The same from a button."""
        await self._settings(reply)

    async def set_reminders(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Switch reminders on or off."""
        await self.services.play.wish(
            reply.guild, reply.player, lambda before: replace(before, reminders=bool(press.hand))
        )
        await self._settings(reply)

    async def set_calls(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Choose when to be called; where nothing that there is was chosen, nothing changes."""
        chosen = next((calls for calls in Calls if calls.value in values), None)
        if chosen is not None:
            await self.services.play.wish(reply.guild, reply.player, lambda before: replace(before, calls=chosen))
        await self._settings(reply)

    async def _settings(self, reply: Reply) -> None:
        wishes = await self.services.play.wishes(reply.guild, reply.player)
        await reply.show(settings_screen(wishes, reply.words))


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(MyGames(bot))
