"""Sending requests to Discord, and reading and writing their JSON.

Every request passes through one function, including discord.py's retries. aiohttp's tracing could show them too, but it
would cost more than everything done here. Requests go to Discord, or to a proxy such as nirn-proxy, which keeps to
Discord's rate limits for all processes of a bot. The gateway is always Discord's own.

discord.py parses JSON with orjson, which is faster than the standard library but rejects lone surrogates. A client can
send one, and discord.py would treat the error as the end of the connection. Such texts are parsed with the standard
library instead.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

import aiohttp
from discord import utils
from discord.http import INTERNAL_API_VERSION, HTTPClient, Route

from bot.chat.discord_patches.errors import UNAUTHORIZED

Send: TypeAlias = Callable[[], Awaitable[aiohttp.ClientResponse]]
Station: TypeAlias = Callable[[Send], Awaitable[aiohttp.ClientResponse]]
"""Sends a request when it's allowed, and returns the response."""

PROXY_IS_WELL = "/nirn/healthz"
"""The path that nirn-proxy itself answers with 200."""
_fast_read, _fast_write = utils._from_json, utils._to_json  # noqa: SLF001


def lead_through(http: HTTPClient, station: Station, *, on_unauthorized: Callable[[], None] | None = None) -> None:
    """Send every request of a logged-in client through ``station``. discord.py has no public API for this.

    ``on_unauthorized`` is called if Discord answers 401 to a request with the bot's token. A simulated Discord has no
    HTTP session.
    """
    session: Any = http._HTTPClient__session  # type: ignore[attr-defined]  # noqa: SLF001
    if session is None:
        return
    send = session._request  # noqa: SLF001

    async def request(*what: Any, **options: Any) -> aiohttp.ClientResponse:
        response = await station(partial(send, *what, **options))
        if on_unauthorized is not None and response.status == UNAUTHORIZED and _has_token(options.get("headers")):
            on_unauthorized()
        return response

    session._request = request  # noqa: SLF001


def _has_token(headers: Mapping[str, str] | None) -> bool:
    """True if a request has the bot's token. Responses to interactions have their own tokens."""
    return (headers or {}).get("Authorization", "").startswith("Bot ")


def use_proxy(proxy: str) -> None:
    """Send all requests to the address ``proxy`` from now on, such as ``http://10.0.0.7:8080``."""
    Route.BASE = f"{proxy}/api/v{INTERNAL_API_VERSION}"


def take_every_text() -> None:
    """Make discord.py fall back to Python's own JSON."""
    utils._from_json, utils._to_json = _read, _write  # noqa: SLF001


def _read(text: Any) -> Any:
    try:
        return _fast_read(text)
    except ValueError:
        return json.loads(text)


def _write(obj: Any) -> str:
    try:
        return _fast_write(obj)
    except TypeError:
        return json.dumps(obj, separators=(",", ":"))
