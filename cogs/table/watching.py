"""Watching a table or an event on a page. Each reader gets separate links, because a page belongs to one reader."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.base.meter import InteractionOutcome
from bot.chat.client import Client
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import watch_ways
from bot.chat.kit.reply import Reply
from bot.model.ids import UNTAGGED, EventKey
from bot.model.tables import Table


class Watching(commands.Cog):
    """Answers **Watch** on the messages of tables and events."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        bot.services.gate.route("watch", self.watch_table)
        bot.services.gate.route("ev_watch", self.watch_event)

    async def watch_table(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Give the reader a link to the table."""
        view = await self.services.play.look(reply.key(press), reply.player)
        await self._give(reply, [view.table] if view.table.open else [])

    async def watch_event(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Give the reader links to the event's tables."""
        key = EventKey(guild=reply.guild, number=press.table, tag=press.tag or UNTAGGED)
        event = await self.services.events.look(key)
        await self._give(reply, [line.table for line in event.tables if line.table.open])

    async def _give(self, reply: Reply, tables: Sequence[Table]) -> None:
        words = reply.words
        links = self.services.page_links.watch_links(reply.player, words.language.code, tables)
        if not links:
            reply.outcome = InteractionOutcome.REFUSED
        await reply.say(words("watch.links" if links else "watch.none"), then=watch_ways(links, words))


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Watching(bot))
