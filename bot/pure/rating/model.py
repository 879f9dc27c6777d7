"""Rating model: skills in points per hand, updated after every hand.

A player's *skill* is the points they win per hand from an average opponent. Their *form* in a hand is their skill plus
the luck of that hand. Each pair of players settles the difference between their forms, so a player's points are n times
their form minus the sum of all n forms. Points don't reveal the common level of the forms, so all levels count as
equally likely (:func:`learned`). Each skill is modelled as an independent normal distribution.

All numbers are rounded to millionths, so the same hands in the same order give the same ratings on every machine.

Games are grouped if they take the same skill and their points are of about the same size.
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
"""Standard deviation of new players' skills, in points per hand."""
DRIFT = 0.003
"""Standard deviation of the change in a skill from one hand to the next."""
PRIOR_HANDS = 100
"""Weight of the prior variance of luck, in degrees of freedom."""
PAIR = 12
"""Maximum that all hands of a pair can count for, in hands against new opponents."""
STRANGER = 20
"""Number of hands after which an opponent counts half as much as a well-known one."""
DAY_MS = 86_400_000
GRACE_DAYS = 30
"""Days without a hand before a rating starts to lose certainty."""
RUST = 0.0015
"""Increase of the standard deviation per day after the grace period."""
CERTAINTY = 1.96
"""Half-width of a 95 % interval, in standard deviations."""
DIGITS = 6


BOARDS = "/boards"
"""Suffix of a group's key for the luck of boards, which several tables play with the same deck."""
COMPARED = 0.75
"""Prior variance of luck for boards, as a share of the group's normal prior."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """Estimate of a player's skill, in points per hand."""

    mean: float = 0.0
    deviation: float = SPREAD
    hands: int = 0
    at: int = 0
    """Time of the last update (ms); 0 for a new player."""

    def by(self, now: int) -> Rating:
        """Return the estimate at time ``now`` (ms). It loses certainty after a long break, down to a new player's."""
        days = (now - self.at) // DAY_MS - GRACE_DAYS
        if not self.hands or days <= 0 or self.deviation >= SPREAD:
            return self
        return replace(self, deviation=min(SPREAD, round(self.deviation + days * RUST, DIGITS)))

    @property
    def off(self) -> float:
        """Half-width of the 95 % interval."""
        return CERTAINTY * self.deviation

    @property
    def least(self) -> float:
        """Lower end of the 95 % interval. Players are ranked by it."""
        return round(self.mean - self.off, DIGITS + 2)


NEWCOMER = Rating()


@dataclass(frozen=True, slots=True, kw_only=True)
class Luck:
    """Statistics of luck in a group of games: squared residuals that skills don't explain."""

    squares: float = 0.0
    freedom: int = 0
    """Degrees of freedom of the squares: one fewer than players per hand."""

    def variance(self, guess: float) -> float:
        """Return the variance of luck in a form; ``guess`` is the prior."""
        return max(guess / 4, (PRIOR_HANDS * guess + self.squares) / (PRIOR_HANDS + self.freedom))


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingUpdate:
    """Update from one hand: the players' new ratings, in their order, and the squared residuals."""

    ratings: Sequence[Rating]
    squares: float
    freedom: int

    def of_luck(self, luck: Luck) -> Luck:
        """Return the statistics of luck including this update."""
        return Luck(squares=round(luck.squares + self.squares, DIGITS), freedom=luck.freedom + self.freedom)


def widened(together: int, opponent: Rating) -> float:
    """Return the factor for the variance of luck against ``opponent`` after ``together`` hands with each other.

    A pair's results may differ from their skills by an effect specific to the pair, and more hands don't separate that
    effect from skill. Its variance is that of the mean of ``PAIR`` hands, so n hands are worth n / (1 + n / PAIR) hands
    without the effect, and each further hand adds less. An opponent with few hands is uncertain and counts less.
    """
    pair = (1 + together / PAIR) * (1 + (together + 1) / PAIR)
    return pair * (1 + STRANGER / (1 + opponent.hands))


def learned(ratings: Sequence[Rating], forms: Sequence[float], variances: Sequence[float]) -> RatingUpdate:
    """Return the update from ``forms``. Only the differences between them are known.

    ``variances`` are the variances of the luck in each form.
    """
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
    return RatingUpdate(ratings=after, squares=squares, freedom=len(forms) - 1)


