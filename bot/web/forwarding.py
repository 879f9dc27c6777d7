"""Pages of servers that another process serves. Those in Discord's frame are forwarded, because it has one address."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from aiohttp import ClientError, ClientSession, ClientTimeout, ClientWebSocketResponse, WSMsgType, web

from bot.web.frames import HEARTBEAT_SECONDS

log = logging.getLogger(__name__)


LED: Final = "X-Chaipo-Led"
"""Header of a forwarded connection. It prevents loops if two processes each forward to the other."""
REACH_SECONDS = 10.0
TAKE_SECONDS = 10.0
"""Send timeout. A page that doesn't accept data for this long is dropped."""

Next = Callable[[], Awaitable[str | None]]


class ServedElsewhereError(Exception):
    """Another process serves the server. ``to`` is its page address; empty if unknown, so the page retries here."""

    def __init__(self, to: str) -> None:
        super().__init__("another process serves this server")
        self.to = to


async def lead_on(address: str, first: str, heard: Next, page: web.WebSocketResponse, *, of: str) -> bool:
    """Relay messages between a page and another process until either disconnects; False if it can't be reached.

    ``first`` is the page's first message. ``heard`` returns the next ones, and None once the page is gone. ``of`` is
    the visitor's address, which the other process accepts if this one is among its trusted proxies.
    """
    headers = {LED: "1", "X-Forwarded-For": of.partition("/")[0]}
    timeout = ClientTimeout(total=None, connect=REACH_SECONDS)
    try:
        async with (
            ClientSession(timeout=timeout) as http,
            http.ws_connect(address, headers=headers, heartbeat=HEARTBEAT_SECONDS, max_msg_size=0) as there,
        ):
            await there.send_str(first)
            ways = [asyncio.create_task(_there(heard, there)), asyncio.create_task(_back(there, page))]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
    except (ClientError, OSError, TimeoutError) as error:
        log.info("the process that serves a page could not be reached: %r", error)
        return False
    return True


async def _there(heard: Next, there: ClientWebSocketResponse) -> None:
    while (text := await heard()) is not None:
        await there.send_str(text)


async def _back(there: ClientWebSocketResponse, page: web.WebSocketResponse) -> None:
    async for message in there:
        if message.type is not WSMsgType.TEXT:
            return
        async with asyncio.timeout(TAKE_SECONDS):
            await page.send_str(message.data)
