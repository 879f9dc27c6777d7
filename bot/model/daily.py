"""Hands of a day as they are kept: the deck and a master's play of it, and what each person has made of it.

The rules around the hand of a day: which game it is, what it counts, streaks, places among all, the grid to share.

A day is a number: whole days of UTC since 1970. Everybody is dealt the same cards and plays alone, so a board counts by
itself: its royalties, points for Fantasyland, less for a foul. A game whose boards are set at once is played against
masters, whose boards do not depend on one's own: there the points of the hand count.

Nothing here knows a table, a clock or Discord.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum
from typing import NewType

from bot.model.clock import DAY
from bot.model.ids import Player
from bot.pure.ofc.cards import ROWS, Card, Row, RowCards
from bot.pure.ofc.presets import JOKER_PINEAPPLE, PINEAPPLE, PROGRESSIVE, THIRTEEN
from bot.pure.ofc.variants import Variant

ChallengeId = NewType("ChallengeId", int)

Played = tuple[tuple[str, ...], ...]
"""For each seat its placements, street by street, in letters."""


_EPOCH = date(1970, 1, 1)
_SUNDAY = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """The hand of one day. The deck follows from the seed alone; letters tell no card."""

    number: ChallengeId
    series: Series
    day: int
    game: Variant
    name: str
    """The name under which the seed is sealed and committed: no two have the same."""
    commitment: bytes
    sealed_seed: bytes
    epoch: str
    """The time between two restores in which it was made: one that is older may be known by now."""
    seed: bytes | None = None
    """Revealed once the day is over."""
    lost: bool = False
    """True where the key to the seed is gone."""
    master: Played = ()
    """The cards that a master placed, then those of the others at the table; empty until it was worked out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One person's try at a hand. Times are milliseconds."""

    challenge: ChallengeId
    player: Player
    begun_at: int
    points: int | None = None
    """None until the board is full."""
    ended_at: int | None = None
    shared_in: int | None = None
    """The channel in which they have shared it last."""


class Series(Enum):
    """Hands that follow each other: one a day, or one a week."""

    DAILY = "daily"
    WEEKLY = "weekly"


WEEKLY_GAMES = (PROGRESSIVE, JOKER_PINEAPPLE, THIRTEEN)
"""The games of Sundays, in turn."""
FOUL_POINTS = -6
FANTASYLAND_POINTS = 10
"""For Fantasyland with the fewest cards there are."""
CARD_POINTS = 5
"""For each card more."""
FEWEST_CARDS = 14
FREEZE_AFTER = 7
"""So many days of a streak after a freeze was used, there is one again."""


# days


def day_of(milliseconds: int) -> int:
    """The day of a time."""
    return milliseconds // DAY


def begins_at(day: int) -> int:
    """When a day begins (ms), which is when the one before it ends."""
    return day * DAY


def date_of(day: int) -> date:
    """The day in the calendar."""
    return _EPOCH + timedelta(days=day)


def game_of(series: Series, day: int) -> Variant | None:
    """The game that is played on a day; None where the series has no hand then."""
    if series is Series.DAILY:
        return PINEAPPLE
    sunday = date_of(day)
    return WEEKLY_GAMES[sunday.toordinal() // 7 % len(WEEKLY_GAMES)] if sunday.weekday() == _SUNDAY else None


def before(series: Series, day: int) -> int:
    """The day of the hand before this one."""
    return day - (1 if series is Series.DAILY else 7)


# what a board counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A finished board and what it counts."""

    rows: RowCards
    foul: bool
    royalties: int
    fantasyland: int
    """Cards that it earns for Fantasyland, 0 for none."""
    points: int


def alone(*, foul: bool, royalties: int, fantasyland: int) -> int:
    """The points of a board that is played alone.

    >>> alone(foul=False, royalties=9, fantasyland=14)
    19
    """
    if foul:
        return FOUL_POINTS
    return royalties + fantasyland_points(fantasyland)


def fantasyland_points(cards: int) -> int:
    """The points that Fantasyland with so many cards counts."""
    return FANTASYLAND_POINTS + CARD_POINTS * (cards - FEWEST_CARDS) if cards else 0


# among all who have played


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """How somebody stands among the others: how many there are, and how many of them have fewer points, or as many."""

    others: int
    beaten: int
    equal: int

    @property
    def share(self) -> int:
        """How many of 100 others have fewer points, rounded down."""
        return 100 * self.beaten // self.others


def place_among(counts: Mapping[int, int], points: int) -> Place | None:
    """The place of somebody with so many points; None for somebody who is alone.

    ``counts`` says how many people, oneself among them, have so many points.
    """
    others = sum(counts.values()) - 1
    if others < 1:
        return None
    fewer = sum(people for theirs, people in counts.items() if theirs < points)
    return Place(others=others, beaten=fewer, equal=counts[points] - 1)


# streaks


@dataclass(frozen=True, slots=True, kw_only=True)
class Streak:
    """Days on which somebody has played, one after the other."""

    last: int
    """The last of them."""
    days: int
    best: int
    """The longest streak that there was."""
    frozen: int = 0
    """How long the streak was when a missed day was forgiven, that day's successor counted; 0 where none was."""

    @property
    def has_freeze(self) -> bool:
        """True while a single day may be missed."""
        return not self.frozen or self.days - self.frozen >= FREEZE_AFTER

    def length_on(self, day: int) -> int:
        """How long it is on a day that may still be played; 0 for one that is broken."""
        missed = day - self.last - 1
        return self.days if missed <= 0 or (missed == 1 and self.has_freeze) else 0


def played_on(streak: Streak | None, day: int) -> Streak:
    """The streak after a day that was played: a day missed before it uses the freeze, more begin a new streak."""
    if streak is None:
        return Streak(last=day, days=1, best=1)
    if day <= streak.last:
        return streak
    length = streak.length_on(day) + 1
    forgiven = length if day > streak.last + 1 else streak.frozen
    frozen = 0 if length == 1 else forgiven
    return Streak(last=day, days=length, best=max(streak.best, length), frozen=frozen)


# the grid


class Mark(Enum):
    """Where a master has put the card that somebody put here."""

    SAME_ROW = "same_row"
    OTHER_ROW = "other_row"
    DISCARDED = "discarded"


Grid = tuple[tuple[Mark, ...], tuple[Mark, ...], tuple[Mark, ...]]
"""Front, middle, back."""


def grid_of(mine: Outcome, master: Outcome) -> Grid:
    """One's board compared with a master's on the same cards.

    Marks stand sorted in their row, so that they tell nothing of which card is where.
    """
    where = {card: row for row, cards in zip(ROWS, master.rows, strict=True) for card in cards}

    def mark(card: Card, row: Row) -> Mark:
        return Mark.DISCARDED if card not in where else Mark.SAME_ROW if where[card] is row else Mark.OTHER_ROW

    order = list(Mark)
    front, middle, back = (
        tuple(sorted((mark(card, row) for card in cards), key=order.index))
        for row, cards in zip(ROWS, mine.rows, strict=True)
    )
    return front, middle, back
