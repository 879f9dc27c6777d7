"""The public record of a hand, with which anyone can recompute the deck (``docs/fairness-spec.md`` describes how).

``make_proof`` creates it, ``read_proof`` reads it, and ``check_proof`` checks it. The record is a JSON object. Unknown
keys are ignored, so later versions can add some. How the hand was played isn't in the record; that's in hand histories.

Hands at ordinary tables have records of version 2. Duplicate events and the daily hands, whose decks come from one
seed, have records of version 1.

Source: docs/fairness-spec.md, "The record", "From the record to the deck".
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from bot.pure.ofc.cards import Card, cards_text, full_deck
from bot.pure.ofc.deck import (
    SEED_BYTES,
    V1,
    V2,
    DealInputs,
    Entropy,
    commitment,
    deal_deck,
    game_text,
    message_of,
    shuffled,
)
from bot.pure.ofc.deck_tree import HANDS, PATH_HASHES, compute_root
from bot.pure.ofc.house_rules import parse_spec
from bot.pure.ofc.presets import EDITION
from bot.pure.ofc.variants import Variant, VariantError

HASH_BYTES = 32
_HEX = frozenset("0123456789abcdef")
_KEY = re.compile(r"[a-z0-9_]{1,40}")
_RULE = re.compile(r"[A-Za-z0-9_.]{1,40}")
_PLAYER = re.compile(r"[1-9][0-9]{0,19}|computer-[0-9]")


class Problem(Enum):
    """Problems with a record."""

    BAD_FORMAT = "bad_format"
    UNKNOWN_ALGORITHM = "unknown_algorithm"
    COMMITMENT = "commitment_does_not_match"
    GAME = "game_does_not_fit"
    DECK = "deck_differs"
    WITHHELD = "entropy_withheld"
    """The seed matches the commitment, but the deck can't be recomputed because a player's entropy was deleted."""


class ProofError(ValueError):
    """The record can't be checked. ``problem`` is the kind, and the text gives the reason."""

    def __init__(self, problem: Problem, text: str) -> None:
        super().__init__(text)
        self.problem = problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """Position of a hand's seed in the tree that its table has committed to (version 2)."""

    place: int
    """Index of the leaf, from 0."""
    path: tuple[bytes, ...]
    """The sibling hash at each level, the lowest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """All inputs of a hand's deck, and the deck that was dealt."""

    hand_id: str
    variant: str
    house: Mapping[str, str]
    """The house rules on top of ``variant``; always empty in version 1."""
    edition: int
    """Edition of the rules that defines the game."""
    decks: int
    jokers: int
    commitment: bytes
    """The root of the tree; in version 1, the commitment to this hand."""
    leaf: Leaf | None
    """None in version 1."""
    seed: bytes
    entropy: tuple[Entropy, ...]
    """The players' entropy, in seat order."""
    deck_order: str
    """The deck in notation, in the order dealt."""
    dealt: DealInputs | None
    """The button and Fantasyland cards. None only in version 1, whose decks don't depend on them."""
    withheld: tuple[int, ...] = ()
    """Seats whose id and entropy were deleted at the player's request."""

    def to_json(self) -> dict[str, Any]:
        """Return the record, ready for JSON."""
        record: dict[str, Any] = {
            "algorithm": V1 if self.leaf is None else V2,
            "hand_id": self.hand_id,
            "variant": self.variant,
            **({"house": dict(self.house)} if self.house else {}),
            **({"edition": self.edition} if self.edition > 1 else {}),
            "deck": {"decks": self.decks, "jokers": self.jokers},
        }
        if self.leaf is None:
            record["commitment"] = self.commitment.hex()
        else:
            path = [beside.hex() for beside in self.leaf.path]
            record |= {"root": self.commitment.hex(), "leaf": self.leaf.place, "path": path}
        record |= {
            "seed": self.seed.hex(),
            "players": [{"player": player.player, "entropy": player.text} for player in self.entropy],
        }
        if self.dealt is not None:
            record["dealt"] = {"button": self.dealt.button, "fantasyland": list(self.dealt.fantasyland)}
        if self.withheld:
            record["withheld"] = list(self.withheld)
        return {**record, "deck_order": self.deck_order}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Outcome of a check. ``deck`` is recomputed, and empty if the record can't be checked."""

    problem: Problem | None
    text: str
    """Text of the finding."""
    hand_id: str | None = None
    deck: tuple[Card, ...] = ()

    @property
    def ok(self) -> bool:
        """True if the record is correct."""
        return self.problem is None


