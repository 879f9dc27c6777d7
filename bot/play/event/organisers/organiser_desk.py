"""An event's desk, as its organisers see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.model.clock import MINUTE, SECOND, Clock, Pace
from bot.model.event_rulings import RULINGS, UNDONE
from bot.model.events import EntrantState, Event, EventFact, Official, Phase
from bot.model.ids import EventKey, Player, TableId, is_computer
from bot.model.reasons import EventReason
from bot.model.refusals import Stale
from bot.play.event.floor import event_state as fields
from bot.play.event.floor.event_state import EventState
from bot.play.event.office import flights, permissions, roll_call, views
from bot.play.event.office.flights import OPENED, FlightOffer
from bot.play.event.office.rulings_made import has_ruled
from bot.play.event.office.views import EventView, StandingsLine, TableLine
from bot.play.event.organisers import late_rulings
from bot.play.event.organisers.organiser import check_organiser, plays_against
from bot.play.session.session import Session
from bot.pure.ofc.refusals import Refused

MAX_ACTS = 25
"""Maximum number of past actions on the desk."""
SLOW_MS = 2 * MINUTE
"""A table is slow after this long without an action, or after half its clock's turn time if that's longer."""
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
    "repeats",
    "repeats_no_more",
    "moved_up",
    "unlisted",
    *RULINGS,
    UNDONE,
    "series_plan",
    OPENED,
    "page_removed",
)
"""Log entries for organisers' actions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskTable:
    """A table and the time of its latest action."""

    line: TableLine
    stacks: Mapping[Player, int]
    last_at: int
    """Time of the latest action (ms)."""
    slow: bool

    @property
    def id(self) -> TableId:
        """The table's stored id."""
        return self.line.info.table

    @property
    def number(self) -> int:
        """The table's number within the event."""
        return self.line.table.number


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskView:
    """An event as its organisers see it."""

    view: EventView
    tables: tuple[DeskTable, ...]
    """Slow tables first, then those with a hand in progress, each sorted by their latest action, oldest first."""
    wallets: Mapping[Player, int]
    """Wallets of the players who have server chips outside tables."""
    acts: tuple[EventFact, ...]
    """The organisers' actions, newest first."""
    undoable: tuple[EventFact, ...]
    """The actions that can be undone."""
    sat_out: frozenset[Player] = frozenset()
    """Players that an organiser made sit out and who haven't acted since."""
    reader: Player | None = None
    """The reader; None for the desk kept in a channel."""
    stand_in: Player | None = None
    """The reader if they only stand in for the organisers."""
    waiting: int = 0
    """Number of the server's overdue messages, if Discord is slow."""
    bars: bool = False
    """True if the reader could enter the event and a first ruling would bar them from it."""
    ruled: bool = False
    """True if the reader's own rulings would keep them from coming back after withdrawing."""
    starting: bool = False
    """True if it has been started, but the roll call before the start hasn't been answered yet."""
    at: int = 0
    """When the view was created (ms)."""
    rules: bool = True
    """False after the end for a reader who can't rule on the results, and can only remove the event's page."""
    rulings: str = ""
    """The terms of the next ruling after the end."""
    rules_until: int | None = None
    """When the reader's right to rule on the finished event ends (ms); None if it doesn't."""
    flight: FlightOffer | None = None
    """The flight that can be opened for the waiting list if enough players wait; None once the event has started."""

    @property
    def event(self) -> Event:
        """The event."""
        return self.view.event

    @property
    def people(self) -> tuple[StandingsLine, ...]:
        """Lines of the human entrants."""
        return tuple(line for line in self.view.lines if not is_computer(line.entrant.player))

    @property
    def away(self) -> tuple[Player, ...]:
        """The players who haven't checked in, or who are away during play."""
        return tuple(line.entrant.player for line in self.people if misses(self.event, line))

    @property
    def missing(self) -> tuple[Player, ...]:
        """The absent players who can be called, because no organiser made them sit out."""
        return tuple(player for player in self.away if player not in self.sat_out)

    def table(self, table_id: int) -> DeskTable | None:
        """Return an open table by its stored id; None if it isn't on the desk."""
        return next((table for table in self.tables if table.id == table_id), None)

    def numbered(self, number: int) -> DeskTable | None:
        """Return an open table by its number within the event; None if it isn't on the desk."""
        return next((table for table in self.tables if table.number == number), None)


def misses(event: Event, line: StandingsLine) -> bool:
    """True if a player is absent: not checked in during check-in, or away during play."""
    entrant = line.entrant
    if event.phase is Phase.CHECK_IN:
        return entrant.state is EntrantState.REGISTERED
    # Players with a penalty, or waiting to be disqualified after the hand, aren't absent. Neither are those who left.
    kept_away = entrant.penalty > 0 or entrant.disqualified or line.left_seat or line.gave_up
    return event.phase is Phase.RUNNING and entrant.playing and not kept_away and (line.away or _is_absent(line))


