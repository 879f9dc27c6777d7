"""The provably fair deal: commitment, shuffle, and the record that proves it.

Version 1, to the byte (``docs/fairness.md`` is the specification with test vectors)::

    frame(p1 .. pn) = n || len(p1) || p1 || ...            32-bit big-endian numbers
    commitment      = SHA256(frame("chaipo/deal/v1/commit", hand_id, seed))
    message         = frame("chaipo/deal/v1", hand_id, player_1, entropy_1, player_2, entropy_2 ...)
    stream          = HMAC-SHA256(seed, message || 0) || HMAC-SHA256(seed, message || 1) || ...
    for i = n-1 .. 1: next byte b < 256 - 256 mod (i+1); j = b mod (i+1); swap deck[i], deck[j]

The seed is 32 secret bytes, fixed and committed to before the players' entropy; nothing here draws chance.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.ofc.cards import Card, full_deck
from bot.ofc.variants import Variant

ALGORITHM = "chaipo/deal/v1"
SEED_BYTES = 32


@dataclass(frozen=True, slots=True)
class Entropy:
    """What a player put into the shuffle: his id and his text, as they are hashed."""

    player: str
    text: str


def frame(*parts: bytes) -> bytes:
    """The parts joined so that no two lists of parts give the same bytes."""
    return b"".join([len(parts).to_bytes(4, "big"), *(len(p).to_bytes(4, "big") + p for p in parts)])


def commitment(*, hand_id: str, seed: bytes) -> bytes:
    """32 bytes that fix ``seed`` for the hand without showing it."""
    return hashlib.sha256(frame(f"{ALGORITHM}/commit".encode(), hand_id.encode(), seed)).digest()


def _stream(seed: bytes, message: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(seed, message + block.to_bytes(4, "big"), "sha256")
        block += 1


def shuffled(cards: Sequence[Card], *, hand_id: str, seed: bytes, entropy: Sequence[Entropy]) -> tuple[Card, ...]:
    """``cards`` (at most 256) shuffled by seed and entropy, players in the order of their seats."""
    parts = [field.encode() for player in entropy for field in (player.player, player.text)]
    stream = _stream(seed, frame(ALGORITHM.encode(), hand_id.encode(), *parts))
    deck = list(cards)
    for top in range(len(deck) - 1, 0, -1):
        limit = 256 - 256 % (top + 1)
        pick = next(byte for byte in stream if byte < limit) % (top + 1)
        deck[top], deck[pick] = deck[pick], deck[top]
    return tuple(deck)


def deal_deck(variant: Variant, *, hand_id: str, seed: bytes, entropy: Sequence[Entropy]) -> tuple[Card, ...]:
    """The shuffled deck of a hand; the first card is dealt first."""
    cards = full_deck(decks=variant.decks, jokers=variant.jokers)
    return shuffled(cards, hand_id=hand_id, seed=seed, entropy=entropy)


def seed_matches(*, hand_id: str, seed: bytes, committed: bytes) -> bool:
    """True when ``seed`` is the one that was committed to for the hand."""
    return hmac.compare_digest(commitment(hand_id=hand_id, seed=seed), committed)
