"""Chips: what I have and where it came from."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.play.model import Movement
from bot.text.words import Words
from bot.ui.client import Client
from bot.ui.command_words import described
from bot.ui.gate import Reply
from bot.ui.widgets import Interaction

LINES = 15


class Chips(commands.GroupCog, group_name="chips", group_description=described("chips")):
    """A server's wallets."""

    def __init__(self, bot: Client) -> None:
        super().__init__()
        self.bot = bot
        self.desk = bot.desk

    @app_commands.command(name="balance", description=described("chips_balance"))
    async def balance(self, interaction: Interaction) -> None:
        """My wallet, my stacks at tables, and the last movements."""

        async def body(reply: Reply) -> None:
            play, words = self.desk.play, reply.words
            wallet = await play.wallet(reply.guild, reply.player)
            lines = [words("chips.wallet", chips=words.number(wallet))]
            for table in await play.tables_of(reply.guild, reply.player):
                place = (await play.look(table.key, reply.player)).mine
                if place is not None and not table.practice:
                    lines.append(words("chips.at_table", table=table.key.table, chips=words.number(place.stack)))
            movements = await play.history(reply.guild, reply.player, limit=LINES)
            if movements:
                lines += ["", words("chips.history"), *(movement_line(m, words) for m in movements)]
            await reply.say("\n".join(lines))

        await self.desk.gate.run(interaction, body)


def movement_line(movement: Movement, words: Words) -> str:
    """``+120 · table 3, hand 4 · <time>``."""
    if movement.table is None:
        what = words(f"chips.kind.{movement.kind}")
    elif movement.hand_no is None:
        what = words(f"chips.kind.{movement.kind}", table=movement.table)
    else:
        what = words(f"chips.kind.{movement.kind}", table=movement.table, hand=movement.hand_no)
    return f"`{words.signed(movement.chips):>8}` {what} · <t:{movement.at // 1000}:R>"


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Chips(bot))
