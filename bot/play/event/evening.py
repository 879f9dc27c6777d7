"""The organiser's desk: what it shows of an evening, and the acts for one person or at one table that only it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.model.clock import HOUR, MINUTE, SECOND, Clock, Pace
from bot.model.events import Entrant, EntrantState, Event, EventFact, Notice, Official, Phase
from bot.model.ids import EventKey, Player, TableId, is_computer
from bot.model.refusals import PlayReason, Stale
from bot.model.tables import Post
from bot.ofc.refusals import Refused
from bot.play.event import field as fields
from bot.play.event import floor, registration, roll_call, views
from bot.play.event.field import Field, TableInPlay
from bot.play.event.organiser import (
    check_neutral,
    check_organiser,
    check_running,
    done,
    entrant_of,
    opened,
    reason_of,
    rule,
)
from bot.play.event.registration import has_ruled
from bot.play.event.views import EventView, Line, TableLine
from bot.play.hand import settling
from bot.play.session.session import Session

MOST_CALLS = 12
"""Calls of an event in an hour."""
AGAIN_MS = MINUTE
"""So soon those who miss are not called again: two organisers press at once."""
MOST_ACTS = 25
"""Acts that the desk looks back on."""
SLOW_MS = 2 * MINUTE
"""A table is slow when nothing has happened there for so long, or for half the time that its clock gives a turn."""
ACTS = (
    "started_early",
    "filled",
    "changed",
    "paused",
    "resumed",
    "penalty",
    "disqualified",
    "reinstated",
    "registered_for",
    "checked_in_for",
    "unregistered",
    "sat_out",
    "brought_back",
    "adjusted",
    "to_be_moved",
    "stays",
    "said",
    "called",
    "held",
    "released",
    "hand_ended",
    "helper",
    "helper_removed",
)
"""The log's names for what organisers do."""


# What the desk shows


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskTable:
    """A table, and how long nothing has happened there."""

    line: TableLine
    stacks: Mapping[Player, int]
    last_at: int
    """When something happened there last (ms)."""
    slow: bool

    @property
    def number(self) -> TableId:
        """The table's number."""
        return self.line.info.table


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskView:
    """An event as its organisers see it."""

    view: EventView
    tables: tuple[DeskTable, ...]
    """Slow ones first, then those where nothing has happened for longest."""
    wallets: Mapping[Player, int]
    """The server's chips outside tables, of those who have any."""
    acts: tuple[EventFact, ...]
    """What organisers have done, the newest first."""
    undoable: tuple[EventFact, ...]
    """Those of them that can be taken back."""
    sat_out: frozenset[Player] = frozenset()
    """Those whom an organiser sits out, and who haven't done anything since."""
    waiting: int = 0
    """The server's messages that Discord does not show yet, where it is behind."""
    starting: bool = False
    """True if it has been started, but the roll call before the start hasn't been answered yet."""
    at: int = 0
    """When it was looked at (ms)."""

    @property
    def event(self) -> Event:
        """The event."""
        return self.view.event

    @property
    def people(self) -> tuple[Line, ...]:
        """Those who take part and are no computers."""
        return tuple(line for line in self.view.lines if not is_computer(line.entrant.player))

    @property
    def away(self) -> tuple[Player, ...]:
        """Those without a check-in while that is open, and those away from their cards while it is played."""
        return tuple(line.entrant.player for line in self.people if misses(self.event, line))

    @property
    def missing(self) -> tuple[Player, ...]:
        """Those of them who can be called: not those whom an organiser sits out."""
        return tuple(player for player in self.away if player not in self.sat_out)

    def table(self, number: int) -> DeskTable | None:
        """A table that still plays."""
        return next((table for table in self.tables if table.number == number), None)


def misses(event: Event, line: Line) -> bool:
    """True for somebody who is not there now: without a check-in while that is open, then away from their cards."""
    entrant = line.entrant
    if event.phase is Phase.CHECK_IN:
        return entrant.state is EntrantState.REGISTERED
    # A penalty, or a disqualification that waits for the hand's end, is no absence.
    kept_away = entrant.penalty > 0 or entrant.disqualified
    return event.phase is Phase.RUNNING and entrant.playing and not kept_away and (line.away or _is_absent(line))


def _is_absent(line: Line) -> bool:
    return line.table is None and line.entrant.absent


