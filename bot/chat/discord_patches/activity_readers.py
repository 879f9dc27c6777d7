"""Requests that check an Activity's user and their server, which discord.py doesn't support.

A code is exchanged for a token, over discord.py's session but with the application's secret instead of the bot's token.
The new token is used to identify the user and then dropped. It isn't revoked, because Discord would then ask the user
for permission every time.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import aiohttp
import discord
from discord.http import Route

from bot.model.activities import ActivityInstance, ActivityUser, DiscordUnavailableError
from bot.model.ids import GuildId, Player

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 10.0
IN_SERVER = "gc"
"""Discord's kind of location for a channel in a server."""


class DiscordActivityVerifier:
    """Asks Discord about the users of an application's Activity. ``secret`` belongs to the application."""

    def __init__(self, client: discord.Client, secret: str) -> None:
        self._client = client
        self._secret = secret

    @property
    def application(self) -> int:
        """The application's id; 0 before login."""
        return self._client.application_id or 0

    async def who(self, code: str) -> ActivityUser | None:
        """Return the user of a code; None if it's invalid, used or expired. Raises DiscordUnavailableError."""
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
            raise DiscordUnavailableError("Discord does not accept CHAIPO_CLIENT_SECRET. Copy it again")
        if status != 200 or "access_token" not in given:
            raise DiscordUnavailableError(f"Discord answered {status} to a code")
        headers = {"Authorization": f"Bearer {given['access_token']}"}
        status, person = await self._ask("GET", "/users/@me", headers)
        if status != 200 or "id" not in person:
            raise DiscordUnavailableError(f"Discord answered {status} to a token")
        return ActivityUser(player=Player(str(person["id"])), locale=str(person.get("locale") or "en-US"))

    async def instance(self, name: str) -> ActivityInstance | None:
        """Return a running instance of the Activity; None if there is none. Raises DiscordUnavailableError."""
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
            raise DiscordUnavailableError(repr(error)) from error
        place: Mapping[str, Any] = told["location"]
        guild = int(place.get("guild_id") or 0) if place["kind"] == IN_SERVER else 0
        return ActivityInstance(guild=GuildId(guild), players=frozenset(Player(str(user)) for user in told["users"]))

    async def _ask(
        self, method: str, path: str, headers: Mapping[str, str], *, data: str | None = None
    ) -> tuple[int, Mapping[str, Any]]:
        """Return the status and the body of a response. Raises DiscordUnavailableError."""
        http: Any = self._client.http
        session = http._HTTPClient__session  # noqa: SLF001
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
            raise DiscordUnavailableError(repr(error)) from error
