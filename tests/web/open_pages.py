"""Pages that are open: with a line that keeps all that is sent, or in a socket of a server as the bot has one."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType, web
from pydantic import TypeAdapter

from bot.chat.kit.faces import Faces
from bot.chat.kit.gate import Gate, Rates
from bot.model.ids import GuildId, Player
from bot.web.addresses import SOCKET
from bot.web.limits import networks
from bot.web.messages import Bye, Sent, heard, written
from bot.web.page import Page
from bot.web.pages import Pages
from bot.web.server import PageServer
from bot.web.serving import serving
from bot.web.tokens import PageReader
from tests.discord.club import HASTY, Club, Screen
from tests.discord.messages import walk
from tests.play.world import GUILD, World

Json = dict[str, Any]
WAIT_SECONDS = 300.0
"""A way out of a hang; nothing is measured by it."""
SENT: TypeAdapter[Sent] = TypeAdapter(Sent)


@dataclass
class Seen:
    """A page: all messages received, and the current view."""

    came: list[Json] = field(default_factory=list)
    view: Json = field(default_factory=dict)
    state: str = ""
    words: Json = field(default_factory=dict)

    def take(self, text: str) -> Json:
        """A message that came."""
        told: Json = json.loads(text)
        SENT.validate_json(text, extra="forbid")
        self.came.append(told)
        match told["type"]:
            case "words":
                self.words = told
            case "snapshot":
                self.view, self.state = told["view"], told["state"]
            case "change":
                assert told["parts"].keys() <= self.view.keys()
                assert told["parts"], "a change of nothing"
                assert all(self.view[name] != part for name, part in told["parts"].items()), "what was known already"
                self.view, self.state = self.view | told["parts"], told["state"]
        return told

    def intent(self, verb: str, letters: str = "") -> Json:
        """Return the page's message for an action of its reader."""
        mine = self.view["mine"]
        offered = [offer["turn"] for offer in self.view["offers"] if offer["verb"] == verb]
        turn = offered[0] if offered else mine["turn"] if mine else ""
        name = secrets.token_urlsafe(9)
        return {
            "type": "intent",
            "id": name,
            "verb": verb,
            "table": self.view["table"],
            "turn": turn,
            "letters": letters,
        }

    def drawn(self, letters: str) -> Json:
        """Return the page's message after cards were moved."""
        return {"type": "draft", "table": self.view["table"], "turn": self.view["mine"]["turn"], "letters": letters}

    @property
    def own(self) -> Json:
        """Return the reader's own seat."""
        seat: Json = next(seat for seat in self.view["seats"] if seat["you"])
        return seat


# in a world without Discord


@dataclass
class Kept(Seen):
    """A page whose line keeps what is sent."""

    pages: Pages = field(kw_only=True)
    page: Page = field(init=False)
    bye: Bye | None = None

    def send(self, message: Sent) -> None:
        """Keep it."""
        self.take(written(message))

    def close(self, bye: Bye) -> None:
        """Note it."""
        self.bye = bye

    async def look(self) -> Json:
        """The view as it is now."""
        await self.pages.refresh(self.page)
        return self.view

    async def say(self, **message: Any) -> list[Json]:
        """Send something; returns what came meanwhile."""
        before = len(self.came)
        await self.pages.heard(self.page, heard(json.dumps(message)))
        return self.came[before:]

    async def ask(self, verb: str, letters: str = "", **other: Any) -> Json:
        """Want something; returns the answer."""
        *_, answer = await self.say(**self.intent(verb, letters) | other)
        assert answer["type"] == "answer"
        return answer

    async def draft(self, letters: str, **other: Any) -> Json:
        """Move cards; returns what they make, or why they may not be moved."""
        came = await self.say(**self.drawn(letters) | other)
        return next(told for told in came if told["type"] in ("drafted", "answer"))


def pages_of(world: World, *, rates: Rates = HASTY) -> Pages:
    """The pages of a world's tables."""
    gate = Gate(rates=rates, member_settings=world.play.member_settings)
    pages = Pages(
        world.play,
        world.events,
        gate,
        Faces(),
        world.core.bus,
        seating=world.seating,
        trainer=world.trainer,
        now_ms=lambda: world.now,
    )
    pages.viewers.least_seconds = WAIT_SECONDS  # tests count when they want it
    return pages


@asynccontextmanager
async def kept(
    pages: Pages,
    player: Player,
    *,
    table: int = 0,
    has: str = "",
    locale: str = "en-US",
    guild: GuildId = GUILD,
    puzzle: bool = False,
    overlay: bool = False,
    link: str = "",
) -> AsyncIterator[Kept]:
    """Open a page for ``player``, with ``puzzle`` one for puzzles, and with ``overlay`` one for a stream."""
    line = Kept(pages=pages)
    reader = PageReader(guild=guild, player=player, locale=locale)
    async with pages.opened(reader, line, table=table, has=has, puzzle=puzzle, overlay=overlay, link=link) as page:
        line.page = page
        await line.look()
        yield line


# in a socket


