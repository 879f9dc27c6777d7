"""Orphans: messages of tables that no row names, because the process ended after it had posted them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import discord

from bot.live.governor import Importance, important
from bot.live.live_message import remove
from bot.play.model import TableId, TableKey
from bot.play.views import TableView
from bot.ui.presses import BUTTON_TEMPLATE, decode

log = logging.getLogger(__name__)

LOOKED_AT = 100
"""Messages of a channel, the newest: Discord gives so many at once."""
VERBS = frozenset(("join", "leave", "start", "cancel", "computer", "hand", "stay"))
"""The buttons of tables and calls: no other message in a channel has them."""


class Orphans:
    """Takes them away after a start, once for each table, when what was posted is noted again."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._tables: set[TableKey] = set()
        """Those that were not looked at yet."""
        self._oldest_own = 0
        """What this process posts has a greater id."""
        self._seen: dict[int, Mapping[int, frozenset[TableId]]] = {}
        """The messages of a channel that are of tables, and of which."""

    def look_for(self, tables: Iterable[TableKey], *, now: int) -> None:
        """Look at these tables once each has been drawn; ``now`` is when the process started, in milliseconds."""
        self._tables = set(tables)
        self._oldest_own = discord.utils.time_snowflake(datetime.fromtimestamp(now / 1000, UTC))

    def wanted(self, key: TableKey) -> bool:
        """True for a table that is to be looked at."""
        return key in self._tables

    async def remove(self, view: TableView) -> None:
        """Delete what shows or calls to the table, and is not what its row names."""
        table = view.table
        self._tables.discard(table.key)
        named = {table.message, table.retired, table.call}
        for channel in {table.channel, view.event.channel if view.event else table.channel}:
            there = self._client.get_partial_messageable(channel, guild_id=table.key.guild)
            for message, tables in (await self._messages(there)).items():
                if table.key.table in tables and message not in named:
                    log.info("an orphaned message of table %s/%s is removed", table.key.guild, table.key.table)
                    with important(Importance.CLEANUP):
                        await remove(there.get_partial_message(message))
        if not self._tables:
            self._seen.clear()

    async def _messages(self, channel: discord.PartialMessageable) -> Mapping[int, frozenset[TableId]]:
        """Read once after a start: only what was posted before it is looked for."""
        if channel.id not in self._seen:
            self._seen[channel.id] = {}
            try:
                found = [message async for message in channel.history(limit=LOOKED_AT)]
            except discord.HTTPException as error:
                log.debug("channel %s cannot be read: %s", channel.id, error)
                found = []
            me = self._client.user.id if self._client.user else 0
            own = [one for one in found if one.author.id == me and one.id < self._oldest_own]
            self._seen[channel.id] = {message.id: _tables_of(message) for message in own}
        return self._seen[channel.id]


def _tables_of(message: discord.Message) -> frozenset[TableId]:
    matches = filter(None, map(BUTTON_TEMPLATE.fullmatch, _custom_ids(message.components)))
    return frozenset(press.table for press in map(decode, matches) if press.verb in VERBS)


def _custom_ids(components: Iterable[Any]) -> Iterator[str]:
    for component in components:
        yield from filter(None, [getattr(component, "custom_id", None)])
        yield from _custom_ids(getattr(component, "children", ()))
        yield from _custom_ids(filter(None, [getattr(component, "accessory", None)]))
