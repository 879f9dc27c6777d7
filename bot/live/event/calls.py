"""Messages of an event about something to come: they are remembered, and say so once it has come."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

import discord

from bot.live.library.own_messages import edit
from bot.live.library.wire import passes
from bot.live.posting import remove
from bot.model.events import Call, Event, EventPosting
from bot.model.ids import EventKey
from bot.play.doors.events import Events
from bot.text.words import words_for
from bot.ui.event.calls import is_repeated, over_screen, stands_yet, tells_of

log = logging.getLogger(__name__)

FIRST_TABLES_SECONDS = 3
"""A draw waits so long at most for the messages of its tables."""


class Calls:
    """Which of them stand is kept with the event, so a restart forgets none."""

    def __init__(self, client: discord.Client, events: Events) -> None:
        self._client = client
        self._events = events

    async def posted(self, posting: EventPosting, message: discord.Message) -> None:
        """Remember the message of a notice that tells of something to come."""
        if at := tells_of(posting):
            await self._events.called(posting.key, Call(notice=posting.notice, at=at, message=message.id))

    async def let_tables_call(self, key: EventKey) -> None:
        """Wait a moment for messages of tables that are on their way: whom they call the draw need not call."""
        for _ in range(FIRST_TABLES_SECONDS):
            if all(line.table.posted for line in (await self._events.look(key)).tables):
                return
            await asyncio.sleep(1)

    async def uncalled(self, key: EventKey, players: Sequence[str]) -> list[str]:
        """The drawn players that their table's message has not called: it is not there yet, or they have a bye."""
        tables = (await self._events.look(key)).tables
        called = {player for line in tables if line.table.posted for player in line.players}
        return [player for player in players if player not in called]

    async def end(self, event: Event) -> None:
        """Let those say so that are over; one that a later one repeats goes. Raises trouble that passes."""
        channel = self._client.get_partial_messageable(event.channel, guild_id=event.key.guild)
        for call in event.calls:
            if stands_yet(event, call):
                continue
            message = channel.get_partial_message(call.message)
            if is_repeated(event, call):
                await remove(message)
            else:
                try:
                    await edit(message, over_screen(event, call, words_for(event.language)))
                except discord.HTTPException as error:
                    if passes(error):
                        raise
                    log.info("a call of event %s/%s stays as it is: %s", event.key.guild, event.key.number, error)
            await self._events.call_over(event.key, call)
