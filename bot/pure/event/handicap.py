"""Handicaps for friendly events: extra chips or points for lower-rated players, simple enough to compute by hand.

Players get a handicap for each tenth of a point by which they're rated below the best participant. It's a share of the
starting stack or, in a league, a tenth of a point per hand. Players without a rating get none.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.pure.event.structure import Family, Structure

MAX_GAP = 25
"""Maximum gap that counts, in tenths of a point."""
PERCENT = 2
"""Percent of the starting stack per tenth of a point."""
DEFAULT_GAP = 10
"""Assumed gap of the lowest-rated player before anyone has registered, in tenths of a point."""


def worth(below: int, structure: Structure) -> int:
    """Return the handicap for a gap of ``below`` tenths, in chips or in league points, rounded down."""
    below = min(below, MAX_GAP)
    if structure.format.family is Family.ROUNDS:
        return below * structure.rounds * structure.round_hands // 10
    return below * PERCENT * structure.stack // 100


def head_starts(ratings: Mapping[str, int], structure: Structure) -> dict[str, tuple[int, int]]:
    """Return the gap and the handicap of each player who gets one, largest gap first.

    ``ratings`` are in tenths of a point.
    """
    best = max(ratings.values(), default=0)
    made = {player: (best - rating, worth(best - rating, structure)) for player, rating in ratings.items()}
    given = [(player, one) for player, one in made.items() if one[1]]
    return dict(sorted(given, key=lambda one: (-one[1][0], one[0])))


def default_gaps(people: int) -> list[int]:
    """Return assumed gaps of ``people`` unknown players, spread evenly."""
    return [DEFAULT_GAP * place // max(1, people - 1) for place in range(people)]


def default_stacks(structure: Structure, people: int) -> list[int]:
    """Return the assumed starting stacks of ``people`` unknown players."""
    if not structure.handicap:
        return [structure.stack] * people
    return [structure.stack + worth(below, structure) for below in default_gaps(people)]
