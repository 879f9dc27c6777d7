"""Measure the swings per hand in each game, for the forecasts in ``bot/play/event/trials/simulator.py``.

``python -m benchmarks.bench_swings`` makes casual computers play sixty hands of every game, at tables of three or the
game's minimum. It prints the standard deviation of the points between two of them, and how often one entered
Fantasyland.
"""

from __future__ import annotations

from math import sqrt

from bot.pure.ofc.presets import PRESETS
from bot.pure.solver.levels import Level
from tests.pure.solver.test_levels import opened, played_by

HANDS = 60
SEATS = 3


def main() -> None:
    """Print a line for each game."""
    for key, game in PRESETS.items():
        seats = max(game.min_seats, min(SEATS, game.max_seats))
        points, entered = [], 0
        for seed in range(HANDS):
            score = played_by(opened(game, seed=seed, seats=seats), Level.CASUAL).score
            assert score is not None
            points += [pair.points for pair in score.pairs]
            entered += sum(board.next_fantasyland > 0 for board in score.boards)
        deviation = sqrt(sum(one * one for one in points) / len(points))
        print(f"{key}: pair={deviation:.1f}, fantasyland={entered / (HANDS * seats):.2f}")


if __name__ == "__main__":
    main()
