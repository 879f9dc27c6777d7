"""Roles for the winners of events and series, and the permissions of the member who vouches for an event."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

import discord

from bot.chat.kit.given_roles import could_give, hands_out, role_still_allowed
from bot.chat.kit.permissions_here import writes_in
from bot.model.choices import ServerSettings
from bot.model.events import Event, EventPosting, Notice
from bot.model.ids import GuildId, Player
from bot.play.api.events import Events
from bot.play.event.office.permissions import NO_AUTHORITY, MemberPermissions
from bot.play.event.office.role_claims import RoleChange
from bot.play.event.office.views import EventView
from bot.play.event.organisers.organiser import may_announce

log = logging.getLogger(__name__)


class WinnerRoles:
    """Checks members' permissions with Discord, and gives winners their roles, or takes them after a ruling."""

    def __init__(
        self, client: discord.Client, events: Events, server: Callable[[GuildId], Awaitable[ServerSettings]]
    ) -> None:
        """``server`` returns a server's settings."""
        self._client = client
        self._events = events
        self._server = server

    async def _member(self, guild: discord.Guild, player: str) -> discord.Member | None:
        if not player.isdigit():
            return None
        try:
            return await guild.fetch_member(int(player))
        except discord.NotFound:
            return None

    async def _hands_out_any(self, event: Event) -> bool:
        """True if the bot can give at least one of the promised roles. If not, there's no need to ask Discord."""
        guild, server = self._client.get_guild(event.key.guild), await self._server(event.key.guild)
        found = [guild.get_role(role) for role in event.structure.roles] if guild else []
        return any(role is not None and hands_out(role, server) for role in found)

    async def vouched(self, view: EventView) -> MemberPermissions:
        """Return the permissions of the member who vouches for an event; none if they have left.

        Raises Discord's errors.
        """
        event, by = view.event, await self._events.voucher(view.event.key)
        guild, server = self._client.get_guild(event.key.guild), await self._server(event.key.guild)
        if guild is None or not by.isdigit():
            return NO_AUTHORITY
        try:
            member = await guild.fetch_member(int(by))
        except discord.NotFound:
            return NO_AUTHORITY
        allowed = member.guild_permissions
        announces = may_announce(
            server,
            manager=allowed.manage_guild or allowed.manage_events,
            roles=frozenset(role.id for role in member.roles),
        )
        return MemberPermissions(
            manager=allowed.manage_guild,
            announces=announces,
            roles=frozenset(role for role in event.structure.roles if role and _gives(member, role, server)),
            closed=frozenset(one for one in event.channels if not writes_in(member, self._client.get_channel(one))),
        )

    async def change_roles(
        self, view: EventView, changes: Sequence[RoleChange], chosen: Mapping[int, Player | None]
    ) -> list[RoleChange]:
        """Give and take roles, and return the changes that the bot wasn't allowed to make.

        ``chosen`` has the champions' roles, each with the manager who chose it. Players who have left the server are
        skipped. Raises transient errors.
        """
        event, guild = view.event, self._client.get_guild(view.event.key.guild)
        if guild is None or not changes:
            return []
        server, refused = await self._server(event.key.guild), list[RoleChange]()
        promised = (await self.vouched(view)).roles if await self._hands_out_any(event) else frozenset()
        for change in changes:
            role = guild.get_role(change.role)
            if role is None and not change.gives:  # it was deleted, so no one has it
                continue
            possible = role is not None and hands_out(role, server)
            member = await self._member(guild, change.player) if possible else None
            if possible and member is None:
                continue
            if member is None or not (change.role in promised or await _may_change(guild, change, chosen)):
                log.warning(
                    "a role of event %s/%s was not changed: %s",
                    event.key.guild,
                    event.key.number,
                    "the bot is not allowed to",
                )
                refused.append(change)
                continue
            turn = member.add_roles if change.gives else member.remove_roles
            try:
                await turn(discord.Object(change.role), reason=event.name[:100])
            except (discord.Forbidden, discord.NotFound) as error:
                log.warning("a role of event %s/%s was not changed: %s", event.key.guild, event.key.number, error)
                refused.append(change)
        return refused


async def _may_change(guild: discord.Guild, change: RoleChange, chosen: Mapping[int, Player | None]) -> bool:
    """True if a champions' role may be taken, or if the manager who chose it could still give it."""
    if change.role not in chosen:
        return False
    return not change.gives or await role_still_allowed(guild, change.role, chosen[change.role])


def promised_roles(view: EventView, places: Iterable[tuple[str, int, int]]) -> list[RoleChange]:
    """Return the changes of promised roles, given each player's former and new place. A place of 0 has no role."""
    roles, changes = view.event.structure.roles, list[RoleChange]()
    for player, before, after in places:
        former, role = (roles[place - 1] if 1 <= place <= len(roles) else 0 for place in (before, after))
        changes += [
            RoleChange(player=Player(player), role=one, gives=gives)
            for one, gives in ((former, False), (role, True))
            if one and former != role
        ]
    return changes


def role_changes(view: EventView, posting: EventPosting) -> list[RoleChange]:
    """Return the roles to give and take after a notice. Older notices of rulings have only the places."""
    details = posting.details
    if posting.notice is Notice.ENDED:
        changes = promised_roles(view, [(line.entrant.player, 0, line.entrant.place) for line in view.fair])
        return [*_champions_roles(details.get("series", {})), *changes]
    if posting.notice is not Notice.RULING or not details.get("late"):
        return []
    if "role_changes" not in details:
        return promised_roles(view, details.get("moved", ()))
    return [RoleChange(player=player, role=role, gives=gives) for player, role, gives in details["role_changes"]]


def _champions_roles(report: Mapping[str, Any]) -> list[RoleChange]:
    """Return the changes of the champions' role after the last date of a series: first those of the former ones."""
    if "champions" not in report:
        return []
    turns = ((report["former"], report["former_role"], False), (report["champions"], report["role"], True))
    return [
        RoleChange(player=player, role=role, gives=gives)
        for players, role, gives in turns
        if role is not None
        for player in players
    ]


def chosen_roles(posting: EventPosting) -> dict[int, Player | None]:
    """Return the champions' roles that a notice is about, each with the manager who chose it."""
    report = posting.details.get("series", {})
    found = dict[int, Player | None](posting.details.get("chosen", ()))
    if "champions" in report:
        found |= {role: None for role in (report["former_role"],) if role is not None}
        found |= {role: report["role_by"] for role in (report["role"],) if role is not None}
    return found


def _gives(member: discord.Member, role: int, server: ServerSettings) -> bool:
    """True if both the member and the bot may give the role now, no matter what was promised before."""
    found = member.guild.get_role(role)
    return found is not None and could_give(member, found) and hands_out(found, server)
