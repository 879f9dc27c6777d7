"""Threads: a table may have its own thread in the channel of its lobby or event.

An event has one thread per table number. A table of a later round takes over the thread of the last table with its
number, unless that thread was locked or deleted. Threads are public, so everything in them may be read by everyone.

A bot can create only about fifty threads per channel in five minutes. So they're created one after the other, and a
table whose thread is late is played in the channel. It may still move into the thread between hands.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Literal, Protocol

import aiohttp
import discord

from bot.chat.discord_patches.errors import SERVER_ERROR
from bot.chat.discord_patches.governor import important, posted_at
from bot.chat.discord_patches.limits import Importance
from bot.chat.discord_patches.own_messages import edit
from bot.chat.kit.found_messages import SKEW_MS
from bot.chat.kit.kept_messages import remove
from bot.chat.table.screens.lobby import moved_screen, thread_name
from bot.model.clock import DAY
from bot.model.ids import TableKey
from bot.model.tables import Table
from bot.play.queries.views import TableView
from bot.text.words import words_for

log = logging.getLogger(__name__)

MAX_NAME_LENGTH = 100
PATIENCE_SECONDS = 20
"""Timeout for a table's thread. After it, the table is shown without one."""
SLOW_SECONDS = 3
"""Time after which the rate limit is assumed to be delaying a channel's threads, so other tables stop waiting."""


class TableLocations(Protocol):
    """Storage of table locations, implemented by play for ordinary tables and by events for their own."""

    async def table_needing_thread(self, key: TableKey) -> Table | None:
        """Return the table if it needs a thread and may move into it now; otherwise None."""

    async def set_thread(self, key: TableKey, *, channel: int | None) -> bool:
        """Record the table's thread, or None if it can't have one. False if the table may not move now."""

    async def leave_thread(self, key: TableKey) -> bool:
        """Play the table in its channel from now on. False if it already is."""


class EventTableLocations(TableLocations, Protocol):
    """Storage of the locations of an event's tables, which take over each other's threads."""

    async def former_table(self, key: TableKey) -> Table | None:
        """Return the closed table whose thread the table takes over; None if there is none."""

    async def has_successor(self, key: TableKey) -> bool:
        """True if an open table takes over the thread of a closed one."""


@dataclass(slots=True, eq=False)
class ThreadRequest:
    """A table's request for a thread, from its first drawing without one until it has one or is closed."""

    key: TableKey
    locations: TableLocations
    channel: int
    name: str
    minutes: Literal[1440, 4320, 10080]
    """Minutes without messages after which Discord archives the thread."""
    since: int
    """When the table was opened (ms). Older threads with the same name belong to other tables."""
    changed: Callable[[TableKey], None]
    """Queues the table for drawing."""
    finished: Callable[[TableKey], Awaitable[None]]
    """Waits for the last messages of another table."""
    late: bool = False
    """True if the table has stopped waiting for it."""
    thread: int | None = None
    denied: bool = False
    """True if the table can't have a thread."""
    alarm: asyncio.TimerHandle | None = None

    def stop_waiting(self) -> None:
        """Stop waiting for the thread."""
        if not self.late:
            self.late = True
            self.changed(self.key)


