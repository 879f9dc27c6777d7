"""All that the director looks at: an event with its people and the tables that still play, read once."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.event.payouts import usual_payouts
from bot.event.structure import Family
from bot.model.errors import check_move
from bot.model.events import ENTRANT_MOVES, PHASE_MOVES, Entrant, EntrantState, Event, EventTable
from bot.model.ids import EventKey, Player, TableId, TableKey, is_computer, is_meant
from bot.model.refusals import PlayReason, Stale
from bot.model.tables import Seat, Table, TableState, Timer
from bot.ofc.refusals import Refused
from bot.play.session.chips import purse_of
from bot.play.session.session import Session
from bot.store.transaction import Tx


def event_of(s: Session, key: EventKey) -> Event:
    """The event; raises Refused, or Stale for a button that was drawn for another one."""
    found = s.tx.event(key)
    if found is None:
        raise Refused(PlayReason.NO_EVENT)
    if not is_meant(key.tag, own=found.tag, epoch=found.epoch):
        raise Stale
    return found


@dataclass(slots=True, kw_only=True)
class TableInPlay:
    """A table that still plays: what the event knows of it, the table itself, and its seats and stacks."""

    info: EventTable
    table: Table
    seats: list[Seat]
    stacks: dict[Player, int]
    pausing: bool
    """True while the pause after a hand lasts."""

    @property
    def key(self) -> TableKey:
        """Of the table."""
        return self.table.key

    def read(self, s: Session) -> None:
        """Read it again."""
        key = self.key
        table = s.tx.table(key)
        assert table is not None
        self.table = table
        self.seats = s.tx.seats(key)
        self.stacks = s.tx.stacks(key)
        self.pausing = s.tx.timer(key, Timer.NEXT_HAND) is not None

    @property
    def idle(self) -> bool:
        """True while no hand runs."""
        return self.table.state is not TableState.PLAYING

    @property
    def shown(self) -> bool:
        """True when a message shows it, or when none can: its players could be called as well as may be."""
        return self.table.posted or self.table.drawn_version >= self.table.version

    @property
    def pending(self) -> bool:
        """True while somebody is in Fantasyland, or is dealt it next, and has opponents."""
        dealt = [seat for seat in self.seats if seat.dealt_in]
        enough = len(dealt) >= max(2, self.table.terms.variant.min_seats)
        return enough and any(seat.fantasyland for seat in dealt)

    @property
    def people(self) -> list[Seat]:
        """The seats that are not computers'."""
        return [seat for seat in self.seats if not seat.computer]


@dataclass(slots=True, kw_only=True)
class Field:
    """An event with its people and open tables. Changes go through it, so that it stays what the database holds."""

    s: Session
    event: Event
    entrants: dict[Player, Entrant]
    spots: dict[TableId, TableInPlay]

    @property
    def tx(self) -> Tx:
        """The transaction, with what it keeps of events."""
        return self.s.tx

    @property
    def key(self) -> EventKey:
        """Of the event."""
        return self.event.key

    @property
    def playing(self) -> list[Entrant]:
        """Those who can still win."""
        return [entrant for entrant in self.entrants.values() if entrant.state is EntrantState.PLAYING]

    @property
    def contested(self) -> bool:
        """True while it is open who wins: two or more are left, and not computers alone."""
        left = self.playing
        return len(left) > 1 and not all(is_computer(entrant.player) for entrant in left)

    @property
    def seated(self) -> set[Player]:
        """Those who have a seat."""
        return {seat.player for spot in self.spots.values() for seat in spot.seats}

    @property
    def unseated(self) -> list[Player]:
        """Those who can still win and have no seat."""
        seated = self.seated
        return [entrant.player for entrant in self.playing if entrant.player not in seated]

    @property
    def payouts(self) -> tuple[int, ...]:
        """Percent of the pool by place, for the entries so far."""
        taking_part = (e for e in self.entrants.values() if e.state is not EntrantState.WITHDRAWN)
        return self.event.structure.payouts or usual_payouts(sum(entrant.entries for entrant in taking_part))

    def chips(self, player: Player) -> int:
        """A player's chips in the event, at tables and between them."""
        at_tables = sum(spot.stacks.get(player, 0) for spot in self.spots.values())
        return at_tables + self.tx.purse(self.key.guild, purse_of(self.key, player))

    def spot_of(self, player: Player) -> TableInPlay | None:
        """Where a player sits."""
        for spot in self.spots.values():
            if any(seat.player == player for seat in spot.seats):
                return spot
        return None

    def save(self, event: Event) -> None:
        """Save the event as it is from now on."""
        if event != self.event:
            check_move(PHASE_MOVES, self.event.phase, event.phase)
            self.event = event
            self.show()

    def show(self) -> None:
        """Let its message be drawn again: its people, tables or stacks have changed."""
        self.event = replace(self.event, version=self.event.version + 1)
        self.tx.save_event(self.event)
        self.s.changed_events.add(self.key)

    def save_entrant(self, entrant: Entrant) -> Entrant:
        """Save one of its people as they are from now on; returns them."""
        before = self.entrants.get(entrant.player)
        if entrant != before:
            if before is not None:
                check_move(ENTRANT_MOVES, before.state, entrant.state)
            self.tx.save_entrant(self.key, entrant)
            self.entrants[entrant.player] = entrant
        return entrant

    def save_info(self, spot: TableInPlay, info: EventTable) -> None:
        """Save what the event knows of a table from now on."""
        if info != spot.info:
            self.tx.save_event_table(self.key, info)
            spot.info = info

    def note(self, kind: str, *, actor: Player | None = None, cause: str | None = None, **details: object) -> None:
        """Write a fact into the event's log."""
        self.tx.note_event(self.key, kind, details, actor=actor, cause=cause, at=self.s.now)

    def refresh(self, spot: TableInPlay) -> None:
        """Read a table again, so that the spot is what the database holds."""
        spot.read(self.s)


def read_field(s: Session, key: EventKey) -> Field:
    """The event as it stands in this transaction; raises Refused."""
    event = event_of(s, key)
    entrants = {entrant.player: entrant for entrant in s.tx.entrants(key)}
    field = Field(s=s, event=event, entrants=entrants, spots={})
    for on in s.tx.floor(key):
        field.spots[on.info.table] = TableInPlay(
            info=on.info, table=on.table, seats=on.seats, stacks=on.stacks, pausing=on.pausing
        )
    return field


def plays_for_chips(event: Event) -> bool:
    """True where stacks decide; leagues and duplicate events count points."""
    return event.structure.format.family is not Family.ROUNDS
