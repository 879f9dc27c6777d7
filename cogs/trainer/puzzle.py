"""``/puzzle``: a puzzle, the puzzle of the day, or the player's mistakes."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.chat.client import Client
from bot.chat.kit.command_words import description_for
from bot.chat.kit.reply import Reply
from bot.chat.kit.typed_press import DoOption
from bot.chat.kit.widgets import Interaction
from cogs.trainer.mistakes import MistakePresses
from cogs.trainer.puzzle_presses import PuzzlePresses


class Puzzles(commands.Cog):
    """The command of puzzles and mistakes, in servers and outside them."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        self.puzzles = PuzzlePresses(bot.services)
        self.mistakes = MistakePresses(bot.services)

    @app_commands.command(name="puzzle", description=description_for("puzzle"))
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(
        cards=description_for("option_cards"),
        do=description_for("option_do"),
        mistakes=description_for("option_mistakes"),
    )
    async def command(
        self,
        interaction: Interaction,
        cards: app_commands.Range[str, 0, 200] = "",
        do: DoOption = "",
        mistakes: bool = False,
    ) -> None:
        """Show a puzzle or the player's mistakes, or answer by typing where the cards go."""
        presses = self.mistakes if mistakes else self.puzzles

        async def show(reply: Reply) -> None:
            if not cards:
                await presses.overview(reply)
            elif mistakes:
                await self.mistakes.typed(reply, cards)
            else:
                await self.puzzles.typed_for(reply, cards, do)

        pressed = "" if cards else do
        await self.services.gate.run_or_press(interaction, show, pressed, look=presses.pressable, anywhere=True)

    @command.autocomplete("do")
    async def buttons(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the puzzle's buttons, and the choices of themes and games."""
        return await self.services.gate.buttons(interaction, self._presses(interaction).look, current)

    @command.autocomplete("cards")
    async def suggest(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest placements that start with the typed text, naming their cards."""
        presses, do = self._presses(interaction), str(getattr(interaction.namespace, "do", None) or "")

        async def found(reply: Reply) -> list[app_commands.Choice[str]]:
            return await presses.suggest(reply, current, do)

        return await self.services.gate.suggest(interaction, found)

    def _presses(self, interaction: Interaction) -> PuzzlePresses | MistakePresses:
        return self.mistakes if getattr(interaction.namespace, "mistakes", False) else self.puzzles


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Puzzles(bot))
