"""The lobby: joining, leaving, starting and playing again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import discord
from discord.ext import commands

from bot.chat.client import Client
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.gate import PressKind
from bot.chat.kit.permissions_here import may_post, require_visible
from bot.chat.kit.reply import Reply
from bot.chat.kit.widgets import Part, button
from bot.chat.services import Services
from bot.chat.table.screens.own_seat import left_text
from bot.chat.table.screens.result import asked_again
from bot.model.ids import GuildId
from bot.model.reasons import TableReason
from bot.model.tables import Table, TableState
from bot.play.table.lobby import TableOffer
from bot.pure.ofc.refusals import Refused
from cogs.table.open_table import (
    build_offer,
    game_of,
    opened_text,
)
from cogs.table.practice import level_named
from cogs.table.seats import ask_for_seat, show_seats


class Lobby(commands.Cog):
    """Handlers for tables before, between and after hands."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        for verb, handler in {
            "leave": self.leave,
            "stay": self.stay,
            "start": self.start,
            "start_now": self.start_now,
            "add_computer": self.add_computer,
            "again": self.again,
        }.items():
            bot.services.gate.route(verb, handler, kind=PressKind.PUBLIC)
        asks = partial(ask_for_seat, bot.services)
        bot.services.gate.route("join", self.join, kind=PressKind.PUBLIC, asks=asks)

    async def join(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Take a seat and show the panel. A player who already has a seat just gets the panel."""
        key = (await require_visible(self.services.play, reply, reply.key(press))).key
        try:
            await self.services.play.join(key, reply.player, terms=reply.terms, cause=reply.cause)
        except Refused as refused:
            if refused.reason is not TableReason.ALREADY_SEATED:
                raise
        await self.services.hand_panels.show_table(reply, key)

    async def leave(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Leave the table, now or after the hand."""
        departure = await self.services.play.leave(reply.key(press), reply.player, cause=reply.cause)
        table = departure.table
        if table.terms.practice and not table.open:
            return  # the table's public closing message says so
        label = "button.do_not_leave" if table.event_no is None else "button.stay"
        then = _back(table, reply, label) if departure.chips is None else ()
        await reply.say(left_text(departure, reply.words), then=then)

    async def stay(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Come back, or stay instead of leaving."""
        await reply.say(await self.services.own_tables.come_back(reply, reply.key(press)))

    async def start(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Deal the first hand, and show the host their cards."""
        key = reply.key(press)
        await self.services.play.start(key, reply.player, cause=reply.cause)
        await self.services.hand_panels.show_table(reply, key)

    async def start_now(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Start the next hand early, once all players want it."""
        key = reply.key(press)
        await self.services.play.start_now(key, reply.player, hand_no=press.hand, cause=reply.cause)
        await self.services.hand_panels.show_table(reply, key)

    async def add_computer(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Seat a computer of the chosen level."""
        level, key = level_named(values), reply.key(press)
        await self.services.play.join_computer(key, reply.player, level=level, cause=reply.cause)
        if reply.replaces is not None:
            await show_seats(self.services, reply, key)

    async def again(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Play the same game again after a table has closed, by joining its lobby or starting a practice hand.

        Asks for confirmation before opening a table that notifies other players.
        """
        if not await may_post(reply, "lobby.missing_permissions"):
            return
        key, channel = reply.key(press), reply.interaction.channel_id or 0
        new = None if press.hand else await self.services.play.opens_again(key, reply.player, channel=channel)
        if new is not None and new.others:
            faces = self.services.faces_for(reply)
            await reply.show(asked_again(new, press, reply.guild, reply.words, faces))
            return
        old = await require_visible(self.services.play, reply, key)
        like = build_offer(
            reply, old.terms.variant, await self.services.play.server(reply.guild), clock=old.terms.clock
        )
        table = await self.services.play.play_again(key, like, cause=reply.cause)
        await show_seat(self.services, reply, table)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Close the tables and events in a deleted channel. All players get their chips back."""
        self.services.event_publisher.spare_channels.deleted(channel)
        await self._gone(GuildId(channel.guild.id), channel=channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        """Close the tables and events in a deleted thread."""
        self.services.event_publisher.spare_channels.deleted(event.thread)
        await self._gone(GuildId(event.guild_id), channel=event.thread_id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Close the tables and events in a server that the bot has left. Wallets are kept in case it returns."""
        await self.services.events.place_gone(GuildId(guild.id), reason="guild_gone")
        await self.services.play.close_all(GuildId(guild.id), reason="guild_gone")

    async def _gone(self, guild: GuildId, *, channel: int) -> None:
        """Cancel the events held there. Then close the tables, except those of other events, which move elsewhere."""
        await self.services.events.place_gone(guild, channel=channel, reason="channel_gone")
        await self.services.play.close_all(guild, channel=channel, reason="channel_gone")


async def usual_table(services: Services, reply: Reply, variant: str) -> TableOffer | None:
    """Return a table for this game with the server's defaults; None, with a message, if the bot may not post here."""
    game = await game_of(services, reply, variant)
    if not await may_post(reply, "lobby.missing_permissions"):
        return None
    server = await services.play.server(reply.guild)
    return build_offer(reply, game, server, clock=server.clock)


async def show_seat(services: Services, reply: Reply, table: Table) -> None:
    """Show the next step to a host, or the panel to a player who has joined."""
    if table.state is TableState.LOBBY and table.host == reply.player and not table.terms.starts_with:
        await reply.say(await opened_text(services, reply, table))
    else:
        await services.hand_panels.show_table(reply, table.key)


def _back(table: Table, reply: Reply, label: str) -> list[Part]:
    """Return the button for coming back, or for staying instead of leaving."""
    return [button(Press(verb="stay", table=table.key.table, tag=table.tag), reply.words(label))]


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Lobby(bot))
