"""My games: every table where I sit, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands

from bot.chat.client import Client
from bot.chat.club.screens.hub import tables_text
from bot.chat.club.screens.my_games import my_games_screen
from bot.chat.kit.command_words import described
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.gate import PressKind
from bot.chat.kit.permissions_here import tables_seen, views_listed
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.typed_press import DoOption
from bot.chat.kit.widgets import Interaction
from bot.model.events import Entrant, Event
from bot.model.ids import GuildId
from bot.play.look.views import Game, TableView


class MyGames(commands.Cog):
    """What concerns one player at all their tables."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        bot.services.gate.route("my_games", self.turn_page, anywhere=True)
        bot.services.gate.route("out_everywhere", self.sit_out, kind=PressKind.PUBLIC)
        bot.services.gate.route("games", in_a_new_message(self.turn_page), anywhere=True)

    @app_commands.command(name="my-games", description=described("my_games"))
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(do=described("option_do"))
    async def my_games(self, interaction: Interaction, do: DoOption = "") -> None:
        """Every table where I sit, those that wait for me first."""
        await self.services.gate.run_or_press(interaction, self._first_page, do, anywhere=True)

    @my_games.autocomplete("do")
    async def buttons(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The buttons of the list."""
        return await self.services.gate.buttons(interaction, self._first_page, current)

    async def _first_page(self, reply: Reply) -> None:
        await self._show(reply, page=0)

    async def turn_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Another page, or this one again."""
        await self._show(reply, page=press.hand)

    async def sit_out(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Miss hands at all tables of this server."""
        tables = await self.services.seating.sit_out_everywhere(reply.guild, reply.player, cause=reply.cause)
        words = reply.words
        named = words.list([words("games.table", table=table.key.table) for table in tables])
        await self._show(reply, page=0, said=words("games.sat_out", tables=named) if tables else "")

    async def _show(self, reply: Reply, *, page: int, said: str = "") -> None:
        """The tables of this server, or of all servers where there is none."""
        here = reply.in_a_server
        games = await self.services.play.games_of(reply.guild if here else GuildId(0), reply.player)
        known = {game.view.table.key.guild: self.bot.get_guild(game.view.table.key.guild) for game in games}
        servers = None if here else {guild: found.name for guild, found in known.items() if found is not None}
        others = await self._others(reply) if here and not page else []
        for view in others:
            if view.table.channel == reply.interaction.channel_id:
                self.services.publisher.sought(view.table)
        lost = await self.services.play.lost_seats(reply.guild, reply.player) if here else []
        links = self.services.page_links
        shown = my_games_screen(
            games,
            reply.words,
            page=page,
            servers=servers,
            said=said,
            lost=lost,
            registered=await self._registered(reply, games) if here and not page else (),
            others=tables_text(others, reply.words) if others else "",
            page_url=links.link(reply.guild, reply.player, reply.words.language.code) if here else "",
            inside=links.inside is not None and here,
        )
        await reply.show(shown)

    async def _others(self, reply: Reply) -> list[TableView]:
        """The open tables that the reader may see, without their own."""
        seen = [one for one in await tables_seen(self.services.play, reply) if not one.hidden_from(reply.player)]
        return [view for view in await views_listed(self.services.play, reply, seen) if view.mine is None]

    async def _registered(self, reply: Reply, games: Sequence[Game]) -> list[tuple[Event, Entrant]]:
        """The events that the reader is in, without those where they sit at one of their tables."""
        seated = {game.view.table.event_no for game in games}
        own = await self.services.events.own(reply.guild, reply.player)
        return [
            (event, entrant)
            for event, entrant in sorted(own, key=lambda one: one[0].starts_at or 0)
            if (entrant.registered or entrant.playing) and event.key.number not in seated
        ]


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(MyGames(bot))
