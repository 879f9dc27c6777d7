"""A league's schedule: as many different opponents as possible, from every seat.

In duplicate events, the quality of the cards doesn't count, only the result made from them.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from time import process_time

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st

from bot.pure.event.limits import MAX_ROUND_ROBIN_PLAYERS
from bot.pure.event.rounds import Round, cross_points, everybody, per_comparison, schedule, settle_rounds
from bot.pure.event.rounds import meetings as most_meetings
from bot.pure.event.seating import table_sizes
from bot.pure.event.structure import PRESETS

FIELDS = st.integers(2, 40), st.integers(3, 8), st.integers(1, 8)


TABLES = st.integers(0, 5).flatmap(
    lambda seats: st.dictionaries(
        st.integers(1, 99),
        st.lists(st.integers(-200, 200), min_size=seats, max_size=seats),
        max_size=12,
    )
)


def meetings(rounds: tuple[Round, ...], players: int) -> list[int]:
    """Return how often each two players met."""
    met = Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))
    return [met[pair] for pair in combinations(range(players), 2)]


def byes(rounds: tuple[Round, ...], players: int) -> list[int]:
    """Return each player's number of byes."""
    played = Counter(player for tables in rounds for table in tables for player in table)
    return [len(rounds) - played[player] for player in range(players)]


def sat(rounds: tuple[Round, ...], player: int) -> Counter[int]:
    """The number of times that a player sat on each seat."""
    return Counter(table.index(player) for tables in rounds for table in tables if player in table)


def spread(counts: list[int]) -> int:
    return max(counts) - min(counts)


def test_four_players_meet_heads_up() -> None:
    assert schedule(4, 2, 3) == (((0, 3), (1, 2)), ((0, 1), (3, 2)), ((1, 3), (2, 0)))


@given(st.integers(2, 60))
def test_heads_up_everybody_meets_everybody_once(players: int) -> None:
    cycle = players - 1 + players % 2
    rounds = schedule(players, 2, cycle)
    assert set(meetings(rounds, players)) == {1}
    assert set(byes(rounds, players)) == {players % 2}


@given(st.integers(2, 30), st.integers(1, 70))
def test_heads_up_byes_and_meetings_and_seats_are_even_at_any_time(players: int, count: int) -> None:
    rounds = schedule(players, 2, count)
    assert len(rounds) == count
    assert spread(byes(rounds, players)) <= 1
    assert spread(meetings(rounds, players)) <= 1
    for player in range(players):
        seats = sat(rounds, player)
        assert abs(seats[0] - seats[1]) <= 2


@given(st.integers(2, 30), st.integers(0, 40))
def test_the_next_time_heads_up_the_seats_are_swapped(players: int, number: int) -> None:
    cycle = players - 1 + players % 2
    rounds = schedule(players, 2, number + cycle + 1)
    assert rounds[number + cycle] == tuple(pair[::-1] for pair in rounds[number])


@how(max_examples=30)
@given(st.integers(2, 40), st.integers(2, 8), st.integers(0, 6))
def test_everybody_is_at_one_table_at_most_in_a_round(players: int, seats: int, count: int) -> None:
    rounds = schedule(players, seats, count)
    assert len(rounds) == count
    for tables in rounds:
        at = [player for table in tables for player in table]
        assert len(set(at)) == len(at)
        assert set(at) <= set(range(players))
        assert all(2 <= len(table) <= seats for table in tables)


@how(max_examples=30)
@given(*FIELDS)
def test_with_more_seats_nobody_has_a_bye_and_tables_are_even(players: int, seats: int, count: int) -> None:
    rounds = schedule(players, seats, count)
    assert set(byes(rounds, players)) == {0}
    assert all(tuple(map(len, tables)) == table_sizes(players, seats) for tables in rounds)


@how(max_examples=30)
@given(*FIELDS)
def test_smaller_tables_are_shared_out(players: int, seats: int, count: int) -> None:
    rounds = schedule(players, seats, count)
    large = table_sizes(players, seats)[0]
    small = Counter(player for tables in rounds for table in tables if len(table) < large for player in table)
    assert spread([small[player] for player in range(players)]) <= 2


@how(max_examples=30)
@given(st.integers(3, 40), st.integers(3, 8))
def test_nobody_always_has_the_same_seat(players: int, seats: int) -> None:
    rounds = schedule(players, seats, 4)
    assert all(len(sat(rounds, player)) > 1 for player in range(players))


