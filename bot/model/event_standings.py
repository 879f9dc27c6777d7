"""The events that have ended as they count for people, and the table of a series.

All of it is read from the places of events, so that whatever changes these changes it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from bot.model.ids import Player, is_computer
from bot.model.standings import EventStanding, Place, Season
from bot.pure.event.payouts import shared_out
from bot.pure.event.scoring import Scoring, SeriesRule, at_final_table, best_of, points_of
from bot.pure.event.structure import Family, Structure


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Where somebody finished in an event."""

    player: Player
    entries: int
    place: int
    prize: int
    """With the bounties they have won."""
    disqualified: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedEvent:
    """An event that was played to its end."""

    number: int
    structure: Structure
    people: Sequence[Placed]

    @property
    def counts(self) -> bool:
        """False where computers were given seats, or weaker players a handicap: nothing is at stake then."""
        friendly = self.structure.handicap or any(is_computer(one.player) for one in self.people)
        return bool(self.people) and not friendly


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesTable:
    """The leaderboard of a series, of all time or of a season of its server."""

    name: str
    rule: SeriesRule
    lines: Sequence[EventStanding]
    """Best first, without those who keep to themselves, but for the asker."""
    places: Sequence[Place]
    """Those of the lines; whoever keeps to themselves has one too."""
    takes_part: bool
    """True for an asker who has ever finished one of its events."""
    newest: EndedEvent
    """The last one that counts: its field is the example."""
    seasons: Sequence[Season]
    """Those of the server, the newest first."""
    season: Season | None
    """The one that is meant; None for all time."""

    @property
    def champions(self) -> Sequence[Player]:
        """Who has won a season that is over, as far as they are named."""
        if self.season is None or self.season.ended_at is None:
            return ()
        placed = zip(self.places, self.lines, strict=True)
        return [line.player for place, line in placed if place.rank == 1 and line.points]


# What events count for people: points by place and size of field, prizes, titles and final tables.


@dataclass(slots=True)
class _Tally:
    """What is counted of one player's events."""

    points: list[int] = field(default_factory=list)
    wins: int = 0
    finals: int = 0
    titles: int = 0
    chips: int = 0
    places: int = 0


def standings_of(events: Iterable[EndedEvent], rule: SeriesRule) -> list[EventStanding]:
    """Everybody who has finished one of these events, as their table ranks them; equals by their names."""
    tallies: dict[Player, _Tally] = defaultdict(_Tally)
    for event in events:
        if event.counts:
            _count(event, rule.scoring, tallies)
    lines = [
        EventStanding(
            player=player,
            points=best_of(tally.points, rule.counted),
            events=len(tally.points),
            wins=tally.wins,
            finals=tally.finals,
            titles=tally.titles,
            chips=tally.chips,
            places=tally.places,
        )
        for player, tally in tallies.items()
    ]
    return sorted(lines, key=lambda line: (line.key, line.player))


def _count(event: EndedEvent, scoring: Scoring, tallies: dict[Player, _Tally]) -> None:
    """Add an event. A disqualified player has their place, and those above have finished ahead of them."""
    people, structure, shares = event.people, event.structure, tuple[int, ...]()
    if scoring is Scoring.PRIZE:
        # At least one, or it would have been called off.
        fair = max(1, sum(not one.disqualified for one in people))
        shares = shared_out(structure, sum(one.entries for one in people), fair)
    worth, titles = _by_place(scoring, len(people), shares), structure.titles
    seats = 0 if structure.format.family is Family.ROUNDS else structure.table_seats
    for one in people:
        tally, place = tallies[one.player], one.place
        tally.places += place
        tally.chips += one.prize
        if one.disqualified:
            tally.points.append(0)
            continue
        tally.points.append(worth[place - 1])
        tally.wins += place == 1
        tally.finals += at_final_table(place, len(people), seats)
        tally.titles += place <= len(titles) and bool(titles[place - 1])


@lru_cache(maxsize=512)
def _by_place(scoring: Scoring, entries: int, shares: tuple[int, ...]) -> tuple[int, ...]:
    """The points of every place of a field."""
    return tuple(points_of(scoring, place, entries, shares) for place in range(1, entries + 1))
