"""*Open a table*: a private screen on which the table is chosen by menus before it is opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from discord.ext import commands

from bot.live.client import Client
from bot.model.refusals import PlayReason
from bot.play.table.lobby import USUAL_POINT_VALUE
from bot.ui.brakes import PressKind
from bot.ui.custom_ids import Press
from bot.ui.fragments import QUIET_COLOUR
from bot.ui.gate import Reply, in_a_new_message
from bot.ui.permissions_here import may_post
from bot.ui.table.seating.new_table import Choices, NewTable, choices_of, chosen, new_table_screen
from bot.ui.widgets import notice
from cogs.offers import game_of, offer_of, opened_text

NO_CHOICE_HELPS = frozenset(
    {
        PlayReason.NOT_HERE,
        PlayReason.TOO_MANY_LOBBIES,
        PlayReason.CHANNEL_WAITS,
        PlayReason.CHANNEL_FULL,
        PlayReason.SERVER_FULL,
    }
)
"""Refusals of any table whatsoever: they are said before anything is chosen."""


class OpenTable(commands.Cog):
    """The screen's choices stand in its custom ids; whether they may be opened is asked of play at each press."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        gate = bot.services.gate
        gate.route("open", in_a_new_message(self.begin))
        for verb in ("new_game", "new_own", "new_stakes", "new_pace", "new_company"):
            gate.route(verb, self.choose)
        gate.route("new_open", self.open, kind=PressKind.PUBLIC)

    async def begin(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the server's usual table, to be opened as it is or changed."""
        if not await may_post(reply, "lobby.missing_permissions"):
            return
        new = await self._new(reply, Choices())
        if new.objection is not None and new.objection.reason in NO_CHOICE_HELPS:
            raise new.objection
        await reply.show(new_table_screen(new, reply.words))

    async def choose(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Something was chosen in one of the menus."""
        await reply.show(new_table_screen(await self._new(reply, chosen(press, values)), reply.words))

    async def open(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Open the table; what its host does now takes the screen's place."""
        if not await may_post(reply, "lobby.missing_permissions"):
            return
        new = await self._new(reply, choices_of(press))
        table = await self.services.play.open_table(new.offer, cause=reply.cause)
        await reply.show(notice(await opened_text(self.services, reply, table), colour=QUIET_COLOUR))

    async def _new(self, reply: Reply, choices: Choices) -> NewTable:
        """The table that choices come to here and now; raises Refused for a game that is gone."""
        play = self.services.play
        server, game = await play.server(reply.guild), await game_of(self.services, reply, choices.game)
        usual = USUAL_POINT_VALUE if server.point_value is None else server.point_value
        stakes, clock = choices.point_value_or(usual), choices.clock_or(server.clock)
        offer = offer_of(reply, game, server, clock=clock, point_value=stakes)
        offer = replace(offer, computers=choices.computers)
        return NewTable(
            choices=choices,
            offer=offer,
            usual_stakes=usual,
            usual_clock=server.clock,
            games=await play.games(reply.guild),
            objection=await play.objection(offer),
        )


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(OpenTable(bot))
