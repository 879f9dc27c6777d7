"""Groups followed by a bracket: pairings, tables, and places of advancing players."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from random import Random

import pytest

from bot.pure.event.bracket import Bracket, Progress, Seed, Side, Stage, grouped_bracket, progress, stage_of
from bot.pure.event.groups import GroupLine, group_count, group_table, qualified
from bot.pure.event.limits import MAX_GROUP_SIZE

FIELDS = range(4, 65)


def after_groups(players: int, groups: int, through: int, chance: Random) -> tuple[Bracket, dict[int, int], Progress]:
    """Groups that were played by chance, with those who go on in their places."""
    bracket, wins = grouped_bracket(players, groups=groups, through=through), dict[int, int]()
    while ready := progress(bracket, wins).ready:
        wins |= {match.number: chance.choice((a, b)) for match, a, b in ready}
    on = qualified(progress(bracket, wins).tables, bracket.through, frozenset())
    wins |= dict(zip(bracket.places, on, strict=True))
    return bracket, wins, progress(bracket, wins)


@pytest.mark.parametrize("players", FIELDS)
@pytest.mark.parametrize("through", [1, 2])
def test_groups_follow_the_field(players: int, through: int) -> None:
    for asked in (2, 4, 16):
        groups, on = group_count(players, asked, through)
        assert 2 <= groups <= max(asked, -(-players // MAX_GROUP_SIZE))
        assert on == (1 if players < 6 else through)
        bracket = grouped_bracket(players, groups=asked, through=through)
        sizes = sorted(map(len, bracket.groups))
        assert sum(sizes) == players
        assert sizes[-1] - sizes[0] <= 1
        assert on < sizes[0]
        assert sizes[-1] <= MAX_GROUP_SIZE


@pytest.mark.parametrize("players", FIELDS)
def test_each_meets_each_of_the_group_once_and_nobody_is_at_two_tables(players: int) -> None:
    bracket, wins = grouped_bracket(players, groups=4, through=2), dict[int, int]()
    met: Counter[frozenset[int]] = Counter()
    while ready := progress(bracket, wins).ready:
        seated = [seed for _, a, b in ready for seed in (a, b)]
        assert len(seated) == len(set(seated))
        assert len({match.round for match, _, _ in ready}) == 1
        for match, a, b in ready:
            met[frozenset((a, b))] += 1
            stage, number = stage_of(bracket, match.number)
            assert stage is Stage.GROUP
            assert {a, b} <= set(bracket.groups[number - 1])
            wins[match.number] = a
    pairs = [frozenset(pair) for group in bracket.groups for pair in combinations(group, 2)]
    assert met == Counter(pairs)


def test_seeds_are_dealt_forth_and_back() -> None:
    assert grouped_bracket(8, groups=2, through=2).groups == ((1, 4, 5, 8), (2, 3, 6, 7))


def test_a_table_goes_by_wins_then_by_who_beat_whom_then_by_seed() -> None:
    direct = group_table([1, 2, 3, 4], [(1, 2), (3, 1), (1, 4), (2, 3), (2, 4), (4, 3)])
    assert [(row.seed, row.won, row.lost, row.by_draw) for row in direct] == [
        (1, 2, 1, False),  # has beaten 2, who has won as many
        (2, 2, 1, False),
        (4, 1, 2, False),  # has beaten 3
        (3, 1, 2, False),
    ]
    circle = group_table([1, 2, 3], [(1, 2), (2, 3), (3, 1)])
    assert [(row.seed, row.by_draw) for row in circle] == [(1, True), (2, True), (3, True)]
    assert group_table([3, 1], [])[0] == GroupLine(seed=1, by_draw=True)


def test_the_order_of_results_and_members_changes_no_table() -> None:
    results = [(1, 2), (2, 3), (3, 1), (1, 4), (2, 4), (4, 3)]
    assert len({group_table(list(members), results[::-1]) for members in permutations([1, 2, 3, 4])}) == 1


@pytest.mark.parametrize(
    "players",
    [pytest.param(players, marks=[pytest.mark.deep] * (players > 20 and players % 8 > 1)) for players in FIELDS],
)
def test_those_of_one_group_meet_in_the_final_at_the_earliest(players: int) -> None:
    chance = Random(players)
    met = 0
    for asked in (2, 3, 4, 5, 8, 16):
        bracket, wins, made = after_groups(players, asked, 2, chance)
        assert made.drawn
        home = {seed: at for at, group in enumerate(bracket.groups) for seed in group}
        while ready := made.ready:
            for match, a, b in ready:
                assert home[a] != home[b] or match is bracket.matches[-1]
                met += 1
                wins[match.number] = chance.choice((a, b))
            made = progress(bracket, wins)
        assert made.over
        on = len(bracket.groups) * bracket.through
        assert sorted(made.out.values()) == sorted(
            [-at for table in made.tables for at in range(bracket.through + 1, len(table) + 1)]
            + [far for far in made.out.values() if far > 0]
        )
        assert set(made.standing()[:on]) == {wins[number] for number in bracket.places}
        assert made.standing()[0] == made.champion
    assert met


@pytest.mark.parametrize("groups", [3, 5, 6, 7])
def test_byes_go_to_winners_of_groups(groups: int) -> None:
    bracket, _, made = after_groups(3 * groups, groups, 2, Random(groups))
    winners = {table[0].seed for table in made.tables}
    first = [match for match in bracket.matches if match.side is Side.WINNERS and match.round == 1]
    free = {
        a.number
        for match in first
        for a, b in [made.sides[match.number]]
        if isinstance(a, Seed) and not isinstance(b, Seed)
    }
    assert free
    assert free <= winners or winners <= free


def test_the_next_of_a_group_moves_up_for_one_who_is_gone() -> None:
    tables = [group_table(members, list(combinations(members, 2))) for members in ((1, 4, 5), (2, 3, 6))]
    assert qualified(tables, 2, frozenset()) == (1, 2, 4, 3)
    assert set(qualified(tables, 2, {1})) == {4, 5, 2, 3}
    assert set(qualified(tables, 2, {1, 4, 5})) == {2, 3}
    assert set(qualified(tables, 2, {1, 2, 3, 4, 5, 6})) == {1, 4, 2, 3}, "so that it ends"


@pytest.mark.parametrize("gone", [{1}, {1, 4}, {1, 4, 5}, {1, 4, 5, 2, 3}])
def test_a_group_that_sends_fewer_leaves_byes(gone: set[int]) -> None:
    bracket, wins, before = after_groups(6, 2, 2, Random(1))
    wins = {number: seed for number, seed in wins.items() if number not in bracket.places}
    on = qualified(before.tables, 2, gone)
    wins |= dict(zip(bracket.places, on, strict=False))
    made = progress(bracket, wins)
    while made.ready:
        wins |= {match.number: a for match, a, _ in made.ready}
        made = progress(bracket, wins)
    assert made.champion in on
    assert made.over
