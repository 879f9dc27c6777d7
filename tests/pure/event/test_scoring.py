"""Points for places, the best so many of them, and final tables."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pure.event.payouts import shared_out
from bot.pure.event.scoring import SHARED_OUT, Scoring, at_final_table, best_of, points_of
from bot.pure.event.structure import PRESETS, RANGES, StructureError, check, structure_from
from bot.pure.ofc.presets import PRESETS as GAMES

FIELDS = st.integers(2, 512)
SIT_AND_GO = PRESETS["sit_and_go"]


def by_place(scoring: Scoring, entries: int) -> list[int]:
    """The points of every place of a free event."""
    shares = shared_out(SIT_AND_GO, entries, entries)
    return [points_of(scoring, place, entries, shares) for place in range(1, entries + 1)]


@pytest.mark.parametrize(
    ("scoring", "points"),
    [
        (Scoring.PLACE, [20, 12, 8, 5, 2, 1]),
        (Scoring.ROOT, [244, 173, 141, 122, 109, 100]),
        (Scoring.PRIZE, [650, 350, 0, 0, 0, 0]),
        (Scoring.PERCENTILE, [100, 80, 60, 40, 20, 0]),
    ],
)
def test_six_players_by_hand(scoring: Scoring, points: list[int]) -> None:
    assert by_place(scoring, 6) == points


@given(entries=FIELDS, data=st.data())
def test_a_better_place_never_brings_less_and_nobody_less_than_nothing(entries: int, data: st.DataObject) -> None:
    points = by_place(data.draw(st.sampled_from(Scoring)), entries)
    assert points == sorted(points, reverse=True)
    assert points[-1] >= 0 < points[0]


@given(entries=FIELDS, data=st.data())
def test_the_root_and_the_percentile_are_rounded_down(entries: int, data: st.DataObject) -> None:
    place = data.draw(st.integers(1, entries))
    root = points_of(Scoring.ROOT, place, entries)
    assert root**2 * place <= 10_000 * entries < (root + 1) ** 2 * place
    share = Fraction(100 * (entries - place), entries - 1)
    assert 0 <= share - points_of(Scoring.PERCENTILE, place, entries) < 1


@given(entries=FIELDS, paid=st.integers(1, 512))
def test_what_is_shared_out_is_the_same_for_every_event(entries: int, paid: int) -> None:
    assert sum(shared_out(SIT_AND_GO, entries, min(paid, entries))) == SHARED_OUT


def test_an_event_with_payouts_of_its_own_is_shared_out_by_them() -> None:
    own = structure_from({**SIT_AND_GO.to_json(), "payouts": [50, 30, 20]})
    assert shared_out(own, 9, 9) == (500, 300, 200)
    assert shared_out(own, 9, 2) == (625, 375)


@pytest.mark.parametrize("scoring", Scoring)
@pytest.mark.parametrize(("place", "entries"), [(0, 3), (4, 3), (-1, 3), (1, 0)])
def test_a_place_that_is_none_has_no_points(scoring: Scoring, place: int, entries: int) -> None:
    with pytest.raises(ValueError, match="there is no place"):
        points_of(scoring, place, entries)


@given(st.lists(st.integers(0, 500), max_size=30), st.integers(0, 24))
def test_the_best_so_many_count(points: list[int], counted: int) -> None:
    best = best_of(points, counted)
    assert best == (sum(sorted(points)[-counted:]) if counted else sum(points))
    assert best_of([*points, 0], counted) == best, "a poor event costs nothing"


def test_a_final_table_is_the_last_of_several() -> None:
    assert [at_final_table(place, 7, 3) for place in (1, 3, 4)] == [True, True, False]
    assert not at_final_table(1, 3, 3), "the only table is none"


@pytest.mark.parametrize("counted", [-1, RANGES["counted"][1] + 1])
def test_more_events_than_a_menu_has_cannot_count(counted: int) -> None:
    with pytest.raises(StructureError):
        check(structure_from({**SIT_AND_GO.to_json(), "counted": counted}), GAMES["pineapple"])


def test_a_rule_is_read_again_and_an_event_from_before_there_was_one_counts_by_place() -> None:
    ruled = structure_from({**SIT_AND_GO.to_json(), "scoring": "root", "counted": 5})
    assert (ruled.scoring, ruled.counted) == (Scoring.ROOT, 5)
    assert structure_from(ruled.to_json()) == ruled
    old = {name: value for name, value in SIT_AND_GO.to_json().items() if name not in ("scoring", "counted")}
    assert structure_from(old) == SIT_AND_GO
