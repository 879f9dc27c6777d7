"""Chips: what I have and where it came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from bot.live.client import Client
from bot.play.model import Movement, TableId
from bot.text.words import Words
from bot.ui.command_words import described
from bot.ui.fragments import QUIET_COLOUR
from bot.ui.gate import Reply
from bot.ui.presses import Press
from bot.ui.widgets import Interaction, button, rows_of, screen

LINES = 15
LAST_PAGE = 9_999
"""Nobody turns so many; the number of a page must fit into a button."""


@app_commands.guild_only()
class Chips(commands.GroupCog, group_name="chips", group_description=described("chips")):
    """A server's wallets."""

    def __init__(self, bot: Client) -> None:
        super().__init__()
        self.bot = bot
        self.services = bot.services
        bot.services.gate.route("chips", self.turn_page)

    @app_commands.command(name="balance", description=described("chips_balance"))
    async def balance(self, interaction: Interaction) -> None:
        """My wallet, my stacks at tables, and every movement, newest first."""

        async def body(reply: Reply) -> None:
            await self._show(reply, page=0)

        await self.services.gate.run(interaction, body)

    async def turn_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show older or newer movements."""
        await self._show(reply, page=min(press.hand, LAST_PAGE))

    async def _show(self, reply: Reply, *, page: int) -> None:
        play, words = self.services.play, reply.words
        lines = [words("chips.wallet", chips=words.number(await play.wallet(reply.guild, reply.player)))]
        for table in await play.tables_of(reply.guild, reply.player):
            place = (await play.look(table.key, reply.player)).mine
            if place is not None and not table.practice:
                lines.append(words("chips.at_table", table=table.key.table, chips=words.number(place.stack)))
        # One more than a page shows: it tells whether there are older ones.
        movements = await play.history(reply.guild, reply.player, limit=LINES + 1, skip=page * LINES)
        lines += ["", words("chips.history"), *(movement_line(movement, words) for movement in movements[:LINES])]
        press = Press(verb="chips", table=TableId(0))
        pages = [
            button(replace(press, hand=page + 1), words("button.older"), disabled=len(movements) <= LINES),
            button(replace(press, hand=max(0, page - 1), street=1), words("button.newer"), disabled=page == 0),
        ]
        several = page > 0 or len(movements) > LINES
        await reply.show(screen("\n".join(lines), *rows_of(pages if several else []), colour=QUIET_COLOUR))


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
