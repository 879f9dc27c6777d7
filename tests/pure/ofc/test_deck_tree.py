"""One commitment for many hands: bytes, paths, and failed attacks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pure.ofc.deck_tree import (
    HANDS,
    PATH_HASHES,
    build_tree,
    compute_root,
    leaf_of,
    leaves_of,
    path_of,
    root_of,
    seed_of,
)

SECRET = bytes(range(32))
IDS = [f"9/12/{number}" for number in range(1, HANDS + 1)]
LEAVES = leaves_of(SECRET, IDS)
TREE = build_tree(LEAVES)
ROOT = root_of(IDS[0], TREE)


def test_the_root_is_the_same_for_ever() -> None:
    assert (HANDS, PATH_HASHES) == (256, 8)
    assert seed_of(SECRET, "9/12/1").hex() == "0f067867f749a70d40d4a4f7180c1b51c440cf192c5d9e44ad777e8beff7eaa6"
    assert LEAVES[0].hex() == "a002b442e901831aeb875d68645ca218956f6d6b385fdcfea79ef4a2b8bc962b"
    assert ROOT.hex() == "24e970677b114017eea00bf2940c864f2a2177115cdd0a00a4523f2d62debb81"


@pytest.mark.parametrize("place", range(HANDS))
def test_every_leaf_leads_to_the_root(place: int) -> None:
    path = path_of(TREE, place)
    assert len(path) == PATH_HASHES
    assert compute_root(IDS[place], seed_of(SECRET, IDS[place]), place, path) == ROOT


@given(st.integers(0, HANDS - 1), st.integers(0, HANDS - 1))
def test_a_path_leads_there_from_no_other_place_or_leaf(place: int, other: int) -> None:
    path = path_of(TREE, place)
    seed = seed_of(SECRET, IDS[place])
    assert (compute_root(IDS[other], seed_of(SECRET, IDS[other]), place, path) == ROOT) is (other == place)
    assert (compute_root(IDS[place], seed, other, path) == ROOT) is (other == place)


def test_a_hand_has_one_place_in_a_tree_and_no_second_seed() -> None:
    """An attacker puts several seeds for one hand into the tree. Each gives another root."""
    for place in (20, 255):
        seeds = {number: bytes([number]) * 32 for number in range(HANDS)}
        leaves = [leaf_of(IDS[6] if number == place else IDS[number], seeds[number]) for number in range(HANDS)]
        tree = build_tree(leaves)
        root = root_of(IDS[0], tree)
        assert compute_root(IDS[6], seeds[6], 6, path_of(tree, 6)) == root
        assert compute_root(IDS[6], seeds[place], place, path_of(tree, place)) != root


@pytest.mark.parametrize(
    "hand_id", ["", "9/12", "9/12/0", "9/12/07", "9/12/7\n", "9/12/7/", "9/event/3/board/1", "9/12/6"]
)
def test_what_is_no_hand_at_its_place_leads_nowhere(hand_id: str) -> None:
    assert compute_root(hand_id, SECRET, 6, path_of(TREE, 6)) == b""


@given(st.integers(0, HANDS - 1), st.integers(0, PATH_HASHES - 1), st.binary(min_size=32, max_size=32))
def test_no_other_hash_can_stand_in_a_path(place: int, step: int, other: bytes) -> None:
    path = list(path_of(TREE, place))
    path[step] = other
    assert compute_root(IDS[place], seed_of(SECRET, IDS[place]), place, path) != ROOT


def test_a_node_is_no_leaf() -> None:
    """Domain-separated hashes keep inner nodes from being presented as seeds."""
    inner = {path[1] for path in (path_of(TREE, place) for place in range(HANDS))}
    assert len(inner) == HANDS // 2
    assert not inner & {leaf_of("", left + right) for left, right in zip(LEAVES[::2], LEAVES[1::2], strict=True)}


def test_all_seeds_differ_and_none_is_the_secret() -> None:
    seeds = {seed_of(SECRET, name) for name in IDS}
    assert len(seeds) == HANDS
    assert SECRET not in seeds
