"""How much one address may ask for, and which address that is behind a reverse proxy."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

from aiohttp import web

Network: TypeAlias = IPv4Network | IPv6Network
MOST_KNOWN = 10_000
"""Addresses of which it is known how much they ask for; the one that was silent for longest goes."""
OF_ONE = 64
"""Who has an address of the newer kind has as many as they like that begin with so many bits."""


def networks(written: str) -> tuple[Network, ...]:
    """Addresses and networks between commas; raises ValueError."""
    return tuple(ip_network(one.strip()) for one in written.split(",") if one.strip())


class Proxies:
    """The reverse proxies whose word is believed of who asks."""

    def __init__(self, trusted: Sequence[Network] = ()) -> None:
        self._trusted = tuple(trusted)

    def who(self, request: web.Request) -> str:
        """Who asks: the last address that no proxy of ours has, as it is counted."""
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
    """How often each address may ask: so many times at once, and again one by one as a minute passes."""

    def __init__(self, most: int, *, clock: Callable[[], float]) -> None:
        self._most = most
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str) -> bool:
        """True where they may ask once more."""
        now = self._clock()
        left, at = self._left.pop(who, (float(self._most), now))
        left = min(float(self._most), left + (now - at) * self._most / 60)
        allowed = left >= 1
        self._left[who] = (left - allowed, now)
        while len(self._left) > MOST_KNOWN:
            self._left.popitem(last=False)
        return allowed
