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
"""After this long an answer is promised."""
ASKED_FIRST_SECONDS = 2.0
"""The age from which on an answer is promised before anything is done."""
LATELY_MS = 10 * 60_000
HEARD_AT, UNSURE = "heard_at", "unsure"
"""What the data of a press may say: when it was heard (s, by the loop), and that nobody knows whose it is."""
UNDELIVERED = (discord.HTTPException, aiohttp.ClientError, TimeoutError)
"""How an answer fails on its way; whether it has arrived after all, nobody knows."""


class PressAges:
    """The ages of presses by Discord's clock, which may differ from the machine's: the youngest of late was new.

    While the machine's clock is set forward all seem old. So an age is a reason to ask Discord, and none to refuse.
    """

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now = now_ms
        self._since = self._least = self._before = math.inf

    def seconds(self, made_at: int) -> float:
        """The age of a press that was made then, in milliseconds of Discord's clock."""
        now = self._now()
        apart = now - made_at
        if not 0 <= now - self._since < LATELY_MS:
            self._since, self._before, self._least = now, self._least, apart
        self._least = min(self._least, apart)
        return (apart - min(self._least, self._before)) / 1000


class Promise:
    """Promises an answer when it takes long. Few do: a task is begun for those alone."""

    def __init__(self, make: Callable[[], Awaitable[None]], *, age_seconds: float, waited_seconds: float = 0.0) -> None:
        """``waited_seconds`` have passed since the press was heard."""
        self._make = make
        self._left = min(ANSWER_WITHIN_SECONDS - waited_seconds, ASKED_FIRST_SECONDS - age_seconds)
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
