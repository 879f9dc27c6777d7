"""Promises of an answer: Discord waits for one for three seconds from when a press was made, and takes none later."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable

import aiohttp
import discord

log = logging.getLogger(__name__)

ANSWER_WITHIN_SECONDS = 1.5
"""At this age of a press an answer is promised; before anything is done for one that is as old when it is looked at."""
LATE_SECONDS = 3.0
"""Discord takes no answer for a press of this age: it is not even asked."""
LATELY_MS = 10 * 60_000
UNDELIVERED = (discord.HTTPException, aiohttp.ClientError, TimeoutError)
"""How an answer fails on its way; whether it has arrived after all, nobody knows."""


class PressAges:
    """The ages of presses by Discord's clock, which may differ from the machine's: the youngest of late was new.

    They are measured by a clock that nobody sets. Each is at least as old as it seems here.
    """

    def __init__(self) -> None:
        self._since = self._least = self._before = math.inf

    def seconds(self, made_at: int) -> float:
        """The age of a press that was made then, in milliseconds of Discord's clock."""
        now = asyncio.get_running_loop().time() * 1000
        apart = now - made_at
        if not 0 <= now - self._since < LATELY_MS:
            self._since, self._before, self._least = now, self._least, apart
        self._least = min(self._least, apart)
        return (apart - min(self._least, self._before)) / 1000


class Promise:
    """Promises an answer when it takes long. Few do: a task is begun for those alone."""

    def __init__(self, make: Callable[[], Awaitable[None]], *, age_seconds: float) -> None:
        self._make = make
        self._left = ANSWER_WITHIN_SECONDS - age_seconds
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Promise now what is old already, and anything else later; raises what Discord refuses now."""
        if self._left <= 0:
            await self._make()
        else:
            self._timer = asyncio.get_running_loop().call_later(self._left, self._begin)

    def cancel(self) -> None:
        """The answer is there."""
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            self._task.cancel()

    def _begin(self) -> None:
        self._task = asyncio.create_task(self._promise())

    async def _promise(self) -> None:
        try:
            await self._make()
        except UNDELIVERED as error:
            log.warning("an answer could not be promised: %r", error)
