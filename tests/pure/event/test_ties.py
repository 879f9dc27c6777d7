"""Equal players: the places they share, and their parts of prizes and season points."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pure.event.payouts import default_payouts, prizes
from bot.pure.event.structure import PRESETS, Format, structure_from
from bot.pure.event.ties import Ties, average, split


def shared_places(sizes: list[int]) -> list[int]:
    """Return places such as 1, 2, 2, 4, given how many players share each."""
    made: list[int] = []
    for size in sizes:
        made += [len(made) + 1] * size
    return made


@given(
    pool=st.integers(0, 10**9), sizes=st.lists(st.integers(1, 12), min_size=1, max_size=12), paid=st.integers(1, 200)
)
def test_shared_prizes_come_to_the_pool_and_equals_differ_by_a_chip_at_most(
    pool: int, sizes: list[int], paid: int
) -> None:
    places = shared_places(sizes)
    amounts = prizes(pool, default_payouts(paid), places=len(places))
    parts = split(amounts, places)
    assert sum(parts) == pool
    assert list(parts) == sorted(parts, reverse=True)
    for place, sharing in Counter(places).items():
        won = [part for part, of in zip(parts, places, strict=True) if of == place]
        together = sum(amounts[place - 1 : place - 1 + sharing])
        assert sum(won) == together
        assert won.count(won[0]) == (together % sharing or sharing), "the first get the odd chips"
        assert won[0] - won[-1] <= 1


@pytest.mark.parametrize(
    ("amounts", "places", "parts"),
    [
        ((50, 30, 20), (1, 2, 3), (50, 30, 20)),
        ((50, 30, 21), (1, 2, 2, 4), (50, 26, 25, 0)),
        ((50, 30, 20), (1, 1, 1, 1), (25, 25, 25, 25)),
        # A tie across the last paid place
        ((70, 31), (1, 2, 2, 2, 5), (70, 11, 10, 10, 0)),
        # Ten players share first place.
        ((1003,), (1,) * 10, (101, 101, 101, *[100] * 7)),
        ((), (1, 1), (0, 0)),
    ],
)
def test_players_who_share_a_place_split_its_prizes(
    amounts: tuple[int, ...], places: tuple[int, ...], parts: tuple[int, ...]
) -> None:
    assert split(amounts, places) == parts


def test_players_who_share_a_place_get_the_average_of_its_points() -> None:
    points = (20, 11, 6, 3)
    assert [average(points, place, 1) for place in (1, 2, 3, 4)] == list(points)
    assert average(points, 1, 4) == 10
    assert average(points, 2, 2) == 8
    assert average(points, 3, 2) == 4


def test_equals_share_a_place_in_every_kind_of_event_that_is_offered() -> None:
    assert {preset.ties for preset in PRESETS.values()} == {Ties.SHARE}


@pytest.mark.parametrize("form", Format)
def test_an_event_stored_without_a_rule_keeps_the_one_it_had(form: Format) -> None:
    stored = next(preset for preset in PRESETS.values() if preset.format is form).to_json()
    del stored["ties"]
    read = structure_from(stored)
    assert read.ties is Ties.DRAW
    assert read.shares_places is form.heads_up
