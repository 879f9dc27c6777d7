"""Hands of earlier versions: their logs must replay to the same score for ever. These files are never changed."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.ofc.cards import cards_text
from bot.ofc.deck import Entropy, deal_deck
from bot.ofc.events import from_json, kind_of, to_json
from bot.ofc.hand import Hand, Status, replay
from bot.ofc.notation import board_text
from bot.ofc.proof import check_proof, make_proof
from bot.ofc.variants import PRESETS
from tests.ofc import independent_verifier

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


def replayed(log: Log) -> Hand:
    """The hand that the log makes."""
    deck = deal_deck(
        PRESETS[log["variant"]], hand_id=log["hand_id"], seed=bytes.fromhex(log["seed"]), entropy=entropy(log)
    )
    events = [from_json(event["kind"], event["payload"]) for event in log["events"]]
    return replay(PRESETS[log["variant"]], deck, events)


def test_every_game_that_is_offered_has_a_golden_log() -> None:
    variants = {json.loads(path.read_text(encoding="utf-8"))["variant"] for path in LOGS}
    assert variants == set(PRESETS)


def test_the_seed_gives_the_same_deck_for_ever(log: Log) -> None:
    assert cards_text(replayed(log).deck) == log["deck_order"]


def test_the_log_replays_to_the_same_boards_for_ever(log: Log) -> None:
    hand = replayed(log)
    assert hand.status is Status.ENDED
    assert [board_text(seat.rows) for seat in hand.seats] == log["boards"]


def test_the_log_replays_to_the_same_score_for_ever(log: Log) -> None:
    score = replayed(log).score
    assert log["score"] == {
        "fouls": [scored.foul for scored in score.boards],
        "royalties": [scored.royalties for scored in score.boards],
        "fantasyland": [scored.next_fantasyland for scored in score.boards],
        "pairs": [
            {
                "seats": [pair.first, pair.second],
                "rows": list(pair.rows),
                "scoop": pair.scoop,
                "royalties": pair.royalties,
                "points": pair.points,
            }
            for pair in score.pairs
        ],
        "points": list(score.points),
    }


def test_the_log_is_written_again_as_it_was(log: Log) -> None:
    for event in log["events"]:
        read = from_json(event["kind"], event["payload"])
        assert {"kind": kind_of(read), "payload": to_json(read)} == event


def test_the_proof_of_the_hand_is_right(log: Log) -> None:
    proof = make_proof(
        PRESETS[log["variant"]], hand_id=log["hand_id"], seed=bytes.fromhex(log["seed"]), entropy=entropy(log)
    )
    assert proof.deck_order == log["deck_order"]
    assert check_proof(proof.to_json()).ok
    assert independent_verifier.problem(proof.to_json()) is None
