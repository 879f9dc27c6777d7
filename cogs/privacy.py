"""Privacy: what is kept about me, as a file, and its deletion."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.live.client import Client
from bot.ui.brakes import PressKind
from bot.ui.command_words import described
from bot.ui.custom_ids import Press
from bot.ui.gate import Reply, in_a_new_message
from bot.ui.server.own.privacy import ask_screen, data_file, done_screen, exported_screen, privacy_screen
from bot.ui.widgets import Interaction


@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class Privacy(commands.GroupCog, group_name="privacy", group_description=described("privacy")):
    """Everybody's own data, in all servers and in none, wherever the hand of a day can be played."""

    def __init__(self, bot: Client) -> None:
        super().__init__()
        self.services = bot.services
        gate = bot.services.gate
        gate.route("own", in_a_new_message(self.explain), anywhere=True)
        gate.route("own_export", in_a_new_message(self.press_export), anywhere=True)
        gate.route("own_ask", in_a_new_message(self.press_ask), anywhere=True)
        gate.route("own_delete", self.press_delete, kind=PressKind.PUBLIC, anywhere=True)
        gate.route("own_keep", self.press_keep, anywhere=True)

    @app_commands.command(name="export", description=described("privacy_export"))
    async def export(self, interaction: Interaction) -> None:
        """Everything that is kept about me."""
        await self.services.gate.run(interaction, self._export, kind=PressKind.PUBLIC, anywhere=True)

    @app_commands.command(name="delete", description=described("privacy_delete"))
    async def delete(self, interaction: Interaction) -> None:
        """Ask whether I want to be deleted."""
        await self.services.gate.run(interaction, self._ask, kind=PressKind.PUBLIC, anywhere=True)

    async def explain(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """What is kept of people, and the ways to one's own."""
        await reply.show(privacy_screen(reply.words))

    async def press_export(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The file from a button."""
        await self._export(reply)

    async def press_ask(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The question from a button."""
        await self._ask(reply)

    async def press_delete(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Delete me."""
        await self.services.privacy.delete(reply.player)
        self.services.faces.names.forget(reply.player)
        await reply.show(done_screen(reply.words, deleted=True))

    async def press_keep(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Leave everything as it is."""
        await reply.show(done_screen(reply.words, deleted=False))

    async def _export(self, reply: Reply) -> None:
        kept = await self.services.privacy.kept_about(reply.player)
        now_ms = self.services.publisher.now()
        # A thread: of somebody who has played for years it takes a second.
        name, data = await asyncio.to_thread(data_file, kept, reply.player, reply.words, now_ms=now_ms)
        empty = not kept.servers and not kept.everywhere
        shown = exported_screen(name, reply.words, empty=empty)
        await reply.show_apart(shown, file=discord.File(io.BytesIO(data), filename=name))

    async def _ask(self, reply: Reply) -> None:
        ties = await self.services.privacy.ties(reply.player)
        await reply.show(ask_screen(ties, reply.guild, reply.words))


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Privacy(bot))
