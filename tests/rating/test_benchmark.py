"""What ratings are measured by: the other systems are what they are called, and the benchmark runs."""

from __future__ import annotations

import sys

import pytest

from tests.benchmarks import bench_rating
from tests.benchmarks.glicko import Player, after


def test_glicko_2_is_that_of_the_papers_example() -> None:
    met = [
        (Player(rating=1400, deviation=30), 1.0),
        (Player(rating=1550, deviation=100), 0.0),
        (Player(rating=1700, deviation=300), 0.0),
    ]
    player = after(Player(rating=1500, deviation=200), met)
    assert player.rating == pytest.approx(1464.06, abs=0.02)
    assert player.deviation == pytest.approx(151.52, abs=0.01)
    assert player.volatility == pytest.approx(0.05999, abs=1e-5)


def test_the_benchmark_prints_how_often_intervals_hold(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench_rating, "HANDS", 400)
    monkeypatch.setattr(bench_rating, "MARKS", (10, 20, 30))
    monkeypatch.setattr(sys, "argv", ["bench_rating", "--servers", "4", "--systems", "ours", "points per hand"])
    bench_rating.main()
    printed = capsys.readouterr().out
    assert "1,600 hands of 4 servers" in printed
    assert "strengths within the interval" in printed
