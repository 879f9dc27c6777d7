"""Verifiable draw: a random order of names that no one can choose, and the record that proves it.

Version 1, in exact terms (``frame`` is the function in ``bot/pure/ofc/deck.py``)::

    commitment = SHA256(frame("chaipo/draw/v1/commit", event, seed))
    message    = frame("chaipo/draw/v1", event, label, player_1, entropy_1, player_2, entropy_2 ...)
    stream     = HMAC-SHA256(seed, message || 0) || HMAC-SHA256(seed, message || 1) || ...    32-bit big-endian numbers
    names      = sorted by their number of characters, then by code points
    for i = n-1 .. 1: next four bytes as a number w < 2^32 - 2^32 mod (i+1); j = w mod (i+1); swap names[i], names[j]

``event`` identifies the event, and ``label`` the draw within it. The seed is 32 secret bytes, which are committed to
before players add their entropy. All draws of an event use the same seed.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import NoneType
from typing import Any

from bot.pure.event.seeding import SeededBy, seed_order
from bot.pure.ofc.deck import SEED_BYTES, V2, Entropy, frame
from bot.pure.ofc.deck_tree import first_of, seed_of
from bot.pure.ofc.proof import Proof

ALGORITHM = "chaipo/draw/v1"
HASH_BYTES = 32
START = "start"
"""Label of the first draw, which includes the entropy of all registrations. Later draws add none."""
_WORDS = 1 << 32
_HEX = frozenset("0123456789abcdef")
_LABEL = re.compile(r"start|round [1-9][0-9]{0,3}|moment [0-9]{1,6}")


def commitment(*, event: str, seed: bytes) -> bytes:
    """Return the commitment to ``seed`` for the event (32 bytes), which doesn't reveal the seed."""
    return hashlib.sha256(frame(f"{ALGORITHM}/commit".encode(), event.encode(), seed)).digest()


