"""The organiser's tools: start, pause, penalties, seats, announcements, and who may organise at all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

import discord
from discord import ButtonStyle, app_commands

from bot.meter import Outcome
from bot.play.event.model import Event, Server
from bot.play.event.organiser import LONGEST_REASON, Official
from bot.play.model import EventKey, Player, TableId
from bot.text.words import escape_name
from bot.text.zones import zone_named, zones_with
from bot.ui.command_words import described
from bot.ui.fragments import QUIET_COLOUR, player_name
from bot.ui.gate import PressHandler, Reply
from bot.ui.permissions import check_may_write
from bot.ui.presses import Press
from bot.ui.widgets import FormField, Interaction, button, modal, rows_of, screen
from cogs.event.choice import MOST_CHOICES, EventChoice, long_id, short_id, zone_of

Number = app_commands.Range[int, 1, 999_999_999]
MOST_HANDS = 20
MOST_AMOUNT = 10_000_000
Reason = app_commands.Range[str, 1, 200]


class EventTools(EventChoice):
    """Commands of those who organise."""

    def tool_handlers(self) -> Mapping[str, PressHandler]:
        """The buttons of questions that are asked once."""
        return {
            "ev_cancel": self.press_cancel,
            "ev_disqualify": self.press_disqualify,
            "ev_keep": self.press_keep,
        }

    async def _with_event(
        self, interaction: Interaction, number: int | None, body: Callable[[Reply, EventKey], Awaitable[None]]
    ) -> None:
        """Run a command about the event that is meant."""

        async def chosen(reply: Reply) -> None:
            key = await self.chosen(reply, number)
            if key is not None:
                await body(reply, key)

        await self.bot.services.gate.run(interaction, chosen)

    async def _speaker(self, reply: Reply, key: EventKey) -> Official:
        """Who uses a tool of which is told in the event's channel; raises Refused where they may not write."""
        check_may_write(reply.interaction, (await self.bot.services.events.look(key)).event.channel)
        return self.official(reply)

    async def _ask(self, reply: Reply, event: Event, press: Press, what: str, **values: str) -> None:
        """Ask once whether it is meant."""
        words, press = reply.words, replace(press, tag=event.tag)
        text = words(f"event.ask.{what}", name=escape_name(event.name), **values)
        yes = button(press, words(f"event.button.yes_{what}"), style=ButtonStyle.danger)
        no = button(press.but("ev_keep"), words("event.button.no"))
        await reply.show(screen(text, *rows_of([yes, no]), colour=QUIET_COLOUR))

    async def _ask_why(self, reply: Reply, press: Press, what: str) -> None:
        """It was meant: ask for the reason, which everybody reads."""
        words = reply.words
        field = FormField(label=words("event.why.label"), most=LONGEST_REASON, hint=words("event.why.hint"))
        await reply.ask(modal(press, words(f"event.button.yes_{what}"), [field]), again=press)

    async def press_keep(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """It was not meant."""
        await reply.show(screen(reply.words("event.ask.kept"), colour=QUIET_COLOUR))

    # the event

    @app_commands.command(name="cancel", description=described("event_cancel"))
    @app_commands.describe(event=described("option_event"))
    async def cancel(self, interaction: Interaction, event: Number | None = None) -> None:
        """Call it off, after asking once."""

        async def body(reply: Reply, key: EventKey) -> None:
            found = await self.bot.services.events.may_cancel(key, await self._speaker(reply, key))
            await self._ask(reply, found, Press(verb="ev_cancel", table=TableId(key.number)), "cancel")

        await self._with_event(interaction, event, body)

    async def press_cancel(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """It was meant; with the reason once that is written."""
        if not values:
            await self._ask_why(reply, press, "cancel")
            return
        key = self.key_of(reply, press)
        by = await self._speaker(reply, key)
        done = await self.bot.services.events.cancel(key, by, why=values[0], cause=reply.cause)
        text = reply.words("event.done.cancelled", name=escape_name(done.name))
        await reply.show(screen(text, colour=QUIET_COLOUR))

    @app_commands.command(name="start", description=described("event_start"))
    @app_commands.describe(event=described("option_event"))
    async def start(self, interaction: Interaction, event: Number | None = None) -> None:
        """Start before the hour."""

        async def body(reply: Reply, key: EventKey) -> None:
            done = await self.bot.services.events.start(key, await self._speaker(reply, key), cause=reply.cause)
            await reply.say(reply.words("event.done.started", name=escape_name(done.name)))

        await self._with_event(interaction, event, body)

    @app_commands.command(name="pause", description=described("event_pause"))
    @app_commands.describe(event=described("option_event"))
    async def pause(self, interaction: Interaction, event: Number | None = None) -> None:
        """Deal no new hands."""

        async def body(reply: Reply, key: EventKey) -> None:
            done = await self.bot.services.events.pause(key, await self._speaker(reply, key), cause=reply.cause)
            await reply.say(reply.words("event.done.paused", name=escape_name(done.name)))

        await self._with_event(interaction, event, body)

    @app_commands.command(name="resume", description=described("event_resume"))
    @app_commands.describe(event=described("option_event"))
    async def resume(self, interaction: Interaction, event: Number | None = None) -> None:
        """Go on."""

        async def body(reply: Reply, key: EventKey) -> None:
            done = await self.bot.services.events.resume(key, await self._speaker(reply, key), cause=reply.cause)
            await reply.say(reply.words("event.done.resumed", name=escape_name(done.name)))

        await self._with_event(interaction, event, body)

    @app_commands.command(name="announce", description=described("event_announce"))
    @app_commands.describe(text=described("option_text"), event=described("option_event"))
    async def announce(
        self, interaction: Interaction, text: app_commands.Range[str, 1, 1500], event: Number | None = None
    ) -> None:
        """Say something to everybody."""

        async def body(reply: Reply, key: EventKey) -> None:
            await self.bot.services.events.announce(key, await self._speaker(reply, key), text, cause=reply.cause)
            await reply.say(reply.words("event.done.said"))

        await self._with_event(interaction, event, body)

    # players

    @app_commands.command(name="penalty", description=described("event_penalty"))
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
        hands: app_commands.Range[int, 0, MOST_HANDS],
        reason: Reason,
        event: Number | None = None,
    ) -> None:
        """The clock plays some hands for a player."""

        async def body(reply: Reply, key: EventKey) -> None:
            who, by = Player(str(player.id)), await self._speaker(reply, key)
            await self.bot.services.events.penalty(key, by, who, hands=hands, why=reason, cause=reply.cause)
            name = player_name(who, reply.words)
            if hands:
                await reply.say(reply.words("event.done.penalty", player=name, count=hands))
            else:
                await reply.say(reply.words("event.done.penalty_off", player=name))

        await self._with_event(interaction, event, body)

    @app_commands.command(name="disqualify", description=described("event_disqualify"))
    @app_commands.describe(player=described("option_player"), event=described("option_event"))
    async def disqualify(self, interaction: Interaction, player: discord.User, event: Number | None = None) -> None:
        """Put a player out, after asking once."""

        async def body(reply: Reply, key: EventKey) -> None:
            found = await self.bot.services.events.may_disqualify(key, await self._speaker(reply, key))
            press = Press(verb="ev_disqualify", table=TableId(key.number), argument=short_id(player.id))
            await self._ask(reply, found, press, "disqualify", player=f"<@{player.id}>")

        await self._with_event(interaction, event, body)

    async def press_disqualify(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """It was meant; with the reason once that is written."""
        if not values:
            await self._ask_why(reply, press, "disqualify")
            return
        who, key = Player(str(long_id(press.argument))), self.key_of(reply, press)
        by = await self._speaker(reply, key)
        await self.bot.services.events.disqualify(key, by, who, why=values[0], cause=reply.cause)
        text = reply.words("event.done.disqualified", player=player_name(who, reply.words))
        await reply.show(screen(text, colour=QUIET_COLOUR))

    @app_commands.command(name="adjust", description=described("event_adjust"))
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
        amount: app_commands.Range[int, -MOST_AMOUNT, MOST_AMOUNT],
        reason: Reason,
        event: Number | None = None,
    ) -> None:
        """Give a player chips or points, or take some."""

        async def body(reply: Reply, key: EventKey) -> None:
            who, by = Player(str(player.id)), await self._speaker(reply, key)
            await self.bot.services.events.adjust(key, by, who, amount=amount, why=reason, cause=reply.cause)
            name = player_name(who, reply.words)
            await reply.say(reply.words("event.done.adjusted", player=name, amount=reply.words.signed(amount)))

        await self._with_event(interaction, event, body)

    @app_commands.command(name="move", description=described("event_move"))
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

        async def body(reply: Reply, key: EventKey) -> None:
            who, by = Player(str(player.id)), await self._speaker(reply, key)
            await self.bot.services.events.move(key, by, who, table=TableId(table), why=reason, cause=reply.cause)
            await reply.say(reply.words("event.done.moving", player=player_name(who, reply.words), table=table))

        await self._with_event(interaction, event, body)

    @app_commands.command(name="co-organiser", description=described("event_co_organiser"))
    @app_commands.describe(
        player=described("option_player"), remove=described("option_remove"), event=described("option_event")
    )
    async def co_organiser(
        self, interaction: Interaction, player: discord.User, remove: bool = False, event: Number | None = None
    ) -> None:
        """Share the tools, or take them away."""

        async def body(reply: Reply, key: EventKey) -> None:
            who, by = Player(str(player.id)), await self._speaker(reply, key)
            done = await self.bot.services.events.co_organiser(key, by, who, remove=remove, cause=reply.cause)
            sentence = "event.done.helper_removed" if remove else "event.done.helper"
            await reply.say(reply.words(sentence, player=player_name(who, reply.words), name=escape_name(done.name)))

        await self._with_event(interaction, event, body)

    @cancel.autocomplete("event")
    @start.autocomplete("event")
    @pause.autocomplete("event")
    @resume.autocomplete("event")
    @announce.autocomplete("event")
    @penalty.autocomplete("event")
    @disqualify.autocomplete("event")
    @adjust.autocomplete("event")
    @move.autocomplete("event")
    @co_organiser.autocomplete("event")
    async def open_events(self, interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
        """The events that are open."""
        return await self.suggested(interaction, current)

    # the server

    @app_commands.command(name="settings", description=described("event_settings"))
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
            named = zone_named(zone)
            if zone.strip() and named is None:
                reply.outcome = Outcome.REFUSED
                await reply.say(reply.words("event.refuse.no_zone", zone=escape_name(zone.strip())))
                return
            before = await self.bot.services.events.server(reply.guild)
            chosen = None if no_role else role.id if role else before.organiser_role
            server = Server(organiser_role=chosen, zone=named or before.zone)
            if server != before:
                await self.bot.services.events.save_server(reply.guild, server)
            await self._settings(reply, server)

        await self.bot.services.gate.run(interaction, body)

    async def _settings(self, reply: Reply, server: Server) -> None:
        words = reply.words
        if server.organiser_role is None:
            people = words("event.done.only_managers")
        else:
            people = words("event.done.anybody_with", role=f"<@&{server.organiser_role}>")
        zone = server.zone or words("event.done.usual_zone", zone=zone_of(server, words.language))
        await reply.say(words("event.done.settings", role=people, zone=zone))

    @settings.autocomplete("zone")
    async def zones(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The time zones whose name holds what was typed, for those who may choose one."""
        if not interaction.permissions.manage_guild:
            return []
        return [app_commands.Choice(name=name, value=name) for name in zones_with(current, most=MOST_CHOICES)]
