"""What one press has written: what is on the disk stays done, whatever fails after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class Deeds:
    """Of one press, with all that is done for it."""

    written: bool = False
    """True once something that it asked for is on the disk."""
    missed: bool = False
    """True once something could not be written."""


_deeds: ContextVar[Deeds | None] = ContextVar("deeds", default=None)


@contextmanager
def noting_deeds() -> Iterator[Deeds]:
    """While it lasts what is written is noted as done by one press."""
    before, deeds = _deeds.get(), Deeds()
    _deeds.set(deeds)
    try:
        yield deeds
    finally:
        _deeds.set(before)


def note_deed(*, well: bool) -> None:
    """Something was written, or could not be."""
    deeds = _deeds.get()
    if deeds is not None:
        deeds.written |= well
        deeds.missed |= not well