def _is_absent(line: StandingsLine) -> bool:
    return line.table is None and line.entrant.absent


def desk(s: Session, key: EventKey, by: Official) -> DeskView:
    """Return the desk for an organiser. After the event, it's for rulings, and to remove a public page.

    Raises Refused for other members.
    """
    field = fields.read_field(s, key)
    check_organiser(s, field.event, by)
    plays = permissions.takes_part(field, by.player)
    rules = not field.event.phase.over or late_rulings.may_rule(field.event, by, plays=plays, now=s.now)
    if not rules and not field.event.page:
        raise Refused(EventReason.EVENT_OVER)
    found = _desk(s, field, by)
    return found if rules else replace(found, rules=False, undoable=())


def kept_desk_view(s: Session, key: EventKey) -> DeskView | None:
    """Return the desk for the message kept in a channel; None if there is no such message or event."""
    try:
        kept_in = fields.event_of(s, key).desk_channel
    except (Refused, Stale):
        return None
    return None if kept_in is None else _desk(s, fields.read_field(s, key))


def _desk(s: Session, field: EventState, by: Official | None = None) -> DeskView:
    key = field.key
    view, log = views.event_view(s, field), s.tx.events.log(key)
    acts = [fact for fact in reversed(log) if fact.kind in ACTS][:MAX_ACTS]
    rules = by is not None and field.event.phase.over
    undoable = late_rulings.undoable(field, by, log) if by is not None and rules else list(_undoable(view, acts))
    return DeskView(
        view=view,
        tables=_tables(s, field, view),
        wallets=s.tx.entrants.wallets_in(key),
        acts=tuple(acts),
        undoable=tuple(undoable),
        sat_out=sat_out(s, key, log),
        bars=by is not None and _bars(field, by, log),
        reader=None if by is None else by.player,
        ruled=by is not None and has_ruled([fact for fact in log if fact.actor == by.player], field.event),
        stand_in=None if by is None or by.organises(field.event) else by.player,
        waiting=s.tx.outbox.backlog(key.guild).behind(s.now),
        starting=field.event.phase.before and roll_call.waiting(field) is not None,
        at=s.now,
        rulings=late_rulings.terms(field.event, log),
        rules_until=late_rulings.rules_until(field.event, by) if by is not None and rules else None,
        flight=flights.offer(field) if field.event.phase.before else None,
    )


def _bars(field: EventState, by: Official, log: Sequence[EventFact]) -> bool:
    """True if a ruling would bar an official who can still enter (or re-enter after withdrawing)."""
    entrant = field.entrants.get(by.player)
    if entrant is not None and (entrant.disqualified or entrant.playing or entrant.state is EntrantState.OUT):
        return False
    own = [fact for fact in log if fact.actor == by.player]
    return views.registration_open(field.event) and not plays_against(field, by) and not has_ruled(own, field.event)


def sat_out(s: Session, key: EventKey, log: Sequence[EventFact]) -> frozenset[Player]:
    """Return the players that an organiser made sit out and who haven't acted at a table since."""
    newest = {fact.details["player"]: fact for fact in log if fact.kind in ("sat_out", "brought_back")}
    out = {Player(player): fact.at for player, fact in newest.items() if fact.kind == "sat_out"}
    return frozenset(player for player, at in out.items() if not s.tx.entrants.has_acted(key, player, since=at))


def _tables(s: Session, field: EventState, view: EventView) -> tuple[DeskTable, ...]:
    last = s.tx.entrants.last_acts(field.key)
    made = []
    for line in view.tables:
        at = last.get(line.info.table, line.table.created_at)
        slow = line.playing and s.now - at > slow_after_ms(line.table.terms.clock)
        stacks = field.spots[line.info.table].stacks
        made.append(DeskTable(line=line, stacks=stacks, last_at=at, slow=slow))
    return tuple(sorted(made, key=lambda table: (not table.slow, not table.line.playing, table.last_at, table.id)))


def slow_after_ms(clock: Clock) -> int:
    """Return the time without an action after which a table counts as slow."""
    thinks = clock.pace in (Pace.PER_TURN, Pace.RELAXED, Pace.CORRESPONDENCE)
    return max(SLOW_MS, clock.seconds * SECOND // 2 if thinks else 0)


def _undoable(view: EventView, acts: Sequence[EventFact]) -> Iterator[EventFact]:
    """Yield the newest action per kind and player or table, if it still has an effect that can be undone."""
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
