"""Errors that aren't a player's mistake: a lost hand, a failing store, or a failed computation."""

from __future__ import annotations

from typing import ClassVar


class ComputationFailedError(Exception):
    """A computation failed. A retry may succeed."""


class HandLostError(Exception):
    """A hand can't be reconstructed. It's voided, because guessing isn't an option."""

    reason: ClassVar[str]
    """Reason, as a key of ``data/text`` under ``closed``."""


class SeedLostError(HandLostError):
    """A sealed seed can't be opened."""

    reason = "seed_lost"


class BadLogError(HandLostError):
    """A log isn't a valid hand, because it's damaged or written by another program."""

    reason = "bad_log"


class StorageUnavailableError(Exception):
    """The store can't be written to now (locked, full or failing). Nothing has changed and nothing is lost."""


class StorageDoubtError(StorageUnavailableError):
    """The connection to the store was lost during a write. It's unknown whether the write was committed."""
