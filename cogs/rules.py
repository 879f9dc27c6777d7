"""The rules of a game, rendered from its declaration."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands

from bot.live.client import Client
from bot.ofc.variants import PRESETS, Variant, VariantError
from bot.play.model import TableId
from bot.play.refusals import Stale
from bot.text.house import problem_text
from bot.text.rulebook import rules_pages
from bot.ui.command_words import described
from bot.ui.fragments import TABLE_COLOUR
from bot.ui.game_choice import OWN, find_game, game_choices
from bot.ui.gate import Reply
from bot.ui.presses import Press
from bot.ui.server.house_rules import tag
from bot.ui.widgets import Interaction, button, rows_of, screen

DEFAULT = next(iter(PRESETS))


class Rules(commands.Cog):
    """The rule book."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        bot.services.gate.route("rules", self.turn_page)

    @app_commands.command(name="rules", description=described("rules"))
    @app_commands.guild_only()
    @app_commands.describe(variant=described("option_variant"))
    async def rules(self, interaction: Interaction, variant: str = DEFAULT) -> None:
        """Explain a game."""

        async def body(reply: Reply) -> None:
            try:
                game = await find_game(self.services.play, reply.guild, variant)
            except VariantError as error:
                await reply.say(problem_text(error, reply.words))
                return
            await self._show(reply, game, page=0)

        await self.services.gate.run(interaction, body)

    @rules.autocomplete("variant")
    async def games(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The presets and the server's own games."""
        return await game_choices(self.services.play, interaction, current)

    async def turn_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show another page."""
        text = OWN + press.argument[1:] if press.argument.startswith("-") else press.argument
        try:
            game = await find_game(self.services.play, reply.guild, text)
        except VariantError:
            raise Stale from None
        await self._show(reply, game, page=press.hand)

    async def _show(self, reply: Reply, game: Variant, *, page: int) -> None:
        pages = rules_pages(game, reply.words)
        page = min(page, len(pages) - 1)
        argument = f"-{tag(game.house_name)}" if game.house_name else game.key
        buttons = [
            button(
                Press(verb="rules", table=TableId(0), hand=number, argument=argument),
                str(number + 1),
                disabled=number == page,
            )
            for number in range(len(pages))
        ]
        await reply.show(screen(pages[page], *rows_of(buttons if len(pages) > 1 else []), colour=TABLE_COLOUR))


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Rules(bot))
