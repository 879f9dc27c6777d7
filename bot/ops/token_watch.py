"""Notices that Discord no longer accepts the token of a running bot, as after a reset in the developer portal."""

from __future__ import annotations

import asyncio
import logging

import aiohttp
import discord
from discord.http import Route

log = logging.getLogger(__name__)

UNAUTHORIZED = 401


class TokenWatch:
    """Checks the token after an answer that says it's wrong. ``refused`` is set once it's certain."""

    def __init__(self, client: discord.Client) -> None:
        self.refused = asyncio.Event()
        self._client = client
        self._checking: asyncio.Task[None] | None = None

    def doubt(self) -> None:
        """Check the token with one request, unless a check is under way. Some 401s are about a single resource."""
        if self._checking is None or self._checking.done():
            self._checking = asyncio.create_task(self._check(), name="token-check")

    async def _check(self) -> None:
        try:
            await self._client.http.request(Route("GET", "/users/@me"))
        except discord.HTTPException as error:
            if error.status == UNAUTHORIZED:
                self.refused.set()
        except (aiohttp.ClientError, OSError) as error:
            log.debug("the token could not be checked: %r", error)
