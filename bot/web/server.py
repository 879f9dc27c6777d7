"""Serves the page and its socket. Nothing that comes is trusted: not its origin, its token, its size or its pace."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from functools import cache, partial
from importlib.resources import files
from typing import Final, TypeAlias

from aiohttp import WSMsgType, web

from bot.text.words import Words, words_of_locale
from bot.web.messages import API, MOST_BYTES, Bye, Heard, Open, Ping, Sent, UnheardError, heard, written
from bot.web.page import Page
from bot.web.pages import Pages

log = logging.getLogger(__name__)

Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]
PAGE: Final = "/table"
SOCKET: Final = f"/api/{API}/socket"
NONCE: Final = "{{nonce}}"
OPEN_SECONDS = 10.0
"""Within this time a socket says who it is."""
IDLE_SECONDS = 60 * 60.0
"""A page on which nothing happens for so long is closed; it opens again at a touch."""
SEND_SECONDS = 10.0
"""Who takes nothing for so long is dropped."""
HEARTBEAT_SECONDS = 25.0
MOST_WAITING = 64
"""Messages that wait for one page."""
MOST_AT_ONCE = 16
"""Things that one page asks for before the first of them is answered."""
MOST_A_MINUTE = 600
"""Messages of one page; nobody drags as fast, and whatever changes something has brakes of its own."""
MOST_OF_ADDRESS = 64
"""Sockets of one address."""
POLICY: Final = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src {origin} 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
HEADERS: Final = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@cache
def source() -> str:
    """The page as it was built."""
    return files("bot.web").joinpath("table.html").read_text(encoding="utf-8")


class PageServer:
    """The two addresses. ``hosts`` are the names by which it may be asked."""

    def __init__(self, pages: Pages, *, hosts: Callable[[], Collection[str]]) -> None:
        self._pages = pages
        self._hosts = hosts
        self._sockets: Counter[str] = Counter()

    def routes(self) -> dict[str, Handler]:
        """Each address and who answers it."""
        return {PAGE: self.page, SOCKET: self.socket}

    async def page(self, request: web.Request) -> web.Response:
        """The page, with a nonce of its own."""
        self._check_host(request)
        nonce = secrets.token_urlsafe(18)
        policy = POLICY.format(nonce=nonce, origin=f"ws://{request.host} wss://{request.host}")
        return web.Response(
            text=source().replace(NONCE, nonce),
            content_type="text/html",
            charset="utf-8",
            headers={**HEADERS, "Content-Security-Policy": policy},
        )

    def _check_host(self, request: web.Request) -> None:
        if request.host not in self._hosts():
            raise web.HTTPForbidden

    async def socket(self, request: web.Request) -> web.StreamResponse:
        """The socket of one page."""
        self._check_host(request)
        if request.headers.get("Origin") not in (f"http://{request.host}", f"https://{request.host}"):
            raise web.HTTPForbidden
        address = request.remote or ""
        if self._pages.full or self._sockets[address] >= MOST_OF_ADDRESS:
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(max_msg_size=MOST_BYTES, heartbeat=HEARTBEAT_SECONDS, compress=False)
        await socket.prepare(request)
        self._sockets[address] += 1
        try:
            await Connection(self._pages, socket, drop=partial(_abort, request), words=_words(request)).run()
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]
        return socket


def _abort(request: web.Request) -> None:
    """Let go of a connection without a word: nobody listens."""
    if request.transport is not None:
        request.transport.abort()


def _words(request: web.Request) -> Words:
    """Those of the browser's language."""
    return words_of_locale(request.headers.get("Accept-Language", "").partition(",")[0].partition(";")[0][:20])


