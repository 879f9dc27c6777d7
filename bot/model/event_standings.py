"""Players' standings over finished events, and the leaderboard of a series.

Everything is computed from the events' places, so corrected places take effect immediately.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from bot.model.ids import Player, is_computer
from bot.model.standings import EventStanding, RankingPlace, Season
from bot.pure.event.payouts import shared_out
from bot.pure.event.race import RaceScore
from bot.pure.event.scoring import Scoring, SeriesRule, at_final_table, best_of, points_of
from bot.pure.event.structure import Family, Structure
from bot.pure.event.ties import Ties, average


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPlacing:
    """A player's result in an event."""

    player: Player
    entries: int
    place: int
    prize: int
    """Prize in chips, including bounties."""
    disqualified: bool
    struck: bool = False
    """True if a ruling after the end struck them from the results."""
    end_place: int = 0
    """Place at the end of the event, before rulings on it; 0 if it's ``place``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedEvent:
    """A finished event."""

    number: int
    structure: Structure
    people: Sequence[EventPlacing]

    @property
    def counts(self) -> bool:
        """False for a friendly event, which has computers or handicaps."""
        friendly = self.structure.handicap or any(is_computer(one.player) for one in self.people)
        return bool(self.people) and not friendly


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesTable:
    """The leaderboard of a series, for all time or a season."""

    name: str
    rule: SeriesRule
    lines: Sequence[EventStanding]
    """The lines, best first, without players who hide their profile (except the viewer)."""
    places: Sequence[RankingPlace]
    """Places of the lines. Hidden players also take up places."""
    takes_part: bool
    """True if the viewer has ever finished one of the series' events."""
    newest: EndedEvent
    """The last event that counts, whose number of players is used as an example."""
    seasons: Sequence[Season]
    """The server's seasons, newest first."""
    season: Season | None
    """The selected season; None for the present run of the series, or its last one."""
    over: bool = False
    """True if the series is over and no date of a new run has ended."""
    left: int | None = None
    """Dates to come in the present run; None without a planned end, and for a season."""

    @property
    def champions(self) -> Sequence[Player]:
        """The visible winners of the selected season or of the series, if it's over."""
        over = self.over if self.season is None else self.season.ended_at is not None
        if not over:
            return ()
        placed = zip(self.places, self.lines, strict=True)
        return [line.player for place, line in placed if place.rank == 1 and line.points]


# Totals per player: season points, prizes, titles and final tables.


@dataclass(slots=True)
class _PlayerTotals:
    """Running totals of one player."""

    points: list[int] = field(default_factory=list)
    wins: int = 0
    finals: int = 0
    titles: int = 0
    chips: int = 0
    places: int = 0


def compute_standings(events: Iterable[EndedEvent], rule: SeriesRule) -> list[EventStanding]:
    """Return the players who finished any of ``events``, in ranking order. Ties are sorted by id."""
    tallies = _tallies(events, rule)
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


def points_in(event: EndedEvent, scoring: Scoring) -> dict[Player, int]:
    """Return each player's points in a single event; empty if it doesn't count."""
    return {line.player: line.points for line in compute_standings([event], SeriesRule(scoring=scoring))}


def race_scores(events: Iterable[EndedEvent], rule: SeriesRule) -> dict[Player, RaceScore]:
    """Return the score of each player who finished any of ``events``."""
    tallies = _tallies(events, rule)
    return {player: RaceScore(points=tuple(tally.points), wins=tally.wins) for player, tally in tallies.items()}


def _tallies(events: Iterable[EndedEvent], rule: SeriesRule) -> dict[Player, _PlayerTotals]:
    tallies: dict[Player, _PlayerTotals] = defaultdict(_PlayerTotals)
    for event in events:
        if event.counts:
            _count(event, rule.scoring, tallies)
    return tallies


def _count(event: EndedEvent, scoring: Scoring, tallies: dict[Player, _PlayerTotals]) -> None:
    """Add an event to the totals. Disqualified players keep their place but get no points. Struck ones have no result.

    The final table is that of the end, because places that move up later weren't reached at a table.

    Players who share a place get the average of the places that they take up. In brackets announced before events had
    a rule for ties, each gets the points of the shared place.
    """
    people, structure, shares = event.people, event.structure, tuple[int, ...]()
    if scoring is Scoring.PRIZE:
        # An event without anyone left would have been cancelled.
        fair = max(1, sum(not one.disqualified for one in people))
        shares = shared_out(structure, sum(one.entries for one in people), fair)
    worth, titles = _by_place(scoring, len(people), shares), structure.titles
    sharing = Counter(one.place for one in people) if structure.ties is Ties.SHARE else Counter[int]()
    seats = 0 if structure.format.family is Family.ROUNDS else structure.table_seats
    for one in people:
        if one.struck:
            continue
        tally, place = tallies[one.player], one.place
        tally.places += place
        tally.chips += one.prize
        if one.disqualified:
            tally.points.append(0)
            continue
        tally.points.append(average(worth, place, sharing.get(place, 1)))
        tally.wins += place == 1
        tally.finals += at_final_table(one.end_place or place, len(people), seats)
        tally.titles += place <= len(titles) and bool(titles[place - 1])


@lru_cache(maxsize=512)
def _by_place(scoring: Scoring, entries: int, shares: tuple[int, ...]) -> tuple[int, ...]:
    """Return the points of each place in a field."""
    return tuple(points_of(scoring, place, entries, shares) for place in range(1, entries + 1))
