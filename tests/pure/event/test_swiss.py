"""The tables of a Swiss round: no repeated pairings while avoidable, and fair byes."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st

from bot.pure.event.seating import table_sizes
from bot.pure.event.swiss import swiss

Met = list[list[int]]


def again(tables: tuple[tuple[int, ...], ...], met: Met) -> int:
    return sum(met[one][other] for table in tables for one, other in combinations(table, 2))


def fewest_again(left: tuple[int, ...], sizes: tuple[int, ...], met: Met) -> int:
    """The fewest meetings again of all ways to sit these players down at tables of these sizes."""
    if not left:
        return 0
    found = []
    for size in set(sizes):
        rest = list(sizes)
        rest.remove(size)
        for others in combinations(left[1:], size - 1):
            table = (left[0], *others)
            after = tuple(player for player in left if player not in table)
            found.append(again((table,), met) + fewest_again(after, tuple(rest), met))
    return min(found)


def symmetric(players: int, counts: list[int]) -> Met:
    met = [[0] * players for _ in range(players)]
    for (one, other), count in zip(combinations(range(players), 2), counts, strict=False):
        met[one][other] = met[other][one] = count
    return met


@how(max_examples=60)
@given(st.sampled_from([(4, 2), (5, 2), (6, 2), (7, 2), (8, 2), (6, 3), (7, 3), (8, 3), (9, 3), (8, 4)]), st.data())
def test_as_few_meet_again_as_can_be(field: tuple[int, int], data: st.DataObject) -> None:
    players, seats = field
    counts = data.draw(st.lists(st.sampled_from([0, 0, 1, 1, 2]), min_size=36, max_size=36))
    met = symmetric(players, counts)
    tables = swiss(seats, met=met, short=[0] * players)
    sizes = table_sizes(players, seats)
    assert sorted((len(table) for table in tables), reverse=True) == [size for size in sizes if size > 1]
    assert again(tables, met) == fewest_again(tuple(range(players)), sizes, met)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_over_many_rounds_byes_and_smaller_tables_differ_by_one_and_everybody_plays(seats: int) -> None:
    for players in (3, 5, 7, 10, 13, 22, 40):
        met, short = symmetric(players, []), [0] * players
        for number in range(9):
            # The standings of each round: another order each time.
            order = sorted(range(players), key=lambda one: (one * (number + 3) * 7919 % 10_007, one))
            seen = swiss(seats, met=[[met[a][b] for b in order] for a in order], short=[short[a] for a in order])
            tables = [[order[place] for place in table] for table in seen]
            at = [one for table in tables for one in table]
            assert len(at) == len(set(at)) == players - (seats == 2 and players % 2)
            most = max(map(len, tables))
            for one in range(players):
                short[one] += not any(one in table and len(table) == most for table in tables)
            for one, other in (pair for table in tables for pair in combinations(table, 2)):
                met[one][other] += 1
                met[other][one] += 1
            assert max(short) - min(short) <= 1
            if seats == 2 and number < players // 2:
                assert max(map(max, met)) == 1, "half of all rounds need nobody twice"


def test_neighbours_in_the_standings_meet_and_the_lowest_has_the_bye() -> None:
    assert swiss(2, met=symmetric(5, []), short=[0] * 5) == ((0, 1), (2, 3))
    assert swiss(2, met=symmetric(5, []), short=[0, 0, 0, 0, 1]) == ((0, 1), (2, 4))
    met = symmetric(4, [1])
    assert swiss(2, met=met, short=[0] * 4) == ((0, 2), (1, 3))
    assert {frozenset(table) for table in swiss(3, met=symmetric(7, []), short=[0] * 7)} == {
        frozenset((5, 6)),
        frozenset((3, 4)),
        frozenset((0, 1, 2)),
    }


def test_the_same_numbers_give_the_same_tables() -> None:
    met = symmetric(20, [1, 0, 0, 1, 0] * 38)
    assert swiss(4, met=met, short=[0] * 20) == swiss(4, met=met, short=[0] * 20)
