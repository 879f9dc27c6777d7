"""Whether the bot is well, for those who ask over HTTP: ``/health`` for a supervisor, ``/metrics`` for Prometheus."""

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
from bot.model.errors import StorageTroubleError
from bot.ops.metrics import CONTENT_TYPE, Metrics
from bot.ops.visitors import listening
from bot.play.doors.play import Play

log = logging.getLogger(__name__)

LAG_EVERY_SECONDS = 0.5
STALLED_SECONDS = 10.0
"""An event loop that has not turned for so long is not alive, even if it answers now."""
CLOCK_MS = 30_000
"""The clocks beat once a second."""
MOST_CONNECTIONS = 32


class HealthError(Exception):
    """The endpoint cannot be opened; its text is one sentence for the operator."""


class Health:
    """Looks at a bot. Before there is one, it is starting."""

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

    def look_at(
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
        """From now on this bot is meant; ``now_ms`` is its clock, ``lag_seconds`` how far its messages are behind.

        ``thinking`` counts the alarms of tables that wait for a thought, ``workers`` the processes that think.
        Of several processes the one that ``leads`` counts what is counted for the whole bot.
        """
        self._client, self._play, self._now_ms = client, play, now_ms
        self._lag, self._thinking, self._workers, self._leads = lag_seconds, thinking, workers, leads
        self._started_ms = now_ms()

    def turned(self) -> None:
        """The event loop has turned."""
        self._turned_at = self._clock()

    def reasons(self) -> list[str]:
        """Why the bot is not well; nothing when it is."""
        found = [] if self._clock() - self._turned_at < STALLED_SECONDS else ["event_loop"]
        if self._client is None or self._now_ms is None:
            return [*found, "starting"]
        if self._client.shard_ids == []:
            return found  # Other processes serve all servers; this one waits to take over.
        if not self._client.is_ready() or not self._connected():
            found.append("gateway")
        elif self._now_ms() - (self._metrics.beat_at or self._started_ms) > CLOCK_MS:
            found.append("clocks")
        if self._metrics.storage_trouble is not None:
            found.append("storage")
        return found

    def _wanted(self) -> int:
        """How many connections there should be."""
        if self._client is None:
            return 0
        if self._client.shard_ids is not None:
            return len(self._client.shard_ids)
        return self._client.shard_count or len(self._client.shards)

    def _connected(self) -> int:
        return sum(not shard.is_closed() for shard in self._client.shards.values()) if self._client else 0

    async def page(self) -> bytes:
        """The metrics, those that are looked up among them."""
        if self._client is not None:
            self._metrics.connections(
                wanted=self._wanted(),
                latencies=dict(self._client.latencies),
                connected=self._connected(),
                servers=len(self._client.guilds),
            )
        if self._play is not None:
            # What cannot be looked up stays as it was: everything else is worth more when the storage fails.
            with suppress(StorageTroubleError):
                # Of several processes one counts them: so sums are right.
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
    """True of an address, of a name without a dot and of our own: no web page can make such a name lead here."""
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    if "." not in name and ":" not in name:
        return True
    with suppress(ValueError):
        return bool(ip_address(name))
    return name.lower() == ours.lower()


@asynccontextmanager
async def serving(health: Health, *, host: str, port: int) -> AsyncIterator[int]:
    """Serve both pages; gives the port (0 asks for any free one). Raises HealthError.

    Who asks for them by a name that any web page could have made lead here gets 403.
    """

    @web.middleware
    async def known_alone(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not _is_known(request.headers.get("Host", ""), host):
            raise web.HTTPForbidden
        return await handler(request)

    routes = {"/health": health.tell, "/metrics": health.show}
    door = listening(
        routes, host=host, port=port, most=MOST_CONNECTIONS, logger=log, middlewares=[known_alone], head=True
    )
    async with AsyncExitStack() as stack:
        try:
            opened = await stack.enter_async_context(door)
        except OSError as error:
            raise HealthError(
                f"The health endpoint cannot have port {port} of {host} ({_reason(error)}): free it, "
                "or choose others with CHAIPO_HEALTH_PORT and CHAIPO_HEALTH_HOST"
            ) from error
        yield opened


def _reason(error: OSError) -> str:
    """What the system says: asyncio's own text repeats the address, and a name that is not found has no number."""
    return strerror(error.errno) if error.errno and error.errno > 0 else str(error.strerror or error)


@asynccontextmanager
async def watching_the_loop(health: Health, metrics: Metrics) -> AsyncIterator[None]:
    """Measure meanwhile how late the event loop runs."""
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
