"""Settings of the whole bot, as play is given them."""

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
    """Settings of the whole bot. Chips are whole, times milliseconds."""

    start_chips: int = START_CHIPS
    lobby_ms: int = LOBBY_MINUTES * 60_000
    next_hand_ms: int = NEXT_HAND_SECONDS * 1000
    left_server_days: int | None = None
    """Days after which everything is deleted of a server that the bot has left; None keeps it for its return."""
    seating_ms: int = 30_000
    """Between the opening of an event's table and its first hand, so that its players find it."""
    computer_ms: int = 900
    practice_ms: int = IDLE_PRACTICE_MS
    """A private table at which nobody does anything for so long closes."""
    timeouts_until_away: int = TIMEOUTS_UNTIL_AWAY
    tables_a_player: int = MAX_TABLES_PER_PLAYER
    slow_tables_a_player: int = MAX_CORRESPONDENCE_TABLES_PER_PLAYER
    lobbies_a_player: int = MAX_LOBBIES_PER_PLAYER
    """Tables that somebody has opened and that wait for players, of any pace. Tables of events count nowhere here."""
    lobbies_a_channel: int = MAX_LOBBIES_PER_CHANNEL
    tables_a_channel: int = MAX_TABLES_PER_CHANNEL
    tables_a_server: int = MAX_TABLES_PER_SERVER
    computers_a_host: int = 15
    """In all servers together: computers are shared by everybody."""
    computers_a_server: int = 40
    """Seats; a computer that thinks takes a few hundredths of a second of everybody's time."""
    computers: int = 200
