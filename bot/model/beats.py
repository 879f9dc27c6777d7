"""Heartbeats of a database, which show how far it has got and whether it was restored from a copy."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A database's id and its number of heartbeats, which never decreases."""

    database: str
    count: int


@dataclass(frozen=True, slots=True)
class Epoch:
    """The first start on a restored copy. ``copied_at`` is the copy's last write (ms); None if unknown."""

    name: str
    copied_at: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore:
    """A restore from a copy. Times are in milliseconds."""

    known_until: int
    """When the copy was made. Everything later is lost."""
    at: int
