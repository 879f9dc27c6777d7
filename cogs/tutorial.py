"""The tutorial hand: one private message that follows a newcomer through five streets."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.live.client import Client
from bot.ui.custom_ids import Press
from bot.ui.gate import Reply, in_a_new_message
from bot.ui.table.tutorial import VERB, step_of
from bot.ui.table.tutorial_screen import tutorial_screen


class Learn(commands.Cog):
    """Teaches the game by a hand; nothing of it is kept."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        bot.services.gate.route(VERB, self.step)
        bot.services.gate.route("lesson", in_a_new_message(self.step))

    async def step(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The first step for a button that only says *learn*, else where its press leads."""
        await reply.show(tutorial_screen(step_of(press), reply.words, self.services.faces_for(reply)))


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Learn(bot))
