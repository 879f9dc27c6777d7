"""Threads: each table of an event may have one of its own, below the event's channel."""

from __future__ import annotations

import logging
from typing import Literal

import discord

from bot.play.clock import DAY
from bot.play.model import Table
from bot.play.tournament.service import Events
from bot.play.views import TableView
from bot.text.words import language_of, words_for
from bot.ui.governor import Importance, important

log = logging.getLogger(__name__)

LONGEST_NAME = 100
SERVER_ERROR = 500


class Rooms:
    """Makes the threads of tables, and archives them."""

    def __init__(self, client: discord.Client, events: Events) -> None:
        self._client = client
        self._events = events
        self._known: dict[int, list[discord.Thread]] = {}
        """Threads by server: those that were there when a table of it was first given one, and those made since."""
        self._given: set[int] = set()
        """Threads that a table was given: who asks for another has lost it."""

    async def house(self, view: TableView) -> None:
        """Give a table its thread, or note that it can have none: then it is played in the event's channel."""
        assert view.event is not None
        words = words_for(language_of(view.table.language))
        name = words("event_table.thread", table=view.table.key.table, name=view.event.name)[:LONGEST_NAME]
        channel = self._client.get_channel(view.event.channel)
        thread = await self._thread(channel, name, view.table) if isinstance(channel, discord.TextChannel) else None
        await self._events.housed(view.table.key, channel=None if thread is None else thread.id)
        if thread is not None:
            self._given.add(thread.id)

    async def _thread(self, channel: discord.TextChannel, name: str, table: Table) -> discord.Thread | None:
        try:
            return await self._found(channel, name) or await self._made(channel, name, table)
        except discord.HTTPException as error:
            if error.status >= SERVER_ERROR:
                raise
            log.warning("table %s/%s has no thread and is played in the channel: %s", *_named(table), error)
            return None

    async def _found(self, channel: discord.TextChannel, name: str) -> discord.Thread | None:
        """The thread that was made for this table before the process ended, or before the database could say so."""
        guild = channel.guild
        if guild.id not in self._known:
            self._known[guild.id] = list(await guild.active_threads())
        me = self._client.user.id if self._client.user else 0
        for thread in (*channel.threads, *self._known[guild.id]):
            same = (thread.parent_id, thread.name, thread.owner_id) == (channel.id, name, me)
            if same and thread.id not in self._given:
                return thread
        return None

    async def _made(self, channel: discord.TextChannel, name: str, table: Table) -> discord.Thread:
        kind = discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
        thread = await channel.create_thread(name=name, type=kind, auto_archive_duration=_archived_after(table))
        self._known[channel.guild.id].append(thread)
        return thread

    async def archive(self, view: TableView) -> None:
        """Put away the thread of a table that is closed, as far as that may be done."""
        table = view.table
        if view.event is None or table.channel == view.event.channel:
            return
        try:
            thread = self._client.get_channel(table.channel) or await self._client.fetch_channel(table.channel)
            if isinstance(thread, discord.Thread):
                with important(Importance.CLEANUP):
                    await thread.edit(archived=True)
        except discord.HTTPException as error:
            log.debug("the thread of table %s/%s was not archived: %s", *_named(table), error)
        self._given.discard(table.channel)
        known = self._known.get(table.key.guild, [])
        known[:] = [thread for thread in known if thread.id != table.channel]


def _archived_after(table: Table) -> Literal[1440, 4320, 10080]:
    """Minutes without a message; Discord takes these and no others."""
    if not table.clock.quiet:
        return 1440
    return 4320 if table.clock.seconds * 1000 <= DAY else 10080


def _named(table: Table) -> tuple[int, int]:
    return table.key.guild, table.key.table
