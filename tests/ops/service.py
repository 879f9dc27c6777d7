"""Discord's service in small: a gateway and an HTTP API on this machine, so that discord.py's own connection runs.

SimCord puts itself in the place of the connection; here it is the connection that is tested.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Any

import discord
import pytest
import yarl
from aiohttp import WSMsgType, web
from discord.gateway import DiscordWebSocket
from discord.http import Route

BOT = {"id": "100", "username": "Chaipo", "discriminator": "0", "avatar": None, "bot": True}
HEARTBEAT, IDENTIFY, RESUME, ASK_MEMBERS = 1, 2, 6, 8
DISPATCH, HELLO, ACKNOWLEDGED = 0, 10, 11
APPLICATION = {"id": "100", "flags": 0, "name": "Chaipo", "description": "", "verify_key": "", "bot_public": False}
APPLICATION |= {
    "owner": BOT,
    "bot_require_code_grant": False,
    "hook": True,
    "icon": None,
    "summary": "",
    "rpc_origins": [],
}


class Service:
    """Received requests and configured behaviour. Heartbeats are always acknowledged."""

    def __init__(self, *, shards: int) -> None:
        self.shards = shards
        self.logins: Counter[int] = Counter()
        """Number of IDENTIFYs by shard."""
        self.questions: Counter[int] = Counter()
        """Number of requests for members by shard."""
        self.deaf: set[int] = set()
        """Shards that receive no more events."""
        self.mute_at_login: set[int] = set()
        """Shards whose IDENTIFY is not answered."""
        self.statuses: list[int] = []
        """The statuses of the next answers to callbacks, before they succeed."""
        self._sockets: dict[int, web.WebSocketResponse] = {}
        self._numbers: Counter[int] = Counter()

    def guild_of(self, shard: int) -> int:
        """The one guild of a shard; the first shard's is 0 apart from its count."""
        return ((self.shards + shard) << 22) + 1

    async def send(self, shard: int, event: str, data: dict[str, Any]) -> None:
        """Send an event, unless the shard is to hear nothing."""
        if shard not in self.deaf:
            self._numbers[shard] += 1
            packet = {"op": DISPATCH, "t": event, "s": self._numbers[shard], "d": data}
            await self._sockets[shard].send_json(packet)

    async def drop(self, shard: int) -> None:
        """Close a connection as Discord does now and then."""
        await self._sockets[shard].close(code=4000)

    async def gateway(self, request: web.Request) -> web.WebSocketResponse:
        """One connection."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": HELLO, "d": {"heartbeat_interval": 20_000}})
        shard = 0
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                break
            packet = message.json()
            match packet["op"]:
                case code if code == HEARTBEAT:
                    await socket.send_json({"op": ACKNOWLEDGED})
                case code if code == IDENTIFY:
                    shard = packet["d"]["shard"][0]
                    self._sockets[shard] = socket
                    await self._log_in(shard)
                case code if code == RESUME:
                    shard = int(packet["d"]["session_id"].removeprefix("session-"))
                    self._sockets[shard] = socket
                    await self.send(shard, "RESUMED", {})
                case code if code == ASK_MEMBERS:
                    await self._tell_members(shard, packet["d"])
        return socket

    async def _log_in(self, shard: int) -> None:
        self.logins[shard] += 1
        if shard in self.mute_at_login:
            return
        guild = self.guild_of(shard)
        ready = {
            "user": BOT,
            "guilds": [{"id": str(guild), "unavailable": True}],
            "session_id": f"session-{shard}",
            "resume_gateway_url": str(DiscordWebSocket.DEFAULT_GATEWAY),
            "shard": [shard, self.shards],
            "application": {"id": "100", "flags": 0},
        }
        # A login is answered also where nothing follows.
        deaf, self.deaf = self.deaf, set()
        await self.send(shard, "READY", ready)
        await self.send(shard, "GUILD_CREATE", _guild(guild))
        self.deaf = deaf

    async def _tell_members(self, shard: int, asked: dict[str, Any]) -> None:
        self.questions[shard] += 1
        member: dict[str, Any] = {"user": BOT, "roles": [], "joined_at": None, "deaf": False, "mute": False, "flags": 0}
        chunk = {"guild_id": str(asked["guild_id"]), "members": [member], "chunk_index": 0, "chunk_count": 1}
        await self.send(shard, "GUILD_MEMBERS_CHUNK", {**chunk, "nonce": asked["nonce"]})

    async def callback(self, request: web.Request) -> web.Response:
        """The answer to an interaction."""
        if not self.statuses:
            return _json({"interaction": {"id": request.match_info["id"], "type": 3}})
        status = self.statuses.pop(0)
        headers = {"Via": "1.1 here", "X-RateLimit-Scope": "shared"}
        return _json({"retry_after": 0.0, "message": "no", "code": 0}, status=status, headers=headers)

    def routes(self) -> list[web.RouteDef]:
        """Everything that a start asks for; the card pictures are refused."""

        async def me(_: web.Request) -> web.Response:
            return _json(BOT)

        async def application(_: web.Request) -> web.Response:
            return _json(APPLICATION)

        async def registered(_: web.Request) -> web.Response:
            return _json([])

        async def gateway(_: web.Request) -> web.Response:
            limits = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
            url = str(DiscordWebSocket.DEFAULT_GATEWAY)
            return _json({"url": url, "shards": self.shards, "session_start_limit": limits})

        return [
            web.get("/", self.gateway),
            web.get("/api/gateway/bot", gateway),
            web.get("/api/users/@me", me),
            web.get("/api/oauth2/applications/@me", application),
            web.get("/api/applications/100/commands", registered),
            web.put("/api/applications/100/commands", registered),
            web.post("/api/interactions/{id}/{token}/callback", self.callback),
        ]


def _json(data: Any, *, status: int = 200, headers: Mapping[str, str] = MappingProxyType({})) -> web.Response:
    # discord.py knows this content type and no other.
    headers = {**headers, "Content-Type": "application/json"}
    return web.Response(body=json.dumps(data).encode(), status=status, headers=headers)


def _guild(number: int) -> dict[str, Any]:
    return {
        "id": str(number),
        "name": "The club",
        "owner_id": "1",
        "preferred_locale": "en-US",
        "features": [],
        "verification_level": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "premium_tier": 0,
        "afk_timeout": 300,
        "system_channel_flags": 0,
        "roles": [],
        "emojis": [],
        "stickers": [],
        "channels": [],
        "threads": [],
        "members": [],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
        "member_count": 1,
        "unavailable": False,
    }


@asynccontextmanager
async def service(monkeypatch: pytest.MonkeyPatch, *, shards: int = 1) -> AsyncIterator[Service]:
    """A service that discord.py takes for Discord."""
    made = Service(shards=shards)
    app = web.Application()
    app.add_routes(made.routes())
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{port}/api")
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(f"ws://127.0.0.1:{port}/"))
    try:
        yield made
    finally:
        await runner.cleanup()


@asynccontextmanager
async def connected(bot: discord.AutoShardedClient) -> AsyncIterator[None]:
    """The bot, logged in and ready; it is closed at the end."""
    running = asyncio.create_task(bot.start("the-token"))
    ready = asyncio.create_task(_until_ready(bot))
    await asyncio.wait({running, ready}, return_when=asyncio.FIRST_COMPLETED)
    try:
        if running.done():
            running.result()
        yield
    finally:
        ready.cancel()
        await bot.close()
        await running


async def _until_ready(bot: discord.AutoShardedClient) -> None:
    # Before the login there is nothing to wait for.
    while not bot.is_ready():  # noqa: ASYNC110  # discord.py has no event for it before the login
        await asyncio.sleep(0.01)
