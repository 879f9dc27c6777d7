"""Event messages about something upcoming, which are updated once it has passed."""

from __future__ import annotations

import logging

import discord

from bot.chat.discord_patches.errors import is_transient
from bot.chat.discord_patches.own_messages import edit
from bot.chat.event.screens.calls import is_repeated, is_upcoming, over_screen, upcoming_step_at
from bot.chat.kit.kept_messages import remove
from bot.model.events import Call, EventPosting, Notice
from bot.play.api.events import Events
from bot.play.event.office.views import EventView
from bot.text.words import words_for

log = logging.getLogger(__name__)


class EventCalls:
    """Records and updates calls. They're stored with the event, so they survive a restart."""

    def __init__(self, client: discord.Client, events: Events) -> None:
        self._client = client
        self._events = events

    async def posted(self, posting: EventPosting, message: discord.Message) -> None:
        """Record the message of a notice about something upcoming."""
        if (at := upcoming_step_at(posting)) is not None:
            # Only this question may be in another channel, the one with the organisers' desk.
            channel = message.channel.id if posting.notice is Notice.MISSING else None
            await self._events.called(
                posting.key, Call(notice=posting.notice, at=at, message=message.id, channel=channel)
            )

    async def end(self, view: EventView, call: Call) -> None:
        """Update a call that has passed, or delete it if a later one repeats it. Raises transient errors."""
        event = view.event
        if is_upcoming(view, call):
            return
        channel = self._client.get_partial_messageable(call.channel or event.channel, guild_id=event.key.guild)
        message = channel.get_partial_message(call.message)
        if is_repeated(event, call):
            await remove(message)
        else:
            words = words_for(event.language)
            offered = call.notice is Notice.OFFERED
            taken = await self._events.places_taken(event.key, until=call.at) if offered else ([], [])
            try:
                await edit(message, over_screen(event, call, words, taken=taken))
            except discord.HTTPException as error:
                if is_transient(error):
                    raise
                log.info("a call of event %s/%s was not updated: %s", event.key.guild, event.key.number, error)
        await self._events.call_over(event.key, call)
