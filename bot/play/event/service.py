"""The door to events: every use case as one awaitable call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from bot.play.event import director, homes, organiser, registration, views
from bot.play.event.model import (
    Entrant,
    Event,
    EventDraft,
    EventFact,
    EventPosting,
    Every,
    Phase,
    SeriesLine,
)
from bot.play.event.organiser import Official
from bot.play.event.ports import tx_of
from bot.play.event.registration import Plan
from bot.play.event.views import EventView
from bot.play.model import EventKey, GuildId, Player, Table, TableId, TableKey
from bot.play.transactions import Transactions
from bot.play.views import ResultView

OPEN = (Phase.REGISTERING, Phase.CHECK_IN, Phase.RUNNING)
POSTINGS_AT_ONCE = 20


class Events:
    """Use cases of community events, over the same transactions as those of tables."""

    def __init__(self, transactions: Transactions) -> None:
        self._read, self._write = transactions.read, transactions.write

    # preparing

    async def draft(self, guild: GuildId, player: Player) -> EventDraft | None:
        """The event that somebody is preparing."""
        return await self._read(lambda s: tx_of(s).draft(guild, player))

    async def save_draft(self, guild: GuildId, player: Player, values: Mapping[str, Any]) -> None:
        """Keep what was chosen so far."""
        await self._write(
            lambda s: tx_of(s).save_draft(EventDraft(guild=guild, organiser=player, values=values, at=s.now))
        )

    async def forget_draft(self, guild: GuildId, player: Player) -> None:
        """Throw it away."""
        await self._write(lambda s: tx_of(s).forget_draft(guild, player))

    async def create(self, plan: Plan, *, cause: str) -> Event:
        """Announce an event and open its registration; the organiser's draft is used up. Raises Refused.

        A structure that cannot be played raises ``bot.event.structure.StructureError``.
        """
        return await self._write(lambda s: registration.create(s, plan, cause=cause))

    # taking part

    async def register(self, key: EventKey, player: Player, *, cause: str) -> Entrant:
        """Register, register late, or enter again; the fee is paid. Raises Refused."""
        return await self._write(lambda s: registration.register(s, key, player, cause=cause))

    async def withdraw(self, key: EventKey, player: Player, *, cause: str) -> Entrant:
        """Take a registration back before the start, with the fee. Raises Refused."""
        return await self._write(lambda s: registration.withdraw(s, key, player, cause=cause))

    async def check_in(self, key: EventKey, player: Player, *, cause: str) -> Entrant:
        """Say that one is there; raises Refused."""
        return await self._write(lambda s: registration.check_in(s, key, player, cause=cause))

    # organising

    async def start(self, key: EventKey, by: Official, *, cause: str) -> Event:
        """Start before the hour; raises Refused."""
        return await self._write(lambda s: organiser.start_now(s, key, by, cause=cause))

    async def cancel(self, key: EventKey, by: Official, *, why: str, cause: str) -> Event:
        """Call it off: everybody gets their fees back. Raises Refused."""
        return await self._write(lambda s: organiser.cancel(s, key, by, why=why, cause=cause))

    async def repeat(self, key: EventKey, by: Official, *, every: Every | None, zone: str, cause: str) -> Event:
        """Hold it again and again at that time of day in a time zone, or once; raises Refused."""
        return await self._write(lambda s: organiser.repeat(s, key, by, every=every, zone=zone, cause=cause))

    async def may_cancel(self, key: EventKey, by: Official) -> Event:
        """The event, for somebody who may call it off now; raises Refused."""
        return await self._read(lambda s: organiser.check_cancel(s, key, by))

    async def may_disqualify(self, key: EventKey, by: Official) -> Event:
        """The event, for somebody who may put players out now; raises Refused."""
        return await self._read(lambda s: organiser.check_disqualify(s, key, by))

    async def pause(self, key: EventKey, by: Official, *, cause: str) -> Event:
        """Deal no further hands; those that run are played out. Raises Refused."""
        return await self._write(lambda s: organiser.pause(s, key, by, cause=cause))

    async def resume(self, key: EventKey, by: Official, *, cause: str) -> Event:
        """Go on after a pause; raises Refused."""
        return await self._write(lambda s: organiser.resume(s, key, by, cause=cause))

    async def penalty(
        self, key: EventKey, by: Official, player: Player, *, hands: int, why: str, cause: str
    ) -> Entrant:
        """The clock lays for a player for so many hands from now; 0 takes it back. Raises Refused."""
        return await self._write(lambda s: organiser.penalty(s, key, by, player, hands=hands, why=why, cause=cause))

    async def disqualify(self, key: EventKey, by: Official, player: Player, *, why: str, cause: str) -> Entrant:
        """Put a player out; their chips leave play after the running hand. Raises Refused."""
        return await self._write(lambda s: organiser.disqualify(s, key, by, player, why=why, cause=cause))

    async def adjust(
        self, key: EventKey, by: Official, player: Player, *, amount: int, why: str, cause: str
    ) -> Entrant:
        """Give a player chips (points in a league or duplicate event), or take some; raises Refused."""
        return await self._write(lambda s: organiser.adjust(s, key, by, player, amount=amount, why=why, cause=cause))

    async def move(
        self, key: EventKey, by: Official, player: Player, *, table: TableId, why: str, cause: str
    ) -> Entrant:
        """Seat a player elsewhere as soon as the rules allow it; raises Refused."""
        return await self._write(lambda s: organiser.move(s, key, by, player, table=table, why=why, cause=cause))

    async def announce(self, key: EventKey, by: Official, text: str, *, cause: str) -> Event:
        """Say something to everybody in the event; raises Refused."""
        return await self._write(lambda s: organiser.announce(s, key, by, text, cause=cause))

    async def co_organiser(self, key: EventKey, by: Official, player: Player, *, remove: bool, cause: str) -> Event:
        """Share the organiser's tools with somebody, or take them away; raises Refused."""
        return await self._write(lambda s: organiser.co_organiser(s, key, by, player, remove=remove, cause=cause))

    # looking

    async def look(self, key: EventKey) -> EventView:
        """An event as everybody may see it; raises Refused."""
        return await self._read(lambda s: views.look(s, key))

    async def events(self, guild: GuildId, phases: Sequence[Phase] = OPEN) -> list[Event]:
        """The events of a guild, newest first."""
        return await self._read(lambda s: tx_of(s).events(guild, phases))

    async def running(self) -> list[EventKey]:
        """The events of all guilds that are not over."""
        return await self._read(lambda s: tx_of(s).running_events())

    async def series(self, guild: GuildId) -> list[str]:
        """The names of its series, the one used last first."""
        return await self._read(lambda s: tx_of(s).series(guild))

    async def series_table(self, guild: GuildId, series: str) -> list[SeriesLine]:
        """A series' leaderboard; raises Refused."""
        return await self._read(lambda s: views.series_table(s, guild, series))

    async def log(self, key: EventKey, reader: Official) -> list[EventFact]:
        """Everything that happened in an event, in order, for those who are in it or organise it. Raises Refused."""
        return await self._read(lambda s: views.log(s, key, reader))

    async def draw_proof(self, key: EventKey) -> Mapping[str, Any]:
        """The record with which anybody makes the draw again; raises Refused before it is made."""
        return await self._read(lambda s: views.draw_proof(s, key))

    async def last_hand(self, key: EventKey) -> ResultView | None:
        """The hand that the champion played last; None before the end, or when it cannot be told any more."""
        return await self._read(lambda s: views.last_hand(s, key))

    async def place_gone(self, guild: GuildId, *, channel: int | None = None, reason: str) -> None:
        """The channel of events, or their whole server, is gone: they are called off and every fee comes back."""
        for event in await self.events(guild):
            if channel is None or event.channel == channel:
                await self._write(partial(director.place_gone, key=event.key, reason=reason))

    # messages

    async def undrawn(self) -> list[EventKey]:
        """The events whose message is behind, or with messages that wait to be posted."""
        return await self._read(lambda s: tx_of(s).undrawn_events())

    async def drawn(self, key: EventKey, *, version: int, message: int | None) -> None:
        """Note which version the event's message shows."""
        await self._write(lambda s: tx_of(s).note_event_drawn(key, version=version, message=message))

    async def scheduled(self, key: EventKey, *, scheduled: int | None, told: str) -> None:
        """Note what Discord's scheduled event says."""
        await self._write(lambda s: tx_of(s).note_scheduled(key, scheduled=scheduled, told=told))

    async def postings(self, key: EventKey) -> list[EventPosting]:
        """Messages that wait to be posted, oldest first."""
        return await self._read(lambda s: tx_of(s).event_postings(key, limit=POSTINGS_AT_ONCE))

    async def posted(self, number: int) -> None:
        """Note that a message was posted."""
        await self._write(lambda s: tx_of(s).event_posted(number))

    async def homeless(self, key: TableKey) -> Table | None:
        """The table, if it is to have a thread and may be moved into it now."""
        return await self._read(lambda s: homes.homeless(s, key))

    async def leave_thread(self, key: TableKey) -> bool:
        """Play a table in the event's channel from now on; False when it is played there."""
        return await self._write(lambda s: homes.leave_thread(s, key))

    async def housed(self, key: TableKey, *, channel: int | None) -> bool:
        """Note the thread that was made for a table, or that it never will have one; False when it may not move now."""
        return await self._write(lambda s: homes.housed(s, key, channel=channel))
