"""Events in people's own calendars: a file of one date, of all dates of an event that repeats, or of a series."""

from __future__ import annotations

import io
from collections.abc import Sequence

import discord

from bot.live.event.calendar import expected_ms
from bot.live.services import Services
from bot.model.events import Event, Phase
from bot.model.ids import EventKey
from bot.play.doors.events import OPEN
from bot.text.calendar_file import Dated, calendar_file
from bot.text.words import escape_name
from bot.ui.custom_ids import Press
from bot.ui.event.lists import calendar_button
from bot.ui.permissions_here import may_see
from bot.ui.reply import Reply, in_a_new_message
from bot.ui.widgets import Part
from cogs.event.which_event import Subcommand, WhichEvent, event_of

LISTED = (*OPEN, Phase.CANCELLED)


class CalendarDates:
    """Gives the files."""

    def __init__(self, services: Services, which: WhichEvent) -> None:
        self._services = services
        self._events = services.events
        self._which = which
        services.gate.route("ev_calendar_of", in_a_new_message(self.part))

    def command(self) -> Subcommand:
        """The command, and the route of the button on the event's message."""
        return self._which.command_and_button("calendar", "ev_calendar", self._give, find=self._which.dated)

    async def of_series(self, reply: Reply, series: str) -> list[Event]:
        """The events of a series that are still to come, or were cancelled before their time; the newest first."""
        known = await self._events.events(reply.guild, LISTED)
        now = self._services.publisher.now()
        return [
            event
            for event in known
            if event.series == series
            and event.starts_at is not None
            and (event.starts_at > now or not event.phase.over)
            and may_see(reply.interaction, event.channel)
        ]

    async def part(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """This date alone, or the whole series."""
        key = event_of(reply, press)
        await self._which.demand_seen(reply, key)
        event = (await self._events.look(key)).event
        if press.argument == "series" and event.series:
            await self._give_series(reply, event.series)
        else:
            await self._give(reply, key, single=True)

    async def _give(self, reply: Reply, key: EventKey, *, single: bool = False) -> None:
        """The file of an event: of all its dates where it repeats, unless a ``single`` one is wanted."""
        event, words = (await self._events.look(key)).event, reply.words
        if event.starts_at is None:
            await reply.say(words("event.calendar.no_time"))
            return
        all_dates = event.repeat is not None and not single
        then = [calendar_button(event, "one", words, label="calendar_one")] if all_dates else list[Part]()
        if event.series:
            then.append(calendar_button(event, "series", words, label="calendar_series"))
        said = "cancelled" if event.phase is Phase.CANCELLED else "repeating" if all_dates else "date"
        # One that was stopped or cancelled is told to those who have all its dates, too.
        called = f"chaipo-event-{key.number}{'-all-dates' if all_dates else ''}"
        file = await self._file(reply, [event], called=called, single=single)
        await reply.say(words(f"event.calendar.{said}", name=escape_name(event.name)), file=file, then=then)

    async def _give_series(self, reply: Reply, series: str) -> None:
        """The file of all dates of a series that are known."""
        events = await self.of_series(reply, series)
        if not events:
            await reply.say(reply.words("event.calendar.no_dates"))
            return
        file = await self._file(reply, events, called="chaipo-series")
        await reply.say(reply.words("event.calendar.series", series=escape_name(series)), file=file)

    async def _file(self, reply: Reply, events: Sequence[Event], *, called: str, single: bool = False) -> discord.File:
        dated = [await self._dated(reply, event, single=single) for event in events]
        data = calendar_file(dated, reply.words, now=self._services.publisher.now())
        return discord.File(io.BytesIO(data), filename=f"{called}.ics")

    async def _dated(self, reply: Reply, event: Event, *, single: bool) -> Dated:
        guild, found = reply.interaction.guild, reply.interaction.client.get_channel(event.channel)
        channel = getattr(found, "name", "")
        link = f"https://discord.com/channels/{event.key.guild}/{event.channel}"
        return Dated(
            event=event,
            lasts_ms=expected_ms(await self._events.look(event.key)),
            place=" · ".join(filter(None, (f"#{channel}" if channel else "", guild.name if guild else ""))),
            link=f"{link}/{event.message}" if event.message else link,
            single=single,
        )
