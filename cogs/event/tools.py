"""Presses of earlier versions of the desk, and a server's settings for events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import app_commands

from bot.base.meter import Outcome
from bot.chat.event.acts.organisers import BY_NAME
from bot.chat.event.screens.draft.sheet import ONCE, REPEATS
from bot.chat.event.screens.tools import settings_text
from bot.chat.kit.command_words import described
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.reply import Reply
from bot.chat.kit.typed_choice import zone_meant
from bot.chat.kit.widgets import Interaction
from bot.chat.services import Services
from bot.text.words import escape_name
from bot.text.zones import zone_of, zones_with
from cogs.event.acts import OrganisersActs
from cogs.event.desk import OrganisersDesk
from cogs.event.which_event import MOST_CHOICES, event_of


class OrganisersTools:
    """Presses of the desk that are no acts, or those of earlier versions."""

    def __init__(self, acts: OrganisersActs, desk: OrganisersDesk) -> None:
        self._acts = acts
        self.never_minded: Callable[[Reply], None] = lambda reply: None
        """Called for somebody who didn't mean what they were asked about."""
        desk.route("ev_keep", self._never_mind)
        desk.route("ev_repeat", self._repeat)

    async def _never_mind(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        self.never_minded(reply)
        return reply.words("event.ask.kept")

    async def _repeat(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        """A button of an earlier version says how often."""
        key, every = event_of(reply, press), press.argument
        return await self._acts.do(BY_NAME["repeat"], reply, key, choice=every if every in REPEATS else ONCE)


class EventSettings:
    """A server's settings for events."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def command(self) -> app_commands.Command[Any, ..., Any]:
        """Return the command."""
        made: app_commands.Command[Any, ..., Any] = app_commands.Command(
            name="settings", description=described("event_settings"), callback=self.settings
        )
        made.autocomplete("zone")(self._zones_suggested)
        return made

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
