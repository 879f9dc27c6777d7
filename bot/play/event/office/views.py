"""Views of events: standings, tables and prizes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.model.clock import HOUR
from bot.model.events import Entrant, EntrantState, Event, EventFact, EventTable, Official, Phase, WaitingPlayer
from bot.model.hands import HandRecord, HandState
from bot.model.ids import EventKey, GuildId, Player, TableId, TableKey
from bot.model.reasons import EventReason
from bot.model.tables import EventStatus, Role, Table, TableState
from bot.play.event.floor import absences
from bot.play.event.floor import event_state as fields
from bot.play.event.floor.event_state import bracket_in, bracket_progress, rank_entrants
from bot.play.event.formats import brackets, handicaps, rounds
from bot.play.event.formats.brackets import BracketView, GroupTable, ShootoutRound, group_tables, rungs
from bot.play.event.formats.handicaps import Handicap
from bot.play.event.formats.series_runs import dates_left
from bot.play.event.office import date_changes, permissions
from bot.play.event.office.stand_bys import standing_by
from bot.play.event.office.waiting_list import has_list
from bot.play.queries.results import ResultView, result_of
from bot.play.session.chips import pool_of
from bot.play.session.session import Session
from bot.play.terms import of_event
from bot.pure.event.bracket import Stage, stage_of
from bot.pure.event.payouts import prizes
from bot.pure.event.scoring import BY_PLACE, SeriesRule
from bot.pure.event.seeding import SeededBy
from bot.pure.event.structure import Family, Format
from bot.pure.ofc.refusals import Refused

NEAR_MS = 12 * HOUR
"""Events whose starts are further apart are taken not to be on at the same time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsLine:
    """A line of the standings."""

    place: int
    """Current place, from 1, shared by equal players. It's final after the event."""
    entrant: Entrant
    chips: int
    """Stack; 0 if points decide."""
    table: TableId | None
    channel: int | None
    """The channel of their table."""
    away: bool = False
    beaten: bool = False
    """True for a player with one loss in a double elimination."""
    for_third: bool = False
    """True for a player who can finish third at best."""
    by_draw: bool = False
    """True if only the draw decided the final place."""
    tied: bool = False
    """True if other players share the place."""
    odd_chip: bool = False
    """True if the draw gave the player an odd chip of a prize that was split."""
    coming: Mapping[str, Any] = field(default_factory=dict)
    """Next opponent in a bracket for a player without a table (:func:`bot.play.event.floor.event_state.next_match`)."""
    bye: bool = False
    """True for a player without an opponent in a league's current round."""
    left_after: int | None = None
    """Last round of a player who has left a league or duplicate event; None for everyone else."""
    left_seat: bool = False
    """True for a player who has left a freezeout without giving up, and hasn't come back."""
    gave_up: bool = False
    """True for a player who has given up. In a freezeout or shoot-out, they play until the end of their hand."""
    may_return: bool = False
    """True if a player who has left may come back."""
    struck: bool = False
    """True for a disqualified player who was struck from the results after the end."""
    waits_for: tuple[TableId, ...] = ()
    """Tables that must finish before a player without a table plays again."""

    @property
    def eliminated(self) -> bool:
        """True if the player is out and didn't leave by choice."""
        return self.entrant.state is EntrantState.OUT and self.left_after is None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """An open table."""

    info: EventTable
    table: Table
    players: tuple[Player, ...]
    acting: tuple[Player, ...] = ()
    """The players whose clock is running."""
    stage: tuple[Stage, int] | None = None
    """Stage of the table's match or of a shoot-out's final; None if it has no name."""

    @property
    def playing(self) -> bool:
        """True while a hand is in progress."""
        return self.table.state is TableState.PLAYING


