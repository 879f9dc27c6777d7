"""Handicaps for friendly events: what players rated below the best start with, as anyone can reckon by hand.

Each tenth of a point below the best rated player who takes part brings a share of the starting stack, and in a league a
tenth of a point for each hand. Whoever has no rating gets nothing, as the best.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.pure.event.structure import Family, Structure

MOST_BELOW = 25
"""Tenths of a point; whoever is further below gets no more."""
PERCENT = 2
"""Of the starting stack, for each tenth."""
USUAL_BELOW = 10
"""How far the last of those who come is taken to be below the best, where nobody has registered yet."""


def worth(below: int, structure: Structure) -> int:
    """What so many tenths bring: chips, or the points of a league whose rounds are known; rounded down."""
    below = min(below, MOST_BELOW)
    if structure.format.family is Family.ROUNDS:
        return below * structure.rounds * structure.round_hands // 10
    return below * PERCENT * structure.stack // 100


def head_starts(ratings: Mapping[str, int], structure: Structure) -> dict[str, tuple[int, int]]:
    """How far each is below the best and what it brings, where it brings anything; the most in front.

    ``ratings`` are tenths of a point.
    """
    best = max(ratings.values(), default=0)
    made = {player: (best - rating, worth(best - rating, structure)) for player, rating in ratings.items()}
    given = [(player, one) for player, one in made.items() if one[1]]
    return dict(sorted(given, key=lambda one: (-one[1][0], one[0])))


def usual_below(people: int) -> list[int]:
    """How far so many who are not known yet are below the best: spread evenly."""
    return [USUAL_BELOW * place // max(1, people - 1) for place in range(people)]


def usual_stacks(structure: Structure, people: int) -> list[int]:
    """The stacks with which so many start who are not known yet."""
    if not structure.handicap:
        return [structure.stack] * people
    return [structure.stack + worth(below, structure) for below in usual_below(people)]
