"""Servers that the bot has left: since when is noted, and after the operator's days all that is kept of them goes."""

from __future__ import annotations

import logging

from bot.live.client import Client
from bot.model.ids import GuildId
from bot.play.doors.privacy import Privacy

log = logging.getLogger(__name__)


class Departures:
    """Looks now and then in which of the known servers the bot still is."""

    def __init__(self, client: Client, privacy: Privacy) -> None:
        self._client = client
        self._privacy = privacy

    async def look(self) -> None:
        """Note who is gone and who is back, and delete what is due. Discord must be there."""
        for guild in await self._privacy.look_at_servers(is_there=self._is_there, serves=self._client.serves):
            log.info("deleted everything of server %s, which the bot left long ago", guild)

    def _is_there(self, guild: GuildId) -> bool:
        """True also of a server that another process's connections serve: it is unknown here, and not left."""
        return self._client.get_guild(guild) is not None or not any(
            shard.serves(guild) for shard in self._client.served
        )
