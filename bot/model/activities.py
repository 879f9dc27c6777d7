"""Discord's data about players who open the table's page as an Activity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.model.ids import GuildId, Player

LAUNCHES: Final = 4
"""Type of the command that launches an Activity. Discord adds this command itself."""
ACTIVITY: Final = "/activity"
"""Path of the page in Discord's frame. Inside the frame, it's the root."""


class DiscordUnavailableError(Exception):
    """Discord couldn't be reached, or returned a temporary error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityUser:
    """The user that an authorization code belongs to."""

    player: Player
    locale: str
    """Discord's code for the user's language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityInstance:
    """A running Activity."""

    guild: GuildId
    """The Activity's server; 0 outside servers."""
    players: frozenset[Player]
