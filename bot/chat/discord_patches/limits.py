"""Discord's rate limits: its buckets, the queues of tickets waiting for them, and the limits per second."""

from __future__ import annotations

import asyncio
import heapq
import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import SimpleNamespace, TracebackType

from discord.http import Ratelimit, Route
from typing_extensions import override

SLACK_SECONDS = 0.02
"""Tolerance for Discord's rounding of reset times."""
OLD_EDIT_SECONDS = 2.05
"""Time from an edit of a channel's old message to the next. The limit observed is three per six seconds."""


class Importance(Enum):
    """The importance of a request. Its value is the number of seconds by which later requests may overtake it.

    A request that has waited long enough comes before new requests of higher importance, so none waits forever.
    """

    ONCE = 0.0
    """Requests that are sent only once, such as results and notices, and all unmarked requests."""
    CALL = 2.0
    WATCHED = 10.0
    """Redraw of a table where a player is pressing buttons now."""
    REDRAW = 15.0
    CLEANUP = 60.0


class Bucket(Ratelimit):
    """discord.py's record of a bucket, without its waiting. Responses never wait until the bucket is full again."""

    __slots__ = ("held", "held_until", "parked")

    def __init__(self, max_ratelimit_timeout: float | None) -> None:
        super().__init__(max_ratelimit_timeout)
        self.held = False
        """True while a request is in progress. Later requests need the headers of its response."""
        self.held_until = -math.inf
        """When a request was last released, by the loop's clock."""
        self.parked: list[RouteQueue] = []
        """Queues waiting for the bucket."""

    @override
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Count the request as answered. A response without headers says nothing about the bucket."""
        self.outgoing -= 1
        if self.expires is None:
            self.reset()  # type: ignore[no-untyped-call]

    def free_in(self, now: float, *, spared: int = 0) -> float:
        """Return the seconds until it has a token in addition to the ``spared`` ones.

        A bucket with a single token spares none.
        """
        if self.expires is not None and now >= self.expires + SLACK_SECONDS:
            self.reset()  # type: ignore[no-untyped-call]
        free = self.remaining > min(spared, self.limit - 1)
        return 0.0 if free or self.expires is None else self.expires + SLACK_SECONDS - now


class SpacedBucket(Bucket):
    """A bucket that takes one request at a time, with a gap between requests that no header shows."""

    __slots__ = ()

    @override
    def free_in(self, now: float, *, spared: int = 0) -> float:
        """Return the seconds until the next request.

        The gap begins with the response, because Discord counts a request when it arrives, which may be late.
        """
        return max(0.0, self.held_until + OLD_EDIT_SECONDS - now)


@dataclass(slots=True, eq=False)
class RequestTicket:
    """A request waiting to be granted."""

    importance: Importance
    rank: float
    """When its turn comes if nothing delays it, by the loop's clock."""
    granted: asyncio.Future[bool]
    """True once it's granted, False once it's withdrawn."""
    bucket: Bucket | None = None
    """The bucket that it holds."""
    kin: Sequence[Bucket] = ()
    """Buckets that may turn out to be the same one."""
    tries: int = 0

    def withdraw(self) -> None:
        """Withdraw the ticket. If it has been granted, it stays granted."""
        if not self.granted.done():
            self.granted.set_result(False)


@dataclass(slots=True, eq=False)
class RouteQueue:
    """Queue of tickets for one route in one channel. It's either listed, or parked at its bucket or by a timer."""

    name: str
    route: Route | None
    """None for retries, which already hold their bucket."""
    edits_old: bool
    """True for edits of old messages."""
    entry: int = 0
    """The number of its valid entry on the list; 0 while it's parked."""
    tickets: list[tuple[float, int, RequestTicket]] = field(default_factory=list)

    @property
    def first(self) -> RequestTicket | None:
        """The first ticket in rank that is still waiting."""
        while self.tickets and self.tickets[0][2].granted.done():
            heapq.heappop(self.tickets)
        return self.tickets[0][2] if self.tickets else None


BURST = 5
"""Maximum number of requests that may leave at the same moment."""
DISCORD_PER_SECOND = 50
"""Discord's limit on requests per second, for each bot."""
MARGIN = 1.2
"""Factor by which requests that are in transit or arrived within the last second may exceed the share."""


def max_arrivals(share: float) -> float:
    """Return the maximum number of arrivals per second for a share. If it's infinite, a proxy limits the rate."""
    return share if math.isinf(share) else min(DISCORD_PER_SECOND - 1, share * MARGIN)


class PerSecondLimit:
    """Limits events to ``share`` per second, evenly spaced except for a burst."""

    def __init__(self, share: float) -> None:
        self.share(share)
        self._even = -math.inf
        """When the next event would happen if all were evenly spaced."""
        self._times: deque[float] = deque()

    def share(self, share: float) -> None:
        """Set the maximum per second to ``share``."""
        self._share = share
        self._pace = 1 / share

    def add(self, now: float) -> None:
        """Record an event now."""
        self._times.append(now)
        self._even = max(self._even, now - (BURST - 1) * self._pace) + self._pace

    def full_for(self, now: float) -> float:
        """Return the seconds until there is room for one more."""
        while self._times and self._times[0] <= now - 1:
            self._times.popleft()
        full = self._times[0] + 1 - now if len(self._times) >= self._share else 0.0
        # A simulated Discord can set its clock back, so the wait is at most one pace.
        return max(full, min(self._even - now, self._pace))


class Arrivals:
    """The requests that may reach Discord within one second, each at some time between its departure and its response.

    Even with delays in the loop, the connection or the network, no more than ``most`` arrive in any second. A request
    that leaves now can only coincide with others in transit and those answered less than a second ago.
    """

    def __init__(self, most: float) -> None:
        self._most = most
        self._on_their_way: set[int] = set()
        self._answered: deque[float] = deque()

    def share(self, most: float) -> None:
        """Set the maximum per second to ``most``."""
        self._most = most

    def leave(self, request: SimpleNamespace) -> None:
        """Record that a request is sent now."""
        self._on_their_way.add(id(request))

    def answered(self, request: SimpleNamespace, now: float) -> None:
        """Record that a request has arrived, failed or been given up."""
        if id(request) in self._on_their_way:
            self._on_their_way.remove(id(request))
            self._answered.append(now)

    def full_for(self, now: float) -> float:
        """Return the seconds until there may be room for one more."""
        while self._answered and self._answered[0] <= now - 1:
            self._answered.popleft()
        if len(self._on_their_way) + len(self._answered) < self._most:
            return 0.0
        # Requests in transit take up room for at least another second.
        return self._answered[0] + 1 - now if self._answered else 1.0
