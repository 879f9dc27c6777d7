"""The verifiable draw: bytes, bounds, chance, and the record that proves it."""

import hashlib
import hmac
import json
import re
import struct
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pure.event.draw import (
    ALGORITHM,
    Decks,
    DrawProblem,
    DrawProof,
    DrawProofError,
    check_draw,
    commitment,
    draw,
    prove,
    verify,
)
from bot.pure.ofc.deck import Entropy, frame

SEED = bytes(range(32))
ENTROPY = (Entropy("111", "hello"), Entropy("222", "おはよう"), Entropy("computer-1", ""))
NAMES = ("9", "10", "computer-1", "222", "111", "é")
MANY = tuple(str(name) for name in range(1000))
ORDER_OF_MANY = "a0b96d4e0d7fe2ee98f473fadb9f208a52d4744ee1733e248c8f63800856ce0f"
COMMITTED = "da78edbe80371ca5b39ace3772407a1d64ba2361cff82fb64c51f7a9cec2594c"

PAGE = (Path(__file__).parents[3] / "docs/fairness-spec.md").read_text(encoding="utf-8")
RECORDS: list[dict[str, Any]] = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
(VECTOR,) = [made for made in RECORDS if made["algorithm"] == ALGORITHM]
(DECK,) = [made for made in RECORDS if "/board/" in made.get("hand_id", "")]

TEXTS = st.text(max_size=20)
ENTROPIES = st.lists(st.builds(Entropy, player=TEXTS, text=TEXTS), max_size=4)
PROOFS = st.builds(
    prove,
    st.lists(TEXTS, min_size=1, max_size=30, unique=True),
    event=TEXTS,
    label=st.sampled_from(["round 2", "moment 12"]),
    seed=st.binary(min_size=32, max_size=32),
    entropy=st.just(()),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=80),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=10,
)


def drawn(
    names: Sequence[str] = NAMES,
    *,
    event: str = "7",
    label: str = "seats",
    seed: bytes = SEED,
    entropy: Sequence[Entropy] = ENTROPY,
) -> tuple[str, ...]:
    """A draw."""
    return draw(names, event=event, label=label, seed=seed, entropy=entropy)


def as_the_page_says(names: Sequence[str], event: str, label: str, seed: bytes, pairs: Sequence[str]) -> list[str]:
    """The draw once more, from its description and nothing else; ``pairs`` are ids and texts by turns."""
    parts = [text.encode() for text in ("chaipo/draw/v1", event, label, *pairs)]
    message = struct.pack(">I", len(parts)) + b"".join(struct.pack(">I", len(part)) + part for part in parts)
    blocks = (
        hmac.new(seed, message + struct.pack(">I", block), hashlib.sha256).digest() for block in range(len(names) + 9)
    )
    stream = [word for block in blocks for word in struct.unpack(">8I", block)]
    left = sorted(sorted(names), key=len)
    for size in range(len(names), 1, -1):
        while (word := stream.pop(0)) >= 2**32 // size * size:
            pass
        place = word % size
        left[size - 1], left[place] = left[place], left[size - 1]
    return left


def seed_of(number: int) -> bytes:
    """A fixed seed for each number."""
    return hashlib.sha256(number.to_bytes(4, "big")).digest()


def record(**changes: Any) -> dict[str, Any]:
    """The record of a draw, with some fields changed."""
    entropy = [Entropy(name, f"press of {name}") for name in NAMES]
    made = prove(NAMES, event="7", label="start", seed=SEED, entropy=entropy)
    read: dict[str, Any] = json.loads(json.dumps(made.to_json()))
    return read | changes


def test_the_draw_is_the_same_for_ever() -> None:
    assert ALGORITHM == "chaipo/draw/v1"
    assert drawn() == ("é", "computer-1", "222", "10", "9", "111")
    assert drawn(MANY)[:6] == ("783", "0", "589", "787", "881", "272")
    assert hashlib.sha256(",".join(drawn(MANY)).encode()).hexdigest() == ORDER_OF_MANY
    assert commitment(event="7", seed=SEED).hex() == COMMITTED


def test_the_commitment_is_what_the_page_says() -> None:
    parts = b"chaipo/draw/v1/commit", b"7", SEED
    framed = b"\0\0\0\3" + b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    assert commitment(event="7", seed=SEED) == hashlib.sha256(framed).digest()


