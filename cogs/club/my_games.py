"""The overview of a player's tables and of the open tables, opened with ``/ofc table`` and **My tables**."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.chat.client import Client
from bot.chat.club.screens.my_games import my_games_screen
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.gate import PressKind
from bot.chat.kit.permissions_here import tables_seen, views_listed
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.model.events import Entrant, Event, WaitingPlayer
from bot.model.ids import GuildId
from bot.play.queries.views import Game, TableView


class MyGames(commands.Cog):
    """The overview, and sitting out at all tables."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        bot.services.gate.route("my_games", self.turn_page, anywhere=True)
        bot.services.gate.route("out_everywhere", self.sit_out, kind=PressKind.PUBLIC)
        bot.services.gate.route("games", in_a_new_message(self.turn_page), anywhere=True)

    async def turn_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show another page, or refresh this one."""
        await self._show(reply, page=press.hand)

    async def sit_out(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Sit out at all tables of this server."""
        tables = await self.services.seating.sit_out_everywhere(reply.guild, reply.player, cause=reply.cause)
        words = reply.words
        named = words.list([words("games.table", table=table.number) for table in tables])
        await self._show(reply, page=0, notice=words("games.sat_out", tables=named) if tables else "")

    async def _show(self, reply: Reply, *, page: int, notice: str = "") -> None:
        """Show this server's tables, or the tables of all servers if the reader is outside servers."""
        here = reply.is_in_server
        games = await self.services.play.games_of(reply.guild if here else GuildId(0), reply.player)
        known = {game.view.table.key.guild: self.bot.get_guild(game.view.table.key.guild) for game in games}
        servers = None if here else {guild: found.name for guild, found in known.items() if found is not None}
        others, further = await self._others(reply, games) if here and not page else ([], 0)
        for view in [*(game.view for game in games), *others]:
            if here and view.table.channel == reply.interaction.channel_id:
                self.services.publisher.sought(view.table)
        lost = await self.services.play.lost_seats(reply.guild, reply.player) if here else []
        links = self.services.page_links
        shown = my_games_screen(
            games,
            reply.words,
            page=page,
            servers=servers,
            notice=notice,
            lost=lost,
            registered=await self._registered(reply, games) if here and not page else (),
            others=others,
            further=further,
            watched=links.watch_links(reply.player, reply.words.language.code, [view.table for view in others]),
            page_url=links.link(reply.guild, reply.player, reply.words.language.code) if here else "",
            inside=links.inside is not None and here,
        )
        await reply.show(shown)

    async def _others(self, reply: Reply, games: Sequence[Game]) -> tuple[list[TableView], int]:
        """Return the open tables that the reader may see, except their own, and the number of those not listed."""
        own = {game.view.table.key for game in games}
        seen = [
            one
            for one in await tables_seen(self.services.play, reply)
            if one.key not in own and not one.hidden_from(reply.player)
        ]
        listed = await views_listed(self.services.play, reply, seen)
        return listed, len(seen) - len(listed)

    async def _registered(self, reply: Reply, games: Sequence[Game]) -> list[tuple[Event, Entrant | WaitingPlayer]]:
        """Return the reader's events, except those where they already sit at a table, then those they wait for."""
        seated = {game.view.table.event_no for game in games}
        own = await self.services.events.own(reply.guild, reply.player)
        waits = await self.services.events.awaited(reply.guild, reply.player)
        mine = [
            (event, entrant)
            for event, entrant in sorted(own, key=lambda one: one[0].starts_at or 0)
            if (entrant.registered or entrant.playing) and event.key.number not in seated
        ]
        return [*mine, *waits]


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(MyGames(bot))
