"""Which event a press means, who may see it and who may announce one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from bot.base.meter import Outcome
from bot.chat.event.screens.draft.sheet import Sheet, with_channels
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.gate import PressKind
from bot.chat.kit.given_roles import role_problem
from bot.chat.kit.permissions_here import may_hold_tables, may_see, may_thread, roles_of, sees
from bot.chat.kit.reply import Reply
from bot.chat.kit.widgets import Interaction
from bot.chat.services import Services
from bot.model.choices import Server
from bot.model.events import Official, Phase
from bot.model.ids import UNTAGGED, EventKey, GuildId, Player
from bot.model.reasons import EventReason, TableReason
from bot.play.event.office.vouching import Authority
from bot.play.event.organisers.organiser import may_announce
from bot.pure.event.structure import Structure
from bot.pure.ofc.refusals import Refused
from bot.text.words import Words, escape_name

Act = Callable[[Reply, EventKey], Awaitable[None]]
"""What a button does with the event that it means."""
MOST_CHOICES = 25
EVERY_PHASE = tuple(Phase)
LONGEST_PLAYER = 20
"""Digits of whoever may be chosen from a menu."""


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


def not_allowed(role: int | None, words: Words) -> str:
    """Return who may announce events in a server, for somebody who may not."""
    if role is None:
        return words("event.refuse.not_allowed")
    return words("event.refuse.not_allowed_role", role=f"<@&{role}>")


class WhichEvent:
    """Lets people at events that they may see, and at announcing if they may."""

    def __init__(self, services: Services) -> None:
        self._services = services

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
        await reply.say(not_allowed(server.organiser_role, reply.words))
        return False

    def button(
        self,
        verb: str,
        act: Act,
        *,
        kind: PressKind = PressKind.PRIVATE,
        asks: Act | None = None,
    ) -> None:
        """Route a button that does something with the event on whose message it stands.

        Under other terms than those that were shown, ``asks`` shows the current ones and asks for the press.
        """

        async def pressed(reply: Reply, press: Press, values: Sequence[str]) -> None:
            await self.demand_seen(reply, event_of(reply, press))
            await act(reply, event_of(reply, press))

        async def asked_again(reply: Reply, press: Press, values: Sequence[str]) -> None:
            assert asks is not None
            await asks(reply, event_of(reply, press))

        self._services.gate.route(verb, pressed, kind=kind, asks=asked_again if asks else None)


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
