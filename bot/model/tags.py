"""Tags: what a button says of the table or event that it was drawn for, so that it means no other of its number."""

from __future__ import annotations

import hashlib
from functools import lru_cache

UNTAGGED = "-"
"""The tag of a button that has none: those of older versions, none of which was drawn after a restore."""


def is_meant(tag: str, *, own: str, epoch: str) -> bool:
    """True when what a button says of its table or event fits; an empty ``tag`` is no button's."""
    return not tag or tag == own or (tag == UNTAGGED and not epoch)


@lru_cache(8192)
def tag_of(name: str, created_at: int, epoch: str) -> str:
    """Six hexadecimal digits that tell what was opened then from anything else that is called so."""
    return hashlib.sha256(f"{name}/{created_at}/{epoch}".encode()).hexdigest()[:6]