def test_the_record_on_the_page_is_right() -> None:
    assert check_draw(VECTOR).ok
    parts = b"chaipo/draw/v1/commit", VECTOR["event"].encode(), bytes.fromhex(VECTOR["seed"])
    assert f"`{frame(*parts).hex()}`" in PAGE
    added = [text.encode() for pair in VECTOR["entropy"] for text in pair]
    message = frame(b"chaipo/draw/v1", VECTOR["event"].encode(), b"start", *added)
    assert f"`{message.hex()}`" in PAGE
    stream = hmac.digest(bytes.fromhex(VECTOR["seed"]), message + bytes(4), "sha256")
    assert f"`{stream.hex()}`" in PAGE
    steps = [(word, word % size) for word, size in zip(struct.unpack(">4I", stream[:16]), (5, 4, 3, 2), strict=True)]
    assert [f"{word} and j = {place}" in " ".join(PAGE.split()) for word, place in steps] == [True] * 4


def test_the_duplicate_deck_on_the_page_follows_from_its_master_and_the_registrations() -> None:
    master = bytes(range(32, 64))
    assert f"`{master.hex()}`" in PAGE
    assert f"`{commitment(event=VECTOR['event'] + '/boards', seed=master).hex()}`" in PAGE
    assert hmac.digest(master, b"board 1", "sha256").hex() == DECK["seed"]
    causes = dict(VECTOR["entropy"])
    added = frame(*(text.encode() for player in VECTOR["order"] for text in (player, causes[player])))
    assert DECK["players"] == [{"player": "event", "entropy": hashlib.sha256(added).hexdigest()}]


@given(st.lists(TEXTS, max_size=300), TEXTS, TEXTS, st.binary(min_size=32, max_size=32), ENTROPIES)
def test_the_draw_is_what_the_page_says(
    names: list[str], event: str, label: str, seed: bytes, entropy: list[Entropy]
) -> None:
    pairs = [text for player in entropy for text in (player.player, player.text)]
    made = draw(names, event=event, label=label, seed=seed, entropy=entropy)
    assert list(made) == as_the_page_says(names, event, label, seed, pairs)


@given(st.permutations(NAMES))
def test_the_order_in_which_the_names_come_does_not_matter(names: list[str]) -> None:
    assert drawn(names) == drawn()


@given(st.lists(TEXTS, max_size=40))
def test_everybody_is_drawn_once(names: list[str]) -> None:
    assert sorted(drawn(names)) == sorted(names)


def test_everything_that_goes_in_changes_the_order() -> None:
    orders = {
        drawn(MANY),
        drawn(MANY, event="8"),
        drawn(MANY, label="bracket"),
        drawn(MANY, seed=seed_of(1)),
        drawn(MANY, entropy=ENTROPY[:2]),
        drawn(MANY, entropy=ENTROPY[::-1]),
        drawn(MANY, event="7s", label="eats"),
    }
    assert len(orders) == 7


def test_every_order_comes_equally_often() -> None:
    names = "abcd"
    counts = Counter(drawn(names, seed=seed_of(number)) for number in range(4800))
    far = sum((counts[order] - 200) ** 2 / 200 for order in permutations(names))
    assert sum(counts.values()) == 4800
    assert far < 49.7  # chi-square, 23 degrees of freedom, one in a thousand


def test_a_record_is_what_the_page_says() -> None:
    made = record()
    assert list(made) == ["algorithm", "event", "label", "commitment", "seed", "entropy", "order"]
    assert made["seed"] == SEED.hex()
    entropy = [Entropy(name, f"press of {name}") for name in NAMES]
    assert made["entropy"] == [[name, f"press of {name}"] for name in NAMES]
    assert made["order"] == list(drawn(label="start", entropy=entropy))


@given(PROOFS)
def test_a_right_record_survives_json_and_is_right(proof: DrawProof) -> None:
    text = json.dumps(proof.to_json())
    assert DrawProof.from_json(json.loads(text)) == proof
    verdict = check_draw(json.loads(text))
    assert (verdict.ok, verdict.problem, verdict.order) == (True, None, proof.order)


