"""The way in: ``/help`` and ``/ofc menu``, the guided hand, and the screens that stand nowhere else."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands

from bot.chat.client import Client
from bot.chat.club.screens.club_page import is_listed
from bot.chat.club.screens.hub import how_to_play_screen, hub_alone_screen, hub_screen, play_screen
from bot.chat.kit.command_words import described
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.permissions_here import tables_seen, views_listed
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.typed_press import DoOption
from bot.chat.kit.widgets import Interaction, Screen
from bot.chat.table.screens.new_table import Choices
from bot.chat.table.screens.tutorial import VERB, step_of, tutorial_screen
from cogs.table.open_table import offer_table


class Hub(commands.Cog):
    """Everything that the bot offers, behind buttons."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        bot.services.gate.route("help", in_a_new_message(self.open), anywhere=True)
        bot.services.gate.route("play", in_a_new_message(self.play))
        bot.services.gate.route("howto", in_a_new_message(self.how_to_play), anywhere=True)

    @app_commands.command(name="help", description=described("help"))
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(do=described("option_do"))
    async def help(self, interaction: Interaction, do: DoOption = "") -> None:
        """What one can do here."""
        await self.services.gate.run_or_press(interaction, self._show, do, anywhere=True)

    @help.autocomplete("do")
    async def buttons(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The buttons of the menu."""
        return await self.services.gate.buttons(interaction, self._show, current)

    async def _show(self, reply: Reply) -> None:
        await reply.show(_hub(reply))

    async def open(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The same from a button."""
        await reply.show(_hub(reply))

    async def play(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The tables to sit down at, and how to open one; where there is none, the one that they would open."""
        tables = [table for table in await tables_seen(self.services.play, reply) if is_listed(table)]
        if not tables:
            await offer_table(self.services, reply, Choices())
            return
        await reply.show(play_screen(await views_listed(self.services.play, reply, tables), reply.words))

    async def how_to_play(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The game on one screen."""
        await reply.show(how_to_play_screen(reply.words, served=reply.in_a_server))


def _hub(reply: Reply) -> Screen:
    """What one can do where the reply is."""
    if reply.in_a_server:
        return hub_screen(reply.words, manages=reply.interaction.permissions.manage_guild)
    return hub_alone_screen(reply.words)


class Learn(commands.Cog):
    """Teaches the game by a hand; nothing of it is kept."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        bot.services.gate.route(VERB, self.step, anywhere=True)
        bot.services.gate.route("lesson", in_a_new_message(self.step), anywhere=True)

    async def step(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The first step for a button that only says *learn*, else where its press leads."""
        await reply.show(tutorial_screen(step_of(press), reply.words, self.services.faces_for(reply)))


async def setup(bot: Client) -> None:
    """Load the cogs."""
    await bot.add_cog(Hub(bot))
    await bot.add_cog(Learn(bot))
