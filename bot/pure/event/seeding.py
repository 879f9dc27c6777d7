"""Seeding: the players' ranking before the first hand, and how it's turned into tables, groups and brackets.

Players are ranked by a figure, such as their rating. Ties are in the order of the draw, and players without a figure
come last in that order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TypeVar

from bot.pure.event.seating import tables_needed

T = TypeVar("T")


class Seeding(Enum):
    """The organiser's choice of seeding."""

    DEFAULT = "usual"
    """The default: by the series' leaderboard in a bracket that belongs to a series, else by the draw."""
    DRAW = "draw"
    RATING = "rating"
    HAND = "hand"
    """An order set by an organiser."""


class SeededBy(Enum):
    """Source of an event's seeds. The values are also used in its records."""

    DRAW = "draw"
    SERIES = "series"
    RATING = "rating"
    HAND = "hand"


def seed_order(drawn: Sequence[str], figures: Mapping[str, int], by: SeededBy) -> tuple[str, ...]:
    """Return the players by seed. If seeded by hand, the lowest figure comes first, otherwise the highest."""
    sign = 1 if by is SeededBy.HAND else -1
    return tuple(sorted(drawn, key=lambda player: (player not in figures, sign * figures.get(player, 0))))


def spread(seeds: Sequence[str], seats: int) -> tuple[tuple[str, ...], ...]:
    """Spread the seeds over tables of about equal strength."""
    return deal_snake(seeds, tables_needed(len(seeds), seats))


def deal_snake(seeds: Sequence[T], parts: int) -> tuple[tuple[T, ...], ...]:
    """Deal the seeds into ``parts`` parts in snake order (1, 2, 3, then 3, 2, 1)."""
    made: list[list[T]] = [[] for _ in range(parts)]
    for place, seed in enumerate(seeds):
        lap, at = divmod(place, parts)
        made[at if lap % 2 == 0 else parts - 1 - at].append(seed)
    return tuple(map(tuple, made))


def bracket_order(players: int) -> list[int]:
    """Return a bracket's seeds from top to bottom, up to a power of two. Seeds 1 and 2 can't meet before the final."""
    order = [1]
    while len(order) < players:
        order = [seed for better in order for seed in (better, 2 * len(order) + 1 - better)]
    return order
