"""What Discord tells of whoever opens the table's page inside of it, in an Activity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.model.ids import GuildId, Player

LAUNCHES: Final = 4
"""Discord's type of the command that launches an Activity, which it adds by itself."""
ACTIVITY: Final = "/activity"
"""Where the page for Discord's frame is, below the address of the others: in the frame it is the root."""


class DiscordTroubleError(Exception):
    """Discord could not be asked just now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Whom a code stands for."""

    player: Player
    locale: str
    """As Discord names their language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """An Activity that runs."""

    guild: GuildId
    """0 where it runs in no server."""
    players: frozenset[Player]