def test_a_later_version_may_add_fields() -> None:
    assert check_draw(record(when="today")).ok


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"commitment": "00" * 32}, DrawProblem.COMMITMENT),
        ({"seed": "00" * 32}, DrawProblem.COMMITMENT),
        ({"event": "8"}, DrawProblem.COMMITMENT),
        ({"label": "bracket"}, DrawProblem.NAMES),
        ({"label": "start "}, DrawProblem.NAMES),
        ({"label": "round 2"}, DrawProblem.NAMES),
        ({"entropy": [["111", "hello!"]]}, DrawProblem.NAMES),
        ({"entropy": [[name, "press"] for name in NAMES]}, DrawProblem.ORDER),
        ({"order": sorted(NAMES)}, DrawProblem.ORDER),
        ({"decks": None}, DrawProblem.BAD_FORMAT),
        ({"algorithm": "chaipo/draw/v2"}, DrawProblem.UNKNOWN_ALGORITHM),
        ({"algorithm": None}, DrawProblem.BAD_FORMAT),
        ({"event": 7}, DrawProblem.BAD_FORMAT),
        ({"label": "\ud800"}, DrawProblem.BAD_FORMAT),
        ({"seed": "00" * 31}, DrawProblem.BAD_FORMAT),
        ({"seed": "AA" * 32}, DrawProblem.BAD_FORMAT),
        ({"entropy": {"111": "hello"}}, DrawProblem.BAD_FORMAT),
        ({"entropy": [["111"]]}, DrawProblem.BAD_FORMAT),
        ({"entropy": [["111", 5]]}, DrawProblem.BAD_FORMAT),
        ({"order": "abc"}, DrawProblem.BAD_FORMAT),
        ({"order": [1, 2]}, DrawProblem.BAD_FORMAT),
    ],
)
def test_a_changed_record_is_found_out(changes: dict[str, Any], problem: DrawProblem) -> None:
    verdict = check_draw(record(**changes))
    assert (verdict.ok, verdict.problem) == (False, problem)
    assert verdict.text


def start(names: Sequence[str] = NAMES, *, registered: Sequence[str] = NAMES) -> dict[str, Any]:
    """The record of a first draw among ``names``."""
    entropy = [Entropy(name, f"press of {name}") for name in registered]
    return prove(names, event="7", label="start", seed=SEED, entropy=entropy).to_json()


def test_those_who_are_drawn_at_the_start_are_those_who_registered() -> None:
    assert check_draw(start()).ok
    for names in ([*NAMES, "friend"], NAMES[1:], [NAMES[0], *NAMES[:-1]]):
        verdict = check_draw(start(names))
        assert (verdict.ok, verdict.problem) == (False, DrawProblem.NAMES)


def test_a_draw_of_nobody_or_of_somebody_twice_is_wrong() -> None:
    for names in ([], ["111", "111"]):
        made = prove(names, event="7", label="round 2", seed=SEED, entropy=[]).to_json()
        assert check_draw(made).problem is DrawProblem.NAMES


def test_a_name_that_was_put_in_later_is_found_out() -> None:
    proof = DrawProof.from_json(record())
    assert verify(replace(proof, order=(*proof.order, "friend"))).problem is DrawProblem.NAMES


@pytest.mark.parametrize("key", list(record()))
def test_a_record_without_a_field_cannot_be_read(key: str) -> None:
    left = {name: value for name, value in record().items() if name != key}
    with pytest.raises(DrawProofError):
        DrawProof.from_json(left)


@given(JSON)
def test_no_text_makes_the_check_raise(value: object) -> None:
    assert not check_draw(value).ok


def test_a_duplicate_events_record_tells_the_seed_of_its_decks() -> None:
    master = bytes(range(32))
    decks = Decks(event="1/event/2", commitment=commitment(event="1/event/2/boards", seed=master), seed=master)
    entropy = (Entropy("1", "a"), Entropy("2", "b"))
    proof = prove(["1", "2"], event="1/event/2", label="start", seed=b"s" * 32, entropy=entropy, decks=decks)
    assert DrawProof.from_json(proof.to_json()) == proof
    assert verify(proof).ok
    record = proof.to_json()
    record["decks"]["seed"] = "00" * 32
    assert check_draw(record).problem is DrawProblem.COMMITMENT
    broken: list[object] = [[], {}, {"commitment": "00" * 32}, {"commitment": 1, "seed": "00" * 32}]
    for damaged in broken:
        assert check_draw({**record, "decks": damaged}).problem is DrawProblem.BAD_FORMAT
