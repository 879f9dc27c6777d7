"""A lesson: a hand, or a board that several tables were dealt, and what it makes of the ratings before it.

Beside the ratings is kept how many lessons there were, and each result as a part of its lesson.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import permutations
from statistics import fmean

from bot.rating import model
from bot.rating.model import BOARDS, COMPARED, NEWCOMER, Group, Lesson, Luck, Rating

MODEL = 3
"""By which model ratings are made. With a new one, a start makes all of them again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The points that a player won in a hand."""

    player: str
    points: int


Tables = Sequence[Sequence[Score]]
"""The tables of a lesson, each by its seats: one for a hand, several for a board."""


Together = Mapping[tuple[str, str], int]
"""How many hands two players have played with each other before, from either side; none where a pair is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught:
    """The ratings after a lesson of those who took part, and the luck."""

    ratings: Mapping[str, Rating]
    luck: Luck


def luck_key(group: Group, tables: Tables) -> str:
    """Under which key the luck of such lessons is kept."""
    return group.key + BOARDS if len(tables) > 1 else group.key


def pairs(scores: Sequence[Score]) -> list[tuple[str, str]]:
    """Each two players of a table, from either side."""
    return list(permutations([score.player for score in scores], 2))


def taught(
    group: Group, tables: Tables, known: Mapping[str, Rating], luck: Luck, together: Together, *, at: int
) -> Taught:
    """The ratings and the luck after these scores, at that time; who is not ``known`` is a newcomer.

    Pairs count at a table by itself only: a board compares those who held the same cards, at tables that were drawn.
    """
    ratings = [[known.get(score.player, NEWCOMER).by(at) for score in scores] for scores in tables]
    points = [[score.points for score in scores] for scores in tables]
    if len(tables) > 1:
        lessons = model.board(list(zip(ratings, points, strict=True)), luck.variance(COMPARED * group.luck))
        players = [[score.player for score in seat] for seat in zip(*tables, strict=True)]
    else:
        variance = group.carried * luck.variance(group.luck)
        widths = _widths([score.player for score in tables[0]], ratings[0], together)
        lessons = [model.hand(ratings[0], points[0], [variance * width for width in widths])]
        players = [[score.player for score in tables[0]]]
    after = {
        player: replace(rating, at=at)
        for names, lesson in zip(players, lessons, strict=True)
        for player, rating in zip(names, lesson.ratings, strict=True)
    }
    return Taught(ratings=after, luck=reduce(_told, lessons, luck))


def _widths(players: Sequence[str], ratings: Sequence[Rating], together: Together) -> list[float]:
    """By how much more luck is taken to vary at each seat: the mean over its opponents."""
    return [
        fmean(
            model.widened(together.get((player, other), 0), rating)
            for other, rating in zip(players, ratings, strict=True)
            if other != player
        )
        for player in players
    ]


def _told(luck: Luck, lesson: Lesson) -> Luck:
    return lesson.of_luck(luck)


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
