"""Measure how open pages slow down presses in Discord.

    make bench ARGS="--parts pages"

Presses without and with pages alternate in one run. The pages are connected by sockets to the bot's web server, and
read in a separate process so that a browser's cost isn't counted. Two players at each of a hundred tables have five
pages open each, and every page shows each move at its table. A press takes as long as Discord waits for its response.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import statistics
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from aiohttp import ClientSession, TCPConnector, WSMsgType

from benchmarks.bench_load import AT_ONCE_HOUSE, PRESSES_PER_HAND, Game, Hall, hall, say
from bot.model.ids import Player
from bot.web.limits import networks
from bot.web.serving import serving
from bot.web.tokens import PageReader
from tests.standin.sent import Sent

TABLES, PAGES, RATE = 100, 1000, 20.0
TIMES = 3
"""Number of measurements of each kind."""
SETTLE_SECONDS = 4.0
"""Pause after opening or closing many pages, during which pending work finishes."""
OPEN_AT_ONCE = 50
URL = "https://cards.example.org"


def read_all(port: int, tokens: Sequence[str], told: Connection) -> None:
    """Hold pages open in this process until the parent sends a message, then send back the view counts and sizes."""
    os.nice(10)  # real browsers would run on other machines
    asyncio.run(_read_all(port, tokens, told))


async def _read_all(port: int, tokens: Sequence[str], told: Connection) -> None:
    counts = {"snapshot": 0, "change": 0, "largest": 0, "bytes": 0}
    opening, opened = asyncio.Semaphore(OPEN_AT_ONCE), asyncio.Semaphore(0)

    async def read(http: ClientSession, number: int, token: str) -> None:
        headers = {
            "Host": "cards.example.org",
            "Origin": URL,
            "X-Forwarded-For": f"198.51.{number // 250}.{number % 250}",
        }
        async with opening:
            view: dict[str, object] = {}
            socket = await http.ws_connect(f"http://127.0.0.1:{port}/api/1/socket", headers=headers)
            await socket.send_str(json.dumps({"type": "open", "token": token}))
            while (message := await socket.receive()).type is WSMsgType.TEXT:
                if note(message.data, view) == "snapshot":
                    break
        opened.release()
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                note(message.data, view)

    def note(text: str, view: dict[str, object]) -> str:
        message = json.loads(text)
        kind = str(message["type"])
        if kind in counts:
            counts[kind] += 1
            counts["bytes"] += len(text.encode())
            view |= message["view"] if kind == "snapshot" else message["parts"]
            whole = json.dumps(view, ensure_ascii=False, separators=(",", ":"))
            counts["largest"] = max(counts["largest"], len(whole.encode()))
        return kind

    async with ClientSession(connector=TCPConnector(limit=0)) as http:
        reading = [asyncio.create_task(read(http, number, token)) for number, token in enumerate(tokens)]
        for _ in tokens:
            await opened.acquire()
        told.send(len(tokens))
        await asyncio.to_thread(told.recv)
        told.send(counts)
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)


def resident_bytes() -> int:
    """Return the resident memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@asynccontextmanager
async def looking(made: Hall, port: int) -> AsyncIterator[dict[str, int]]:
    """Open PAGES pages. The yielded dict is filled with their counts once they're closed."""
    bot = made.bot
    seen: dict[str, int] = {}
    readers = [
        PageReader(guild=game.place.key.guild, player=Player(str(user.id)), locale="en-US")
        for game in made.games
        for user in game.place.users
    ]
    tokens = [bot.pages.tokens.give(reader) for _ in range(PAGES // len(readers)) for reader in readers]
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=read_all, args=(port, tokens, there))
    process.start()
    try:
        assert await asyncio.to_thread(here.recv) == bot.pages.count == PAGES
        yield seen
        here.send("over")
        seen |= await asyncio.to_thread(here.recv)
    finally:
        await asyncio.to_thread(process.join)


class Crowd:
    """Players who press at tables at a given rate."""

    def __init__(self, made: Hall, *, rate: float) -> None:
        self._made, self._rate = made, rate
        self._ready = list(made.games)
        Random(TABLES).shuffle(self._ready)

    async def _next(self) -> tuple[Game, Sent]:
        while True:
            game = self._ready.pop(0)
            sent = game.press(self._made.discord)
            if sent is not None:
                return game, sent
            while not await game.ready():  # noqa: ASYNC110  (the bot's clock deals the next hand)
                await asyncio.sleep(0.5)
            self._ready.append(game)

    async def press(self, seconds: float) -> tuple[float, float]:
        """Press for ``seconds``, and return the median wait for a response and the processor time per press."""
        await asyncio.sleep(SETTLE_SECONDS)
        loop, took, in_progress = asyncio.get_running_loop(), [], set()
        begun, cpu, presses = loop.time(), time.process_time(), int(self._rate * seconds)

        async def one() -> None:
            game, sent = await self._next()
            game.done(await sent.finished())
            took.append(sent.seconds)
            self._ready.append(game)

        for number in range(presses):
            await asyncio.sleep(max(0.0, begun + number / self._rate - loop.time()))
            task = asyncio.ensure_future(one())
            in_progress.add(task)
            task.add_done_callback(in_progress.discard)
        await asyncio.gather(*in_progress)
        return statistics.median(took), (time.process_time() - cpu) / presses


async def pages_beside_presses(seconds: float, *, rate: float = RATE) -> None:
    """Measure presses without and with pages in turn."""
    waits: dict[str, list[float]] = {"without pages": [], f"with {PAGES} pages": []}
    cost: dict[str, list[float]] = {name: [] for name in waits}
    without, beside = waits
    async with hall(TABLES, AT_ONCE_HOUSE) as made:
        chance = Random(TABLES)
        await asyncio.gather(*(game.begin_somewhere(chance.randrange(PRESSES_PER_HAND)) for game in made.games))
        await made.begin()
        crowd, links = Crowd(made, rate=rate), made.bot.links
        links.url = URL
        door = serving(made.bot.pages, links, host="127.0.0.1", port=0, proxies=networks("127.0.0.0/8"))
        await crowd.press(seconds)  # the first run costs more
        async with door as port:
            for _ in range(TIMES):
                for name in waits:
                    if name == without:
                        wait, processor = await crowd.press(seconds)
                    else:
                        before = resident_bytes()
                        async with looking(made, port) as seen:
                            each = (resident_bytes() - before) / PAGES
                            wait, processor = await crowd.press(seconds)
                        views = f"{seen['change']} changes, {seen['bytes'] / (seen['change'] + PAGES):.0f} bytes each"
                        say(f"pages   {each / 1024:.1f} kB a page; the largest view {seen['largest']} bytes; {views}")
                    waits[name].append(wait)
                    cost[name].append(processor)
                    say(
                        f"pages   {TABLES:>6} tables, {rate:g} presses/s, {name}: {1000 * wait:.2f} ms, "
                        f"{1000 * processor:.2f} ms of CPU a press"
                    )
        assert not sum(game.wrong for game in made.games)
    ratio = statistics.median(waits[beside]) / statistics.median(waits[without])
    dearer = statistics.median(cost[beside]) / statistics.median(cost[without])
    say(
        f"pages   a press waits {ratio:.2f} times as long with {PAGES} pages; with all that they cost it takes "
        f"{dearer:.2f} times the CPU"
    )
