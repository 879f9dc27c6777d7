"""The public record of a hand: with it a stranger recomputes the deck (``docs/fairness.md`` says how).

``make_proof`` writes it, ``read_proof`` reads it, ``check_proof`` judges it. The record is a JSON object; unknown
keys mean nothing, so that a later version can add some.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from bot.ofc.cards import Card, cards_text, full_deck
from bot.ofc.deck import ALGORITHM, SEED_BYTES, Entropy, commitment, deal_deck, seed_matches, shuffled
from bot.ofc.variants import Variant

HASH_BYTES = 32
_HEX = frozenset("0123456789abcdef")


class Problem(Enum):
    """What is wrong with a record."""

    BAD_FORMAT = "bad_format"
    UNKNOWN_ALGORITHM = "unknown_algorithm"
    COMMITMENT = "commitment_does_not_match"
    DECK = "deck_differs"


class ProofError(ValueError):
    """A record that cannot be checked: ``problem`` is the kind, the text says why."""

    def __init__(self, problem: Problem, text: str) -> None:
        super().__init__(text)
        self.problem = problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """Who was dealt in which order, for the reader's convenience: the table's own messages are the evidence."""

    button: int
    fantasyland: tuple[int, ...]
    """Cards dealt to each seat in Fantasyland, 0 outside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """All that the deck of a hand follows from, and the deck that was dealt."""

    hand_id: str
    variant: str
    decks: int
    jokers: int
    commitment: bytes
    seed: bytes
    entropy: tuple[Entropy, ...]
    """In the order of seats."""
    deck_order: str
    """The deck in notation, the card dealt first in front."""
    dealt: Dealt | None = None

    def to_json(self) -> dict[str, Any]:
        """The record, ready for JSON."""
        record: dict[str, Any] = {
            "algorithm": ALGORITHM,
            "hand_id": self.hand_id,
            "variant": self.variant,
            "deck": {"decks": self.decks, "jokers": self.jokers},
            "commitment": self.commitment.hex(),
            "seed": self.seed.hex(),
            "players": [{"player": player.player, "entropy": player.text} for player in self.entropy],
            "deck_order": self.deck_order,
        }
        if self.dealt is not None:
            record["dealt"] = {"button": self.dealt.button, "fantasyland": list(self.dealt.fantasyland)}
        return record


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a check found. ``deck`` is the recomputed one, empty when the record cannot be checked."""

    problem: Problem | None
    text: str
    """The finding in words."""
    hand_id: str | None = None
    deck: tuple[Card, ...] = ()

    @property
    def ok(self) -> bool:
        """True when the record is right."""
        return self.problem is None


def make_proof(
    variant: Variant, *, hand_id: str, seed: bytes, entropy: Sequence[Entropy], dealt: Dealt | None = None
) -> Proof:
    """The record of a hand that may be shown: ``entropy`` in the order of seats, as it was shuffled."""
    return Proof(
        hand_id=hand_id,
        variant=variant.key,
        decks=variant.decks,
        jokers=variant.jokers,
        commitment=commitment(hand_id=hand_id, seed=seed),
        seed=seed,
        entropy=tuple(entropy),
        deck_order=cards_text(deal_deck(variant, hand_id=hand_id, seed=seed, entropy=entropy)),
        dealt=dealt,
    )


def check_proof(record: object) -> Verdict:
    """Whether a record (JSON as it was read) is right. Never raises: what cannot be checked is a verdict too."""
    try:
        proof = read_proof(record)
    except ProofError as error:
        return Verdict(problem=error.problem, text=str(error))
    deck = shuffled(
        full_deck(decks=proof.decks, jokers=proof.jokers),
        hand_id=proof.hand_id,
        seed=proof.seed,
        entropy=proof.entropy,
    )
    problem, text = _finding(proof, cards_text(deck))
    return Verdict(problem=problem, text=text, hand_id=proof.hand_id, deck=deck)


def _finding(proof: Proof, deck_order: str) -> tuple[Problem | None, str]:
    if not seed_matches(hand_id=proof.hand_id, seed=proof.seed, committed=proof.commitment):
        return Problem.COMMITMENT, "the seed is not the one that was committed to before the hand"
    if proof.deck_order != deck_order:
        return Problem.DECK, "the deck is not the one that the seed and the players' entropy give"
    return None, "the seed is the one that was committed to, and it gives exactly this deck"


def read_proof(record: object) -> Proof:
    """The proof that a record writes; raises ProofError."""
    fields = _Fields(record, "the record")
    if fields.text("algorithm") != ALGORITHM:
        raise ProofError(Problem.UNKNOWN_ALGORITHM, f"the algorithm is not {ALGORITHM}, the one that is known here")
    deck = _Fields(fields.value("deck"), "deck")
    entropy = tuple(_entropy(player) for player in fields.items("players"))
    return Proof(
        hand_id=fields.text("hand_id"),
        variant=fields.text("variant"),
        decks=deck.number("decks", least=1, most=2),
        jokers=deck.number("jokers", least=0, most=2),
        commitment=fields.hex("commitment", size=HASH_BYTES),
        seed=fields.hex("seed", size=SEED_BYTES),
        entropy=entropy,
        deck_order=fields.text("deck_order"),
        dealt=_dealt(fields.value("dealt"), seats=len(entropy)) if fields.has("dealt") else None,
    )


def _entropy(player: object) -> Entropy:
    fields = _Fields(player, "a player")
    return Entropy(player=fields.text("player"), text=fields.text("entropy"))


def _dealt(value: object, *, seats: int) -> Dealt:
    fields = _Fields(value, "dealt")
    fantasyland = fields.items("fantasyland")
    cards = tuple(count for count in fantasyland if type(count) is int and 0 <= count <= 52)
    if len(cards) != len(fantasyland) or len(cards) != seats:
        raise _bad("fantasyland must be a number of cards for each player")
    return Dealt(button=fields.number("button", least=0, most=seats - 1), fantasyland=cards)


def _bad(text: str) -> ProofError:
    return ProofError(Problem.BAD_FORMAT, text)


class _Fields:
    """A JSON object whose fields are read with their types; each raises ProofError. No value is ever quoted."""

    def __init__(self, value: object, name: str) -> None:
        if not isinstance(value, Mapping):
            raise _bad(f"{name} must be a JSON object")
        self._values: Mapping[Any, Any] = value
        self._name = name

    def has(self, key: str) -> bool:
        return key in self._values

    def value(self, key: str) -> object:
        if key not in self._values:
            raise _bad(f"{self._name} has no {key}")
        value: object = self._values[key]
        return value

    def text(self, key: str) -> str:
        value = self.value(key)
        if not isinstance(value, str):
            raise _bad(f"{key} must be a text")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise _bad(f"{key} is not Unicode text") from None
        return value

    def number(self, key: str, *, least: int, most: int) -> int:
        value = self.value(key)
        # `True` is an int to Python, and no number to JSON.
        if type(value) is not int or not least <= value <= most:
            raise _bad(f"{key} must be a whole number from {least} to {most}")
        return value

    def hex(self, key: str, *, size: int) -> bytes:
        value = self.text(key)
        if len(value) != 2 * size or set(value) - _HEX:
            raise _bad(f"{key} must be {2 * size} lower-case hexadecimal digits")
        return bytes.fromhex(value)

    def items(self, key: str) -> Sequence[object]:
        value = self.value(key)
        if not isinstance(value, list | tuple):
            raise _bad(f"{key} must be a list")
        return value
