"""Daily hands: their stored values, and the rules for games, points, streaks, places and the grid to share.

A day is a number: whole days since 1970 in UTC. Everyone gets the same cards and plays on their own. A board scores its
royalties, plus points for Fantasyland or minus a penalty for a foul. Games in which boards are set in one step are
played against masters, whose boards don't depend on the player's, and the points of the hand count.

This module knows nothing of tables, clocks or Discord.
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
"""Each seat's placements, street by street, as letters."""


_EPOCH = date(1970, 1, 1)
_SUNDAY = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """The hand of one day. Only the seed determines the deck. The master's letters don't reveal the cards."""

    number: ChallengeId
    series: Series
    day: int
    game: Variant
    name: str
    """Unique name under which the seed is sealed and committed to."""
    commitment: bytes
    sealed_seed: bytes
    epoch: str
    """The epoch, between two restores, in which the hand was created. The cards of an older epoch may be known."""
    seed: bytes | None = None
    """The seed, which is revealed once the day is over."""
    lost: bool = False
    """True if the key to the seed has been lost."""
    master: Played = ()
    """A master's placements, then those of the other seats; empty until they are computed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One player's attempt at a hand. Times are in milliseconds."""

    challenge: ChallengeId
    player: Player
    begun_at: int
    points: int | None = None
    """Points; None until the board is full."""
    ended_at: int | None = None
    shared_in: int | None = None
    """Channel where the result was last shared."""


class Series(Enum):
    """Series of hands, with one per day or one per week."""

    DAILY = "daily"
    WEEKLY = "weekly"


WEEKLY_GAMES = (PROGRESSIVE, JOKER_PINEAPPLE, THIRTEEN)
"""Games of the weekly hand, in rotation."""
FOUL_POINTS = -6
FANTASYLAND_POINTS = 10
"""Points for Fantasyland with the minimum number of cards."""
CARD_POINTS = 5
"""Points for each additional card."""
MIN_FANTASYLAND_CARDS = 14
FREEZE_AFTER = 7
"""Days of a streak until a freeze is available again after use."""


# days


def day_at(milliseconds: int) -> int:
    """Return the day that contains a time."""
    return milliseconds // DAY


def begins_at(day: int) -> int:
    """Return the start of a day (ms), which is also the end of the previous day."""
    return day * DAY


def date_of(day: int) -> date:
    """Return the calendar date of a day."""
    return _EPOCH + timedelta(days=day)


def game_of(series: Series, day: int) -> Variant | None:
    """Return the game for a day; None if the series has no hand on that day."""
    if series is Series.DAILY:
        return PINEAPPLE
    sunday = date_of(day)
    return WEEKLY_GAMES[sunday.toordinal() // 7 % len(WEEKLY_GAMES)] if sunday.weekday() == _SUNDAY else None


def previous_day(series: Series, day: int) -> int:
    """Return the day of the previous hand in the series."""
    return day - (1 if series is Series.DAILY else 7)


# scoring


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyOutcome:
    """A finished board and its score."""

    rows: RowCards
    foul: bool
    royalties: int
    fantasyland: int
    """Fantasyland cards earned; 0 for none."""
    points: int


def lone_points(*, foul: bool, royalties: int, fantasyland: int) -> int:
    """Return the points for a board that is scored on its own.

    >>> lone_points(foul=False, royalties=9, fantasyland=14)
    19
    """
    if foul:
        return FOUL_POINTS
    return royalties + fantasyland_points(fantasyland)


def fantasyland_points(cards: int) -> int:
    """Return the points for Fantasyland with ``cards`` cards; 0 if there are none."""
    return FANTASYLAND_POINTS + CARD_POINTS * (cards - MIN_FANTASYLAND_CARDS) if cards else 0


# places


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyPlace:
    """A player's place: the number of other players, how many of them have fewer points, and how many have as many."""

    others: int
    beaten: int
    equal: int

    @property
    def share(self) -> int:
        """Percentage of other players with fewer points, rounded down."""
        return 100 * self.beaten // self.others


def place_among(counts: Mapping[int, int], points: int) -> DailyPlace | None:
    """Return the place of a player with ``points``; None if there are no others.

    ``counts`` is the number of players per score, including this player.
    """
    others = sum(counts.values()) - 1
    if others < 1:
        return None
    fewer = sum(people for theirs, people in counts.items() if theirs < points)
    return DailyPlace(others=others, beaten=fewer, equal=counts[points] - 1)


# streaks


@dataclass(frozen=True, slots=True, kw_only=True)
class Streak:
    """A player's streak of consecutive days."""

    last: int
    """The last day played."""
    days: int
    best: int
    """Length of the player's longest streak."""
    frozen: int = 0
    """Length of the streak when a freeze was last used, including the day after the missed one; 0 if none was used."""

    @property
    def has_freeze(self) -> bool:
        """True if a single missed day won't break the streak."""
        return not self.frozen or self.days - self.frozen >= FREEZE_AFTER

    def length_on(self, day: int) -> int:
        """Return the streak's length as of ``day``, which may still be played; 0 if it's broken."""
        missed = day - self.last - 1
        return self.days if missed <= 0 or (missed == 1 and self.has_freeze) else 0


def played_on(streak: Streak | None, day: int) -> Streak:
    """Return the streak after playing on ``day``. One missed day uses the freeze, and more start a new streak."""
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
    """Where the master placed a card, compared with the player."""

    SAME_ROW = "same_row"
    OTHER_ROW = "other_row"
    DISCARDED = "discarded"


Grid = tuple[tuple[Mark, ...], tuple[Mark, ...], tuple[Mark, ...]]
"""Front, middle and back."""


def compare_boards(mine: DailyOutcome, master: DailyOutcome) -> Grid:
    """Compare a player's board with the master's on the same cards.

    Marks are sorted within each row, so they don't reveal the position of any card.
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
