"""What is kept about somebody, and what keeps them from being deleted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from bot.play.model import GuildId

Rows = Sequence[Mapping[str, Any]]
"""Rows of one kind, each by the names of what it holds."""


class TieKind(Enum):
    """What somebody has to finish before they can be deleted."""

    TABLE = "table"
    """A seat at an open table that is no event's, or the table itself."""
    EVENT = "event"
    """A place in an event that is not over, or the event itself."""
    DAILY = "daily"
    """A hand of a day that they have begun and that can still be played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """One of them."""

    kind: TieKind
    guild: GuildId | None
    """None for a hand of a day."""
    number: int
    """Of the table, the event or the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Everything that is kept about somebody, by the kind of row."""

    servers: Mapping[GuildId, Mapping[str, Rows]]
    everywhere: Mapping[str, Rows]
    """What belongs to no server."""
