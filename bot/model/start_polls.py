"""Values of polls about start times. Times are milliseconds since 1970."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.ids import GuildId


@dataclass(frozen=True, slots=True, kw_only=True)
class StartPoll:
    """A Discord poll with the start times that an organiser proposes. It stores no voters."""

    guild: GuildId
    number: int
    channel: int
    language: str
    zone: str
    """Time zone of the times shown in its answers."""
    times: tuple[int, ...]
    """Proposed times, earliest first. Discord numbers the answers from 1 in this order."""
    hours: int
    """Hours that it stays open."""
    asked_at: int
    message: int | None = None
    """Message id; None until it's posted."""
    closes_at: int = 0
    """When Discord closes it; 0 until it's posted."""
