"""One page's connection. Received messages are handled in order, and messages to the page wait in a queue."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from bot.chat.kit.incidents import incident
from bot.model.activities import ACTIVITY
from bot.model.errors import StorageUnavailableError
from bot.play.queries.replays import OF_A_HAND
from bot.play.table.pages import OF_A_STREAM
from bot.text.words import Words, words_of_locale
from bot.web.activity import Activity, ActivityUnverifiedError
from bot.web.addresses import PAGE, SOCKET
from bot.web.forwarding import ServedElsewhereError, lead_on
from bot.web.frames import Socket
from bot.web.limits import PendingSockets
from bot.web.messages import Bye, Heard, InvalidMessageError, Open, Ping, Sent, heard, written
from bot.web.page import Page
from bot.web.pages import Pages
from bot.web.personal_links import PersonalLinks
from bot.web.plain import plain
from bot.web.tokens import PageReader

log = logging.getLogger(__name__)


OPEN_SECONDS = 10.0
"""Timeout for a socket's first message, which identifies the reader."""
IDLE_SECONDS = 60 * 60.0
"""Idle time after which a page is closed. It reopens when the reader touches it."""
SEND_SECONDS = 10.0
"""Send timeout. A page that doesn't accept data for this long is dropped."""
MAX_QUEUED_MESSAGES = 64
"""Maximum number of messages queued for a page."""
MAX_CONCURRENT_REQUESTS = 16
"""Maximum number of requests in progress per page."""
MAX_MESSAGES_PER_MINUTE = 600
"""Maximum number of messages per minute from a page. Dragging cards never reaches it, and changes have their own
limits.
"""


class _PageRefusedError(Exception):
    """A page can't be opened. ``bye`` has the reason."""

    def __init__(self, bye: Bye) -> None:
        super().__init__(bye.said)
        self.bye = bye


