"""Repeating scheduled events. They're sent as raw requests, because discord.py 2.7 has no ``recurrence_rule``."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import discord
from discord.http import Route

_ALL = "/guilds/{guild_id}/scheduled-events"
_ONE = "/guilds/{guild_id}/scheduled-events/{event_id}"


async def make_scheduled_event(guild: discord.Guild, fields: Mapping[str, Any], *, image: bytes) -> int:
    """Create an event with ``fields`` and a PNG cover, and return its id. Raises Discord's errors."""
    cover = f"data:image/png;base64,{b64encode(image).decode('ascii')}"
    route = Route("POST", _ALL, guild_id=guild.id)
    made = await guild._state.http.request(route, json={**fields, "image": cover})  # noqa: SLF001
    return int(made["id"])


async def change_scheduled_event(guild: discord.Guild, event: int, fields: Mapping[str, Any]) -> discord.EventStatus:
    """Change an event's fields and return its status. A repeating event becomes scheduled again once it's completed."""
    route = Route("PATCH", _ONE, guild_id=guild.id, event_id=event)
    changed = await guild._state.http.request(route, json=dict(fields))  # noqa: SLF001
    return discord.EventStatus(changed["status"])
