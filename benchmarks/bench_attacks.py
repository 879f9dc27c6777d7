"""Measure how long presses in Discord wait while attackers flood the pages, without and during each attack.

The bot runs in its own process, against the Discord stand-in as a service. The attackers are another process on
loopback, with bounded counts and durations. During each attack, users press *Join* and *Leave* of a lobby ten times per
second. Honest visitors open the page in Discord's frame, return to a page by its link, or load one. Each attack and
each visitor has a separate address (``X-Forwarded-For``, because the bot trusts a proxy on its own machine).
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import multiprocessing
import os
import re
import resource
import secrets
import socket
import statistics
import struct
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

import aiohttp
from typing_extensions import override

from benchmarks.bench_load import say
from bot.base.command_help import HelpFormatter, examples
from tests.processes.people import newest
from tests.standin.activities import SECRET
from tests.standin.bot_process import BotProcess
from tests.standin.service import Service
from tests.standin.things import BOT_ID, Channel, Message, User
from tests.web.open_pages import key_of

SECONDS = 6.0
REST_SECONDS = 3.0
"""Pause between two attacks, during which the bot finishes the work caused by the last one."""
EVERY_SECONDS = 0.1
"""Interval between presses."""
VISIT_SECONDS = 1.0
"""Interval between honest visitors of the same kind."""
PATIENCE_SECONDS = 12.0
"""Timeout of an honest visitor, after which they count as kept out."""
AGAIN_SECONDS = 1.0
"""Delay before a rejected page is tried again."""
USERS = 60
FILES = 1_024
"""The second bot's limit on open files, as set by systemd."""
HOST: Final = "127.0.0.1"
PING: Final = bytes.fromhex("898000000000")
LINK = re.compile(r"http://127\.0\.0\.1:\d+/table#[^\"]+")


# attackers, in a separate process


@dataclass(frozen=True, slots=True)
class Target:
    """The bot's pages and the ids that an attacker can know."""

    port: int
    guild: int
    instance: str


