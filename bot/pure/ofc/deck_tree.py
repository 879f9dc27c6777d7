"""A single commitment to the decks of many hands. It's a hash tree over their seeds, which derive from one secret.

This is version 2, exact to the byte. ``docs/fairness-spec.md`` is the specification, with test vectors. ``frame`` is
defined in ``bot/pure/ofc/deck.py``, and ``a`` and ``b`` are the two hashes below a node::

    seed        = HMAC-SHA256(secret, frame("chaipo/deal/v2/seed", hand_id))
    leaf        = SHA256(frame("chaipo/deal/v2/leaf", hand_id, seed))
    node(a, b)  = SHA256(frame("chaipo/deal/v2/node", a, b))
    root        = SHA256(frame("chaipo/deal/v2/root", id of the first hand, top))

The root is published before any player's entropy. A revealed seed gives away nothing about the others. Its path (the
sibling hash at each level) leads from its leaf to the root. The root names the first hand, so each hand has exactly one
place in the tree, and there's no second seed to choose from.

Source: docs/fairness-spec.md, "From the record to the deck".
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence

from bot.pure.ofc.deck import V2, frame

HANDS = 256
"""Number of leaves in a tree, one per hand. A power of two."""
PATH_HASHES = HANDS.bit_length() - 1
Tree = tuple[tuple[bytes, ...], ...]
"""The hashes of each level, from the leaves to the single hash at the top."""
_SEED, _LEAF, _NODE, _ROOT = (f"{V2}/{part}".encode() for part in ("seed", "leaf", "node", "root"))
_HAND_ID = re.compile(r"([^/]+/[^/]+)/([1-9][0-9]{0,9})(/[0-9a-f]+)?")


def seed_of(secret: bytes, hand_id: str) -> bytes:
    """Return the seed (32 bytes) of a hand, derived from its table's secret."""
    return hmac.digest(secret, frame(_SEED, hand_id.encode()), "sha256")


def leaf_of(hand_id: str, seed: bytes) -> bytes:
    """Return the leaf (32 bytes) for the seed of a hand."""
    return hashlib.sha256(frame(_LEAF, hand_id.encode(), seed)).digest()


def first_of(hand_id: str, place: int) -> str | None:
    """Return the id of the first hand in a tree that has ``hand_id`` at ``place`` (from 0).

    None if ``hand_id`` is malformed or can't be at that place.
    """
    found = _HAND_ID.fullmatch(hand_id)
    if found is None or int(found[2]) <= place:
        return None
    return f"{found[1]}/{int(found[2]) - place}{found[3] or ''}"


def root_of(first: str, tree: Tree) -> bytes:
    """Return the root (32 bytes) of a tree whose first hand is ``first``."""
    return _root(first, tree[-1][0])


def path_of(tree: Tree, place: int) -> tuple[bytes, ...]:
    """Return the path of the leaf at ``place`` (from 0): the sibling hash at each level, the lowest first."""
    return tuple(level[place >> height ^ 1] for height, level in enumerate(tree[:-1]))


def compute_root(hand_id: str, seed: bytes, place: int, path: Sequence[bytes]) -> bytes:
    """Return the root computed from the seed of the hand at ``place`` and its ``path``.

    Empty if ``hand_id`` is malformed or can't be at that place.
    """
    first = first_of(hand_id, place)
    if first is None:
        return b""
    here = leaf_of(hand_id, seed)
    for beside in path:
        here = _node(beside, here) if place % 2 else _node(here, beside)
        place //= 2
    return _root(first, here)


def leaves_of(secret: bytes, hand_ids: Sequence[str]) -> tuple[bytes, ...]:
    """Return the leaves of ``hand_ids``, with the seeds derived from ``secret``."""
    return tuple(leaf_of(hand_id, seed_of(secret, hand_id)) for hand_id in hand_ids)


def build_tree(leaves: Sequence[bytes]) -> Tree:
    """Return the tree over ``leaves``; their number is a power of two."""
    levels = [tuple(leaves)]
    while len(levels[-1]) > 1:
        levels.append(_above(levels[-1]))
    return tuple(levels)


def _above(level: Sequence[bytes]) -> tuple[bytes, ...]:
    return tuple(_node(*level[place : place + 2]) for place in range(0, len(level), 2))


def _root(first: str, top: bytes) -> bytes:
    return hashlib.sha256(frame(_ROOT, first.encode(), top)).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(frame(_NODE, left, right)).digest()
