"""What a task carries along without being handed it: context variables that hold for a while; what a press has written.

What is safe on the disk stays done, whatever fails after it: so each press notes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def held(variable: ContextVar[T], value: T) -> Iterator[T]:
    """Inside, the variable has this value; afterwards what it had before. The variable needs a default."""
    before = variable.get()
    variable.set(value)
    try:
        yield value
    finally:
        # A token could not be given back by whoever clears away a task that never ended: that is another context.
        variable.set(before)


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
    deeds = Deeds()
    with held(_deeds, deeds):
        yield deeds


def note_deed(*, well: bool) -> None:
    """Something was written, or could not be."""
    deeds = _deeds.get()
    if deeds is not None:
        deeds.written |= well
        deeds.missed |= not well
