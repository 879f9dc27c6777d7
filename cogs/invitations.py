"""Invitations: somebody who sits in a lobby calls others to it."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.live.client import Client
from bot.live.posting import calling, post
from bot.meter import Outcome
from bot.model.refusals import PlayReason
from bot.model.tables import Table, TableState
from bot.ofc.refusals import Refused
from bot.text.words import words_for
from bot.ui.brakes import PressKind
from bot.ui.custom_ids import Press
from bot.ui.gate import Reply
from bot.ui.permissions_here import may_post, people_of
from bot.ui.table.lobby import MOST_INVITED, invitation_screen, invite_screen


class Invitations(commands.Cog):
    """One message that names the players wanted at the table, and pings nobody else."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        bot.services.gate.route("invite", self.ask)
        bot.services.gate.route("invited", self.invite, kind=PressKind.PUBLIC)

    async def ask(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for the guests, in private."""
        reply.keep_pressed()
        await reply.show(invite_screen(await self._lobby(reply, press), reply.words))

    async def invite(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Post the invitation in the channel of the table."""
        table = await self._lobby(reply, press)
        seated = {place.seat.player for place in (await self.services.play.look(table.key)).places}
        people = [one for one in people_of(reply.interaction, values) if one not in seated][:MOST_INVITED]
        if not people:
            reply.outcome = Outcome.REFUSED
            await reply.say(reply.words("lobby.invite_nobody"))
            return
        if not await may_post(reply, "lobby.missing_permissions"):
            return
        for guest in people:
            await self.services.together.demand_guest(reply.guild, reply.player, guest)
        people = self.services.together.wanted_guests(table, reply.player, people)
        called = await self.services.together.callable_guests(table, people)
        mentions = calling(called)
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
        if len(view.places) >= table.terms.max_seats:
            raise Refused(PlayReason.TABLE_FULL, seats=table.terms.max_seats)
        return table


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Invitations(bot))
