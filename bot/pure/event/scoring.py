"""How events count towards a season: points for a place in a field, the best so many of so many, and final tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from math import isqrt
from typing import NamedTuple, assert_never

SHARED_OUT = 1000
"""Points that an event shares out like its prizes."""


class Scoring(Enum):
    """What a place in an event is worth to the table of its series."""

    PLACE = "place"
    """One for taking part, one for each player who finished behind, and a bonus for the top."""
    ROOT = "root"
    """By the root of the field over the place."""
    PRIZE = "prize"
    """The same for all events together, shared out like prizes; also where nothing is paid."""
    PERCENTILE = "percentile"
    """The share of the others who finished behind."""


class SeriesRule(NamedTuple):
    """How the events of a series count."""

    scoring: Scoring = Scoring.PLACE
    counted: int = 0
    """So many of a player's best events; 0 for all of them."""


BY_PLACE = SeriesRule()
"""How events count where no series says it."""


def series_points(place: int, entries: int) -> int:
    """Points for a series: one for each player who finished behind, one for taking part, and a bonus for the top.

    The bonus is ``10 * sqrt(entries / place) - 10``, rounded down: nothing for the last, 90 for the winner of 100.
    So a better place always brings more, and so does the same place in a bigger field. Raises ValueError for a place
    that is none.
    """
    _check(place, entries)
    return entries - place + 1 + isqrt(100 * entries // place) - 10


def points_of(scoring: Scoring, place: int, entries: int, shares: Sequence[int] = ()) -> int:
    """Whole points, rounded down, for a place among so many; ``shares`` are those of prizes, by place.

    Raises ValueError for a place that is none.
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
    """The sum of the best so many; of all of them for 0."""
    return sum(sorted(points, reverse=True)[: counted or None])


def at_final_table(place: int, entries: int, seats: int) -> bool:
    """True for a place among as many as sit at one table, where more took part than that."""
    return place <= seats < entries
