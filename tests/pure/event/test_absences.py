"""Pairings of leagues after players have left."""

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as some

from bot.pure.event.absences import pair_present
from bot.pure.event.rounds import everybody, schedule
from bot.pure.event.seating import table_sizes


class League:
    """The rounds of a schedule whose players leave and return."""

    def __init__(self, players: int, seats: int) -> None:
        self.seats = seats
        self.met: Counter[frozenset[int]] = Counter()
        self.short: Counter[int] = Counter()
        self.players = players

    def play(self, planned: tuple[tuple[int, ...], ...], here: list[int]) -> tuple[tuple[int, ...], ...]:
        """Return the tables of a round for the players in ``here``."""
        at = {player: place for place, player in enumerate(here)}
        met = [[0 if a == b else self.met[frozenset((a, b))] for b in here] for a in here]
        rest = [[at[player] for player in table if player in at] for table in planned]
        made = pair_present(rest, self.seats, met=met, short=[self.short[player] for player in here])
        tables = tuple(tuple(here[one] for one in table) for table in made)
        largest = max(map(len, tables))
        full = {player for table in tables if len(table) == largest for player in table}
        self.short.update(set(here) - full)
        self.met.update(frozenset(pair) for table in tables for pair in combinations(table, 2))
        return tables


@given(some.integers(2, 12), some.integers(2, 4), some.data())
def test_whoever_is_there_plays_and_nobody_has_a_bye_before_all_had_as_many(
    players: int, seats: int, data: some.DataObject
) -> None:
    league, rounds = League(players, seats), data.draw(some.integers(1, 6))
    for planned in schedule(players, seats, rounds):
        here = sorted(data.draw(some.sets(some.integers(0, players - 1), min_size=2)))
        before = Counter(league.short)
        tables = league.play(planned, here)
        at_tables = [player for table in tables for player in table]
        assert len(at_tables) == len(set(at_tables))
        sizes = [size for size in table_sizes(len(here), seats) if size > 1]
        assert sorted(map(len, tables)) == sorted(sizes)
        for player in set(here) - set(at_tables):
            assert before[player] == min(before[one] for one in here)


@given(some.integers(2, 6))
def test_a_round_robin_that_one_player_leaves_is_finished_without_a_second_meeting(pairs: int) -> None:
    players = 2 * pairs
    league, byes = League(players, 2), Counter[int]()
    for planned in everybody(players, 2):
        here = list(range(players - 1))
        tables = league.play(planned, here)
        byes.update(set(here) - {player for table in tables for player in table})
    assert set(league.met.values()) == {1}
    assert len(league.met) == (players - 1) * (players - 2) // 2
    assert set(byes.values()) == {1}


def test_a_schedule_that_nobody_has_left_stays_as_it_is() -> None:
    for seats in (2, 3, 4):
        for planned in schedule(8, seats, 3):
            tables = League(8, seats).play(planned, list(range(8)))
            assert set(map(frozenset, tables)) == set(map(frozenset, planned))
