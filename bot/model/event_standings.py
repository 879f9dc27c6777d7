"""The events that have ended as they count for people, and the table of a series.

All of it is read from the places of events, so that whatever changes these changes it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from bot.event.scoring import Scoring, SeriesRule, at_final_table, best_of, points_of
from bot.event.structure import Family, Structure, shared_out
from bot.model.ids import Player, is_computer
from bot.model.standings import EventStanding, Place, Season


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Where somebody finished in an event."""

    player: Player
    entries: int
    place: int
    prize: int
    disqualified: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedEvent:
    """An event that was played to its end."""

    number: int
    structure: Structure
    people: Sequence[Placed]

    @property
    def counts(self) -> bool:
        """False where computers were given seats: nothing is at stake then."""
        return bool(self.people) and not any(is_computer(one.player) for one in self.people)


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


def standings_of(events: Sequence[EndedEvent], rule: SeriesRule) -> list[EventStanding]:
    """Everybody who has finished one of these events, as their table ranks them; equals by their names."""
    played: dict[Player, list[tuple[EndedEvent, Placed, int]]] = defaultdict(list)
    for event in events:
        for one, points in _scored(event, rule.scoring) if event.counts else ():
            played[one.player].append((event, one, points))
    lines = [_standing(player, finished, rule) for player, finished in played.items()]
    return sorted(lines, key=lambda line: (line.key, line.player))


def _scored(event: EndedEvent, scoring: Scoring) -> list[tuple[Placed, int]]:
    """Everybody with their points. A disqualified player has none, and those above have finished ahead of them."""
    people, shares = event.people, tuple[int, ...]()
    if scoring is Scoring.PRIZE:
        # At least one, or it would have been called off.
        fair = max(1, sum(not one.disqualified for one in people))
        shares = shared_out(event.structure, sum(one.entries for one in people), fair)
    return [(one, 0 if one.disqualified else points_of(scoring, one.place, len(people), shares)) for one in people]


def _standing(player: Player, finished: Sequence[tuple[EndedEvent, Placed, int]], rule: SeriesRule) -> EventStanding:
    fair = [(event, one) for event, one, _ in finished if not one.disqualified]
    return EventStanding(
        player=player,
        points=best_of([points for _, _, points in finished], rule.counted),
        events=len(finished),
        wins=sum(one.place == 1 for _, one in fair),
        finals=sum(_at_final_table(event, one) for event, one in fair),
        titles=sum(any(event.structure.titles[one.place - 1 : one.place]) for event, one in fair),
        chips=sum(one.prize for _, one, _ in finished),
        places=sum(one.place for _, one, _ in finished),
    )


def _at_final_table(event: EndedEvent, one: Placed) -> bool:
    """True for a place at the last table of an event that plays down to one."""
    structure = event.structure
    if structure.format.family is Family.ROUNDS:
        return False
    return at_final_table(one.place, len(event.people), structure.table_seats)