def make_proof(
    variant: Variant,
    *,
    hand_id: str,
    seed: bytes,
    entropy: Sequence[Entropy],
    committed: bytes,
    leaf: Leaf | None = None,
    dealt: DealInputs | None = None,
    kept: tuple[Card, ...] = (),
    withheld: tuple[int, ...] = (),
) -> Proof:
    """Return the record of a hand whose seed may be revealed. ``entropy`` is in seat order, as in the shuffle.

    ``committed`` is the published commitment: a tree's root with ``leaf`` and ``dealt``, otherwise the commitment to
    this hand (version 1). ``kept`` is the stored deck if it can't be recomputed, because the entropy of the seats
    ``withheld`` was deleted.
    """
    known = None if leaf is None else dealt
    deck = kept or deal_deck(variant, hand_id=hand_id, seed=seed, entropy=entropy, dealt=known)
    return Proof(
        hand_id=hand_id,
        variant=variant.key,
        house={} if leaf is None else variant.house,
        edition=1 if leaf is None else variant.edition,
        decks=variant.decks,
        jokers=variant.jokers,
        commitment=committed,
        leaf=leaf,
        seed=seed,
        entropy=tuple(entropy),
        deck_order=cards_text(deck),
        dealt=dealt,
        withheld=withheld,
    )


def check_proof(record: object) -> Verdict:
    """Check a record (parsed JSON) and return the verdict. Never raises, even if the record can't be checked."""
    try:
        proof = read_proof(record)
    except ProofError as error:
        return Verdict(problem=error.problem, text=str(error))
    message = message_of(
        hand_id=proof.hand_id,
        entropy=proof.entropy,
        game=game_text(proof.variant, proof.house, edition=proof.edition),
        dealt=None if proof.leaf is None else proof.dealt,
    )
    deck = shuffled(full_deck(decks=proof.decks, jokers=proof.jokers), seed=proof.seed, message=message)
    problem, text = _finding(proof, cards_text(deck))
    return Verdict(problem=problem, text=text, hand_id=proof.hand_id, deck=() if proof.withheld else deck)


def _finding(proof: Proof, deck_order: str) -> tuple[Problem | None, str]:
    if not hmac.compare_digest(_expected_commitment(proof), proof.commitment):
        return Problem.COMMITMENT, "the seed is not the one that was committed to before the hand"
    if proof.leaf is not None and (misfit := _find_mismatch(proof)):
        return Problem.GAME, misfit
    if proof.withheld:
        return Problem.WITHHELD, (
            "the seed is the one that was committed to, but the deck cannot be recomputed, because the text "
            "of a player was deleted at their request"
        )
    if proof.deck_order != deck_order:
        return Problem.DECK, "the deck is not the one that the seed and the players' entropy give"
    return None, "the seed is the one that was committed to, and it gives exactly this deck"


def _expected_commitment(proof: Proof) -> bytes:
    """Return the commitment that must have been published for this seed."""
    if proof.leaf is None:
        return commitment(hand_id=proof.hand_id, seed=proof.seed)
    return compute_root(proof.hand_id, proof.seed, proof.leaf.place, proof.leaf.path)


def _find_mismatch(proof: Proof) -> str:
    """Return a text about the mismatch between a record and its game; empty if they match."""
    try:
        variant = parse_spec({"preset": proof.variant, "house": proof.house, "edition": proof.edition})
    except VariantError:
        return "the game is unknown, or its house rules do not fit it"
    if (proof.decks, proof.jokers) != (variant.decks, variant.jokers):
        return "the deck is not the one of this game"
    sizes = (0, *variant.fantasyland.numbers) if variant.fantasyland else (0,)
    if len(proof.entropy) > variant.max_seats:
        return "this game does not have that many seats"
    if proof.dealt is not None and not set(proof.dealt.fantasyland) <= set(sizes):
        return "Fantasyland never has that many cards in this game"
    return ""


def read_proof(record: object) -> Proof:
    """Return the proof in a record (parsed JSON); raises ProofError if it's invalid."""
    fields = _Fields(record, "the record")
    algorithm = fields.text("algorithm")
    if algorithm not in (V1, V2):
        raise ProofError(Problem.UNKNOWN_ALGORITHM, f"the algorithm is neither {V1} nor {V2}, the only ones supported")
    first = algorithm == V1
    deck = _Fields(fields.value("deck"), "deck")
    entropy = tuple(_entropy(player) for player in fields.items("players"))
    withheld = _withheld(fields, seats=len(entropy))
    if not first:
        _check_players([player for seat, player in enumerate(entropy) if seat not in withheld])
    return Proof(
        hand_id=fields.text("hand_id"),
        variant=fields.key("variant"),
        house=_house(fields.value("house")) if fields.has("house") and not first else {},
        edition=fields.number("edition", least=2, most=EDITION) if fields.has("edition") and not first else 1,
        decks=deck.number("decks", least=1, most=2),
        jokers=deck.number("jokers", least=0, most=2),
        commitment=fields.hex("commitment" if first else "root", size=HASH_BYTES),
        leaf=None if first else _leaf(fields),
        seed=fields.hex("seed", size=SEED_BYTES),
        entropy=entropy,
        deck_order=fields.text("deck_order"),
        dealt=_dealt(fields.value("dealt"), seats=len(entropy)) if fields.has("dealt") or not first else None,
        withheld=withheld,
    )


