"""The tools that measure and fit computer players."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from benchmarks.bench_solver import Row, Run
from benchmarks.duels import SOME, duelled
from benchmarks.plot import LEFT, RIGHT, SIZE, Figure, Frame
from bot.base.solver_data import load_arrays
from bot.pure.ofc.presets import OPEN_THIRTEEN, PINEAPPLE
from bot.pure.ofc.variants import Variant
from bot.pure.solver.levels import MASTER, Computers, Level
from bot.pure.solver.search import Effort
from study.files import weighted_mean


def test_rounds_of_values_count_by_their_shares(tmp_path: Path) -> None:
    files = [tmp_path / "first.npz", tmp_path / "second.npz"]
    for file, number in zip(files, (1.0, 5.0), strict=True):
        np.savez(file, layer=np.array([number]))
    assert weighted_mean(files, [0.25, 0.75])["layer"] == pytest.approx(4.0)


def test_a_measurement_goes_on_where_it_ended(tmp_path: Path) -> None:
    measured: list[int] = []

    def measure(number: int) -> Row:
        measured.append(number)
        return {"number": number}

    def numbers(count: int, effort: Effort = MASTER) -> list[int]:
        run = Run(variant=PINEAPPLE, count=count, seed=1, keep=tmp_path)
        *_, rows = run.rows("some", effort, measure)
        return [row["number"] for row in rows]

    assert numbers(2) == [0, 1]
    assert numbers(4) == [0, 1, 2, 3]
    assert numbers(1) == [0]
    assert measured == [0, 1, 2, 3]
    assert numbers(1, Effort(rounds=())) == [0]
    assert measured == [0, 1, 2, 3, 0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "variant", [PINEAPPLE, pytest.param(OPEN_THIRTEEN, marks=pytest.mark.deep)], ids=["of_two", "of_four"]
)
def test_a_duel_is_played_in_every_seat_of_the_smallest_table(variant: Variant) -> None:
    computers = Computers(load_arrays, Effort(rounds=()))
    evaluator, master = computers.evaluator(variant), partial(computers.choose, level=Level.MASTER)
    assert evaluator
    row = duelled(evaluator, master, master, SOME, variant, 1, 0)
    assert len(row["points"]) == len(row["quiet"]) == variant.min_seats
    # Masters who play themselves win nothing, all seats together.
    assert sum(row["points"]) == 0


def test_a_plot_has_room_for_every_interval_and_doubles_from_left_to_right() -> None:
    figures = [Figure(at=at, value=value, off=0.2) for at, value in ((1, 5.6), (2, 6.0), (4, 6.1))]
    frame = Frame.around(figures)
    ends = [end for one in figures for end in (one.value - one.off, one.value + one.off)]
    assert all(0 < frame.down(end) < SIZE[1] for end in ends)
    assert frame.down(6.1) < frame.down(5.6)
    first, second, third = (frame.across(one.at) for one in figures)
    assert LEFT < first < third < SIZE[0] - RIGHT
    assert third - second == pytest.approx(second - first)