@dataclass(frozen=True, slots=True, kw_only=True)
class EventView:
    """The public view of an event."""

    event: Event
    lines: tuple[StandingsLine, ...]
    """The registered entrants in order of registration before the start, and all entrants by place afterwards."""
    tables: tuple[TableLine, ...]
    pool: int
    """Chips in the prize pool. Before the start, it includes chips that the server will add."""
    prizes: tuple[int, ...]
    """Prizes by place for the current pool; empty without prizes."""
    registration_open: bool
    reentry_open: bool
    why: str = ""
    """The organiser's reason for calling it off."""
    ladder: tuple[ShootoutRound, ...] = ()
    """Rounds of a shoot-out so far."""
    groups: tuple[GroupTable, ...] = ()
    """Groups of an event that has started, if its format has groups."""
    series_rule: SeriesRule = BY_PLACE
    """Scoring rule of the event's series, or the default without a series."""
    table_numbers: Mapping[TableId, int] = field(default_factory=dict)
    """Numbers within the event of its tables, including closed ones. Older tables have none."""
    dates_left: int | None = None
    """Dates to come in the event's series, with this one if it isn't over; None without a planned end."""
    regular_start: int | None = None
    """The start by the repetition, if only this date was moved (ms); None otherwise."""
    handicaps: tuple[Handicap, ...] = ()
    """Before the start, the handicaps by current ratings, largest first."""
    reinstatable: frozenset[Player] = frozenset()
    """The players whose disqualification can be undone. Before the start, they have no line."""
    waiting: tuple[WaitingPlayer, ...] = ()
    """The waiting list in order; empty after the start."""
    stand_by: frozenset[Player] = frozenset()
    """The players on it who have checked in, and get the places that are free at the start."""

    @property
    def is_last_date(self) -> bool:
        """True if the event is planned as the last date of its series, so that it doesn't repeat."""
        return self.dates_left == 1

    @property
    def repeats(self) -> bool:
        """True if another date follows this one."""
        return self.event.repeat is not None and not self.is_last_date

    @property
    def in_groups(self) -> bool:
        """True while groups play for places in the bracket."""
        return self.event.phase is Phase.RUNNING and any(not group.drawn for group in self.groups)

    @property
    def begun(self) -> bool:
        """True once there are standings, after the first finished hand or elimination."""
        told = any(line.entrant.hands or line.eliminated for line in self.lines)
        return told or self.event.phase.over

    @property
    def full(self) -> bool:
        """True if a player who registers now joins the waiting list."""
        taken = len(self.lines) + len(self.waiting)
        return has_list(self.event) and taken >= self.event.structure.most

    @property
    def next_in_line(self) -> bool:
        """True if a player on the waiting list has no place on offer yet."""
        return any(waiting.offered_until is None for waiting in self.waiting)

    def waiting_of(self, player: str) -> WaitingPlayer | None:
        """Return a player's place on the waiting list; None if they aren't on it."""
        return next((waiting for waiting in self.waiting if waiting.player == player), None)

    def place_in_list(self, player: str) -> int:
        """Return the place of a player on the waiting list, from 1."""
        return 1 + [waiting.player for waiting in self.waiting].index(Player(player))

    @property
    def playing(self) -> int:
        """Number of players who will be dealt or paired again."""
        return sum(line.entrant.playing for line in self.lines)

    @property
    def still_in(self) -> int:
        """Number of players still in the event, with those who leave after the round that they're playing."""
        leaving = (line.left_after is not None and line.table is not None for line in self.lines)
        return self.playing + sum(leaving)

    @property
    def fair(self) -> tuple[StandingsLine, ...]:
        """Lines of the players who aren't disqualified."""
        return tuple(line for line in self.lines if not line.entrant.disqualified)

    @property
    def seeded_by_hand(self) -> list[StandingsLine]:
        """Lines of the players seeded by an organiser, best seed first; empty after the start."""
        if not self.event.phase.before or self.event.structure.seeded_by(self.event.series) is not SeededBy.HAND:
            return []
        return sorted((line for line in self.lines if line.entrant.seeded), key=lambda line: line.entrant.seeded)

    @property
    def disqualified(self) -> list[Player]:
        """The players disqualified in play, whose places don't count."""
        return [line.entrant.player for line in self.lines if line.entrant.disqualified and not line.struck]

    @property
    def struck(self) -> list[Player]:
        """The players who were struck from the results after the end."""
        return [line.entrant.player for line in self.lines if line.struck]

    @property
    def entries(self) -> int:
        """Number of entries, including re-entries."""
        return sum(line.entrant.entries for line in self.lines)

    @property
    def point_value(self) -> int:
        """Point value at the current level; 0 if points decide."""
        if self.event.format.family is Family.ROUNDS:
            return 0
        return self.event.structure.point_value(self.event.level)

    @property
    def next_point_value(self) -> int:
        """Point value at the next level; 0 if points decide."""
        if self.event.format.family is Family.ROUNDS:
            return 0
        return self.event.structure.point_value(self.event.level + 1)

    def number_of(self, table: int) -> int:
        """Return a table's number for people, by its stored id."""
        return self.table_numbers.get(TableId(table), table)

    def line_of(self, player: str) -> StandingsLine | None:
        """Return a player's line."""
        return next((line for line in self.lines if line.entrant.player == player), None)

    def may_enter_again(self, player: str) -> bool:
        """True if an eliminated player may re-enter."""
        line = self.line_of(player)
        if line is None or not self.reentry_open or line.entrant.disqualified:
            return False
        return line.entrant.state is EntrantState.OUT and line.entrant.entries <= self.event.structure.reentries


