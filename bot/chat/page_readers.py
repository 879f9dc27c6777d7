"""Players' open pages. Discord is regularly asked whether these players are still in the server.

The bot isn't notified when a member leaves, is removed or is banned. Such a member can no longer press anything in
Discord, but requests from a page don't go through Discord.
"""

from __future__ import annotations

import logging

import discord
from typing_extensions import override

from bot.base.logs import note
from bot.chat.discord_patches.governor import important
from bot.chat.discord_patches.limits import Importance
from bot.chat.kit.scheduled_poster import PosterContext, ScheduledPoster
from bot.chat.table.posts.open_panels import PageLinks
from bot.model.clock import MINUTE
from bot.model.ids import GuildId, Player

log = logging.getLogger(__name__)

ASKED_EVERY_MS = 10 * MINUTE
MAX_PER_SWEEP = 60
"""Maximum number of players checked per sweep. Sweeps are half a minute apart."""
NO_MEMBER = (10007, 10013)
"""Discord's error codes for a user who isn't in the server, and for a deleted account."""

Whose = tuple[GuildId, Player]


class PageReaders(ScheduledPoster[Whose]):
    """Closes the pages of players who have left the server. Pages stay open while Discord is unavailable."""

    def __init__(self, context: PosterContext, links: PageLinks) -> None:
        super().__init__(context)
        self._links = links
        self._asked: dict[Whose, int] = {}
        """When Discord last answered about each player (ms)."""

    @override
    def _name(self, whose: Whose) -> str:
        return f"the page of a reader in server {whose[0]}"

    @override
    async def _due(self) -> list[Whose]:
        since = self.now() - ASKED_EVERY_MS
        self._asked = {whose: at for whose, at in self._asked.items() if at > since}
        return [whose for whose in self._links.readers() if whose not in self._asked][:MAX_PER_SWEEP]

    @override
    async def _see_to(self, whose: Whose) -> bool:
        guild, player = whose
        note(guild=guild)
        server = self.client.get_guild(guild)
        if server is None or whose in self._asked:
            return False
        try:
            with important(Importance.CLEANUP):
                member = await server.fetch_member(int(player))
        except (discord.NotFound, discord.Forbidden) as error:
            if error.code in NO_MEMBER:
                await self._links.left(guild, player)
                log.info("closed the pages of a user who is no longer in server %s", guild)
        else:
            self.names.saw(guild, player, member.display_name, username=member.name)
        self._asked[whose] = self.now()
        return True
