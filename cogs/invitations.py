"""Invitations: somebody who sits in a lobby calls others to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord.ext import commands

from bot.live.client import Client
from bot.live.posting import post
from bot.meter import Outcome
from bot.ofc.refusals import Refused
from bot.play.model import Player, Table, TableState
from bot.play.refusals import PlayReason
from bot.text.words import words_for
from bot.ui.brakes import PressKind
from bot.ui.custom_ids import Press
from bot.ui.gate import Reply
from bot.ui.permissions_here import may_post
from bot.ui.table.lobby import MOST_INVITED, invitation_screen, invite_screen
from bot.ui.widgets import Interaction


class Invitations(commands.Cog):
    """One message that names whom a player wants at the table, and pings nobody else."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        bot.services.gate.route("invite", self.ask)
        bot.services.gate.route("invited", self.invite, kind=PressKind.PUBLIC)

    async def ask(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask whom, in private."""
        reply.keep_pressed()
        await reply.show(invite_screen(await self._lobby(reply, press), reply.words))

    async def invite(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Post the invitation in the channel of the table."""
        table = await self._lobby(reply, press)
        seated = {place.seat.player for place in (await self.services.play.look(table.key)).places}
        people = [Player(value) for value in _people(reply.interaction, values) if value not in seated]
        if not people:
            reply.outcome = Outcome.REFUSED
            await reply.say(reply.words("lobby.invite_nobody"))
            return
        if not await may_post(reply, "lobby.missing_permissions"):
            return
        mentions = discord.AllowedMentions(users=[discord.Object(int(player)) for player in people])
        screen = invitation_screen(table, reply.player, people, words_for(table.language))
        channel = self.bot.get_partial_messageable(table.channel)
        await post(channel, screen, "invitation", table.key.guild, table.key.table, reply.cause, mentions=mentions)
        await reply.say(reply.words("lobby.invite_sent"))

    async def _lobby(self, reply: Reply, press: Press) -> Table:
        """The table, which waits for players and at which the reader sits; raises Refused."""
        view = await self.services.play.look(reply.key(press), reply.player)
        table = view.table
        if not table.open:
            raise Refused(PlayReason.TABLE_CLOSED)
        if table.state is not TableState.LOBBY:
            raise Refused(PlayReason.ALREADY_STARTED)
        if view.mine is None:
            raise Refused(PlayReason.NOT_AT_TABLE)
        if len(view.places) >= table.max_seats:
            raise Refused(PlayReason.TABLE_FULL, seats=table.max_seats)
        return table


def _people(interaction: Interaction, values: Sequence[str]) -> list[str]:
    """Those of the chosen whom Discord names beside the choice and who are no bots, at most as many as it offers."""
    data: Mapping[str, Any] = interaction.data or {}
    users = data.get("resolved", {}).get("users", {})
    return [value for value in values if value in users and not users[value].get("bot")][:MOST_INVITED]


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Invitations(bot))