def own_events(s: Session, guild: GuildId, player: Player, phases: Sequence[Phase]) -> Iterator[tuple[Event, Entrant]]:
    """Yield the events of a server that the player is or was in, newest first."""
    for event in s.tx.events.in_phases(guild, phases):
        entrant = s.tx.entrants.get(event.key, player)
        if entrant is not None and entrant.state is not EntrantState.WITHDRAWN:
            yield event, entrant


def other_entries(s: Session, key: EventKey, player: Player) -> list[Event]:
    """Return the other open events of the server, near this one in time, that the player is in."""
    events = {event.key: event for event in s.tx.events.in_phases(key.guild, [p for p in Phase if not p.over])}
    if (here := events.pop(key, None)) is None:
        return []
    start = start_of(here, now=s.now)
    near = [event for event in events.values() if abs(start_of(event, now=s.now) - start) < NEAR_MS]
    entered = ((event, s.tx.entrants.get(event.key, player)) for event in near)
    return [event for event, own in entered if own is not None and (own.registered or own.playing)]


def start_of(event: Event, *, now: int) -> int:
    """Return when an event started or will start (ms). An event that starts when it's full may do so ``now``."""
    return event.started_at or event.starts_at or now


def awaited_events(s: Session, guild: GuildId, player: Player) -> list[tuple[Event, WaitingPlayer]]:
    """Return the events of a server whose waiting list the player is on, newest first."""
    before = s.tx.events.in_phases(guild, [phase for phase in Phase if phase.before])
    found = [(event, s.tx.waiting.get(event.key, player)) for event in before]
    return [(event, waiting) for event, waiting in found if waiting is not None]


def event_for(s: Session, key: EventKey, player: Player) -> tuple[Event, bool]:
    """Return an event, and True if the player is or was in it. Raises Refused."""
    entrant = s.tx.entrants.get(key, player)
    return fields.event_of(s, key), entrant is not None and entrant.state is not EntrantState.WITHDRAWN


def look(s: Session, key: EventKey) -> EventView:
    """Return the public view of an event. Raises Refused."""
    return event_view(s, fields.read_field(s, key))


def shown(s: Session, key: EventKey) -> tuple[EventView, BracketView | None]:
    """Return an event and its bracket, if it has been drawn, as the event's message shows them. Raises Refused."""
    found = fields.read_field(s, key)
    bracket = brackets.bracket_view(found) if found.has_bracket else None
    return event_view(s, found), bracket if bracket and bracket.drawn else None


def event_view(s: Session, found: fields.EventState) -> EventView:
    """Return the public view of an event that was already loaded."""
    event, pool = found.event, pool_now(found)
    ladder = tuple(rungs(found)) if event.format is Format.SHOOTOUT and event.started_at else ()
    grouped = event.format is Format.GROUPS and event.started_at is not None
    return EventView(
        event=event,
        lines=tuple(_lines(found)),
        ladder=ladder,
        groups=group_tables(found, bracket_progress(found)) if grouped else (),
        tables=tuple(_table_line(found, spot, ladder) for spot in found.spots.values()),
        pool=pool,
        prizes=prizes_now(found, pool),
        registration_open=registration_open(event),
        reentry_open=event.phase is Phase.RUNNING and registration_open(event) and event.structure.reentries > 0,
        why=_cancellation_reason(s, event),
        series_rule=(event.series and s.tx.events.series_rule(event.key.guild, event.series)) or BY_PLACE,
        table_numbers=s.tx.entrants.table_numbers(event.key) if event.started_at else {},
        dates_left=dates_left(s.tx, event.key.guild, event.series) if not event.phase.over else None,
        regular_start=date_changes.start_by_rule(s.tx, event) if event.phase.before else None,
        handicaps=_handicaps(found),
        reinstatable=frozenset(e.player for e in found.entrants.values() if fields.reinstatable(event, e)),
        waiting=tuple(found.queue),
        stand_by=frozenset(standing_by(found)),
    )


def _handicaps(field: fields.EventState) -> tuple[Handicap, ...]:
    if not field.event.structure.handicap or not field.event.phase.before:
        return ()
    return handicaps.coming(field.s, field.event, [e.player for e in field.entrants.values() if e.registered])


def _cancellation_reason(s: Session, event: Event) -> str:
    """Return the organiser's reason for calling an event off; empty if none was given."""
    fact = s.tx.events.last_fact(event.key, ("cancelled",)) if event.phase is Phase.CANCELLED else None
    return "" if fact is None else str(fact.details.get("why", ""))


