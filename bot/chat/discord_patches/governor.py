"""The governor: a budget for all requests to Discord with the bot's token, so that Discord never answers 429.

It wraps discord.py's HTTP client. A request is granted when the budget has room and its bucket (Discord's word for
requests with a common limit) has a token and no request in progress. So discord.py itself never has to wait. Responses
to interactions, and edits with their tokens, take another path and don't count.

    with important(Importance.CALL):                # applies to all requests in here
        await channel.send(...)
    ticket = governor.ask(edit_route(channel), Importance.REDRAW)
    async with governor.using(ticket) as granted:   # waits; its request is then sent immediately
        if granted:
            await message.edit(...)
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import aiohttp
from discord.http import HTTPClient, Route
from discord.utils import DISCORD_EPOCH

from bot.base.logs import held
from bot.base.operator_defaults import REQUESTS_PER_SECOND
from bot.chat.discord_patches.discord_time import DiscordTime
from bot.chat.discord_patches.limits import (
    Arrivals,
    Bucket,
    Importance,
    PerSecondLimit,
    RequestTicket,
    RouteQueue,
    SpacedBucket,
    max_arrivals,
)
from bot.chat.discord_patches.wire import Send, lead_through

MAX_IN_PROGRESS = 64
"""Maximum number of requests in progress, so that they don't pile up if Discord is slow."""
MAX_TRANSIT_SECONDS = 2.0
"""Time without a response after which a request has either arrived or been lost."""
LATE_SECONDS = 0.1
"""Delay above which the loop counts as stalled. Requests are then in transit only from the end of the stall."""
DOUBT_SECONDS = 0.2
"""Interval for checking whether another process serves the channels."""
TOO_MANY_REQUESTS = 429
MANY_BOOKS = 256
"""Number of buckets that are kept even if they're idle."""
MAX_ROUTES = 1024
"""Number of routes kept, because the same ones are used over and over."""
OLD_MS = 55 * 60_000
"""Age from which a message is assumed to allow fewer edits (ms). Discord's limit is an hour, and no header shows it."""
_EDITS = "/channels/{channel_id}/messages/{message_id}"
INSTANT = 1e-6
"""Waits shorter than this (s) are floating-point rounding errors."""


_importance: ContextVar[Importance] = ContextVar("importance", default=Importance.ONCE)
_in_hand: ContextVar[RequestTicket | None] = ContextVar("ticket_in_hand", default=None)
_sending: ContextVar[RequestTicket | None] = ContextVar("ticket_sending", default=None)


@contextmanager
def important(importance: Importance) -> Iterator[None]:
    """Mark all requests in this context with ``importance``."""
    with held(_importance, importance):
        yield


@lru_cache(MAX_ROUTES)
def post_route(channel: int) -> Route:
    """Return the route for a new message in a channel."""
    return Route("POST", "/channels/{channel_id}/messages", channel_id=channel)


@lru_cache(MAX_ROUTES)
def edit_route(channel: int, message: int) -> Route:
    """Return the route for an edit of a message."""
    return Route("PATCH", _EDITS, channel_id=channel, message_id=message)


def posted_at(message: int) -> int:
    """Return when a message was posted, in milliseconds."""
    return (message >> 22) + DISCORD_EPOCH


