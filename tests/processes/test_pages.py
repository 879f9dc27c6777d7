"""A table's page while its process leaves or is killed. It continues with the server's next process."""

from __future__ import annotations

import asyncio
import re
import secrets
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

from aiohttp import ClientError, ClientSession

from tests.databases import Server, ask
from tests.processes.happenings import one_leaves
from tests.processes.house import House, house
from tests.standin.things import User
from tests.web.open_pages import Json, Sight, key_of

LINK = re.compile(r"http://127\.0\.0\.1:\d+/table#[^\"]+")
LAID = "SELECT COUNT(*) FROM table_log WHERE kind = 'cards_laid' AND actor IS NOT NULL"


def free_ports(count: int) -> list[int]:
    """Return unused ports."""
    with ExitStack() as held:
        return [held.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1] for _ in range(count)]


class Tab:
    """A page like in a browser, which reconnects automatically and follows redirects."""

    def __init__(self, http: ClientSession, link: str) -> None:
        self.http = http
        self.base = link.partition("/table#")[0]
        self.key = key_of(link)
        self.moves: list[str] = []

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Sight]:
        """The page with a view, wherever that is."""
        while True:
            try:
                async with self.http.ws_connect(f"{self.base}/api/1/socket", headers={"Origin": self.base}) as socket:
                    sight = Sight(socket=socket)
                    await sight.say(type="open", **self.key)
                    told = await sight.until(lambda told: told["type"] in ("snapshot", "bye"))
                    if told["type"] == "snapshot":
                        yield sight
                        return
                    self.go(told)
            except (ClientError, ConnectionError):
                pass
            await asyncio.sleep(0.2)

    def go(self, bye: Json) -> None:
        """Follow where one is told to go."""
        assert bye["again"], bye
        if bye["to"]:
            self.base = bye["to"].removesuffix("/table")
            self.moves.append(self.base)


async def hand_link(played: House, user: User) -> str:
    """Return the link on a user's hand."""
    while True:
        message, custom_id = await played.offer(played.channels[0].guild, "hand")
        sent = await played.crowd.press(user, message, custom_id)
        if sent is not None and sent.answer is not None and (found := LINK.search(sent.answer.body)):
            return found[0]


async def place_on_page(played: House, tabs: list[Tab]) -> None:
    """Place a street for the player to act on their page. Repeated requests take effect once."""
    (before,) = await asyncio.to_thread(ask, played.address, LAID)
    for tab in tabs:
        async with tab.open() as sight:
            if not sight.view["yours"]:
                continue
            cards, to_place = len(sight.view["mine"]["cards"]), sight.view["mine"]["to_place"]
            room = {
                row: size - len(shown)
                for row, size, shown in zip("BMF", (5, 5, 3), sight.own["rows"][::-1], strict=True)
            }
            rows = "".join(row * free for row, free in room.items())[:to_place]
            asked = {"letters": rows.ljust(cards, "."), "id": secrets.token_urlsafe(9)}
            for _ in range(2):
                told = await sight.ask("confirm", **asked)
                assert told["outcome"] == "done", told
            break
    else:
        raise AssertionError("nobody is on turn")
    (after,) = await asyncio.to_thread(ask, played.address, LAID)
    assert after[0] == before[0] + 1


async def test_a_page_goes_on_when_its_process_leaves_and_when_it_is_killed(server: Server, tmp_path: Path) -> None:
    ports = free_ports(3)
    async with house(server, tmp_path, shards=2, logins_at_once=2) as played, ClientSession() as http:
        await played.start(2, pages=ports[:2])
        await played.ready()
        await played.open_slow_tables()
        tabs = [Tab(http, await hand_link(played, played.discord.user(number))) for number in (1, 2)]
        assert len({tab.base for tab in tabs}) == 1
        await place_on_page(played, tabs)
        # A leaving process tells open pages the new address.
        async with tabs[0].open() as sight:
            leaving = asyncio.create_task(one_leaves(played))
            told = await sight.until(lambda told: told["type"] == "bye")
            tabs[0].go(told)
            await leaving
        assert len(tabs[0].moves) == 1
        tabs[1].base = tabs[0].base  # Users whose page was closed get a new link from their hand.
        await place_on_page(played, tabs)
        # It is killed, and its supervisor starts it again at the same address, while another one takes over.
        await played.start(1, pages=ports[2:])
        await played.discord.until(played.fairly_shared)
        victim = played.owners(0)[0]
        port = int(tabs[0].base.rpartition(":")[2])
        victim.signal(signal.SIGKILL)
        await played.discord.until(lambda: victim.ended is not None)
        await played.start(1, pages=[port])
        await played.discord.until(played.fairly_shared)
        await place_on_page(played, tabs)
        assert played.wrong() == []
