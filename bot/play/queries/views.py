"""Views of tables and hands. They are the only data that play passes to presenters."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from bot.model.choices import Vacation
from bot.model.clock import Pace
from bot.model.errors import HandLostError
from bot.model.hands import HandRecord, HandState
from bot.model.ids import Player, TableKey
from bot.model.tables import AnnouncedTurn, EventNote, Posting, Seat, Table, TableState, Timer
from bot.model.weekends import LocalWeek
from bot.play.hand import hand_log, off_days, turns
from bot.play.hand.dealing_in import next_seats
from bot.play.session.session import Session
from bot.pure.ofc.cards import BOARD_CARDS
from bot.pure.ofc.deck_tree import HANDS
from bot.pure.ofc.hand import Hand
from bot.pure.ofc.log import CardsPlaced, FantasylandSet
from bot.pure.ofc.view import HandView, face_down, view_for

MAX_HAND_VIEWS = 4096
"""Maximum number of cached hand views, enough for more than a thousand tables."""
MAX_POSTINGS = 50
"""Maximum number of a table's messages per batch. The rest follow in later batches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatStack:
    """A seat with its stack."""

    seat: Seat
    stack: int
    vacation: Vacation | None = None
    """The player's current or upcoming vacation; None if there is none."""


@dataclass(frozen=True, kw_only=True)
class TableView:
    """A table as one player may see it, or as everyone may (``you`` is None or not seated)."""

    table: Table
    places: tuple[SeatStack, ...]
    hand: HandView | None
    """The running hand, or the last one between hands; None if there is none to show."""
    next_hand_at: int | None
    lobby_until: int | None
    you: Player | None
    event: EventNote | None = None
    """The table's event; None if it has none."""
    week: LocalWeek | None = None
    """The week that defines the table's weekends off; None if clocks run every day."""

    @property
    def turn_until(self) -> int | None:
        """When the first waiting player times out; None if no countdown is shown."""
        return min(
            (until for place in self.places if (until := self.until(place.seat.player)) is not None), default=None
        )

    def until(self, player: str) -> int | None:
        """Return when a player times out; None if it isn't their turn or no countdown is shown."""
        place = self.place_of(player)
        return place.seat.deadline if place and self.table.terms.clock.pace is not Pace.NONE else None

    def penalty(self, player: Player | None) -> int | None:
        """Return the hands still auto-played for a player; 0 if disqualified, None if they play themselves."""
        return None if self.event is None or player is None else self.event.penalties.get(player)

    @property
    def announced_turn(self) -> AnnouncedTurn | None:
        """The turn that a message with this view announces; None if it isn't any player's turn."""
        if self.hand is None or not self.waiting:
            return None
        return AnnouncedTurn(
            hand_no=self.table.hand_no,
            street=self.hand.street,
            players=frozenset(self.waiting),
            until=self.turn_until,
        )

    @property
    def owes_root(self) -> bool:
        """True if the table hasn't yet announced the commitment to its decks.

        Practice tables don't announce it. In a duplicate event, the event commits to the decks.
        """
        table = self.table
        decides = not table.terms.practice if self.event is None else not self.event.deck_commitment
        return table.open and bool(table.tree_from) and table.root_message is None and decides

    @property
    def home(self) -> int:
        """Parent channel of the table's current or future thread."""
        return (self.table.home or self.table.channel) if self.event is None else self.event.home

    @property
    def waits_for_thread(self) -> bool:
        """True if no message shows the table yet, so it can still wait for its thread."""
        return not self.table.posted if self.event is not None else self.table.message is None

    @cached_property
    def mine(self) -> SeatStack | None:
        """The viewer's own seat; None if they have none."""
        return None if self.you is None else self.place_of(self.you)

    @cached_property
    def waiting(self) -> tuple[Player, ...]:
        """The players whose turn it is."""
        if self.hand is None:
            return ()
        return tuple(Player(seat.player) for seat in self.hand.seats if seat.waiting)

    @property
    def broke(self) -> bool:
        """True if the viewer has lost all their chips here and may buy in again."""
        place = self.mine
        return place is not None and self.table.cash and not place.stack

    @property
    def stalled(self) -> bool:
        """True between hands while too few players are ready for the next one."""
        table = self.table
        between = table.state in (TableState.LOBBY, TableState.BETWEEN) and table.hand_no and not table.private
        if not between or self.event is not None:
            return False
        stacks = {place.seat.player: place.stack for place in self.places}
        return len(next_seats(table, [place.seat for place in self.places], stacks)) < table.terms.variant.min_seats

    @property
    def unready(self) -> tuple[Player, ...] | None:
        """Players of the next hand who aren't ready; None if there are too few players or they needn't be ready."""
        table = self.table
        if table.state is not TableState.BETWEEN or not table.terms.clock.pause_ms or table.private or self.event:
            return None
        stacks = {place.seat.player: place.stack for place in self.places}
        playing = next_seats(table, [place.seat for place in self.places], stacks)
        late = [seat.player for seat in playing if not seat.computer and seat.ready_for <= table.hand_no]
        return tuple(late) if len(playing) >= table.terms.variant.min_seats else None

    @property
    def may_hint(self) -> bool:
        """True if the viewer may ask for a hint. Whole boards are arranged instead."""
        table, hand = self.table, self.hand
        return (
            table.terms.practice
            and table.event_no is None
            and table.state is TableState.PLAYING
            and hand is not None
            and self.you in self.waiting
            and hand.to_place < BOARD_CARDS
        )

    def place_of(self, player: str) -> SeatStack | None:
        """Return a player's seat; None if they have left."""
        for place in self.places:
            if place.seat.player == player:
                return place
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class RootView:
    """A table's commitment to its decks, which is announced only once."""

    table: Table
    last: int
    """Number of the last hand whose deck it covers."""
    forgotten_since: int | None
    """After a restore, the time until which the restored copy has data (ms); None otherwise."""


