"""The discord.py client, with the services that its cogs use."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.chat.services import Services
from bot.model.ids import GuildId, Shard
from bot.ops.metrics import Metrics


class Client(commands.AutoShardedBot):
    """A discord.py bot with the services that its cogs use."""

    services: Services
    leased: list[Shard] | None = None
    """Publisher's time of the start (ms since 1970)."""
    leads: bool = True
    """True if this process does the work that only one of the bot's processes may do."""
    metrics: Metrics
    started_at: int
    """Time of the start (ms since 1970), by the publisher's clock."""

    @property
    def served(self) -> Sequence[Shard]:
        """The shards of this process: all of the bot's, unless it leased or was assigned some."""
        if self.leased is not None:
            return list(self.leased)
        numbers = range(self.shard_count or 1) if self.shard_ids is None else self.shard_ids
        return [self.shard(number) for number in numbers]

    def shard(self, number: int | None) -> Shard:
        """Return a shard by its number."""
        return Shard(number=number or 0, count=self.shard_count or 1)

    def serves(self, guild: GuildId) -> bool:
        """True if the guild's interactions reach this process."""
        if self.leased is None and self.shard_ids is None:
            return True
        return any(shard.serves(guild) for shard in self.served)

    def shard_of(self, guild: GuildId) -> Shard:
        """Return the shard that carries the guild's interactions."""
        return self.shard((guild >> 22) % (self.shard_count or 1))