def desk(s: Session, key: EventKey, by: Official) -> DeskView:
    """The whole evening for an organiser; raises Refused for everybody else, and once it is over."""
    field = fields.read_field(s, key)
    check_organiser(field.event, by)
    if field.event.phase.over:
        raise Refused(PlayReason.EVENT_OVER)
    return _desk(s, field)


def kept(s: Session, key: EventKey) -> DeskView | None:
    """The same for the message that organisers keep; None where they keep none."""
    kept_in = fields.event_of(s, key).desk_channel
    return None if kept_in is None else _desk(s, fields.read_field(s, key))


def _desk(s: Session, field: Field) -> DeskView:
    key = field.key
    view, log = views.view_of(s, field), s.tx.event_log(key)
    acts = [fact for fact in reversed(log) if fact.kind in ACTS][:MOST_ACTS]
    return DeskView(
        view=view,
        tables=_tables(s, field, view),
        wallets=s.tx.wallets_in(key),
        acts=tuple(acts),
        undoable=tuple(_undoable(view, acts)),
        sat_out=_sat_out(s, key, log),
        waiting=s.tx.backlog(key.guild).behind(s.now),
        starting=field.event.phase.before and roll_call.waiting(field) is not None,
        at=s.now,
    )


def _sat_out(s: Session, key: EventKey, log: Sequence[EventFact]) -> frozenset[Player]:
    """Those whom an organiser sits out, and who haven't done anything at a table since."""
    newest = {fact.details["player"]: fact for fact in log if fact.kind in ("sat_out", "brought_back")}
    out = {Player(player): fact.at for player, fact in newest.items() if fact.kind == "sat_out"}
    return frozenset(player for player, at in out.items() if not s.tx.has_acted(key, player, since=at))


def _tables(s: Session, field: Field, view: EventView) -> tuple[DeskTable, ...]:
    last = s.tx.last_acts(field.key)
    made = []
    for line in view.tables:
        at = last.get(line.info.table, line.table.created_at)
        slow = line.playing and s.now - at > slow_after_ms(line.table.terms.clock)
        stacks = field.spots[line.info.table].stacks
        made.append(DeskTable(line=line, stacks=stacks, last_at=at, slow=slow))
    return tuple(sorted(made, key=lambda table: (not table.slow, not table.line.playing, table.last_at, table.number)))


