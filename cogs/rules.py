"""The rules of a game, rendered from its declaration."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands

from bot.ofc.variants import PRESETS
from bot.play.model import TableId
from bot.text.rulebook import rules_pages
from bot.ui.client import Client
from bot.ui.command_words import described, named
from bot.ui.gate import Reply
from bot.ui.parts import TABLE_COLOUR
from bot.ui.presses import Press
from bot.ui.widgets import Interaction, button, rows_of, screen

KEYS = list(PRESETS)


class Rules(commands.Cog):
    """The rule book."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.desk = bot.desk
        bot.desk.gate.route("rules", self.turn_page)

    @app_commands.command(name="rules", description=described("rules"))
    @app_commands.guild_only()
    @app_commands.describe(variant=described("option_variant"))
    @app_commands.choices(
        variant=[app_commands.Choice(name=named(f"variant.{key}.name"), value=key) for key in PRESETS]
    )
    async def rules(self, interaction: Interaction, variant: str = KEYS[0]) -> None:
        """Explain a game."""

        async def body(reply: Reply) -> None:
            await self._show(reply, variant, page=0)

        await self.desk.gate.run(interaction, body)

    async def turn_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show another page."""
        if press.argument in PRESETS:
            await self._show(reply, press.argument, page=press.hand)

    async def _show(self, reply: Reply, variant: str, *, page: int) -> None:
        pages = rules_pages(PRESETS[variant], reply.words)
        page = min(page, len(pages) - 1)
        buttons = [
            button(
                Press(verb="rules", table=TableId(0), hand=number, argument=variant),
                str(number + 1),
                disabled=number == page,
            )
            for number in range(len(pages))
        ]
        await reply.show(screen(pages[page], *rows_of(buttons if len(pages) > 1 else []), colour=TABLE_COLOUR))


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Rules(bot))
