"""What seals the seeds of decks for storage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Vault(Protocol):
    """Seals seeds for storage. ``unseal`` raises SeedLostError when the key is gone or the bytes are damaged."""

    def new_seed(self) -> bytes: ...
    def seal(self, seed: bytes, *, hand_id: str) -> bytes: ...
    def marks(self, text: str) -> Sequence[bytes]:
        """Keyed hashes of a text, one by each key, that of the current one first."""
        ...

    def unseal(self, sealed: bytes, *, hand_id: str) -> bytes: ...
