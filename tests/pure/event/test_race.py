"""The places within reach in a series, against every way that the dates to come can end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

from bot.pure.event.race import NEWCOMER, RaceScore, best_places, most_points
from bot.pure.event.scoring import SHARED_OUT, Scoring, points_of

ABSENT, OUT, SOMEWHERE, WINS = range(4)


def after(score: RaceScore, dates: Sequence[int], results: Sequence[int]) -> RaceScore:
    """Return the score after the dates. A player in the middle gets a point less than the winner."""
    points, wins = list(score.points), score.wins
    for most, result in zip(dates, results, strict=True):
        if result != ABSENT:
            points.append({OUT: 0, SOMEWHERE: max(0, most - 1), WINS: most}[result])
        wins += result == WINS
    return RaceScore(points=tuple(points), wins=wins)


def rank_key(score: RaceScore, counted: int) -> tuple[int, int, int]:
    """Best first: the points of the best dates, then wins, then fewer dates."""
    best = sorted(score.points, reverse=True)
    return sum(best if counted == 0 else best[:counted]), score.wins, -len(score.points)


def catches(behind: RaceScore, ahead: RaceScore, dates: Sequence[int], counted: int) -> bool:
    """Try all results of two players. Only one of them wins a date."""
    results = [ABSENT, OUT, SOMEWHERE, WINS]
    for own, other in product(product(results, repeat=len(dates)), repeat=2):
        if any(a == b == WINS for a, b in zip(own, other, strict=True)):
            continue
        mine, theirs = after(behind, dates, own), after(ahead, dates, other)
        if rank_key(mine, counted) >= rank_key(theirs, counted):
            return True
    return False


@pytest.mark.parametrize("seed", range(60))
def test_a_player_catches_another_exactly_if_some_results_do_it(seed: int) -> None:
    chance = Random(seed)
    dates = [chance.randint(1, 9) for _ in range(chance.randint(0, 2))]
    counted = chance.choice([0, 0, 1, 2, 3])
    scores = []
    for _ in range(5):
        points = tuple(chance.randint(0, 9) for _ in range(chance.randint(1, 3)))
        scores.append(RaceScore(points=points, wins=chance.randint(0, len(points))))
    asked = [*scores, NEWCOMER]
    for score, place in zip(asked, best_places(asked, scores, dates, counted), strict=True):
        ahead = [other for other in scores if other is not score and not catches(score, other, dates, counted)]
        assert place == 1 + len(ahead)


@pytest.mark.parametrize("scoring", list(Scoring))
def test_no_place_in_any_field_brings_more_than_the_most(scoring: Scoring) -> None:
    for most in (2, 9, 60):
        each = [
            points_of(scoring, place, entries, (SHARED_OUT,))
            for entries in range(2, most + 1)
            for place in range(1, entries + 1)
        ]
        assert max(each) == most_points(scoring, most)
