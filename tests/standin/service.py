"""The stand-in as a service: bots in separate processes log in over sockets, with many shards.

Everything except the sockets is the stand-in's: users, messages, limits and errors. Discord is the process that runs
this, and its tests see the channels' contents immediately.

    async with Service(shards=4, now_ms=wall_ms).serving() as discord:
        channel = discord.channel(discord.guild_on(3), 1)
        first = BotProcess(discord.url, settings, log=folder / "first.log")             # tests/standin/bot_process.py
        await discord.until(lambda: discord.held == {0, 1, 2, 3})
        sent = await discord.slash(discord.user(1), channel, "ofc play", stakes=5)

Like Discord, it sends events to every session of a shard, even if two processes have one each, and keeps a session
whose connection is lost until it's resumed. ``twice`` delivers presses twice.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from aiohttp import WSMsgType, web
from typing_extensions import override

from tests.standin.rest import RefusedError, Request, Session, kind_of, without_bots
from tests.standin.sent import Sent
from tests.standin.standin import ANSWER_WITHIN_MS, Standin
from tests.standin.things import BOT_ID, BOT_USER, GUILD_IDS, Guild, Json

API = "/api/v10"
DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, ASK_MEMBERS = 0, 1, 2, 6, 7, 8
INVALID, HELLO, ACKNOWLEDGED = 9, 10, 11
AUTHENTICATION_FAILED = 4004
HEARTBEAT_MS = 41_250
KEPT_EVENTS = 2_000
"""Events stored per session, for resuming."""
LOGIN_SECONDS = 5.0
"""One login of a bucket in this time."""
HANG_SECONDS = 900.0
"""A way out for who waits for what does not come; no load reaches it."""
WAVER_SECONDS = 0.5
"""Tolerance for early logins, because messages sent on time can arrive late."""
MAX_BODY_BYTES = 32 * 1024 * 1024
SHARD_BITS = 22


def wall_ms() -> int:
    """The clock of all processes of this machine."""
    return time.time_ns() // 1_000_000


class Login:
    """A session of a shard. Its events are numbered, and outlive the connection."""

    def __init__(self, name: str, shard: int, *, count: int = 1, token: str = "") -> None:
        self.name = name
        self.shard = shard
        self.count = count
        """The number of shards, as given at the login."""
        self.token = token
        """The token of the login."""
        self.events = 0
        self._kept: deque[tuple[int, str]] = deque(maxlen=KEPT_EVENTS)
        self._outbox: asyncio.Queue[str] | None = None

    @property
    def connected(self) -> bool:
        """True while it has a connection."""
        return self._outbox is not None

    def hears(self, guild: int) -> bool:
        """True of the servers whose events come over it."""
        return (guild >> SHARD_BITS) % self.count == self.shard

    def attach(self, outbox: asyncio.Queue[str] | None) -> None:
        """Send future events to ``outbox``; None for no one."""
        self._outbox = outbox

    def go_elsewhere(self) -> None:
        """Ask the client to reconnect and resume."""
        if self._outbox is not None:
            self._outbox.put_nowait(_packet(RECONNECT, None))

    def missed(self, since: int) -> list[str]:
        """Return the events after a given one."""
        return [packet for number, packet in self._kept if number > since]

    def send(self, event: str, payload: str) -> None:
        """Send an event, or keep it for who resumes."""
        self.events += 1
        packet = f'{{"op":{DISPATCH},"t":"{event}","s":{self.events},"d":{payload}}}'
        self._kept.append((self.events, packet))
        if self._outbox is not None:
            self._outbox.put_nowait(packet)


class Service(Standin):
    """Discord for bots in separate processes."""

    def __init__(
        self,
        *,
        shards: int,
        now_ms: Callable[[], int] = wall_ms,
        logins_left: int = 1000,
        logins_reset_ms: int = 0,
        logins_at_once: int = 1,
        **options: Any,
    ) -> None:
        super().__init__(now_ms=now_ms, **options)
        self.shards = shards
        """The recommended number of shards. Bots that log in with another number are served as well."""
        self.url = ""
        """The service's address."""
        self.twice = False
        """True: what people do is delivered twice to each session."""
        self.logins_left = logins_left
        self.logins_reset_ms = logins_reset_ms
        """Announced time until more logins are allowed. Nothing happens automatically."""
        self.logins_at_once = logins_at_once
        """Number of login buckets."""
        self.logins: list[tuple[float, int]] = []
        """When which shard has logged in, by the event loop."""
        self.hello_seconds: list[float] = []
        """Delays of the first message on the next connections, in order."""
        self.too_early: list[int] = []
        """Shards that logged in when Discord took no login, and were refused."""
        self.late: set[int] = set()
        """Responses after Discord's time limit, because the machine was busy."""
        self.sessions: dict[str, Login] = {}
        self._reset: set[str] = set()
        """Tokens that aren't accepted any more."""
        self._wire = Session(self._carry_out, self._asked, self.limits)
        self._waiting: set[asyncio.Task[Any]] = set()

    # the world

    def guild_on(self, shard: int, number: int = 0) -> Guild:
        """A server whose events come over this shard."""
        blocks = (shard - self.shard_of(GUILD_IDS)) % self.shards
        return self.guild((blocks << SHARD_BITS) + number)

    def shard_of(self, guild: int) -> int:
        """The shard over which a server's events come."""
        return (guild >> SHARD_BITS) % self.shards

    @property
    def held(self) -> set[int]:
        """The shards with a connection."""
        return {login.shard for login in self.sessions.values() if login.connected}

    @property
    @override
    def connected(self) -> bool:
        return bool(self.sessions)

    async def until(self, come: Callable[[], object], *, seconds: float = HANG_SECONDS) -> float:
        """Wait until something is true; returns the seconds that it took. Raises TimeoutError."""
        begun = time.monotonic()
        async with asyncio.timeout(seconds):
            while not come():  # noqa: ASYNC110  # What comes are other processes.
                await asyncio.sleep(0.02)
        return time.monotonic() - begun

    def reset_token(self, token: str) -> None:
        """Accept a token no longer. Connections that are open stay open."""
        self._reset.add(token)

    # the gateway

    @override
    def feed(self, event: str, payload: Mapping[str, Any]) -> list[asyncio.Task[Any]]:
        """Send an event to all sessions of its shard; what people did has a task until it is answered or too late."""
        guild = payload.get("guild_id") or (payload["id"] if event.startswith("GUILD_") else 0)
        text, acted = json.dumps(payload), event == "INTERACTION_CREATE"
        for login in [login for login in self.sessions.values() if login.hears(int(guild))]:
            for _ in range(2 if acted and self.twice else 1):
                login.send(event, text)
        if not acted:
            return []
        waiting = asyncio.create_task(_until_answered(self._sent[str(payload["token"])]))
        self._waiting.add(waiting)
        waiting.add_done_callback(self._waiting.discard)
        return [waiting]

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        outbox: asyncio.Queue[str] = asyncio.Queue()
        if self.hello_seconds:
            await asyncio.sleep(self.hello_seconds.pop(0))
        outbox.put_nowait(_packet(HELLO, {"heartbeat_interval": HEARTBEAT_MS}))
        sending = asyncio.create_task(_send_all(outbox, socket))
        login: Login | None = None
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    packet = message.json()
                    if packet["op"] in (IDENTIFY, RESUME) and packet["d"].get("token") in self._reset:
                        await socket.close(code=AUTHENTICATION_FAILED)
                        break
                    login = self._told(packet["op"], packet["d"], outbox) or login
        finally:
            sending.cancel()
            if login is not None:
                login.attach(None)
                if socket.close_code in (1000, 1001):
                    self.sessions.pop(login.name, None)
        return socket

    def _told(self, op: int, data: Any, outbox: asyncio.Queue[str]) -> Login | None:
        """Hear a packet of the bot; returns the session that it begins or resumes."""
        match op:
            case code if code == HEARTBEAT:
                outbox.put_nowait(_packet(ACKNOWLEDGED, None))
            case code if code == IDENTIFY:
                shard, count = data["shard"]
                return self._log_in(shard, count, data.get("token", ""), outbox)
            case code if code == RESUME:
                return self._resume(data["session_id"], data["seq"], outbox)
            case code if code == ASK_MEMBERS:
                self._tell_members(data, outbox)
        return None

    def _log_in(self, shard: int, count: int, token: str, outbox: asyncio.Queue[str]) -> Login | None:
        now = asyncio.get_running_loop().time()
        at_once = self.logins_at_once
        recent = [at for at, other in self.logins if other % at_once == shard % at_once]
        self.logins_left -= 1
        if self.logins_left < 0 or (recent and now - recent[-1] < LOGIN_SECONDS - WAVER_SECONDS):
            self.too_early.append(shard)
            outbox.put_nowait(_packet(INVALID, False))
            return None
        self.logins.append((now, shard))
        login = Login(f"session-{len(self.logins)}", shard, count=count, token=token)
        login.attach(outbox)
        self.sessions[login.name] = login
        guilds = [guild for guild in self.guilds.values() if login.hears(guild.id)]
        ready = {
            "user": BOT_USER,
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "application": {"id": str(BOT_ID), "flags": 0},
            "shard": [shard, count],
            "session_id": login.name,
            "resume_gateway_url": self._gateway_url,
        }
        login.send("READY", json.dumps(ready))
        for guild in guilds:
            login.send("GUILD_CREATE", json.dumps(guild.payload))
        return login

    def _resume(self, name: str, since: int, outbox: asyncio.Queue[str]) -> Login | None:
        login = self.sessions.get(name)
        if login is None:
            outbox.put_nowait(_packet(INVALID, False))
            return None
        for packet in login.missed(since):
            outbox.put_nowait(packet)
        login.attach(outbox)
        login.send("RESUMED", "{}")
        return login

    def _tell_members(self, asked: Json, outbox: asyncio.Queue[str]) -> None:
        chunk = self.members_chunk(int(asked["guild_id"]), asked.get("user_ids") or [])
        for login in [login for login in self.sessions.values() if login.hears(int(asked["guild_id"]))]:
            login.send("GUILD_MEMBERS_CHUNK", json.dumps(chunk | {"nonce": asked.get("nonce")}))

    # requests

    @override
    def _call_back(self, token: str, body: str) -> str:
        try:
            return super()._call_back(token, body)
        except RefusedError:
            if (sent := self._sent.get(token)) is not None and not sent.acknowledged:
                self.late.add(sent.id)
            raise

    @property
    def _gateway_url(self) -> str:
        return self.url.replace("http", "ws", 1) + "/"

    @override
    def _about_the_bot(self, request: Request) -> Any:
        if request.path != "/gateway/bot":
            return super()._about_the_bot(request)
        limits = {"total": 1000, "remaining": self.logins_left, "reset_after": self.logins_reset_ms}
        return {
            "url": self._gateway_url,
            "shards": self.shards,
            "session_start_limit": limits | {"max_concurrency": self.logins_at_once},
        }

    async def _api(self, asked: web.Request) -> web.StreamResponse:
        path = asked.path.removeprefix(API)
        if asked.headers.get("Authorization", "").removeprefix("Bot ") in self._reset:
            self.limits.answered(401)
            return web.json_response({"message": "401: Unauthorized", "code": 0}, status=401)
        request = Request(
            kind=kind_of(asked.method, path),
            method=asked.method,
            path=path,
            body=await _body(asked),
            at=asyncio.get_running_loop().time(),
            query=dict(asked.query),
            authorization=without_bots(asked.headers),
        )
        try:
            status, headers, text = await self._wire.exchange(request)
        except (OSError, TimeoutError):  # a dropped connection without a response
            assert asked.transport is not None
            asked.transport.close()
            return web.Response()
        return web.Response(status=status, body=text.encode(), headers=headers)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[Service]:
        """Serve on a free port of this machine."""
        app = web.Application(client_max_size=MAX_BODY_BYTES)
        app.add_routes([web.get("/", self._gateway), web.route("*", API + "/{path:.*}", self._api)])
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        try:
            yield self
        finally:
            await runner.cleanup()


async def _until_answered(sent: Sent) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(sent.settled(), ANSWER_WITHIN_MS / 1000)


async def _send_all(outbox: asyncio.Queue[str], socket: web.WebSocketResponse) -> None:
    with suppress(ConnectionError):
        while True:
            await socket.send_str(await outbox.get())


async def _body(asked: web.Request) -> str:
    """Return a request's JSON, without its files."""
    if asked.content_type != "multipart/form-data":
        return await asked.text()
    return str((await asked.post()).get("payload_json", ""))


def _packet(op: int, data: Any) -> str:
    return json.dumps({"op": op, "d": data, "s": None, "t": None})
