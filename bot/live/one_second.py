"""What happens within one second: how much leaves, and how much may arrive at Discord."""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace

LONGEST_WAY_SECONDS = 2.0
"""A request that has no answer for so long has arrived, or never will."""


class Second:
    """When something happened within the last second, which has room for ``share`` of it."""

    def __init__(self, share: float) -> None:
        self._share = share
        self._times: deque[float] = deque()

    def add(self, now: float) -> None:
        """It happens now."""
        self._times.append(now)

    def full_for(self, now: float) -> float:
        """Seconds until there is room for one more."""
        while self._times and self._times[0] <= now - 1:
            self._times.popleft()
        return self._times[0] + 1 - now if len(self._times) >= self._share else 0.0


class Arrivals:
    """What may reach Discord within one second. It arrives at some moment between leaving and being answered.

    So whatever is late (the loop, the connection, the way), no second sees more than ``most`` of it: whoever leaves now
    finds at most the others on their way, and those that were answered less than a second ago.
    """

    def __init__(self, most: float) -> None:
        self._most = most
        self._left: dict[int, float] = {}
        """When those left that are on their way, oldest first."""
        self._answered: deque[float] = deque()

    def leave(self, request: SimpleNamespace, now: float) -> None:
        """It is sent now."""
        self._left[id(request)] = now

    def answered(self, request: SimpleNamespace, now: float) -> None:
        """It has arrived by now, or failed."""
        if self._left.pop(id(request), None) is not None:
            self._answered.append(now)

    def full_for(self, now: float) -> float:
        """Seconds until there may be room for one more."""
        while self._left and (oldest := next(iter(self._left.items())))[1] <= now - LONGEST_WAY_SECONDS:
            del self._left[oldest[0]]
            self._answered.append(oldest[1] + LONGEST_WAY_SECONDS)
        while self._answered and self._answered[0] <= now - 1:
            self._answered.popleft()
        if len(self._left) + len(self._answered) < self._most:
            return 0.0
        # Those that are still on their way keep their room for a second from now at least.
        return self._answered[0] + 1 - now if self._answered else 1.0
