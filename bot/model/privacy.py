"""Values kept about a person, and what prevents them from being deleted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from bot.model.ids import GuildId

REMEMBERED_DAYS = 30
"""For so long a server remembers who was deleted."""
Rows = Sequence[Mapping[str, Any]]
"""Rows of one kind, each by the names of what it holds."""


class TieKind(Enum):
    """The kinds of things that people have to finish before they can be deleted."""

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
    """The rows that belong to no server."""


class MemoryKind(Enum):
    """The kinds of things that a deletion doesn't give back."""

    TRY = "try"
    """The one try at a hand of the day; its number is the hand's."""
    REMOVAL = "removal"
    """A removal from a table."""
    DISQUALIFICATION = "disqualification"
    """A disqualification from an event before its start."""
    VACATION = "vacation"
    """The part of a year's vacation (ms) that is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One of them, kept by a keyed hash of the person and of the server."""

    kind: MemoryKind
    number: int
    """The hand of the day, the table, the event or the year."""
    used: int = 1
    until: int
    """When it is forgotten (ms)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """The facts a server keeps about somebody deleted, known only by a keyed hash. Times are milliseconds."""

    until: int
    """Until then they are no newcomer there: they get no chips for being new."""
    frozen: bool = False
    """A manager had frozen their chips, and they still are."""
    sent: int = 0
    """Chips that they had sent in the day that began at ``sent_at``."""
    sent_at: int = 0
    refill_at: int = 0
    """When they last had a refill; 0 for never."""
    bonus_at: int = 0

    def sent_since(self, at: int) -> int:
        """Chips that they had sent since a day began."""
        return self.sent if self.sent_at >= at else 0
