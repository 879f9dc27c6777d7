"""What holds while the operator has set nothing: the settings offer it, and play begins with it."""

from __future__ import annotations

from typing import Final

START_CHIPS: Final = 10_000
LOBBY_MINUTES: Final = 30
NEXT_HAND_SECONDS: Final = 12
REQUESTS_A_SECOND: Final = 40
"""What one process may ask of Discord."""
