"""What discord.py has no call for: who looks at an Activity, events that repeat, connections that come and go.

A code is exchanged with the application's own secret, so without the bot's token, over discord.py's session. What it
buys says who somebody is, and is forgotten at once: it isn't taken back, since Discord would then ask that person for
their leave anew each time. discord.py 2.7 knows no ``recurrence_rule`` of scheduled events, so they are sent raw.
"""

from __future__ import annotations

import asyncio
import json
import logging
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

import aiohttp
import discord
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.model.activities import DiscordTroubleError, Instance, Person
from bot.model.ids import GuildId, Player, Shard

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 10.0
IN_SERVER = "gc"
"""Discord's kind of place for a channel of a server."""


class Vouches:
    """What Discord says of those who open an application's Activity. ``secret`` is the application's own."""

    def __init__(self, client: discord.Client, secret: str) -> None:
        self._client = client
        self._secret = secret

    @property
    def application(self) -> int:
        """The application's id; 0 before it has logged in."""
        return self._client.application_id or 0

    async def who(self, code: str) -> Person | None:
        """Whom a code stands for; None for one that is none, was used or is too old. Raises DiscordTroubleError."""
        form = {
            "client_id": str(self.application),
            "client_secret": self._secret,
            "grant_type": "authorization_code",
            "code": code,
        }
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        status, given = await self._ask("POST", "/oauth2/token", headers, data=urlencode(form))
        if status == 400:
            return None
        if status == 401:
            raise DiscordTroubleError("Discord does not accept CHAIPO_CLIENT_SECRET: copy it again")
        if status != 200 or "access_token" not in given:
            raise DiscordTroubleError(f"{status} to a code")
        headers = {"Authorization": f"Bearer {given['access_token']}"}
        status, person = await self._ask("GET", "/users/@me", headers)
        if status != 200 or "id" not in person:
            raise DiscordTroubleError(f"{status} to a token")
        return Person(player=Player(str(person["id"])), locale=str(person.get("locale") or "en-US"))

    async def instance(self, name: str) -> Instance | None:
        """A running instance of the Activity; None for none. Raises DiscordTroubleError."""
        route = Route(
            "GET",
            "/applications/{application_id}/activity-instances/{instance_id}",
            application_id=self.application,
            instance_id=name,
        )
        try:
            told: Mapping[str, Any] = await self._client.http.request(route)
        except discord.NotFound:
            return None
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            raise DiscordTroubleError(repr(error)) from error
        place: Mapping[str, Any] = told["location"]
        guild = int(place.get("guild_id") or 0) if place["kind"] == IN_SERVER else 0
        return Instance(guild=GuildId(guild), players=frozenset(Player(str(user)) for user in told["users"]))

    async def _ask(
        self, method: str, path: str, headers: Mapping[str, str], *, data: str | None = None
    ) -> tuple[int, Mapping[str, Any]]:
        """The status and the body of an answer. Raises DiscordTroubleError."""
        http: Any = self._client.http
        session = http._HTTPClient__session
        said = {"headers": {**headers, "User-Agent": http.user_agent}, "data": data}
        try:
            async with (
                asyncio.timeout(PATIENCE_SECONDS),
                session.request(
                    method, Route.BASE + path, proxy=http.proxy, proxy_auth=http.proxy_auth, **said
                ) as answer,
            ):
                told = json.loads(await answer.text(encoding="utf-8") or "{}")
                return int(answer.status), told if isinstance(told, dict) else {}
        except (aiohttp.ClientError, ValueError, OSError) as error:
            raise DiscordTroubleError(repr(error)) from error


_ALL = "/guilds/{guild_id}/scheduled-events"
_ONE = "/guilds/{guild_id}/scheduled-events/{event_id}"


async def make_scheduled_event(guild: discord.Guild, fields: Mapping[str, Any], *, image: bytes) -> int:
    """Make one with these fields and a PNG as its cover; returns its id, and raises what Discord refuses."""
    cover = f"data:image/png;base64,{b64encode(image).decode('ascii')}"
    route = Route("POST", _ALL, guild_id=guild.id)
    made = await guild._state.http.request(route, json={**fields, "image": cover})
    return int(made["id"])


async def change_scheduled_event(guild: discord.Guild, event: int, fields: Mapping[str, Any]) -> discord.EventStatus:
    """Change fields of one; returns where it is then: one that repeats comes back as scheduled when it is completed."""
    route = Route("PATCH", _ONE, guild_id=guild.id, event_id=event)
    changed = await guild._state.http.request(route, json=dict(fields))
    return discord.EventStatus(changed["status"])


# ruff: noqa: SLF001


Hear = Callable[[Any], None]
"""Is told of a press, as Discord sends it."""


def hear_presses(client: discord.Client, hear: Hear) -> Hear:
    """Have ``hear`` told of each press in place of discord.py; returns how discord.py is told of one."""
    parsers = client._connection.parsers
    answer: Hear = parsers["INTERACTION_CREATE"]
    parsers["INTERACTION_CREATE"] = hear
    return answer


def let_come_and_go(client: discord.AutoShardedClient) -> None:
    """Have discord.py wait for no shards: it counts whether all are there, and never finds that where they come and go.

    When they are, it is told by :func:`become_ready`.
    """
    client._connection.shard_count = client.shard_count
    client._connection.shard_ids = []


def become_ready(client: discord.AutoShardedClient) -> None:
    """Tell discord.py that it is ready."""
    if not client.is_ready():
        client._connection.call_handlers("ready")
        client.dispatch("ready")


async def connect(client: discord.AutoShardedClient, number: int) -> None:
    """Connect one shard, after its turn to log in."""
    await client.launch_shard(DiscordWebSocket.DEFAULT_GATEWAY, number)


async def disconnect(client: discord.AutoShardedClient, shard: Shard) -> None:
    """End a connection for good, and know its servers no longer."""
    connections: dict[int, discord.shard.Shard] = client._AutoShardedClient__shards  # type: ignore[attr-defined]
    connection = connections.pop(shard.number, None)
    if connection is not None:
        await connection.close()
    for guild in list(client.guilds):
        if shard.serves(GuildId(guild.id)):
            client._connection._remove_guild(guild)
