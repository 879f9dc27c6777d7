"""Season points of events: points per place, the number of events that count, and final tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from math import isqrt
from typing import NamedTuple, assert_never

SHARED_OUT = 1000
"""Total points of an event that splits them like its prizes."""


class Scoring(Enum):
    """Formula for the season points of a place in an event."""

    PLACE = "place"
    """One for taking part, one per player behind, and a bonus for high places."""
    ROOT = "root"
    """Square root of the field divided by the place."""
    PRIZE = "prize"
    """A fixed total per event, split like prizes, even if the event pays none."""
    PERCENTILE = "percentile"
    """Share of the other players who finished behind, in percent."""


class SeriesRule(NamedTuple):
    """Rule for how a series counts its events."""

    scoring: Scoring = Scoring.PLACE
    counted: int = 0
    """Number of a player's best events that count; 0 for all."""


BY_PLACE = SeriesRule()
"""Default rule."""


def series_points(place: int, entries: int) -> int:
    """Return the points by ``Scoring.PLACE``: one for taking part, one per player behind, and a bonus.

    The bonus is ``10 * sqrt(entries / place) - 10``, rounded down. For the last place it's 0, and for the winner of 100
    it's 90. A better place always earns more, as does the same place in a larger field. Raises ValueError if there
    is no such place.
    """
    _check(place, entries)
    return entries - place + 1 + isqrt(100 * entries // place) - 10


def points_of(scoring: Scoring, place: int, entries: int, shares: Sequence[int] = ()) -> int:
    """Return the whole points for a place, rounded down; ``shares`` are the points by place for ``Scoring.PRIZE``.

    Raises ValueError if there is no such place.
    """
    _check(place, entries)
    match scoring:
        case Scoring.PLACE:
            return series_points(place, entries)
        case Scoring.ROOT:
            return isqrt(10_000 * entries // place)
        case Scoring.PRIZE:
            return shares[place - 1] if place <= len(shares) else 0
        case Scoring.PERCENTILE:
            return 100 * (entries - place) // (entries - 1) if entries > 1 else 100
        case _:
            assert_never(scoring)


def _check(place: int, entries: int) -> None:
    if not 1 <= place <= entries:
        raise ValueError(f"there is no place {place} of {entries}")


def best_of(points: Iterable[int], counted: int) -> int:
    """Return the sum of the ``counted`` best values, or of all if it's 0."""
    return sum(sorted(points, reverse=True)[: counted or None])


def at_final_table(place: int, entries: int, seats: int) -> bool:
    """True if the player in ``place`` made the final table of an event with more than one table."""
    return place <= seats < entries
