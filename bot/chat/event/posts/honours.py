"""Roles for an event's winners, and the permissions of the member who vouches for the event."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence

import discord

from bot.chat.kit.given_roles import could_give, hands_out
from bot.chat.kit.permissions_here import writes_in
from bot.model.choices import ServerSettings
from bot.model.events import Event
from bot.model.ids import GuildId
from bot.play.api.events import Events
from bot.play.event.office.permissions import NO_AUTHORITY, MemberPermissions
from bot.play.event.office.views import EventView
from bot.play.event.organisers.organiser import may_announce

log = logging.getLogger(__name__)


class WinnerRoles:
    """Checks members' permissions with Discord, and gives winners the promised roles."""

    def __init__(
        self, client: discord.Client, events: Events, server: Callable[[GuildId], Awaitable[ServerSettings]]
    ) -> None:
        """``server`` returns a server's settings."""
        self._client = client
        self._events = events
        self._server = server

    async def _member(self, event: Event, player: str) -> discord.Member | None:
        guild = self._client.get_guild(event.key.guild)
        if guild is None or not player.isdigit():
            return None
        try:
            return await guild.fetch_member(int(player))
        except discord.HTTPException as error:
            log.info("a player of event %s/%s could not be found: %s", event.key.guild, event.key.number, error)
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

    async def give_roles(self, view: EventView) -> None:
        """Give the roles that the organiser has promised, if the bot is allowed to."""
        await self._change_roles(view, [(line.entrant.player, 0, line.entrant.place) for line in view.fair])

    async def move_roles(self, view: EventView, moved: Sequence[tuple[str, int, int]]) -> None:
        """After a ruling, take the roles of former places and give those of the new ones.

        ``moved`` has each player's former and new place. A place of 0 has no role.
        """
        await self._change_roles(view, moved)

    async def _change_roles(self, view: EventView, places: Sequence[tuple[str, int, int]]) -> None:
        event, roles = view.event, view.event.structure.roles
        allowed = (await self.vouched(view)).roles if await self._hands_out_any(event) else frozenset()
        for player, before, after in places:
            former, role = (roles[place - 1] if 1 <= place <= len(roles) else 0 for place in (before, after))
            if former == role:
                continue
            if not allowed.issuperset(one for one in (former, role) if one):
                log.warning("the role of place %s was not changed: the bot is not allowed to give it", after or before)
                continue
            member = await self._member(event, player)
            if member is None:
                continue
            try:
                if former:
                    await member.remove_roles(discord.Object(former), reason=event.name[:100])
                if role:
                    await member.add_roles(discord.Object(role), reason=event.name[:100])
            except discord.HTTPException as error:
                log.warning("the role of place %s was not changed: %s", after or before, error)


def _gives(member: discord.Member, role: int, server: ServerSettings) -> bool:
    """True if both the member and the bot may give the role now, no matter what was promised before."""
    found = member.guild.get_role(role)
    return found is not None and could_give(member, found) and hands_out(found, server)
