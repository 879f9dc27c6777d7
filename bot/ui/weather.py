"""Trouble that passes, of Discord, the network or the storage: worth a line in the log, and no traceback."""

from __future__ import annotations

import logging

import aiohttp
import discord

from bot.play.ports import StorageTroubleError

WEATHER = (discord.DiscordServerError, aiohttp.ClientError, OSError, StorageTroubleError)
"""An OSError is a socket's; a TimeoutError is one too."""
_SPEAKERS = ("discord.client", "discord.app_commands.tree", "discord.ext.tasks")
"""Where discord.py logs what a listener, a suggestion or a task of ours has raised."""


def listen() -> None:
    """From now on discord.py tells of such trouble in one line."""
    for name in _SPEAKERS:
        logging.getLogger(name).addFilter(_shortened)


def _shortened(record: logging.LogRecord) -> bool:
    """Let everything pass, but bad weather without its traceback."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, WEATHER):
        record.msg, record.args, record.exc_info = f"{record.getMessage()}: {error!r}", (), None
        record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
    return True
