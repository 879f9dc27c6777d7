"""The wire: where every request passes on its way to Discord, and every text is read and written.

Requests are led through a station of ours, also those that discord.py repeats by itself; aiohttp tells a trace of it
all, step by step, which takes longer than what is done here. They go to Discord, or to a proxy such as nirn-proxy,
which keeps Discord's limits for all processes of a bot and is asked the same by the same paths: answers to interactions
too, which carry no token of the bot's, and so do not wait for its budget. The gateway is Discord's own in either case.

discord.py does its JSON with orjson, which is faster than Python's own but refuses half of a surrogate pair. A client
can send one, and discord.py would take the refusal for the end of the connection: such texts go through Python's own.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeAlias

import aiohttp
import discord
from discord import utils
from discord.http import INTERNAL_API_VERSION, HTTPClient, Route

from bot.model.errors import StorageTroubleError

Send: TypeAlias = Callable[[], Awaitable[aiohttp.ClientResponse]]
Station: TypeAlias = Callable[[Send], Awaitable[aiohttp.ClientResponse]]
"""Sends a request when it is time, and gives on how it was answered."""

PROXY_IS_WELL = "/nirn/healthz"
"""The address that nirn-proxy itself answers with 200."""
_fast_read, _fast_write = utils._from_json, utils._to_json  # noqa: SLF001


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


def go_through(proxy: str) -> None:
    """Ask this address, such as ``http://10.0.0.7:8080``, from now on whatever Discord is to be asked."""
    Route.BASE = f"{proxy}/api/v{INTERNAL_API_VERSION}"


def take_every_text() -> None:
    """Have discord.py fall back to Python's own JSON."""
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


# Trouble that passes, of Discord, the network or the storage: worth a line in the log, and no traceback.

SERVER_ERROR = 500
WEATHER = (discord.RateLimited, aiohttp.ClientError, OSError, StorageTroubleError)
"""An OSError is a socket's; a TimeoutError is one too."""
_SPEAKERS = ("discord.client", "discord.app_commands.tree", "discord.ext.tasks")
"""Where discord.py logs what a listener, a suggestion or a task of ours has raised."""


def listen() -> None:
    """From now on discord.py tells of such trouble in one line."""
    for name in _SPEAKERS:
        logging.getLogger(name).addFilter(_shortened)


def passes(error: BaseException) -> bool:
    """True for such trouble, which is no fault of the bot's."""
    if isinstance(error, discord.HTTPException):
        return error.status >= SERVER_ERROR
    return isinstance(error, WEATHER)


def _shortened(record: logging.LogRecord) -> bool:
    """Let everything pass, but bad weather without its traceback."""
    error = record.exc_info[1] if record.exc_info else None
    if error is not None and passes(error):
        record.msg, record.args, record.exc_info = f"{record.getMessage()}: {error!r}", (), None
        record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
    return True