@dataclass
class Sight(Seen):
    """A page in a browser."""

    socket: ClientWebSocketResponse = field(kw_only=True)

    async def next(self) -> Json:
        """Return the next message; raises ConnectionError if the connection is closed."""
        message = await asyncio.wait_for(self.socket.receive(), WAIT_SECONDS)
        if message.type is not WSMsgType.TEXT:
            raise ConnectionError(message)
        return self.take(message.data)

    async def until(self, true: Callable[[Json], bool]) -> Json:
        """Return the first message that matches."""
        while True:
            told = await self.next()
            if true(told):
                return told

    async def sees(self, true: Callable[[Json], bool]) -> Json:
        """The view once it is like this."""
        while not (self.view and true(self.view)):
            await self.next()
        return self.view

    async def say(self, **message: Any) -> None:
        """Send something."""
        await self.socket.send_str(json.dumps(message))

    async def ask(self, verb: str, letters: str = "", **other: Any) -> Json:
        """Want something; returns the answer."""
        intent = self.intent(verb, letters) | other
        await self.say(**intent)
        return await self.until(lambda told: told["type"] == "answer" and told["id"] == intent["id"])

    async def draft(self, letters: str) -> Json:
        """Move cards; returns what they make, or why they may not be moved."""
        await self.say(**self.drawn(letters))
        return await self.until(lambda told: told["type"] == "drafted" or told.get("id") == "draft")


@dataclass
class Open:
    """A server and its visitors. ``url`` is the public address if there's a proxy."""

    pages: Pages
    http: ClientSession
    port: int
    url: str = ""
    path: str = SOCKET

    @property
    def origin(self) -> str:
        """The server's origin."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def headers(self) -> dict[str, str]:
        """Headers that the browser and the proxy send with each request."""
        if not self.url:
            return {"Origin": self.origin}
        return {"Host": self.url.partition("://")[2].partition("/")[0], "Origin": self.url}

    def token(self, club: Club, name: str) -> str:
        """Return a token for a member."""
        member = club.members[name]
        locale = club.world.locale_of(member.id)
        reader = PageReader(guild=GuildId(club.guild.id), player=Player(str(member.id)), locale=locale)
        return self.pages.tokens.give(reader)

    def address(self, club: Club, name: str, *, query: str = "") -> str:
        """Return the address of a member's page."""
        return f"{self.origin}/table{query}#{self.token(club, name)}"

    @asynccontextmanager
    async def socket(self, **headers: str) -> AsyncIterator[Sight]:
        """Open a socket without sending anything."""
        sent = self.headers | headers
        async with self.http.ws_connect(f"{self.origin}{self.path}", headers=sent) as socket:
            yield Sight(socket=socket)

    @asynccontextmanager
    async def eyes(self, club: Club, name: str, **said: Any) -> AsyncIterator[Sight]:
        """Open a member's page, and wait for its first view."""
        async with self.socket() as sight:
            await sight.say(type="open", token=self.token(club, name), **said)
            await sight.until(lambda told: told["type"] in ("snapshot", "current"))
            yield sight


@asynccontextmanager
async def _in_time_of(club: Club, pages: Pages) -> AsyncIterator[None]:
    """Handle the pages' requests in the simulated Discord's time."""

    @asynccontextmanager
    async def in_its_time() -> AsyncIterator[None]:
        with club.world.env.time_context():
            yield

    pages.doing = in_its_time
    yield


@asynccontextmanager
async def linked(club: Club, *, port: int = 0, proxies: str = "127.0.0.0/8", url: str = "") -> AsyncIterator[Open]:
    """Serve the pages of a club's bot as on Discord, to visitors with personal links.

    With another process's address as ``url``, the same bot stands in for it.
    """
    links = club.bot.links
    if url:
        links = copy(links)
        links.url = url
    async with (
        _in_time_of(club, club.bot.pages),
        serving(club.bot.pages, links, host="127.0.0.1", port=port, proxies=networks(proxies)) as port,
        ClientSession() as http,
    ):
        yield Open(club.bot.pages, http, port, links.url)


def link_in(screen: Screen) -> str:
    """Return the address of the page in a message's link, or an empty string."""
    urls = [str(part["url"]) for part in walk(screen.components) if "/table#" in str(part.get("url"))]
    assert len(urls) <= 1
    return next(iter(urls), "")


def key_of(link: str) -> dict[str, str]:
    """Return the page's credentials from a link: its ticket and a new token."""
    ticket = link.partition("#")[2]
    return {"token": f"{ticket.partition('.')[0]}.{secrets.token_hex(24)}", "ticket": ticket}


@asynccontextmanager
async def served(club: Club) -> AsyncIterator[Open]:
    """The pages of a club's bot, served."""
    pages: Pages = club.bot.pages
    port: list[int] = []
    server = PageServer(pages, hosts=lambda: [f"127.0.0.1:{port[0]}", f"localhost:{port[0]}"])
    app = web.Application()
    for path, handler in server.routes().items():
        app.router.add_get(path, handler)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port.append(runner.addresses[0][1])
    try:
        async with _in_time_of(club, pages), ClientSession() as http:
            yield Open(pages, http, port[0])
    finally:
        pages.close()
        await runner.cleanup()
