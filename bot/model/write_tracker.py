"""Tracks what one press has written, because a commit stays valid even if a later step fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class WriteTracker:
    """Writes of one press, including everything done on its behalf."""

    written: bool = False
    """True if a write has been committed."""
    missed: bool = False
    """True if a write has failed."""


_tracker: ContextVar[WriteTracker | None] = ContextVar("write_tracker", default=None)


@contextmanager
def tracking_writes() -> Iterator[WriteTracker]:
    """Record all writes within the context as those of one press."""
    before, tracker = _tracker.get(), WriteTracker()
    _tracker.set(tracker)
    try:
        yield tracker
    finally:
        _tracker.set(before)


def note_write(*, well: bool) -> None:
    """Record a committed write or, unless ``well``, a failed one."""
    tracker = _tracker.get()
    if tracker is not None:
        tracker.written |= well
        tracker.missed |= not well
