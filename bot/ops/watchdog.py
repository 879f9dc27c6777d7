"""A connection to Discord that is open and deaf is made again; and requests that Discord has answered are counted.

discord.py looks after most of it. It reconnects when the socket closes or fails, when Discord asks for it, and when
for a minute nothing at all arrives (``poll_event`` and ``KeepAliveHandler`` both see that). But an acknowledged
heartbeat is something: while those arrive, a connection over which Discord sends no events any more, or has never
answered IDENTIFY or RESUME, is well for it, for ever. Nobody's press arrives then.

Silence alone proves nothing, because a small server is silent all night. So a connection that was silent for long is
asked a question which Discord answers by an event: who the bot itself is in one of its servers.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

import aiohttp
import discord

from bot.ops.metrics import Metrics

log = logging.getLogger(__name__)

LOOK_SECONDS = 60.0
SILENT_SECONDS = 15 * 60.0
PATIENCE_SECONDS = 20.0
RECONNECT_SECONDS = 3600.0
"""A connection that stays deaf is made again once in this time: Discord counts logins."""


class Watchdog:
    """Knows when each shard was last heard. ``clock`` counts seconds."""

    def __init__(
        self,
        client: discord.AutoShardedClient,
        metrics: Metrics,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._metrics = metrics
        self._clock = clock
        self._heard: dict[int, float] = {}
        self._logged_in: set[int] = set()
        self._reconnected: dict[int, float] = {}

    def heard(self, guild: int | None) -> None:
        """An interaction has come from a server; those from nowhere come over the first shard."""
        self._heard[((guild or 0) >> 22) % (self._client.shard_count or 1)] = self._clock()

    def logged_in(self, shard: int) -> None:
        """Discord has answered a shard's IDENTIFY or RESUME."""
        self._logged_in.add(shard)
        self._heard[shard] = self._clock()

    def patience(self, shard: int) -> float:
        """How long a shard is waited for, in seconds."""
        return PATIENCE_SECONDS

    async def run(self) -> None:
        """Look now and then, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await self.look()

    async def look(self) -> None:
        """Look at every shard, one after the other: Discord does not want logins at the same moment."""
        for number, shard in list(self._client.shards.items()):
            try:
                await self._look_at(number, shard)
            except Exception:
                log.exception("the watchdog goes on after a failure at shard %s", number)

    async def _look_at(self, number: int, shard: discord.ShardInfo) -> None:
        now = self._clock()
        if shard.is_closed():
            self._heard[number] = now  # discord.py is at it
            return
        if now - self._heard.setdefault(number, now) < SILENT_SECONDS:
            return
        if await self._is_alive(number):
            self._heard[number] = self._clock()
            return
        before = self._reconnected.get(number)
        # Meanwhile discord.py may have noticed something by itself.
        if shard.is_closed() or (before is not None and now - before < RECONNECT_SECONDS):
            return
        silent = now - self._heard[number]
        log.warning("shard %s has been silent for %.0f s: reconnecting", number, silent)
        self._metrics.reconnected(number)
        self._reconnected[number] = self._heard[number] = now
        self._logged_in.discard(number)
        await shard.reconnect()

    async def _is_alive(self, number: int) -> bool:
        """Whether a shard still brings events; one that cannot be asked has the benefit of the doubt."""
        if number not in self._logged_in:
            return False
        guild = next((g for g in self._client.guilds if g.shard_id == number and not g.unavailable), None)
        if guild is None or self._client.user is None:
            return True
        try:
            async with asyncio.timeout(self.patience(number)):
                await guild.query_members(user_ids=[self._client.user.id], cache=False)
        except (TimeoutError, OSError, RuntimeError, discord.DiscordException) as error:
            log.debug("shard %s has not answered: %r", number, error)
            self._metrics.probed(well=False)
            return False
        self._metrics.probed(well=True)
        return True


# Counting how Discord's HTTP API answers, also what discord.py repeats by itself.

SWITCHED = 101
"""The gateway's connection begins as a request too."""


async def counted(metrics: Metrics, send: Callable[[], Awaitable[aiohttp.ClientResponse]]) -> aiohttp.ClientResponse:
    """Send a request, and count how it was answered."""
    try:
        response = await send()
    except BaseException:
        metrics.unanswered()
        raise
    if response.status != SWITCHED:
        metrics.responded(response.status, response.headers.get("X-RateLimit-Scope"))
    return response
