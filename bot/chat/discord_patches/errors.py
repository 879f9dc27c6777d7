"""Transient errors of Discord, the network or the storage, which are logged in one line without a traceback."""

from __future__ import annotations

import logging

import aiohttp
import discord

from bot.model.errors import StorageUnavailableError

UNAUTHORIZED = 401
SERVER_ERROR = 500
TRANSIENT = (discord.RateLimited, aiohttp.ClientError, OSError, StorageUnavailableError)
"""Transient errors in addition to Discord's 5xx. OSError covers sockets and timeouts."""
_LOGGERS = ("discord.client", "discord.app_commands.tree", "discord.ext.tasks")
"""discord.py's loggers for errors of listeners, autocompletes and tasks."""


def listen() -> None:
    """Shorten transient errors in discord.py's log to a single line."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_shortened)


def is_transient(error: BaseException) -> bool:
    """True if ``error`` is transient, so that a retry may succeed."""
    if isinstance(error, discord.HTTPException):
        # After a token has been reset, a restart fixes this error and draws what is due.
        return error.status >= SERVER_ERROR or (error.status == UNAUTHORIZED and error.code == 0)
    return isinstance(error, TRANSIENT)


def _shortened(record: logging.LogRecord) -> bool:
    """Log filter that strips the traceback from transient errors."""
    error = record.exc_info[1] if record.exc_info else None
    if error is not None and is_transient(error):
        record.msg, record.args, record.exc_info = f"{record.getMessage()}: {error!r}", (), None
        record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
    return True
