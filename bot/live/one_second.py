"""What happens within one second: how much leaves, and how much may arrive at Discord."""

from __future__ import annotations

import math
from collections import deque
from types import SimpleNamespace

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
    """What may reach Discord within one second. It arrives at some moment between leaving and being answered.

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
