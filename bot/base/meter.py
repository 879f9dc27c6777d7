"""What the rooms tell of their work, so that none of them knows who counts it. Seconds are floats."""

from __future__ import annotations

from enum import Enum


class Outcome(Enum):
    """How a press or a command ended."""

    DONE = "done"
    REFUSED = "refused"
    STALE = "stale"
    """It came too late, twice, or from an older version of the bot."""
    FAILED = "failed"
    """A fault of the bot: an incident."""
    STORAGE_TROUBLE = "storage_trouble"
    LATE = "late"
    """It came too late for Discord to take an answer: nothing was done."""
    UNDELIVERED = "undelivered"
    """It had its effect, but Discord did not take the answer."""


class Thought(Enum):
    """How something was thought out."""

    WHOLE = "whole"
    QUICK = "quick"
    """Without a worker, or in the place of one that was lost."""
    LOST = "lost"
    """A worker died over it, or thought for too long."""


class Meter:
    """Listens to nobody. A listener overrides what it counts; all of it may be called from any thread."""

    def answered(
        self,
        kind: str,
        name: str,
        outcome: Outcome,
        *,
        age_seconds: float,
        acknowledged_seconds: float | None,
        handled_seconds: float,
    ) -> None:
        """A press or command is over: how old it was when it came, and when it was acknowledged and done after that."""

    def held(self, brake: str) -> None:
        """A limit was met, and somebody was told so."""

    def writes_waiting(self, count: int) -> None:
        """So many writes wait for the writer now."""

    def committed(self, *, jobs: int, seconds: float, trouble: str | None) -> None:
        """A group of writes is over: how long the commit took, and what kept the storage from writing, if anything."""

    def redraw_wanted(self, *, coalesced: bool) -> None:
        """A table's message is behind; ``coalesced`` when a drawing that waits already will show that too."""

    def redrawn(self, *, well: bool) -> None:
        """A drawing is over."""

    def clock_fired(self, kind: str) -> None:
        """A deadline is acted on."""

    def thought(self, kind: Thought, *, seconds: float) -> None:
        """Something was thought out in this time, its wait for a turn left out; nothing came of one that was lost."""

    def stood_still(self, seconds: float, *, why: str) -> None:
        """The clocks were given back a time that did not count."""


SILENT = Meter()
