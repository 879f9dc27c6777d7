"""Heartbeats of a database: how far it has come, and whether it was put back from a copy."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Beat:
    """How far a database has come: its id, and how many heartbeats were written to it. None is ever taken back."""

    database: str
    count: int


@dataclass(frozen=True, slots=True)
class Epoch:
    """A start on a copy that was put back. ``copied_at`` is when the copy was last written to, None if unknown."""

    name: str
    copied_at: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore:
    """A database that was put back from a copy. Times are milliseconds."""

    known_until: int
    """When the copy was made: what happened later is not known."""
    at: int
