"""Scheduled events that repeat: sent raw, since discord.py 2.7 knows no ``recurrence_rule``."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import discord
from discord.http import Route

_ALL = "/guilds/{guild_id}/scheduled-events"
_ONE = "/guilds/{guild_id}/scheduled-events/{event_id}"


async def make_scheduled_event(guild: discord.Guild, fields: Mapping[str, Any], *, image: bytes) -> int:
    """Make one with these fields and a PNG as its cover; returns its id, and raises what Discord refuses."""
    cover = f"data:image/png;base64,{b64encode(image).decode('ascii')}"
    route = Route("POST", _ALL, guild_id=guild.id)
    made = await guild._state.http.request(route, json={**fields, "image": cover})  # noqa: SLF001
    return int(made["id"])


async def change_scheduled_event(guild: discord.Guild, event: int, fields: Mapping[str, Any]) -> discord.EventStatus:
    """Change fields of one; returns where it is then: one that repeats comes back as scheduled when it is completed."""
    route = Route("PATCH", _ONE, guild_id=guild.id, event_id=event)
    changed = await guild._state.http.request(route, json=dict(fields))  # noqa: SLF001
    return discord.EventStatus(changed["status"])
