"""What waits for the governor: tickets, in lines, for Discord's buckets."""

from __future__ import annotations

import asyncio
import heapq
import math
from enum import Enum
from types import TracebackType

from discord.http import Ratelimit, Route

SLACK_SECONDS = 0.02
"""Discord rounds the time at which a bucket is full again."""
OLD_EDIT_SECONDS = 2.1
"""Between two edits of a channel's old messages: three have been seen to pass in six seconds."""


class Importance(Enum):
    """What a request is for; its value is by how many seconds it may be overtaken by what asks later.

    So whatever has waited for long comes before what matters more and is new: nothing waits for ever.
    """

    ONCE = 0.0
    """What happens once, such as results and notices; and whatever nobody has marked."""
    CALL = 2.0
    WATCHED = 10.0
    """The redraw of a table where somebody presses now."""
    REDRAW = 15.0
    CLEANUP = 60.0


class Bucket(Ratelimit):
    """discord.py's book of one bucket, which never keeps an answer back until the bucket is full again."""

    __slots__ = ("held", "parked")

    def __init__(self, max_ratelimit_timeout: float | None) -> None:
        super().__init__(max_ratelimit_timeout)
        self.held = False
        """True while something is let through to it: what comes next needs the headers of that answer."""
        self.parked: list[Line] = []
        """Those that wait for it."""

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Count what was sent as answered; an answer without headers has told nothing of the bucket."""
        self.outgoing -= 1
        if self.expires is None:
            self.reset()  # type: ignore[no-untyped-call]

    def hold(self, now: float) -> None:
        """Something is let through to it; ``now`` by the loop's clock."""
        self.held = True

    def free_in(self, now: float, *, spared: int = 0) -> float:
        """Seconds until it has a token beside those that are ``spared``; who has one in all spares none."""
        if self.expires is not None and now >= self.expires + SLACK_SECONDS:
            self.reset()  # type: ignore[no-untyped-call]
        free = self.remaining > min(spared, self.limit - 1)
        return 0.0 if free or self.expires is None else self.expires + SLACK_SECONDS - now


class Spaced(Bucket):
    """What takes one request after the other, some time apart, though no header says so."""

    __slots__ = ("next",)

    def __init__(self, max_ratelimit_timeout: float | None) -> None:
        super().__init__(max_ratelimit_timeout)
        self.next = -math.inf

    def hold(self, now: float) -> None:
        """The next is let through some time later."""
        super().hold(now)
        self.next = now + OLD_EDIT_SECONDS

    def free_in(self, now: float, *, spared: int = 0) -> float:
        """Seconds until the next."""
        return max(0.0, self.next - now)


class Ticket:
    """One request that waits until it is let through."""

    __slots__ = ("bucket", "granted", "importance", "kin", "rank", "tries")

    def __init__(self, importance: Importance, rank: float, granted: asyncio.Future[bool]) -> None:
        self.importance = importance
        self.rank = rank
        """When its turn comes, by the loop's clock, if nothing is in its way."""
        self.granted = granted
        """True once it was let through, False once it was withdrawn."""
        self.bucket: Bucket | None = None
        """The bucket that it holds."""
        self.kin: list[Bucket] = []
        """Those that may be the same one."""
        self.tries = 0

    def withdraw(self) -> None:
        """It is no longer wanted; one that was let through stays so."""
        if not self.granted.done():
            self.granted.set_result(False)


class Line:
    """The tickets for one route of one channel. It is on the list, or parked: at its bucket, or by a timer."""

    __slots__ = ("edits_old", "entry", "name", "route", "tickets")

    def __init__(self, name: str, route: Route | None, *, edits_old: bool = False) -> None:
        self.name = name
        self.edits_old = edits_old
        """True for edits of old messages."""
        self.route = route
        """None for repetitions: they hold their bucket already."""
        self.entry = 0
        """Its valid entry on the list; 0 while it is parked."""
        self.tickets: list[tuple[float, int, Ticket]] = []

    @property
    def first(self) -> Ticket | None:
        """The first in rank that still waits."""
        while self.tickets and self.tickets[0][2].granted.done():
            heapq.heappop(self.tickets)
        return self.tickets[0][2] if self.tickets else None
