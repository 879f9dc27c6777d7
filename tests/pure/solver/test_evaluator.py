"""The value of Fantasyland, which follows from its boards and from ordinary hands."""

from dataclasses import replace

import numpy as np
import pytest

from bot.base.solver_data import load_arrays
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import CHINESE, JOKER_PINEAPPLE, PINEAPPLE, PROGRESSIVE, TWO_SEVEN_PINEAPPLE, ULTIMATE
from bot.pure.solver.evaluator import (
    ArrangedAverages,
    arranged,
    entry_cards,
    evaluator_for,
    fantasyland_worth,
    objective,
    shares,
)
from bot.pure.solver.outcomes import ENTERS, ENTRIES, PARTS, ROYALTIES, STEP_COUNT, nobody

NO_BOARDS = np.empty((0, 3), np.int16)
EVEN = np.full((3, STEP_COUNT), 0.5, np.float32)


def ordinary(royalties: float, enters: float) -> np.ndarray:
    parts = np.zeros(PARTS, np.float32)
    parts[ROYALTIES], parts[ENTERS] = royalties, enters
    return parts


def test_one_number_of_cards_is_one_equation() -> None:
    """Won 8 a hand, stays in a tenth, and a fifth of the others enter: x = 8 + 0.1 x - 0.2 x."""
    known = {14: ArrangedAverages(royalties=12.0, stays=0.1, wins=EVEN, boards=NO_BOARDS)}
    worth = fantasyland_worth(PINEAPPLE, known, nobody(1), ordinary(4.0, 0.2))
    assert worth[14] == pytest.approx(8 / 1.1, rel=0.01)


def test_a_stay_that_repeats_its_number_is_worth_more_of_the_same() -> None:
    known = {n: ArrangedAverages(royalties=10.0 + n, stays=0.5, wins=EVEN, boards=NO_BOARDS) for n in (14, 15, 16, 17)}
    once = fantasyland_worth(PROGRESSIVE, known, nobody(1), ordinary(4.0, 0.1))
    again = fantasyland_worth(ULTIMATE, known, nobody(1), ordinary(4.0, 0.1))
    assert list(once.values()) == sorted(once.values())
    assert again[17] - again[14] > once[17] - once[14]


def test_a_game_without_fantasyland_has_nothing_to_be_worth() -> None:
    assert fantasyland_worth(CHINESE, {}, nobody(1), ordinary(4.0, 0.0)) == {}
    assert not objective(CHINESE, {})[ENTERS:].any()


def test_how_often_rows_are_beaten_says_how_often_they_are_there() -> None:
    there = np.array([[0.2, 0.3, 0.5]] * 3, np.float32)
    wins = np.cumsum(there, axis=1) - there / 2
    assert shares(wins) == pytest.approx(there, abs=1e-6)


def test_each_way_to_enter_has_its_cards() -> None:
    assert dict(zip(ENTRIES, entry_cards(PROGRESSIVE), strict=True)) == {
        "QQ": 14, "KK": 15, "AA": 16, "trips": 17, "wheel": 0, "both": 0,
    }  # fmt: skip
    assert entry_cards(TWO_SEVEN_PINEAPPLE)[-2:] == (14, 15)


def test_arranged_boards_are_paid_as_was_measured_long_ago() -> None:
    """Fourteen cards are worth 12.3 to 12.4 in royalties, and one board in nine or ten stays."""
    found = arranged(PINEAPPLE, 14, deals=400)
    assert found.royalties == pytest.approx(12.35, abs=1.0)
    assert found.stays == pytest.approx(0.105, abs=0.05)


def test_a_house_that_pays_more_royalties_has_a_dearer_fantasyland() -> None:
    usual = evaluator_for(PINEAPPLE, load_arrays)
    royalties = replace(
        PINEAPPLE.royalties, back={category: 3 * paid for category, paid in PINEAPPLE.royalties.back.items()}
    )
    house = evaluator_for(replace(PINEAPPLE, royalties=royalties), load_arrays)
    assert usual
    assert house
    assert house.weights[ENTERS] > usual.weights[ENTERS] + 1


def test_a_house_that_arranges_as_a_game_does_knows_its_fantasyland() -> None:
    house, game = (
        evaluator_for(one, load_arrays) for one in (house_variant("pineapple", {"jokers": "2"}), JOKER_PINEAPPLE)
    )
    assert house
    assert game
    assert house.worth == game.worth
