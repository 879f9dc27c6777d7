"""The champions' role, which passes to new champions at the end of a season or series."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence

import discord

from bot.chat.kit.faces import DisplayNames
from bot.chat.kit.given_roles import hands_out, role_still_allowed
from bot.model.choices import ServerSettings
from bot.model.ids import GuildId, Player

log = logging.getLogger(__name__)


class ChampionRoles:
    """Passes the champions' role on."""

    def __init__(self, server: Callable[[GuildId], Awaitable[ServerSettings]], names: DisplayNames) -> None:
        """``server`` returns a server's settings."""
        self._server = server
        self._names = names

    async def pass_on(
        self,
        guild: discord.Guild,
        *,
        role: int | None,
        by: Player | None,
        champions: Sequence[Player],
        former_role: int | None,
        former: Sequence[Player],
    ) -> bool:
        """Take ``former_role`` from the previous champions, and give ``role`` to the new ones; False if refused.

        ``by`` is the manager who chose the role.
        """
        taken = await self._change(guild, former, former_role, give=False)
        if not champions or role is None:
            return taken
        if not await role_still_allowed(guild, role, by):
            log.warning("a champions' role in server %s was not changed: %s", guild.id, "no manager vouches for it")
            return False
        return await self._change(guild, champions, role, give=True) and taken

    async def _change(self, guild: discord.Guild, players: Sequence[Player], role: int | None, *, give: bool) -> bool:
        if role is None or not players:
            return True
        found = guild.get_role(role)
        if found is None or not hands_out(found, await self._server(GuildId(guild.id))):
            log.warning(
                "a champions' role in server %s was not changed: %s", guild.id, "the bot is not allowed to give it"
            )
            return False
        well = True
        for player in players:
            member = await self.member(guild, player)
            if member is None:
                continue
            change = member.add_roles if give else member.remove_roles
            try:
                await change(discord.Object(role))
            except (discord.Forbidden, discord.NotFound) as error:
                log.warning("a champions' role in server %s was not changed: %s", guild.id, error)
                well = False
        return well

    async def member(self, guild: discord.Guild, player: Player) -> discord.Member | None:
        """Return a member who is still in the server, and cache their name; None otherwise."""
        if not player.isdigit():
            return None
        try:
            member = await guild.fetch_member(int(player))
        except discord.NotFound:
            return None
        self._names.saw(GuildId(guild.id), player, member.display_name, username=member.name)
        return member
