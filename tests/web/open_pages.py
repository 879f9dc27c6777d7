"""Pages that are open: a server as the bot has one, and readers who keep what they are sent."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType, web

from bot.model.ids import GuildId, Player
from bot.web.pages import Pages
from bot.web.server import SOCKET, PageServer
from bot.web.tokens import Reader
from tests.discord.club import Club

Json = dict[str, Any]
WAIT_SECONDS = 60.0
"""A way out of a hang; nothing is measured by it."""


@dataclass
class Sight:
    """A page in a browser: its socket, all that came, and the view as it stands after it."""

    socket: ClientWebSocketResponse
    came: list[Json] = field(default_factory=list)
    view: Json = field(default_factory=dict)
    state: str = ""
    words: Json = field(default_factory=dict)

    async def next(self) -> Json:
        """What comes next; raises ConnectionError once it is closed."""
        message = await asyncio.wait_for(self.socket.receive(), WAIT_SECONDS)
        if message.type is not WSMsgType.TEXT:
            raise ConnectionError(message)
        told: Json = json.loads(message.data)
        self.came.append(told)
        match told["type"]:
            case "words":
                self.words = told["words"]
            case "snapshot":
                self.view, self.state = told["view"], told["state"]
            case "change":
                assert told["parts"].keys() <= self.view.keys()
                assert told["parts"], "a change of nothing"
                self.view, self.state = self.view | told["parts"], told["state"]
        return told

    async def until(self, true: Callable[[Json], bool]) -> Json:
        """What comes first of this kind."""
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
        """Want something, as the page does; returns the answer."""
        mine = self.view["mine"]
        offered = [offer["turn"] for offer in self.view["offers"] if offer["verb"] == verb]
        turn = offered[0] if offered else mine["turn"] if mine else ""
        intent = {"id": secrets.token_urlsafe(9), "table": self.view["table"], "turn": turn, "letters": letters} | other
        await self.say(type="intent", verb=verb, **intent)
        return await self.until(lambda told: told["type"] == "answer" and told["id"] == intent["id"])

    async def draft(self, letters: str, **other: Any) -> Json:
        """Draft something; returns what it makes, or why not."""
        mine = self.view["mine"]
        message = {"table": self.view["table"], "turn": mine["turn"], "letters": letters} | other
        await self.say(type="draft", **message)
        return await self.until(lambda told: told["type"] == "drafted" or told.get("id") == "draft")

    @property
    def own(self) -> Json:
        """One's own seat."""
        seat: Json = next(seat for seat in self.view["seats"] if seat["you"])
        return seat


@dataclass
class Open:
    """A server and whoever looks at it."""

    pages: Pages
    server: PageServer
    http: ClientSession
    port: int

    @property
    def origin(self) -> str:
        """Where the page comes from."""
        return f"http://127.0.0.1:{self.port}"

    def token(self, club: Club, name: str) -> str:
        """A token of somebody."""
        locale = club.world.locale_of(club.members[name].id)
        return self.pages.tokens.give(
            Reader(guild=GuildId(club.guild.id), player=Player(str(club.members[name].id)), locale=locale)
        )

    @asynccontextmanager
    async def socket(self, **headers: str) -> AsyncIterator[Sight]:
        """A socket on which nothing was said."""
        sent = {"Origin": self.origin} | headers
        async with self.http.ws_connect(f"{self.origin}{SOCKET}", headers=sent) as socket:
            yield Sight(socket)

    @asynccontextmanager
    async def eyes(self, club: Club, name: str, **said: Any) -> AsyncIterator[Sight]:
        """Somebody's page, with its first view."""
        async with self.socket() as sight:
            await sight.say(type="open", token=self.token(club, name), **said)
            await sight.until(lambda told: told["type"] in ("snapshot", "current"))
            yield sight


@asynccontextmanager
async def served(club: Club) -> AsyncIterator[Open]:
    """The pages of a club's bot, served."""
    pages: Pages = club.bot.pages

    @asynccontextmanager
    async def in_its_time() -> AsyncIterator[None]:
        with club.world.env.time_context():
            yield

    pages.doing = in_its_time
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
        async with ClientSession() as http:
            yield Open(pages, server, http, port[0])
    finally:
        pages.close()
        await runner.cleanup()
