"""The provably fair deal: bytes, bounds and chance."""

import ast
import hashlib
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bot.pure.ofc
from bot.pure.ofc.cards import Card, cards_text, full_deck
from bot.pure.ofc.deck import (
    SEED_BYTES,
    V1,
    DealInputs,
    Entropy,
    commitment,
    deal_deck,
    frame,
    game_text,
    hidden,
    message_of,
    shuffled,
)
from bot.pure.ofc.presets import DOUBLE_PINEAPPLE, PINEAPPLE

SEED = bytes(range(32))
PLAYERS = (Entropy("111111111111111111", "1290000000000000001"), Entropy("222222222222222222", "おはよう"))
ROOM = Path(bot.pure.ofc.__file__).parent
IMPURE = {"random", "secrets", "os", "time", "datetime", "uuid", "tempfile", "numpy"}


def deck(*, hand_id: str = "12.7", seed: bytes = SEED, entropy: Sequence[Entropy] = PLAYERS) -> tuple[Card, ...]:
    """A pineapple deck."""
    return deal_deck(PINEAPPLE, hand_id=hand_id, seed=seed, entropy=entropy)


def seed_of(number: int) -> bytes:
    """A fixed seed for each number."""
    return hashlib.sha256(number.to_bytes(4, "big")).digest()


def chi_square(counts: Sequence[int], expected: float) -> float:
    """Return the deviation of the counts from a uniform distribution."""
    return sum((count - expected) ** 2 for count in counts) / expected


def test_a_frame_says_how_many_parts_and_how_long() -> None:
    assert frame().hex() == "00000000"
    assert frame(b"").hex() == "0000000100000000"
    assert frame(b"ab", b"c").hex() == "000000020000000261620000000163"


@given(st.lists(st.binary(max_size=4), max_size=4), st.lists(st.binary(max_size=4), max_size=4))
def test_different_parts_have_different_frames(one: list[bytes], other: list[bytes]) -> None:
    assert (frame(*one) == frame(*other)) is (one == other)


def test_the_commitment_fixes_hand_and_seed() -> None:
    committed = commitment(hand_id="12.7", seed=SEED)
    assert len(committed) == 32
    assert commitment(hand_id="12.7", seed=SEED) == committed
    assert commitment(hand_id="12.8", seed=SEED) != committed
    assert commitment(hand_id="12.7", seed=seed_of(1)) != committed
    assert committed != b""


def test_the_deck_is_the_same_for_ever() -> None:
    made = cards_text(deck(entropy=[*PLAYERS, Entropy("computer-1", "")]))
    assert made.startswith("Ad3cQd7sQs9h3dJs2h2d7h2sQhKh9c6dKcTc9dQcAh5sAcJc")
    assert V1 == "chaipo/deal/v1"
    assert SEED_BYTES == 32


def test_everything_that_goes_in_changes_the_deck() -> None:
    swapped = [PLAYERS[1], PLAYERS[0]]
    moved = [Entropy("1111111111111111111", "290000000000000001"), PLAYERS[1]]
    other = [PLAYERS[0], Entropy(PLAYERS[1].player, "おはよ")]
    decks = [
        deck(),
        deck(hand_id="12.8"),
        deck(seed=seed_of(1)),
        deck(entropy=swapped),
        deck(entropy=moved),
        deck(entropy=other),
        deck(entropy=PLAYERS[:1]),
        deck(entropy=[]),
    ]
    assert len(set(decks)) == len(decks)


def test_in_version_2_the_deck_follows_from_the_game_and_from_who_is_dealt_what() -> None:
    usual, house = game_text("pineapple", {}), game_text("pineapple", {"jokers": "2", "decks": "2"})
    assert house == "pineapple\ndecks=2\njokers=2"
    plain, moved = DealInputs(button=1, fantasyland=(0, 0)), DealInputs(button=0, fantasyland=(0, 0))
    messages = [
        message_of(hand_id="12.7", entropy=PLAYERS, game=game, dealt=dealt)
        for game in (usual, house)
        for dealt in (plain, moved, DealInputs(button=1, fantasyland=(14, 0)))
    ]
    messages.append(message_of(hand_id="12.7", entropy=PLAYERS))
    assert len({shuffled(full_deck(), seed=SEED, message=message) for message in messages}) == len(messages)
    assert deal_deck(PINEAPPLE, hand_id="12.7", seed=SEED, entropy=PLAYERS, dealt=plain) == shuffled(
        full_deck(), seed=SEED, message=messages[0]
    )


@given(seed=st.binary(min_size=32, max_size=32), hand_id=st.text(), text=st.text())
def test_a_shuffle_is_a_permutation(seed: bytes, hand_id: str, text: str) -> None:
    for variant in (PINEAPPLE, DOUBLE_PINEAPPLE):
        made = deal_deck(variant, hand_id=hand_id, seed=seed, entropy=[Entropy("1", text)])
        assert Counter(made) == Counter(full_deck(decks=variant.decks))


@pytest.mark.parametrize("size", [0, 1, 2, 106, 256])
def test_any_number_of_cards_up_to_256_can_be_shuffled(size: int) -> None:
    cards = [Card(number) for number in range(size)]
    assert sorted(shuffled(cards, seed=SEED, message=b"1.1")) == cards


def test_the_rules_room_imports_no_chance_and_no_clock() -> None:
    for source in ROOM.glob("*.py"):
        tree = ast.parse(source.read_text(encoding="utf-8"))
        names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not {name.partition(".")[0] for name in names} & IMPURE, source.name


def test_random_is_not_imported_by_the_deck() -> None:
    assert "random" not in vars(bot.pure.ofc.deck)
    assert "random" not in (ROOM / "deck.py").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.no_cover
def test_every_card_comes_to_every_place_equally_often() -> None:
    hands = 20_000
    counts = Counter(
        (place, card)
        for number in range(hands)
        for place, card in enumerate(deck(hand_id=f"1.{number}", seed=seed_of(number)))
    )
    # 51 * 51 = 2601 degrees of freedom, standard deviation 72.
    value = chi_square([counts[place, card] for place in range(52) for card in full_deck()], hands / 52)
    assert 2601 - 4 * 72 < value < 2601 + 4 * 72


@pytest.mark.slow
@pytest.mark.no_cover
def test_every_order_of_four_cards_is_equally_likely() -> None:
    hands = 48_000
    cards = full_deck()[:4]
    counts = Counter(shuffled(cards, seed=seed_of(number), message=b"") for number in range(hands))
    orders = [counts[order] for order in permutations(cards)]
    # 23 degrees of freedom: a value above 49.7 comes about once in a thousand times.
    assert sum(orders) == hands
    assert chi_square(orders, hands / 24) < 49.7


@given(st.binary(max_size=400), st.binary(min_size=32, max_size=32))
def test_a_text_that_a_seed_hides_is_shown_by_that_seed(text: bytes, seed: bytes) -> None:
    assert hidden(hidden(text, seed=seed), seed=seed) == text


def test_a_hidden_text_looks_like_nothing_of_it() -> None:
    assert hidden(bytes(300), seed=bytes(32)) != bytes(300)
    assert hidden(bytes(300), seed=bytes(32)) != hidden(bytes(300), seed=b"x" * 32)
