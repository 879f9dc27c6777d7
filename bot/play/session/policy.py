"""The bot's settings that play needs."""

from __future__ import annotations

from dataclasses import dataclass

from bot.base.operator_defaults import LOBBY_MINUTES, NEXT_HAND_SECONDS, START_CHIPS
from bot.model.limits import (
    IDLE_PRACTICE_MS,
    MAX_CORRESPONDENCE_TABLES_PER_PLAYER,
    MAX_LOBBIES_PER_CHANNEL,
    MAX_LOBBIES_PER_PLAYER,
    MAX_TABLES_PER_CHANNEL,
    MAX_TABLES_PER_PLAYER,
    MAX_TABLES_PER_SERVER,
    TIMEOUTS_UNTIL_AWAY,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The bot's settings. Chips are whole numbers; times are in milliseconds."""

    start_chips: int = START_CHIPS
    lobby_ms: int = LOBBY_MINUTES * 60_000
    next_hand_ms: int = NEXT_HAND_SECONDS * 1000
    left_server_days: int | None = None
    """Days until a server that the bot has left is deleted; None to keep it forever."""
    seating_ms: int = 30_000
    """Time between opening an event's table and its first hand, so that players can find it."""
    computer_ms: int = 900
    practice_ms: int = IDLE_PRACTICE_MS
    """Idle time until a private table closes."""
    timeouts_until_away: int = TIMEOUTS_UNTIL_AWAY
    tables_per_player: int = MAX_TABLES_PER_PLAYER
    slow_tables_per_player: int = MAX_CORRESPONDENCE_TABLES_PER_PLAYER
    lobbies_per_player: int = MAX_LOBBIES_PER_PLAYER
    """Maximum lobbies opened by a player, of any pace. Events' tables don't count towards these limits."""
    lobbies_per_channel: int = MAX_LOBBIES_PER_CHANNEL
    tables_per_channel: int = MAX_TABLES_PER_CHANNEL
    tables_per_server: int = MAX_TABLES_PER_SERVER
    computers_per_host: int = 15
    """Maximum computers per host across all servers, because they share one processor."""
    computers_per_server: int = 40
    """Maximum computers per server. Each placement takes a few hundredths of a second."""
    computers: int = 200