def _lines(field: fields.EventState) -> Iterator[StandingsLine]:
    event = field.event
    places = {seat.player: (spot, seat) for spot in field.spots.values() for seat in spot.seats}
    made = bracket_progress(field) if field.has_bracket else None
    beaten = made.beaten if made is not None else frozenset[int]()
    lives, third = event.format is Format.DOUBLE, event.structure.third_place
    drawn = fields.by_draw(field)
    in_play = fields.plays_for_chips(event) and any(entrant.playing for entrant in field.entrants.values())
    held = field.stacks() if in_play else Counter[Player]()
    order, keys = shown_order(field, held)
    ranks = fields.ranks(keys) if event.phase is Phase.RUNNING else {}
    by_rounds = event.format.family is Family.ROUNDS and event.phase is Phase.RUNNING
    seated = rounds.drawn_in(field) if by_rounds else set[Player]()
    finals = Counter(entrant.place for entrant in order)
    least = _least_prizes(order)
    left = absences.left_after(field)
    empty = absences.empty_seats(field) if event.started_at else set[Player]()
    gave_up = absences.gave_up(field) if event.started_at else set[Player]()
    back = absences.returnable(field)
    gone = event.phase is Phase.ENDED and any(entrant.disqualified for entrant in order)
    struck = field.tx.events.struck(field.key) if gone else set[Player]()
    for number, entrant in enumerate(order, start=1):
        spot, seat = places.get(entrant.player, (None, None))
        place, tied = ranks.get(entrant.player, (number, False))
        waits = event.phase is Phase.RUNNING and entrant.playing and spot is None
        coming = fields.next_match(field, entrant.number, made) if waits and made and entrant.number else {}
        yield StandingsLine(
            place=entrant.place or place,
            entrant=entrant,
            chips=held[entrant.player] if entrant.playing else 0,
            table=spot.key.table if spot else None,
            channel=spot.table.channel if spot else None,
            away=seat.away if seat else False,
            beaten=lives and entrant.number in beaten,
            for_third=third and entrant.number in beaten,
            by_draw=entrant.player in drawn,
            tied=finals[entrant.place] > 1 if entrant.place else tied,
            odd_chip=entrant.prize == least[entrant.place] + 1,
            coming=coming,
            bye=waits and by_rounds and entrant.player not in seated,
            left_after=None if entrant.disqualified else left.get(entrant.player),
            left_seat=entrant.player in empty and not entrant.disqualified,
            gave_up=entrant.player in gave_up and not entrant.disqualified,
            may_return=entrant.player in back and not entrant.disqualified,
            struck=entrant.player in struck and entrant.disqualified,
            waits_for=_awaited_tables(field, coming) if waits else (),
        )


def _least_prizes(order: Sequence[Entrant]) -> dict[int, int]:
    """Return the lowest prize of each final place. Players who share it have up to one odd chip more.

    After a ruling, the difference can be larger, because chips that are due back may be spent.
    """
    least: dict[int, int] = {}
    for entrant in order:
        least[entrant.place] = min(entrant.prize, least.get(entrant.place, entrant.prize))
    return least


def _awaited_tables(field: fields.EventState, coming: Mapping[str, Any]) -> tuple[TableId, ...]:
    """Return the tables that a waiting player depends on: the match of their next opponents, or a shoot-out's round."""
    if not field.event.format.heads_up:
        return tuple(field.spots) if field.event.format is Format.SHOOTOUT else ()
    before = set(coming.get("of", ()))
    return tuple(
        number for number, spot in field.spots.items() if before and {seat.player for seat in spot.seats} == before
    )


def standing(s: Session, table: Table, player: Player) -> EventStatus:
    """Return the event standing of a player without a seat at the table. Raises Refused."""
    assert table.event is not None
    return standing_in(look(s, table.event), table, player)


