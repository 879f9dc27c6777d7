"""Detection of a token that Discord no longer accepts, for example after a reset in the developer portal."""

from __future__ import annotations

import asyncio
import logging

import aiohttp
import discord
from discord.http import Route

log = logging.getLogger(__name__)

UNAUTHORIZED = 401


class TokenWatch:
    """Checks the token after a 401. ``refused`` is set if it's invalid."""

    def __init__(self, client: discord.Client) -> None:
        self.refused = asyncio.Event()
        self._client = client
        self._checking: asyncio.Task[None] | None = None

    def doubt(self) -> None:
        """Check the token with one request, unless a check is running. A 401 may concern only a single resource."""
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