def root_of(s: Session, key: TableKey) -> RootView | None:
    """Return the commitment that a table has to announce; None if it was announced."""
    table = s.table(key)
    if table.root_message is not None:
        return None
    before = s.tx.hands.get(key, table.tree_from - 1)
    restored = s.tx.timers.last_restore() if before is not None and before.reason == "restored" else None
    since = restored.known_until if restored else None
    return RootView(table=table, last=table.tree_from + HANDS - 1, forgotten_since=since)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnredactedTable:
    """A table with its current or last hand and all cards. It never leaves play.

    :class:`TableViews` shows each viewer their part.
    """

    table: Table
    places: tuple[SeatStack, ...]
    record: HandRecord | None = field(repr=False)
    """Record of the running hand, or of the last one between hands."""
    hand: Hand | None = field(repr=False)
    """The hand; None if none was dealt or it's lost."""
    logged: int
    """Length of the table's log."""
    announce_by: int | None
    """Time until which the clocks wait for a message to announce the turn (ms); None if they don't."""
    next_hand_at: int | None
    lobby_until: int | None
    event: EventNote | None
    postings: tuple[Posting, ...]
    """The messages to post, oldest first."""
    week: LocalWeek | None


def look(s: Session, key: TableKey, before: UnredactedTable | None = None) -> UnredactedTable:
    """Return a table's current state; raises Refused. If its log hasn't grown since ``before``, the hand is reused."""
    table, stacks, timers = s.table(key), s.tx.ledger.stacks(key), s.tx.timers.of(key)
    plays, pauses_for_vacations = table.state in (TableState.PLAYING, TableState.BETWEEN), table.pauses_for_vacations
    record, logged = hand_log.record_of(s, key, table.hand_no) if plays else None, s.tx.hands.logged(key)
    same = before is not None and (before.record, before.logged) == (record, logged)
    return UnredactedTable(
        table=table,
        places=tuple(
            SeatStack(
                seat=seat,
                stack=stacks.get(seat.player, 0),
                vacation=s.tx.choices.member_settings(key.guild, seat.player).vacation(s.now)
                if pauses_for_vacations and not seat.computer
                else None,
            )
            for seat in s.tx.tables.seats(key)
        ),
        record=record,
        hand=None if record is None else told(s, key, record, known=before.hand if before and same else None),
        logged=logged,
        announce_by=timers.get(Timer.UNANNOUNCED),
        next_hand_at=timers.get(Timer.NEXT_HAND),
        lobby_until=timers.get(Timer.LOBBY),
        event=s.desk.note(s, table) if table.event else None,
        postings=tuple(s.tx.outbox.postings(key, limit=MAX_POSTINGS)),
        week=off_days.week_of(s, table),
    )


