"""Trouble that passes, of Discord, the network or the storage: worth a line in the log, and no traceback."""

from __future__ import annotations

import logging

import aiohttp
import discord

from bot.model.errors import StorageTroubleError

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