class Connection:
    """One socket: what is heard, and what waits to be sent."""

    def __init__(self, pages: Pages, socket: web.WebSocketResponse, *, drop: Callable[[], None], words: Words) -> None:
        """``words`` are of the browser's language: whose page it is has still to be told."""
        self._pages = pages
        self._socket = socket
        self._drop = drop
        self._words = words
        self._waiting: asyncio.Queue[Sent] = asyncio.Queue(MOST_WAITING)
        self._doing: set[asyncio.Task[None]] = set()
        self._closed = False

    def send(self, message: Sent) -> None:
        """Send it soon; a page for which too much waits already is dropped."""
        if self._closed:
            return
        try:
            self._waiting.put_nowait(message)
        except asyncio.QueueFull:
            self._let_go("takes too little")

    def close(self, bye: Bye) -> None:
        """Say so, behind all that waits, and close it."""
        self.send(bye)
        self._closed = True

    def _let_go(self, why: str) -> None:
        log.debug("a page is dropped: it %s", why)
        self._closed = True
        self._drop()

    async def run(self) -> None:
        """Hear it until it is closed."""
        sending = asyncio.create_task(self._send())
        try:
            bye = await self._hear()
            if bye is not None:
                self.close(bye)
                await sending
        finally:
            self._closed = True
            for task in (*self._doing, sending):
                task.cancel()
            await asyncio.gather(*self._doing, sending, return_exceptions=True)

    async def _send(self) -> None:
        while True:
            message = await self._waiting.get()
            try:
                async with asyncio.timeout(SEND_SECONDS):
                    await self._socket.send_str(written(message))
                    if isinstance(message, Bye):
                        await self._socket.close()
                        return
            except TimeoutError:
                self._let_go("takes nothing")
                return
            except ConnectionError:
                return  # it is gone, as whoever hears it is told

    async def _hear(self) -> Bye | None:
        """What it is told at the end; None where it has gone by itself."""
        try:
            text = await self._next(OPEN_SECONDS)
            opening = None if text is None else heard(text)
        except (TimeoutError, UnheardError):
            return Bye(said=self._words("page.not_understood"), again=False)
        if not isinstance(opening, Open):
            return None if opening is None else Bye(said=self._words("page.not_understood"), again=False)
        reader, link = self._pages.tokens.reader(opening.token), ""
        if reader is None and (reader := await self._pages.guest(opening.token, self._words)) is not None:
            link = opening.token
        if reader is None:
            return Bye(said=self._words("page.not_known"), again=False)
        self._words = words_of_locale(reader.locale)
        async with self._pages.opened(
            reader, self, table=opening.table, has=opening.state, overlay=opening.overlay, link=link
        ) as page:
            return await self._listen(page)

    async def _listen(self, page: Page) -> Bye | None:
        loop = asyncio.get_running_loop()
        asleep = loop.time() + IDLE_SECONDS
        minute, count = loop.time(), 0
        while True:
            try:
                text = await self._next(asleep - loop.time())
                if text is None:
                    return None
                message = heard(text)
            except TimeoutError:
                return Bye(said=self._words("page.idle"), again=False)
            except UnheardError as error:
                log.debug("a page says what is no message: %s", error)
                return Bye(said=self._words("page.not_understood"), again=False)
            if not isinstance(message, Ping):
                asleep = loop.time() + IDLE_SECONDS
            if loop.time() - minute > 60:
                minute, count = loop.time(), 0
            count += 1
            if len(self._doing) >= MOST_AT_ONCE or count > MOST_A_MINUTE:
                return Bye(said=self._words("page.too_slow"), again=True)
            doing = asyncio.create_task(self._do(page, message))
            self._doing.add(doing)
            doing.add_done_callback(self._doing.discard)

    async def _do(self, page: Page, message: Heard) -> None:
        try:
            await self._pages.heard(page, message)
        except Exception:
            log.exception("a page asked for what failed")
            self.close(Bye(said=self._words("page.not_understood"), again=True))

    async def _next(self, seconds: float) -> str | None:
        """The next text; None once it is closed. Raises TimeoutError."""
        message = await self._socket.receive(timeout=max(seconds, 0.001))
        return message.data if message.type is WSMsgType.TEXT else None
