"""Answers to an event's roll calls, which find entrants who left the server before the start."""

from __future__ import annotations

from collections.abc import Iterable

import discord

from bot.base.logs import note
from bot.base.meter import SILENT, Meter
from bot.chat.kit.members import Members
from bot.chat.kit.redraw_queue import RedrawQueue
from bot.model.ids import EVERYTHING, EventKey, Serves
from bot.play.api.events import Events


class RollCalls:
    """Answers each roll call after it's posted. A sweep finds those that another process has left unanswered."""

    def __init__(
        self,
        client: discord.Client,
        events: Events,
        members: Members,
        *,
        serves: Serves = EVERYTHING.serves,
        meter: Meter = SILENT,
    ) -> None:
        self._events = events
        self._members = members
        self._serves = serves
        self.queue = RedrawQueue(
            self._answer,
            name=lambda key: f"the roll call of event {key.guild}/{key.number}",
            ready=client.is_ready,
            meter=meter,
        )

    def look_through(self, keys: Iterable[EventKey]) -> None:
        """Check these events, a few at a time."""
        self.queue.catch_up(keys)

    async def _answer(self, key: EventKey) -> bool:
        """Answer an event's roll call; False if none is waiting."""
        note(guild=key.guild)
        if not self._serves(key.guild) or (called := await self._events.roll_call(key)) is None:
            return False
        posting, people = called
        await self._events.roll_called(key, posting, departed=await self._members.departed(key.guild, people))
        return True