def hand(ratings: Sequence[Rating], points: Sequence[int], variances: Sequence[float]) -> RatingUpdate:
    """Return the update from one table's points; ``variances`` are the variances of the luck in each seat's form."""
    return learned(ratings, [own / len(points) for own in points], variances)


def board(tables: Sequence[tuple[Sequence[Rating], Sequence[int]]], variance: float) -> list[RatingUpdate]:
    """Return one update per seat for tables that played the same deck, where each seat had the same cards everywhere.

    A form is the points per opponent plus the opponents' mean rating before the hand. ``variance`` is the variance of
    the luck in such a form.
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
class RatingGroup:
    """Games that share one rating per player."""

    key: str
    games: tuple[str, ...]
    """Keys of presets, most popular first."""
    luck: float
    """Prior variance of luck in a form, in points squared, as measured with computer players."""
    carried: float
    """Factor for the variance of luck over many hands, because a good hand can earn Fantasyland."""


GROUPS: Mapping[str, RatingGroup] = MappingProxyType(
    {
        group.key: group
        for group in (
            RatingGroup(
                key="pineapple", games=("pineapple", "turbo_pineapple", "double_pineapple"), luck=43, carried=1.4
            ),
            RatingGroup(key="classic", games=("classic", "turbo", "double_classic"), luck=22, carried=1.15),
            RatingGroup(key="progressive", games=("progressive", "progressive_16", "ultimate"), luck=45, carried=1.4),
            RatingGroup(key="joker", games=("joker_pineapple", "joker_ultimate"), luck=122, carried=1.5),
            RatingGroup(key="two_seven", games=("two_seven",), luck=65, carried=1.7),
            RatingGroup(key="chinese", games=("chinese", "thirteen", "open_thirteen"), luck=43, carried=1),
        )
    }
)
_BY_GAME = {game: group for group in GROUPS.values() for game in group.games}


def group_of(game: str) -> RatingGroup | None:
    """Return the group of a preset; None if the game is no longer offered."""
    return _BY_GAME.get(game)


# A lesson is a hand, or a board that several tables played with the same deck.
#
# The number of lessons is stored with the ratings, and each result with its lesson's number.

MODEL = 3
"""Version of the model. After it changes, the next start recomputes all ratings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A player's points in a hand."""

    player: str
    points: int


Tables = Sequence[Sequence[Score]]
"""The tables of a lesson, each in seat order: one for a hand, several for a board."""


Together = Mapping[tuple[str, str], int]
"""Number of earlier hands of each ordered pair of players; a missing pair has played none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdatedRatings:
    """The players' ratings after a lesson, and the statistics of luck."""

    ratings: Mapping[str, Rating]
    luck: Luck


def luck_key(group: RatingGroup, tables: Tables) -> str:
    """Return the key under which the statistics of luck are stored."""
    return group.key + BOARDS if len(tables) > 1 else group.key


def pairs(scores: Sequence[Score]) -> list[tuple[str, str]]:
    """Return all ordered pairs of a table's players."""
    return list(permutations([score.player for score in scores], 2))


def taught(
    group: RatingGroup, tables: Tables, known: Mapping[str, Rating], luck: Luck, together: Together, *, at: int
) -> UpdatedRatings:
    """Return the ratings and the luck after a lesson at time ``at`` (ms). Players missing in ``known`` are new.

    ``together`` matters only for single tables. A board compares players with the same cards at tables that were drawn
    at random.
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
    return UpdatedRatings(ratings=after, luck=reduce(_told, lessons, luck))


def _widths(players: Sequence[str], ratings: Sequence[Rating], together: Together) -> list[float]:
    """Return each seat's factor for the variance of luck, as the mean over its opponents."""
    return [
        fmean(
            widened(together.get((player, other), 0), rating)
            for other, rating in zip(players, ratings, strict=True)
            if other != player
        )
        for player in players
    ]


def _told(luck: Luck, lesson: RatingUpdate) -> Luck:
    return lesson.of_luck(luck)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingVersion:
    """Model version and number of lessons of a server's ratings."""

    model: int = MODEL
    lessons: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedResult:
    """A stored result with its lesson's number."""

    lesson: int
    at: int
    """Time when the hand ended (ms)."""
    table: int
    game: str
    score: Score
