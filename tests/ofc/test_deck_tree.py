"""One commitment to many hands: bytes, paths, and what a stranger cannot do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ofc.deck_tree import HANDS, PATH_HASHES, climbed, leaf_of, leaves_of, path_of, root_of, seed_of

SECRET = bytes(range(32))
IDS = [f"9/12/{number}" for number in range(1, HANDS + 1)]
LEAVES = leaves_of(SECRET, IDS)
ROOT = root_of(LEAVES)


def test_the_root_is_the_same_for_ever() -> None:
    assert (HANDS, PATH_HASHES) == (256, 8)
    assert seed_of(SECRET, "9/12/1").hex() == "0f067867f749a70d40d4a4f7180c1b51c440cf192c5d9e44ad777e8beff7eaa6"
    assert LEAVES[0].hex() == "a002b442e901831aeb875d68645ca218956f6d6b385fdcfea79ef4a2b8bc962b"
    assert ROOT.hex() == "68910b3534252b0408ddeb04a2093047280be9898aa710c695c25c739a701580"


@pytest.mark.parametrize("place", range(HANDS))
def test_every_leaf_leads_to_the_root(place: int) -> None:
    path = path_of(LEAVES, place)
    assert len(path) == PATH_HASHES
    assert climbed(leaf_of(IDS[place], seed_of(SECRET, IDS[place])), place, path) == ROOT


@given(st.integers(0, HANDS - 1), st.integers(0, HANDS - 1))
def test_a_path_leads_there_from_no_other_place_or_leaf(place: int, other: int) -> None:
    path = path_of(LEAVES, place)
    assert (climbed(LEAVES[other], place, path) == ROOT) is (other == place)
    assert (climbed(LEAVES[place], other, path) == ROOT) is (other == place)


@given(st.integers(0, HANDS - 1), st.integers(0, PATH_HASHES - 1), st.binary(min_size=32, max_size=32))
def test_no_other_hash_can_stand_in_a_path(place: int, step: int, other: bytes) -> None:
    path = list(path_of(LEAVES, place))
    path[step] = other
    assert climbed(LEAVES[place], place, path) != ROOT


def test_a_node_is_no_leaf() -> None:
    """The hashes are told apart by their names: no inner node can be given out as the seed of a hand."""
    level = [root_of(LEAVES[place : place + 2]) for place in range(0, HANDS, 2)]
    assert root_of(level) == ROOT
    assert not set(level) & {leaf_of("", left + right) for left, right in zip(LEAVES[::2], LEAVES[1::2], strict=True)}


def test_all_seeds_differ_and_none_is_the_secret() -> None:
    seeds = {seed_of(SECRET, name) for name in IDS}
    assert len(seeds) == HANDS
    assert SECRET not in seeds
