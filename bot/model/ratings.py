"""What ratings keep beside :mod:`bot.rating`: how many lessons there were, and results as parts of them."""

from __future__ import annotations

from dataclasses import dataclass

from bot.rating.lessons import Score

MODEL = 3
"""By which model ratings are made. With a new one, a start makes all of them again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """By which model a server's ratings were made, and how many lessons there were."""

    model: int = MODEL
    lessons: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A result as a part of its lesson."""

    lesson: int
    at: int
    """When the hand ended."""
    table: int
    game: str
    score: Score
