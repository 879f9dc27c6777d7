"""The public record of a hand, the page that describes it, and a verifier that knows nothing but the page."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pure.ofc.cards import Card, card_name, cards_text, full_deck
from bot.pure.ofc.deck import DealInputs, Entropy, commitment, deal_deck
from bot.pure.ofc.deck_tree import HANDS, build_tree, leaves_of, path_of, root_of, seed_of
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import CHINESE, CLASSIC, PINEAPPLE
from bot.pure.ofc.proof import Leaf, Problem, Proof, ProofError, check_proof, make_proof, read_proof
from bot.pure.ofc.variants import DealMode, Variant
from bot.text.fingerprint import fingerprint
from tests.pure.ofc import independent_verifier
from tests.pure.ofc.games import VARIANTS, on_the_clock, opened

PAGES = Path(__file__).parents[3] / "docs"
PAGE = (PAGES / "fairness-spec.md").read_text(encoding="utf-8")
RECORDS: list[dict[str, Any]] = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
VECTORS = [record for record in RECORDS if record["algorithm"] == "chaipo/deal/v1"]
VECTORS_2 = [record for record in RECORDS if record["algorithm"] == "chaipo/deal/v2"]
SEED = bytes(range(32))
ENTROPY = (Entropy("111", "hello"), Entropy("222", "おはよう"), Entropy("computer-1", ""))
POLICY = house_variant("pineapple", {"jokers": "2", "fantasyland.entry": "KK"})
JOKERS = replace(PINEAPPLE, key="jokers", decks=2, jokers=2, max_seats=6)

TEXTS = st.text(max_size=20)


def first(
    variant: Variant, *, hand_id: str, seed: bytes, entropy: Sequence[Entropy], dealt: DealInputs | None = None
) -> Proof:
    """Return the record of a hand with its own commitment."""
    committed = commitment(hand_id=hand_id, seed=seed)
    return make_proof(variant, hand_id=hand_id, seed=seed, entropy=entropy, committed=committed, dealt=dealt)


def second(
    variant: Variant,
    *,
    table: str = "9/12",
    place: int = 6,
    secret: bytes = SEED,
    entropy: Sequence[Entropy] = ENTROPY,
    button: int = 1,
    fantasyland: int = 0,
) -> Proof:
    """The record of a hand of a table that committed to many at once; seat 1 is in Fantasyland with so many cards."""
    ids = [f"{table}/{number}" for number in range(1, HANDS + 1)]
    tree = build_tree(leaves_of(secret, ids))
    cards = tuple(fantasyland if seat == 1 else 0 for seat in range(len(entropy)))
    return make_proof(
        variant,
        hand_id=ids[place],
        seed=seed_of(secret, ids[place]),
        entropy=entropy,
        committed=root_of(ids[0], tree),
        leaf=Leaf(place=place, path=path_of(tree, place)),
        dealt=DealInputs(button=min(button, max(len(entropy) - 1, 0)), fantasyland=cards),
    )


ENTROPIES = st.lists(st.builds(Entropy, player=TEXTS, text=TEXTS), max_size=4)
PEOPLE = st.lists(
    st.builds(Entropy, player=st.integers(1, 2**63).map(str), text=TEXTS), max_size=2, unique_by=lambda one: one.player
)
SECRETS = st.binary(min_size=32, max_size=32)
FIRST_PROOFS = st.builds(
    first, st.sampled_from([PINEAPPLE, CLASSIC, JOKERS]), hand_id=TEXTS, seed=SECRETS, entropy=ENTROPIES
)
SECOND_PROOFS = st.builds(
    second,
    st.sampled_from([PINEAPPLE, CLASSIC, POLICY]),
    place=st.integers(0, HANDS - 1),
    secret=SECRETS,
    entropy=PEOPLE,
    button=st.integers(0, 3),
)
PROOFS = FIRST_PROOFS | SECOND_PROOFS
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=80),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=10,
)


def record(**changes: Any) -> dict[str, Any]:
    """The record of a hand, with some fields changed."""
    made = first(
        PINEAPPLE, hand_id="12.7", seed=SEED, entropy=ENTROPY, dealt=DealInputs(button=1, fantasyland=(0, 14, 0))
    )
    read: dict[str, Any] = json.loads(json.dumps(made.to_json()))
    return read | changes


def without(key: str) -> dict[str, Any]:
    """The record without one of its fields."""
    return {name: value for name, value in record().items() if name != key}


def names(cards: Iterable[Card]) -> list[str]:
    """The names of cards."""
    return [card_name(card) for card in cards]


def test_a_record_says_of_which_seats_the_entropy_was_deleted() -> None:
    made = first(PINEAPPLE, hand_id="12.7", seed=SEED, entropy=ENTROPY, dealt=None)
    deleted = replace(made, entropy=(Entropy("gone", ""), *ENTROPY[1:]), withheld=(0,))
    assert deleted.to_json()["withheld"] == [0]
    assert read_proof(json.loads(json.dumps(deleted.to_json()))) == deleted
    assert check_proof(deleted.to_json()).problem is Problem.WITHHELD
    assert check_proof(replace(deleted, seed=bytes(32)).to_json()).problem is Problem.COMMITMENT


def test_a_record_is_what_the_page_says() -> None:
    made = record()
    assert list(made) == [
        *("algorithm", "hand_id", "variant", "deck", "commitment", "seed", "players", "dealt", "deck_order")
    ]
    assert made["algorithm"] == "chaipo/deal/v1"
    assert made["deck"] == {"decks": 1, "jokers": 0}
    assert made["seed"] == SEED.hex()
    assert made["players"][1] == {"player": "222", "entropy": "おはよう"}
    assert made["dealt"] == {"button": 1, "fantasyland": [0, 14, 0]}
    assert made["deck_order"] == cards_text(deal_deck(PINEAPPLE, hand_id="12.7", seed=SEED, entropy=ENTROPY))


def test_a_right_record_is_right() -> None:
    verdict = check_proof(record())
    assert (verdict.ok, verdict.problem, verdict.hand_id) == (True, None, "12.7")
    assert verdict.deck == deal_deck(PINEAPPLE, hand_id="12.7", seed=SEED, entropy=ENTROPY)
    assert "exactly this deck" in verdict.text


def test_what_is_only_for_convenience_may_be_missing_and_more_may_be_there() -> None:
    made = without("dealt") | {"voided": "lost_seed"}
    assert check_proof(made).ok
    assert "dealt" not in first(CLASSIC, hand_id="1.1", seed=SEED, entropy=[]).to_json()


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": bytes(32).hex()},
        {"commitment": bytes(32).hex()},
        {"hand_id": "12.8"},
    ],
)
def test_another_seed_than_the_committed_one_is_found(changes: dict[str, Any]) -> None:
    verdict = check_proof(record(**changes))
    assert (verdict.ok, verdict.problem) == (False, Problem.COMMITMENT)
    assert len(verdict.deck) == 52
    assert "not the one that was committed to" in verdict.text


def test_a_record_of_version_2_is_what_the_page_says() -> None:
    made = second(POLICY, fantasyland=14).to_json()
    assert list(made) == [
        *(
            "algorithm",
            "hand_id",
            "variant",
            "house",
            "edition",
            "deck",
            "root",
            "leaf",
            "path",
            "seed",
            "players",
            "dealt",
        ),
        "deck_order",
    ]
    assert (made["algorithm"], made["hand_id"], made["leaf"]) == ("chaipo/deal/v2", "9/12/7", 6)
    assert (made["variant"], made["house"]) == ("pineapple", {"fantasyland.entry": "KK", "jokers": "2"})
    assert made["dealt"] == {"button": 1, "fantasyland": [0, 14, 0]}
    assert check_proof(made).ok


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"dealt": {"button": 2, "fantasyland": [0, 0, 0]}}, Problem.DECK),
        ({"dealt": {"button": 1, "fantasyland": [0, 14, 0]}}, Problem.DECK),
        ({"dealt": {"button": 1, "fantasyland": [0, 13, 0]}}, Problem.GAME),
        ({"variant": "progressive"}, Problem.DECK),
        ({"variant": "joker_pineapple"}, Problem.GAME),
        ({"variant": "pinapple"}, Problem.GAME),
        ({"house": {"fantasyland.entry": "KK"}}, Problem.DECK),
        ({"house": {"jokers": "2"}}, Problem.GAME),
        ({"house": {"jokers": "many"}}, Problem.GAME),
        ({"deck": {"decks": 2, "jokers": 0}}, Problem.GAME),
        ({"leaf": 7}, Problem.COMMITMENT),
        ({"hand_id": "9/12/8"}, Problem.COMMITMENT),
        ({"root": bytes(32).hex()}, Problem.COMMITMENT),
        ({"path": [bytes(32).hex()] * 8}, Problem.COMMITMENT),
        ({"leaf": HANDS}, Problem.BAD_FORMAT),
        ({"path": [bytes(32).hex()] * 7}, Problem.BAD_FORMAT),
        ({"path": [bytes(31).hex()] * 8}, Problem.BAD_FORMAT),
        ({"path": [7] * 8}, Problem.BAD_FORMAT),
        ({"house": []}, Problem.BAD_FORMAT),
        ({"house": {"jokers": 2}}, Problem.BAD_FORMAT),
        ({"house": {2: "jokers"}}, Problem.BAD_FORMAT),
        ({"edition": 2}, Problem.DECK),
        ({"house": {"jokers": "2\nedition=2"}}, Problem.BAD_FORMAT),
        ({"house": {"a=b": "2"}}, Problem.BAD_FORMAT),
        ({"house": {"edition": "2"}}, Problem.BAD_FORMAT),
        ({"hand_id": "9/12/07"}, Problem.COMMITMENT),
        ({"players": [{"player": "111", "entropy": ""}] * 3}, Problem.BAD_FORMAT),
        (
            {"players": [{"player": "x y", "entropy": ""}] * 1, "dealt": {"button": 0, "fantasyland": [0]}},
            Problem.BAD_FORMAT,
        ),
        (
            {"players": [{"player": "computer-1", "entropy": "grind"}], "dealt": {"button": 0, "fantasyland": [0]}},
            Problem.BAD_FORMAT,
        ),
        (
            {
                "players": [{"player": str(number), "entropy": ""} for number in (1, 2, 3, 4)],
                "dealt": {"button": 0, "fantasyland": [0] * 4},
            },
            Problem.GAME,
        ),
        ({"edition": 1}, Problem.BAD_FORMAT),
        ({"edition": 99}, Problem.BAD_FORMAT),
        ({"variant": "pineapple\x1b[2J"}, Problem.BAD_FORMAT),
    ],
)
def test_what_a_record_of_version_2_says_cannot_be_changed(changes: dict[str, Any], problem: Problem) -> None:
    assert check_proof(second(PINEAPPLE).to_json() | changes).problem is problem


def test_a_record_of_version_2_says_who_was_dealt_what() -> None:
    made = second(PINEAPPLE).to_json()
    del made["dealt"]
    assert check_proof(made).text == "the record has no dealt"


def test_a_game_without_fantasyland_has_nobody_in_it() -> None:
    assert check_proof(second(CHINESE).to_json()).ok
    assert check_proof(second(CHINESE, fantasyland=13).to_json()).problem is Problem.GAME


@pytest.mark.parametrize(
    "changes",
    [
        {"deck_order": ""},
        {"deck_order": cards_text(full_deck())},
        {"deck_order": record()["deck_order"].lower()},
        {"players": record()["players"][::-1]},
        {"players": record()["players"][:2]},
        {"players": [{"player": "111", "entropy": "hell"}, *record()["players"][1:]]},
        {"deck": {"decks": 2, "jokers": 0}},
        {"deck": {"decks": 1, "jokers": 1}},
    ],
)
def test_another_deck_is_found(changes: dict[str, Any]) -> None:
    verdict = check_proof(without("dealt") | changes)
    assert (verdict.ok, verdict.problem) == (False, Problem.DECK)
    assert verdict.deck


def test_an_algorithm_of_another_day_is_not_guessed() -> None:
    verdict = check_proof(record(algorithm="chaipo/deal/v3"))
    assert (verdict.ok, verdict.problem, verdict.deck) == (False, Problem.UNKNOWN_ALGORITHM, ())
    assert "chaipo/deal/v1" in verdict.text


@pytest.mark.parametrize(
    "key", ["algorithm", "hand_id", "variant", "deck", "commitment", "seed", "players", "deck_order"]
)
def test_a_missing_field_is_named(key: str) -> None:
    verdict = check_proof(without(key))
    assert (verdict.problem, verdict.text) == (Problem.BAD_FORMAT, f"the record has no {key}")


HUGE = 10**5000
BAD: list[tuple[object, str]] = [
    (None, "the record must be a JSON object"),
    ([], "the record must be a JSON object"),
    ("{}", "the record must be a JSON object"),
    (record(algorithm=1), "algorithm must be text"),
    (record(hand_id=7), "hand_id must be text"),
    (record(hand_id="\ud800"), "hand_id is not Unicode text"),
    (record(variant=None), "variant must be text"),
    (record(variant="\x1b[2J"), "variant must be the key of a game: lower-case letters, digits and underscores"),
    (record(deck=[]), "deck must be a JSON object"),
    (record(deck={"decks": 1}), "deck has no jokers"),
    (record(deck={"decks": True, "jokers": 0}), "decks must be a whole number from 1 to 2"),
    (record(deck={"decks": 1.0, "jokers": 0}), "decks must be a whole number from 1 to 2"),
    (record(deck={"decks": HUGE, "jokers": 0}), "decks must be a whole number from 1 to 2"),
    (record(deck={"decks": 0, "jokers": 0}), "decks must be a whole number from 1 to 2"),
    (record(deck={"decks": 1, "jokers": 3}), "jokers must be a whole number from 0 to 2"),
    (record(commitment="0" * 63), "commitment must be 64 lower-case hexadecimal digits"),
    (record(commitment=7), "commitment must be text"),
    (record(seed=SEED.hex().upper()), "seed must be 64 lower-case hexadecimal digits"),
    (record(seed=SEED.hex()[:-1]), "seed must be 64 lower-case hexadecimal digits"),
    (record(seed=" " * 64), "seed must be 64 lower-case hexadecimal digits"),
    (record(seed="٣" * 64), "seed must be 64 lower-case hexadecimal digits"),
    (record(seed="0" * 5_000_000), "seed must be 64 lower-case hexadecimal digits"),
    (record(players={}), "players must be a list"),
    (record(players="ab"), "players must be a list"),
    (record(players=["ab"]), "a player must be a JSON object"),
    (record(players=[{"player": "1"}]), "a player has no entropy"),
    (record(players=[{"player": 1, "entropy": ""}]), "player must be text"),
    (record(players=[{"player": "1", "entropy": "\udfff"}]), "entropy is not Unicode text"),
    (record(deck_order=[]), "deck_order must be text"),
    (record(dealt=None), "dealt must be a JSON object"),
    (record(dealt={"fantasyland": [0, 0, 0]}), "dealt has no button"),
    (record(dealt={"button": 3, "fantasyland": [0, 0, 0]}), "button must be a whole number from 0 to 2"),
    (record(dealt={"button": 0, "fantasyland": [0, 0]}), "fantasyland must be a number of cards for each player"),
    (record(dealt={"button": 0, "fantasyland": [0, 0, "0"]}), "fantasyland must be a number of cards for each player"),
    (record(dealt={"button": 0, "fantasyland": [0, 0, HUGE]}), "fantasyland must be a number of cards for each player"),
    (
        record(dealt={"button": 0, "fantasyland": [0, 0, 0, -1]}),
        "fantasyland must be a number of cards for each player",
    ),
    (record(dealt={"button": 0, "fantasyland": 0}), "fantasyland must be a list"),
    (record(withheld=[3]), "withheld must be a list of seats"),
    (record(withheld=["0"]), "withheld must be a list of seats"),
    (record(withheld=0), "withheld must be a list"),
]


@pytest.mark.parametrize(("wrong", "text"), BAD, ids=[text for _, text in BAD])
def test_a_malformed_record_is_refused_with_the_reason(wrong: object, text: str) -> None:
    verdict = check_proof(wrong)
    assert (verdict.ok, verdict.problem, verdict.text) == (False, Problem.BAD_FORMAT, text)
    assert (verdict.hand_id, verdict.deck) == (None, ())
    with pytest.raises(ProofError, match=f"^{re.escape(text)}$") as caught:
        read_proof(wrong)
    assert caught.value.problem is Problem.BAD_FORMAT


@given(JSON)
def test_no_json_makes_the_check_raise(anything: object) -> None:
    assert check_proof(anything).problem is Problem.BAD_FORMAT


@given(key=st.sampled_from(sorted(record())), value=JSON)
def test_no_field_makes_the_check_raise(key: str, value: object) -> None:
    verdict = check_proof(record() | {key: value})
    assert verdict.ok is (verdict.problem is None)


@given(PROOFS)
def test_what_is_written_is_read_again(proof: Proof) -> None:
    written = json.loads(json.dumps(proof.to_json()))
    assert read_proof(written) == proof
    assert check_proof(written).ok


def test_the_page_has_test_vectors_and_they_are_right() -> None:
    assert len(VECTORS) == 3
    assert len(VECTORS_2) == 2
    for vector in (*VECTORS, *VECTORS_2):
        assert check_proof(vector).ok
        assert independent_verifier.problem(vector) is None


def test_the_page_has_the_bytes_on_the_way() -> None:
    vector = VECTORS[0]
    seed = bytes.fromhex(vector["seed"])
    parts = [b"chaipo/deal/v1/commit", vector["hand_id"].encode(), seed]
    stream = independent_verifier.stream(vector, 64)
    for value in (
        independent_verifier.frame([]),
        independent_verifier.frame([b""]),
        independent_verifier.frame([b"ab", b"c"]),
        independent_verifier.frame(parts),
        independent_verifier.message(vector),
        stream[:32],
        stream[32:],
    ):
        assert f"`{value.hex()}`" in PAGE
    steps = [(byte, byte % size) for byte, size in zip(stream[:3], (52, 51, 50), strict=True)]
    assert steps == [(113, 9), (200, 47), (14, 14)]
    assert (stream[22], 256 - 256 % 30, stream[23], 66 % 30) == (247, 240, 66, 6)
    assert (stream[34], 256 - 256 % 19, stream[35], 203 % 19) == (250, 247, 203, 13)


def test_the_page_says_who_is_dealt_what() -> None:
    dealt = independent_verifier.deals(VECTORS[0], [5, 3, 3, 3, 3])
    assert [seat for seat, _ in dealt] == [1] + [2, 0] * 5
    for _, cards in dealt[:5]:
        assert f"`{''.join(cards)}`" in PAGE


@pytest.mark.parametrize("name", ["fairness.md", "fairness.ja.md"])
def test_the_guide_shows_what_the_verifier_prints_for_the_first_record(name: str, tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    record.write_text(json.dumps(RECORDS[0]), encoding="utf-8")
    line = [sys.executable, str(Path(independent_verifier.__file__)), str(record)]
    printed = subprocess.run(line, capture_output=True, text=True, check=True).stdout
    guide = (PAGES / name).read_text(encoding="utf-8")
    (shown,) = re.findall(r"^ *```text\n *(.*)\n *```$", guide, re.MULTILINE)
    assert shown + "\n" == printed


def test_both_pages_point_to_each_other() -> None:
    for name in ("fairness", "fairness-spec"):
        english, japanese = ((PAGES / f"{name}{end}.md").read_text(encoding="utf-8") for end in ("", ".ja"))
        assert f"({name}.ja.md)" in english
        assert f"({name}.md)" in japanese
    for end in ("", ".ja"):
        page = (PAGES / f"fairness{end}.md").read_text(encoding="utf-8")
        assert "../tests/pure/ofc/independent_verifier.py" in page
        assert f"(fairness-spec{end}.md)" in page


@given(PROOFS)
def test_a_strangers_verifier_agrees_on_right_records(proof: Proof) -> None:
    assert independent_verifier.problem(proof.to_json()) is None


@given(proof=PROOFS, seed=st.integers(0, 1 << 32))
def test_a_strangers_verifier_agrees_on_wrong_records(proof: Proof, seed: int) -> None:
    chance = Random(seed)
    wrong = proof.to_json()
    committed = "commitment" if proof.leaf is None else "root"
    key = chance.choice(["seed", committed, "hand_id", "deck_order", "players", "algorithm"])
    match key:
        case "seed" | "commitment" | "root":
            wrong[key] = bytes(chance.randrange(256) for _ in range(32)).hex()
        case "hand_id" | "deck_order" | "algorithm":
            wrong[key] += "2"
        case _:
            wrong["players"].append({"player": "9", "entropy": ""})
            wrong.get("dealt", {"fantasyland": []})["fantasyland"].append(0)
    verdict, stranger = check_proof(wrong), independent_verifier.problem(wrong)
    assert verdict.problem is not None
    assert verdict.problem.value.replace("_", " ") == stranger


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.key)
def test_a_stranger_knows_who_is_dealt_what(variant: Variant) -> None:
    rule = variant.fantasyland
    fantasyland = (0, max(rule.entry.values()) if rule else 0, 0)
    proof = first(
        variant, hand_id="3.4", seed=SEED, entropy=ENTROPY, dealt=DealInputs(button=2, fantasyland=fantasyland)
    )
    deck = deal_deck(variant, hand_id="3.4", seed=SEED, entropy=ENTROPY)
    # If the cards are dealt in turn, everyone gets the same ones later.
    at_once = replace(variant, deal_mode=DealMode.STREET)
    played = opened(at_once, seats=3, fantasyland=fantasyland, button=2, deck=deck)
    dealt = independent_verifier.deals(proof.to_json(), [street.deal for street in variant.streets])
    assert dict(dealt[:3]) == {number: names(seat.held) for number, seat in enumerate(played.hand.seats)}
    for number, seat in enumerate(on_the_clock(played).hand.seats):
        to_him = [card for to, cards in dealt if to == number for card in cards]
        assert sorted(to_him) == sorted(names([card for row in (*seat.rows, seat.discards) for card in row]))


@pytest.mark.parametrize(("changes", "said", "code"), [({}, "right", 0), ({"deck_order": ""}, "deck differs", 1)])
def test_the_strangers_verifier_runs_by_itself(tmp_path: Path, changes: dict[str, Any], said: str, code: int) -> None:
    if said == "right":
        root = bytes.fromhex(record()["commitment"])
        said += f", if this was posted beforehand: {fingerprint(root)} ({root.hex()})"
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record() | changes), encoding="utf-8")
    script = independent_verifier.__file__
    done = subprocess.run([sys.executable, "-I", script, path], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == (f"{said}\n", "", code)


def test_the_strangers_verifier_imports_nothing_of_the_bot() -> None:
    source = Path(independent_verifier.__file__).read_text(encoding="utf-8")
    assert set(re.findall(r"^(?:import|from) (\w+)", source, re.MULTILINE)) == {
        *("base64", "hashlib", "hmac", "json", "sys", "pathlib", "typing")
    }
