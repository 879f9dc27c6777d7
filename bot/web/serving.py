"""Serves the pages of a bot on Discord, to whoever comes by a link of their own."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from os import strerror
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.http_exceptions import BadHttpMessage
from aiohttp.typedefs import Handler

from bot.web.limits import Network, Proxies
from bot.web.pages import Pages
from bot.web.personal_links import PersonalLinks
from bot.web.server import PageServer

log = logging.getLogger(__name__)

REQUEST_SECONDS = 10.0
"""Within this time a connection has asked for something."""
LOOK_SECONDS = 2.0
QUIET_SECONDS = 15.0
"""For so long a connection stays for the next request."""
GOODBYE_SECONDS = 1.0
MOST_LINE, MOST_FIELD, MOST_READ = 2_048, 4_096, 16_384
"""Bytes of what is asked for, of each thing that is told beside it, and of what is read ahead."""


class WebError(Exception):
    """The pages cannot be served; its text is one sentence for the operator."""


def _is_our_fault(record: logging.LogRecord) -> bool:
    """False for requests that are no HTTP or too long: they were answered with 400, and anybody can send them."""
    return record.exc_info is None or not isinstance(record.exc_info[1], BadHttpMessage)


log.addFilter(_is_our_fault)


@asynccontextmanager
async def serving(
    pages: Pages, links: PersonalLinks, *, host: str, port: int, proxies: Sequence[Network] = ()
) -> AsyncIterator[int]:
    """Serve the pages at their address; gives the port (0 asks for any free one). Raises WebError."""
    url = urlsplit(links.url)
    server = PageServer(
        pages,
        hosts=lambda: (url.netloc,),
        origin=f"{url.scheme}://{url.netloc}",
        links=links,
        proxies=Proxies(proxies),
    )
    asked: set[int] = set()

    @web.middleware
    async def noted(request: web.Request, handler: Handler) -> web.StreamResponse:
        asked.add(id(request.protocol))
        return await handler(request)

    app = web.Application(middlewares=[noted], client_max_size=1)
    for path, handler in server.routes().items():
        # A proxy may hand on the whole path, or what stands behind its own.
        for known in {path, url.path.rstrip("/") + path}:
            app.router.add_get(known, handler, allow_head=False)
    runner = web.AppRunner(
        app,
        access_log=None,
        logger=log,
        shutdown_timeout=GOODBYE_SECONDS,
        keepalive_timeout=QUIET_SECONDS,
        max_line_size=MOST_LINE,
        max_field_size=MOST_FIELD,
        read_bufsize=MOST_READ,
        lingering_time=0.0,
        auto_decompress=False,
    )
    await runner.setup()
    watch = asyncio.create_task(_let_go_of_the_silent(runner, asked), name="silent-connections")
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            reason = strerror(error.errno) if error.errno and error.errno > 0 else str(error.strerror or error)
            raise WebError(
                f"The tables' pages cannot have port {port} of {host} ({reason}): free it, or choose others with "
                "CHAIPO_WEB_PORT and CHAIPO_WEB_HOST"
            ) from error
        yield int(runner.addresses[0][1])
    finally:
        watch.cancel()
        pages.close()
        await runner.cleanup()


async def _let_go_of_the_silent(runner: web.AppRunner, asked: set[int]) -> None:
    """Close connections on which nothing was asked for in time: aiohttp waits for a first request without end."""
    since: dict[int, float] = {}
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        now, open_ = time.monotonic(), {id(one): one for one in runner.server.connections} if runner.server else {}
        asked.intersection_update(open_)
        since = {name: since.get(name, now) for name in open_ if name not in asked}
        for name, begun in since.items():
            if now - begun >= REQUEST_SECONDS:
                open_[name].force_close()
