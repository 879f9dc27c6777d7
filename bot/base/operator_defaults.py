"""Defaults of operator settings that the game code also uses."""

from __future__ import annotations

from typing import Final

START_CHIPS: Final = 10_000
LOBBY_MINUTES: Final = 30
NEXT_HAND_SECONDS: Final = 12
REQUESTS_PER_SECOND: Final = 40
"""Maximum requests per second from one process to Discord."""