class TableViews:
    """Creates views of tables, and caches views of hands because most redraws show the same hand."""

    def __init__(self, most: int = MAX_HAND_VIEWS) -> None:
        self._most = most
        self._hands: OrderedDict[tuple[int, Player | None], tuple[Hand, HandView]] = OrderedDict()

    def view_of(self, seen: UnredactedTable, you: Player | None, *, now: int) -> TableView:
        """Return a table as ``you`` may see it at ``now`` (ms)."""
        late = turns.announcement_delay(seen.announce_by, now=now) if seen.announce_by else 0
        # The hand is cached with its view, so that its id can't be reused by another object.
        found = None if seen.hand is None else self._hands.get((id(seen.hand), you))
        hand = None if found is None else found[1]
        if seen.hand is not None and hand is None:
            hand = view_for(seen.hand, you)
            self._hands[id(seen.hand), you] = seen.hand, hand
            if len(self._hands) > self._most:
                self._hands.popitem(last=False)
        if hand is not None and seen.event is not None and seen.event.conceals and hand.you is None:
            hand = face_down(hand)
        places: list[SeatStack] = []
        for place in seen.places:
            seat, vacation = place.seat, place.vacation
            if seat.player != you and (seat.draft or seat.draft_for or seat.ahead):
                # Only the player may see their own draft.
                seat = replace(seat, draft="", draft_for="", ahead=None)
            if late and seat.deadline is not None and not seat.away:
                # If the turn is announced now, the player's full time starts now.
                seat = replace(seat, deadline=seat.deadline + late)
            if vacation is not None and vacation.ends <= now:
                vacation = None
            same = seat is place.seat and vacation is place.vacation
            places.append(place if same else replace(place, seat=seat, vacation=vacation))
        return TableView(
            table=seen.table,
            places=tuple(places),
            hand=hand,
            next_hand_at=seen.next_hand_at,
            lobby_until=seen.lobby_until,
            you=you,
            event=seen.event,
            week=seen.week,
        )


def told(s: Session, key: TableKey, record: HandRecord, *, known: Hand | None = None) -> Hand | None:
    """Return a hand; None if it was never dealt or is lost."""
    if record.state is HandState.UNDEALT:
        return None
    try:
        return hand_log.hand_of(s, key, record.hand_no, known=known)
    except HandLostError:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedEvents:
    """Events at a table that a player missed since they last acted there."""

    placed: tuple[tuple[int, int], ...]
    """Auto-placed turns as pairs of hand and street; the street is 0 for Fantasyland."""
    points: tuple[int, ...]
    """Their points in the finished hands, in order."""
    without: int
    """Number of hands dealt without them."""


def missed_by(s: Session, key: TableKey, player: Player, *, since: int = 0) -> MissedEvents:
    """Return the events that a player has missed since ``since`` (ms); none if they have left. Raises Refused."""
    table, seats = s.table(key), s.tx.tables.seats(key)
    seat = next((seat for seat in seats if seat.player == player), None)
    if seat is None:
        return MissedEvents(placed=(), points=(), without=0)
    placed: list[tuple[int, int]] = []
    first = 0
    for hand_no, at, fact in s.tx.hands.by_clock_since(key, player):
        record = s.tx.hands.get(key, hand_no)
        seated = [one for one, _ in record.entropy] if record else []
        if not isinstance(fact, CardsPlaced | FantasylandSet) or seated[fact.seat : fact.seat + 1] != [player]:
            continue
        turn = hand_no, 0 if isinstance(fact, FantasylandSet) else fact.street
        first = first or hand_no
        if at >= since and turn not in placed:
            placed.append(turn)
    points = s.tx.results.points_since(key, player, hand_no=first, ended_since=since) if first else []
    without = 0 if seat.out_since is None else table.hand_no - seat.out_since
    return MissedEvents(placed=tuple(placed), points=tuple(points), without=without)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableExtras:
    """Extra data shown with a player's own table."""

    last: int | None
    """Points of their last hand there; None before the first."""
    missed: MissedEvents | None
    """Events missed; None if they haven't been auto-placed since they last acted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One of a player's tables, with its extras."""

    view: TableView
    beside: TableExtras


def beside(s: Session, tables: Sequence[TableKey], player: Player) -> list[TableExtras]:
    """Return the extras of a player's tables; raises Refused."""
    told = []
    for key in tables:
        late = s.seat(s.table(key), player).timeouts
        missed = missed_by(s, key, player) if late else None
        told.append(TableExtras(last=s.tx.results.last_points(key, player), missed=missed))
    return told


def everywhere(s: Session, player: Player) -> list[UnredactedTable]:
    """Return a player's open tables in all servers."""
    return [look(s, key) for key in s.tx.tables.tables_everywhere(player)]
