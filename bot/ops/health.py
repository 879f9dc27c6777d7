"""Health of the bot over HTTP: ``/health`` for a supervisor, ``/metrics`` for Prometheus."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from ipaddress import ip_address
from os import strerror

import discord
from aiohttp import web
from aiohttp.typedefs import Handler

from bot import __version__
from bot.model.errors import StorageUnavailableError
from bot.ops.metrics import CONTENT_TYPE, Metrics
from bot.ops.visitors import listening
from bot.play.api.play import Play

log = logging.getLogger(__name__)

LAG_EVERY_SECONDS = 0.5
STALLED_SECONDS = 10.0
"""Time without running after which an event loop counts as stalled, even if it answers now."""
CLOCK_MS = 30_000
"""Maximum age of the clocks' last tick (ms). They tick once a second."""
MAX_CONNECTIONS = 32


class HealthError(Exception):
    """The endpoint can't be opened. The text is one sentence for the operator."""


class Health:
    """Checks a bot. Until it has one to check, the state is "starting"."""

    def __init__(self, metrics: Metrics, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._metrics = metrics
        self._clock = clock
        self._begun = self._turned_at = clock()
        self._client: discord.AutoShardedClient | None = None
        self._play: Play | None = None
        self._now_ms: Callable[[], int] | None = None
        self._lag: Callable[[], float] = float
        self._thinking: Callable[[], int] = int
        self._workers: Callable[[], int] = int
        self._leads: Callable[[], bool] = bool
        self._started_ms = 0

    def watch_connection(
        self,
        client: discord.AutoShardedClient,
        play: Play,
        now_ms: Callable[[], int],
        *,
        lag_seconds: Callable[[], float],
        thinking: Callable[[], int],
        workers: Callable[[], int],
        leads: Callable[[], bool] = lambda: True,
    ) -> None:
        """Set the bot to check, with the sources of its numbers.

        ``now_ms`` is its clock, and ``lag_seconds`` returns the age of its oldest late message. ``thinking`` returns
        the number of alarms waiting for a computation, and ``workers`` the number of worker processes. Only the process
        with a true ``leads`` reports the numbers of the whole bot.
        """
        self._client, self._play, self._now_ms = client, play, now_ms
        self._lag, self._thinking, self._workers, self._leads = lag_seconds, thinking, workers, leads
        self._started_ms = now_ms()

    def turned(self) -> None:
        """Record that the event loop is running."""
        self._turned_at = self._clock()

    def reasons(self) -> list[str]:
        """Return the reasons why the bot isn't healthy; empty if it is."""
        found = [] if self._clock() - self._turned_at < STALLED_SECONDS else ["event_loop"]
        if self._client is None or self._now_ms is None:
            return [*found, "starting"]
        if self._client.shard_ids == []:
            return found  # the other processes serve all servers, and this one is on standby
        if not self._client.is_ready() or not self._connected():
            found.append("gateway")
        elif self._now_ms() - (self._metrics.beat_at or self._started_ms) > CLOCK_MS:
            found.append("clocks")
        if self._metrics.storage_trouble is not None:
            found.append("storage")
        return found

    def _wanted(self) -> int:
        """Return the required number of connections."""
        if self._client is None:
            return 0
        if self._client.shard_ids is not None:
            return len(self._client.shard_ids)
        return self._client.shard_count or len(self._client.shards)

    def _connected(self) -> int:
        return sum(not shard.is_closed() for shard in self._client.shards.values()) if self._client else 0

    async def page(self) -> bytes:
        """Return the metrics, including those that are only queried now."""
        if self._client is not None:
            self._metrics.connections(
                wanted=self._wanted(),
                latencies=dict(self._client.latencies),
                connected=self._connected(),
                servers=len(self._client.guilds),
            )
        if self._play is not None:
            # If the storage fails, these keep their old values, because the other metrics matter most then.
            with suppress(StorageUnavailableError):
                # Only one process reports these, so that sums over all processes are right.
                states = await self._play.open_states() if self._leads() else {}
                backlog = await self._play.backlog() if self._leads() else None
                self._metrics.tables(
                    {state.value: count for state, count in states.items()},
                    behind=0 if backlog is None else backlog.undrawn + backlog.unposted,
                    thinking=self._thinking(),
                    workers=self._workers(),
                )
            self._metrics.lag(self._lag())
        return self._metrics.render()

    async def tell(self, _: web.Request) -> web.Response:
        """Answer ``/health``."""
        reasons = self.reasons()
        told = {
            "status": "unwell" if reasons else "ok",
            "reasons": reasons,
            "version": __version__,
            "uptime_seconds": int(self._clock() - self._begun),
            "shards": self._wanted(),
            "shards_connected": self._connected(),
            "messages_behind_seconds": round(self._lag(), 1),
        }
        return web.json_response(told, status=503 if reasons else 200, headers={"Cache-Control": "no-store"})

    async def show(self, _: web.Request) -> web.Response:
        """Answer ``/metrics``."""
        return web.Response(body=await self.page(), headers={"Content-Type": CONTENT_TYPE})


def _is_known(host: str, ours: str) -> bool:
    """True for IP addresses, names without a dot and the configured name, which no web page can redirect here."""
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    if "." not in name and ":" not in name:
        return True
    with suppress(ValueError):
        return bool(ip_address(name))
    return name.lower() == ours.lower()


@asynccontextmanager
async def serving(health: Health, *, host: str, port: int) -> AsyncIterator[int]:
    """Serve both paths, and yield the port (0 chooses a free one). Raises HealthError.

    Requests for other host names get 403, because a web page could have redirected those names here.
    """

    @web.middleware
    async def known_alone(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not _is_known(request.headers.get("Host", ""), host):
            raise web.HTTPForbidden
        return await handler(request)

    routes = {"/health": health.tell, "/metrics": health.show}
    server = listening(
        routes, host=host, port=port, most=MAX_CONNECTIONS, logger=log, middlewares=[known_alone], head=True
    )
    async with AsyncExitStack() as stack:
        try:
            opened = await stack.enter_async_context(server)
        except OSError as error:
            raise HealthError(
                f"The health endpoint cannot use port {port} on {host} ({_reason(error)}). Free it, or choose "
                "another address with CHAIPO_HEALTH_PORT and CHAIPO_HEALTH_HOST"
            ) from error
        yield opened


def _reason(error: OSError) -> str:
    """Return the system's error message.

    The message from asyncio repeats the address, and failed name lookups have no system error number.
    """
    return strerror(error.errno) if error.errno and error.errno > 0 else str(error.strerror or error)


@asynccontextmanager
async def watching_the_loop(health: Health, metrics: Metrics) -> AsyncIterator[None]:
    """Measure the event loop's lag for the duration of the block."""
    watch = asyncio.create_task(_watch_the_loop(health, metrics), name="loop-lag")
    try:
        yield
    finally:
        watch.cancel()
        with suppress(asyncio.CancelledError):
            await watch


async def _watch_the_loop(health: Health, metrics: Metrics) -> None:
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LAG_EVERY_SECONDS
        await asyncio.sleep(LAG_EVERY_SECONDS)
        metrics.loop_lag(loop.time() - due)
        health.turned()
