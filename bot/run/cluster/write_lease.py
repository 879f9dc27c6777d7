"""A check in each transaction that the process may write, because it's alive and has leased the shard."""

from __future__ import annotations

from collections.abc import Callable

from bot.store import StoreUnavailableError
from bot.store.postgres.driver import StatementResult, Transaction

# This lock is weak enough to allow heartbeats, but prevents other processes from removing the row.
_LIVES = "SELECT 1 AS here FROM process WHERE process_id = %(process)s FOR KEY SHARE"
_LEASED = "SELECT 1 AS here FROM shard_lease WHERE shard_id = %(shard)s AND process_id = %(process)s FOR KEY SHARE"


class WriteLease:
    """A transaction of a process, which writes for the servers of its leased shards.

    ``gone`` returns the error for a process that no longer exists.
    """

    def __init__(
        self, connection: Transaction, *, process: int, shard_count: int, gone: Callable[[], StoreUnavailableError]
    ) -> None:
        self._connection = connection
        self._process = process
        self._gone = gone
        self.shard_count = shard_count
        self._lives: StatementResult | None = None
        self._leases: dict[int, StatementResult] = {}
        self._for_all = False

    def begin(self) -> None:
        """Query whether the process is still alive."""
        self._lives = self._connection.execute(_LIVES, {"process": self._process})

    def write_for(self, guild: int) -> None:
        """Query whether a server's shard is leased to the process."""
        shard = (guild >> 22) % self.shard_count
        if not self._for_all and shard not in self._leases:
            values = {"shard": shard, "process": self._process}
            self._leases[shard] = self._connection.execute(_LEASED, values)

    def write_for_all(self) -> None:
        """Allow writes for any server. The other processes learn that their cached data may be outdated."""
        if not self._for_all:
            self._for_all = True
            # This isn't stored in a process's row, because each process updates its row every second with its
            # heartbeat.
            self._connection.execute("UPDATE meta SET forgets = forgets + 1")

    def require_lease(self) -> None:
        """Read the results of the queries. Raises LeaseLostError and StoreUnavailableError."""
        if self._lives is not None and self._lives.fetchone() is None:
            raise self._gone()
        if any(lease.fetchone() is None for lease in self._leases.values()):
            raise StoreUnavailableError("another process serves this server now")
