"""Tenure: what a process that has leased shards may write, asked in each of its transactions."""

from __future__ import annotations

from collections.abc import Callable

from bot.store import StoreTroubleError
from bot.store.postgres.driver import Told, Transaction

# So weak a lock lets a process say that it lives, and keeps others from taking the row away.
_LIVES = "SELECT 1 AS here FROM process WHERE process_id = %(process)s FOR KEY SHARE"
_LEASED = "SELECT 1 AS here FROM shard_lease WHERE shard_id = %(shard)s AND process_id = %(process)s FOR KEY SHARE"


class LeasedTenure:
    """One transaction of a process, which writes for the servers whose shard it has leased.

    ``gone`` says why nothing can be written, once the process is none of them.
    """

    def __init__(
        self, connection: Transaction, *, process: int, shard_count: int, gone: Callable[[], StoreTroubleError]
    ) -> None:
        self._connection = connection
        self._process = process
        self._gone = gone
        self.shard_count = shard_count
        self._lives: Told | None = None
        self._leases: dict[int, Told] = {}
        self._for_all = False

    def begin(self) -> None:
        """Ask whether the process is not given up for dead."""
        self._lives = self._connection.execute(_LIVES, {"process": self._process})

    def write_for(self, guild: int) -> None:
        """Ask whether a server's shard is leased to the process."""
        shard = (guild >> 22) % self.shard_count
        if not self._for_all and shard not in self._leases:
            values = {"shard": shard, "process": self._process}
            self._leases[shard] = self._connection.execute(_LEASED, values)

    def write_for_all(self) -> None:
        """From here on each server may be written for; the other processes learn that they know nothing for sure."""
        if not self._for_all:
            self._for_all = True
            # In no row of a process: each of them says every second in its own that it lives.
            self._connection.execute("UPDATE meta SET forgets = forgets + 1")

    def demand(self) -> None:
        """Hear the answers. Raises StoreOustedError and StoreTroubleError."""
        if self._lives is not None and self._lives.fetchone() is None:
            raise self._gone()
        if any(lease.fetchone() is None for lease in self._leases.values()):
            raise StoreTroubleError("another process serves this server now")