class Connection:
    """A socket with its incoming messages and its send queue."""

    def __init__(
        self,
        pages: Pages,
        socket: Socket,
        *,
        words: Words,
        address: str,
        unopened: PendingSockets,
        links: PersonalLinks | None = None,
        activity: Activity | None = None,
        led: bool = False,
    ) -> None:
        """``words`` are in the browser's language, because the reader is still unknown.

        ``activity`` is set for a page in Discord's frame. ``led`` is True if another process has forwarded it here.
        """
        self._pages = pages
        self._links = links
        self._activity = activity
        self._led = led
        self._socket = socket
        self._words = words
        self._address = address
        self._unopened = unopened
        self._waiting: asyncio.Queue[Sent] = asyncio.Queue(MAX_QUEUED_MESSAGES)
        self._doing: set[asyncio.Task[None]] = set()
        self._closed = False
        self._parting = False

    def send(self, message: Sent) -> None:
        """Queue ``message``. A page with a full queue is dropped."""
        if self._closed:
            return
        try:
            self._waiting.put_nowait(message)
        except asyncio.QueueFull:
            self._drop("reads too slowly")

    def close(self, bye: Bye) -> None:
        """Send ``bye`` after the queued messages, then close the connection."""
        if not self._closed:
            self._parting = True
            self.send(bye)
            self._closed = True

    def _drop(self, why: str) -> None:
        log.debug("dropped a page that %s", why)
        self._closed, self._parting = True, False
        self._socket.cut()

    async def run(self) -> None:
        """Handle messages until the connection is closed."""
        sending = asyncio.create_task(self._send())
        try:
            try:
                bye = await self._hear()
            except ConnectionError:
                raise
            except Exception:
                bye = Bye(said=plain(incident(self._words), str), again=True)
            if bye is not None:
                self.close(bye)
            if self._parting:
                await sending
                await self._socket.part()
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
                        await self._socket.say_goodbye()
                        return
            except TimeoutError:
                self._drop("reads nothing")
                return
            except ConnectionError:
                return  # the receiving side notices that the connection is lost

    async def _hear(self) -> Bye | None:
        """Handle messages. Returns the final message, or None if the page has disconnected."""
        try:
            with self._unopened.waiting(self._address, self._socket.cut):
                text = await self._next(OPEN_SECONDS)
            opening = None if text is None else heard(text)
        except (TimeoutError, InvalidMessageError):
            return Bye(said=self._words("page.not_understood"), again=False)
        if not isinstance(opening, Open):
            return None if opening is None else Bye(said=self._words("page.not_understood"), again=False)
        try:
            reader, table, link = await self._let_in(opening)
        except _PageRefusedError as not_let_in:
            if self._activity is None or self._led or not not_let_in.bye.to:
                return not_let_in.bye
            address = not_let_in.bye.to.removesuffix(PAGE).replace("http", "ws", 1) + ACTIVITY + SOCKET
            led = await lead_on(address, text or "", partial(self._next, IDLE_SECONDS), self._socket, of=self._address)
            return None if led else Bye(said=self._words("page.later"), again=True)
        self._words = words_of_locale(reader.locale)
        async with self._pages.opened(
            reader,
            self,
            table=opening.table or table,
            has=opening.state,
            overlay=opening.overlay,
            link=link,
            puzzle=opening.puzzle,
            analysis=opening.analysis,
        ) as page:
            return await self._listen(page, overlay=page.late)

    async def _let_in(self, opening: Open) -> tuple[PageReader, int, str]:
        """Return the reader, their table and a shared hand's link. Raises _PageRefusedError if they aren't admitted."""
        reader = self._pages.tokens.reader(opening.token)
        if reader is not None:
            return reader, 0, ""
        try:
            guest = await self._pages.guest(opening.token, self._words, address=self._address)
            if guest is not None and self._links is not None:
                await self._links.require_served_here(guest.guild)
            if guest is not None and self._pages.full_of_guests:
                raise _PageRefusedError(Bye(said=self._words("page.later"), again=True))
            if guest is not None:
                return guest, 0, opening.token
            stream = await self._pages.stream(opening.token)
            if stream is not None and self._links is not None:
                await self._links.require_served_here(stream.guild)
            if stream is not None:
                return stream, 0, ""
            if self._activity is not None:
                self._activity.require_server(opening)
            found = None if self._links is None else await self._links.came(opening)
            if found is None and self._activity is not None:
                found = await self._activity.came(opening, address=self._address, alive=self._socket.is_connected)
        except ActivityUnverifiedError as refused:
            raise _PageRefusedError(Bye(said=self._words(refused.key), again=refused.again)) from refused
        except ServedElsewhereError as elsewhere:
            said = self._words("page.moved" if elsewhere.to else "page.later")
            raise _PageRefusedError(Bye(said=said, again=True, to=elsewhere.to)) from elsewhere
        except StorageUnavailableError as trouble:
            raise _PageRefusedError(Bye(said=self._words("page.later"), again=True)) from trouble
        if found is None:
            brought = opening.token or opening.ticket
            command = "puzzle." if opening.puzzle else "analysis." if opening.analysis else ""
            over = f"{command}page.link_over" if command or brought else "page.no_link"
            known = "page.not_known" if self._links is None else over
            other = {OF_A_HAND: "page.hand_hidden", OF_A_STREAM: "page.stream_over"}
            said = self._words(next((key for start, key in other.items() if opening.token.startswith(start)), known))
            raise _PageRefusedError(Bye(said=said, again=False))
        return *found, ""

    async def _listen(self, page: Page, *, overlay: bool) -> Bye | None:
        loop = asyncio.get_running_loop()
        asleep = loop.time() + IDLE_SECONDS
        minute, count = loop.time(), 0
        while not self._parting:
            over = loop.time() + self._pages.seconds_left(page)
            try:
                text = await self._socket.hear(min(asleep, over))
                if text is None:
                    return None
                message = heard(text)
            except TimeoutError:
                if over <= asleep:
                    return Bye(said=self._words("page.not_known"), again=False)
                # A stream's page is never touched, so it has to reopen automatically.
                return Bye(said=self._words("page.idle"), again=overlay)
            except InvalidMessageError as error:
                log.debug("a page sent an invalid message: %s", error)
                return Bye(said=self._words("page.not_understood"), again=False)
            if not isinstance(message, Ping):
                asleep = loop.time() + IDLE_SECONDS
            if loop.time() - minute > 60:
                minute, count = loop.time(), 0
            count += 1
            if len(self._doing) >= MAX_CONCURRENT_REQUESTS or count > MAX_MESSAGES_PER_MINUTE:
                return Bye(said=self._words("page.too_slow"), again=True)
            doing = asyncio.create_task(self._do(page, message))
            self._doing.add(doing)
            doing.add_done_callback(self._doing.discard)
        return None

    async def _do(self, page: Page, message: Heard) -> None:
        try:
            await self._pages.heard(page, message)
        except Exception:
            self.close(Bye(said=plain(incident(self._words), str), again=True))

    async def _next(self, seconds: float) -> str | None:
        """Return the next text; None if the connection is closed. Raises TimeoutError after ``seconds``."""
        return await self._socket.hear(asyncio.get_running_loop().time() + seconds)
