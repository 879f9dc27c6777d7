"""Which event a command means, and who may organise it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.live.client import Client
from bot.meter import Outcome
from bot.play.event.model import Event, Phase, Server
from bot.play.event.organiser import Official
from bot.play.event.service import OPEN
from bot.play.model import UNTAGGED, EventKey, GuildId
from bot.text.catalogue import Language
from bot.text.zones import zone_named
from bot.ui.gate import Reply
from bot.ui.presses import Press
from bot.ui.widgets import Interaction

MOST_CHOICES = 25
USUAL_ZONES: dict[Language, str] = {"ja": "Asia/Tokyo", "en": "UTC"}
"""Where hours are read in a server that has chosen no time zone."""
EVERY_PHASE = tuple(Phase)
OVER = (Phase.ENDED,)
LOOKING_BACK = ("show", "standings", "results", "log")
"""Commands that are also about events that are over."""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_ID = re.compile(r"[0-9a-z]{1,14}")


def short_id(number: int) -> str:
    """An id of Discord as it fits into a button."""
    digits = ""
    while number:
        number, rest = divmod(number, len(_DIGITS))
        digits = _DIGITS[rest] + digits
    return digits or "0"


def long_id(text: str) -> int:
    """The id again; 0 for what is none."""
    return int(text, len(_DIGITS)) if _ID.fullmatch(text) else 0


class EventChoice(commands.Cog):
    """What all of ``/event`` shares."""

    bot: Client

    # which event

    def key_of(self, reply: Reply, press: Press) -> EventKey:
        """The event that a press speaks of: always one of the guild in which it was pressed."""
        return EventKey(guild=reply.guild, number=press.table, tag=press.tag or UNTAGGED)

    async def chosen(self, reply: Reply, number: int | None, *, phases: Sequence[Phase] = OPEN) -> EventKey | None:
        """The event that is meant: the one named, else that of this channel or thread, else the only one.

        Where it is not plain the reader is told, and it is None.
        """
        if number is not None:
            return EventKey(guild=reply.guild, number=number)
        here = await self._here(reply)
        if here is not None:
            return here
        events = await self.bot.services.events.events(reply.guild, phases)
        near = [event for event in events if event.channel == reply.interaction.channel_id]
        meant = near if near else events
        if len(meant) == 1 or (meant and phases is not OPEN):
            return meant[0].key
        reply.outcome = Outcome.REFUSED
        if meant:
            await reply.say(reply.words("event.refuse.which", example=meant[0].key.number))
        elif phases == OVER:
            await reply.say(reply.words("event.refuse.none_over"))
        else:
            await reply.say(reply.words("event.refuse.none_open"))
        return None

    async def _here(self, reply: Reply) -> EventKey | None:
        """The event whose table is in this thread."""
        tables = await self.bot.services.play.open_tables(reply.guild)
        channel = reply.interaction.channel_id
        events = {table.event for table in tables if table.channel == channel and table.event is not None}
        return events.pop() if len(events) == 1 else None

    async def looked_back(self, reply: Reply, number: int | None) -> EventKey | None:
        """The same for looking: where no event is open, the last one is meant."""
        if number is not None or await self.bot.services.events.events(reply.guild, OPEN):
            return await self.chosen(reply, number)
        return await self.chosen(reply, None, phases=EVERY_PHASE)

    async def suggested(self, interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
        """The events whose number or name holds what was typed."""
        command = interaction.command.name if interaction.command else ""
        phases = EVERY_PHASE if command in LOOKING_BACK else OPEN
        events = await self.bot.services.events.events(GuildId(interaction.guild_id or 0), phases)
        wanted = current.casefold()
        named = [(f"{event.key.number}. {event.name}", event.key.number) for event in events]
        found = [
            app_commands.Choice(name=name[:100], value=number) for name, number in named if wanted in name.casefold()
        ]
        return found[:MOST_CHOICES]

    # who may

    def official(self, reply: Reply) -> Official:
        """Who uses a tool."""
        return Official(player=reply.player, manager=reply.interaction.permissions.manage_guild)

    async def may_organise(self, reply: Reply) -> bool:
        """True for those who may announce events; others are told who may."""
        server = await self.bot.services.events.server(reply.guild)
        permissions, user = reply.interaction.permissions, reply.interaction.user
        roles = {role.id for role in user.roles} if isinstance(user, discord.Member) else set()
        if permissions.manage_guild or permissions.manage_events or server.organiser_role in roles:
            return True
        reply.outcome = Outcome.REFUSED
        if server.organiser_role is None:
            await reply.say(reply.words("event.refuse.not_allowed"))
        else:
            await reply.say(reply.words("event.refuse.not_allowed_role", role=f"<@&{server.organiser_role}>"))
        return False

    async def zone(self, reply: Reply) -> str:
        """The time zone in which hours are written."""
        return zone_of(await self.bot.services.events.server(reply.guild), reply.words.language)


def zone_of(server: Server, language: Language) -> str:
    """The server's time zone, or that of the reader's language."""
    return zone_named(server.zone) or USUAL_ZONES[language]


def by_number(events: Sequence[Event]) -> list[Event]:
    """The events that are open first, then the newest."""
    return sorted(events, key=lambda event: (event.phase.over, -event.key.number))
