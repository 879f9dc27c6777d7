"""A played hand comes back from its record, and what is none is refused."""

from functools import cache, reduce
from typing import Any

import pytest

from bot.ofc.clock_placement import clock_placement
from bot.ofc.deck import Entropy, commitment, deal_deck
from bot.ofc.hand import Hand, HandStatus, PlaceCards, decide, evolve, start
from bot.ofc.log import Fact, kind_of, to_json
from bot.ofc.presets import CLASSIC, PINEAPPLE
from bot.ofc.proof import PlayedError, make_proof, played_of
from bot.ofc.variants import Variant

HAND_ID, SEED = "12.7", bytes(range(32))
ENTROPY = (Entropy("111", "hello"), Entropy("222", "おはよう"))


def record(variant: Variant = PINEAPPLE) -> dict[str, Any]:
    """The record of a hand between two, in which the clock has placed all cards."""
    committed = commitment(hand_id=HAND_ID, seed=SEED)
    proof = make_proof(variant, hand_id=HAND_ID, seed=SEED, entropy=ENTROPY, committed=committed)
    return {**proof.to_json(), "log": [{"fact": kind_of(fact), **to_json(fact)} for fact in facts_of(variant)]}


@cache
def facts_of(variant: Variant) -> list[Fact]:
    deck = deal_deck(variant, hand_id=HAND_ID, seed=SEED, entropy=ENTROPY)
    facts = start(variant, deck, players=["111", "222"], fantasyland=[0, 0], button=0)
    hand = reduce(evolve, facts, Hand(variant=variant, deck=deck))
    while hand.status is HandStatus.PLAYING:
        seat = hand.waiting[0]
        rows = clock_placement(variant, hand.seats[seat].rows, hand.seats[seat].held, to_place=hand.rule.to_place)
        more = decide(hand, PlaceCards(seat=seat, rows=rows))
        facts, hand = [*facts, *more], reduce(evolve, more, hand)
    return facts


def test_a_record_with_a_log_tells_the_whole_hand() -> None:
    for variant in (PINEAPPLE, CLASSIC):
        played = played_of(record(variant))
        assert played.variant == variant
        assert list(played.facts) == facts_of(variant)
        assert played.hand.status is HandStatus.ENDED
        assert sum(played.hand.score.points) == 0


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in record().items() if name != key}


LOG = record()["log"]


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ([], "the record must be a JSON object"),
        (record() | {"seed": bytes(32).hex()}, "the seed is not the one that was committed to"),
        (without("log"), "tells the deck and not what was placed"),
        (record() | {"variant": "bridge"}, "the game is none that is known here"),
        (record() | {"log": "nothing"}, "it must be a list of objects"),
        (record() | {"log": [*LOG[:4], 5]}, "it must be a list of objects"),
        (record() | {"log": [{**LOG[0], "fact": "cards_eaten"}, *LOG[1:]]}, "'cards_eaten' of format 1 is not known"),
        (record() | {"log": [{**LOG[0], "fact": ["hand_started"]}, *LOG[1:]]}, "of format 1 is not known"),
        (record() | {"log": LOG[:-1]}, "the log breaks off"),
        (record() | {"log": [*LOG[:2], *LOG[3:]]}, "fact 3 cannot be applied: not_your_turn"),
        (record() | {"log": LOG[:5]}, "the hand is not over, or it was void"),
        (record() | {"log": [*LOG[:3], {"fact": "hand_voided", "v": 1, "reason": "closed"}]}, "or it was void"),
        (record() | {"log": []}, "the log breaks off"),
    ],
)
def test_what_tells_no_played_hand_is_refused_with_the_reason(made: object, said: str) -> None:
    with pytest.raises(PlayedError) as refused:
        played_of(made)
    assert said in str(refused.value)
