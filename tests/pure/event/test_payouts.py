"""Payouts of a tournament: all chips, with priority for the first places."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pure.event.payouts import default_payouts, prizes, resettled
from bot.pure.event.scoring import series_points

PERCENTAGES = st.lists(st.integers(1, 100), min_size=1, max_size=30).map(lambda shares: sorted(shares, reverse=True))


def test_a_small_field_pays_few() -> None:
    assert [len(default_payouts(entries)) for entries in (1, 3, 4, 6, 7, 13, 14, 22)] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert default_payouts(8) == (50, 30, 20)


@given(st.integers(1, 300))
def test_the_usual_payouts_share_out_all_and_never_more_to_a_worse_place(entries: int) -> None:
    paid = default_payouts(entries)
    assert sum(paid) == 100
    assert all(better >= worse > 0 for better, worse in pairwise(paid))
    assert len(paid) <= entries


def test_about_a_sixth_of_the_field_is_paid() -> None:
    assert all(0.13 <= len(default_payouts(entries)) / entries <= 0.22 for entries in range(23, 201))


def test_a_bigger_field_never_pays_fewer_places_and_thirty_are_the_most() -> None:
    places = [len(default_payouts(entries)) for entries in range(1, 1000)]
    assert places == sorted(places)
    assert places[-1] == 30


def test_without_an_entry_nothing_is_paid() -> None:
    with pytest.raises(ValueError, match="no one"):
        default_payouts(0)


def test_what_does_not_divide_goes_to_the_first_places() -> None:
    assert prizes(101, (50, 30, 20)) == (51, 30, 20)
    assert prizes(5, (34, 33, 33)) == (2, 2, 1)
    assert prizes(0, (50, 50)) == (0, 0)


def test_the_shares_of_missing_places_go_to_those_who_are_there() -> None:
    assert prizes(1000, (50, 30, 20), places=2) == (625, 375)
    assert prizes(1000, (50, 30, 20), places=1) == (1000,)
    assert prizes(1000, (50, 30, 20), places=9) == (500, 300, 200)


def test_nobody_there_cannot_be_paid() -> None:
    with pytest.raises(ValueError, match="no place"):
        prizes(1000, (50, 30, 20), places=0)


@given(st.integers(0, 10**12), PERCENTAGES, st.none() | st.integers(1, 40))
def test_prizes_are_the_pool_and_never_more_for_a_worse_place(
    pool: int, percentages: list[int], places: int | None
) -> None:
    paid = prizes(pool, percentages, places=places)
    assert sum(paid) == pool
    assert len(paid) == min(len(percentages), places or 30)
    assert all(better >= worse >= 0 for better, worse in pairwise(paid))


@given(st.integers(0, 10**9), PERCENTAGES)
def test_no_prize_is_a_chip_away_from_its_share(pool: int, percentages: list[int]) -> None:
    whole = sum(percentages)
    for chips, share in zip(prizes(pool, percentages), percentages, strict=True):
        assert abs(chips * whole - pool * share) <= whole


def test_points_of_a_series_by_place() -> None:
    assert [series_points(place, 4) for place in (1, 2, 3, 4)] == [14, 7, 3, 1]
    assert [series_points(place, 9) for place in (1, 2, 3, 9)] == [29, 19, 14, 1]
    assert series_points(1, 100) == 190


@given(st.integers(1, 600).flatmap(lambda entries: st.tuples(st.integers(1, entries), st.just(entries))))
def test_a_better_place_and_a_bigger_field_bring_more_points(drawn: tuple[int, int]) -> None:
    place, entries = drawn
    points = series_points(place, entries)
    assert points >= 1
    assert series_points(place, entries + 1) > points
    if place < entries:
        assert series_points(place + 1, entries) < points


@pytest.mark.parametrize(("place", "entries"), [(0, 3), (4, 3), (1, 0)])
def test_a_place_that_is_none_has_no_points(place: int, entries: int) -> None:
    with pytest.raises(ValueError, match="no place"):
        series_points(place, entries)


@given(st.data(), st.lists(st.integers(0, 500), min_size=1, max_size=12))
def test_chips_taken_back_are_paid_to_the_best_places_and_none_is_made_or_lost(
    data: st.DataObject, due: list[int]
) -> None:
    """The sum stays, wallets don't go below zero, and a place is paid only once those before it are."""
    people = [str(number) for number in range(len(due))]
    wanted = dict(zip(people, due, strict=True))
    paid = dict(zip(people, data.draw(st.permutations(due)), strict=True))
    wallets = {one: data.draw(st.integers(0, 600)) for one in people}
    now = resettled(paid, wanted, wallets)
    assert sum(now.values()) == sum(due)
    for one in people:
        assert min(paid[one], wanted[one]) <= now[one] <= max(paid[one], wanted[one])
        assert wallets[one] + now[one] - paid[one] >= 0
    short = [one for one in people if now[one] < wanted[one]]
    assert all(now[one] <= paid[one] for one in short[1:]), "only the first of them is paid in part"
    assert resettled(now, wanted, dict.fromkeys(people, 10**6)) == wanted, "the rest can follow"
    assert resettled(now, wanted, {}) == now


def test_a_player_who_is_missing_among_the_wallets_gives_nothing_back() -> None:
    assert resettled({"a": 500, "b": 300}, {"b": 500, "a": 300}, {"b": 100}) == {"b": 300, "a": 500}
