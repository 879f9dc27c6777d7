"""What Discord tells of whoever opens the table's page inside of it, in an Activity."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.ids import GuildId, Player


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
