"""The values of polls about when to play. Times are milliseconds since 1970."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.ids import GuildId


@dataclass(frozen=True, slots=True, kw_only=True)
class StartPoll:
    """A poll of Discord's with the times that an organiser proposes; it names nobody."""

    guild: GuildId
    number: int
    channel: int
    language: str
    zone: str
    """The time zone in which its answers tell the times."""
    times: tuple[int, ...]
    """The earliest first: Discord numbers its answers from 1 in this order."""
    hours: int
    """How long it is open."""
    asked_at: int
    message: int | None = None
    """None until it was posted."""
    closes_at: int = 0
    """When Discord closes it; 0 until it was posted."""
