"""Values of polls on start times. Times are in milliseconds since 1970."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.ids import GuildId


@dataclass(frozen=True, slots=True, kw_only=True)
class StartPoll:
    """A Discord poll on start times proposed by an organiser. It doesn't store voters."""

    guild: GuildId
    number: int
    channel: int
    language: str
    zone: str
    """Time zone for the times shown in the answers."""
    times: tuple[int, ...]
    """Proposed times, earliest first. Discord numbers the answers from 1 in this order."""
    hours: int
    """Number of hours that the poll is open."""
    asked_at: int
    message: int | None = None
    """Message id; None until the poll is posted."""
    closes_at: int = 0
    """When Discord closes the poll; 0 until it's posted."""
