"""What is shown of events: standings, tables, prizes, series, and the record of the draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.event.draw import START, Decks, prove
from bot.event.payouts import prizes
from bot.event.structure import Family
from bot.ofc.deck import Entropy
from bot.ofc.refusals import Refused
from bot.play.chips import pool_of
from bot.play.event import field as fields
from bot.play.event.draws import decks_id, event_id
from bot.play.event.model import Entrant, EntrantState, Event, EventFact, EventTable, Phase, SeriesLine
from bot.play.event.organiser import Official, organises
from bot.play.event.ports import tx_of
from bot.play.event.ranking import ranking, series_lines
from bot.play.model import (
    EventKey,
    GuildId,
    HandRecord,
    HandState,
    Player,
    Table,
    TableId,
    TableKey,
    TableState,
    is_gone,
)
from bot.play.refusals import PlayReason
from bot.play.session import Session
from bot.play.views import ResultView, result_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the standings."""

    place: int
    """As it stands now, from 1; final once the event has ended."""
    entrant: Entrant
    chips: int
    """0 where points decide."""
    table: TableId | None
    channel: int | None
    """Where they play."""
    away: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """One table that still plays."""

    info: EventTable
    table: Table
    players: tuple[Player, ...]

    @property
    def playing(self) -> bool:
        """True while a hand runs."""
        return self.table.state is TableState.PLAYING


@dataclass(frozen=True, slots=True, kw_only=True)
class EventView:
    """An event as everybody may see it."""

    event: Event
    lines: tuple[Line, ...]
    """Before the start those registered, in their order; then everybody by standing."""
    tables: tuple[TableLine, ...]
    pool: int
    """Chips that are played for: what is in the pool, and before the start what the server will add."""
    prizes: tuple[int, ...]
    """By place, as the pool stands now; empty where nothing is paid."""
    registration_open: bool
    reentry_open: bool

    @property
    def playing(self) -> int:
        """How many can still win."""
        return sum(line.entrant.playing for line in self.lines)

    @property
    def entries(self) -> int:
        """Entries, those of people who entered again included."""
        return sum(line.entrant.entries for line in self.lines)

    @property
    def point_value(self) -> int:
        """Of the level in play; 0 where points decide."""
        if self.event.format.family is Family.ROUNDS:
            return 0
        return self.event.structure.point_value(self.event.level)

    @property
    def next_point_value(self) -> int:
        """Of the level after it."""
        if self.event.format.family is Family.ROUNDS:
            return 0
        return self.event.structure.point_value(self.event.level + 1)

    def line_of(self, player: str) -> Line | None:
        """A player's line."""
        return next((line for line in self.lines if line.entrant.player == player), None)

    def may_enter_again(self, player: str) -> bool:
        """True for a player who is out and could register once more."""
        line = self.line_of(player)
        if line is None or not self.reentry_open or line.entrant.disqualified:
            return False
        return line.entrant.state is EntrantState.OUT and line.entrant.entries <= self.event.structure.reentries


def look(s: Session, key: EventKey) -> EventView:
    """An event; raises Refused."""
    field = fields.read_field(s, key)
    event = field.event
    places = {seat.player: (spot, seat) for spot in field.spots.values() for seat in spot.seats}
    lines = []
    for place, entrant in enumerate(shown_order(field), start=1):
        spot, seat = places.get(entrant.player, (None, None))
        lines.append(
            Line(
                place=entrant.place or place,
                entrant=entrant,
                chips=field.chips(entrant.player) if fields.plays_for_chips(event) and entrant.playing else 0,
                table=spot.key.table if spot else None,
                channel=spot.table.channel if spot else None,
                away=seat.away if seat else False,
            )
        )
    pool = pool_now(field)
    return EventView(
        event=event,
        lines=tuple(lines),
        tables=tuple(_table_line(spot) for spot in field.spots.values()),
        pool=pool,
        prizes=prizes_now(field, pool),
        registration_open=registration_open(event),
        reentry_open=event.phase is Phase.RUNNING and registration_open(event) and event.structure.reentries > 0,
    )


def shown_order(field: fields.Field) -> list[Entrant]:
    """The entrants as they are listed."""
    if field.event.phase.before or (field.event.phase is Phase.CANCELLED and not field.event.started_at):
        return [entrant for entrant in field.entrants.values() if entrant.registered]
    return ranking(field)


