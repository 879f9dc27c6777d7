"""The model of ratings: skills in points, hands as differences of skills with luck added, and what a hand teaches.

Somebody's *skill* is what they win a hand from one average opponent. In a hand each player has a form: their skill with
the luck of the hand added. Everybody wins from each other what their forms differ by, so that points are n times a form
less the forms of all n. How high all forms are cannot be seen, and every height of theirs is taken for as likely
(:func:`learned`). What is known of a skill is a normal distribution; skills are held for independent of each other.

Everything is rounded to millionths, so that the same hands in the same order make the same ratings everywhere.

Groups of games: those in which the same skill counts, in points of about the same size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import permutations
from math import sqrt
from statistics import fmean
from types import MappingProxyType

SPREAD = 1.5
"""By how much the skills of people who have not played differ: a standard deviation, in points a hand."""
DRIFT = 0.003
"""How much a skill may change from one hand to the next: a standard deviation."""
PRIOR_HANDS = 100
"""So many degrees of freedom the first guess at the luck is worth."""
PAIR = 12
"""All hands of one pair together teach as much as so many hands with ever new opponents, and no more."""
STRANGER = 20
"""After so many hands an opponent teaches half of what one does who is known well."""
DAY_MS = 86_400_000
GRACE_DAYS = 30
"""So many days without a hand change nothing."""
RUST = 0.0015
"""By how much a skill is known less well for each day after that: added to the standard deviation."""
CERTAINTY = 1.96
"""Standard deviations to each side that hold a skill in 95 of 100 cases."""
DIGITS = 6


BOARDS = "/boards"
"""Behind a group's key: the luck of decks that several tables were dealt."""
COMPARED = 0.75
"""How much luck varies there, as a share of what it does elsewhere: a first guess."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """The estimate of somebody's skill."""

    mean: float = 0.0
    deviation: float = SPREAD
    hands: int = 0
    at: int = 0
    """When it was last taught something, in milliseconds; 0 for a newcomer."""

    def by(self, now: int) -> Rating:
        """The estimate by then: less certain after a long time away, and never less than of a newcomer."""
        days = (now - self.at) // DAY_MS - GRACE_DAYS
        if not self.hands or days <= 0 or self.deviation >= SPREAD:
            return self
        return replace(self, deviation=min(SPREAD, round(self.deviation + days * RUST, DIGITS)))

    @property
    def off(self) -> float:
        """How far the skill may be from the mean, in 95 of 100 cases."""
        return CERTAINTY * self.deviation

    @property
    def least(self) -> float:
        """The least that the skill is in 97 of 100 cases: players are listed by it."""
        return round(self.mean - self.off, DIGITS + 2)


NEWCOMER = Rating()


@dataclass(frozen=True, slots=True, kw_only=True)
class Luck:
    """The luck of a group of games: squares of what skills did not explain."""

    squares: float = 0.0
    freedom: int = 0
    """Over how many degrees of freedom: one less than players in each hand."""

    def variance(self, guess: float) -> float:
        """The variance of a form, from a first guess at it."""
        return max(guess / 4, (PRIOR_HANDS * guess + self.squares) / (PRIOR_HANDS + self.freedom))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """The lesson of a hand: the players' ratings after it, in their order, and what it tells of luck."""

    ratings: Sequence[Rating]
    squares: float
    freedom: int

    def of_luck(self, luck: Luck) -> Luck:
        """The luck after it."""
        return Luck(squares=round(luck.squares + self.squares, DIGITS), freedom=luck.freedom + self.freedom)


def widened(together: int, opponent: Rating) -> float:
    """By how much more luck is taken to vary against an opponent, after so many hands with each other.

    A pair may play differently from what their skills say, by a matter of their own that no number of hands tells from
    skill. If that varies as much as the luck in the mean of ``PAIR`` hands, n hands teach what n / (1 + n / PAIR)
    would, and the next one the difference. An opponent of whom few hands are known may be anything.
    """
    pair = (1 + together / PAIR) * (1 + (together + 1) / PAIR)
    return pair * (1 + STRANGER / (1 + opponent.hands))


