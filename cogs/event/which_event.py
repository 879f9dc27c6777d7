"""Which event a command or a press means, and the commands about one event with their buttons."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from discord import Thread, app_commands

from bot.base.meter import Outcome
from bot.chat.event.screens.draft.sheet import Sheet, with_channels
from bot.chat.kit.command_words import described
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.gate import PressKind
from bot.chat.kit.given_roles import role_problem
from bot.chat.kit.permissions_here import may_hold_tables, may_see, may_thread, roles_of, sees
from bot.chat.kit.reply import Reply
from bot.chat.kit.widgets import Interaction
from bot.chat.services import Services
from bot.model.choices import Server
from bot.model.events import Entrant, EntrantState, Event, Official, Phase
from bot.model.ids import UNTAGGED, EventKey, GuildId, Player
from bot.model.reasons import EventReason, TableReason
from bot.model.refusals import OtherTerms
from bot.play.doors.events import OPEN
from bot.play.event.office.vouching import Authority
from bot.play.event.organisers.organiser import may_announce
from bot.pure.event.structure import Structure
from bot.pure.ofc.refusals import Refused
from bot.text.words import escape_name

Number = app_commands.Range[int, 1, 999_999_999]
Subcommand = app_commands.Command[Any, ..., Any]
Act = Callable[[Reply, EventKey], Awaitable[None]]
"""What a command or a button does with the event that it means."""
Find = Callable[[Reply, int | None], Awaitable[EventKey | None]]
"""Finds the event that is meant by a number or by none; None where the reader was told that this is not plain."""
MOST_CHOICES = 25
EVERY_PHASE = tuple(Phase)
OVER = (Phase.ENDED,)
BEFORE = tuple(phase for phase in Phase if phase.before)
LONGEST_PLAYER = 20
"""Digits of whoever may be chosen from a menu."""
LOOKING_BACK = ("show", "standings", "results", "log", "create")
"""Commands that are also about events that are over."""


def chosen_player(values: Sequence[str]) -> Player | None:
    """Who was chosen from a menu of an event's people."""
    return Player(values[0]) if values and values[0].isdecimal() and len(values[0]) <= LONGEST_PLAYER else None


def event_of(reply: Reply, press: Press) -> EventKey:
    """The event that a press speaks of: always one of the guild in which it was pressed."""
    return EventKey(guild=reply.guild, number=press.table, tag=press.tag or UNTAGGED)


def official(reply: Reply) -> Official:
    """The person who uses an organiser's tool."""
    return Official(player=reply.player, manager=reply.interaction.permissions.manage_guild)


def authority_of(interaction: Interaction, server: Server, structure: Structure | None = None) -> Authority:
    """What the person who asks may do in the server now, and which of an event's roles they may promise."""
    allowed = interaction.permissions
    promised = structure.roles if structure else ()
    return Authority(
        manager=allowed.manage_guild,
        announces=may_announce(
            server, manager=allowed.manage_guild or allowed.manage_events, roles=roles_of(interaction)
        ),
        roles=frozenset(role for role in promised if role and not role_problem(interaction, role, server)),
    )


def subcommand(name: str, does: Any, **offers: Any) -> Subcommand:
    """A command of ``/event``, done by a function; ``offers`` are the suggestions for its options, by name."""
    description = described(f"event_{name.replace('-', '_')}")
    made: Subcommand = app_commands.Command(name=name, description=description, callback=does)
    for option, suggested in offers.items():
        made.autocomplete(option)(suggested)
    return made


