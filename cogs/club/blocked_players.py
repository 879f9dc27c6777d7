"""Inviting players to a table, and blocking players privately."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands
from typing_extensions import override

from bot.chat.client import Client
from bot.chat.club.screens.blocked_players import apart_screen, on_page
from bot.chat.kit.command_words import choice_name
from bot.chat.kit.custom_ids import Press, long_id
from bot.chat.kit.fragments import player_name
from bot.chat.kit.gate import PressKind
from bot.chat.kit.mentions import with_user_names
from bot.chat.kit.permissions_here import may_post, parse_people, require_person
from bot.chat.kit.posting import calling, post
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.widgets import Interaction
from bot.chat.table.screens.lobby import invitation_screen, invite_screen
from bot.model.ids import Player
from bot.model.limits import MAX_INVITED_PLAYERS
from bot.model.reasons import SeatReason, TableReason
from bot.model.tables import Table, TableState
from bot.pure.ofc.refusals import Refused
from bot.text.words import words_for


class BlockedPlayers(commands.Cog):
    """A player's list of blocked players, opened from the user menu or from the settings."""

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
        self.menu = app_commands.ContextMenu(name=choice_name("command.seat_refusal"), callback=self.refuse_user)
        self.menu.guild_only = True

    @override
    async def cog_load(self) -> None:
        """Add the entry to the user menu."""
        self.bot.tree.add_command(self.menu)

    @override
    async def cog_unload(self) -> None:
        """Remove the entry from the user menu."""
        self.bot.tree.remove_command(self.menu.name, type=self.menu.type)

    async def refuse_user(self, interaction: Interaction, user: discord.User) -> None:
        """Block this user, so that they are never seated together."""

        async def body(reply: Reply) -> None:
            await self._refuse(reply, require_person(user))

        await self.services.gate.run(interaction, body)

    async def show(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the list, or another page of it."""
        refused = await self.services.matchmaking.refused_by(reply.guild, reply.player)
        await self._list(reply, refused, page=press.hand)

    async def choose(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Block the player chosen from the menu."""
        chosen = parse_people(reply.interaction, values)
        if chosen:
            await self._refuse(reply, chosen[0])
        elif values:
            raise Refused(SeatReason.NOT_A_BOT)
        else:
            await self.show(reply, press, values)

    async def _refuse(self, reply: Reply, other: Player) -> None:
        play, matchmaking = self.services.play, self.services.matchmaking
        refused = await matchmaking.refuse(reply.guild, reply.player, other)
        beside = {table.key for table in await play.tables_of(reply.guild, other)}
        shared = [table for table in await play.tables_of(reply.guild, reply.player) if table.key in beside]
        notice = [reply.words("apart.refused", player=player_name(other, reply.words))]
        if shared:
            tables = reply.words.list([str(table.number) for table in shared])
            notice.append(reply.words("apart.still_together", tables=tables))
        await self._list(reply, refused, notice="\n".join(notice))

    async def allow(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Unblock a player."""
        other = Player(str(long_id(press.argument)))
        refused = await self.services.matchmaking.allow(reply.guild, reply.player, [other])
        notice = reply.words("apart.allowed", player=player_name(other, reply.words))
        await self._list(reply, refused, page=press.hand, notice=notice)

    async def _list(self, reply: Reply, refused: Sequence[Player], *, page: int = 0, notice: str = "") -> None:
        names = self.services.faces.names
        await self.services.load_spoken_names(reply, on_page(refused, page))

        def called(player: Player) -> str:
            heard = reply.member_settings.text_only
            return names.of(reply.guild, player, reply.words) if heard else player_name(player, reply.words)

        await reply.show(apart_screen(refused, reply.words, called=called, page=page, notice=notice))


class Invitations(commands.Cog):
    """Invitations to a table. The message names and pings only the invited players."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        bot.services.gate.route("invite", self.ask)
        bot.services.gate.route("invited", self.invite, kind=PressKind.PUBLIC)

    async def ask(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask privately for the players to invite."""
        reply.reply_separately()
        await reply.show(invite_screen(await self._lobby(reply, press), reply.words))

    async def invite(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Post the invitation in the table's channel."""
        table = await self._lobby(reply, press)
        seated = {place.seat.player for place in (await self.services.play.look(table.key)).places}
        people = [one for one in parse_people(reply.interaction, values) if one not in seated][:MAX_INVITED_PLAYERS]
        if not people:
            await reply.refuse(reply.words("lobby.invite_nobody"))
            return
        if not await may_post(reply, "lobby.missing_permissions"):
            return
        for guest in people:
            await self.services.matchmaking.require_invitable(reply.guild, reply.player, guest)
        people = self.services.matchmaking.wanted_guests(table, reply.player, people)
        called = await self.services.matchmaking.callable_guests(table, people)
        mentions = calling(called)
        words = words_for(table.language)
        screen = invitation_screen(table, reply.player, people, words)
        screen = with_user_names(screen, self.services.faces.names, reply.guild, words)
        channel = self.bot.get_partial_messageable(table.channel)
        await post(channel, screen, "invitation", table.key.guild, table.key.table, reply.cause, mentions=mentions)
        await reply.say(reply.words("lobby.invite_sent"))

    async def _lobby(self, reply: Reply, press: Press) -> Table:
        """Return the table if it's waiting for players and the reader sits there. Raises Refused otherwise."""
        view = await self.services.play.look(reply.key(press), reply.player)
        table = view.table
        if not table.open:
            raise Refused(TableReason.TABLE_CLOSED)
        if table.state is not TableState.LOBBY:
            raise Refused(TableReason.ALREADY_STARTED)
        if view.mine is None:
            raise Refused(TableReason.NOT_AT_TABLE)
        if len(view.places) >= table.terms.max_seats:
            raise Refused(TableReason.TABLE_FULL, seats=table.terms.max_seats)
        return table


async def setup(bot: Client) -> None:
    """Load the cogs."""
    await bot.add_cog(BlockedPlayers(bot))
    await bot.add_cog(Invitations(bot))
