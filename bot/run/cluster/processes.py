"""Multiple processes that share the servers: their status, leases and heartbeat.

A process serves a server only while it holds the lease on its shard. The database refuses writes from other processes.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from threading import Event, Thread
from typing import Protocol

from bot.model.errors import StorageUnavailableError

log = logging.getLogger(__name__)

WORD_SECONDS = 1.0
"""Interval of the heartbeat."""
HUNG_SECONDS = 20.0
"""Time without running after which an event loop counts as hung. The heartbeat then stops."""

LEAVE_SECONDS = 60.0
"""Minimum time that a leaving process waits for its heirs."""
MARGIN_SECONDS = 15.0
"""Extra time for heirs, which must first notice the departure and finish their current logins."""
MISSED_SECONDS, LOGIN_SECONDS = 9, 5
"""Outage of a dead process's first shard, and the additional outage of each further shard in a login bucket."""


def missed_seconds(shards: int, *, logins_at_once: int) -> int:
    """Return the outage of the last of ``shards`` shards after their process dies, because logins take turns."""
    return MISSED_SECONDS + LOGIN_SECONDS * (math.ceil(shards / logins_at_once) - 1)


def leave_seconds(shards: int, *, logins_at_once: int) -> float:
    """Return the maximum time that a leaving process waits for its heirs to log in with its shards."""
    return max(LEAVE_SECONDS, MARGIN_SECONDS + LOGIN_SECONDS * math.ceil(shards / logins_at_once))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessStatus:
    """A process's status among the others."""

    shards: frozenset[int]
    """The shards that the process owns."""
    heir_of: frozenset[int]
    """Shards that the process will get after connecting them, and that another process serves until then."""
    awaited: frozenset[int]
    """The process's own shards that have a connected heir."""
    share: int
    """Number of shards that the process should own."""
    living: int
    """Number of processes, including this one."""
    last: bool
    """True if no other process remains to take over the shards."""
    leads: bool
    """True for the one process that performs the tasks of the whole bot."""
    forgets: int
    """Counter of other processes' writes that may concern any server. When it changes, cached data may be outdated."""


class Leases(Protocol):
    """The leases of one process. All methods raise StorageUnavailableError. Times are in ms, by the clock of play."""

    @property
    def shard_count(self) -> int:
        """Number of shards shared by the processes."""
        ...

    @property
    def alone(self) -> bool:
        """True before :meth:`join` if no other process has the database open. That's the time for exclusive work."""
        ...

    async def join(self, now: int) -> None:
        """Join the processes. The clocks of shards without an owner are stopped from now on."""
        ...

    def live_on(self, now: int) -> None:
        """Send the heartbeat, from any thread. It waits for neither writes nor other processes."""
        ...

    async def stand(self, now: int, *, logins_at_once: int, moves: bool) -> ProcessStatus:
        """Remove dead processes, claim free shards, and become the heir of surplus ones.

        The process claims shards up to its share, spread over as many login buckets (``logins_at_once``) as possible,
        so that its successors can log in concurrently. A claimed shard's clocks are stopped until its connection is
        ready. If ``moves`` is False, it only becomes the heir of leaving processes.
        """
        ...

    async def be_ready(self, shard: int) -> None:
        """Report, as a shard's heir, that its connection is ready."""
        ...

    async def hand_over(self, shard: int, *, answered_to: int) -> bool:
        """Give a shard to its heir; False if it no longer has one.

        The caller has answered all interactions up to ``answered_to``, and writes nothing more for the shard's servers.
        """
        ...

    async def held(self) -> Mapping[int, int]:
        """Return the leased shards, each with the newest interaction that its previous owner has answered."""
        ...

    async def will_leave(self) -> None:
        """Announce the departure. The others take over one shard after another, and this process gets no more."""
        ...

    async def release(self, shards: Collection[int], now: int) -> None:
        """Release ``shards``. Nothing is written for their servers afterwards."""
        ...

    async def leave(self, now: int) -> None:
        """Release everything. This is the process's last call."""
        ...

    async def login_free_in(self, bucket: int) -> float:
        """Return the seconds until the next turn to log in to Discord, without taking it."""
        ...

    async def page_url_of(self, shard: int) -> str:
        """Return the page address of a shard's owner; empty if there is no owner or it serves no pages."""
        ...

    async def wait_to_log_in(self, bucket: int) -> float:
        """Take the next turn to log in to Discord; return the seconds until it."""
        ...


class HeartbeatThread:
    """Heartbeat thread. It's a separate thread so that a busy event loop isn't taken for dead."""

    def __init__(self, leases: Leases, *, now_ms: Callable[[], int]) -> None:
        self._leases = leases
        self._now = now_ms
        self._ends = Event()
        self._thread = Thread(target=self._go_on, name="word-of-life", daemon=True)
        self._turned_at = self._said_at = time.monotonic()
        self.troubled = False
        """True while the database is unavailable."""

    @property
    def silent_seconds(self) -> float:
        """Seconds since the last successful heartbeat."""
        return time.monotonic() - self._said_at

    def begin(self) -> None:
        """Start the heartbeat."""
        self.turned()
        self._thread.start()

    def turned(self) -> None:
        """Record that the event loop is running."""
        self._turned_at = time.monotonic()

    def end(self) -> None:
        """Stop the heartbeat after the current one."""
        self._ends.set()
        self._thread.join()

    def _go_on(self) -> None:
        while not self._ends.is_set():
            if time.monotonic() - self._turned_at < HUNG_SECONDS:
                self._say()
            self._ends.wait(WORD_SECONDS)

    def _say(self) -> None:
        try:
            self._leases.live_on(self._now())
        except StorageUnavailableError as trouble:
            self.troubled = True
            log.warning("this process cannot send its heartbeat: %s", trouble)
        except Exception:
            log.exception("the heartbeat of this process continues after a failure")
        else:
            self._said_at, self.troubled = time.monotonic(), False
