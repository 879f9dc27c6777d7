"""What the database counts in one look."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCounts:
    """How many tables of a server are open, those of events left out."""

    tables: int
    tables_in_channel: int
    lobbies_in_channel: int
    lobbies_of_host: int
    """In the whole server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """What Discord does not show yet."""

    undrawn: int
    """Tables whose message does not show their state."""
    unposted: int
    """Messages of tables and events that wait to be posted."""