@pytest.mark.parametrize(
    ("players", "seats", "count", "least", "most"),
    [
        (4, 3, 6, 2, 2),
        (6, 3, 10, 4, 4),
        (7, 3, 6, 1, 2),
        (8, 4, 7, 3, 3),
        (9, 3, 4, 1, 1),
        (10, 3, 9, 1, 2),
        (16, 4, 5, 1, 1),
        (15, 3, 7, 0, 2),
        (24, 3, 10, 0, 2),
        (20, 4, 6, 0, 2),
        (31, 4, 10, 0, 2),
        (50, 3, 10, 0, 1),
        (50, 6, 10, 0, 2),
        (100, 3, 10, 0, 1),
    ],
)
def test_meetings_are_spread(players: int, seats: int, count: int, least: int, most: int) -> None:
    """The fields of 4, 6, 8, 9 and 16 players have perfect schedules."""
    met = meetings(schedule(players, seats, count), players)
    assert least <= min(met) <= max(met) <= most


@pytest.mark.parametrize("seats", [3, 4])
def test_where_everybody_could_meet_everybody_once_few_meet_often(seats: int) -> None:
    for players in range(3, 31):
        rounds = min(max(-(-(players - 1) // (seats - 1)), 3), 10)
        met = meetings(schedule(players, seats, rounds), players)
        assert spread(met) <= 3 if players < 12 else spread(met) <= 2


def test_in_a_large_field_nobody_meets_twice() -> None:
    assert max(meetings(schedule(200, 3, 10), 200)) == 1


@pytest.mark.deep
@pytest.mark.parametrize("seats", [2, 3, 4, 6, 8])
def test_a_large_field_is_quick(seats: int) -> None:
    began = process_time()
    schedule(200, seats, 10)
    assert process_time() - began < 2


def test_the_same_numbers_give_the_same_schedule() -> None:
    assert schedule(14, 3, 6) == schedule(14, 3, 6)
    assert schedule(14, 3, 6)[:4] == schedule(14, 3, 4)


@pytest.mark.parametrize("players", [0, 1])
@pytest.mark.parametrize("seats", [2, 3])
def test_nobody_plays_alone(players: int, seats: int) -> None:
    assert schedule(players, seats, 2) == ((), ())


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


# complete schedules


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_rounds_go_on_until_everybody_has_met_everybody(seats: int) -> None:
    for players in range(2, 15):
        rounds = everybody(players, seats)
        met = meetings(rounds, players)
        assert min(met) >= 1
        assert min(meetings(rounds[:-1], players)) == 0, "the last round was needed"
        assert most_meetings(rounds, players) == (min(met), max(met)), "what is said is so"
        assert spread(byes(rounds, players)) == 0


@pytest.mark.parametrize(
    ("players", "seats", "count", "most"),
    [(7, 2, 7, 1), (8, 2, 7, 1), (40, 2, 39, 1), (3, 3, 1, 1), (9, 3, 4, 1), (16, 4, 5, 1)],
)
def test_where_all_can_meet_once_they_do(players: int, seats: int, count: int, most: int) -> None:
    rounds = everybody(players, seats)
    assert (len(rounds), most_meetings(rounds, players)) == (count, (1, most))


@pytest.mark.parametrize(("players", "seats", "count", "most"), [(6, 3, 4, 4), (12, 3, 7, 2), (12, 4, 5, 3)])
def test_at_larger_tables_few_rounds_are_enough_and_nobody_meets_the_same_player_often(
    players: int, seats: int, count: int, most: int
) -> None:
    """For six at tables of three it is the best there is: of all 210 ways of four rounds none has less than 4."""
    rounds = everybody(players, seats)
    assert (len(rounds), most_meetings(rounds, players)) == (count, (1, most))


def test_of_the_largest_field_that_may_all_meet_nobody_meets_the_same_player_often() -> None:
    rounds = everybody(MAX_ROUND_ROBIN_PLAYERS, 4)
    assert most_meetings(rounds, MAX_ROUND_ROBIN_PLAYERS) == (1, 3)
    assert len(rounds) < 20


def test_how_many_rounds_a_league_has_follows_from_its_players_where_all_meet() -> None:
    league = PRESETS["round_robin"]
    assert settle_rounds(league, 7).rounds == 7
    assert settle_rounds(replace(league, table_seats=3), 9).rounds == 4
    assert settle_rounds(league, MAX_ROUND_ROBIN_PLAYERS + 1) == league
    assert settle_rounds(PRESETS["league"], 7) == PRESETS["league"]
