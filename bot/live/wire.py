"""The wire: where every request passes on its way to Discord, also those that discord.py repeats by itself.

aiohttp tells a trace of it all, step by step, which takes longer than what is done here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeAlias

import aiohttp
from discord.http import HTTPClient

Send: TypeAlias = Callable[[], Awaitable[aiohttp.ClientResponse]]
Station: TypeAlias = Callable[[Send], Awaitable[aiohttp.ClientResponse]]
"""Sends a request when it is time, and gives on how it was answered."""


def lead_through(http: HTTPClient, station: Station) -> None:
    """Send every request of a client that has logged in through ``station``; discord.py has no other door for this.

    A simulated Discord has no wire.
    """
    session: Any = http._HTTPClient__session  # type: ignore[attr-defined]  # noqa: SLF001
    if session is None:
        return
    send = session._request  # noqa: SLF001

    async def request(*what: Any, **options: Any) -> aiohttp.ClientResponse:
        return await station(partial(send, *what, **options))

    session._request = request  # noqa: SLF001
