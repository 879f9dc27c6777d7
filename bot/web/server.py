"""Server for the page, its files and its socket. It doesn't trust the origin, token, size or rate of any request."""

from __future__ import annotations

import html
import logging
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from typing import Final, TypeAlias

from aiohttp import web

from bot.model.activities import ACTIVITY
from bot.text.languages import ENGLISH
from bot.text.words import Words, words_for
from bot.web.accepted_language import accepted_language
from bot.web.activity import Activity
from bot.web.addresses import EVENT, FILES, PAGE, SOCKET
from bot.web.connection import Connection
from bot.web.events.answers import event_answer
from bot.web.files import document, file_answer, manifest
from bot.web.forwarding import LED
from bot.web.frames import Socket
from bot.web.limits import Allowances, PendingSockets, Proxies
from bot.web.messages import MAX_BYTES
from bot.web.pages import Pages
from bot.web.personal_links import PersonalLinks

log = logging.getLogger(__name__)


NO_PROXIES: Final = Proxies()
Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]
NONCE: Final = "{{nonce}}"
MANIFEST: Final = "{{manifest}}"
MAX_SOCKETS_PER_ADDRESS = 64
"""Maximum number of sockets per address."""
MAX_UNIDENTIFIED_SOCKETS = 128
"""Maximum number of sockets that haven't identified their reader, across all addresses."""
MAX_REQUESTS = 240
"""Maximum number of requests for pages and sockets per minute and address."""
MAX_FILE_REQUESTS = 2_400
"""Maximum number of requests for the page's files per minute and address. A visitor's first page needs several."""
MAX_ACTIVITY_REQUESTS = 3_000
"""Maximum number of requests per minute and address in Discord's frame.

Discord sends all users' requests from a few addresses, and doesn't say which user each is for.
"""
FRAMES: Final = "https://discord.com https://*.discord.com https://discordapp.com https://*.discordapp.com"
POLICY: Final = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src {origin} 'self'; "
    "img-src data:{images}; base-uri 'none'; form-action 'none'; frame-ancestors {frames}; "
    "require-trusted-types-for 'script'; trusted-types lit-html"
)
HEADERS: Final = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class PageServer:
    """The page and its socket, for browsers and for Discord's frame.

    ``hosts`` returns the host names that requests may use. ``origin`` is the page's origin, by default that of the
    requested host. ``links`` admits visitors who aren't known otherwise, and ``proxies`` finds the client's address
    behind reverse proxies.
    """

    def __init__(
        self,
        pages: Pages,
        *,
        hosts: Callable[[], Collection[str]],
        origin: str = "",
        links: PersonalLinks | None = None,
        proxies: Proxies = NO_PROXIES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pages = pages
        self._hosts = hosts
        self._origin = origin
        self._links = links
        self._proxies = proxies
        self._activity = None if links is None else links.inside
        self._event_pages = None if links is None else links.event_pages
        self._allowances = Allowances(MAX_REQUESTS, clock=clock)
        self._inside = Allowances(MAX_ACTIVITY_REQUESTS, clock=clock)
        self._files = Allowances(MAX_FILE_REQUESTS, clock=clock)
        self._unopened = PendingSockets(MAX_UNIDENTIFIED_SOCKETS)
        self._sockets: Counter[str] = Counter()

    def routes(self) -> dict[str, Handler]:
        """Return the handler of each path."""
        routes: dict[str, Handler] = {PAGE: self.page, f"{FILES}{{name}}": self.file, SOCKET: self.socket}
        if self._event_pages is not None:
            routes[f"{EVENT}/{{name}}"] = self.event
        if self._activity is not None:
            routes |= {
                ACTIVITY: self.framed_page,
                f"{ACTIVITY}/": self.framed_page,
                f"{ACTIVITY}{SOCKET}": self.framed_socket,
            }
        return routes

    async def page(self, request: web.Request) -> web.Response:
        """Return the page with a new nonce."""
        self._check(request)
        nonce = secrets.token_urlsafe(18)
        # Only the playground shows its page in a frame.
        frames = "'none'" if self._origin else "'self'"
        origin = f"ws://{request.host} wss://{request.host}"
        # Browsers can install this page as an app. They fetch its manifest and icons.
        policy = POLICY.format(nonce=nonce, origin=origin, frames=frames, images=" 'self'") + "; manifest-src 'self'"
        text = document("table.html").replace(NONCE, nonce).replace(MANIFEST, manifest(_words(request).language.code))
        return _answer(text, policy)

    async def file(self, request: web.Request) -> web.Response:
        """Return one of the page's files."""
        self._check(request, self._files)
        return file_answer(request)

    async def event(self, request: web.Request) -> web.StreamResponse:
        """Return an event's public page, or the same as a file."""
        self._check(request)
        assert self._event_pages is not None
        return await event_answer(self._event_pages, request)

    async def framed_page(self, request: web.Request) -> web.Response:
        """Return the page for Discord's frame. Discord substitutes its own content security policy and nonce."""
        self._check(request, self._inside)
        activity = self._activity
        if activity is None or not activity.application:
            raise web.HTTPServiceUnavailable
        nonce, host = secrets.token_urlsafe(18), f"{activity.application}.discordsays.com"
        policy = POLICY.format(nonce=nonce, origin=f"wss://{host}", frames=FRAMES, images="")
        text = document("activity.html").replace(NONCE, nonce).replace("{{application}}", str(activity.application))
        return _answer(text.replace("{{home}}", html.escape(activity.home)), policy, shared="cross-origin")

    def _check(self, request: web.Request, allowances: Allowances | None = None) -> str:
        """Return the client's address. Raises an HTTP error if the request isn't allowed."""
        if request.host not in self._hosts():
            raise web.HTTPForbidden
        address = self._proxies.who(request)
        if not (self._allowances if allowances is None else allowances).take(address):
            raise web.HTTPTooManyRequests
        return address

    async def socket(self, request: web.Request) -> web.StreamResponse:
        """Run a page's socket."""
        address = self._check(request)
        origins = (self._origin,) if self._origin else (f"http://{request.host}", f"https://{request.host}")
        if request.headers.get("Origin") not in origins:
            raise web.HTTPForbidden
        if self._sockets[address] >= MAX_SOCKETS_PER_ADDRESS:
            raise web.HTTPServiceUnavailable
        self._sockets[address] += 1
        try:
            return await self._connect(request, address)
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]

    async def framed_socket(self, request: web.Request) -> web.StreamResponse:
        """Run the socket of a page in Discord's frame.

        On some phones the frame is sandboxed, so its origin is ``null``. The request carries no cookies, so the check
        of the origin protects nothing but the bot's time.
        """
        address = self._check(request, self._inside)
        assert self._activity is not None
        if request.headers.get("Origin", "null") not in ("null", self._origin, self._activity.origin):
            raise web.HTTPForbidden
        return await self._connect(request, address, activity=self._activity)

    async def _connect(
        self, request: web.Request, address: str, *, activity: Activity | None = None
    ) -> web.StreamResponse:
        if self._pages.full:
            raise web.HTTPServiceUnavailable
        socket = Socket(max_bytes=MAX_BYTES)
        try:
            await socket.prepare(request)
        except ConnectionError:
            return web.Response()  # the visitor has already disconnected
        connection = Connection(
            self._pages,
            socket,
            words=_words(request),
            address=address,
            links=self._links,
            activity=activity,
            led=LED in request.headers,
            unopened=self._unopened,
        )
        await connection.run()
        return socket


def _answer(text: str, policy: str, *, shared: str = "same-origin") -> web.Response:
    headers = {**HEADERS, "Content-Security-Policy": policy, "Cross-Origin-Resource-Policy": shared}
    return web.Response(text=text, content_type="text/html", charset="utf-8", headers=headers)


def _words(request: web.Request) -> Words:
    """Return the words in the browser's language."""
    return words_for(accepted_language(request.headers.get("Accept-Language", ""), ENGLISH.code))
