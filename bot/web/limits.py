"""Rate limits per address, fair queues for scarce resources, and the client's address behind proxies."""

from __future__ import annotations

import asyncio
import itertools
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

from aiohttp import web

Network: TypeAlias = IPv4Network | IPv6Network
MAX_ADDRESSES = 10_000
"""Maximum number of addresses tracked. The least recently active one is dropped."""
OF_ONE = 64
"""Prefix length by which IPv6 addresses are counted, because a visitor can use any address with their prefix."""


def networks(written: str) -> tuple[Network, ...]:
    """Parse addresses and networks separated by commas; raises ValueError."""
    return tuple(ip_network(one.strip()) for one in written.split(",") if one.strip())


class Proxies:
    """The trusted reverse proxies, whose ``X-Forwarded-For`` is believed."""

    def __init__(self, trusted: Sequence[Network] = ()) -> None:
        self._trusted = tuple(trusted)

    def who(self, request: web.Request) -> str:
        """Return the client's address: the last one that isn't a trusted proxy's. IPv6 addresses become networks."""
        found = _read(request.remote or "")
        told = ",".join(request.headers.getall("X-Forwarded-For", ())).split(",")
        while found is not None and told and self._is_ours(found):
            before = _read(told.pop().strip())
            if before is None:
                break
            found = before
        if isinstance(found, IPv6Address):
            return str(IPv6Network((found, OF_ONE), strict=False))
        return str(found or request.remote or "")

    def _is_ours(self, address: IPv4Address | IPv6Address) -> bool:
        return any(address in network for network in self._trusted)


def _read(written: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(written)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


class Allowances:
    """Token buckets: up to ``most`` requests per key in a burst, refilled evenly over a minute."""

    def __init__(self, most: int, *, clock: Callable[[], float]) -> None:
        self._most = most
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def left(self, who: str) -> float:
        """Return the number of requests that ``who`` may make now."""
        left, at = self._left.get(who, (float(self._most), 0.0))
        return min(float(self._most), left + (self._clock() - at) * self._most / 60)

    def take(self, who: str) -> bool:
        """Take one of the requests of ``who``; False if none is left."""
        left = self.left(who)
        allowed = left >= 1
        self._left.pop(who, None)
        self._left[who] = (left - allowed, self._clock())
        while len(self._left) > MAX_ADDRESSES:
            self._left.popitem(last=False)
        return allowed

    def give_back(self, who: str) -> None:
        """Return a request that was taken but turned out not to count."""
        left, at = self._left.get(who, (float(self._most), 0.0))
        if who in self._left:
            self._left[who] = (min(float(self._most), left + 1), at)


class PendingSockets:
    """A limited number of sockets that haven't identified their reader yet.

    If there are too many, the oldest socket of the address with the most sockets is cut. Genuine visitors identify
    themselves within one round trip, so others can't keep them out.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._of: dict[str, OrderedDict[int, Callable[[], None]]] = {}
        self._names = itertools.count()
        self.count = 0

    @contextmanager
    def waiting(self, address: str, cut: Callable[[], None]) -> Iterator[None]:
        """Count a socket for the duration of the block. ``cut`` ends it early."""
        if self.count >= self._most:
            greediest = max(self._of, key=lambda one: len(self._of[one]))
            oldest = next(iter(self._of[greediest]))
            cut_oldest = self._of[greediest][oldest]
            self._remove(greediest, oldest)
            cut_oldest()
        name = next(self._names)
        self._of.setdefault(address, OrderedDict())[name] = cut
        self.count += 1
        try:
            yield
        finally:
            self._remove(address, name)

    def _remove(self, address: str, name: int) -> None:
        own = self._of.get(address, OrderedDict())
        if own.pop(name, None) is not None:
            self.count -= 1
        if not own:
            self._of.pop(address, None)


class OverloadedError(Exception):
    """The queue is full, or the wait timed out."""


@dataclass(slots=True, eq=False)
class _Turn:
    alive: Callable[[], bool]
    come: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class FairQueue:
    """A paced queue that alternates between addresses, and between names within an address.

    So an address with many requests delays only itself.
    """

    def __init__(self, *, pause: float, max_wait: float) -> None:
        """``pause`` is the time between two turns, and ``max_wait`` the longest wait (both in seconds)."""
        self._pause = pause
        self._max_wait = max_wait
        self._waiting: OrderedDict[str, OrderedDict[str, deque[_Turn]]] = OrderedDict()
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None

    async def wait(self, address: str, name: str, *, alive: Callable[[], bool]) -> None:
        """Wait for a turn. Raises OverloadedError if the turn comes too late or the caller is no longer ``alive``."""
        own = self._waiting.setdefault(address, OrderedDict())
        if sum(map(len, own.values())) * self._pause >= self._max_wait:
            raise OverloadedError
        turn = _Turn(alive)
        own.setdefault(name, deque()).append(turn)
        self._start_timer()
        try:
            async with asyncio.timeout(self._max_wait):
                await turn.come
        except TimeoutError:
            raise OverloadedError from None

    def _start_timer(self) -> None:
        if self._timer is None and self._waiting:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(max(self._due, loop.time()), self._give)

    def _give(self) -> None:
        self._timer = None
        while self._waiting:
            turn = self._next()
            if turn.come.done():
                continue
            if not turn.alive():
                turn.come.set_exception(OverloadedError())
                continue
            turn.come.set_result(None)
            self._due = asyncio.get_running_loop().time() + self._pause
            break
        self._start_timer()

    def _next(self) -> _Turn:
        """Pop the next turn. Its name and address move to the end of their queues."""
        address, names = self._waiting.popitem(last=False)
        name, queue = names.popitem(last=False)
        turn = queue.popleft()
        if queue:
            names[name] = queue
        if names:
            self._waiting[address] = names
        return turn
