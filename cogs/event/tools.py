"""The organiser's tools: call off, start, pause, announce, penalties, seats, and a server's settings for events."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands

from bot.base.meter import Outcome
from bot.chat.event.acts.organisers import ACTS, BY_NAME
from bot.chat.event.screens.draft.sheet import REPEATS
from bot.chat.event.screens.tools import start_screen
from bot.chat.kit.command_words import described, named
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import QUIET_COLOUR
from bot.chat.kit.permissions_here import check_may_write
from bot.chat.kit.reply import Reply
from bot.chat.kit.widgets import Interaction, notice
from bot.chat.services import Services
from bot.model.events import Every, Official
from bot.model.ids import EventKey, Player
from bot.text.durations import parse_duration
from bot.text.hours import read_hour
from bot.text.words import escape_name
from bot.text.zones import zone_name, zone_of
from cogs.event.acts import OrganisersActs
from cogs.event.desk import OrganisersDesk
from cogs.event.which_event import (
    Number,
    Subcommand,
    WhichEvent,
    authority_of,
    event_of,
    official,
    subcommand,
)

ORDER = (
    *("cancel", "start", "pause", "resume", "message", "postpone", "repeat", "penalty", "disqualify", "unregister"),
    *("adjust", "move", "co-organiser"),
)
"""The commands as Discord shows them."""
EVERY: list[app_commands.Choice[str]] = [
    app_commands.Choice(name=named(f"event_form.option.repeat.{value}"), value=value) for value in REPEATS
]


class OrganisersTools:
    """The commands of ``/event-admin``: those of the table of acts, and those that need more than it says."""

    def __init__(self, services: Services, which: WhichEvent, acts: OrganisersActs, desk: OrganisersDesk) -> None:
        self._services = services
        self._events = services.events
        self._which = which
        self._acts = acts
        services.gate.route("ev_start", self.press_start)
        services.gate.route("ev_keep", self.press_keep)
        desk.route("ev_begin", self._start)
        desk.route("ev_repeat", self._repeat)

    def commands(self) -> list[Subcommand]:
        """The commands, in the order of Discord's list."""
        simple, offered = self._which.command, self._which.suggested
        by_hand = [
            simple("start", self.ask_start),
            subcommand("postpone", self.postpone, event=offered),
            subcommand("repeat", self.repeat, event=offered),
            subcommand("disqualify", self.disqualify, event=offered),
            subcommand("co-organiser", self.co_organiser, event=offered),
        ]
        made = [*by_hand, *(self._acts.command(act) for act in ACTS if act.command)]
        return sorted(made, key=lambda command: ORDER.index(command.name))

    async def speaker(self, reply: Reply, key: EventKey) -> Official:
        """The person who uses a tool of which is told in the event's channel; raises Refused if they may not write."""
        check_may_write(reply.interaction, (await self._events.look(key)).event.channel)
        return official(reply)

    async def press_keep(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """It was not meant."""
        await reply.show(notice(reply.words("event.ask.kept"), colour=QUIET_COLOUR))

    # the event

    async def ask_start(self, reply: Reply, key: EventKey) -> None:
        """Start before the hour, after asking once."""
        await self._events.may_start(key, await self.speaker(reply, key))
        await reply.show(start_screen(await self._events.look(key), reply.words))

    async def press_start(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask whether to start before the hour."""
        await self.ask_start(reply, event_of(reply, press))

    async def _start(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        key = event_of(reply, press)
        done = await self._events.start(key, await self.speaker(reply, key), cause=reply.cause)
        return reply.words("event.done.started", name=escape_name(done.name))

    @app_commands.describe(when=described("option_postpone"), event=described("option_event"))
    async def postpone(
        self, interaction: Interaction, when: app_commands.Range[str, 1, 60], event: Number | None = None
    ) -> None:
        """Let it start later, or at another hour."""

        async def act(reply: Reply, key: EventKey) -> None:
            server = await self._services.play.server(reply.guild)
            later = parse_duration(when)
            zone = zone_of(server, reply.words.language)
            hour = None if later else read_hour(when, zone=zone, now_ms=self._services.publisher.now())
            if not later and hour is None:
                reply.outcome = Outcome.REFUSED
                await reply.say(
                    reply.words("event.refuse.postpone", typed=escape_name(when), zone=zone_name(zone, reply.words))
                )
                return
            by = await self.speaker(reply, key)
            starts_at = (await self._events.look(key)).event.starts_at or 0
            until = hour.at_ms if hour else starts_at + (later or 0) * 1000
            done = await self._events.postpone(key, by, until=until, cause=reply.cause)
            at = f"<t:{(done.starts_at or 0) // 1000}:F>"
            await reply.say(reply.words("event.done.postponed", name=escape_name(done.name), hour=at))

        await self._which.run(interaction, event, act)

    @app_commands.describe(every=described("option_every"), event=described("option_event"))
    @app_commands.choices(every=EVERY)
    async def repeat(self, interaction: Interaction, every: str, event: Number | None = None) -> None:
        """Hold it again and again, or once."""

        async def act(reply: Reply, key: EventKey) -> None:
            await reply.say(await self.hold(reply, key, every))

        await self._which.run(interaction, event, act)

    async def _repeat(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self.hold(reply, event_of(reply, press), press.argument)

    async def hold(self, reply: Reply, key: EventKey, every: str) -> str:
        """Hold an event as often as this says; returns what is said of it."""
        known = next((one for one in Every if one.value == every), None)
        server, by = await self._services.play.server(reply.guild), await self.speaker(reply, key)
        structure = (await self._events.look(key)).event.structure
        authority = authority_of(reply.interaction, server, structure)
        zone = zone_of(server, reply.words.language)
        done = await self._events.repeat(key, by, authority, every=known, zone=zone, cause=reply.cause)
        how = "once" if known is None else known.value
        return reply.words(f"event.done.repeat_{how}", name=escape_name(done.name))

    # players

    @app_commands.describe(
        player=described("option_player"), take_back=described("option_take_back"), event=described("option_event")
    )
    async def disqualify(
        self, interaction: Interaction, player: discord.User, take_back: bool = False, event: Number | None = None
    ) -> None:
        """Put a player out, after asking once, or take that back."""
        who = Player(str(player.id))

        async def act(reply: Reply, key: EventKey) -> None:
            if take_back:
                await reply.say(await self._acts.do(BY_NAME["reinstate"], reply, key, player=who))
            else:
                await self._acts.typed(BY_NAME["out"], reply, key, player=who)

        await self._which.run(interaction, event, act)

    @app_commands.describe(
        player=described("option_player"), remove=described("option_remove"), event=described("option_event")
    )
    async def co_organiser(
        self, interaction: Interaction, player: discord.User, remove: bool = False, event: Number | None = None
    ) -> None:
        """Share the tools, or take them away."""
        who = Player(str(player.id))

        async def act(reply: Reply, key: EventKey) -> None:
            await reply.say(await self._acts.do(BY_NAME["unhelp" if remove else "help"], reply, key, player=who))

        await self._which.run(interaction, event, act)
