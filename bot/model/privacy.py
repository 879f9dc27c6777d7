"""Stored data about a person, and anything that blocks its deletion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from bot.model.ids import GuildId

REMEMBERED_DAYS = 30
"""Number of days that a server remembers a deleted person by a keyed hash."""
Rows = Sequence[Mapping[str, Any]]
"""Rows of one kind, each a mapping from column to value."""


class BlockerKind(Enum):
    """Kinds of unfinished business that block a deletion."""

    TABLE = "table"
    """A seat at an open cash table, or being its host."""
    EVENT = "event"
    """A place in an unfinished event, or being its organiser."""
    DAILY = "daily"
    """A daily hand that was started and can still be finished."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletionBlocker:
    """Unfinished business that blocks a deletion."""

    kind: BlockerKind
    guild: GuildId | None
    """The server; None for a daily hand."""
    number: int
    """Number of the table, event or hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredData:
    """All stored data about a person, by kind of row."""

    servers: Mapping[GuildId, Mapping[str, Rows]]
    everywhere: Mapping[str, Rows]
    """Rows that don't belong to a server."""


class UsedRightKind(Enum):
    """Kinds of used-up rights that a deletion doesn't restore."""

    TRY = "try"
    """The single attempt at a daily hand, whose number is the hand's."""
    REMOVAL = "removal"
    """A removal from a table."""
    DISQUALIFICATION = "disqualification"
    """A disqualification from an event before its start."""
    VACATION = "vacation"
    """The part of a year's vacation that has been used (ms)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedRight:
    """A used-up right, stored under a keyed hash of the person and the server."""

    kind: UsedRightKind
    number: int
    """Number of the daily hand, table or event, or the year."""
    used: int = 1
    until: int
    """When the record expires (ms)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetainedRecord:
    """A server's memory of a deleted person, stored under a keyed hash. Times are in milliseconds."""

    until: int
    """When the record expires. Until then, they get no starting chips if they come back."""
    frozen: bool = False
    """True if a manager had frozen their chips. They stay frozen."""
    sent: int = 0
    """Chips sent during the day that started at ``sent_at``."""
    sent_at: int = 0
    refill_at: int = 0
    """When they last took a refill; 0 if never."""
    bonus_at: int = 0

    def sent_since(self, at: int) -> int:
        """Return the chips sent during the day that started at ``at``."""
        return self.sent if self.sent_at >= at else 0
