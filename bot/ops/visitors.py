"""HTTP servers for untrusted clients, with limits on connections, bytes and idle time.

aiohttp limits lines and headers, but not the number of connections, the bytes sent to a socket, or the time that a
client takes to read an answer. asyncio logs a traceback for each connection without a free descriptor, so a server here
keeps fewer connections than the process may open files.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from typing_extensions import override

log = logging.getLogger(__name__)

MAX_CONNECTIONS = 4_096
KEPT_FREE = 320
"""Descriptors kept for Discord, the database, worker processes, the health endpoint, and one round of accepts."""
MIN_CONNECTIONS = 16
BACKLOG = 128
"""Number of connections that asyncio accepts in one go, before the first of them can be refused."""
QUIET_SECONDS = 10.0
"""Timeout for sending a whole request, both the first one and each one after an answer."""
SLOW_SECONDS = 60.0
"""Timeout for reading an answer."""
MAX_BURST_BYTES = 32 * 1024
"""Bytes that a connection may send in one burst. Each answered request allows the same amount again."""
BYTES_PER_SECOND = 4 * 1024
"""Bytes per second after the burst, which is more than a page sends at its limit of 600 messages a minute."""
MAX_LINE_BYTES, MAX_FIELD_BYTES, MAX_HEADERS, MAX_READ_BYTES = 2_048, 4_096, 64, 16_384
"""Limits on a request: bytes of its first line, bytes of a header, number of headers, and bytes read ahead."""
REQUESTS_PER_SECOND = 300
"""Requests that a server answers per second, of all clients together. A visitor's first page needs about ten."""
MAX_BURST_REQUESTS = 300
"""Requests that an idle server answers without a pause."""
MAX_WAIT_SECONDS = 5.0
"""Longest wait of a request. Later ones are refused."""
GOODBYE_SECONDS = 1.0
NAME: Final = "Chaipo"
"""The Server header. aiohttp's default reveals the versions of aiohttp and Python."""


def max_open_files() -> int | None:
    """Return the number of files that this process may open; None if it's unlimited or unknown."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def max_connections() -> int:
    """Return the maximum number of untrusted connections to this process."""
    files = max_open_files()
    return MAX_CONNECTIONS if files is None else max(MIN_CONNECTIONS, min(MAX_CONNECTIONS, files - KEPT_FREE))


class Visitors:
    """The connections of one server. If there are too many, the one that has been idle longest is dropped."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._all: set[Visitor] = set()
        self._idle: OrderedDict[Visitor, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._all)

    def enter(self, visitor: Visitor) -> bool:
        """Add a connection; False if the server is full."""
        if len(self._all) >= self.most:
            if not self._idle:
                return False
            next(iter(self._idle)).drop()
        self._all.add(visitor)
        return True

    def leave(self, visitor: Visitor) -> None:
        """Remove a connection if it's still there."""
        self._all.discard(visitor)
        self._idle.pop(visitor, None)

    def idles(self, visitor: Visitor) -> None:
        """Record that a connection is idle."""
        if visitor in self._all:
            self._idle[visitor] = None

    def works(self, visitor: Visitor) -> None:
        """Record that a connection is handling a request."""
        self._idle.pop(visitor, None)


