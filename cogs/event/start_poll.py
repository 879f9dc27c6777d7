"""Polls on an event's start.

An organiser proposes times, members vote, and the winning time opens the form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.chat.event.screens.start_poll import PREPARE, parse_time
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.permissions_here import may_post, public_language
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.services import Services
from bot.model.reasons import PlanReason
from bot.pure.ofc.refusals import Refused
from bot.text.hours import read_hour
from bot.text.words import escape_name
from cogs.event.creation import LACKING, EventCreation
from cogs.event.which_event import EventAccess

_BETWEEN = re.compile(r"[,;、，；\n]")
MAX_QUOTED_LENGTH = 40


class StartPolls:
    """The poll, and the button below its result."""

    def __init__(self, services: Services, which: EventAccess, creation: EventCreation) -> None:
        self._services = services
        self._which = which
        self._creation = creation
        services.gate.route(PREPARE, in_a_new_message(self.prepare))

    async def post(self, reply: Reply, times: str, *, hours: int | None) -> None:
        """Post the poll; raises Refused if a time can't be parsed."""
        if not await self._which.may_announce(reply) or not await may_post(reply, LACKING):
            return
        allowed = reply.interaction.app_permissions
        if not (allowed.send_polls and allowed.read_message_history):
            raise Refused(PlanReason.NO_POLLS_HERE)
        zone = await self._creation.drafts.zone(reply)
        server = await self._services.play.server(reply.guild)
        poll = await self._services.events.ask_start(
            reply.guild,
            channel=reply.interaction.channel_id or 0,
            language=public_language(reply.interaction, server).code,
            zone=zone,
            times=self._read(times, zone),
            hours=hours,
            cause=reply.cause,
        )
        await self._services.start_polls.ask(poll)
        if await self._services.events.start_poll(poll.guild, poll.number) is None:
            raise Refused(PlanReason.NO_POLLS_HERE)
        await reply.say(reply.words("start_poll.asked", count=poll.hours))

    def _read(self, written: str, zone: str) -> list[int]:
        """Return the typed times (ms, rounded down to the minute); raises Refused if any can't be parsed."""
        found = []
        for text in filter(None, (part.strip() for part in _BETWEEN.split(written))):
            hour = read_hour(text, zone=zone, now_ms=self._services.publisher.now())
            if hour is None:
                raise Refused(PlanReason.BAD_POLL_TIME, time=escape_name(text[:MAX_QUOTED_LENGTH]))
            found.append(hour.at_ms // 60_000 * 60_000)
        return found

    async def prepare(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Open the form for an event with the winning time."""
        if not await self._which.may_announce(reply) or not await may_post(reply, LACKING):
            return
        # A button isn't trusted, so the form checks the time again.
        await self._creation.open_at(reply, parse_time(press))
