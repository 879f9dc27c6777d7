"""One commitment to the decks of many hands: a hash tree over their seeds, which all follow from one secret.

Version 2, to the byte (``docs/fairness.md`` is the specification with test vectors); ``frame`` is that of
``bot/pure/ofc/deck.py``, ``a`` and ``b`` are the two hashes below a node::

    seed        = HMAC-SHA256(secret, frame("chaipo/deal/v2/seed", hand_id))
    leaf        = SHA256(frame("chaipo/deal/v2/leaf", hand_id, seed))
    node(a, b)  = SHA256(frame("chaipo/deal/v2/node", a, b))
    root        = SHA256(frame("chaipo/deal/v2/root", id of the first hand, top))

The root is published before anybody's entropy. A seed that is revealed shows nothing of the others, and its path, the
hashes beside the way up, leads from its leaf to that root. Since the root names the first hand, each hand has one place
in the tree and no other: there are no second seeds to choose from.

Source: docs/fairness.md, "From the record to the deck".
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence

from bot.pure.ofc.deck import V2, frame

HANDS = 256
"""Leaves of a tree: so many hands are committed to at once. A power of two."""
PATH_HASHES = HANDS.bit_length() - 1
Tree = tuple[tuple[bytes, ...], ...]
"""The hashes of each level: first the leaves, last the top alone."""
_SEED, _LEAF, _NODE, _ROOT = (f"{V2}/{part}".encode() for part in ("seed", "leaf", "node", "root"))
_HAND_ID = re.compile(r"([^/]+/[^/]+)/([1-9][0-9]{0,9})(/[0-9a-f]+)?")


def seed_of(secret: bytes, hand_id: str) -> bytes:
    """The seed (32 bytes) of a hand that follows from a table's secret."""
    return hmac.digest(secret, frame(_SEED, hand_id.encode()), "sha256")


def leaf_of(hand_id: str, seed: bytes) -> bytes:
    """The hash (32 bytes) that stands in the tree for the seed of a hand."""
    return hashlib.sha256(frame(_LEAF, hand_id.encode(), seed)).digest()


def first_of(hand_id: str, place: int) -> str | None:
    """The id of the first hand of the tree in which a hand stands at ``place``; None for what is no hand there."""
    found = _HAND_ID.fullmatch(hand_id)
    if found is None or int(found[2]) <= place:
        return None
    return f"{found[1]}/{int(found[2]) - place}{found[3] or ''}"


def root_of(first: str, tree: Tree) -> bytes:
    """The root (32 bytes) of a tree that begins with the hand ``first``."""
    return _root(first, tree[-1][0])


def path_of(tree: Tree, place: int) -> tuple[bytes, ...]:
    """The hashes beside the way from the leaf at ``place`` (from 0) up to the root, the lowest first."""
    return tuple(level[place >> height ^ 1] for height, level in enumerate(tree[:-1]))


def climbed(hand_id: str, seed: bytes, place: int, path: Sequence[bytes]) -> bytes:
    """The root to which a path leads from the seed of a hand at ``place``; empty for what is no id of a hand there."""
    first = first_of(hand_id, place)
    if first is None:
        return b""
    here = leaf_of(hand_id, seed)
    for beside in path:
        here = _node(beside, here) if place % 2 else _node(here, beside)
        place //= 2
    return _root(first, here)


def leaves_of(secret: bytes, hand_ids: Sequence[str]) -> tuple[bytes, ...]:
    """The leaves of these hands, whose seeds follow from ``secret``."""
    return tuple(leaf_of(hand_id, seed_of(secret, hand_id)) for hand_id in hand_ids)


def tree_of(leaves: Sequence[bytes]) -> Tree:
    """The tree over these leaves; their number is a power of two."""
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
