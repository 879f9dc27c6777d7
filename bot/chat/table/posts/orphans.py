"""Orphans: messages of tables that the database doesn't know about. They're deleted after a start."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

import aiohttp
import discord

from bot.chat.discord_patches.governor import important
from bot.chat.discord_patches.limits import Importance
from bot.chat.kit.found_messages import LOOKED_AT, presses_of
from bot.chat.kit.kept_messages import remove
from bot.model.ids import TableId, TableKey
from bot.model.tables import Table
from bot.play.queries.views import TableView

log = logging.getLogger(__name__)

VERBS = frozenset(("join", "leave", "start", "add_computer", "hand", "stay"))
"""Verbs on the buttons of tables and calls. No other message in a channel has them."""


class Orphans:
    """Checks each table once after a start, when its pending posts have been recorded, and deletes its orphans."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self.unseen: set[TableKey] = set()
        """The tables still to be checked."""
        self._oldest_own = 0
        """Lower bound of the ids of messages that this process posts."""
        self._seen: dict[int, asyncio.Task[Mapping[int, frozenset[TableId]]]] = {}
        """The bot's messages in each channel, with the tables they belong to. Each channel is read only once."""

    def look_for(self, tables: Iterable[TableKey], *, now: int) -> None:
        """Check each of ``tables`` when it's next drawn. ``now`` is when the process started (ms)."""
        self.unseen = set(tables)
        self._oldest_own = discord.utils.time_snowflake(datetime.fromtimestamp(now / 1000, UTC))

    async def look(self, view: TableView) -> bool:
        """Delete the table's messages that its row doesn't name.

        False if the message that its row does name wasn't found, because it was deleted or is too far up.
        """
        table = view.table
        self.unseen.discard(table.key)
        places = {table.channel, view.home}
        seen = {place: await self._messages(self._place(table, place)) for place in places}
        if not self.unseen:
            self._seen.clear()
        named = {table.message, table.retired, table.call}
        for place, messages in seen.items():
            for message, tables in messages.items():
                if table.key.table in tables and message not in named and message < self._oldest_own:
                    log.info("removing an orphaned message of table %s/%s", table.key.guild, table.key.table)
                    with important(Importance.CLEANUP):
                        await remove(self._place(table, place).get_partial_message(message))
        return table.message is None or table.message in seen[table.channel]

    def _place(self, table: Table, channel: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel, guild_id=table.key.guild)

    def _messages(self, channel: discord.PartialMessageable) -> asyncio.Task[Mapping[int, frozenset[TableId]]]:
        if channel.id not in self._seen:
            with important(Importance.REDRAW):
                self._seen[channel.id] = asyncio.create_task(self._read(channel))
        return self._seen[channel.id]

    async def _read(self, channel: discord.PartialMessageable) -> Mapping[int, frozenset[TableId]]:
        try:
            found = [message async for message in channel.history(limit=LOOKED_AT)]
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.debug("channel %s cannot be read: %s", channel.id, error)
            return {}
        me = self._client.user.id if self._client.user else 0
        return {message.id: _tables_of(message) for message in found if message.author.id == me}


def _tables_of(message: discord.Message) -> frozenset[TableId]:
    return frozenset(press.table for press in presses_of(message) if press.verb in VERBS)
