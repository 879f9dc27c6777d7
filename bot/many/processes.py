"""Several processes that share the servers: what each of them is told of the others, and asks of the database.

A process serves a server only while it holds the lease of its shard. The database refuses what anybody else writes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a process stands among the others."""

    shards: frozenset[int]
    """Those that it holds."""
    heir_of: frozenset[int]
    """Those that it is to have as soon as it is connected with them, and that another one serves until then."""
    awaited: frozenset[int]
    """Those of its own whose heir is connected."""
    share: int
    """How many should be its own."""
    living: int
    """How many processes there are, this one among them."""
    last: bool
    """True where all others leave, or none are there: nobody takes over what this one has."""
    leads: bool
    """True of one of them: it does what is done once for the whole bot."""
    forgets: int
    """Counts what others have written for servers that this one serves: nothing that it knew before is sure."""


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

    def keep_alive(self) -> None:
        """Say from now on that the process lives, also while it is too busy to ask how it stands."""
        ...

    def end(self) -> None:
        """Ask nothing any more, and say that the process lives until it leaves."""
        ...

    async def stand(self, now: int, *, logins_at_once: int, moves: bool) -> Standing:
        """Live on, give up for dead who does not, take what nobody holds, and be the heir of who has too much.

        All up to the share, and of as many of Discord's buckets of logins as can be (``logins_at_once``): whoever
        replaces this one logs in with them side by side. The clocks of a shard that nobody held stand still until its
        connection is there. Where nothing ``moves``, this one becomes the heir of those alone who leave.
        """
        ...

    async def be_ready(self, shard: int) -> None:
        """As the heir of a shard: its connection is there."""
        ...

    async def hand_over(self, shard: int, *, answered_to: int) -> bool:
        """Let the heir have a shard; False where there is none any more.

        All presses up to this one are answered by then; nothing is written for its servers from here on.
        """
        ...

    async def held(self) -> Mapping[int, int]:
        """The shards that it holds, with the newest press that the process before has answered."""
        ...

    async def will_leave(self) -> None:
        """Tell the others: they take over one shard after the other, and this one is given none."""
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
