"""What measures and fits the computer players does what it says."""

from pathlib import Path

import numpy as np
import pytest

from bot.ofc.presets import PINEAPPLE
from bot.solver.levels import MASTER
from bot.solver.search import Effort
from study.files import mean_of
from tests.benchmarks.bench_solver import Row, Run


def test_rounds_of_values_count_by_their_shares(tmp_path: Path) -> None:
    files = [tmp_path / "first.npz", tmp_path / "second.npz"]
    for file, number in zip(files, (1.0, 5.0), strict=True):
        np.savez(file, layer=np.array([number]))
    assert mean_of(files, [0.25, 0.75])["layer"] == pytest.approx(4.0)


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
