"""The content of an event's public web page, before it's put into words.

Its readers may be strangers, so it has no cards, and says which players they may know by name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.model.event_rulings import CORRECTED, NEW_SERIES, in_force
from bot.model.event_standings import compute_standings
from bot.model.events import Event, EventFact, Phase
from bot.model.ids import EventKey, Player, TableId
from bot.model.standings import EventStanding, RankingPlace, places
from bot.play.audience import Audience, audience_of
from bot.play.event.floor import absences, sheets
from bot.play.event.floor.event_state import EventState, read_field
from bot.play.event.formats import brackets
from bot.play.event.formats.brackets import BracketView
from bot.play.event.formats.rounds import drawn_in
from bot.play.event.formats.series_runs import champions_of, dates_at, dates_left
from bot.play.event.office import flights
from bot.play.event.office.views import EventView, event_view
from bot.play.session.session import Session
from bot.pure.event.scoring import SeriesRule
from bot.pure.event.structure import Family

ADJUSTED = "adjusted"
"""Kind of the log line for chips or points that an organiser gave or took during play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicRuling:
    """A ruling that changed points, stacks, the results or the series."""

    kind: str
    """``adjusted``, or a kind of :data:`bot.model.event_rulings.RULINGS`."""
    at: int
    player: Player | None = None
    """The player it's about; None if it's about the series."""
    amount: int = 0
    """Points or chips given to the player; negative if they were taken."""
    round: int = 0
    """The round of the points; 0 if they belong to none."""
    against: Player | None = None
    """The opponent, who got the opposite."""

    def gives(self, player: Player) -> int:
        """Return the points that a player got."""
        return self.amount * ((player == self.player) - (player == self.against))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTable:
    """A table of a round, played or in play."""

    table: TableId
    players: tuple[Player, ...]
    points: tuple[int | None, ...] = ()
    """Points that each player has won there so far, as corrected by rulings; empty if the round has no points."""
    corrected: bool = False
    """True if a ruling changed the points."""
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
    """The run of the event's series to which the event belongs."""

    name: str
    rule: SeriesRule
    lines: Sequence[EventStanding]
    places: Sequence[RankingPlace]
    channels: frozenset[int]
    """The channels of the dates that have ended."""
    dates_left: int | None
    """Dates of the run that haven't ended, flights included; None without a planned end."""
    over: bool
    """True if the run is over, so that the table is final."""
    champions: Sequence[Player]
    """The players who share first place after the run; empty before its end."""
    following: Event | None
    """The next date that is published, which isn't another flight of the event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicEvent:
    """An event with everything that its page shows."""

    view: EventView
    bracket: BracketView | None
    """The bracket, once it has been drawn."""
    rounds: tuple[PlayedRound, ...]
    """The rounds of a league, duplicate event or shoot-out, first round first."""
    outside: Mapping[Player, int]
    """Points of each player that belong to no round, from handicaps and rulings; empty if there are none."""
    rulings: tuple[PublicRuling, ...]
    """The rulings in force, oldest first."""
    series: PublicSeries | None
    """The series; None without one."""
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
    rulings = _rulings(found)
    rounds = tuple(_rounds(found, view, rulings))
    bracket = brackets.bracket_view(found) if found.has_bracket else None
    return PublicEvent(
        view=view,
        bracket=bracket if bracket is not None and bracket.drawn else None,
        rounds=rounds,
        outside=_outside(found, rounds),
        rulings=rulings,
        series=_series(s, view),
        audience=audience_of(s, key.guild, ()),
        zone=s.tx.choices.server(key.guild).zone,
    )


def _rulings(found: EventState) -> tuple[PublicRuling, ...]:
    facts = [*found.tx.events.facts(found.key, ADJUSTED), *in_force(found.tx.events.rulings(found.key))]
    return tuple(map(_ruling, sorted(facts, key=lambda fact: fact.number)))


def _ruling(fact: EventFact) -> PublicRuling:
    if fact.kind == NEW_SERIES:
        return PublicRuling(kind=fact.kind, at=fact.at)
    details = fact.details
    against = details.get("against")
    return PublicRuling(
        kind=fact.kind,
        at=fact.at,
        player=Player(str(details["player"])),
        amount=int(details.get("amount", 0)),
        round=int(details.get("round", 0)) if fact.kind == CORRECTED else 0,
        against=None if against is None else Player(str(against)),
    )


def _outside(found: EventState, rounds: Sequence[PlayedRound]) -> Mapping[Player, int]:
    """Return the points of each player that no round has."""
    if found.event.format.family is not Family.ROUNDS or found.event.phase.before:
        return {}
    rest = {player: entrant.score for player, entrant in found.entrants.items()}
    for table in (table for one in rounds for table in one.tables):
        for player, points in zip(table.players, table.points, strict=True):
            if player in rest:
                rest[player] -= points or 0
    return {player: points for player, points in rest.items() if points}


def _rounds(found: EventState, view: EventView, rulings: Sequence[PublicRuling]) -> Iterator[PlayedRound]:
    for rung in view.ladder:
        tables = tuple(
            PlayedTable(table=table, players=tuple(players), winner=winner) for table, players, winner in rung.tables
        )
        yield PlayedRound(number=rung.round, tables=tables, byes=tuple(rung.byes), final=rung.final)
    if found.event.format.family is not Family.ROUNDS:
        return
    made = sheets.scores(found.tx, found.event)
    for number, tables_of in sorted(_seated(found).items()):
        ruled = [ruling for ruling in rulings if ruling.round == number]
        yield PlayedRound(
            number=number,
            tables=tuple(
                _played_table(table, players, number, made, ruled) for table, players in sorted(tables_of.items())
            ),
            byes=tuple(_byes(found, number, {player for players in tables_of.values() for player in players})),
        )


def _played_table(
    table: TableId, players: Sequence[Player], number: int, made: sheets.Scores, ruled: Sequence[PublicRuling]
) -> PlayedTable:
    """Return a table of a round with its points, given the rulings on that round."""
    given = [sum(ruling.gives(player) for ruling in ruled) for player in players]
    earned = [made.of(player, number) for player in players]
    return PlayedTable(
        table=table,
        players=tuple(players),
        points=tuple(
            None if one is None and not more else (0 if one is None else one.points) + more
            for one, more in zip(earned, given, strict=True)
        ),
        corrected=any(given),
    )


def _byes(found: EventState, number: int, seated: Collection[Player]) -> Iterator[Player]:
    """Yield the players without an opponent in a round, in the order of the draw."""
    away = {*seated, *absences.absent_in(found, number), *_disqualified_by(found, number)}
    if number == found.event.round:
        away |= drawn_in(found)  # some of their tables may not be open yet
    for entrant in sorted(found.entrants.values(), key=lambda entrant: entrant.number):
        if entrant.number and entrant.player not in away:
            yield entrant.player


def _disqualified_by(found: EventState, number: int) -> set[Player]:
    """Return the players who were disqualified at the end of a round."""
    began = [fact for fact in found.tx.events.facts(found.key, "round_began") if fact.details["round"] > number]
    last = {
        Player(str(fact.details["player"])): fact.kind
        for fact in found.tx.events.facts(found.key, "disqualified", "reinstated")
        if not began or fact.number < began[0].number
    }
    return {player for player, kind in last.items() if kind == "disqualified"}


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
    guild = event.key.guild
    held, over = dates_at(tx, guild, event.series, event.ended_at if event.phase is Phase.ENDED else None)
    lines = compute_standings(held, view.series_rule)
    return PublicSeries(
        name=event.series,
        rule=view.series_rule,
        lines=lines,
        places=places([line.key for line in lines]),
        channels=tx.events.series_channels(guild, event.series),
        dates_left=0 if over else dates_left(tx, guild, event.series),
        over=over,
        champions=champions_of(lines) if over else (),
        following=flights.next_date(tx, event) if event.phase is not Phase.CANCELLED else None,
    )
