"""The bot as a cog may use it."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.live.services import Services
from bot.model.ids import GuildId, Shard
from bot.ops.metrics import Metrics


class Client(commands.AutoShardedBot):
    """A discord.py bot with what works behind its cogs."""

    services: Services
    leased: list[Shard] | None = None
    """The connections that this process has leased and that are there; None where it shares them with nobody."""
    leads: bool = True
    """True where this process does what is done once for the whole bot."""
    metrics: Metrics
    started_at: int
    """Milliseconds since 1970, by the clock of the publisher."""

    @property
    def served(self) -> Sequence[Shard]:
        """The connections that this process holds: all that there are, unless it was told which."""
        if self.leased is not None:
            return list(self.leased)
        numbers = range(self.shard_count or 1) if self.shard_ids is None else self.shard_ids
        return [self.shard(number) for number in numbers]

    def shard(self, number: int | None) -> Shard:
        """One of the connections as play knows it."""
        return Shard(number=number or 0, count=self.shard_count or 1)

    def serves(self, guild: GuildId) -> bool:
        """True when a guild's interactions come to this process."""
        return any(shard.serves(guild) for shard in self.served)

    def shard_of(self, guild: GuildId) -> Shard:
        """The connection over which a guild's interactions come."""
        return self.shard((guild >> 22) % (self.shard_count or 1))