class Attack:
    """The attacks on a target, which end at ``until`` (monotonic time)."""

    def __init__(self, target: Target, address: str, until: float) -> None:
        self._target, self._address, self.until = target, address, until
        self.tries = 0
        self._origin = f"http://{HOST}:{target.port}"

    @property
    def over(self) -> bool:
        """True once the attack's time is up."""
        return time.monotonic() >= self.until

    async def connect(self, path: str = "/api/1/socket", *, origin: bool = True) -> asyncio.StreamWriter | None:
        """Open a socket and complete its handshake; None if it's refused."""
        self.tries += 1
        reader, writer = await asyncio.open_connection(HOST, self._target.port)
        writer.write(self.handshake(path, origin=origin))
        try:
            async with asyncio.timeout(10):
                head = await reader.readuntil(b"\r\n\r\n")
        except (OSError, EOFError, TimeoutError, asyncio.LimitOverrunError):
            head = b""
        if b" 101 " not in head[:20]:
            writer.close()
            return None
        self._reading = asyncio.create_task(_read_all(reader))
        return writer

    def handshake(self, path: str, *, origin: bool) -> bytes:
        """Return the request for a socket."""
        lines = [f"GET {path} HTTP/1.1", f"Host: {HOST}:{self._target.port}", f"X-Forwarded-For: {self._address}"]
        lines += ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
        lines += ["Sec-WebSocket-Key: " + "A" * 22 + "=="]
        lines += [f"Origin: {self._origin}"] if origin else []
        return "\r\n".join([*lines, "", ""]).encode()

    async def pings(self, count: int) -> None:
        """Send ``count`` bytes of pings once per second on a new socket, as fast as they're accepted."""
        while not self.over:
            with suppress(OSError):
                writer = await self.connect()
                if writer is not None:
                    begun = time.monotonic()
                    async with asyncio.timeout_at(asyncio.get_running_loop().time() + self.until - begun):
                        writer.write(PING * (count // len(PING)))
                        await writer.drain()
                        await asyncio.sleep(1)
                    writer.close()
                    continue
            await asyncio.sleep(0.25)

    async def endless(self, count: int) -> None:
        """Keep ``count`` sockets sending pings without pause, and reconnect when cut off."""

        async def one() -> None:
            while not self.over:
                with suppress(OSError):
                    writer = await self.connect()
                    while writer is not None and not self.over:
                        writer.write(PING * 10_000)
                        await writer.drain()
                        await asyncio.sleep(0)
                await asyncio.sleep(0.25)

        await asyncio.gather(*(one() for _ in range(count)))

    async def fragments(self, count: int) -> None:
        """Keep ``count`` sockets open, each sending one endless message in empty fragments."""

        async def one() -> None:
            while not self.over:
                with suppress(OSError):
                    writer = await self.connect()
                    if writer is not None:
                        writer.write(b"\x01\x80\x00\x00\x00\x00")
                    while writer is not None and not self.over:
                        writer.write(b"\x00\x80\x00\x00\x00\x00" * 10_000)
                        await writer.drain()
                        await asyncio.sleep(0)
                await asyncio.sleep(0.25)

        await asyncio.gather(*(one() for _ in range(count)))

    async def silent(self, count: int) -> None:
        """Keep ``count`` anonymous sockets open in Discord's frame, without an origin, and reopen closed ones."""
        opened: list[asyncio.StreamWriter] = []
        while not self.over:
            opened = [writer for writer in opened if not writer.is_closing()]
            if len(opened) >= count:
                await asyncio.sleep(0.05)
                continue
            many = min(50, count - len(opened))
            got = await asyncio.gather(
                *(self.connect("/activity/api/1/socket", origin=False) for _ in range(many)), return_exceptions=True
            )
            opened += [writer for writer in got if isinstance(writer, asyncio.StreamWriter)]
            await asyncio.sleep(0.05)
        for writer in opened:
            writer.close()

    async def codes(self, rate: float, *, known: bool) -> None:
        """Send ``rate`` forged codes per second, for the known instance or for made-up ones."""
        path = f"ws://{HOST}:{self._target.port}/activity/api/1/socket"
        headers = {"X-Forwarded-For": self._address}
        in_progress: set[asyncio.Task[None]] = set()

        async def one(http: aiohttp.ClientSession) -> None:
            with suppress(aiohttp.ClientError, OSError, TimeoutError):
                async with asyncio.timeout(10), http.ws_connect(path, headers=headers) as ws:
                    instance = self._target.instance if known else f"i-{secrets.token_hex(8)}"
                    token = f"{self._target.guild}.{secrets.token_hex(24)}"
                    said = {"type": "open", "token": token, "code": secrets.token_hex(15), "instance": instance}
                    await ws.send_str(json.dumps(said))
                    await ws.receive()

        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:
            while not self.over:
                self.tries += 1
                task = asyncio.create_task(one(http))
                in_progress.add(task)
                task.add_done_callback(in_progress.discard)
                await asyncio.sleep(1 / rate)
            for task in in_progress:
                task.cancel()
            await asyncio.gather(*in_progress, return_exceptions=True)

    async def resets(self, rate: float) -> None:
        """Connect, send fifty pings and reset ``rate`` times per second. Every third reset is during the handshake."""
        while not self.over:
            self.tries += 1
            with suppress(OSError):
                made = socket.create_connection((HOST, self._target.port), timeout=2)
                made.sendall(self.handshake("/api/1/socket", origin=True))
                if self.tries % 3:
                    made.recv(4_096)
                    made.sendall(PING * 50)
                made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                made.close()
            await asyncio.sleep(1 / rate)

    async def descriptors(self, count: int) -> None:
        """Keep ``count`` silent connections open, and reopen closed ones."""
        opened: list[socket.socket] = []
        loop = asyncio.get_running_loop()
        while not self.over:
            if len(opened) < count:
                made = socket.socket()
                made.setblocking(False)
                try:
                    async with asyncio.timeout(1):
                        await loop.sock_connect(made, (HOST, self._target.port))
                    opened.append(made)
                    self.tries += 1
                except (OSError, TimeoutError):
                    made.close()
                continue
            await asyncio.sleep(0.2)
            for one in list(opened):
                with suppress(BlockingIOError):
                    try:
                        gone = not one.recv(1)
                    except BlockingIOError:
                        raise
                    except OSError:
                        gone = True
                    if gone:
                        opened.remove(one)
                        one.close()
        for one in opened:
            one.close()

    async def requests(self, count: int, *, reads: bool) -> None:
        """Send requests for the page on ``count`` connections as fast as they're accepted.

        Each request has another address. Without ``reads``, no answer is read.
        """

        def written() -> bytes:
            self.tries += 1
            address = ".".join(str(byte) for byte in secrets.token_bytes(4))
            lines = ["GET /table HTTP/1.1", f"Host: {HOST}:{self._target.port}", f"X-Forwarded-For: {address}", "", ""]
            return "\r\n".join(lines).encode()

        async def one() -> None:
            while not self.over:
                with suppress(OSError):
                    reader, writer = await asyncio.open_connection(HOST, self._target.port)
                    reading = asyncio.create_task(_read_all(reader)) if reads else None
                    while not self.over and not (reading and reading.done()):
                        writer.write(b"".join(written() for _ in range(50)))
                        await writer.drain()
                        await asyncio.sleep(0)
                    writer.close()
                await asyncio.sleep(0.05)

        await asyncio.gather(*(one() for _ in range(count)))


async def _read_all(reader: asyncio.StreamReader) -> None:
    with suppress(OSError):
        while await reader.read(65_536):
            pass


Doing = Callable[[Attack], Coroutine[None, None, None]]
ATTACKS: Final[dict[str, Doing]] = {
    "pings-0.06": lambda attack: attack.pings(60_000),
    "pings-0.25": lambda attack: attack.pings(250_000),
    "pings-1": lambda attack: attack.pings(1_000_000),
    "pings-4": lambda attack: attack.pings(4_000_000),
    "endless": lambda attack: attack.endless(8),
    "fragments": lambda attack: attack.fragments(8),
    "silent": lambda attack: attack.silent(1_500),
    "codes-6": lambda attack: attack.codes(6, known=False),
    "codes-20": lambda attack: attack.codes(20, known=False),
    "codes-50": lambda attack: attack.codes(50, known=False),
    "known-20": lambda attack: attack.codes(20, known=True),
    "resets": lambda attack: attack.resets(30),
    "requests": lambda attack: attack.requests(200, reads=True),
    "unread": lambda attack: attack.requests(200, reads=False),
    "descriptors": lambda attack: attack.descriptors(1_005),
}
RAMP_SECONDS: Final = {"silent": 8.0, "descriptors": 3.0}
"""Time for an attack to build up before presses are timed; 0 for the others."""
LIMITED = ("descriptors",)
"""Attacks on a bot that may open at most 1,024 files."""


def attack_now(name: str, target: Target, address: str, seconds: float, told: Connection) -> None:
    """Run an attack in this process when the parent sends a message, then exit."""
    os.nice(19)  # real attackers would run on other machines
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8_192)), hard))

    async def run() -> None:
        attack = Attack(target, address, time.monotonic() + seconds)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds + 2):
                await ATTACKS[name](attack)

    told.send("ready")
    told.recv()
    asyncio.run(run())
    os._exit(0)


