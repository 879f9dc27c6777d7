"""Chips: what I have and where it came from."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.client import Client
from bot.chat.club.screens.bank import LINES, ChipsPage, chips_screen, claimed_line, sent_line
from bot.chat.kit.command_words import described
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.gate import PressKind
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.typed_press import DoOption
from bot.chat.kit.widgets import Interaction
from bot.model.bank import MOST_CHIPS, Claim
from bot.model.refusals import Stale
from cogs.club.manage import wallet_of

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
        bot.services.gate.route("wallet", in_a_new_message(self.turn_page))
        bot.services.gate.route("claim", self.claim)

    @app_commands.command(name="balance", description=described("chips_balance"))
    @app_commands.describe(do=described("option_do"))
    async def balance(self, interaction: Interaction, do: DoOption = "") -> None:
        """My wallet, my stacks at tables, and every movement, newest first."""
        await self.services.gate.run_or_press(interaction, self._first_page, do)

    @balance.autocomplete("do")
    async def buttons(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The buttons of the wallet."""
        return await self.services.gate.buttons(interaction, self._first_page, current)

    async def _first_page(self, reply: Reply) -> None:
        await self._show(reply, page=0)

    @app_commands.command(name="send", description=described("chips_send"))
    @app_commands.describe(player=described("option_to_player"), chips=described("option_chips"))
    async def send(
        self, interaction: Interaction, player: discord.User, chips: app_commands.Range[int, 1, MOST_CHIPS]
    ) -> None:
        """Send chips to another player, where the server allows it."""

        async def body(reply: Reply) -> None:
            payee = wallet_of(player)
            sent = await self.services.bank.send(reply.guild, reply.player, payee, chips, cause=reply.cause)
            await reply.say(sent_line(sent, payee, reply.words))

        await self.services.gate.run(interaction, body, kind=PressKind.PUBLIC)

    async def claim(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """A refill or the bonus."""
        claim = next((claim for claim in Claim if claim.value == press.argument), None)
        if claim is None:
            raise Stale
        chips = await self.services.bank.claim(reply.guild, reply.player, claim)
        await self._show(reply, page=0, said=claimed_line(claim, chips, reply.words))

    async def turn_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show older or newer movements."""
        await self._show(reply, page=min(press.hand, LAST_PAGE))

    async def _show(self, reply: Reply, *, page: int, said: str = "") -> None:
        play = self.services.play
        wallet, stacks = await play.wallet(reply.guild, reply.player), []
        for table in await play.tables_of(reply.guild, reply.player):
            place = (await play.look(table.key, reply.player)).mine
            if place is not None and table.cash:
                stacks.append((table.key.table, place.stack))
        # One more than a page shows: it tells whether there are older ones.
        movements = await play.history(reply.guild, reply.player, limit=LINES + 1, skip=page * LINES)
        offered = [] if page else await self.services.bank.offered(reply.guild, reply.player)
        frozen = None if page else await self.services.bank.why_frozen(reply.guild, reply.player)
        shown = ChipsPage(
            number=page,
            wallet=wallet,
            stacks=stacks,
            movements=movements,
            said=said,
            offered=offered,
            frozen=frozen,
        )
        await reply.show(chips_screen(shown, reply.words))


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Chips(bot))
