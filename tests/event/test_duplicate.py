"""Duplicate: what the cards bring counts for nothing, what is made of them counts."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.event.duplicate import cross_points, per_comparison

TABLES = st.integers(0, 5).flatmap(
    lambda seats: st.dictionaries(
        st.integers(1, 99),
        st.lists(st.integers(-200, 200), min_size=seats, max_size=seats),
        max_size=12,
    )
)


def test_each_is_compared_with_the_same_position_of_every_other_table() -> None:
    points = {1: (6, -6), 2: (2, -2), 5: (-4, 4)}
    assert cross_points(points) == {1: (4 + 10, -4 - 10), 2: (-4 + 6, 4 - 6), 5: (-10 - 6, 10 + 6)}


def test_a_table_alone_is_compared_with_nobody() -> None:
    assert cross_points({3: (5, -5)}) == {3: (0, 0)}
    assert cross_points({}) == {}


def test_different_positions_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="positions"):
        cross_points({1: (1, -1), 2: (0, 0, 0)})


@given(TABLES)
def test_a_score_is_the_sum_of_its_comparisons(points: dict[int, list[int]]) -> None:
    scores = cross_points(points)
    assert list(scores) == list(points)
    for table, own in points.items():
        others = [theirs for other, theirs in points.items() if other != table]
        assert scores[table] == tuple(sum(mine - theirs[i] for theirs in others) for i, mine in enumerate(own))


@given(TABLES)
def test_the_scores_of_a_position_sum_to_nothing(points: dict[int, list[int]]) -> None:
    assert all(sum(position) == 0 for position in zip(*cross_points(points).values(), strict=True))


@given(TABLES, st.integers(-50, 50))
def test_good_cards_for_all_change_nothing(points: dict[int, list[int]], luck: int) -> None:
    lucky = {table: [own + luck for own in row] for table, row in points.items()}
    assert cross_points(lucky) == cross_points(points)


def test_a_score_is_shown_per_comparison() -> None:
    assert per_comparison(14, 2) == 7
    assert per_comparison(-1, 3) == Fraction(-1, 3)
    assert per_comparison(0, 0) == 0
