"""Players who are still equal after the last tie-break: whether they share a place, and how they split its prizes."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum


class Ties(Enum):
    """Rule for players who are still equal after the last tie-break."""

    SHARE = "share"
    """They share the place, and split the prizes and season points of the places that they take up."""
    DRAW = "draw"
    """The order of the draw decides. The losers of a bracket's round still share their place."""


def split(amounts: Sequence[int], places: Sequence[int]) -> tuple[int, ...]:
    """Return each player's part of the amounts by place, given their final places in ranking order.

    Players who share a place add up the amounts of the places that they take up, and split them. Odd chips go to the
    first of them, one each.

    >>> split((50, 30, 21), (1, 2, 2, 4))
    (50, 26, 25, 0)
    """
    parts: list[int] = []
    while len(parts) < len(places):
        first = len(parts)
        sharing = places.count(places[first])
        each, odd = divmod(sum(amounts[first : first + sharing]), sharing)
        parts += [each + (number < odd) for number in range(sharing)]
    return tuple(parts)


def average(points: Sequence[int], place: int, sharing: int) -> int:
    """Return the season points of each of ``sharing`` players in ``place``, rounded down.

    It's the average of the points by place of the places that they take up.

    >>> average((10, 7, 4, 1), 2, 2)
    5
    """
    return sum(points[place - 1 : place - 1 + sharing]) // sharing