class Visitor(web.RequestHandler):
    """One connection. Its bytes and idle time are limited below the level of HTTP and WebSocket frames."""

    __slots__ = ("_idle_since", "_room", "_room_at", "_timer", "_visitors")

    def __init__(self, visitors: Visitors, server: web.Server, **options: Any) -> None:
        super().__init__(server, loop=asyncio.get_running_loop(), **options)
        self._visitors = visitors
        self._room = float(MAX_BURST_BYTES)
        self._room_at = self._idle_since = self._loop.time()
        self._timer: asyncio.TimerHandle | None = None

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if not self._visitors.enter(self):
            assert isinstance(transport, asyncio.Transport)
            transport.abort()
            return
        super().connection_made(transport)
        self.idle()

    @override
    def connection_lost(self, exc: BaseException | None) -> None:
        self._stop_timer()
        self._visitors.leave(self)
        super().connection_lost(exc)

    @override
    def data_received(self, data: bytes) -> None:
        now = self._loop.time()
        self._room = min(float(MAX_BURST_BYTES), self._room + (now - self._room_at) * BYTES_PER_SECOND) - len(data)
        self._room_at = now
        if self._room < 0:
            log.debug("dropped a connection that sends too much")
            self.drop()
            return
        try:
            super().data_received(data)
        except Exception:  # asyncio would log a traceback for any bytes that break the parser
            log.debug("dropped a connection whose data could not be read", exc_info=True)
            self.drop()

    def work(self) -> None:
        """End the idle time and allow another request's worth of bytes."""
        self._stop_timer()
        self._visitors.works(self)
        self._room = float(MAX_BURST_BYTES)

    def idle(self) -> None:
        """Wait for a request, with a timeout."""
        if self.transport is None:
            return
        self._visitors.idles(self)
        self._idle_since = self._loop.time()
        self._stop_timer()
        self._timer = self._loop.call_later(QUIET_SECONDS, self._idled)

    def drop(self) -> None:
        """Close the connection immediately."""
        self._visitors.leave(self)
        if self.transport is not None:
            self.transport.abort()

    @override
    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer an invalid HTTP request without logging it, because anyone can send one."""
        if status != 400:
            return super().handle_error(request, status, exc, message)
        answer = web.Response(status=400, text="400: Bad Request", headers={"Server": NAME})
        answer.force_close()
        return answer

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _idled(self) -> None:
        reads = self.transport is not None and self.transport.get_write_buffer_size() > 0
        if reads and self._loop.time() < self._idle_since + SLOW_SECONDS:
            self._timer = self._loop.call_later(QUIET_SECONDS, self._idled)
            return
        self.drop()


class Pace:
    """A common pace for the requests of all clients, so that a flood of them leaves time for Discord."""

    def __init__(self) -> None:
        self._next = 0.0

    def delay(self, now: float) -> float:
        """Return the seconds until a request that came ``now`` is answered. Raises HTTPServiceUnavailable.

        The request is refused if too many wait already.
        """
        due = max(self._next, now - MAX_BURST_REQUESTS / REQUESTS_PER_SECOND)
        if due > now + MAX_WAIT_SECONDS:
            raise web.HTTPServiceUnavailable
        self._next = due + 1 / REQUESTS_PER_SECOND
        return max(0.0, due - now)


def _attended(pace: Pace) -> Middleware:
    """Mark the connection as busy during its request, and keep the pace. A client's disconnect isn't an error."""

    @web.middleware
    async def attended(request: web.Request, handler: Handler) -> web.StreamResponse:
        visitor = request.protocol
        assert isinstance(visitor, Visitor)
        visitor.work()
        try:
            await asyncio.sleep(pace.delay(asyncio.get_running_loop().time()))
            return await handler(request)
        except ConnectionError:
            return web.Response()  # the client has disconnected
        except web.HTTPException as refused:
            refused.force_close()  # so that each request in a flood needs its own connection
            raise
        finally:
            visitor.idle()

    return attended


async def _name(_: web.Request, response: web.StreamResponse) -> None:
    response.headers["Server"] = NAME


@asynccontextmanager
async def listening(
    routes: Mapping[str, Handler],
    *,
    host: str,
    port: int,
    most: int,
    logger: logging.Logger,
    middlewares: Sequence[Middleware] = (),
    head: bool = False,
) -> AsyncIterator[int]:
    """Answer GET, and HEAD with ``head``, for ``routes``. Yield the port (0 chooses a free one). Raises OSError.

    ``most`` is the maximum number of connections.
    """
    app = web.Application(middlewares=[_attended(Pace()), *middlewares], client_max_size=1)
    app.on_response_prepare.append(_name)
    for path, handler in routes.items():
        app.router.add_get(path, handler, allow_head=head)
    runner = web.AppRunner(app, access_log=None, logger=logger, shutdown_timeout=GOODBYE_SECONDS)
    await runner.setup()
    server, visitors = runner.server, Visitors(most)
    assert server is not None

    def visitor() -> Visitor:
        return Visitor(
            visitors,
            server,
            access_log=None,
            logger=logger,
            max_line_size=MAX_LINE_BYTES,
            max_field_size=MAX_FIELD_BYTES,
            max_headers=MAX_HEADERS,
            read_bufsize=MAX_READ_BYTES,
            lingering_time=0.0,
            auto_decompress=False,
        )

    try:
        listener = await asyncio.get_running_loop().create_server(visitor, host, port, backlog=BACKLOG)
        try:
            yield int(listener.sockets[0].getsockname()[1])
        finally:
            listener.close()
    finally:
        await runner.cleanup()
