"""Analyses of positions: what's best, by how much, and that a deeper search agrees where nothing is estimated."""

from __future__ import annotations

from math import hypot

import pytest

from bot.base.solver_data import load_arrays
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView
from bot.pure.solver.levels import Computers
from bot.pure.trainer.analysis import AnalysedPlacement, NoValuesError, analysed
from bot.pure.trainer.deeper import deeper_values
from bot.pure.trainer.position import parse_position, view_of

COMPUTERS = Computers(load_arrays)


def at(text: str, variant: Variant = PINEAPPLE) -> HandView:
    return view_of(parse_position(text, variant), variant)


FLUSH = "Ac9s/5s5dTs7c2h/QdJdTd9d +8d3h4s -3s4d5h"
"""The eight of diamonds makes a straight flush on the back."""
ONE = "Kc7h3c/6s6dKs9h8s/QsQhJc6hJs"
OTHER = "Kh9c2d/6c4cKd7s4h/ThTc8h8c3d"


def value_of(found: list[AnalysedPlacement], letters: str) -> float:
    return next(one.value for one in found if one.letters == letters)


def test_the_last_street_is_exact_and_needs_no_deeper_search() -> None:
    found = analysed(COMPUTERS, at(f"{FLUSH} vs {ONE}"))
    assert len(found) >= 2
    assert found[0].letters[0] == "B"
    assert found[0].facts.foul == 0
    # A straight flush on the back pays 15. The front and the back win, and the middle loses.
    assert found[0].facts.royalties == 15
    assert found[0].value == 15 + 1
    assert all(one.error == 0 for one in found)
    assert [one.value for one in found] == sorted((one.value for one in found), reverse=True)
    assert analysed(COMPUTERS, at(f"{FLUSH} vs {ONE}"), deeper=True) == found


def test_a_placement_that_fouls_costs_what_a_foul_costs() -> None:
    # The front's pair of nines is stronger than the full back.
    found = analysed(COMPUTERS, at(f"9c9s/3s4dTs7c/AdJdTd8c2h +2d5hQd -4s4h8d vs {ONE}".replace("8s", "3d")))
    assert len(found) >= 2
    assert {(one.facts.foul, one.value) for one in found} == {(1.0, -PINEAPPLE.foul_points)}


def test_the_error_is_that_of_the_difference_from_the_best() -> None:
    found = analysed(COMPUTERS, at("Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs"), most=3)
    assert len(found) == 3
    # The networks' own error is half a point against one opponent.
    assert all(one.error >= 0.5 for one in found)
    assert all(0 <= one.facts.foul <= 1 and 0 <= one.facts.fantasyland <= 1 for one in found)


def test_a_deeper_search_comes_to_the_same_within_what_is_stated() -> None:
    view = at("// +AhAd7c7d2s vs //")
    (first, second), deeper = analysed(COMPUTERS, view, most=2), analysed(COMPUTERS, view, most=2, deeper=True)
    apart = deeper[0].value - value_of(deeper, second.letters)
    assert abs(first.value - second.value - apart) <= 3 * hypot(second.error, deeper[1].error)
    assert deeper[0].value != first.value


def test_points_count_against_all_opponents_together() -> None:
    (one, *_), (other, *_), (both, *_) = (
        analysed(COMPUTERS, at(f"{FLUSH} vs {boards}"), most=2) for boards in (ONE, OTHER, f"{ONE} {OTHER}")
    )
    assert one.letters == other.letters == both.letters
    assert both.value == pytest.approx(one.value + other.value)


def test_a_fantasyland_is_arranged() -> None:
    view = at("@14 +KcKhKsQdJd9h9s8d2s3c4c5c8cTd vs Ah/9c9d2d/JsTs8s")
    found = analysed(COMPUTERS, view)
    assert 1 <= len(found) <= 2
    assert found[0].letters == COMPUTERS.arranged(view)
    assert found[0].facts.royalties >= 0
    assert len(found[0].letters) == 14


def test_a_game_without_fitted_values_is_refused() -> None:
    jokers = house_variant("turbo", {"jokers": "2"})
    with pytest.raises(NoValuesError):
        analysed(COMPUTERS, at("// +AhAd7c7d2s vs //", jokers))


def test_a_deeper_search_judges_all_placements_in_the_same_draws() -> None:
    view = at("Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs")
    evaluator = COMPUTERS.evaluator(PINEAPPLE)
    assert evaluator
    values, sets = deeper_values(evaluator, view, ["DBM", "FBD", "DBM"], deals=8)
    assert values.shape == (3, 8)
    assert sets > 1
    assert values[0].tolist() == values[2].tolist()
    assert values[0].tolist() != values[1].tolist()