class Threads:
    """Creates the tables' threads, and archives them."""

    def __init__(self, client: discord.Client, *, own: TableLocations, events: EventTableLocations) -> None:
        """``own`` stores the locations of ordinary tables, and ``events`` those of event tables."""
        self._client = client
        self._own = own
        self._events = events
        self._requests: dict[TableKey, ThreadRequest] = {}
        self._queues: dict[int, dict[TableKey, ThreadRequest]] = {}
        """Pending requests, keyed by the thread's parent channel."""
        self._making: dict[int, asyncio.Task[None]] = {}
        """One task per channel, which ends when its queue is empty."""
        self._given: set[int] = set()
        """Threads already given to tables. A table that requests another one has lost its own."""

    async def give_thread(
        self,
        view: TableView,
        changed: Callable[[TableKey], None],
        finished: Callable[[TableKey], Awaitable[None]],
    ) -> bool:
        """Move a table into its thread, or request one for it.

        False while the table is waiting for its thread and must not be drawn. If True, the table may have moved, so
        ``view`` is outdated. ``changed`` is called when a table stops waiting. ``finished`` waits for the last messages
        of the table whose thread it takes over.
        """
        pending = self._requests.get(view.table.key) or self._add_request(view, changed, finished)
        if pending.thread is not None or pending.denied:
            await self._move(pending)
            return True
        queue = self._queues.setdefault(pending.channel, {})
        queue.setdefault(pending.key, pending)
        if pending.channel not in self._making:
            self._making[pending.channel] = asyncio.create_task(self._make_all(pending.channel, queue))
        return pending.late or not view.waits_for_thread

    def _add_request(
        self,
        view: TableView,
        changed: Callable[[TableKey], None],
        finished: Callable[[TableKey], Awaitable[None]],
    ) -> ThreadRequest:
        pending = ThreadRequest(
            key=view.table.key,
            locations=self._locations(view),
            channel=view.home,
            name=thread_name(view, words_for(view.table.language))[:MAX_NAME_LENGTH],
            minutes=_archived_after(view.table),
            since=view.table.created_at,
            changed=changed,
            finished=finished,
        )
        pending.alarm = asyncio.get_running_loop().call_later(PATIENCE_SECONDS, pending.stop_waiting)
        self._requests[view.table.key] = pending
        return pending

    def _locations(self, view: TableView) -> TableLocations:
        return self._own if view.event is None else self._events

    async def _move(self, pending: ThreadRequest) -> None:
        """Move the table into its thread, unless a hand is running, and delete its old messages."""
        before = await pending.locations.table_needing_thread(pending.key)
        if before is not None and pending.thread is not None and before.event is None:
            # This has to come first, because the next step drops the record of the lobby's message.
            await self._point(before, pending.thread)
        if not await pending.locations.set_thread(pending.key, channel=pending.thread):
            return
        self._forget(pending.key)
        if pending.thread is None or before is None:
            return
        self._given.add(pending.thread)
        if before.event is not None:
            await self._clear(before, before.message, before.retired)
        await self._clear(before, before.call)

    async def _point(self, table: Table, thread: int) -> None:
        """Replace a table's lobby with a link to its thread."""
        message = table.message or table.retired
        if message is None:
            return
        try:
            with important(Importance.CALL):
                await edit(self._message(table, message), moved_screen(table, thread, words_for(table.language)))
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.debug("the lobby of table %s/%s was not updated: %s", table.key.guild, table.key.table, error)

    async def _clear(self, table: Table, *messages: int | None) -> None:
        for message in messages:
            if message is not None:
                with important(Importance.CLEANUP):
                    await remove(self._message(table, message))

    def _message(self, table: Table, message: int) -> discord.PartialMessage:
        channel = self._client.get_partial_messageable(table.channel, guild_id=table.key.guild)
        return channel.get_partial_message(message)

    async def leave_thread(self, view: TableView) -> bool:
        """Move a table into its channel for good, because posting in its thread fails.

        False if it's played there already.
        """
        return await self._locations(view).leave_thread(view.table.key)

    # Creating threads

    async def _make_all(self, channel: int, queue: dict[TableKey, ThreadRequest]) -> None:
        try:
            while queue:
                pending = queue.pop(next(iter(queue)))
                try:
                    await self._make(pending)
                except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                    log.warning("table %s/%s has no thread yet: %s", pending.key.guild, pending.key.table, error)
                except Exception:
                    log.exception("table %s/%s has no thread yet", pending.key.guild, pending.key.table)
        finally:
            del self._making[channel], self._queues[channel]

    async def _make(self, pending: ThreadRequest) -> None:
        if (
            pending.thread is not None
            or pending.denied
            or await pending.locations.table_needing_thread(pending.key) is None
        ):
            return  # closed, or in the middle of a hand (the thread is requested again after it)
        channel = self._client.get_channel(pending.channel)
        if not isinstance(channel, discord.TextChannel):
            self._fulfil(pending, None)
        elif (found := await self._former_thread(pending) or self._find_thread(channel, pending)) is not None:
            self._fulfil(pending, found)
        else:
            await self._ask(channel, pending)

    async def _ask(self, channel: discord.TextChannel, pending: ThreadRequest) -> None:
        """Create a thread. The gateway may report it first, because the rate limit can delay the response."""
        request = asyncio.create_task(_create(channel, pending))
        try:
            while not request.done():
                await asyncio.wait({request}, timeout=SLOW_SECONDS)
                if not request.done():
                    self._hurry(pending.channel)
                    if pending.thread is None and (found := self._find_thread(channel, pending)) is not None:
                        self._fulfil(pending, found)
            thread = request.result()
            if pending.thread is None:
                self._fulfil(pending, thread)
        except discord.HTTPException as error:
            if error.status >= SERVER_ERROR:
                raise
            log.warning(
                "table %s/%s has no thread and is played in the channel: %s",
                pending.key.guild,
                pending.key.table,
                error,
            )
            self._fulfil(pending, None)
        finally:
            request.cancel()

    async def _former_thread(self, pending: ThreadRequest) -> int | None:
        """Return the thread that the table takes over; None if there is none that can be used.

        Wait for the former table's last messages, so that they're above the new table. Reopen an archived thread.
        """
        former = await self._events.former_table(pending.key) if pending.locations is self._events else None
        if former is None:
            return None
        await pending.finished(former.key)
        try:
            thread = self._client.get_channel(former.channel) or await self._client.fetch_channel(former.channel)
            if not isinstance(thread, discord.Thread) or thread.parent_id != pending.channel or thread.locked:
                return None
            if thread.archived:
                await thread.edit(archived=False)
        except (discord.NotFound, discord.Forbidden) as error:
            log.info("table %s/%s gets a new thread: %s", pending.key.guild, pending.key.table, error)
            return None
        return thread.id

    def _find_thread(self, channel: discord.TextChannel, pending: ThreadRequest) -> int | None:
        """Return the bot's unused thread that was made for the table, even by an earlier process.

        None if the cache has none.
        """
        me = self._client.user.id if self._client.user else 0
        for thread in channel.threads:
            known = (thread.name, thread.owner_id) == (pending.name, me) and thread.id not in self._given
            if known and posted_at(thread.id) >= pending.since - SKEW_MS:
                return thread.id
        return None

    def _fulfil(self, pending: ThreadRequest, thread: int | None) -> None:
        pending.thread, pending.denied = thread, thread is None
        pending.changed(pending.key)

    def _hurry(self, channel: int) -> None:
        """Stop waiting for the channel's threads, because the rate limit delays them."""
        for pending in [
            pending for pending in self._requests.values() if pending.channel == channel and pending.thread is None
        ]:
            pending.stop_waiting()

    def _forget(self, key: TableKey) -> None:
        pending = self._requests.pop(key, None)
        if pending is not None and pending.alarm is not None:
            pending.alarm.cancel()

    def making(self, channels: Collection[int] | None = None) -> list[asyncio.Task[None]]:
        """Return the tasks that create threads in ``channels``, or in all channels."""
        return [task for below, task in self._making.items() if channels is None or below in channels]

    async def made(self, channels: Collection[int] | None = None) -> bool:
        """Wait for the threads being created in ``channels``, or for all threads. False if there are none."""
        in_progress = self.making(channels)
        if in_progress:
            await asyncio.wait(in_progress)
        return bool(in_progress)

    async def close(self) -> None:
        """Stop creating threads."""
        for task in self._making.values():
            task.cancel()
        await self.made()
        for key in list(self._requests):
            self._forget(key)

    async def archive(self, view: TableView) -> None:
        """Archive the thread of a closed table, if the bot has permission and no other table takes it over."""
        table = view.table
        self._forget(table.key)
        if table.channel == view.home or (view.event is not None and await self._events.has_successor(table.key)):
            return
        try:
            thread = self._client.get_channel(table.channel) or await self._client.fetch_channel(table.channel)
            if isinstance(thread, discord.Thread):
                with important(Importance.CLEANUP):
                    await thread.edit(archived=True)
        except discord.HTTPException as error:
            log.debug("the thread of table %s/%s was not archived: %s", table.key.guild, table.key.table, error)
        self._given.discard(table.channel)


async def _create(channel: discord.TextChannel, pending: ThreadRequest) -> int:
    kind = discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
    thread = await channel.create_thread(name=pending.name, type=kind, auto_archive_duration=pending.minutes)
    return thread.id


def _archived_after(table: Table) -> Literal[1440, 4320, 10080]:
    """Return the minutes without messages before archiving. Discord accepts only these values."""
    if not table.terms.clock.quiet:
        return 1440
    return 4320 if table.terms.clock.seconds * 1000 <= DAY else 10080
