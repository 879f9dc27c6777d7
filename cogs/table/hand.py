"""``/hand``: a player's private panel at a table, and the response to outdated presses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from discord import app_commands
from discord.ext import commands

from bot.chat.client import Client
from bot.chat.kit.command_words import description_for
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.reply import Reply
from bot.chat.kit.typed_press import DoOption, typed_number
from bot.chat.kit.widgets import Interaction
from bot.model.ids import TableKey
from cogs.table.past_hands import MyTableOption


class MyHand(commands.Cog):
    """Shows players their cards, and handles outdated presses."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        bot.services.gate.route("hand", self.show)
        bot.services.gate.route("panel", self.show)
        bot.services.gate.route("next_game", self.next_game)
        bot.services.gate.present_with(self.present)

    @app_commands.command(name="hand", description=description_for("hand"))
    @app_commands.guild_only()
    @app_commands.describe(table=description_for("option_table"), do=description_for("option_do"))
    async def hand(self, interaction: Interaction, table: MyTableOption | None = None, do: DoOption = "") -> None:
        """Show the player's cards."""

        async def body(reply: Reply) -> None:
            chosen = await self.services.own_tables.visible(reply, table)
            await self._show(reply, chosen.key)
            # This also reposts a table's message if it was deleted.
            self.services.publisher.sought(chosen)

        await self.services.gate.run_or_press(interaction, body, do, look=partial(self._look, number=table))

    async def _look(self, reply: Reply, *, number: int | None) -> None:
        chosen = await self.services.own_tables.visible(reply, number)
        for screen in await self.services.hand_panels.screens(reply, chosen.key):
            await reply.show(screen)

    @hand.autocomplete("do")
    async def buttons(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the hand's buttons."""
        number = typed_number(interaction)
        return await self.services.gate.buttons(interaction, partial(self._look, number=number), current)

    async def show(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the hand on a fresh private panel."""
        await self._show(reply, reply.key(press))

    async def next_game(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the next correspondence table where it's the player's turn, or this one again if there is none."""
        key = reply.key(press)
        waiting = await self.services.own_tables.waiting(reply, but=key)
        await self._show(reply, waiting[0].table.key if waiting else key)

    async def _show(self, reply: Reply, key: TableKey) -> None:
        """Show the player's hand. Players who sit out continue to do so until they press *I'm back* or place cards."""
        await self.services.hand_panels.show_table(reply, key)

    async def present(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Respond to an outdated press with the current state."""
        if reply.replaces is not None:
            await self.services.hand_panels.show_table(reply, reply.key(press))
        else:
            await reply.done()


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(MyHand(bot))
