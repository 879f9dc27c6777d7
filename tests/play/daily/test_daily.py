"""The rules around the hand of a day: games, points, places, streaks, and a grid that tells no card."""

from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.clock import DAY
from bot.model.daily import (
    FREEZE_AFTER,
    DailyOutcome,
    DailyPlace,
    Mark,
    Series,
    Streak,
    begins_at,
    compare_boards,
    date_of,
    day_at,
    game_of,
    lone_points,
    place_among,
    played_on,
    previous_day,
)
from bot.pure.ofc.cards import RowCards, full_deck
from bot.pure.ofc.presets import JOKER_PINEAPPLE, PINEAPPLE, PROGRESSIVE, THIRTEEN

SUNDAY = 20_779 - 20_779 % 7 + 3
"""Day 0 was a Thursday."""
DECK = full_deck(decks=1, jokers=0)


def board(*cards: int) -> RowCards:
    """Thirteen cards of the deck, by their places, from the front on."""
    placed = [DECK[card] for card in cards]
    return tuple(placed[:3]), tuple(placed[3:8]), tuple(placed[8:])


def outcome(rows: RowCards, *, foul: bool = False) -> DailyOutcome:
    """A board of which only the cards matter."""
    return DailyOutcome(rows=rows, foul=foul, royalties=0, fantasyland=0, points=0)


def streak_of(*days: int) -> Streak:
    """Return the streak of a player who played on these days."""
    streak = None
    for day in days:
        streak = played_on(streak, day)
    assert streak is not None
    return streak


def test_a_day_begins_and_ends_at_midnight_utc() -> None:
    assert (day_at(begins_at(SUNDAY) - 1), day_at(begins_at(SUNDAY))) == (SUNDAY - 1, SUNDAY)
    assert begins_at(SUNDAY + 1) - begins_at(SUNDAY) == DAY
    assert date_of(0).isoformat() == "1970-01-01"


def test_every_day_is_pineapple_and_sundays_have_a_game_of_another_kind_in_turn() -> None:
    assert date_of(SUNDAY).strftime("%A") == "Sunday"
    week = range(SUNDAY, SUNDAY + 7)
    assert {game_of(Series.DAILY, day) for day in week} == {PINEAPPLE}
    assert [game_of(Series.WEEKLY, day) is None for day in week] == [False, *[True] * 6]
    in_turn = [game_of(Series.WEEKLY, SUNDAY + 7 * week) for week in range(6)]
    assert in_turn[:3] == in_turn[3:]
    assert sorted(game.key for game in in_turn[:3] if game) == sorted(
        game.key for game in (PROGRESSIVE, JOKER_PINEAPPLE, THIRTEEN)
    )


def test_the_hand_before_is_of_the_day_before_or_of_the_last_sunday() -> None:
    assert previous_day(Series.DAILY, SUNDAY) == SUNDAY - 1
    assert game_of(Series.WEEKLY, previous_day(Series.WEEKLY, SUNDAY)) is not None


@pytest.mark.parametrize(
    ("foul", "royalties", "fantasyland", "points"),
    [(False, 0, 0, 0), (False, 9, 0, 9), (False, 9, 14, 19), (False, 9, 17, 34), (True, 0, 0, -6), (True, 9, 14, -6)],
)
def test_a_board_counts_its_royalties_ten_for_fantasyland_and_six_less_for_a_foul(
    foul: bool, royalties: int, fantasyland: int, points: int
) -> None:
    assert lone_points(foul=foul, royalties=royalties, fantasyland=fantasyland) == points


def test_a_place_tells_how_many_of_the_others_have_fewer_points() -> None:
    assert place_among({4: 1}, 4) is None
    assert place_among({4: 2}, 4) == DailyPlace(others=1, beaten=0, equal=1)
    assert place_among({0: 2, 4: 1, 9: 1}, 4) == DailyPlace(others=3, beaten=2, equal=0)
    assert place_among({0: 2, 4: 1, 9: 1}, 9) == DailyPlace(others=3, beaten=3, equal=0)