def _check_players(entropy: Sequence[Entropy]) -> None:
    if len({player.player for player in entropy}) < len(entropy):
        raise _bad("a player is listed twice")
    for player in entropy:
        if not _PLAYER.fullmatch(player.player):
            raise _bad("a player must be the id of a Discord user, or a computer's")
        if player.player.startswith("computer-") and player.text:
            raise _bad("a computer adds no text")


def _leaf(fields: _Fields) -> Leaf:
    path = fields.items("path")
    hashes = _Fields(dict(enumerate(path)), "path")
    if len(path) != PATH_HASHES:
        raise _bad(f"path must have {PATH_HASHES} hashes")
    read = tuple(hashes.hex(step, size=HASH_BYTES, name="a hash of the path") for step in range(PATH_HASHES))
    return Leaf(place=fields.number("leaf", least=0, most=HANDS - 1), path=read)


def _house(value: object) -> dict[str, str]:
    fields = _Fields(value, "house")
    rules = {key: fields.text(key, name="a house rule") for key in fields.names()}
    # Different games must have different texts, so a rule mustn't look like two rules or like the edition.
    if any("\n" in value or not _RULE.fullmatch(key) or key == "edition" for key, value in rules.items()):
        raise _bad("a house rule is malformed")
    return rules


def _entropy(player: object) -> Entropy:
    fields = _Fields(player, "a player")
    return Entropy(player=fields.text("player"), text=fields.text("entropy"))


def _dealt(value: object, *, seats: int) -> DealInputs:
    fields = _Fields(value, "dealt")
    fantasyland = fields.items("fantasyland")
    cards = tuple(count for count in fantasyland if type(count) is int and 0 <= count <= 52)
    if len(cards) != len(fantasyland) or len(cards) != seats:
        raise _bad("fantasyland must be a number of cards for each player")
    return DealInputs(button=fields.number("button", least=0, most=max(seats - 1, 0)), fantasyland=cards)


def _withheld(fields: _Fields, *, seats: int) -> tuple[int, ...]:
    listed = fields.items("withheld") if fields.has("withheld") else ()
    found = tuple(seat for seat in listed if type(seat) is int and 0 <= seat < seats)
    if len(found) != len(listed):
        raise _bad("withheld must be a list of seats")
    return found


def _bad(text: str) -> ProofError:
    return ProofError(Problem.BAD_FORMAT, text)


class _Fields:
    """Typed access to the fields of a JSON object; raises ProofError for a bad field, without quoting its value."""

    def __init__(self, value: object, name: str) -> None:
        if not isinstance(value, Mapping):
            raise _bad(f"{name} must be a JSON object")
        self._values: Mapping[Any, Any] = value
        self._name = name

    def has(self, key: str) -> bool:
        return key in self._values

    def value(self, key: object) -> object:
        if key not in self._values:
            raise _bad(f"{self._name} has no {key}")
        value: object = self._values[key]
        return value

    def names(self) -> list[str]:
        if not all(isinstance(key, str) for key in self._values):
            raise _bad(f"{self._name} must be a JSON object")
        return list(self._values)

    def text(self, key: object, *, name: str = "") -> str:
        value = self.value(key)
        if not isinstance(value, str):
            raise _bad(f"{name or key} must be text")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise _bad(f"{name or key} is not Unicode text") from None
        return value

    def key(self, key: str) -> str:
        value = self.text(key)
        if not _KEY.fullmatch(value):
            raise _bad(f"{key} must be the key of a game: lower-case letters, digits and underscores")
        return value

    def number(self, key: str, *, least: int, most: int) -> int:
        value = self.value(key)
        # `True` is an int in Python but not a number in JSON.
        if type(value) is not int or not least <= value <= most:
            raise _bad(f"{key} must be a whole number from {least} to {most}")
        return value

    def hex(self, key: object, *, size: int, name: str = "") -> bytes:
        value = self.text(key, name=name)
        if len(value) != 2 * size or set(value) - _HEX:
            raise _bad(f"{name or key} must be {2 * size} lower-case hexadecimal digits")
        return bytes.fromhex(value)

    def items(self, key: str) -> Sequence[object]:
        value = self.value(key)
        if not isinstance(value, list | tuple):
            raise _bad(f"{key} must be a list")
        return value
