"""Reconnection of Discord connections that are open but receive no events, and counts of Discord's responses.

discord.py handles most failures. It reconnects if the socket closes or fails, if Discord asks for it, and if nothing at
all arrives for a minute (``poll_event`` and ``KeepAliveHandler`` both detect that). But acknowledged heartbeats count
as traffic. While they arrive, discord.py keeps a connection that no longer receives events, or whose IDENTIFY or RESUME
was never answered. In the meantime, players' interactions don't arrive.

Silence proves nothing, because a small server is silent all night. After a long silence, the bot therefore sends a
query that Discord answers with an event. It asks for its own member in one of the shard's servers.
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
"""Minimum time between two reconnects of a shard, because Discord limits logins."""


class Watchdog:
    """Tracks when each shard last received an event. ``clock`` returns seconds."""

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
        """Record an interaction from ``guild``. Direct messages arrive on the first shard."""
        self._heard[((guild or 0) >> 22) % (self._client.shard_count or 1)] = self._clock()

    def logged_in(self, shard: int) -> None:
        """Record that Discord has answered a shard's IDENTIFY or RESUME."""
        self._logged_in.add(shard)
        self._heard[shard] = self._clock()

    def patience(self, shard: int) -> float:
        """Return the timeout for a shard's answer (seconds)."""
        return PATIENCE_SECONDS

    async def run(self) -> None:
        """Check all shards periodically, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await self.look()

    async def look(self) -> None:
        """Check the shards one after another, because Discord doesn't allow simultaneous logins."""
        for number, shard in list(self._client.shards.items()):
            try:
                await self._look_at(number, shard)
            except Exception:
                log.exception("the watchdog continues after a failure at shard %s", number)

    async def _look_at(self, number: int, shard: discord.ShardInfo) -> None:
        now = self._clock()
        if shard.is_closed():
            self._heard[number] = now  # discord.py is reconnecting
            return
        if now - self._heard.setdefault(number, now) < SILENT_SECONDS:
            return
        if await self._is_alive(number):
            self._heard[number] = self._clock()
            return
        before = self._reconnected.get(number)
        # discord.py may have noticed the failure during the query.
        if shard.is_closed() or (before is not None and now - before < RECONNECT_SECONDS):
            return
        silent = now - self._heard[number]
        log.warning("shard %s has been silent for %.0f s: reconnecting", number, silent)
        self._metrics.reconnected(number)
        self._reconnected[number] = self._heard[number] = now
        self._logged_in.discard(number)
        await shard.reconnect()

    async def _is_alive(self, number: int) -> bool:
        """True if a shard still receives events or can't be queried."""
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


# Counts of the responses from Discord's HTTP API, including those to discord.py's own retries

SWITCHED = 101
"""HTTP status of the gateway's connection, which also starts as a request."""


async def counted(metrics: Metrics, send: Callable[[], Awaitable[aiohttp.ClientResponse]]) -> aiohttp.ClientResponse:
    """Send a request, and count its response."""
    try:
        response = await send()
    except BaseException:
        metrics.unanswered()
        raise
    if response.status != SWITCHED:
        metrics.responded(response.status, response.headers.get("X-RateLimit-Scope"))
    return response
