"""The limits of Discord: its buckets, with tickets waiting for them in lines, and its limits within one second."""

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
"""Discord rounds the time at which a bucket is full again."""
OLD_EDIT_SECONDS = 2.1
"""Between two edits of a channel's old messages: three have been seen to pass in six seconds."""


class Importance(Enum):
    """The purpose of a request; its value is by how many seconds it may be overtaken by what asks later.

    So whatever has waited for long comes before what matters more and is new: nothing waits for ever.
    """

    ONCE = 0.0
    """Requests that happen once, such as results and notices; and all that nobody has marked."""
    CALL = 2.0
    WATCHED = 10.0
    """The redraw of a table where somebody presses now."""
    REDRAW = 15.0
    CLEANUP = 60.0


class Bucket(Ratelimit):
    """discord.py's book of one bucket, which never keeps an answer back until the bucket is full again."""

    __slots__ = ("held", "held_at", "parked")

    def __init__(self, max_ratelimit_timeout: float | None) -> None:
        super().__init__(max_ratelimit_timeout)
        self.held = False
        """True while something is let through to it: what comes next needs the headers of that answer."""
        self.held_at = -math.inf
        """When something was let through to it last, by the loop's clock."""
        self.parked: list[Line] = []
        """Those that wait for it."""

    @override
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Count what was sent as answered; an answer without headers has told nothing of the bucket."""
        self.outgoing -= 1
        if self.expires is None:
            self.reset()  # type: ignore[no-untyped-call]

    def free_in(self, now: float, *, spared: int = 0) -> float:
        """Seconds until it has a token beside those that are ``spared``; who has one in all spares none."""
        if self.expires is not None and now >= self.expires + SLACK_SECONDS:
            self.reset()  # type: ignore[no-untyped-call]
        free = self.remaining > min(spared, self.limit - 1)
        return 0.0 if free or self.expires is None else self.expires + SLACK_SECONDS - now


class Spaced(Bucket):
    """A line that takes one request after the other, some time apart, though no header says so."""

    __slots__ = ()

    @override
    def free_in(self, now: float, *, spared: int = 0) -> float:
        """Seconds until the next."""
        return max(0.0, self.held_at + OLD_EDIT_SECONDS - now)


@dataclass(slots=True, eq=False)
class Ticket:
    """One request that waits until it is let through."""

    importance: Importance
    rank: float
    """When its turn comes, by the loop's clock, if nothing is in its way."""
    granted: asyncio.Future[bool]
    """True once it was let through, False once it was withdrawn."""
    bucket: Bucket | None = None
    """The bucket that it holds."""
    kin: Sequence[Bucket] = ()
    """Those that may be the same one."""
    tries: int = 0

    def withdraw(self) -> None:
        """It is no longer wanted; one that was let through stays so."""
        if not self.granted.done():
            self.granted.set_result(False)


@dataclass(slots=True, eq=False)
class Line:
    """The tickets for one route of one channel. It is on the list, or parked: at its bucket, or by a timer."""

    name: str
    route: Route | None
    """None for repetitions: they hold their bucket already."""
    edits_old: bool
    """True for edits of old messages."""
    entry: int = 0
    """Its valid entry on the list; 0 while it is parked."""
    tickets: list[tuple[float, int, Ticket]] = field(default_factory=list)

    @property
    def first(self) -> Ticket | None:
        """The first in rank that still waits."""
        while self.tickets and self.tickets[0][2].granted.done():
            heapq.heappop(self.tickets)
        return self.tickets[0][2] if self.tickets else None


BURST = 5
"""Requests that may leave at the same moment."""
DISCORD_A_SECOND = 50
"""Requests that Discord takes from a bot within a second."""
MARGIN = 1.2
"""So many times its share may be on the way, or have arrived within a second."""


def most_arrivals(share: float) -> float:
    """How many may arrive within a second of those that a share lets leave; an infinite one is counted elsewhere."""
    return share if math.isinf(share) else min(DISCORD_A_SECOND - 1, share * MARGIN)


class Second:
    """When something happened within the last second, which has room for ``share`` of it, evenly but for a burst."""

    def __init__(self, share: float) -> None:
        self.share(share)
        self._even = -math.inf
        """When the next would happen if all happened evenly."""
        self._times: deque[float] = deque()

    def share(self, share: float) -> None:
        """Have room for so many from now on."""
        self._share = share
        self._pace = 1 / share

    def add(self, now: float) -> None:
        """It happens now."""
        self._times.append(now)
        self._even = max(self._even, now - (BURST - 1) * self._pace) + self._pace

    def full_for(self, now: float) -> float:
        """Seconds until there is room for one more."""
        while self._times and self._times[0] <= now - 1:
            self._times.popleft()
        full = self._times[0] + 1 - now if len(self._times) >= self._share else 0.0
        # The simulated Discord sets its clock back; more than one pace ahead it cannot be otherwise.
        return max(full, min(self._even - now, self._pace))


class Arrivals:
    """The requests that may reach Discord within one second, each at some moment between leaving and being answered.

    So whatever is late (the loop, the connection, the way), no second sees more than ``most`` of it: whoever leaves now
    finds at most the others on their way, and those that were answered less than a second ago.
    """

    def __init__(self, most: float) -> None:
        self._most = most
        self._on_their_way: set[int] = set()
        self._answered: deque[float] = deque()

    def share(self, most: float) -> None:
        """Let no second see more than so much from now on."""
        self._most = most

    def leave(self, request: SimpleNamespace) -> None:
        """It is sent now."""
        self._on_their_way.add(id(request))

    def answered(self, request: SimpleNamespace, now: float) -> None:
        """It has arrived by now, or failed, or is given up."""
        if id(request) in self._on_their_way:
            self._on_their_way.remove(id(request))
            self._answered.append(now)

    def full_for(self, now: float) -> float:
        """Seconds until there may be room for one more."""
        while self._answered and self._answered[0] <= now - 1:
            self._answered.popleft()
        if len(self._on_their_way) + len(self._answered) < self._most:
            return 0.0
        # Those that are still on their way keep their room for a second from now at least.
        return self._answered[0] + 1 - now if self._answered else 1.0
