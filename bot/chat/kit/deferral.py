"""Deferring responses in time. Discord accepts the first response to an interaction only within three seconds."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import aiohttp
import discord

log = logging.getLogger(__name__)

ANSWER_WITHIN_SECONDS = 1.5
"""Age at which a press is deferred (s). A press that is older on arrival is deferred before anything else."""
LATE_SECONDS = 3.0
"""Age after which Discord no longer accepts a response to a press (s), so none is sent."""
LATELY_MS = 10 * 60_000
"""Window for the fastest press. The fastest press of the previous window counts too."""
UNDELIVERED = (discord.HTTPException, aiohttp.ClientError, TimeoutError)
"""Errors after which it's unknown whether a response arrived."""


class PressAges:
    """Measures the age of presses even if Discord's clock differs from this machine's.

    The fastest press of the last few minutes is assumed to have age 0, so a press is never younger than its computed
    age. Time is measured on the monotonic clock.
    """

    def __init__(self) -> None:
        self._since = self._least = self._before = math.inf

    def seconds(self, made_at: int) -> float:
        """Return the age of a press made at ``made_at`` (ms of Discord's clock)."""
        now = asyncio.get_running_loop().time() * 1000
        apart = now - made_at
        if not 0 <= now - self._since < LATELY_MS:
            self._since, self._before, self._least = now, self._least, apart
        self._least = min(self._least, apart)
        return (apart - min(self._least, self._before)) / 1000


@asynccontextmanager
async def deferring(defer: Callable[[], Awaitable[None]], *, age_seconds: float) -> AsyncIterator[None]:
    """Call ``defer`` if the body takes too long. No task is started before then."""
    tasks: list[asyncio.Task[None]] = []

    async def _defer_late() -> None:
        try:
            await defer()
        except UNDELIVERED as error:
            log.warning("an answer could not be deferred: %r", error)

    loop = asyncio.get_running_loop()
    timer = loop.call_later(ANSWER_WITHIN_SECONDS - age_seconds, lambda: tasks.append(loop.create_task(_defer_late())))
    try:
        yield
    finally:
        timer.cancel()
        for task in tasks:
            task.cancel()
