"""Interface for reporting work, so that packages don't depend on the metrics. Seconds are floats."""

from __future__ import annotations

from enum import Enum


class InteractionOutcome(Enum):
    """The outcome of an interaction."""

    DONE = "done"
    REFUSED = "refused"
    STALE = "stale"
    """The interaction was late, repeated, or from an older version of the bot."""
    FAILED = "failed"
    """A bug, which was logged as an incident."""
    STORAGE_TROUBLE = "storage_trouble"
    LATE = "late"
    """The interaction came too late for Discord to accept a reply, so nothing was done."""
    UNDELIVERED = "undelivered"
    """The interaction was handled, but Discord didn't accept the reply."""


class Computation(Enum):
    """Method and outcome of a computation."""

    WHOLE = "whole"
    QUICK = "quick"
    """Without a worker, or as a replacement for a lost one."""
    LOST = "lost"
    """A worker died or timed out."""


class Meter:
    """Ignores all reports. Subclasses override the methods for what they count. Any thread may call any method."""

    def answered(
        self,
        kind: str,
        name: str,
        outcome: InteractionOutcome,
        *,
        age_seconds: float,
        acknowledged_seconds: float | None,
        handled_seconds: float,
    ) -> None:
        """Report the end of an interaction.

        Its age is measured on arrival, and the other times start then.
        """

    def held(self, brake: str) -> None:
        """Report that a user was rate limited."""

    def writes_waiting(self, count: int) -> None:
        """Report the number of queued writes."""

    def committed(self, *, jobs: int, seconds: float, trouble: str | None) -> None:
        """Report the end of a batch of writes: the time of its commit, and the reason if it failed."""

    def redraw_wanted(self, *, coalesced: bool) -> None:
        """Report that a table message is late; ``coalesced`` if a queued drawing will include the change."""

    def redrawn(self, *, well: bool) -> None:
        """Report the end of a drawing."""

    def clock_fired(self, kind: str) -> None:
        """Report a handled deadline."""

    def thought(self, kind: Computation, *, seconds: float) -> None:
        """Report the time of a computation, excluding its wait in the queue. A lost one has no result."""

    def stood_still(self, seconds: float, *, why: str) -> None:
        """Report how long clocks were stopped."""


SILENT = Meter()
