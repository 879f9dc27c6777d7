"""Discord's clock, as far as its responses tell it. A machine's own clock may be wrong by hours."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping


class DiscordTime:
    """The time at Discord: that of the newest response plus the time since, or the machine's before any response."""

    def __init__(self, machine_ms: Callable[[], int]) -> None:
        """``machine_ms`` returns the machine's time in ms since 1970."""
        self._machine_ms = machine_ms
        self._told: tuple[float, float] | None = None
        """Discord's time in seconds since 1970, and when a response told it by the loop's clock."""

    def learn(self, headers: Mapping[str, str]) -> None:
        """Take the time from a response's headers: when its bucket resets, minus the seconds until then."""
        try:
            told = float(headers["X-RateLimit-Reset"]) - float(headers["X-RateLimit-Reset-After"])
        except (KeyError, ValueError):
            return
        self._told = told, asyncio.get_running_loop().time()

    def now_ms(self) -> int:
        """Return the time at Discord in ms since 1970."""
        if self._told is None:
            return self._machine_ms()
        told, at = self._told
        return int(1_000 * (told + asyncio.get_running_loop().time() - at))