def _words(seed: bytes, message: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.digest(seed, message + block.to_bytes(4, "big"), "sha256")
        yield from (int.from_bytes(digest[place : place + 4], "big") for place in range(0, len(digest), 4))
        block += 1


def draw(names: Sequence[str], *, event: str, label: str, seed: bytes, entropy: Sequence[Entropy]) -> tuple[str, ...]:
    """Return the names in drawn order. The order of ``entropy`` matters, but the order of ``names`` doesn't."""
    parts = [field.encode() for player in entropy for field in (player.player, player.text)]
    words = _words(seed, frame(ALGORITHM.encode(), event.encode(), label.encode(), *parts))
    order = sorted(names, key=lambda name: (len(name), name))
    for top in range(len(order) - 1, 0, -1):
        limit = _WORDS - _WORDS % (top + 1)
        pick = next(word for word in words if word < limit) % (top + 1)
        order[top], order[pick] = order[pick], order[top]
    return tuple(order)


class DrawProblem(Enum):
    """Problems that a record can have."""

    BAD_FORMAT = "bad_format"
    UNKNOWN_ALGORITHM = "unknown_algorithm"
    COMMITMENT = "commitment_does_not_match"
    ORDER = "order_differs"
    NAMES = "names_do_not_fit"


class DrawProofError(ValueError):
    """A record can't be checked. ``problem`` is the kind of error, and the message gives the reason."""

    def __init__(self, problem: DrawProblem, text: str) -> None:
        super().__init__(text)
        self.problem = problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Decks:
    """The seed behind the decks of all of an event's tables, and the commitment published before the deal."""

    event: str
    """The event's name in the commitment to its decks. After a restore with new decks, it contains an epoch."""
    commitment: bytes
    seed: bytes

    def to_json(self) -> dict[str, str]:
        """Return the decks' part of the record as JSON-compatible data."""
        return {"event": self.event, "commitment": self.commitment.hex(), "seed": self.seed.hex()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeds:
    """The seeds after a draw, and the figures that decided them."""

    by: SeededBy
    seeds: tuple[tuple[str, int | None], ...]
    """Each player with their figure, first seed first; None if only the draw decides their place."""

    @property
    def order(self) -> tuple[str, ...]:
        """The players, first seed first."""
        return tuple(player for player, _ in self.seeds)

    @property
    def figures(self) -> dict[str, int]:
        """The figures of the players who have one."""
        return {player: figure for player, figure in self.seeds if figure is not None}

    def to_json(self) -> dict[str, Any]:
        """Return the seeds' part of the record as JSON-compatible data."""
        return {"by": self.by.value, "seeds": [list(seed) for seed in self.seeds]}


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawProof:
    """A draw with everything needed to recompute it."""

    event: str
    label: str
    commitment: bytes
    seed: bytes
    entropy: tuple[Entropy, ...]
    """The players' entropy, in the order in which it was hashed."""
    order: tuple[str, ...]
    """The names in drawn order."""
    decks: Decks | None = None
    """The decks; None until the event has ended."""
    former_decks: tuple[Decks, ...] = ()
    """Decks that were replaced after a restore, oldest first."""
    seeds: Seeds | None = None
    """The seeds; None if only the draw decided."""

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON-compatible data."""
        fixed: dict[str, Any] = {"decks": self.decks.to_json()} if self.decks else {}
        if self.former_decks:
            fixed["former_decks"] = [decks.to_json() for decks in self.former_decks]
        if self.seeds:
            fixed["seeding"] = self.seeds.to_json()
        return {
            "algorithm": ALGORITHM,
            "event": self.event,
            "label": self.label,
            "commitment": self.commitment.hex(),
            "seed": self.seed.hex(),
            "entropy": [[player.player, player.text] for player in self.entropy],
            "order": list(self.order),
            **fixed,
        }

    @classmethod
    def from_json(cls, record: object) -> DrawProof:
        """Parse a record (decoded JSON), ignoring unknown keys. Raises DrawProofError."""
        if not isinstance(record, Mapping):
            raise _bad("the record must be a JSON object")
        if _text(record.get("algorithm"), "algorithm") != ALGORITHM:
            text = f"the algorithm is not {ALGORITHM}, the only one supported"
            raise DrawProofError(DrawProblem.UNKNOWN_ALGORITHM, text)
        event = _text(record.get("event"), "event")
        return cls(
            decks=_decks(record["decks"]) if "decks" in record else None,
            seeds=_seeds(record["seeding"]) if "seeding" in record else None,
            former_decks=tuple(_decks(decks) for decks in _items(record.get("former_decks", []), "former_decks")),
            event=event,
            label=_text(record.get("label"), "label"),
            commitment=_bytes(record.get("commitment"), "commitment", size=HASH_BYTES),
            seed=_bytes(record.get("seed"), "seed", size=SEED_BYTES),
            entropy=tuple(_entropy(pair) for pair in _items(record.get("entropy"), "entropy")),
            order=tuple(_text(name, "a name") for name in _items(record.get("order"), "order")),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawVerdict:
    """Result of a check."""

    problem: DrawProblem | None
    text: str
    """The finding in words."""
    order: tuple[str, ...] = ()
    """The recomputed order; empty if the record can't be checked."""

    @property
    def ok(self) -> bool:
        """True if the record is correct."""
        return self.problem is None


def prove(
    names: Sequence[str],
    *,
    event: str,
    label: str,
    seed: bytes,
    entropy: Sequence[Entropy],
    decks: Decks | None = None,
    former_decks: Sequence[Decks] = (),
    seeds: Seeds | None = None,
) -> DrawProof:
    """Return the record of a draw. It reveals the seed."""
    return DrawProof(
        decks=decks,
        former_decks=tuple(former_decks),
        seeds=seeds,
        event=event,
        label=label,
        commitment=commitment(event=event, seed=seed),
        seed=seed,
        entropy=tuple(entropy),
        order=draw(names, event=event, label=label, seed=seed, entropy=entropy),
    )


def verify(proof: DrawProof) -> DrawVerdict:
    """Check a proof and return the verdict with its reason."""
    order = draw(proof.order, event=proof.event, label=proof.label, seed=proof.seed, entropy=proof.entropy)
    decks = [*proof.former_decks, *([proof.decks] if proof.decks else [])]
    problem, text = None, "the seed is the one that was committed to, and it gives exactly this order"
    if not hmac.compare_digest(commitment(event=proof.event, seed=proof.seed), proof.commitment):
        problem, text = DrawProblem.COMMITMENT, "the seed is not the one that was committed to before the draw"
    elif not all(hmac.compare_digest(_of_decks(each), each.commitment) for each in decks):
        problem, text = DrawProblem.COMMITMENT, "the seed of the decks is not the one that was committed to"
    elif not _LABEL.fullmatch(proof.label) or (proof.label != START and proof.entropy):
        problem, text = DrawProblem.NAMES, "it is not an event's draw, or adds what only the first draw may add"
    elif not proof.order:
        problem, text = DrawProblem.NAMES, "no one was drawn"
    elif proof.label == START and sorted(proof.order) != sorted(player.player for player in proof.entropy):
        problem, text = DrawProblem.NAMES, "the drawn players are not those whose registrations went into the draw"
    elif len(set(proof.order)) != len(proof.order):
        problem, text = DrawProblem.NAMES, "someone was drawn twice"
    elif proof.order != order:
        problem, text = DrawProblem.ORDER, "the order is not the one that the seed and the players' entropy give"
    elif proof.seeds is not None and proof.seeds.order != seed_order(order, proof.seeds.figures, proof.seeds.by):
        problem, text = DrawProblem.ORDER, "the seeds are not in the order that their figures and the draw give"
    return DrawVerdict(problem=problem, text=text, order=order)


def _of_decks(decks: Decks) -> bytes:
    return commitment(event=f"{decks.event}/boards", seed=decks.seed)


def check_draw(record: object) -> DrawVerdict:
    """Check a record (decoded JSON). Never raises; a record that can't be parsed gets a verdict too."""
    try:
        proof = DrawProof.from_json(record)
    except DrawProofError as error:
        return DrawVerdict(problem=error.problem, text=str(error))
    return verify(proof)


def _bad(text: str) -> DrawProofError:
    return DrawProofError(DrawProblem.BAD_FORMAT, text)


# The value is never quoted, because it may come from anyone.
def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise _bad(f"{name} must be text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _bad(f"{name} is not Unicode text") from None
    return value


def _bytes(value: object, name: str, *, size: int) -> bytes:
    text = _text(value, name)
    if len(text) != 2 * size or set(text) - _HEX:
        raise _bad(f"{name} must be {2 * size} lower-case hexadecimal digits")
    return bytes.fromhex(text)


def _decks(value: object) -> Decks:
    if not isinstance(value, Mapping):
        raise _bad("decks must be a JSON object")
    return Decks(
        event=_text(value.get("event"), "the decks' event"),
        commitment=_bytes(value.get("commitment"), "the decks' commitment", size=HASH_BYTES),
        seed=_bytes(value.get("seed"), "the decks' seed", size=SEED_BYTES),
    )


def _seeds(value: object) -> Seeds:
    if not isinstance(value, Mapping):
        raise _bad("seeding must be a JSON object")
    by = _text(value.get("by"), "the source of the seeds")
    if by not in {each.value for each in SeededBy}:
        raise _bad("the source of the seeds is unknown")
    return Seeds(by=SeededBy(by), seeds=tuple(map(_seed, _items(value.get("seeds"), "seeds"))))


def _seed(value: object) -> tuple[str, int | None]:
    pair = _items(value, "a seed")
    if len(pair) != 2 or type(pair[1]) not in (int, NoneType):
        raise _bad("a seed must be a player's id and their figure, which is a whole number or null")
    return _text(pair[0], "a player's id"), pair[1]  # type: ignore[return-value]


def _items(value: object, name: str) -> Sequence[object]:
    if not isinstance(value, list | tuple):
        raise _bad(f"{name} must be a list")
    return value


def _entropy(value: object) -> Entropy:
    pair = _items(value, "a player's entropy")
    if len(pair) != 2:
        raise _bad("a player's entropy must be their id and their text")
    return Entropy(player=_text(pair[0], "a player's id"), text=_text(pair[1], "a player's text"))


# The master seed of an event determines the decks of all its tables. It's revealed when the event is over.
#
# In exact terms (``docs/fairness-spec.md``), where ``first`` is the name of the first hand in a table's tree::
#
#     secret of a tree = HMAC-SHA256(master, frame("chaipo/deal/v2/tree", first))
#     seed of deck k   = HMAC-SHA256(master, "board k")            of a duplicate event
#     its entropy      = SHA256(frame(player 1, text 1, player 2, text 2 ...)), in the order of the draw
#
# ``find_mismatch`` uses the event's record to check that a hand's deck came from the master seed.

PLAYER = "event"
"""Player id under which all players' entropy is added to the decks of a duplicate event."""
_HAND = re.compile(r"([^/]+)/[0-9]+/[0-9]+(?:/([0-9a-f]+))?")
_EVENT = re.compile(r"([^/]+)/event/[0-9]+(?:/([0-9a-f]+))?")


def tree_secret(master: bytes, first: str) -> bytes:
    """Return the secret (32 bytes) behind the seeds of one tree of a table; ``first`` is the name of its first hand."""
    return hmac.digest(master, frame(f"{V2}/tree".encode(), first.encode()), "sha256")


def board_seed(master: bytes, number: int) -> bytes:
    """Return the seed (32 bytes) of deck ``number`` of a duplicate event, counted from 1."""
    return hmac.digest(master, f"board {number}".encode(), "sha256")


def board_entropy(added: list[tuple[str, str]]) -> Entropy:
    """Return the entropy that all drawn players add to each of these decks; ``added`` is in the order of the draw."""
    parts = [part.encode() for player, text in added for part in (player, text)]
    return Entropy(PLAYER, hashlib.sha256(frame(*parts)).hexdigest())


def find_mismatch(hand: Proof, event: DrawProof) -> str:
    """Return the reason that a hand's deck doesn't come from a finished event; empty if it does.

    Both records must already be verified. Only this check connects them.
    """
    masters = [*event.former_decks, *([event.decks] if event.decks else [])]
    board = re.fullmatch(r"(.+)/board/([1-9][0-9]{0,8})", hand.hand_id)
    if hand.leaf is None and board is not None:
        return _of_board(hand, event, [each for each in masters if each.event == board[1]], number=int(board[2]))
    named = _HAND.fullmatch(hand.hand_id)
    first = None if named is None or hand.leaf is None else first_of(hand.hand_id, hand.leaf.place)
    if named is None or first is None:
        return "it is not a hand of an event's table"
    # A restore starts a new epoch, and the epoch in the hand's name selects its master seed.
    meant = [each for each in masters if _server_and_epoch(each) == named.groups()]
    if not any(hand.seed == seed_of(tree_secret(each.seed, first), hand.hand_id) for each in meant):
        return "its seed does not follow from the decks of this event"
    return ""


def _server_and_epoch(decks: Decks) -> tuple[str | None, ...]:
    named = _EVENT.fullmatch(decks.event)
    return () if named is None else named.groups()


def _of_board(hand: Proof, event: DrawProof, masters: list[Decks], *, number: int) -> str:
    if not any(hand.seed == board_seed(each.seed, number) for each in masters):
        return "its seed does not follow from the decks of this event"
    texts = {added.player: added.text for added in event.entropy}
    if hand.entropy != (board_entropy([(player, texts[player]) for player in event.order if player in texts]),):
        return "its entropy is not what the players of this event added"
    return ""
