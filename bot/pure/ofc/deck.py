"""The provably fair deal: what a deck follows from, and how it is shuffled.

To the byte (``docs/fairness.md`` is the specification with test vectors)::

    frame(p1 .. pn) = n || len(p1) || p1 || ...            32-bit big-endian numbers
    message, v1     = frame("chaipo/deal/v1", hand_id, player_1, entropy_1, player_2, entropy_2 ...)
    message, v2     = frame("chaipo/deal/v2", hand_id, game, dealt, player_1, entropy_1, player_2, entropy_2 ...)
    stream          = HMAC-SHA256(seed, message || 0) || HMAC-SHA256(seed, message || 1) || ...
    for i = n-1 .. 1: next byte b < 256 - 256 mod (i+1); j = b mod (i+1); swap deck[i], deck[j]

The seed is 32 secret bytes, fixed and committed to before the players' entropy; nothing here draws chance. Version 1
commits to each hand by itself, version 2 to many at once (``bot/pure/ofc/deck_tree.py``), and its deck follows from the
game and from the cards that each seat is dealt in Fantasyland as well.

Source: docs/fairness.md, "From the record to the deck", "Version 1".
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
"""A number as 32 bits, big-endian."""


@dataclass(frozen=True, slots=True)
class Entropy:
    """The text that a player added to the shuffle, and their id, as they are hashed."""

    player: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """The cards that each seat is dealt: in version 2 the deck follows from it too."""

    button: int
    """The seat with the button, from 0; 0 where nobody is dealt in."""
    fantasyland: tuple[int, ...]
    """Cards dealt to each seat in Fantasyland, 0 outside."""

    def __str__(self) -> str:  # type: ignore[explicit-override]  # typing has no override before 3.12
        return f"{self.button}:{','.join(map(str, self.fantasyland))}"


def frame(*parts: bytes) -> bytes:
    """The parts joined so that no two lists of parts give the same bytes."""
    framed = [_number(len(parts))]
    for part in parts:
        framed += (_number(len(part)), part)
    return b"".join(framed)


def commitment(*, hand_id: str, seed: bytes) -> bytes:
    """32 bytes that fix ``seed`` for one hand without showing it (version 1)."""
    return hashlib.sha256(frame(f"{V1}/commit".encode(), hand_id.encode(), seed)).digest()


def _stream(seed: bytes, message: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(seed, message + block.to_bytes(4, "big"), "sha256")
        block += 1


def shuffled(cards: Sequence[Card], *, seed: bytes, message: bytes) -> tuple[Card, ...]:
    """``cards`` (at most 256) in the order that the seed and the message give.

    Source: docs/fairness.md, "From the record to the deck".

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
    """A text as only the seed shows it; the same again gives the text. Each text of a seed has another ``what``."""
    stream = _stream(seed, frame(b"chaipo/kept-" + what))
    return bytes(byte ^ other for byte, other in zip(text, stream, strict=False))


def game_text(key: str, house: Mapping[str, str], *, edition: int = 1) -> str:
    """A game as it is hashed: its key, the house rules by key, one ``key=value`` a line, and the edition.

    The first edition is not told.
    """
    rules = [f"{rule}={house[rule]}" for rule in sorted(house)]
    return "\n".join([key, *rules, *([f"edition={edition}"] if edition > 1 else [])])


def message_of(*, hand_id: str, entropy: Sequence[Entropy], game: str = "", dealt: Dealt | None = None) -> bytes:
    """Everything public that goes into a shuffle, players in the order of their seats; without ``dealt`` version 1."""
    known = (V1, hand_id) if dealt is None else (V2, hand_id, game, str(dealt))
    added = [field for player in entropy for field in (player.player, player.text)]
    return frame(*(part.encode() for part in (*known, *added)))


def deal_deck(
    variant: Variant, *, hand_id: str, seed: bytes, entropy: Sequence[Entropy], dealt: Dealt | None = None
) -> tuple[Card, ...]:
    """The shuffled deck of a hand, the first card dealt first; without ``dealt`` by version 1.

    ``entropy`` is in the order of seats, ``seed`` 32 bytes.
    """
    cards = full_deck(decks=variant.decks, jokers=variant.jokers)
    game = game_text(variant.key, variant.house, edition=variant.edition)
    return shuffled(cards, seed=seed, message=message_of(hand_id=hand_id, entropy=entropy, game=game, dealt=dealt))
