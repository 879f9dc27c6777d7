"""Tracks what one press has written, since a commit stays valid even if a later step fails."""

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


_deeds: ContextVar[WriteTracker | None] = ContextVar("deeds", default=None)


@contextmanager
def noting_deeds() -> Iterator[WriteTracker]:
    """Record all writes inside the context as those of one press."""
    before, deeds = _deeds.get(), WriteTracker()
    _deeds.set(deeds)
    try:
        yield deeds
    finally:
        _deeds.set(before)


def note_deed(*, well: bool) -> None:
    """Record a committed write, or a failed one unless ``well``."""
    deeds = _deeds.get()
    if deeds is not None:
        deeds.written |= well
        deeds.missed |= not well
