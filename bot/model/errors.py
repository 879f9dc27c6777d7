"""Errors for which nobody is to blame: a hand that is lost, a store in trouble, a thought that did not come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, TypeVar

State = TypeVar("State", bound=Enum)


class NoThoughtError(Exception):
    """Nobody could think it out: it may go well another time."""


class HandLostError(Exception):
    """A hand that cannot be told any more: it cannot go on and is voided, and never guessed."""

    reason: ClassVar[str]
    """Why, as a key of ``data/text`` under ``closed``."""


class SeedLostError(HandLostError):
    """A sealed seed that cannot be opened."""

    reason = "seed_lost"


class BadLogError(HandLostError):
    """A log that makes no hand: it was damaged, or written by something else."""

    reason = "bad_log"


class StorageTroubleError(Exception):
    """The storage cannot write now (locked, full, failing). Nothing was changed and nothing is lost."""


class StorageDoubtError(StorageTroubleError):
    """The storage was lost while it wrote: what was asked for is there whole, or not at all, and nobody knows which."""


class ForbiddenMoveError(Exception):
    """A defect: a table, an event or an entrant would go where nothing goes from the state it is in."""


def check_move(moves: Mapping[State, frozenset[State]], before: State, after: State) -> None:
    """Raise ForbiddenMoveError where no move leads from ``before`` to ``after``; staying is no move."""
    if after is not before and after not in moves[before]:
        raise ForbiddenMoveError(f"{type(before).__name__} does not go from {before.value} to {after.value}")


# What one press has written: what is safe on the disk stays done, whatever fails after it.


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
