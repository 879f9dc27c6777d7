"""Several processes that share the servers: what each of them is told of the others, and asks of the database.

A process serves a server only while it holds the lease of its shard. The database refuses what anybody else writes.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from threading import Event, Thread
from typing import Protocol

from bot.model.errors import StorageTroubleError

log = logging.getLogger(__name__)

WORD_SECONDS = 1.0
"""Between two words of a process that it lives."""
HUNG_SECONDS = 20.0
"""An event loop that has not turned for so long is not busy but hung: nobody says any more that its process lives."""

LEAVE_SECONDS = 60.0
"""For how long a process that leaves waits for its heirs at least, whatever it holds."""
MARGIN_SECONDS = 15.0
"""Beside the logins of its heirs: they first hear that it leaves, and wait for who logs in already."""
MISSED_SECONDS, LOGIN_SECONDS = 9, 5
"""When the first shard of a process that died is served again, and how much later each further one of its bucket."""


def missed_seconds(shards: int, *, logins_at_once: int) -> int:
    """How long the last of so many shards is without a process when theirs dies: logins take turns."""
    return MISSED_SECONDS + LOGIN_SECONDS * (math.ceil(shards / logins_at_once) - 1)


def leave_seconds(shards: int, *, logins_at_once: int) -> float:
    """For how long a process that leaves waits for its heirs, each of whom logs in with what it is to have."""
    return max(LEAVE_SECONDS, MARGIN_SECONDS + LOGIN_SECONDS * math.ceil(shards / logins_at_once))


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

    def live_on(self, now: int) -> None:
        """Say that the process lives, on whatever thread; it waits for nothing that is written, nor for others."""
        ...

    async def stand(self, now: int, *, logins_at_once: int, moves: bool) -> Standing:
        """Give up for dead who does not live on, take what nobody holds, and be the heir of who has too much.

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

    async def login_free_in(self, bucket: int) -> float:
        """Seconds until a turn to log in to Discord would come, if nobody else takes it."""
        ...

    async def page_url_of(self, shard: int) -> str:
        """Where the process that has a shard serves tables' pages; empty where that is nobody, or nowhere."""
        ...

    async def wait_to_log_in(self, bucket: int) -> float:
        """Take the next turn to log in to Discord; returns the seconds until it comes."""
        ...


class WordOfLife:
    """A thread that says every second that the process lives: a busy event loop is not taken for dead."""

    def __init__(self, leases: Leases, *, now_ms: Callable[[], int]) -> None:
        self._leases = leases
        self._now = now_ms
        self._ends = Event()
        self._thread = Thread(target=self._go_on, name="word-of-life", daemon=True)
        self._turned_at = self._said_at = time.monotonic()
        self.troubled = False
        """True while the database could not be asked just now."""

    @property
    def silent_seconds(self) -> float:
        """How long ago the database has last heard that the process lives."""
        return time.monotonic() - self._said_at

    def begin(self) -> None:
        """Say it from now on."""
        self.turned()
        self._thread.start()

    def turned(self) -> None:
        """Hear that the event loop has turned."""
        self._turned_at = time.monotonic()

    def end(self) -> None:
        """Say it no more, once what is being said is said."""
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
        except StorageTroubleError as trouble:
            self.troubled = True
            log.warning("this process cannot say that it lives: %s", trouble)
        except Exception:
            log.exception("the word that this process lives goes on after a failure")
        else:
            self._said_at, self.troubled = time.monotonic(), False
