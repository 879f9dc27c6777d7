"""Whose turn it is to be thought about: so many at a time, each server in its turn."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.play.session.thinkers import Urgency

URGENT_IN_A_ROW = 3
"""After so many that are urgent comes one that can wait."""

_Line = dict[int, deque[asyncio.Future[None]]]
"""Those who wait, by server; the one whose turn it is comes first."""


class Turns:
    """Lets ``most`` think at a time. What can wait leaves one of several places free."""

    def __init__(self, most: int) -> None:
        self._free = most
        self._later_free = max(1, most - 1)
        self._lines: dict[Urgency, _Line] = {urgency: {} for urgency in Urgency}
        self._in_a_row = 0

    @asynccontextmanager
    async def turn(self, guild: int, urgency: Urgency) -> AsyncIterator[None]:
        """Wait for a turn, and have it inside."""
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines[urgency].setdefault(guild, deque()).append(called)
        self._call()
        try:
            await called
            yield
        finally:
            if not called.cancelled():
                self._give_back(urgency)

    def _give_back(self, urgency: Urgency) -> None:
        self._free += 1
        self._later_free += urgency is Urgency.LATER
        self._call()

    def _call(self) -> None:
        """Call those who may think now."""
        while self._free and (urgency := self._next()):
            called = _first(self._lines[urgency])
            if called.cancelled():
                continue  # who gave up waiting stands in the line until now
            called.set_result(None)
            self._free -= 1
            self._later_free -= urgency is Urgency.LATER
            self._in_a_row = self._in_a_row + 1 if urgency is Urgency.TABLE else 0

    def _next(self) -> Urgency | None:
        urgent, later = bool(self._lines[Urgency.TABLE]), bool(self._lines[Urgency.LATER]) and self._later_free > 0
        if urgent and not (later and self._in_a_row >= URGENT_IN_A_ROW):
            return Urgency.TABLE
        return Urgency.LATER if later else None


def _first(line: _Line) -> asyncio.Future[None]:
    """The oldest of the server whose turn it is; the server goes to the end of the row."""
    guild, queue = next(iter(line.items()))
    del line[guild]
    called = queue.popleft()
    if queue:
        line[guild] = queue
    return called
