"""Seeds: who stands above whom before the first card, and how the tables are made of them.

Whoever has no figure comes last, in the order of the draw: so does everybody where nothing but the draw decides, and
those with equal figures stay in its order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TypeVar

from bot.pure.event.seating import tables_needed

T = TypeVar("T")


class Seeding(Enum):
    """What an organiser has chosen to seed an event by."""

    USUAL = "usual"
    """By the draw; a bracket of a series by its leaderboard."""
    DRAW = "draw"
    RATING = "rating"
    HAND = "hand"
    """An organiser puts players in order."""


class SeededBy(Enum):
    """What an event's seeds come from: also the name that its records give it."""

    DRAW = "draw"
    SERIES = "series"
    RATING = "rating"
    HAND = "hand"


def order_of(drawn: Sequence[str], figures: Mapping[str, int], by: SeededBy) -> tuple[str, ...]:
    """The seeds, the first in front: by hand the smallest figure, otherwise the greatest."""
    sign = 1 if by is SeededBy.HAND else -1
    return tuple(sorted(drawn, key=lambda player: (player not in figures, sign * figures.get(player, 0))))


def spread(seeds: Sequence[str], seats: int) -> tuple[tuple[str, ...], ...]:
    """The seeds at tables, so that these are about equally strong."""
    return dealt(seeds, tables_needed(len(seeds), seats))


def dealt(seeds: Sequence[T], parts: int) -> tuple[tuple[T, ...], ...]:
    """The seeds in so many parts, forth and back (1, 2, 3, then 3, 2, 1)."""
    made: list[list[T]] = [[] for _ in range(parts)]
    for place, seed in enumerate(seeds):
        lap, at = divmod(place, parts)
        made[at if lap % 2 == 0 else parts - 1 - at].append(seed)
    return tuple(map(tuple, made))


def bracket_order(players: int) -> list[int]:
    """The seeds of a bracket from top to bottom, up to a power of two: 1 meets 2 in the final, 3 a round earlier."""
    order = [1]
    while len(order) < players:
        order = [seed for better in order for seed in (better, 2 * len(order) + 1 - better)]
    return order
