"""Serving the bot's pages to visitors with personal links."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from os import strerror
from urllib.parse import urlsplit

from bot.ops.visitors import listening, max_connections, max_open_files
from bot.web.limits import Network, Proxies
from bot.web.pages import MAX_PAGES, Pages
from bot.web.personal_links import PersonalLinks
from bot.web.server import PageServer

log = logging.getLogger(__name__)


class WebError(Exception):
    """The pages can't be served. The text is one sentence for the operator."""


@asynccontextmanager
async def serving(
    pages: Pages, links: PersonalLinks, *, host: str, port: int, proxies: Sequence[Network] = ()
) -> AsyncIterator[int]:
    """Serve the pages and yield the port. ``port`` 0 chooses a free one. Raises WebError."""
    url = urlsplit(links.url)
    server = PageServer(
        pages,
        hosts=lambda: (url.netloc,),
        origin=f"{url.scheme}://{url.netloc}",
        links=links,
        proxies=Proxies(proxies),
    )
    # A proxy may pass on the whole path, or only the part after its own prefix.
    routes = {
        known: handler for path, handler in server.routes().items() for known in (path, url.path.rstrip("/") + path)
    }
    most = max_connections()
    if most < MAX_PAGES:
        log.warning(
            "this process may open %s files, so pages get %s connections at most. Raise that limit (LimitNOFILE)",
            max_open_files(),
            most,
        )
    async with AsyncExitStack() as stack:
        try:
            opened = await stack.enter_async_context(listening(routes, host=host, port=port, most=most, logger=log))
        except OSError as error:
            reason = strerror(error.errno) if error.errno and error.errno > 0 else str(error.strerror or error)
            raise WebError(
                f"The tables' pages cannot use port {port} on {host} ({reason}). Free it, or choose another address "
                "with CHAIPO_WEB_PORT and CHAIPO_WEB_HOST"
            ) from error
        stack.callback(pages.close)
        yield opened
