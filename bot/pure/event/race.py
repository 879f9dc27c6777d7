"""The race in a series: the most points that dates to come can bring, and the places still within reach.

A player's best case is winning all dates to come in the largest fields. The worst case for another player is to miss
them, or to be disqualified in each of them. Both are exact, because points are never lost, and winning every date gives
the most points and the most wins together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

from bot.pure.event.scoring import SHARED_OUT, Scoring, best_of, points_of

RaceKey = tuple[int, int, int]
"""Sort key of a series, lowest first: points, wins, then fewer events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceScore:
    """A player's score in a series so far."""

    points: tuple[int, ...] = ()
    """Points of each event that the player finished."""
    wins: int = 0


NEWCOMER = RaceScore()
"""The score of a player who hasn't finished an event of the series yet."""


def most_points(scoring: Scoring, most: int) -> int:
    """Return the points for winning an event that has its maximum of ``most`` players.

    The winner gets the whole of a fixed total if everyone else is disqualified.
    """
    match scoring:
        case Scoring.PLACE | Scoring.ROOT | Scoring.PERCENTILE:
            return points_of(scoring, 1, most)
        case Scoring.PRIZE:
            return SHARED_OUT
    assert_never(scoring)


def best_case(score: RaceScore, coming: Sequence[int], counted: int) -> RaceKey:
    """Return the key of a player who wins all dates ``coming``, each given by its most points."""
    points = best_of([*score.points, *coming], counted)
    return -points, -(score.wins + len(coming)), len(score.points) + len(coming)


def worst_case(score: RaceScore, coming: Sequence[int], counted: int) -> RaceKey:
    """Return the key of a player who's disqualified in all dates ``coming``."""
    return -best_of(score.points, counted), -score.wins, len(score.points) + len(coming)


def best_places(
    scores: Iterable[RaceScore], among: Iterable[RaceScore], coming: Sequence[int], counted: int
) -> list[int]:
    """Return the best place that each of ``scores`` can still reach ``among`` all players of the series.

    Players who can draw level with another can share that player's place.
    """
    worst = [worst_case(score, coming, counted) for score in among]
    return [1 + sum(other < best_case(score, coming, counted) for other in worst) for score in scores]