def standing_in(seen: EventView, table: Table, player: Player) -> EventStatus:
    """Like :func:`standing`, but for an event that was already loaded."""
    event, line, tag = seen.event, seen.line_of(player), seen.event.tag
    if line is None:
        return EventStatus(part=Role.NONE, tag=tag, over=event.phase.over)
    entrant, known = line.entrant, {one.table.key.table: one.table for one in seen.tables}
    if entrant.disqualified:
        part = Role.DISQUALIFIED
    elif line.table is not None and not event.phase.over:
        part = Role.SEATED  # also a player who leaves after this round
    elif entrant.playing and not event.phase.over:
        part = Role.WAITS
    elif line.left_after is not None and not event.phase.over:
        part = Role.LEFT
    else:
        part = Role.OUT
    # Places in a bracket are open until the end. In a freezeout, the elimination notice has announced them.
    decided = event.phase is Phase.ENDED or event.format.family is Family.FREEZEOUT
    where = line.table if part is Role.SEATED else table.key.table if table.open else next(iter(known), None)
    shown = None if where is None else known.get(where)
    waits = part is Role.WAITS and event.format.heads_up and entrant.number > 0
    return EventStatus(
        part=part,
        tag=tag,
        over=event.phase.over,
        cancelled=event.phase is Phase.CANCELLED,
        place=line.place if part is Role.OUT and decided else 0,
        tied=line.tied,
        table=0 if shown is None else shown.number,
        channel=0 if shown is None else shown.channel,
        message=None if shown is None else shown.message,
        beaten=line.beaten,
        coming=line.coming if waits else {},
        enter_again=event.structure.late_levels if seen.may_enter_again(player) else 0,
        fee=event.structure.fee,
        terms=of_event(event),
    )


def shown_order(
    field: fields.EventState, held: Mapping[Player, int] | None = None
) -> tuple[list[Entrant], dict[Player, fields.Key]]:
    """Return the entrants in display order and their ranking keys.

    ``held`` holds all players' chips, if already loaded.
    """
    if field.event.phase.before or (field.event.phase is Phase.CANCELLED and not field.event.started_at):
        return [entrant for entrant in field.entrants.values() if entrant.registered], {}
    return rank_entrants(field, held)


def _table_line(field: fields.EventState, spot: fields.TableInPlay, ladder: Sequence[ShootoutRound]) -> TableLine:
    stage = stage_of(bracket_in(field), spot.info.match) if spot.info.match else None
    if ladder and ladder[-1].final and ladder[-1].round == spot.info.round:
        stage = Stage.FINAL, 0
    players = tuple(seat.player for seat in spot.seats)
    acting = tuple(seat.player for seat in spot.people if seat.deadline is not None and not spot.idle)
    return TableLine(info=spot.info, table=spot.table, players=players, acting=acting, stage=stage)


def registration_open(event: Event) -> bool:
    """True while players can register or re-enter."""
    if event.phase.before:
        return True
    return event.phase is Phase.RUNNING and event.level < event.structure.late_levels and not event.final_table


def pool_now(field: fields.EventState) -> int:
    """Return the current prize pool, without bounties."""
    event = field.event
    if event.phase is Phase.ENDED:
        return sum(entrant.prize for entrant in field.entrants.values())
    lies = field.tx.ledger.purse(event.key.guild, pool_of(event.key)) - field.on_heads
    return lies + (event.structure.added if event.phase.before else 0)


def prizes_now(field: fields.EventState, pool: int) -> tuple[int, ...]:
    """Return the prizes by place for the entries so far."""
    taking_part = sum(e.state is not EntrantState.WITHDRAWN for e in field.entrants.values())
    if not pool or not taking_part:
        return ()
    percent = field.payouts
    return prizes(pool, percent, places=min(len(percent), taking_part))


def last_hand(s: Session, key: EventKey) -> ResultView | None:
    """Return the champion's last hand; None before the end, or if it can't be replayed any more."""
    champion = next((entrant.player for entrant in s.tx.entrants.of(key) if entrant.place == 1), None)
    if champion is None:
        return None
    last: HandRecord | None = None
    where: TableKey | None = None
    for info in s.tx.entrants.event_tables(key, over=True):
        spot = TableKey(guild=key.guild, table=info.table)
        table = s.tx.tables.get(spot)
        record = s.tx.hands.get(spot, table.hand_no) if table else None
        if record is None or record.state is not HandState.SETTLED or champion not in dict(record.entropy):
            continue
        if last is None or (record.ended_at or 0) > (last.ended_at or 0):
            last, where = record, spot
    if last is None or where is None:
        return None
    result = result_of(s, where, last.hand_no)
    return result if result.hand is not None and result.hand.score is not None else None


def rulings(s: Session, key: EventKey) -> list[EventFact]:
    """Return the lines of a finished event's log about rulings, in order."""
    return s.tx.events.rulings(key)


def log(s: Session, key: EventKey, reader: Official) -> list[EventFact]:
    """Return an event's log in order, for its entrants and officials. Raises Refused for other readers."""
    if not permissions.organises(s, fields.event_of(s, key), reader) and s.tx.entrants.get(key, reader.player) is None:
        raise Refused(EventReason.NOT_IN_THIS_EVENT)
    return s.tx.events.log(key)
