"""An independent model of a series: points by place, shared places, best dates, and champions.

It knows the rules from the documents, and shares no code with the bot.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from bot.model.ids import Player


@dataclass(kw_only=True)
class Date:
    """An event that has ended."""

    number: int
    series: str
    shares: bool
    """True if players who share a place split the points of the places that they take up."""
    percent: Sequence[int]
    places: dict[Player, int]
    """Everyone's place. Players without one have the last."""
    placeless: set[Player]
    """Players who were disqualified or struck."""
    struck: set[Player]
    """Players who were struck after the end. For them, the date doesn't count."""

    def worth(self, scoring: str, place: int) -> int:
        """Return the points of a place that isn't shared."""
        people = len(self.places)
        if scoring == "place":
            return 1 + people - place + math.isqrt(100 * people // place) - 10
        if scoring == "root":
            return math.floor(100 * math.sqrt(people / place) + 1e-9)
        if scoring == "percentile":
            return math.floor(Fraction(people - place, people - 1) * 100) if people > 1 else 100
        percent = list(self.percent[: people - len(self.placeless)])
        parts = [1000 * share // sum(percent) for share in percent]
        missing = 1000 - sum(parts)
        parts = [part + (at < missing) for at, part in enumerate(parts)]
        return parts[place - 1] if place <= len(parts) else 0

    def points(self, scoring: str, player: Player) -> int:
        """Return a player's points."""
        if player in self.placeless:
            return 0
        place = self.places[player]
        alike = sum(other == place for other in self.places.values()) if self.shares else 1
        return sum(self.worth(scoring, taken) for taken in range(place, place + alike)) // alike


@dataclass(frozen=True, kw_only=True)
class Row:
    """A line of a series' table."""

    points: int
    wins: int
    dates: int

    @property
    def rank(self) -> tuple[int, int, int]:
        """Points decide, then wins, then fewer dates."""
        return -self.points, -self.wins, self.dates


def table(dates: Sequence[Date], scoring: str, counted: int) -> dict[Player, Row]:
    """Return the table of a series with these dates, of which the best ``counted`` count, or all if it's 0."""
    points: dict[Player, list[int]] = defaultdict(list)
    wins: dict[Player, int] = defaultdict(int)
    for date in dates:
        for player, place in date.places.items():
            if player in date.struck:
                continue
            points[player].append(date.points(scoring, player))
            wins[player] += place == 1 and player not in date.placeless
    return {
        player: Row(points=sum(sorted(own)[::-1][: counted or None]), wins=wins[player], dates=len(own))
        for player, own in points.items()
    }


def champions(rows: dict[Player, Row]) -> set[Player]:
    """Return the players who share first place; no one without any points."""
    best = min((row.rank for row in rows.values()), default=None)
    return {player for player, row in rows.items() if row.rank == best and row.points}
