"""Hands of earlier versions: their logs must replay to the same score for ever. These files are never changed."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.ofc.cards import cards_text
from bot.ofc.deck import Entropy, commitment, deal_deck
from bot.ofc.hand import Hand, HandStatus, evolve, replay
from bot.ofc.house_rules import variant_of
from bot.ofc.log import from_json, kind_of, to_json
from bot.ofc.notation import board_text
from bot.ofc.proof import check_proof, make_proof
from bot.ofc.refusals import Refused
from bot.ofc.scoring import HandScore
from bot.ofc.variants import PRESETS, Variant
from tests.ofc import independent_verifier
from tests.ofc.deal import skeleton

LOGS = sorted((Path(__file__).parent / "golden").glob("*.json"))
Log = dict[str, Any]


@pytest.fixture(params=LOGS, ids=lambda path: path.stem)
def log(request: pytest.FixtureRequest) -> Log:
    """A stored hand: seed and entropy, events, boards and score."""
    path: Path = request.param
    read: Log = json.loads(path.read_text(encoding="utf-8"))
    return read


def entropy(log: Log) -> list[Entropy]:
    """What the players added."""
    return [Entropy(player["player"], player["entropy"]) for player in log["players"]]


def game(log: Log) -> Variant:
    """The game that was played."""
    return variant_of({"preset": log["variant"], "house": log.get("house", {}), "edition": log.get("edition", 1)})


def replayed(log: Log) -> Hand:
    """The hand that the log makes."""
    variant = game(log)
    deck = deal_deck(variant, hand_id=log["hand_id"], seed=bytes.fromhex(log["seed"]), entropy=entropy(log))
    hand = replay(variant, deck, ())
    for number, fact in enumerate(log["events"], start=1):
        try:
            hand = evolve(hand, from_json(fact["kind"], fact["payload"]))
        except Refused as refused:
            pytest.fail(f"event {number}, {fact['kind']} {fact['payload']}: {refused}")
    return hand


def test_every_game_that_is_offered_has_a_golden_log() -> None:
    variants = {json.loads(path.read_text(encoding="utf-8"))["variant"] for path in LOGS}
    assert variants == set(PRESETS), "python -m tests.ofc.deal KEY prints a hand to lay and to score by hand"


@pytest.mark.parametrize("key", PRESETS)
def test_the_skeleton_of_a_golden_log_deals_what_a_log_would(key: str) -> None:
    text = skeleton(PRESETS[key], "any")
    made: Log = json.loads("\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//")))
    deck = deal_deck(PRESETS[key], hand_id=made["hand_id"], seed=bytes.fromhex(made["seed"]), entropy=entropy(made))
    assert cards_text(deck) == made["deck_order"]
    assert [fact["kind"] for fact in made["events"]].count("street_dealt") == len(PRESETS[key].streets)
    first = next(line for line in text.splitlines() if "holds" in line)
    assert made["deck_order"][: 2 * PRESETS[key].streets[0].deal] in first


def test_a_letter_that_cannot_be_is_named_with_its_event_and_seat() -> None:
    log: Log = json.loads((LOGS[0].parent / "joker_ultimate.json").read_text(encoding="utf-8"))
    log["events"][3]["payload"]["rows"] = "FFFFF"
    with pytest.raises(pytest.fail.Exception, match=r"event 4, cards_laid .*'seat': 2.*row_full"):
        replayed(log)


def test_the_seed_gives_the_same_deck_for_ever(log: Log) -> None:
    assert cards_text(replayed(log).deck) == log["deck_order"]


def test_the_log_replays_to_the_same_boards_for_ever(log: Log) -> None:
    hand = replayed(log)
    assert hand.status is HandStatus.ENDED
    assert [board_text(seat.rows) for seat in hand.seats] == log["boards"]


def test_the_log_replays_to_the_same_score_for_ever(log: Log) -> None:
    scored: Log = log["score"]
    now = score_record(replayed(log).score)
    assert scored.keys() >= {"fouls", "royalties", "fantasyland", "pairs", "points"}
    # The first logs are older than naturals and bonuses: what they say must still be true.
    pairs = [{key: pair[key] for key in old} for old, pair in zip(scored["pairs"], now["pairs"], strict=True)]
    assert {**{key: now[key] for key in scored}, "pairs": pairs} == scored


def score_record(score: HandScore) -> Log:
    """A score as the logs write it."""
    return {
        "fouls": [scored.foul for scored in score.boards],
        "royalties": [scored.royalties for scored in score.boards],
        "fantasyland": [scored.next_fantasyland for scored in score.boards],
        "naturals": [scored.natural and scored.natural.key for scored in score.boards],
        "surrendered": [scored.surrendered for scored in score.boards],
        "pairs": [
            {
                "seats": [pair.first, pair.second],
                "rows": list(pair.rows),
                "row_points": list(pair.row_points),
                "scoop": pair.scoop,
                "bonus": pair.bonus,
                "royalties": pair.royalties,
                "natural": pair.natural,
                "points": pair.points,
            }
            for pair in score.pairs
        ],
        "points": list(score.points),
    }


def test_the_log_is_written_again_as_it_was(log: Log) -> None:
    for fact in log["events"]:
        read = from_json(fact["kind"], fact["payload"])
        assert {"kind": kind_of(read), "payload": to_json(read)} == fact


def test_the_proof_of_the_hand_is_right(log: Log) -> None:
    hand_id, seed = log["hand_id"], bytes.fromhex(log["seed"])
    committed = commitment(hand_id=hand_id, seed=seed)
    proof = make_proof(game(log), hand_id=hand_id, seed=seed, entropy=entropy(log), committed=committed)
    assert proof.deck_order == log["deck_order"]
    assert check_proof(proof.to_json()).ok
    assert independent_verifier.problem(proof.to_json()) is None
