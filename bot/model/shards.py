"""Which connection to Discord serves a guild."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.model.ids import GuildId


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """One of the connections to Discord: it serves the guilds with ``(id >> 22) % count == number``."""

    number: int
    count: int

    def serves(self, guild: GuildId) -> bool:
        """True when the guild's interactions come over this connection."""
        return (guild >> 22) % self.count == self.number


EVERYTHING = Shard(number=0, count=1)
"""The one connection of a bot in few servers; as a share of the servers, all of them."""
Serves = Callable[[GuildId], bool]
"""True of some of the servers."""
