"""The master of an event: which decks follow from it, and which don't."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.pure.event.draw import (
    Decks,
    DrawProof,
    board_entropy,
    board_seed,
    commitment,
    find_mismatch,
    prove,
    tree_secret,
)
from bot.pure.ofc.deck import DealInputs, Entropy
from bot.pure.ofc.deck_tree import HANDS, build_tree, leaves_of, path_of, root_of, seed_of
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.proof import Leaf, Proof, make_proof
from tests.pure.ofc import japanese_verifier
from tests.test_cli import Capture, refusal, run, written

ADDED = [Entropy("111", "1290000000000000001"), Entropy("222", "1290000000000000002")]
OLD, NEW = bytes(range(32)), bytes(range(1, 33))
NO_SEED, NO_ENTROPY = "its seed does not follow from the decks of this event", "its entropy is not what the players of"


def decks_of(event: str, seed: bytes) -> Decks:
    """A master as a record shows it."""
    return Decks(event=event, commitment=commitment(event=f"{event}/boards", seed=seed), seed=seed)


EVENT = prove(
    ["111", "222"],
    event="9/event/3",
    label="start",
    seed=bytes(32),
    entropy=ADDED,
    decks=decks_of("9/event/3/19a3", NEW),
    former_decks=[decks_of("9/event/3", OLD)],
)
"""An event with a restored copy."""


def at_table(master: bytes, hand_id: str, *, place: int) -> Proof:
    """A hand that an event's table was dealt."""
    server, table, number, *epoch = hand_id.split("/")
    names = ["/".join([server, table, str(int(number) - place + leaf), *epoch]) for leaf in range(HANDS)]
    secret = tree_secret(master, names[0])
    tree = build_tree(leaves_of(secret, names))
    return make_proof(
        PINEAPPLE,
        hand_id=hand_id,
        seed=seed_of(secret, hand_id),
        entropy=ADDED,
        committed=root_of(names[0], tree),
        leaf=Leaf(place=place, path=path_of(tree, place)),
        dealt=DealInputs(button=0, fantasyland=(0, 0)),
    )


def board(master: bytes, event: str, number: int, added: list[Entropy]) -> Proof:
    """A deck of a duplicate event."""
    seed, name = board_seed(master, number), f"{event}/board/{number}"
    stirred = board_entropy([(one.player, one.text) for one in added])
    committed = japanese_verifier.hashed("chaipo/deal/v1/commit", name, seed)
    return make_proof(PINEAPPLE, hand_id=name, seed=seed, entropy=[stirred], committed=committed)


IN_ORDER = [next(one for one in ADDED if one.player == player) for player in EVENT.order]
HAND, LATER = at_table(OLD, "9/12/7", place=6), at_table(NEW, "9/12/301/19a3", place=44)
DECK, LATER_DECK = board(OLD, "9/event/3", 1, IN_ORDER), board(NEW, "9/event/3/19a3", 12, IN_ORDER)


@pytest.mark.parametrize("hand", [HAND, LATER, DECK, LATER_DECK])
def test_a_deck_follows_from_the_master_of_its_time_and_from_no_other(hand: Proof) -> None:
    by_page = japanese_verifier.of_table if hand.leaf else japanese_verifier.of_deck
    assert find_mismatch(hand, EVENT) == ""
    assert by_page(hand.to_json(), EVENT.to_json()) is None
    other = replace(EVENT, decks=decks_of("9/event/3/19a3", OLD), former_decks=(decks_of("9/event/3", NEW),))
    assert find_mismatch(hand, other) == NO_SEED
    assert by_page(hand.to_json(), other.to_json()) == "seed"


