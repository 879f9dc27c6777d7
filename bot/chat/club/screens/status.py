"""The bot's status in a server, for its managers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bot.chat.kit.fragments import moment
from bot.text.durations import duration
from bot.text.words import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class BotStatus:
    """The data shown. Times are milliseconds since 1970."""

    version: str
    started_at: int
    now: int
    latency_seconds: float
    """Infinity or NaN until measured."""
    tables: int
    behind: int
    lag_seconds: float
    """Age of the oldest delayed message."""
    storage_works: bool
    clocks_run: bool
    thinks_quickly: bool
    """True if computer players think quickly, because no worker process computes for them."""


def status_text(status: BotStatus, words: Words) -> str:
    """Return one line per fact."""
    running = duration((status.now - status.started_at) // 1000, words)
    latency = status.latency_seconds
    lines = [
        f"**{words('status.title', version=status.version)}**",
        words("status.started", when=moment(status.started_at), time=running),
        words("status.latency", count=round(latency * 1000))
        if math.isfinite(latency)
        else words("status.latency_unknown"),
        words("status.tables", count=status.tables),
        words("status.storage_ok" if status.storage_works else "status.storage_trouble"),
        _messages(status, words),
        words("status.clocks_run" if status.clocks_run else "status.clocks_stand"),
        words("status.computers_quick" if status.thinks_quickly else "status.computers_ok"),
    ]
    return "\n".join(lines)


def _messages(status: BotStatus, words: Words) -> str:
    if not status.behind:
        return words("status.messages_ok")
    behind = words("status.messages_behind", count=status.behind)
    lag = round(status.lag_seconds)
    return words.side_by_side([behind, words("status.messages_lag", time=duration(lag, words))]) if lag else behind