def slow_after_ms(clock: Clock) -> int:
    """How long nothing may happen at a table before it counts as slow."""
    thinks = clock.pace in (Pace.PER_TURN, Pace.RELAXED, Pace.CORRESPONDENCE)
    return max(SLOW_MS, clock.seconds * SECOND // 2 if thinks else 0)


def _undoable(view: EventView, acts: Sequence[EventFact]) -> Iterator[EventFact]:
    """The newest of these acts of each kind, for each player or table, whose effect lasts and can be taken back."""
    seen: set[tuple[object, ...]] = set()
    for fact in acts:
        about = (fact.kind, fact.details.get("player") or fact.details.get("table"))
        if about not in seen and _lasts(view, fact):
            yield fact
        seen.add(about)


def _lasts(view: EventView, fact: EventFact) -> bool:
    event, player = view.event, Player(str(fact.details.get("player", "")))
    line = view.line_of(player)
    match fact.kind:
        case "disqualified":
            return player in view.reinstatable
        case "registered_for":
            return event.phase.before and line is not None
        case "unregistered":
            return event.phase.before and line is None and not event.structure.fee
        case "penalty":
            return line is not None and line.entrant.penalty > 0 and bool(fact.details.get("hands"))
        case "sat_out":
            return line is not None and line.entrant.playing and misses(event, line)
        case "to_be_moved":
            return line is not None and line.entrant.move_to == fact.details.get("table")
        case "helper":
            return player in event.helpers
        case "helper_removed":
            return player not in event.helpers and player != event.organiser
        case "paused":
            return event.paused
        case "held":
            return any(table.info.held and table.info.table == fact.details.get("table") for table in view.tables)
    return False


# The message that shows it to all organisers


def keep(s: Session, key: EventKey, by: Official, *, channel: int, cause: str) -> Event:
    """Keep the desk in a channel, in one message; returns the event as it was before. Raises Refused."""
    field = opened(s, key, by, cause=cause)
    before = field.event
    if channel != before.desk_channel:
        field.save(replace(before, desk_channel=channel, desk_message=None))
    return before


def let_go(s: Session, key: EventKey, by: Official, *, cause: str) -> Event:
    """Keep it nowhere any more; returns the event as it was before. Raises Refused."""
    field = opened(s, key, by, cause=cause)
    before = field.event
    if before.desk_channel is not None:
        field.save(replace(before, desk_channel=None, desk_message=None))
    return before


def note_kept(s: Session, key: EventKey, *, channel: int | None, before: int, message: int | None) -> bool:
    """Note which message in that channel shows the desk, or that it can be kept nowhere (None).

    False, and nothing is noted, where it was moved from the channel ``before`` meanwhile.
    """
    if fields.event_of(s, key).desk_channel != before:
        return False
    s.tx.note_desk(key, channel=channel, message=message)
    return True


# For one person


def register_for(s: Session, key: EventKey, by: Official, player: Player, *, cause: str) -> Entrant:
    """Register somebody, also late or once more; raises Refused. Chips are agreed to by nobody but their owner."""
    field = opened(s, key, by, cause=cause)
    before = field.entrants.get(player)
    if fee := field.event.structure.fee:
        raise Refused(PlayReason.FEE_IS_THEIRS, fee=fee, register=field.event.language)
    if before is not None and before.disqualified:
        raise Refused(PlayReason.THEY_ARE_DISQUALIFIED)
    if before is not None and (before.registered or before.playing):
        raise Refused(PlayReason.THEY_ARE_IN)
    again = before is not None and before.state is EntrantState.OUT
    if before is not None and again and before.entries > field.event.structure.reentries:
        raise Refused(PlayReason.THEY_ARE_OUT)
    if not again and has_ruled(s.tx.facts_of(key, player), field.event):
        raise Refused(PlayReason.THEY_HAVE_RULED)
    entrant = registration.register(s, key, player, cause=cause)
    # The registration has read the event, and written it, by itself.
    rule(fields.read_field(s, key), "registered_for", by, f"{cause}:for", player=player)
    return entrant


def check_in_for(s: Session, key: EventKey, by: Official, player: Player, *, cause: str) -> Entrant:
    """Say that somebody is there; raises Refused."""
    field = opened(s, key, by, cause=cause)
    entrant = entrant_of(field, player)
    if entrant.state is EntrantState.CHECKED_IN:
        raise Refused(PlayReason.THEY_CHECKED_IN)
    entrant = registration.check_in(s, key, player, cause=cause)
    fields.read_field(s, key).note("checked_in_for", actor=by.player, player=player)
    return entrant


def attend(s: Session, key: EventKey, by: Official, player: Player, *, away: bool, cause: str) -> Entrant:
    """Let somebody sit out, whose cards the clock places from now on, or play again; raises Refused."""
    field = opened(s, key, by, cause=cause)
    check_running(field)
    check_neutral(field, by)
    entrant = entrant_of(field, player)
    if not entrant.playing or is_computer(player):
        raise Refused(PlayReason.NOT_IN_EVENT)
    if entrant.disqualified:
        raise Refused(PlayReason.THEY_ARE_DISQUALIFIED)
    if entrant.penalty:
        raise Refused(PlayReason.THEY_SERVE_PENALTY)
    spot = field.spot_of(player)
    was = entrant.absent if spot is None else next(seat.away for seat in spot.seats if seat.player == player)
    if was == away:
        raise Refused(PlayReason.THEY_SIT_OUT if away else PlayReason.THEY_PLAY)
    rule(field, "sat_out" if away else "brought_back", by, cause, player=player)
    floor.attend(field, player, away=away)
    done(field)
    return field.entrants[player]


def stay(s: Session, key: EventKey, by: Official, player: Player, *, cause: str) -> Entrant:
    """Take back a move that has not happened yet; raises Refused."""
    field = opened(s, key, by, cause=cause)
    check_running(field)
    check_neutral(field, by)
    entrant = entrant_of(field, player)
    if entrant.move_to is None:
        raise Refused(PlayReason.NOT_MOVING)
    rule(field, "stays", by, cause, player=player)
    field.save_entrant(replace(entrant, move_to=None))
    done(field)
    return field.entrants[player]


# Calls


def call_person(s: Session, key: EventKey, by: Official, player: Player, *, cause: str) -> list[Player]:
    """Call somebody: to their table, to check in, or just here. Raises Refused."""
    field = opened(s, key, by, cause=cause)
    entrant = entrant_of(field, player)
    if is_computer(player):
        raise Refused(PlayReason.NOT_IN_EVENT)
    spot = field.spot_of(player)
    missed = field.event.phase is Phase.CHECK_IN and entrant.state is EntrantState.REGISTERED
    what = "table" if spot is not None else "check_in" if missed else "here"
    return _call(field, by, [player], what=what, table=None if spot is None else spot.key.table, cause=cause)


def call_table(s: Session, key: EventKey, by: Official, *, table: TableId, cause: str) -> list[Player]:
    """Call everybody at a table, there; raises Refused."""
    field = opened(s, key, by, cause=cause)
    spot = _spot(field, table)
    return _call(field, by, [seat.player for seat in spot.people], what="table", table=table, cause=cause)


def call_missing(s: Session, key: EventKey, by: Official, *, cause: str) -> list[Player]:
    """Call all who miss, but not those whom an organiser sits out; raises Refused where nobody does."""
    field = opened(s, key, by, cause=cause)
    out = _sat_out(s, key, s.tx.event_log(key))
    lines = [line for line in views.view_of(s, field).lines if not is_computer(line.entrant.player)]
    called = (line.entrant.player for line in lines if misses(field.event, line))
    players = [player for player in called if player not in out]
    newest = _calls(field)[-1:]
    if players and any(s.now - fact.at < AGAIN_MS and {*players} <= {*fact.details["players"]} for fact in newest):
        raise Refused(PlayReason.CALLED_JUST_NOW)
    what = "check_in" if field.event.phase is Phase.CHECK_IN else "seat"
    return _call(field, by, players, what=what, table=None, cause=cause)


def _calls(field: Field) -> list[EventFact]:
    return field.tx.event_facts(field.key, "called")


def _call(
    field: Field, by: Official, players: list[Player], *, what: str, table: TableId | None, cause: str
) -> list[Player]:
    if not players:
        raise Refused(PlayReason.NOBODY_MISSES)
    lately = [fact.at for fact in _calls(field)[-MOST_CALLS:]]
    wait_ms = lately[0] + HOUR - field.s.now if len(lately) == MOST_CALLS else 0
    if wait_ms > 0:
        raise Refused(PlayReason.TOO_MANY_EVENT_CALLS, most=MOST_CALLS, wait=-(-wait_ms // SECOND))
    field.note("called", actor=by.player, cause=cause, players=players)
    where: dict[str, object] = {} if table is None else {"table": table}
    if what == "check_in":
        where["starts_at"] = field.event.starts_at
    floor.tell(field, Notice.CALLED, what=what, by=by.player, players=players, **where)
    done(field)
    return players


# At one table


def hold(s: Session, key: EventKey, by: Official, *, table: TableId, held: bool, cause: str) -> Event:
    """Deal no further hands at one table, or go on there; raises Refused."""
    field = opened(s, key, by, cause=cause)
    check_running(field)
    check_neutral(field, by)
    spot = _apart(field, table)
    if spot.info.held == held:
        raise Refused(PlayReason.TABLE_PAUSED if held else PlayReason.TABLE_NOT_PAUSED)
    field.note("held" if held else "released", actor=by.player, cause=cause, table=table)
    field.save_info(spot, replace(spot.info, held=held))
    return done(field)


def end_hand(s: Session, key: EventKey, by: Official, *, table: TableId, hand_no: int, why: str, cause: str) -> Event:
    """Cancel the hand that runs at a table: nobody pays, and the next one is dealt. Raises Refused."""
    field = opened(s, key, by, cause=cause)
    check_running(field)
    check_neutral(field, by)
    spot = _apart(field, table)
    reason = reason_of(why)
    if spot.idle:
        raise Refused(PlayReason.NO_HAND_RUNS)
    if spot.table.hand_no != hand_no:
        raise Stale
    rule(field, "hand_ended", by, cause, table=table, why=reason)
    # In the event's own channel the ruling says it already.
    there = spot.table.channel == field.event.channel
    settling.void(s, spot.table, reason="hand_ended", post=None if there else Post.VOID)
    field.refresh(spot)
    return done(field)


def _spot(field: Field, table: TableId) -> TableInPlay:
    spot = field.spots.get(table)
    if spot is None:
        raise Refused(PlayReason.TABLE_GONE)
    return spot


def _apart(field: Field, table: TableId) -> TableInPlay:
    """A table that can be treated apart from the others."""
    if not field.event.treats_tables_apart:
        raise Refused(PlayReason.ONE_DECK_FOR_ALL)
    return _spot(field, table)
