"""The provably fair deal: the inputs of a deck and the shuffle.

The layout is exact to the byte (``docs/fairness-spec.md`` is the specification, with test vectors)::

    frame(p1 .. pn) = n || len(p1) || p1 || ...            32-bit big-endian numbers
    message, v1     = frame("chaipo/deal/v1", hand_id, player_1, entropy_1, player_2, entropy_2 ...)
    message, v2     = frame("chaipo/deal/v2", hand_id, game, dealt, player_1, entropy_1, player_2, entropy_2 ...)
    stream          = HMAC-SHA256(seed, message || 0) || HMAC-SHA256(seed, message || 1) || ...
    for i = n-1 .. 1: next byte b < 256 - 256 mod (i+1); j = b mod (i+1); swap deck[i], deck[j]

The seed is 32 secret bytes. It's fixed and committed to before the players add entropy. Nothing else is left to chance.
Version 1 commits to each hand separately, version 2 to many hands together (``bot/pure/ofc/deck_tree.py``). In version
2, the deck also depends on the game, the button and the number of cards that each seat is dealt in Fantasyland.

Source: docs/fairness-spec.md, "From the record to the deck", "Version 1".
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from struct import Struct

from bot.pure.ofc.cards import Card, full_deck
from bot.pure.ofc.variants import Variant

V1, V2 = "chaipo/deal/v1", "chaipo/deal/v2"
SEED_BYTES = 32
_number = Struct(">I").pack
"""Packs a number as 32 bits, big-endian."""


@dataclass(frozen=True, slots=True)
class Entropy:
    """A player's id and the text that they added to the shuffle, as hashed."""

    player: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealInputs:
    """The button and the seats' Fantasyland cards. In version 2 the deck depends on them too."""

    button: int
    """The seat with the button, from 0; 0 if no player is dealt in."""
    fantasyland: tuple[int, ...]
    """Number of cards dealt to each seat in Fantasyland; 0 for a seat outside it."""

    def __str__(self) -> str:  # type: ignore[explicit-override]  # typing has no override before 3.12
        return f"{self.button}:{','.join(map(str, self.fantasyland))}"


def frame(*parts: bytes) -> bytes:
    """Join ``parts`` so that no two different lists give the same bytes."""
    framed = [_number(len(parts))]
    for part in parts:
        framed += (_number(len(part)), part)
    return b"".join(framed)


def commitment(*, hand_id: str, seed: bytes) -> bytes:
    """Return the commitment (32 bytes) to a hand's ``seed``, which doesn't reveal it (version 1)."""
    return hashlib.sha256(frame(f"{V1}/commit".encode(), hand_id.encode(), seed)).digest()


def _stream(seed: bytes, message: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(seed, message + block.to_bytes(4, "big"), "sha256")
        block += 1


def shuffled(cards: Sequence[Card], *, seed: bytes, message: bytes) -> tuple[Card, ...]:
    """Return ``cards`` (at most 256) in the order determined by the seed and the message.

    Source: docs/fairness-spec.md, "From the record to the deck".

    >>> from bot.pure.ofc.cards import cards_text, full_deck
    >>> cards_text(shuffled(full_deck(), seed=bytes(32), message=b"hand 1")[:5])
    'Qc4h5sTcJh'
    """
    stream = _stream(seed, message)
    deck = list(cards)
    for top in range(len(deck) - 1, 0, -1):
        limit = 256 - 256 % (top + 1)
        pick = next(byte for byte in stream if byte < limit) % (top + 1)
        deck[top], deck[pick] = deck[pick], deck[top]
    return tuple(deck)


def hidden(text: bytes, *, seed: bytes, what: bytes = b"deck") -> bytes:
    """Encrypt or decrypt ``text`` with the seed. Each text encrypted with a seed needs a different ``what``."""
    stream = _stream(seed, frame(b"chaipo/kept-" + what))
    return bytes(byte ^ other for byte, other in zip(text, stream, strict=False))


def game_text(key: str, house: Mapping[str, str], *, edition: int = 1) -> str:
    """Return a game as hashed: its key, the house rules sorted by key, and the edition, one per line.

    Rules are written as ``key=value``. The first edition is left out.
    """
    rules = [f"{rule}={house[rule]}" for rule in sorted(house)]
    return "\n".join([key, *rules, *([f"edition={edition}"] if edition > 1 else [])])


def message_of(*, hand_id: str, entropy: Sequence[Entropy], game: str = "", dealt: DealInputs | None = None) -> bytes:
    """Return all public input of a shuffle, with players in seat order. Without ``dealt``, it's version 1."""
    known = (V1, hand_id) if dealt is None else (V2, hand_id, game, str(dealt))
    added = [field for player in entropy for field in (player.player, player.text)]
    return frame(*(part.encode() for part in (*known, *added)))


def deal_deck(
    variant: Variant, *, hand_id: str, seed: bytes, entropy: Sequence[Entropy], dealt: DealInputs | None = None
) -> tuple[Card, ...]:
    """Return the shuffled deck of a hand, in the order dealt. Without ``dealt``, it's version 1.

    ``entropy`` is in seat order, and ``seed`` has 32 bytes.
    """
    cards = full_deck(decks=variant.decks, jokers=variant.jokers)
    game = game_text(variant.key, variant.house, edition=variant.edition)
    return shuffled(cards, seed=seed, message=message_of(hand_id=hand_id, entropy=entropy, game=game, dealt=dealt))