def test_a_share_is_rounded_down() -> None:
    assert DailyPlace(others=3, beaten=2, equal=0).share == 66
    assert DailyPlace(others=3, beaten=3, equal=0).share == 100
    assert DailyPlace(others=1000, beaten=999, equal=1).share == 99, (
        "nobody who has an equal is told that they beat all"
    )


@given(st.dictionaries(st.integers(-6, 90), st.integers(1, 50), min_size=1))
def test_a_place_is_never_worse_with_more_points(counts: dict[int, int]) -> None:
    places = [place_among(counts, points) for points in sorted(counts)]
    known = [place.share for place in places if place is not None]
    assert known == sorted(known)
    assert all(0 <= place <= 100 for place in known)


def test_days_in_a_row_make_a_streak() -> None:
    assert streak_of(5, 6, 7) == Streak(last=7, days=3, best=3)


def test_a_day_counts_once() -> None:
    assert streak_of(5, 5, 5) == streak_of(5)
    assert played_on(streak_of(5, 6), 5) == streak_of(5, 6)


def test_one_missed_day_is_forgiven_and_the_next_is_not() -> None:
    once = streak_of(5, 6, 8)
    assert (once.days, once.has_freeze) == (3, False)
    assert played_on(once, 10) == Streak(last=10, days=1, best=3)


def test_two_missed_days_end_a_streak_whatever_was_saved() -> None:
    assert streak_of(5, 6, 9) == Streak(last=9, days=1, best=2)


def test_the_freeze_comes_back_after_seven_days_of_the_streak() -> None:
    days = [5, 7, *range(8, 8 + FREEZE_AFTER)]
    assert not streak_of(*days[:-1]).has_freeze
    assert streak_of(*days).has_freeze
    assert played_on(streak_of(*days), days[-1] + 2).days == len(days) + 1


def test_a_streak_that_can_still_be_saved_is_shown() -> None:
    streak = streak_of(5, 6)
    assert [streak.length_on(day) for day in (6, 7, 8, 9)] == [2, 2, 2, 0]
    assert streak_of(5, 7).length_on(9) == 0


@given(st.lists(st.integers(0, 60), min_size=1, unique=True).map(sorted))
def test_a_streak_never_forgives_two_days_within_seven(days: list[int]) -> None:
    streak = None
    forgiven: list[int] = []
    for day in days:
        grown = played_on(streak, day)
        if streak is not None and grown.days > 1 and day > streak.last + 1:
            assert day == streak.last + 2
            forgiven.append(grown.days)
        elif grown.days == 1:
            forgiven = []
        streak = grown
        assert streak.best >= streak.days
    assert all(later - earlier > FREEZE_AFTER for earlier, later in pairwise(forgiven))


def test_the_grid_compares_with_where_a_master_has_put_each_card() -> None:
    master = outcome(board(*range(13)))
    mine = outcome(board(13, 3, 0, 1, 4, 5, 6, 7, *range(8, 13)))
    assert compare_boards(mine, master) == (
        (Mark.SAME_ROW, Mark.OTHER_ROW, Mark.DISCARDED),
        (*[Mark.SAME_ROW] * 4, Mark.OTHER_ROW),
        (Mark.SAME_ROW,) * 5,
    )


def test_the_grid_of_a_foul_is_compared_like_any_other() -> None:
    same = board(*range(13))
    assert set(chain(*compare_boards(outcome(same, foul=True), outcome(same)))) == {Mark.SAME_ROW}


@given(st.permutations(range(13)), st.data())
def test_the_grid_is_the_same_whatever_the_order_of_the_cards_in_a_row(cards: list[int], data: st.DataObject) -> None:
    rows = board(*cards)
    mixed = tuple(tuple(data.draw(st.permutations(row))) for row in rows)
    master = outcome(board(*range(13)))
    assert compare_boards(outcome(rows), master) == compare_boards(outcome((mixed[0], mixed[1], mixed[2])), master)
