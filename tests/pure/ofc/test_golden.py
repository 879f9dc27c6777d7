"""Hands of earlier versions, whose logs must replay to the same score forever. These files never change."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bot.pure.ofc.cards import cards_text, parse_cards
from bot.pure.ofc.deck import Entropy, commitment, deal_deck
from bot.pure.ofc.hand import Hand, HandStatus, evolve
from bot.pure.ofc.house_rules import parse_spec
from bot.pure.ofc.log import CardsPlaced, from_json, kind_of, to_json
from bot.pure.ofc.notation import board_text
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.proof import check_proof, make_proof
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant
from tests.pure.ofc import independent_verifier
from tests.pure.ofc.deal import DealError, golden, main, score_record, text_of
from tests.pure.ofc.games import SURRENDER, on_the_clock, opened, replay

LOGS = sorted((Path(__file__).parent / "golden").glob("*.json"))
Log = dict[str, Any]


@pytest.fixture(params=LOGS, ids=lambda path: path.stem)
def log(request: pytest.FixtureRequest) -> Log:
    """A stored hand: seed and entropy, events, boards and score."""
    path: Path = request.param
    read: Log = json.loads(path.read_text(encoding="utf-8"))
    return read


def entropy(log: Log) -> list[Entropy]:
    """Return the players' shuffle inputs."""
    return [Entropy(player["player"], player["entropy"]) for player in log["players"]]


def game(log: Log) -> Variant:
    """The game that was played."""
    return parse_spec({"preset": log["variant"], "house": log.get("house", {}), "edition": log.get("edition", 1)})


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
    assert variants == set(PRESETS), "python -m tests.pure.ofc.deal KEY prints a hand to be placed and scored by hand"


@pytest.mark.parametrize("key", PRESETS)
def test_a_golden_log_that_is_begun_has_all_but_placements_boards_and_score(key: str) -> None:
    hand, told = golden(PRESETS[key], word="any")
    deck = deal_deck(PRESETS[key], hand_id=hand["hand_id"], seed=bytes.fromhex(hand["seed"]), entropy=entropy(hand))
    assert cards_text(deck) == hand["deck_order"]
    assert [event["kind"] for event in hand["events"]].count("street_dealt") == len(PRESETS[key].streets)
    assert {*"".join(event["payload"].get("rows", "") for event in hand["events"])} == {"."}
    assert set(hand["boards"]) == {""}
    assert {*hand["score"]["points"], *hand["score"]["royalties"]} == {0}
    assert hand["deck_order"][: 2 * PRESETS[key].streets[0].deal] in told.splitlines()[0]


@pytest.mark.parametrize("key", PRESETS)
def test_a_golden_log_with_every_placement_lacks_nothing_but_its_score(key: str) -> None:
    begun, _ = golden(PRESETS[key])
    deck = parse_cards(begun["deck_order"])
    placed = on_the_clock(opened(PRESETS[key], seats=len(begun["players"]), deck=deck)).log
    hand, told = golden(PRESETS[key], *(fact.rows for fact in placed if isinstance(fact, CardsPlaced)))
    assert [board_text(seat.rows) for seat in replayed(hand).seats] == hand["boards"]
    assert keys_of(hand["score"]) == keys_of(score_record(replayed(hand).score))
    assert hand["deck_order"] == begun["deck_order"]
    assert not told.endswith("?")


def keys_of(value: object) -> object:
    """The keys of a score without their values."""
    if isinstance(value, dict):
        return {key: keys_of(item) for key, item in value.items()}
    return list(map(keys_of, value)) if isinstance(value, list) else None


def test_a_golden_log_may_begin_in_fantasyland_declare_and_surrender() -> None:
    hand, told = golden(PRESETS["pineapple"], fantasyland=[0, 14])
    assert [event["kind"] for event in hand["events"]][-2:] == ["fantasyland_set", "hand_ended"]
    assert told.splitlines()[-1].startswith("seat 1, Fantasyland: 13 of ")
    surrendered, _ = golden(SURRENDER, "surrender", *["FFFMMMMMBBBBB"] * 2)
    assert [event["kind"] for event in surrendered["events"]].count("seat_surrendered") == 1
    with pytest.raises(DealError, match=r"seat 1, street 1: 13 of .*! is refused: no_natural"):
        golden(PRESETS["thirteen"], "FFFMMMMMBBBBB!")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["pineapple", "FFFFF"], r"seat 1, street 1: 5 of .* on //: FFFFF is refused: row_full"),
        (
            ["pineapple", "--fantasyland", "0,15"],
            "0,15 is not dealt in pineapple: write 0 or 14 for each of 2 to 3 seats",
        ),
        (
            ["chinese", "--fantasyland", "0"],
            "0 is not dealt in chinese: write 0 for each of 2 to 4 seats",
        ),
        (["chinese", *["FFFMMMMMBBBBB"] * 4], "the hand is over before FFFMMMMMBBBBB"),
    ],
)
def test_a_golden_log_that_cannot_be_is_refused_with_its_reason(
    capsys: pytest.CaptureFixture[str], given: list[str], told: str
) -> None:
    assert main(given) == 2
    out, err = capsys.readouterr()
    assert not out
    assert re.search(told, err)


def test_a_golden_log_is_printed_as_its_file_holds_it(capsys: pytest.CaptureFixture[str]) -> None:
    model = (LOGS[0].parent / "joker_ultimate.json").read_text(encoding="utf-8")
    assert text_of(json.loads(model)) + "\n" == model
    assert main(["thirteen", "--word", "other"]) == 0
    assert json.loads(capsys.readouterr().out) == golden(PRESETS["thirteen"], word="other")[0]


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
    # The oldest logs predate naturals and bonuses, but their contents must still be true.
    pairs = [{key: pair[key] for key in old} for old, pair in zip(scored["pairs"], now["pairs"], strict=True)]
    assert {**{key: now[key] for key in scored}, "pairs": pairs} == scored


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