def learned(ratings: Sequence[Rating], forms: Sequence[float], variances: Sequence[float]) -> Lesson:
    """The lesson of forms with only their differences known; ``variances`` are those of the luck in each form."""
    known = [rating.deviation**2 + DRIFT**2 for rating in ratings]
    weights = [1 / (v + variance) for v, variance in zip(known, variances, strict=True)]
    surprises = [form - rating.mean for form, rating in zip(forms, ratings, strict=True)]
    whole = sum(weights)
    height = sum(w * surprise for w, surprise in zip(weights, surprises, strict=True)) / whole
    after = [
        Rating(
            mean=round(rating.mean + v * w * (surprise - height), DIGITS),
            deviation=round(sqrt(v - v * v * w * (1 - w / whole)), DIGITS),
            hands=rating.hands + 1,
        )
        for rating, v, w, surprise in zip(ratings, known, weights, surprises, strict=True)
    ]
    middle = sum(surprises) / len(forms)
    share = 1 - 1 / len(forms)
    squares = sum((surprise - middle) ** 2 for surprise in surprises) - share * sum(known)
    return Lesson(ratings=after, squares=squares, freedom=len(forms) - 1)


def hand(ratings: Sequence[Rating], points: Sequence[int], variances: Sequence[float]) -> Lesson:
    """The lesson of one table's points; ``variances`` are those of the luck in each seat's form."""
    return learned(ratings, [own / len(points) for own in points], variances)


def board(tables: Sequence[tuple[Sequence[Rating], Sequence[int]]], variance: float) -> list[Lesson]:
    """The lesson of tables that were dealt the same deck, seat by seat: each seat held the same cards everywhere.

    A form is what was won from each opponent, with the opponents' mean added as it was known before; ``variance`` is
    that of the luck in such forms.
    """
    opponents = len(tables[0][0]) - 1
    heights = [sum(rating.mean for rating in ratings) for ratings, _ in tables]
    lessons = []
    for seat in range(opponents + 1):
        known = [ratings[seat] for ratings, _ in tables]
        forms = [
            (points[seat] + height - rating.mean) / opponents
            for rating, (_, points), height in zip(known, tables, heights, strict=True)
        ]
        lessons.append(learned(known, forms, [variance] * len(known)))
    return lessons


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Games in which a player has one rating."""

    key: str
    games: tuple[str, ...]
    """Keys of presets, the one that is played most first."""
    luck: float
    """A first guess at the variance of luck in a form, in points: what computer players showed."""
    carried: float
    """By how much more luck varies over many hands: Fantasyland follows from a hand that went well."""


GROUPS: Mapping[str, Group] = MappingProxyType(
    {
        group.key: group
        for group in (
            Group(key="pineapple", games=("pineapple", "turbo_pineapple", "double_pineapple"), luck=43, carried=1.4),
            Group(key="classic", games=("classic", "turbo", "double_classic"), luck=22, carried=1.15),
            Group(key="progressive", games=("progressive", "progressive_16", "ultimate"), luck=45, carried=1.4),
            Group(key="joker", games=("joker_pineapple", "joker_ultimate"), luck=122, carried=1.5),
            Group(key="two_seven", games=("two_seven",), luck=65, carried=1.7),
            Group(key="chinese", games=("chinese", "thirteen", "open_thirteen"), luck=43, carried=1),
        )
    }
)
_BY_GAME = {game: group for group in GROUPS.values() for game in group.games}


def group_of(game: str) -> Group | None:
    """The group of a preset; None for one that is not offered any more."""
    return _BY_GAME.get(game)


# A lesson: a hand, or a board that several tables were dealt, and what it makes of the ratings before it.
#
# Beside the ratings is kept how many lessons there were, and each result as a part of its lesson.

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
        lessons = board(list(zip(ratings, points, strict=True)), luck.variance(COMPARED * group.luck))
        players = [[score.player for score in seat] for seat in zip(*tables, strict=True)]
    else:
        variance = group.carried * luck.variance(group.luck)
        widths = _widths([score.player for score in tables[0]], ratings[0], together)
        lessons = [hand(ratings[0], points[0], [variance * width for width in widths])]
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
            widened(together.get((player, other), 0), rating)
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
