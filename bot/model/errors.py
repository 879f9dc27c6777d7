"""Errors for which no player is to blame: a lost hand, trouble in the store, a computer's thought that didn't come."""

from __future__ import annotations

from typing import ClassVar


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
