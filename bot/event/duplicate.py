"""Duplicate: every table got the same deck, so each player is compared with those who held the same cards elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction


def cross_points(points: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, ...]]:
    """Each table's scores by position, from its points by position (one for each seat, counted from the button).

    A score is the sum over the other tables of (own points - theirs), a whole number; the scores of a position sum to
    0 over the tables. Raises ValueError where the tables have different numbers of positions.
    """
    if len({len(own) for own in points.values()}) > 1:
        raise ValueError("tables with different numbers of positions cannot be compared")
    totals = [sum(position) for position in zip(*points.values(), strict=True)]
    tables = len(points)
    return {
        table: tuple(tables * mine - total for mine, total in zip(own, totals, strict=True))
        for table, own in points.items()
    }


def per_comparison(score: int, comparisons: int) -> Fraction:
    """The score for each other table that a player was compared with, exactly; 0 for one who was compared with none."""
    return Fraction(score, comparisons) if comparisons else Fraction(0)
