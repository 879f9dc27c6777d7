"""Several processes that share the servers: what each of them is told of the others, and asks of the database.

A process serves a server only while it holds the lease of its shard. The database refuses what anybody else writes.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a process stands among the others."""

    shards: frozenset[int]
    """Those that it holds."""
    share: int
    """How many should be its own."""
    living: int
    """How many processes there are, this one among them."""
    leads: bool
    """True of one of them: it does what is done once for the whole bot."""


class Leases(Protocol):
    """The leases of one process. All raise StorageTroubleError; times are milliseconds, by the clock of play."""

    @property
    def shard_count(self) -> int:
        """How many shards the processes share."""
        ...

    @property
    def alone(self) -> bool:
        """True until :meth:`join` where no other process has the database: what nobody may meet is done then."""
        ...

    async def join(self, now: int) -> None:
        """Be one of the processes; the clocks of shards that nobody holds stand still from here on."""
        ...

    async def stand(self, now: int) -> Standing:
        """Live on, give up for dead who does not, and take what nobody holds, up to the share.

        The clocks of a shard that changes hands stand still until its connection is there.
        """
        ...

    async def release(self, shards: Collection[int], now: int) -> None:
        """Let others take these shards; nothing is written for their servers from here on."""
        ...

    async def leave(self, now: int) -> None:
        """Let others take everything: the last that a process does."""
        ...

    async def wait_to_log_in(self, bucket: int) -> float:
        """Take the next turn to log in to Discord; returns the seconds until it comes."""
        ...
