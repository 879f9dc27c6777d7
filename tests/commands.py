"""What the commands look like in every locale, asked of discord.py once a process instead of at each bot's start."""

import json
from typing import Any

import discord
import pytest

from bot.live import application_assets
from bot.live.application_assets import for_servers_alone, written_out

_KNOWN: dict[tuple[int | None, bool], str] = {}
"""By the server that they are for, if any, and whether people may install the application for themselves."""


async def _written_out(tree: Any, guild: discord.abc.Snowflake | None) -> list[dict[str, Any]]:
    """The same as the bot's own, which every bot of this process would write out alike: ten thousand sentences."""
    key = (None if guild is None else guild.id, for_servers_alone(tree.client.application))
    if key not in _KNOWN:
        _KNOWN[key] = json.dumps(await written_out(tree, guild))
    known: list[dict[str, Any]] = json.loads(_KNOWN[key])
    return known


def write_commands_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all bots of this process share what the first of them has written out."""
    monkeypatch.setattr(application_assets, "written_out", _written_out)
