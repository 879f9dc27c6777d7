"""The rating benchmark: it runs, and the other systems are implemented correctly."""

from __future__ import annotations

import sys
from copy import deepcopy
from random import Random

import pytest

from benchmarks import bench_dumping, bench_rating
from benchmarks.glicko import Player, after
from bot.pure.rating import model


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


def bought(name: str, ours: bench_rating.Ours) -> tuple[float, int]:
    """Return the buyer's listed rating and place after a deal."""
    bribed = deepcopy(ours)
    deal = next(one for one in bench_dumping.DEALS if one.name == name)
    rating = bench_dumping.dumped(bribed, deal)
    return rating.least, 1 + bench_dumping.listed(bribed, bench_dumping.BY["least"]).index(bench_dumping.BUYER)


def test_one_accomplice_buys_no_first_place_however_many_hands_they_dump() -> None:
    ours, _ = bench_dumping.server(Random("1:0"), bench_rating.read_scores())
    few, many, known = (
        bought(name, ours) for name in ("25 by one account", "1,000 by one account", "1,000 by one who is known")
    )
    assert few[0] < many[0] < 0
    assert min(few[1], many[1], known[1]) > 3
    assert few[1] > 30
    # This remains possible, as documented: accounts that each play a few hands.
    assert bought("400 by twenty new accounts", ours)[1] == 1


def test_without_a_cap_for_each_pair_one_accomplice_would_buy_it() -> None:
    cap = model.PAIR
    with bench_dumping.as_before():
        ours, _ = bench_dumping.server(Random("1:0"), bench_rating.read_scores())
        assert [bought(deal.name, ours)[1] for deal in bench_dumping.DEALS] == [1] * len(bench_dumping.DEALS)
    assert cap == model.PAIR


def test_the_benchmark_of_dumping_prints_places_and_true_ranks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench_dumping", "--servers", "1", "--hands", "20"])
    bench_dumping.main()
    printed = capsys.readouterr().out
    assert printed.count("true ranks of those who lead, of 200") == 2
    assert printed.count("400 by twenty new accounts") == 2
