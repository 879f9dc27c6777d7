"""The event that a press is about, and the members who may see or announce it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from bot.base.clean_text import one_line
from bot.chat.event.screens.draft.event_choices import EventChoices, with_channels
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.gate import PressKind
from bot.chat.kit.given_roles import role_problem
from bot.chat.kit.permissions_here import check_may_write, may_hold_tables, may_see, may_thread, roles_of, sees
from bot.chat.kit.reply import Reply
from bot.chat.kit.widgets import Interaction
from bot.chat.services import Services
from bot.model.choices import ServerSettings
from bot.model.events import Official, Phase
from bot.model.ids import UNTAGGED, EventKey, GuildId, Player
from bot.model.reasons import EventReason, TableReason
from bot.play.event.office.permissions import MemberPermissions
from bot.play.event.organisers.organiser import may_announce
from bot.play.event.organisers.organiser_desk import DeskView
from bot.pure.event.structure import Structure
from bot.pure.ofc.refusals import Refused
from bot.text.words import Words, escape_name

Act = Callable[[Reply, EventKey], Awaitable[None]]
"""Handles a button, given the event's key."""
MAX_CHOICES = 25
EVERY_PHASE = tuple(Phase)
MAX_PLAYER_ID_LENGTH = 20
"""Maximum number of digits in a player's id from a menu."""


def chosen_player(values: Sequence[str]) -> Player | None:
    """Return the player chosen from a menu; None without a valid choice."""
    return Player(values[0]) if values and values[0].isdecimal() and len(values[0]) <= MAX_PLAYER_ID_LENGTH else None


def event_of(reply: Reply, press: Press) -> EventKey:
    """Return the event that a press is about. It's always in the server of the interaction."""
    return EventKey(guild=reply.guild, number=press.table, tag=press.tag or UNTAGGED)


def official(reply: Reply) -> Official:
    """Return the member in the role of an organiser."""
    manager = reply.interaction.permissions.manage_guild
    return Official(player=reply.player, manager=manager, roles=roles_of(reply.interaction))


async def desk_of(services: Services, reply: Reply, key: EventKey) -> DeskView:
    """Return the event's desk for the member; raises Refused unless they may run the event.

    Stand-ins must be able to write in the event's channel.
    """
    by = official(reply)
    desk = await services.events.at_desk(key, by)
    if not by.organises(desk.event):
        check_may_write(reply.interaction, desk.event.channel)
    return desk


def authority_of(
    interaction: Interaction, server: ServerSettings, structure: Structure | None = None
) -> MemberPermissions:
    """Return the member's current rights in the server, and the roles of the event that they may promise."""
    allowed = interaction.permissions
    promised = structure.roles if structure else ()
    return MemberPermissions(
        manager=allowed.manage_guild,
        announces=may_announce(
            server, manager=allowed.manage_guild or allowed.manage_events, roles=roles_of(interaction)
        ),
        roles=frozenset(role for role in promised if role and not role_problem(interaction, role, server)),
    )


def not_allowed(role: int | None, words: Words) -> str:
    """Return the refusal that names the role allowed to announce events."""
    if role is None:
        return words("event.refuse.not_allowed")
    return words("event.refuse.not_allowed_role", role=f"<@&{role}>")


def visible_series(interaction: Interaction, known: Mapping[str, int]) -> tuple[str, ...]:
    """Return the series in ``known`` whose channel is visible to the member, in the same order."""
    return tuple(name for name, channel in known.items() if may_see(interaction, channel))


class EventAccess:
    """Checks which events a member may see, and whether they may announce one."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def series_seen(self, interaction: Interaction) -> list[str]:
        """Return the series whose newest event is in a channel visible to the member, most recently used first."""
        known = await self._services.events.series(GuildId(interaction.guild_id or 0))
        return list(visible_series(interaction, known))

    async def require_series_visible(self, reply: Reply, name: str) -> None:
        """Raise Refused if the series' newest event is in a channel that the member may not see."""
        meant = await self._services.events.series_meant(reply.guild, name)
        channel = (await self._services.events.series(reply.guild)).get(meant)
        if channel is not None and not await sees(reply.interaction, channel):
            raise Refused(EventReason.SERIES_HIDDEN, series=escape_name(one_line(name)))

    async def require_visible(self, reply: Reply, key: EventKey) -> None:
        """Raise Refused if the member may not see the event's channel, unless they take part or organise it."""
        event, takes_part = await self._services.events.event_for(key, reply.player)
        if takes_part or event.channel == reply.interaction.channel_id or official(reply).organises(event):
            return
        if not await sees(reply.interaction, event.channel):
            raise Refused(TableReason.CHANNEL_HIDDEN)

    async def may_announce(self, reply: Reply) -> bool:
        """True if the member may announce events. Other members are shown which role is required."""
        server = await self._services.play.server(reply.guild)
        if authority_of(reply.interaction, server).announces:
            return True
        await reply.refuse(not_allowed(server.organiser_role, reply.words))
        return False

    def button(
        self,
        verb: str,
        act: Act,
        *,
        kind: PressKind = PressKind.PRIVATE,
        asks: Act | None = None,
    ) -> None:
        """Route a button on an event's message.

        If the terms have changed since they were shown, ``asks`` shows the current ones for confirmation.
        """

        async def pressed(reply: Reply, press: Press, values: Sequence[str]) -> None:
            await self.require_visible(reply, event_of(reply, press))
            await act(reply, event_of(reply, press))

        async def asked_again(reply: Reply, press: Press, values: Sequence[str]) -> None:
            assert asks is not None
            await asks(reply, event_of(reply, press))

        self._services.gate.route(verb, pressed, kind=kind, asks=asked_again if asks else None)


def without_unusable_channels(reply: Reply, choices: EventChoices) -> EventChoices:
    """Return the choices without threads or channels that the bot can't use for tables.

    The choices of an announced event are returned unchanged.
    """
    if choices.of:
        return choices
    if choices.structure.threads and not may_thread(reply.interaction):
        choices = replace(choices, structure=replace(choices.structure, threads=False))
    return spread(reply, choices)


def spread(reply: Reply, choices: EventChoices) -> EventChoices:
    """Return the choices without channels that can't hold its tables."""
    threads, chosen = choices.structure.threads, choices.structure.channels
    return with_channels(choices, [one for one in chosen if may_hold_tables(reply.interaction, one, threads=threads)])
