"""Whom a player will not be seated with: chosen in private, and never told to anybody else."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.live.client import Client
from bot.model.ids import Player
from bot.model.refusals import PlayReason
from bot.ofc.refusals import Refused
from bot.ui.command_words import named
from bot.ui.custom_ids import Press, long_id
from bot.ui.fragments import player_name
from bot.ui.gate import Reply, in_a_new_message
from bot.ui.permissions_here import people_of, person_of
from bot.ui.server.together.apart import apart_screen
from bot.ui.widgets import Interaction


class Company(commands.Cog):
    """One list, from the menu of a user or from the settings."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        for verb, handler in {
            "apart": self.show,
            "apart_add": self.choose,
            "apart_allow": self.allow,
            "apart_list": in_a_new_message(self.show),
        }.items():
            bot.services.gate.route(verb, handler)
        self.menu = app_commands.ContextMenu(name=named("command.seat_refusal"), callback=self.refuse_user)
        self.menu.guild_only = True

    async def cog_load(self) -> None:
        """The entry in the menu of a user."""
        self.bot.tree.add_command(self.menu)

    async def cog_unload(self) -> None:
        """And without it."""
        self.bot.tree.remove_command(self.menu.name, type=self.menu.type)

    async def refuse_user(self, interaction: Interaction, user: discord.User) -> None:
        """Never be seated with this user."""

        async def body(reply: Reply) -> None:
            await self._refuse(reply, person_of(user))

        await self.services.gate.run(interaction, body)

    async def show(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The list, or another page of it."""
        refused = await self.services.together.refused_by(reply.guild, reply.player)
        await reply.show(apart_screen(refused, reply.words, page=press.hand))

    async def choose(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Somebody was chosen on the list."""
        chosen = people_of(reply.interaction, values)
        if chosen:
            await self._refuse(reply, chosen[0])
        elif values:
            raise Refused(PlayReason.NOT_A_BOT)
        else:
            await self.show(reply, press, values)

    async def _refuse(self, reply: Reply, other: Player) -> None:
        play, together = self.services.play, self.services.together
        refused = await together.refuse(reply.guild, reply.player, other)
        shared = {table.key.table for table in await play.tables_of(reply.guild, reply.player)}
        shared &= {table.key.table for table in await play.tables_of(reply.guild, other)}
        said = [reply.words("apart.refused", player=player_name(other, reply.words))]
        if shared:
            tables = reply.words.list([str(number) for number in sorted(shared)])
            said.append(reply.words("apart.still_together", tables=tables))
        await reply.show(apart_screen(refused, reply.words, said="\n".join(said)))

    async def allow(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Take it back for one of them."""
        other = Player(str(long_id(press.argument)))
        refused = await self.services.together.allow(reply.guild, reply.player, [other])
        said = reply.words("apart.allowed", player=player_name(other, reply.words))
        await reply.show(apart_screen(refused, reply.words, page=press.hand, said=said))


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Company(bot))