@pytest.mark.parametrize(
    ("hand", "why"),
    [
        (
            at_table(NEW, "9/12/7", place=6),
            NO_SEED,
        ),  # the one from another time, because there must be no choice between the two
        (at_table(OLD, "9/12/301/19a3", place=44), NO_SEED),
        (at_table(OLD, "9/12/301/19a4", place=44), NO_SEED),
        (at_table(OLD, "8/12/7", place=6), NO_SEED),  # another server
        (replace(HAND, seed=bytes(32)), NO_SEED),
        (board(OLD, "9/event/3/19a3", 1, IN_ORDER), NO_SEED),
        (board(OLD, "9/event/4", 1, IN_ORDER), NO_SEED),
        (replace(DECK, hand_id="9/event/3/board/2"), NO_SEED),
        (board(OLD, "9/event/3", 1, IN_ORDER[::-1]), NO_ENTROPY),
        (board(OLD, "9/event/3", 1, IN_ORDER[:1]), NO_ENTROPY),
        (replace(DECK, hand_id="daily/2026-11-22/17-19abf3c2d41"), "it is not a hand of an event's table"),
        (replace(DECK, hand_id="9/12/7"), "it is not a hand of an event's table"),
        (replace(HAND, hand_id="卓"), "it is not a hand of an event's table"),
        (replace(HAND, hand_id="9/12/6"), "it is not a hand of an event's table"),
    ],
)
def test_what_does_not_follow_is_told(hand: Proof, why: str) -> None:
    assert find_mismatch(hand, EVENT).startswith(why)


# on the command line


def judged(folder: Path, hand: dict[str, Any], event: DrawProof, *options: str) -> int:
    """The command for two records."""
    (folder / "event").mkdir(exist_ok=True)
    draw = written(folder / "event", event.to_json())
    return run("verify", *options, "--event", draw, written(folder, hand))


def test_verify_says_that_a_hand_follows_from_its_event(capsys: Capture, tmp_path: Path) -> None:
    code = judged(tmp_path, HAND.to_json(), EVENT)
    told = capsys.readouterr().out.splitlines()
    assert code == 0
    assert told[0] == "Hand '9/12/7' of event '9/event/3': RIGHT, its deck follows from what the event committed to."
    shown = [*EVENT.former_decks, EVENT.decks]
    assert [line.rsplit(" ", 1)[1] for line in told[1:]] == [decks.commitment.hex() for decks in shown if decks]


def test_verify_says_that_a_right_hand_is_none_of_its_event(capsys: Capture, tmp_path: Path) -> None:
    code = judged(tmp_path, at_table(NEW, "9/12/7", place=6).to_json(), EVENT)
    assert (code, capsys.readouterr().out) == (1, f"Hand '9/12/7' of event '9/event/3': WRONG, {NO_SEED}.\n")
    code = judged(tmp_path, HAND.to_json(), EVENT, "--json")
    about = {"hand_id": "9/12/7", "event": "9/event/3"}
    assert (code, json.loads(capsys.readouterr().out)) == (0, {"ok": True, "problem": None} | about)


def test_verify_judges_the_hand_itself_first(capsys: Capture, tmp_path: Path) -> None:
    code = judged(tmp_path, HAND.to_json() | {"seed": "0" * 64}, EVENT)
    assert code == 1
    assert "WRONG, the seed is not the one that was committed to before the hand" in capsys.readouterr().out


def test_verify_refuses_an_event_that_shows_nothing(capsys: Capture, tmp_path: Path) -> None:
    hand, event = written(tmp_path, HAND.to_json()), tmp_path / "event"
    event.mkdir()
    for record, sentence in (
        (replace(EVENT, decks=None, former_decks=()), "shows no decks, because the event was not over"),
        (replace(EVENT, order=EVENT.order[::-1]), "is not a valid record of an event: the order is not the one that"),
    ):
        draw = written(event, record.to_json())
        assert sentence in refusal(capsys, "verify", "--event", draw, hand)
    draw = written(event, EVENT.to_json())
    assert "is a draw, but --event needs the record of a hand" in refusal(capsys, "verify", "--event", draw, draw)
    assert "cannot be read" in refusal(capsys, "verify", "--event", str(tmp_path / "none"), hand)
