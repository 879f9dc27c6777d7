"""A played hand from a record of an older version: the deck that it proves, and the log that stands in it.

Since then records prove the deck alone, and hand histories tell what was played.

Source: docs/fairness.md, "The record".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.ofc.cards import Card
from bot.ofc.hand import Hand, HandStatus, audit
from bot.ofc.house_rules import variant_of
from bot.ofc.log import Fact, LogError, from_json
from bot.ofc.proof import check_proof, read_proof
from bot.ofc.variants import Variant, VariantError


class PlayedError(ValueError):
    """A record that tells no played hand; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A hand that has ended."""

    hand_id: str
    variant: Variant
    deck: tuple[Card, ...]
    facts: tuple[Fact, ...]
    hand: Hand
    """What the facts have made."""


def played_of(record: object) -> Played:
    """The hand of a record (JSON as it was read); raises PlayedError."""
    verdict = check_proof(record)
    if not verdict.ok:
        raise PlayedError(f"the record is not right: {verdict.text}")
    proof = read_proof(record)
    assert isinstance(record, Mapping)
    if "log" not in record:
        raise PlayedError("the record tells the deck and not what was placed: it is of an older version or a void hand")
    try:
        variant = variant_of({"preset": proof.variant, "house": proof.house, "edition": proof.edition})
        facts = _facts(record["log"])
        hand = audit(variant, verdict.deck, facts)
    except VariantError:
        raise PlayedError("the game is none that is known here, or its house rules make none") from None
    except LogError as error:
        raise PlayedError(f"its log is not one of this game: {error}") from error
    if hand.status is not HandStatus.ENDED:
        raise PlayedError("the hand is not over, or it was void")
    return Played(hand_id=proof.hand_id, variant=variant, deck=verdict.deck, facts=facts, hand=hand)


def _facts(log: object) -> tuple[Fact, ...]:
    if not isinstance(log, Sequence) or not all(isinstance(line, Mapping) for line in log):
        raise LogError("it must be a list of objects")
    return tuple(_fact(line) for line in log)


def _fact(line: Mapping[str, Any]) -> Fact:
    kind = line.get("fact")
    return from_json(kind if isinstance(kind, str) else "", {key: line[key] for key in line if key != "fact"})
