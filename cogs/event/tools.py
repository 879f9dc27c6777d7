"""The organiser's tools: call off, start, pause, announce, penalties, seats, and a server's settings for events."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

import discord
from discord import app_commands

from bot.clean_text import one_line
from bot.live.services import Services
from bot.meter import Outcome
from bot.model.events import Every, Official
from bot.model.ids import EventKey, Player, TableId
from bot.ofc.refusals import Refused
from bot.play.event.organisers.organiser import LONGEST_ANNOUNCEMENT, LONGEST_REASON, MOST_ADJUSTED, MOST_PENALTY
from bot.text.durations import parse_duration
from bot.text.event_structure import by_fee, by_refund
from bot.text.hours import read_hour
from bot.text.refusals import refusal
from bot.text.words import escape_name
from bot.text.zones import zone_name, zone_of, zones_with
from bot.ui.command_words import described, named
from bot.ui.custom_ids import Press, long_id, short_id
from bot.ui.event.draft.sheet import REPEATS
from bot.ui.event.tools import cancel_text, disqualify_text, reason_form, settings_text, start_screen
from bot.ui.fragments import QUIET_COLOUR, player_name
from bot.ui.gate import PressKind
from bot.ui.permissions_here import check_may_write
from bot.ui.reply import PressHandler, Reply
from bot.ui.typed_choice import zone_meant
from bot.ui.widgets import Interaction, notice
from cogs.event.which_event import (
    MOST_CHOICES,
    Number,
    Subcommand,
    WhichEvent,
    authority_of,
    event_of,
    official,
    subcommand,
)

EVERY: list[app_commands.Choice[str]] = [
    app_commands.Choice(name=named(f"event_form.option.repeat.{value}"), value=value) for value in REPEATS
]
Reason = app_commands.Range[str, 1, LONGEST_REASON]
Announcement = app_commands.Range[str, 1, LONGEST_ANNOUNCEMENT]
Done = Callable[[Reply, Press, Sequence[str]], Awaitable[str]]
"""Does what was pressed, and returns what is said of it."""
Show = Callable[[Reply, Press, str], Awaitable[None]]
"""Shows a screen with what was done."""
Ask = Callable[[Reply, Press], Awaitable[None]]
"""Shows the form of a press."""


class OrganisersTools:
    """What those who organise may do with an event."""

    def __init__(self, services: Services, which: WhichEvent) -> None:
        self._services = services
        self._events = services.events
        self._which = which
        services.gate.route("ev_cancel", self.press_cancel, kind=PressKind.PUBLIC)
        services.gate.route("ev_disqualify", self.press_disqualify, kind=PressKind.PUBLIC)
        services.gate.route("ev_keep", self.press_keep)

    def commands(self) -> list[Subcommand]:
        """The commands. Penalties, seats and what is said name more than the event."""
        simple, offered = self._which.command, self._which.suggested
        return [
            simple("cancel", self.ask_cancel),
            simple("start", self.ask_start),
            simple("pause", self._pause),
            simple("resume", self._resume),
            subcommand("message", self.announce, event=offered),
            subcommand("postpone", self.postpone, event=offered),
            subcommand("repeat", self.repeat, event=offered),
            subcommand("penalty", self.penalty, event=offered),
            subcommand("disqualify", self.disqualify, event=offered),
            subcommand("unregister", self.unregister, event=offered),
            subcommand("adjust", self.adjust, event=offered),
            subcommand("move", self.move, event=offered),
            subcommand("co-organiser", self.co_organiser, event=offered),
            subcommand("settings", self.settings, zone=self._zones_suggested),
        ]

    def route(self, acts: Mapping[str, Done], written: Mapping[str, Done], *, show: Show, ask: Ask) -> None:
        """Route presses of a screen: ``show`` says on it what was done, and ``ask`` shows the form of what needs words.

        Where something written is refused, what was typed isn't lost.
        """

        def shown(act: Done) -> PressHandler:
            async def handler(reply: Reply, press: Press, values: Sequence[str]) -> None:
                await show(reply, press, await act(reply, press, values))

            return handler

        def asked(done: PressHandler) -> PressHandler:
            async def handler(reply: Reply, press: Press, values: Sequence[str]) -> None:
                if values:
                    await self._keeping_typed(reply, values, done(reply, press, values))
                else:
                    await ask(reply, press)

            return handler

        for verb, act in acts.items():
            self._services.gate.route(verb, shown(act), kind=PressKind.PUBLIC)
        for verb, act in written.items():
            self._services.gate.route(verb, asked(shown(act)), kind=PressKind.PUBLIC)

    async def speaker(self, reply: Reply, key: EventKey) -> Official:
        """The person who uses a tool of which is told in the event's channel; raises Refused if they may not write."""
        check_may_write(reply.interaction, (await self._events.look(key)).event.channel)
        return official(reply)

    async def press_keep(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """It was not meant."""
        await reply.show(notice(reply.words("event.ask.kept"), colour=QUIET_COLOUR))

    async def _keeping_typed(self, reply: Reply, typed: Sequence[str], act: Awaitable[None]) -> None:
        """Do what was written for; where it is refused, what was typed is shown again: it isn't lost."""
        try:
            await act
        except Refused as refused:
            reply.outcome = Outcome.REFUSED
            # No form takes more, but not every press comes from a form.
            told = "\n".join(filter(None, map(one_line, typed)))[:LONGEST_ANNOUNCEMENT]
            kept = [f"> {escape_name(line)}" for line in told.splitlines()]
            kept[:0] = [reply.words("event.refuse.typed")] if kept else []
            await reply.say("\n".join([refusal(refused, reply.words), *kept]))

    # the event

    async def ask_cancel(self, reply: Reply, key: EventKey) -> None:
        """Call it off: the form that asks for the reason says what becomes of it, and is the one question."""
        found = await self._events.may_cancel(key, await self.speaker(reply, key))
        press, title = Press(verb="ev_cancel", table=TableId(key.number), tag=found.tag), "event_tools.button.cancel"
        form = reason_form(press, reply.words(title), reply.words, said=cancel_text(found, reply.words))
        await reply.ask(form, again=press)

    async def press_cancel(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The reason was written; without one, the button was pressed that opens the form again."""
        if not values:
            await self.ask_cancel(reply, event_of(reply, press))
            return
        await self._keeping_typed(reply, values, self._cancel(reply, event_of(reply, press), why=values[0]))

    async def _cancel(self, reply: Reply, key: EventKey, *, why: str) -> None:
        by = await self.speaker(reply, key)
        done = await self._events.cancel(key, by, why=why, cause=reply.cause)
        text = reply.words(
            by_refund("event.done.cancelled", done.structure, started=done.started_at is not None),
            name=escape_name(done.name),
        )
        await reply.show(notice(text, colour=QUIET_COLOUR))

    async def ask_start(self, reply: Reply, key: EventKey) -> None:
        """Start before the hour, after asking once."""
        await self._events.may_start(key, await self.speaker(reply, key))
        await reply.show(start_screen(await self._events.look(key), reply.words))

    async def _pause(self, reply: Reply, key: EventKey) -> None:
        await reply.say(await self.pause(reply, key))

    async def pause(self, reply: Reply, key: EventKey) -> str:
        """Deal no new hands; returns what is said of it."""
        done = await self._events.pause(key, await self.speaker(reply, key), cause=reply.cause)
        return reply.words("event.done.paused", name=escape_name(done.name))

    async def _resume(self, reply: Reply, key: EventKey) -> None:
        await reply.say(await self.resume(reply, key))

    async def resume(self, reply: Reply, key: EventKey) -> str:
        """Go on; returns what is said of it."""
        done = await self._events.resume(key, await self.speaker(reply, key), cause=reply.cause)
        return reply.words("event.done.resumed", name=escape_name(done.name))

    @app_commands.describe(text=described("option_text"), event=described("option_event"))
    async def announce(
        self,
        interaction: Interaction,
        text: app_commands.Range[str, 1, LONGEST_ANNOUNCEMENT],
        event: Number | None = None,
    ) -> None:
        """Say something to everybody."""

        async def act(reply: Reply, key: EventKey) -> None:
            await reply.say(await self.say(reply, key, text))

        await self._which.run(interaction, event, act)

    async def say(self, reply: Reply, key: EventKey, text: str) -> str:
        """Let everybody hear it; returns what is said of that."""
        await self._events.announce(key, await self.speaker(reply, key), text, cause=reply.cause)
        return reply.words("event.done.said")

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
            await reply.say(await self.put_off(reply, key, seconds=later or 0, until=hour.at_ms if hour else None))

        await self._which.run(interaction, event, act)

    async def put_off(self, reply: Reply, key: EventKey, *, seconds: int, until: int | None = None) -> str:
        """Let an event start so many seconds after its hour, or at another one (ms); returns what is said of it."""
        by = await self.speaker(reply, key)
        starts_at = (await self._events.look(key)).event.starts_at or 0
        done = await self._events.postpone(key, by, until=until or starts_at + seconds * 1000, cause=reply.cause)
        return reply.words(
            "event.done.postponed", name=escape_name(done.name), hour=f"<t:{(done.starts_at or 0) // 1000}:F>"
        )

    @app_commands.describe(every=described("option_every"), event=described("option_event"))
    @app_commands.choices(every=EVERY)
    async def repeat(self, interaction: Interaction, every: str, event: Number | None = None) -> None:
        """Hold it again and again, or once."""

        async def act(reply: Reply, key: EventKey) -> None:
            await reply.say(await self.hold(reply, key, every))

        await self._which.run(interaction, event, act)

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
        player=described("option_player"),
        hands=described("option_penalty_hands"),
        reason=described("option_reason"),
        event=described("option_event"),
    )
    async def penalty(
        self,
        interaction: Interaction,
        player: discord.User,
        hands: app_commands.Range[int, 0, MOST_PENALTY],
        reason: Reason,
        event: Number | None = None,
    ) -> None:
        """The clock plays some hands for a player."""

        async def act(reply: Reply, key: EventKey) -> None:
            await reply.say(await self.punish(reply, key, Player(str(player.id)), hands=hands, why=reason))

        await self._which.run(interaction, event, act)

    async def punish(self, reply: Reply, key: EventKey, who: Player, *, hands: int, why: str) -> str:
        """Let the clock play for a player; returns what is said of it."""
        by = await self.speaker(reply, key)
        await self._events.penalty(key, by, who, hands=hands, why=why, cause=reply.cause)
        name = player_name(who, reply.words)
        if hands:
            return reply.words("event.done.penalty", player=name, count=hands)
        return reply.words("event.done.penalty_off", player=name)

    @app_commands.describe(
        player=described("option_player"), take_back=described("option_take_back"), event=described("option_event")
    )
    async def disqualify(
        self, interaction: Interaction, player: discord.User, take_back: bool = False, event: Number | None = None
    ) -> None:
        """Put a player out, after asking once, or take that back."""

        async def act(reply: Reply, key: EventKey) -> None:
            if take_back:
                await reply.say(await self.reinstate(reply, key, Player(str(player.id))))
            else:
                await self.ask_disqualify(reply, key, Player(str(player.id)))

        await self._which.run(interaction, event, act)

    async def reinstate(self, reply: Reply, key: EventKey, who: Player) -> str:
        """Take a disqualification back; returns what is said of it."""
        done = await self._events.reinstate(key, await self.speaker(reply, key), who, cause=reply.cause)
        said = "event.done.reinstated" if done.playing else "event.done.reinstated_before"
        return reply.words(said, player=player_name(who, reply.words))

    @app_commands.describe(player=described("option_player"), event=described("option_event"))
    async def unregister(self, interaction: Interaction, player: discord.User, event: Number | None = None) -> None:
        """Take a player off the list before the start."""

        async def act(reply: Reply, key: EventKey) -> None:
            await reply.say(await self.unlist(reply, key, Player(str(player.id))))

        await self._which.run(interaction, event, act)

    async def unlist(self, reply: Reply, key: EventKey, who: Player) -> str:
        """Take a player off the list; returns what is said of it."""
        await self._events.unregister(key, await self.speaker(reply, key), who, cause=reply.cause)
        structure = (await self._events.look(key)).event.structure
        return reply.words(by_fee("event.done.unregistered", structure), player=player_name(who, reply.words))

    async def ask_disqualify(self, reply: Reply, key: EventKey, who: Player) -> None:
        """Put a player out: the form that asks for the reason says what it does."""
        found = await self._events.may_disqualify(key, await self.speaker(reply, key))
        press = Press(verb="ev_disqualify", table=TableId(key.number), tag=found.tag, argument=short_id(int(who)))
        said = disqualify_text(await self._events.look(key), who, reply.words)
        form = reason_form(press, reply.words("event_tools.button.ask_out"), reply.words, said=said)
        await reply.ask(form, again=press)

    async def press_disqualify(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The reason was written; without one, the button was pressed that opens the form again."""
        who = Player(str(long_id(press.argument)))
        if not values:
            await self.ask_disqualify(reply, event_of(reply, press), who)
            return
        await self._keeping_typed(reply, values, self._disqualify(reply, event_of(reply, press), who, why=values[0]))

    async def _disqualify(self, reply: Reply, key: EventKey, who: Player, *, why: str) -> None:
        by = await self.speaker(reply, key)
        await self._events.disqualify(key, by, who, why=why, cause=reply.cause)
        text = reply.words("event.done.disqualified", player=player_name(who, reply.words))
        await reply.show(notice(text, colour=QUIET_COLOUR))

    @app_commands.describe(
        player=described("option_player"),
        amount=described("option_amount"),
        reason=described("option_reason"),
        event=described("option_event"),
    )
    async def adjust(
        self,
        interaction: Interaction,
        player: discord.User,
        amount: app_commands.Range[int, -MOST_ADJUSTED, MOST_ADJUSTED],
        reason: Reason,
        event: Number | None = None,
    ) -> None:
        """Give a player chips or points, or take some."""

        async def act(reply: Reply, key: EventKey) -> None:
            await reply.say(await self.give(reply, key, Player(str(player.id)), amount=amount, why=reason))

        await self._which.run(interaction, event, act)

    async def give(self, reply: Reply, key: EventKey, who: Player, *, amount: int, why: str) -> str:
        """Give chips or points, or take some; returns what is said of it."""
        by = await self.speaker(reply, key)
        await self._events.adjust(key, by, who, amount=amount, why=why, cause=reply.cause)
        name = player_name(who, reply.words)
        return reply.words("event.done.adjusted", player=name, amount=reply.words.signed(amount))

    @app_commands.describe(
        player=described("option_player"),
        table=described("option_to_table"),
        reason=described("option_reason"),
        event=described("option_event"),
    )
    async def move(
        self,
        interaction: Interaction,
        player: discord.User,
        table: Number,
        reason: Reason,
        event: Number | None = None,
    ) -> None:
        """Seat a player elsewhere."""

        async def act(reply: Reply, key: EventKey) -> None:
            await reply.say(await self.seat(reply, key, Player(str(player.id)), table=TableId(table), why=reason))

        await self._which.run(interaction, event, act)

    async def seat(self, reply: Reply, key: EventKey, who: Player, *, table: TableId, why: str) -> str:
        """Seat a player at another table; returns what is said of it."""
        by = await self.speaker(reply, key)
        await self._events.move(key, by, who, table=table, why=why, cause=reply.cause)
        return reply.words("event.done.moving", player=player_name(who, reply.words), table=table)

    @app_commands.describe(
        player=described("option_player"), remove=described("option_remove"), event=described("option_event")
    )
    async def co_organiser(
        self, interaction: Interaction, player: discord.User, remove: bool = False, event: Number | None = None
    ) -> None:
        """Share the tools, or take them away."""

        async def act(reply: Reply, key: EventKey) -> None:
            await reply.say(await self.share(reply, key, Player(str(player.id)), remove=remove))

        await self._which.run(interaction, event, act)

    async def share(self, reply: Reply, key: EventKey, who: Player, *, remove: bool) -> str:
        """Make somebody a co-organiser, or no longer one; returns what is said of it."""
        by = await self.speaker(reply, key)
        done = await self._events.co_organiser(key, by, who, remove=remove, cause=reply.cause)
        sentence = "event.done.helper_removed" if remove else "event.done.helper"
        return reply.words(sentence, player=player_name(who, reply.words), name=escape_name(done.name))

    # the server

    @app_commands.describe(
        role=described("option_organiser_role"), zone=described("option_zone"), no_role=described("option_no_role")
    )
    @app_commands.checks.has_permissions(manage_guild=True)
    async def settings(
        self,
        interaction: Interaction,
        role: discord.Role | None = None,
        zone: app_commands.Range[str, 0, 60] = "",
        no_role: bool = False,
    ) -> None:
        """Choose who may organise and where hours are read; without an option they are shown."""

        async def body(reply: Reply) -> None:
            named = zone_meant(zone, reply.words)
            if zone.strip() and named is None:
                reply.outcome = Outcome.REFUSED
                await reply.say(reply.words("event.refuse.no_zone", zone=escape_name(zone.strip())))
                return
            server = await self._services.play.server(reply.guild)
            if role or named or no_role:
                holds = None if no_role else role.id if role else server.organiser_role
                server = await self._services.choose_for_server(
                    reply, lambda before: replace(before, organiser_role=holds, zone=named or before.zone)
                )
            usual = zone_of(server, reply.words.language)
            await reply.say(settings_text(server, reply.words, usual_zone=usual))

        await self._services.gate.run(interaction, body)

    async def _zones_suggested(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The time zones whose name holds what was typed, for those who may choose one."""
        if not interaction.permissions.manage_guild:
            return []
        return [app_commands.Choice(name=name, value=name) for name in zones_with(current, most=MOST_CHOICES)]