class Governor:
    """Grants at most ``share`` requests per second, evenly spaced, the most important first.

    If a proxy limits the rate, the share is infinite. Importance still matters then, because the number of requests in
    progress is limited.
    """

    def __init__(self, *, share: float = REQUESTS_PER_SECOND, now_ms: Callable[[], int]) -> None:
        self._time = DiscordTime(now_ms)
        self._http: HTTPClient | None = None
        self._send: Callable[..., Awaitable[Any]] | None = None
        self._lines: dict[str, RouteQueue] = {}
        self._list: list[tuple[float, int, RouteQueue]] = []
        """The queues whose bucket may be free, by the rank of their first ticket."""
        self._numbers = itertools.count(1)
        self._sent = PerSecondLimit(share)
        """Limits the requests that are granted."""
        self._left = PerSecondLimit(share)
        """Limits the requests that leave."""
        self._arrivals = Arrivals(max_arrivals(share))
        self._closed_until = -math.inf
        self._in_progress = 0
        self._alarm: asyncio.TimerHandle | None = None
        self._spared = 0
        self._in_doubt: Callable[[], bool] = lambda: False
        self._many_books = MANY_BOOKS
        self._keys: dict[tuple[str, str], set[str]] = {}
        """discord.py's keys for a route, by method and path. Deletes have one key for each age group of messages."""
        self._old_edits: dict[int, SpacedBucket] = {}
        """The gap between edits of old messages, by channel."""

    def share(self, share: float) -> None:
        """Set the share. Discord's limit for the bot is divided among its processes."""
        self._sent.share(share)
        self._left.share(share)
        self._arrivals.share(max_arrivals(share))

    def spare(self, requests: int) -> None:
        """Leave ``requests`` of each bucket to another process, which only learns of their use from a response."""
        self._spared = requests

    def doubt(self, in_doubt: Callable[[], bool]) -> None:
        """Send nothing to channels while ``in_doubt`` returns True, because another process may already serve them."""
        self._in_doubt = in_doubt

    @property
    def spared_in(self) -> float:
        """Seconds until each bucket has the spared requests available."""
        now = asyncio.get_running_loop().time()
        books = () if self._http is None else self._http._buckets.values()  # noqa: SLF001  # There is no public API.
        buckets = [bucket for bucket in books if isinstance(bucket, Bucket)]
        return max((bucket.free_in(now, spared=self._spared - 1) for bucket in buckets), default=0.0)

    def govern(self, http: HTTPClient) -> None:
        """Take control of a client that has no requests in progress. discord.py has no public API for this."""
        self._http, self._send = http, http.request
        http._buckets.clear()  # noqa: SLF001  # These buckets would sleep.
        http.get_ratelimit = self._bucket  # type: ignore[method-assign]
        http.request = self._request  # type: ignore[method-assign]
        lead_through(http, self._pass_on)

    def waiting(self, *kinds: Importance) -> int:
        """Return the number of waiting requests of these kinds."""
        tickets = (ticket for line in self._lines.values() for _, _, ticket in line.tickets)
        return sum(ticket.importance in kinds and not ticket.granted.done() for ticket in tickets)

    # asking

    def ask(self, route: Route, importance: Importance, *, waited_seconds: float = 0.0) -> RequestTicket:
        """Return a ticket for a request that was due ``waited_seconds`` ago. The caller must use it."""
        self._keys.setdefault((route.method, route.path), set()).add(route.key)
        rank = asyncio.get_running_loop().time() - waited_seconds + importance.value
        name = f"{route.key}:{route.major_parameters}"
        if (route.method, route.path) == ("PATCH", _EDITS):
            message = int(route.url.rpartition("/")[2])
            if self._time.now_ms() - posted_at(message) >= OLD_MS:
                # Edits of old messages have their own queue, so that they don't delay other edits in the channel.
                return self._queue(f"{name}:old", route, importance, rank, edits_old=True)
        return self._queue(name, route, importance, rank)

    @asynccontextmanager
    async def using(self, ticket: RequestTicket) -> AsyncIterator[bool]:
        """Wait for a ticket and send its request. Yields False if it was withdrawn."""
        try:
            granted = await ticket.granted
            with held(_in_hand, ticket), held(_importance, ticket.importance):
                yield granted
        finally:
            self._release(ticket)

    async def _request(self, route: Route, **options: Any) -> Any:
        """Send a request with the current ticket if it's unused and for the same bucket, otherwise with a new one."""
        assert self._send is not None
        ticket = _in_hand.get()
        if ticket is not None and ticket.bucket is not None and ticket.bucket is not self._buckets_of(route)[0]:
            # A ticket that is waiting for another bucket must not block this one.
            self._release(ticket)
        if ticket is None or ticket.bucket is None:
            ticket = self.ask(route, _importance.get())
        try:
            await ticket.granted
            with held(_sending, ticket):
                return await self._send(route, **options)
        finally:
            self._release(ticket)

    def _queue(
        self, name: str, route: Route | None, importance: Importance, rank: float, *, edits_old: bool = False
    ) -> RequestTicket:
        ticket = RequestTicket(importance, rank, asyncio.get_running_loop().create_future())
        line = self._lines.get(name)
        new = line is None
        if line is None:
            line = self._lines[name] = RouteQueue(name, route, edits_old)
        heapq.heappush(line.tickets, (rank, next(self._numbers), ticket))
        if new or (line.entry and line.first is ticket):
            self._line_up(line)
            self._let_through()
        return ticket

    def _line_up(self, line: RouteQueue) -> None:
        """List a queue by the rank of its first ticket, or remove it if it's empty."""
        if (first := line.first) is None:
            del self._lines[line.name]
            return
        line.entry = next(self._numbers)
        heapq.heappush(self._list, (first.rank, line.entry, line))

    # letting through

    def _let_through(self) -> None:
        now = asyncio.get_running_loop().time()
        while self._list and (self._in_progress < MAX_IN_PROGRESS or self._list[0][2].route is None):
            if (wait := max(self._sent.full_for(now), self._closed_until - now)) > INSTANT:
                # The budget is used up.
                if self._alarm is None:
                    self._alarm = asyncio.get_running_loop().call_later(wait, self._ring)
                return
            rank, entry, line = heapq.heappop(self._list)
            if line.entry != entry:
                continue
            line.entry = 0
            if (first := line.first) is None or first.rank != rank:
                self._line_up(line)
            elif line.route is None or self._takes_buckets(line, line.route, first, now):
                self._sent.add(now)
                first.granted.set_result(True)
                if line.route is None:
                    self._line_up(line)

    def _takes_buckets(self, line: RouteQueue, route: Route, first: RequestTicket, now: float) -> bool:
        """Take the buckets for a queue's first ticket. If they aren't all free, park the queue and return False."""
        if route.channel_id is not None and self._in_doubt():
            asyncio.get_running_loop().call_later(DOUBT_SECONDS, self._wake, line)
            return False
        bucket, *kin = self._buckets_of(route)
        if line.edits_old:
            kin.append(self._edit_gap(int(route.channel_id or 0)))
        for each in (bucket, *kin):
            if each.held:
                each.parked.append(line)
                return False
            if (wait := each.free_in(now, spared=self._spared)) > 0:
                asyncio.get_running_loop().call_later(wait, self._wake, line)
                return False
        for each in (bucket, *kin):
            each.held = True
        first.bucket, first.kin = bucket, kin
        bucket.parked.append(line)
        self._in_progress += 1
        return True

    def _release(self, ticket: RequestTicket) -> None:
        """Release the buckets of a ticket whose request was answered or is no longer wanted."""
        ticket.withdraw()
        if (bucket := ticket.bucket) is None:
            return
        self._in_progress -= 1
        buckets, ticket.bucket, ticket.kin = [bucket, *ticket.kin], None, ()
        now = asyncio.get_running_loop().time()
        for each in buckets:
            each.held, each.held_until = False, now
            parked, each.parked = each.parked, []
            for line in parked:
                self._line_up(line)
        self._let_through()

    def _wake(self, line: RouteQueue) -> None:
        self._line_up(line)
        self._let_through()

    def _ring(self) -> None:
        self._alarm = None
        self._let_through()

    # buckets

    def _bucket(self, key: str) -> Bucket:
        """Return a bucket's record, creating it if needed. It replaces discord.py's own method."""
        assert self._http is not None
        books: dict[str, Any] = self._http._buckets  # noqa: SLF001  # There is no public API.
        if key not in books:
            books[key] = Bucket(self._http.max_ratelimit_timeout)
            if len(books) > self._many_books:
                # Without this limit, discord.py would search all buckets for each new one.
                self._http._try_clear_expired_ratelimits()  # noqa: SLF001
                self._many_books = max(MANY_BOOKS, 2 * len(books))
        bucket = books[key]
        assert isinstance(bucket, Bucket)
        return bucket

    def _buckets_of(self, route: Route) -> list[Bucket]:
        """Return a route's bucket, looked up by Discord's name for it or, until that is known, by the route.

        Until then, the list also includes buckets of the same route under other keys, because they may be the same
        bucket.
        """
        assert self._http is not None
        hashes, books = self._http._bucket_hashes, self._http._buckets  # noqa: SLF001
        own = self._bucket(f"{hashes.get(route.key, route.key)}:{route.major_parameters}")
        if route.key in hashes:
            return [own]
        others = self._keys.get((route.method, route.path), set()) - {route.key}
        names = {f"{hashes.get(key, key)}:{route.major_parameters}" for key in others}
        return [own, *(self._bucket(name) for name in names if name in books)]

    def _edit_gap(self, channel: int) -> SpacedBucket:
        """Return the gap between edits of a channel's old messages."""
        if channel not in self._old_edits and len(self._old_edits) >= MANY_BOOKS:
            now = asyncio.get_running_loop().time()
            self._old_edits = {
                number: kept for number, kept in self._old_edits.items() if kept.held or kept.free_in(now)
            }
        return self._old_edits.setdefault(channel, SpacedBucket(None))

    # on the wire

    async def _pass_on(self, send: Send) -> aiohttp.ClientResponse:
        """Delay a request, which may be one of discord.py's retries, until the budget has room for it."""
        ticket = _sending.get()
        if ticket is None:
            return await send()
        request = await self._leave(ticket)
        try:
            response = await send()
        finally:
            request.alarm.cancel()
            self._arrivals.answered(request, asyncio.get_running_loop().time())
        self._time.learn(response.headers)
        if response.status == TOO_MANY_REQUESTS:
            self._pause_all(response.headers)
        return response

    async def _leave(self, ticket: RequestTicket) -> SimpleNamespace:
        """Wait for the budget before a request leaves, even if it's a retry or a granted request that was delayed.

        The budget is checked again here because a granted request may have waited for the storage or the loop. Requests
        that have left may also be delayed before they arrive.
        """
        ticket.tries += 1
        if ticket.tries > 1:
            await self._queue("", None, ticket.importance, -math.inf).granted
        loop = asyncio.get_running_loop()
        while (wait := self._held_back(loop.time())) > INSTANT:  # noqa: ASYNC110  # Only time ends it.
            await asyncio.sleep(wait)
        request = SimpleNamespace()
        self._left.add(loop.time())
        self._arrivals.leave(request)
        self._give_up_later(request)
        return request

    def _give_up_later(self, request: SimpleNamespace) -> None:
        request.alarm = asyncio.get_running_loop().call_later(MAX_TRANSIT_SECONDS, self._give_up, request)

    def _give_up(self, request: SimpleNamespace) -> None:
        """Stop counting a request without a response, unless it may not have been written because the loop stalled."""
        now = asyncio.get_running_loop().time()
        if now - request.alarm.when() > LATE_SECONDS:
            self._give_up_later(request)
        else:
            self._arrivals.answered(request, now)

    def _held_back(self, now: float) -> float:
        """Return the seconds until one more request may leave."""
        return max(self._left.full_for(now), self._arrivals.full_for(now), self._closed_until - now)

    def _pause_all(self, headers: Mapping[str, str]) -> None:
        """Hold all requests for a while after a global 429. A bucket's own 429 affects only its queue."""
        banned = "Via" not in headers
        if banned or "X-RateLimit-Global" in headers or headers.get("X-RateLimit-Scope") == "global":
            seconds = max(_seconds(headers, name) for name in ("Retry-After", "X-RateLimit-Reset-After"))
            self._closed_until = max(self._closed_until, asyncio.get_running_loop().time() + seconds)


def _seconds(headers: Mapping[str, str], name: str) -> float:
    """Return the seconds in a header, or the default for a 429 if it has none."""
    try:
        return float(headers[name])
    except (KeyError, ValueError):
        return 1.0
