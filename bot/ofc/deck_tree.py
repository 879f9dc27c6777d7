"""One commitment to the decks of many hands: a hash tree over their seeds, which all follow from one secret.

Version 2, to the byte (``docs/fairness.md`` is the specification with test vectors); ``frame`` is that of
``bot/ofc/deck.py``, ``a`` and ``b`` are the two hashes below a node::

    seed        = HMAC-SHA256(secret, frame("chaipo/deal/v2/seed", hand_id))
    leaf        = SHA256(frame("chaipo/deal/v2/leaf", hand_id, seed))
    node(a, b)  = SHA256(frame("chaipo/deal/v2/node", a, b))

The root is published before anybody's entropy. A seed that is revealed shows nothing of the others, and its path, the
hashes beside the way up, leads from its leaf to that root.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

from bot.ofc.deck import V2, frame

HANDS = 256
"""Leaves of a tree: so many hands are committed to at once. A power of two."""
PATH_HASHES = HANDS.bit_length() - 1
_SEED, _LEAF, _NODE = (f"{V2}/{part}".encode() for part in ("seed", "leaf", "node"))


def seed_of(secret: bytes, hand_id: str) -> bytes:
    """The seed (32 bytes) of a hand that follows from a table's secret."""
    return hmac.digest(secret, frame(_SEED, hand_id.encode()), "sha256")


def leaf_of(hand_id: str, seed: bytes) -> bytes:
    """The hash (32 bytes) that stands in the tree for the seed of a hand."""
    return hashlib.sha256(frame(_LEAF, hand_id.encode(), seed)).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The hash (32 bytes) at the top; the number of leaves is a power of two."""
    level = list(leaves)
    while len(level) > 1:
        level = _above(level)
    return level[0]


def path_of(leaves: Sequence[bytes], place: int) -> tuple[bytes, ...]:
    """The hashes beside the way from the leaf at ``place`` (from 0) up to the root, the lowest first."""
    level, path = list(leaves), []
    while len(level) > 1:
        path.append(level[place ^ 1])
        level, place = _above(level), place // 2
    return tuple(path)


def climbed(leaf: bytes, place: int, path: Sequence[bytes]) -> bytes:
    """The root to which a path leads from the leaf at ``place``."""
    for beside in path:
        leaf = _node(beside, leaf) if place % 2 else _node(leaf, beside)
        place //= 2
    return leaf


def leaves_of(secret: bytes, hand_ids: Sequence[str]) -> list[bytes]:
    """The leaves of these hands, whose seeds follow from ``secret``."""
    return [leaf_of(hand_id, seed_of(secret, hand_id)) for hand_id in hand_ids]


def _above(level: Sequence[bytes]) -> list[bytes]:
    return [_node(*level[place : place + 2]) for place in range(0, len(level), 2)]


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(frame(_NODE, left, right)).digest()
