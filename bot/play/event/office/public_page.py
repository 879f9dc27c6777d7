"""The content of an event's public web page, before it's put into words.

Its readers may be strangers, so it has no cards, and says which players they may know by name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.model.event_standings import compute_standings
from bot.model.events import Event, Phase
from bot.model.ids import EventKey, Player, TableId
from bot.model.standings import EventStanding, RankingPlace, places
from bot.play.audience import Audience, audience_of
from bot.play.event.floor import sheets
from bot.play.event.floor.event_state import EventState, read_field
from bot.play.event.formats import brackets
from bot.play.event.formats.brackets import BracketView
from bot.play.event.formats.series_runs import coming_dates, last_results
from bot.play.event.office.views import EventView, event_view
from bot.play.session.session import Session
from bot.pure.event.scoring import BY_PLACE
from bot.pure.event.structure import Family


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTable:
    """A table of a round, played or in play."""

    table: TableId
    players: tuple[Player, ...]
    points: tuple[int | None, ...] = ()
    """Points that each player has won there so far; empty if the round isn't played for points."""
    winner: Player | None = None
    """The player who advances; None if that's open or no one does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRound:
    """A round with its tables."""

    number: int
    tables: tuple[PlayedTable, ...]
    byes: tuple[Player, ...] = ()
    final: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicSeries:
    """The table of the event's series."""

    name: str
    lines: Sequence[EventStanding]
    places: Sequence[RankingPlace]
    channels: frozenset[int]
    """The channels of the dates that have ended."""
    dates_left: int | None
    """Dates to come; None without a planned end."""
    following: Event | None
    """The next date that is published."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicEvent:
    """An event with everything that its page shows."""

    view: EventView
    bracket: BracketView | None
    """The bracket, once it has been drawn."""
    rounds: tuple[PlayedRound, ...]
    """The rounds of a league, duplicate event or shoot-out, first round first."""
    series: PublicSeries | None
    """The series; None without one, or before a date has ended."""
    audience: Audience
    """The readers, who may be strangers. It says which players may be named, and has no channels."""
    zone: str
    """The server's time zone; empty for the default of the reader's language."""

    @property
    def event(self) -> Event:
        """The event."""
        return self.view.event


def public_event(s: Session, key: EventKey, page: str) -> PublicEvent | None:
    """Return what an event's public page shows; None if the event has no page with this address."""
    event = s.tx.events.get(key)
    if event is None or not page or event.page != page:
        return None
    found = read_field(s, key)
    view = event_view(s, found)
    bracket = brackets.bracket_view(found) if found.has_bracket else None
    return PublicEvent(
        view=view,
        bracket=bracket if bracket is not None and bracket.drawn else None,
        rounds=tuple(_rounds(found, view)),
        series=_series(s, view),
        audience=audience_of(s, key.guild, ()),
        zone=s.tx.choices.server(key.guild).zone,
    )


def _rounds(found: EventState, view: EventView) -> Iterator[PlayedRound]:
    for rung in view.ladder:
        tables = tuple(
            PlayedTable(table=table, players=tuple(players), winner=winner) for table, players, winner in rung.tables
        )
        yield PlayedRound(number=rung.round, tables=tables, byes=tuple(rung.byes), final=rung.final)
    if found.event.format.family is not Family.ROUNDS:
        return
    made = sheets.scores(found.tx, found.event)
    for number, tables_of in sorted(_seated(found).items()):
        byes = [line.entrant.player for line in view.lines if line.bye] if number == found.event.round else []
        yield PlayedRound(
            number=number,
            tables=tuple(
                PlayedTable(
                    table=table,
                    players=tuple(players),
                    points=tuple(
                        None if (earned := made.of(player, number)) is None else earned.points for player in players
                    ),
                )
                for table, players in sorted(tables_of.items())
            ),
            byes=tuple(byes),
        )


def _seated(found: EventState) -> dict[int, dict[TableId, list[Player]]]:
    """Return the players of each table by round, including tables whose first hand isn't over."""
    seated: dict[int, dict[TableId, dict[Player, int]]] = defaultdict(lambda: defaultdict(dict))
    for result in found.tx.entrants.event_results(found.key):
        seated[result.round][result.table].setdefault(result.player, result.seat)
    for spot in found.spots.values():
        if spot.info.round:
            for seat in spot.seats:
                seated[spot.info.round][spot.key.table].setdefault(seat.player, seat.number)
    return {
        number: {table: sorted(seats, key=lambda player: seats[player]) for table, seats in tables.items()}
        for number, tables in seated.items()
    }


def _series(s: Session, view: EventView) -> PublicSeries | None:
    event, tx = view.event, s.tx
    if not event.series:
        return None
    events, _ = last_results(tx, event.key.guild, event.series)
    lines = compute_standings(events, tx.events.series_rule(event.key.guild, event.series) or BY_PLACE)
    coming = [one for one in coming_dates(tx, event) if one.phase.before]
    if not lines and not coming:
        return None
    return PublicSeries(
        name=event.series,
        lines=lines,
        places=places([line.key for line in lines]),
        channels=tx.events.series_channels(event.key.guild, event.series),
        dates_left=view.dates_left,
        following=coming[0] if coming and event.phase is not Phase.CANCELLED else None,
    )