def _table_line(spot: fields.TableInPlay) -> TableLine:
    return TableLine(info=spot.info, table=spot.table, players=tuple(seat.player for seat in spot.seats))


def registration_open(event: Event) -> bool:
    """True while one can register, or enter again."""
    if event.phase.before:
        return True
    return event.phase is Phase.RUNNING and event.level < event.structure.late_levels and not event.final_table


def pool_now(field: fields.Field) -> int:
    """What is played for."""
    event = field.event
    if event.phase is Phase.ENDED:
        return sum(entrant.prize for entrant in field.entrants.values())
    lies = field.tx.purse(event.key.guild, pool_of(event.key))
    return lies + (event.structure.added if event.phase.before else 0)


def prizes_now(field: fields.Field, pool: int) -> tuple[int, ...]:
    """The prizes by place, for the entries so far."""
    taking_part = sum(e.state is not EntrantState.WITHDRAWN for e in field.entrants.values())
    if not pool or not taking_part:
        return ()
    percent = field.payouts
    return prizes(pool, percent, places=min(len(percent), taking_part))


def series_table(s: Session, guild: GuildId, series: str) -> list[SeriesLine]:
    """A series' leaderboard; raises Refused when there is no such series with an event that has ended."""
    keys = tx_of(s).series_events(guild, series)
    if not keys:
        raise Refused(PlayReason.NO_SERIES)
    return series_lines(tx_of(s), keys)


def last_hand(s: Session, key: EventKey) -> ResultView | None:
    """The hand that the champion played last, if it can be told; None before the end."""
    champion = next((entrant.player for entrant in tx_of(s).entrants(key) if entrant.place == 1), None)
    if champion is None:
        return None
    last: HandRecord | None = None
    where: TableKey | None = None
    for info in tx_of(s).event_tables(key, over=True):
        spot = TableKey(guild=key.guild, table=info.table)
        table = s.tx.table(spot)
        record = s.tx.hand(spot, table.hand_no) if table else None
        if record is None or record.state is not HandState.SETTLED or champion not in dict(record.entropy):
            continue
        if last is None or (record.ended_at or 0) > (last.ended_at or 0):
            last, where = record, spot
    if last is None or where is None:
        return None
    result = result_of(s, where, last.hand_no)
    return result if result.hand is not None and result.hand.score is not None else None


def draw_proof(s: Session, key: EventKey) -> Mapping[str, Any]:
    """The record with which anybody makes the first draw again; raises Refused before it is made."""
    event = fields.event_of(s, key)
    if event.seed is None:
        raise Refused(PlayReason.NOT_DRAWN_YET)
    drawn = [entrant for entrant in tx_of(s).entrants(key) if any_draw(event, entrant)]
    if not drawn:
        raise Refused(PlayReason.NOT_DRAWN_YET)
    if any(is_gone(entrant.player) for entrant in drawn):
        raise Refused(PlayReason.DRAW_WITHHELD)
    entropy = [Entropy(e.player, e.cause) for e in drawn]
    decks = None
    if event.board_sealed and event.phase.over:
        master = s.vault.unseal(event.board_sealed, hand_id=decks_id(event))
        decks = Decks(commitment=event.board_commitment, seed=master)
    names = [entrant.player for entrant in drawn]
    return prove(names, event=event_id(event), label=START, seed=event.seed, entropy=entropy, decks=decks).to_json()


def any_draw(event: Event, entrant: Entrant) -> bool:
    """True for those who were there when it was drawn, or called off before: those who come later number themselves."""
    drawn_at = event.started_at or event.ended_at or 0
    return entrant.state is not EntrantState.WITHDRAWN and entrant.registered_at <= drawn_at


def log(s: Session, key: EventKey, reader: Official) -> list[EventFact]:
    """Everything that happened in an event, in order, for those who are or were in it, and its officials.

    Raises Refused for all others.
    """
    if not organises(fields.event_of(s, key), reader) and tx_of(s).entrant(key, reader.player) is None:
        raise Refused(PlayReason.NOT_IN_THIS_EVENT)
    return tx_of(s).event_log(key)