# users


@dataclass(slots=True)
class Visits:
    """Results of honest visitors of one kind."""

    tried: int = 0
    waits: list[float] = field(default_factory=list)

    @override
    def __str__(self) -> str:
        longest = f"{max(self.waits):.1f} s" if self.waits else "-"
        return f"{len(self.waits)}/{self.tried} {longest:>6}"


class Club:
    """A bot with a lobby that users join and leave, and the visitors of its pages."""

    def __init__(self, discord: Service, bot: BotProcess, port: int) -> None:
        self.discord, self.bot, self.port = discord, bot, port
        self.guild = discord.guild_on(0)
        self.channel: Channel = discord.channel(self.guild, 1)
        self.users = [discord.user(number) for number in range(10, 10 + USERS)]
        self.join = ""
        self.key: dict[str, str] = {}
        self._lobby: Channel = discord.channel(self.guild, 2)
        self._addresses = (f"198.51.{number // 250}.{number % 250 + 1}" for number in itertools.count())
        self._visitors = itertools.count(100)
        self._presses = itertools.count()

    async def prepare(self, http: aiohttp.ClientSession) -> None:
        """Open a table in play, with a visitor's link to its page, and a lobby."""
        first, second, waiting = map(self.discord.user, (1, 2, 3))
        await self._slash(first, self.channel)
        for user, verb in ((second, "join"), (first, "start")):
            message, custom_id = await self._offer(verb)
            await self._surely(user, message, custom_id)
        link = ""
        while not link:
            message, custom_id = await self._offer("hand")
            sent = await self.discord.press(first, message, custom_id).finished()
            link = found[0] if sent.answer is not None and (found := LINK.search(sent.answer.body)) else ""
        self.key = key_of(link)
        await self._slash(waiting, self._lobby)
        _, self.join = await self._offer("join")
        assert await self._page(http), "the link opens the page"

    async def _slash(self, user: User, channel: Channel) -> None:
        while not (await self.discord.slash(user, channel, "ofc play", game="pineapple").finished()).answer:
            continue

    async def _surely(self, user: User, message: Message, custom_id: str) -> None:
        while not (await self.discord.press(user, message, custom_id).finished()).answer:
            continue

    async def _offer(self, verb: str) -> tuple[Message, str]:
        await self.discord.until(lambda: next(newest(self.guild, verb), None))
        return next(newest(self.guild, verb))

    async def press(self, seconds: float) -> list[float]:
        """Press for ``seconds``, and return how long each press waited for a response (s)."""
        begun, waits, in_progress = time.monotonic(), list[float](), set[asyncio.Task[None]]()

        async def one(number: int) -> None:
            user, verb = self.users[number // 2 % USERS], ("join", "leave")[number % 2]
            message = next(reversed(self._lobby.public()))
            sent = self.discord.press(user, message, self.join.replace(":join:", f":{verb}:"))
            at = time.monotonic()
            await sent.finished()
            waits.append(sent.seconds if sent.acknowledged else time.monotonic() - at)

        for count in itertools.count():
            if time.monotonic() - begun >= seconds:
                break
            task = asyncio.create_task(one(next(self._presses)))
            in_progress.add(task)
            task.add_done_callback(in_progress.discard)
            await asyncio.sleep(max(0.0, begun + (count + 1) * EVERY_SECONDS - time.monotonic()))
        await asyncio.gather(*in_progress)
        return waits

    # visitors

    async def visit(self, http: aiohttp.ClientSession, seconds: float) -> dict[str, Visits]:
        """Send one honest visitor of each kind per second for ``seconds``, and return their results."""
        kinds = {"frame": self._frame, "link": self._page, "load": self._load}
        fares = {kind: Visits() for kind in kinds}
        until, in_progress = time.monotonic() + seconds, list[asyncio.Task[None]]()

        async def one(kind: str) -> None:
            fares[kind].tried += 1
            begun = time.monotonic()
            while time.monotonic() - begun < PATIENCE_SECONDS:
                with suppress(aiohttp.ClientError, OSError, TimeoutError):
                    async with asyncio.timeout(PATIENCE_SECONDS):
                        if await kinds[kind](http):
                            fares[kind].waits.append(time.monotonic() - begun)
                            return
                await asyncio.sleep(AGAIN_SECONDS)

        while time.monotonic() < until:
            in_progress += [asyncio.create_task(one(kind)) for kind in kinds]
            await asyncio.sleep(VISIT_SECONDS)
        await asyncio.gather(*in_progress)
        return fares

    def _headers(self, origin: str) -> dict[str, str]:
        return {"X-Forwarded-For": next(self._addresses), "Origin": origin}

    async def _load(self, http: aiohttp.ClientSession) -> bool:
        async with http.get(f"http://{HOST}:{self.port}/table", headers=self._headers("")) as answer:
            return answer.status == 200 and bool(await answer.text())

    async def _page(self, http: aiohttp.ClientSession) -> bool:
        headers = self._headers(f"http://{HOST}:{self.port}")
        return await self._opens(http, "/api/1/socket", headers, self.key)

    async def _frame(self, http: aiohttp.ClientSession) -> bool:
        user = self.discord.user(next(self._visitors))
        said = {
            "token": f"{self.guild.id}.{secrets.token_hex(24)}",
            "code": self.discord.activities.authorize(user),
            "instance": self.discord.activities.join(user, self.channel),
        }
        headers = self._headers(f"https://{BOT_ID}.discordsays.com")
        return await self._opens(http, "/activity/api/1/socket", headers, said)

    async def _opens(
        self, http: aiohttp.ClientSession, path: str, headers: dict[str, str], said: dict[str, str]
    ) -> bool:
        async with http.ws_connect(f"ws://{HOST}:{self.port}{path}", headers=headers) as ws:
            await ws.send_str(json.dumps({"type": "open", **said}))
            async for message in ws:
                if message.type is aiohttp.WSMsgType.TEXT:
                    kind = json.loads(message.data)["type"]
                    if kind in ("snapshot", "current", "bye"):
                        return bool(kind != "bye")
        return False

    def processor(self) -> float:
        """Return the processor time that the bot has used (s)."""
        fields = Path(f"/proc/{self.bot.number}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def asked(self) -> tuple[int, int]:
        """Return the number of requests to Discord about codes and about instances."""
        paths = [request.path for request in self.discord.requests]
        return sum(path == "/oauth2/token" for path in paths), sum("activity-instances" in path for path in paths)

    @property
    def target(self) -> Target:
        """The information that attackers have."""
        instance = self.discord.activities.join(self.discord.user(1), self.channel)
        return Target(self.port, self.guild.id, instance)


def free_port() -> int:
    """Return a port that's currently free."""
    with socket.create_server((HOST, 0)) as held:
        return int(held.getsockname()[1])


@asynccontextmanager
async def club(folder: Path, *, files: int = 0) -> AsyncIterator[Club]:
    """Start a bot with pages. ``files`` is its limit on open files; if it's 0, it has this process's limit."""
    port = free_port()
    settings = {
        "CHAIPO_DATABASE": str(folder / "chaipo.db"),
        "CHAIPO_KEY_FILE": str(folder / "chaipo.key"),
        "CHAIPO_WORKERS": "0",
        "CHAIPO_WEB_PORT": str(port),
        "CHAIPO_WEB_URL": f"http://{HOST}:{port}",
        "CHAIPO_ACTIVITY": "yes",
        "CHAIPO_CLIENT_SECRET": SECRET,
    }
    async with Service(shards=1, logins_at_once=1).serving() as discord:
        discord.limits.enforced = False
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if files:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
        try:
            bot = BotProcess(discord.url, settings, log=folder / "bot.log", module="tests.standin.bot_process")
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        try:
            made = Club(discord, bot, port)
            await discord.until(lambda: discord.commands and discord.held == {0})
            async with aiohttp.ClientSession() as http:
                await made.prepare(http)
            yield made
        finally:
            bot.end()


def spread(waits: list[float]) -> str:
    """Return the median and maximum in milliseconds."""
    return f"{1_000 * statistics.median(waits):5.0f} {1_000 * max(waits):6.0f}"


async def one_attack(made: Club, name: str, number: int, seconds: float) -> None:
    """Press and visit without and during an attack, and print a line with the results."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0, force_close=True)) as http:
        ramp = RAMP_SECONDS.get(name, 0.0)
        here, there = multiprocessing.Pipe()
        args = name, made.target, f"203.0.113.{number}", seconds + ramp, there
        attacker = multiprocessing.get_context("spawn").Process(target=attack_now, args=args)
        attacker.start()
        await asyncio.to_thread(here.recv)
        spent, began = made.processor(), time.monotonic()
        before, _ = await asyncio.gather(made.press(seconds), made.visit(http, seconds))
        quiet = (made.processor() - spent) / (time.monotonic() - began)
        tracebacks, asked = made.bot.said.count("Traceback"), made.asked()
        here.send("now")
        await asyncio.sleep(ramp)
        spent, began = made.processor(), time.monotonic()
        waits, fares = await asyncio.gather(made.press(seconds), made.visit(http, seconds))
        busy = (made.processor() - spent) / (time.monotonic() - began)
        await asyncio.to_thread(attacker.join)
    codes, instances = (now - then for now, then in zip(made.asked(), asked, strict=True))
    written = made.bot.said.count("Traceback") - tracebacks
    more = 1_000 * (max(waits) - max(before))
    visits = "   ".join(map(str, fares.values()))
    honest = fares["frame"].tried
    say(
        f"{name:<12} {spread(before)} {spread(waits)} {more:+6.0f} "
        f"{quiet:>4.0%} {busy:>4.0%}   {visits}   "
        f"{codes:>4}/{honest:<3} {instances:>4} {written:>6}"
    )
    await asyncio.sleep(REST_SECONDS)


async def main(names: list[str], seconds: float) -> None:
    """Run each attack. Those that use up file descriptors run against a bot with a low limit."""
    say(f"{'':<12} {'without':>12} {'during':>12} {'max':>6} {'of a core':>9}   honest visitors in, longest wait")
    say(
        f"{'attack':<12} {'p50':>5} {'max':>6} {'p50':>5} {'max':>6} {'more':>6} {'CPU':>9}   {'frame':<10}   "
        f"{'link':<10}   {'page':<10}   codes/honest asked tracebacks"
    )
    for limited in (False, True):
        chosen = [name for name in names if (name in LIMITED) is limited]
        if not chosen:
            continue
        with tempfile.TemporaryDirectory() as folder:
            async with club(Path(folder), files=FILES if limited else 0) as made:
                for number, name in enumerate(chosen, 1):
                    await one_attack(made, name, number, seconds)


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.bench_attacks",
        description=__doc__,
        epilog=examples("", "--only pings-1 silent --seconds 10"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument(
        "--only", nargs="*", default=list(ATTACKS), choices=list(ATTACKS), metavar="ATTACK", help="attacks to run"
    )
    parser.add_argument("--seconds", type=float, default=SECONDS, help="duration of each measurement in seconds")
    return parser


if __name__ == "__main__":
    asked_for = parser().parse_args()
    asyncio.run(main(asked_for.only, asked_for.seconds))