class WhichEvent:
    """Finds the event that is meant, and offers those that can be."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def chosen(self, reply: Reply, number: int | None, *, phases: Sequence[Phase] = OPEN) -> EventKey | None:
        """The event that is meant: the one named, else that of this channel or thread, else the only one.

        Where it is not plain the reader is told, and it is None.
        """
        if number is not None:
            return EventKey(guild=reply.guild, number=number)
        here = await self._here(reply)
        if here is not None:
            return here
        every = await self._services.events.events(reply.guild, phases)
        return await self._one_of(
            reply, [event for event in every if may_see(reply.interaction, event.channel)], phases
        )

    async def _one_of(self, reply: Reply, events: Sequence[Event], phases: Sequence[Phase]) -> EventKey | None:
        """The only one of these, or of those in this channel; where several are meant they are listed by name."""
        near = [event for event in events if event.channel == reply.interaction.channel_id]
        meant = near if near else events
        if len(meant) == 1 or (meant and phases is not OPEN):
            return meant[0].key
        reply.outcome = Outcome.REFUSED
        if meant:
            listed = [f"**{event.key.number}. {escape_name(event.name)}**" for event in meant[:MOST_CHOICES]]
            await reply.say(
                reply.words("event.refuse.which", events=reply.words.list(listed), example=meant[0].key.number)
            )
        elif phases == OVER:
            await reply.say(reply.words("event.refuse.none_over"))
        else:
            await reply.say(reply.words("event.refuse.none_open"))
        return None

    async def _here(self, reply: Reply) -> EventKey | None:
        """The event whose table is in this thread."""
        tables = await self._services.play.open_tables(reply.guild)
        channel = reply.interaction.channel_id
        events = {table.event for table in tables if table.channel == channel and table.event is not None}
        return events.pop() if len(events) == 1 else None

    async def _mine(
        self,
        reply: Reply,
        number: int | None,
        *,
        first: Callable[[Event, Entrant], bool],
        phases: Sequence[Phase] = OPEN,
    ) -> EventKey | None:
        """The event that is meant by who takes part: the only one of theirs that comes first, or the only one.

        One named, or that of this thread, comes before; somebody in none is asked as everybody is.
        """
        here = None if number is not None else await self._here(reply)
        own = [] if number is not None else await self._services.events.own(reply.guild, reply.player, phases)
        best = [event for event, entrant in own if first(event, entrant)]
        if len(best) == 1:
            return best[0].key
        if here is not None or not own:
            return here or await self.chosen(reply, number)
        return await self._one_of(reply, best or [event for event, _ in own], OPEN)

    async def to_check_in(self, reply: Reply, number: int | None) -> EventKey | None:
        """The event whose check-in is open for the reader, else the only one for which they have registered."""

        def opens(event: Event, entrant: Entrant) -> bool:
            return event.phase is Phase.CHECK_IN and entrant.state is EntrantState.REGISTERED

        return await self._mine(reply, number, first=opens, phases=BEFORE)

    async def to_withdraw(self, reply: Reply, number: int | None) -> EventKey | None:
        """The only event for which the reader has registered."""
        return await self._mine(reply, number, first=lambda event, entrant: entrant.registered, phases=BEFORE)

    async def played(self, reply: Reply, number: int | None) -> EventKey | None:
        """The event in which the reader plays, else the one that they looked for before there were several."""
        if number is None:
            own = await self._services.events.own(reply.guild, reply.player)
            running = [event for event, _ in own if event.phase is Phase.RUNNING]
            if running or own:
                return await self._mine(reply, number, first=lambda event, entrant: event in running)
        return await self.looked_back(reply, number)

    async def looked_back(self, reply: Reply, number: int | None) -> EventKey | None:
        """The same for looking: where no event is open, the last one is meant."""
        if number is not None or await self._services.events.events(reply.guild, OPEN):
            return await self.chosen(reply, number)
        return await self.chosen(reply, None, phases=EVERY_PHASE)

    async def dated(self, reply: Reply, number: int | None) -> EventKey | None:
        """The same for a calendar: outside a thread those still to come are meant, if any has a start time."""
        if number is None and not isinstance(reply.interaction.channel, Thread):
            now = self._services.publisher.now()
            coming = [
                event
                for event in await self._services.events.events(reply.guild, OPEN)
                if event.starts_at is not None and event.starts_at > now and may_see(reply.interaction, event.channel)
            ]
            if coming:
                return await self._one_of(reply, coming, OPEN)
        return await self.looked_back(reply, number)

    async def ended(self, reply: Reply, number: int | None) -> EventKey | None:
        """The same among events that have been played to the end: the newest in which the reader was, if any."""
        own = [] if number is not None else await self._services.events.own(reply.guild, reply.player, OVER, most=1)
        if own:
            return await self._here(reply) or own[0][0].key
        return await self.chosen(reply, number, phases=OVER)

    async def suggested(self, interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
        """The events whose number or name holds what was typed."""
        command = interaction.command.name if interaction.command else ""
        phases = EVERY_PHASE if command in LOOKING_BACK else OPEN
        every = await self._services.events.events(GuildId(interaction.guild_id or 0), phases)
        events = [event for event in every if may_see(interaction, event.channel)]
        wanted = current.casefold()
        named = [(f"{event.key.number}. {event.name}", event.key.number) for event in events]
        found = [
            app_commands.Choice(name=name[:100], value=number) for name, number in named if wanted in name.casefold()
        ]
        return found[:MOST_CHOICES]

    async def series_seen(self, interaction: Interaction) -> list[str]:
        """The series whose newest event is in a channel that the person who asks may see, the one used last first."""
        known = await self._services.events.series(GuildId(interaction.guild_id or 0))
        return [name for name, channel in known.items() if may_see(interaction, channel)]

    async def demand_series_seen(self, reply: Reply, name: str) -> None:
        """Raise Refused for a series whose newest event is in a channel that one may not see."""
        channel = (await self._services.events.series(reply.guild)).get(name)
        if channel is not None and not await sees(reply.interaction, channel):
            raise Refused(EventReason.SERIES_HIDDEN, series=escape_name(name))

    async def demand_seen(self, reply: Reply, key: EventKey) -> None:
        """Raise Refused for an event in a channel that one may not see, unless one is in it or organises it."""
        event, takes_part = await self._services.events.event_for(key, reply.player)
        if takes_part or event.channel == reply.interaction.channel_id or official(reply).organises(event):
            return
        if not await sees(reply.interaction, event.channel):
            raise Refused(TableReason.CHANNEL_HIDDEN)

    async def may_announce(self, reply: Reply) -> bool:
        """True for those who may announce events; others are told who may."""
        server = await self._services.play.server(reply.guild)
        if authority_of(reply.interaction, server).announces:
            return True
        reply.outcome = Outcome.REFUSED
        if server.organiser_role is None:
            await reply.say(reply.words("event.refuse.not_allowed"))
        else:
            await reply.say(reply.words("event.refuse.not_allowed_role", role=f"<@&{server.organiser_role}>"))
        return False

    # commands about one event

    async def run(
        self,
        interaction: Interaction,
        number: int | None,
        act: Act,
        *,
        find: Find | None = None,
        kind: PressKind = PressKind.PUBLIC,
    ) -> None:
        """Run a command about the event that is meant; an open one, unless ``find`` looks for another."""

        async def body(reply: Reply) -> None:
            key = await (find or self.chosen)(reply, number)
            if key is not None:
                await self.demand_seen(reply, key)
                await act(reply, key)

        await self._services.gate.run(interaction, body, kind=kind)

    def command(
        self,
        name: str,
        act: Act,
        *,
        find: Find | None = None,
        meant: str = "option_event",
        kind: PressKind = PressKind.PUBLIC,
    ) -> Subcommand:
        """A command whose only option is the event; ``meant`` describes which one is meant without it."""

        @app_commands.describe(event=described(meant))
        async def run(interaction: Interaction, event: Number | None = None) -> None:
            await self.run(interaction, event, act, find=find, kind=kind)

        return subcommand(name, run, event=self.suggested)

    def command_and_button(
        self,
        name: str,
        verb: str,
        act: Act,
        *,
        find: Find | None = None,
        meant: str = "option_event",
        kind: PressKind = PressKind.PRIVATE,
        asks: Act | None = None,
    ) -> Subcommand:
        """The same, and the button that does it with the event on whose message it stands.

        Under other terms than those that were shown, ``asks`` shows the current ones and asks for the press.
        """

        async def asked(reply: Reply, key: EventKey) -> None:
            try:
                await act(reply, key)
            except OtherTerms:
                if asks is None:
                    raise
                reply.outcome = Outcome.STALE
                await asks(reply, key)

        async def pressed(reply: Reply, press: Press, values: Sequence[str]) -> None:
            await self.demand_seen(reply, event_of(reply, press))
            await act(reply, event_of(reply, press))

        async def asked_again(reply: Reply, press: Press, values: Sequence[str]) -> None:
            assert asks is not None
            await asks(reply, event_of(reply, press))

        self._services.gate.route(verb, pressed, kind=kind, asks=asked_again if asks else None)
        return self.command(name, asked, find=find, meant=meant, kind=kind)


def housed(reply: Reply, sheet: Sheet) -> Sheet:
    """The sheet without threads where the bot may make none, and without channels that can't have its tables.

    Of an event that was announced they stay.
    """
    if sheet.of:
        return sheet
    if sheet.structure.threads and not may_thread(reply.interaction):
        sheet = replace(sheet, structure=replace(sheet.structure, threads=False))
    return spread(reply, sheet)


def spread(reply: Reply, sheet: Sheet) -> Sheet:
    """The sheet without channels that can't have its tables."""
    threads, chosen = sheet.structure.threads, sheet.structure.channels
    return with_channels(sheet, [one for one in chosen if may_hold_tables(reply.interaction, one, threads=threads)])
