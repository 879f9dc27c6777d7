"""Events: announce, take part, look, organise."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Sequence

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.live.client import Client
from bot.ofc.refusals import Refused
from bot.play.event.model import Entrant, Phase
from bot.play.event.views import EventView
from bot.play.model import EventKey, GuildId
from bot.play.refusals import PlayReason
from bot.text.words import Words, escape_name
from bot.ui.brakes import PressKind
from bot.ui.command_words import described
from bot.ui.event.screen import (
    MOST_LISTED,
    event_screen,
    hour,
    list_screen,
    log_screen,
    results_screen,
    series_screen,
    standings_screen,
)
from bot.ui.fragments import moment
from bot.ui.gate import Reply
from bot.ui.presses import Press
from bot.ui.widgets import Interaction
from cogs.event.choice import EVERY_PHASE, MOST_CHOICES, OVER, by_number
from cogs.event.creation import EventCreation
from cogs.event.tools import EventTools

Number = app_commands.Range[int, 1, 999_999_999]


PUBLIC_VERBS = ("ev_register", "ev_withdraw", "ev_checkin", "ev_form_publish", "ev_cancel", "ev_disqualify")
"""Presses of which everybody sees something."""


@app_commands.guild_only()
class EventCommands(
    EventCreation, EventTools, commands.GroupCog, group_name="event", group_description=described("event")
):
    """Community events. Preparing one and the organiser's tools stand in files of their own."""

    def __init__(self, bot: Client) -> None:
        super().__init__()
        self.bot = bot
        self.services = bot.services
        for verb, handler in {
            "ev_show": self.press_show,
            "ev_register": self.press_register,
            "ev_withdraw": self.press_withdraw,
            "ev_checkin": self.press_check_in,
            "ev_standings": self.press_standings,
            "ev_results": self.press_results,
            **self.form_handlers(),
            **self.tool_handlers(),
        }.items():
            bot.services.gate.route(verb, handler, kind=PressKind.PUBLIC if verb in PUBLIC_VERBS else PressKind.PRIVATE)

    # looking

    @app_commands.command(name="list", description=described("event_list"))
    async def list_events(self, interaction: Interaction) -> None:
        """The events that are open, and those that were last."""

        async def body(reply: Reply) -> None:
            events = by_number(await self.services.events.events(reply.guild, EVERY_PHASE))[:MOST_LISTED]
            views = await asyncio.gather(*(self.services.events.look(event.key) for event in events))
            await reply.show(list_screen(views, reply.words))

        await self.services.gate.run(interaction, body)

    @app_commands.command(name="show", description=described("event_show"))
    @app_commands.describe(event=described("option_event"))
    async def show(self, interaction: Interaction, event: Number | None = None) -> None:
        """An event as its message shows it."""

        async def body(reply: Reply) -> None:
            key = await self.looked_back(reply, event)
            if key is not None:
                await self._show(reply, key)

        await self.services.gate.run(interaction, body)

    async def press_show(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The same by a button."""
        await self._show(reply, self.key_of(reply, press))

    async def _show(self, reply: Reply, key: EventKey) -> None:
        await reply.show(event_screen(await self.services.events.look(key), reply.words))

    @app_commands.command(name="standings", description=described("event_standings"))
    @app_commands.describe(event=described("option_event"))
    async def standings(self, interaction: Interaction, event: Number | None = None) -> None:
        """Who is ahead, and where I am."""

        async def body(reply: Reply) -> None:
            key = await self.looked_back(reply, event)
            if key is not None:
                await self._standings(reply, key)

        await self.services.gate.run(interaction, body)

    async def press_standings(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The same by a button."""
        await self._standings(reply, self.key_of(reply, press))

    async def _standings(self, reply: Reply, key: EventKey) -> None:
        await reply.show(standings_screen(await self.services.events.look(key), reply.words, reply.player))

    @app_commands.command(name="results", description=described("event_results"))
    @app_commands.describe(event=described("option_event"))
    async def results(self, interaction: Interaction, event: Number | None = None) -> None:
        """Every place of an event that is over, and the record of its draw."""

        async def body(reply: Reply) -> None:
            key = await self.chosen(reply, event, phases=OVER)
            if key is not None:
                await self._results(reply, key)

        await self.services.gate.run(interaction, body)

    async def press_results(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The same by a button."""
        await self._results(reply, self.key_of(reply, press))

    async def _results(self, reply: Reply, key: EventKey) -> None:
        view = await self.services.events.look(key)
        if not view.event.phase.over:
            await reply.show(standings_screen(view, reply.words, reply.player))
            return
        shown = results_screen(view, reply.words)
        file = await self._proof(key)
        if file is not None:
            # A file is shown only where a component names it.
            shown.add_item(ui.TextDisplay(reply.words("event.proof.right")))
            shown.add_item(ui.File(f"attachment://{file.filename}"))
        await reply.show_apart(shown, file=file)

    async def _proof(self, key: EventKey) -> discord.File | None:
        """The record of the draw as a file; None for an event that was called off before it."""
        try:
            proof = await self.services.events.draw_proof(key)
        except Refused as refused:
            if refused.reason is not PlayReason.NOT_DRAWN_YET:
                raise
            return None
        data = json.dumps(proof, ensure_ascii=False, indent=2).encode()
        return discord.File(io.BytesIO(data), filename=f"chaipo-event-{key.number}.json")

    @app_commands.command(name="series", description=described("event_series"))
    @app_commands.describe(series=described("option_series"))
    async def series(self, interaction: Interaction, series: app_commands.Range[str, 0, 40] = "") -> None:
        """The leaderboard of a series; the only one need not be named."""

        async def body(reply: Reply) -> None:
            known = await self.services.events.series(reply.guild)
            name = series.strip() or (known[0] if len(known) == 1 else "")
            if not known:
                await reply.say(reply.words("event.series_table.none"))
                return
            if not name:
                listed = reply.words.list([escape_name(one) for one in known[:MOST_CHOICES]])
                await reply.say(reply.words("event.series_table.which", series=listed))
                return
            lines = await self.services.events.series_table(reply.guild, name)
            await reply.show(series_screen(name, lines, reply.words))

        await self.services.gate.run(interaction, body)

    @series.autocomplete("series")
    async def all_series(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The series of this server."""
        known = await self.services.events.series(GuildId(interaction.guild_id or 0))
        found = [name for name in known if current.casefold() in name.casefold()]
        return [app_commands.Choice(name=name[:100], value=name[:100]) for name in found[:MOST_CHOICES]]

    @app_commands.command(name="log", description=described("event_log"))
    @app_commands.describe(event=described("option_event"))
    async def log(self, interaction: Interaction, event: Number | None = None) -> None:
        """The last lines of an event's log, for everybody in it."""

        async def body(reply: Reply) -> None:
            key = await self.looked_back(reply, event)
            if key is None:
                return
            facts = await self.services.events.log(key, self.official(reply))
            found = (await self.services.events.look(key)).event
            await reply.show(log_screen(found, facts, reply.words))

        await self.services.gate.run(interaction, body)

    # taking part

    @app_commands.command(name="register", description=described("event_register"))
    @app_commands.describe(event=described("option_event"))
    async def register(self, interaction: Interaction, event: Number | None = None) -> None:
        """Register, or enter again."""

        async def body(reply: Reply) -> None:
            key = await self.chosen(reply, event)
            if key is not None:
                await self._register(reply, key)

        await self.services.gate.run(interaction, body)

    async def press_register(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The same by a button."""
        await self._register(reply, self.key_of(reply, press))

    async def _register(self, reply: Reply, key: EventKey) -> None:
        entrant = await self.services.events.register(key, reply.player, cause=reply.cause)
        view = await self.services.events.look(key)
        await reply.say(_registered(view, entrant, reply.words))

    @app_commands.command(name="withdraw", description=described("event_withdraw"))
    @app_commands.describe(event=described("option_event"))
    async def withdraw(self, interaction: Interaction, event: Number | None = None) -> None:
        """Take a registration back."""

        async def body(reply: Reply) -> None:
            key = await self.chosen(reply, event)
            if key is not None:
                await self._withdraw(reply, key)

        await self.services.gate.run(interaction, body)

    async def press_withdraw(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The same by a button."""
        await self._withdraw(reply, self.key_of(reply, press))

    async def _withdraw(self, reply: Reply, key: EventKey) -> None:
        await self.services.events.withdraw(key, reply.player, cause=reply.cause)
        await self._say(reply, key, "withdrawn")

    @app_commands.command(name="check-in", description=described("event_check_in"))
    @app_commands.describe(event=described("option_event"))
    async def check_in(self, interaction: Interaction, event: Number | None = None) -> None:
        """Be there."""

        async def body(reply: Reply) -> None:
            key = await self.chosen(reply, event)
            if key is not None:
                await self._check_in(reply, key)

        await self.services.gate.run(interaction, body)

    async def press_check_in(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The same by a button."""
        await self._check_in(reply, self.key_of(reply, press))

    async def _check_in(self, reply: Reply, key: EventKey) -> None:
        await self.services.events.check_in(key, reply.player, cause=reply.cause)
        await self._say(reply, key, "checked_in")

    async def _say(self, reply: Reply, key: EventKey, what: str) -> None:
        """What was done, with the event's name."""
        event = (await self.services.events.look(key)).event
        await reply.say(reply.words(f"event.done.{what}", name=escape_name(event.name)))

    @show.autocomplete("event")
    @standings.autocomplete("event")
    @results.autocomplete("event")
    @log.autocomplete("event")
    @register.autocomplete("event")
    @withdraw.autocomplete("event")
    @check_in.autocomplete("event")
    async def events(self, interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
        """The events that can be meant."""
        return await self.suggested(interaction, current)


def _registered(view: EventView, entrant: Entrant, words: Words) -> str:
    """What comes next for somebody who has registered."""
    event = view.event
    name = escape_name(event.name)
    if entrant.playing or event.phase is Phase.RUNNING:
        return words("event.done.seated", name=name)
    opens = event.check_in_at
    if event.phase is Phase.REGISTERING and opens is not None:
        return words("event.done.registered_check_in", name=name, at=hour(opens), from_now=moment(opens))
    return words("event.done.registered", name=name)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(EventCommands(bot))
