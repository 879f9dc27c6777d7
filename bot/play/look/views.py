"""The views of tables and hands, and of all tables of one player: the only way from play to a presenter."""

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
from bot.model.tables import EventNote, Posting, Seat, ShownTurn, Table, TableState, Timer
from bot.model.weekends import Week
from bot.play.hand import hand_log, off_days, turns
from bot.play.hand.who_plays import next_seats
from bot.play.session.session import Session
from bot.pure.ofc.cards import BOARD_CARDS
from bot.pure.ofc.deck_tree import HANDS
from bot.pure.ofc.hand import Hand
from bot.pure.ofc.log import CardsPlaced, FantasylandSet
from bot.pure.ofc.view import HandView, face_down, view_for

MOST_HAND_VIEWS = 4096
"""Of more than a thousand tables what their players and everybody see."""
MOST_POSTINGS = 50
"""Messages of one table that are posted one after the other; what waits behind them is asked for again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A seat with the chips in front of it."""

    seat: Seat
    stack: int
    vacation: Vacation | None = None
    """Where the clock stands for its player, now or soon."""


@dataclass(frozen=True, kw_only=True)
class TableView:
    """A table through the eyes of one player, or of everybody (``you`` is None or not seated)."""

    table: Table
    places: tuple[Place, ...]
    hand: HandView | None
    """The running hand, or the last one while the table pauses; None when there is none to show."""
    next_hand_at: int | None
    lobby_until: int | None
    you: Player | None
    event: EventNote | None = None
    """None for a table of its own."""
    week: Week | None = None
    """The week in which the table has its weekends off; None where clocks run every day."""

    @property
    def turn_until(self) -> int | None:
        """When the first of those whose turn it is runs out of time; None where no countdown is shown."""
        return min(
            (until for place in self.places if (until := self.until(place.seat.player)) is not None), default=None
        )

    def until(self, player: str) -> int | None:
        """When a player's turn runs out; None while it is not their turn, or where no countdown is shown."""
        place = self.place_of(player)
        return place.seat.deadline if place and self.table.terms.clock.pace is not Pace.NONE else None

    def penalty(self, player: Player | None) -> int | None:
        """Return how many hands are still auto-played for a player; 0 if disqualified, None if they play themselves."""
        return None if self.event is None or player is None else self.event.penalties.get(player)

    @property
    def shown_turn(self) -> ShownTurn | None:
        """The turn that a message with this view tells; None when it is nobody's."""
        if self.hand is None or not self.waiting:
            return None
        return ShownTurn(
            hand_no=self.table.hand_no,
            street=self.hand.street,
            players=frozenset(self.waiting),
            until=self.turn_until,
        )

    @property
    def owes_root(self) -> bool:
        """True when the table has still to tell what fixes its decks.

        At practice tables nothing is at stake, and the decks of a duplicate event are fixed by the event.
        """
        table = self.table
        decides = not table.terms.practice if self.event is None else not self.event.deck_commitment
        return table.open and bool(table.tree_from) and table.root_message is None and decides

    @property
    def home(self) -> int:
        """The channel below which its thread is, or is to be."""
        return (self.table.home or self.table.channel) if self.event is None else self.event.home

    @property
    def waits_for_thread(self) -> bool:
        """True while nothing shows the table where it is: it can wait for its thread."""
        return not self.table.posted if self.event is not None else self.table.message is None

    @cached_property
    def mine(self) -> Place | None:
        """The viewer's own place."""
        return None if self.you is None else self.place_of(self.you)

    @cached_property
    def waiting(self) -> tuple[Player, ...]:
        """The players that the hand waits for."""
        if self.hand is None:
            return ()
        return tuple(Player(seat.player) for seat in self.hand.seats if seat.waiting)

    @property
    def broke(self) -> bool:
        """True for a viewer who has lost everything here, and may bring chips again."""
        place = self.mine
        return place is not None and self.table.cash and not place.stack

    @property
    def stalled(self) -> bool:
        """True between hands while too few are there for the next one."""
        table = self.table
        between = table.state in (TableState.LOBBY, TableState.BETWEEN) and table.hand_no and not table.private
        if not between or self.event is not None:
            return False
        stacks = {place.seat.player: place.stack for place in self.places}
        return len(next_seats(table, [place.seat for place in self.places], stacks)) < table.terms.variant.min_seats

    @property
    def unready(self) -> tuple[Player, ...] | None:
        """Those who play the next hand and have not said that they want it now; None where nobody can say so."""
        table = self.table
        if table.state is not TableState.BETWEEN or not table.terms.clock.pause_ms or table.private or self.event:
            return None
        stacks = {place.seat.player: place.stack for place in self.places}
        playing = next_seats(table, [place.seat for place in self.places], stacks)
        late = [seat.player for seat in playing if not seat.computer and seat.ready_for <= table.hand_no]
        return tuple(late) if len(playing) >= table.terms.variant.min_seats else None

    @property
    def may_hint(self) -> bool:
        """True where the viewer is to place a street and nothing is at stake. A whole board is arranged instead."""
        table, hand = self.table, self.hand
        return (
            table.terms.practice
            and table.event_no is None
            and table.state is TableState.PLAYING
            and hand is not None
            and self.you in self.waiting
            and hand.to_place < BOARD_CARDS
        )

    def place_of(self, player: str) -> Place | None:
        """The place of a player, or None when they have left."""
        for place in self.places:
            if place.seat.player == player:
                return place
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class RootView:
    """The commitment of a table, as it is told once."""

    table: Table
    last: int
    """The last hand whose deck the root fixes."""
    forgotten_since: int | None
    """Where the tree was made after a restore: until when (ms) the copy that was put back knows what happened."""


def root_of(s: Session, key: TableKey) -> RootView | None:
    """The commitment that a table has to tell; None where it was told."""
    table = s.table(key)
    if table.root_message is not None:
        return None
    before = s.tx.hands.get(key, table.tree_from - 1)
    restored = s.tx.timers.last_restore() if before is not None and before.reason == "restored" else None
    since = restored.known_until if restored else None
    return RootView(table=table, last=table.tree_from + HANDS - 1, forgotten_since=since)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSeen:
    """A table with its running or last hand, of which each sees a part (:class:`TableViews`). It never leaves play."""

    table: Table
    places: tuple[Place, ...]
    record: HandRecord | None = field(repr=False)
    """Of the running hand, or of the last one while the table pauses."""
    hand: Hand | None = field(repr=False)
    """None where none was dealt, or it is lost."""
    logged: int
    """How long the table's log was."""
    untold_until: int | None
    """While no message has told whose turn it is: until when that holds the clocks."""
    next_hand_at: int | None
    lobby_until: int | None
    event: EventNote | None
    postings: tuple[Posting, ...]
    """The messages that wait to be posted, oldest first."""
    week: Week | None


def look(s: Session, key: TableKey, before: TableSeen | None = None) -> TableSeen:
    """A table as it stands; raises Refused. Where nothing was logged since ``before``, the hand is as it was then."""
    table, stacks, timers = s.table(key), s.tx.ledger.stacks(key), s.tx.timers.of(key)
    plays, rests = table.state in (TableState.PLAYING, TableState.BETWEEN), table.rests
    record, logged = hand_log.record_of(s, key, table.hand_no) if plays else None, s.tx.hands.logged(key)
    same = before is not None and (before.record, before.logged) == (record, logged)
    return TableSeen(
        table=table,
        places=tuple(
            Place(
                seat=seat,
                stack=stacks.get(seat.player, 0),
                vacation=s.tx.choices.wishes(key.guild, seat.player).vacation(s.now)
                if rests and not seat.computer
                else None,
            )
            for seat in s.tx.tables.seats(key)
        ),
        record=record,
        hand=None if record is None else told(s, key, record, known=before.hand if before and same else None),
        logged=logged,
        untold_until=timers.get(Timer.UNTOLD),
        next_hand_at=timers.get(Timer.NEXT_HAND),
        lobby_until=timers.get(Timer.LOBBY),
        event=s.desk.note(s, table) if table.event else None,
        postings=tuple(s.tx.outbox.postings(key, limit=MOST_POSTINGS)),
        week=off_days.week_of(s, table),
    )


class TableViews:
    """Tables as each may see them; hands as each has seen them last: what is drawn again is mostly the same hand."""

    def __init__(self, most: int = MOST_HAND_VIEWS) -> None:
        self._most = most
        self._hands: OrderedDict[tuple[int, Player | None], tuple[Hand, HandView]] = OrderedDict()

    def view_of(self, seen: TableSeen, you: Player | None, *, now: int) -> TableView:
        """A table as ``you`` may see it at this time (ms)."""
        late = turns.late_by(seen.untold_until, now=now) if seen.untold_until else 0
        # A hand is kept beside its view, so that no other one can have its place in memory.
        found = None if seen.hand is None else self._hands.get((id(seen.hand), you))
        hand = None if found is None else found[1]
        if seen.hand is not None and hand is None:
            hand = view_for(seen.hand, you)
            self._hands[id(seen.hand), you] = seen.hand, hand
            if len(self._hands) > self._most:
                self._hands.popitem(last=False)
        if hand is not None and seen.event is not None and seen.event.conceals and hand.you is None:
            hand = face_down(hand)
        places: list[Place] = []
        for place in seen.places:
            seat, vacation = place.seat, place.vacation
            if seat.player != you and (seat.draft or seat.draft_for or seat.ahead):
                # What somebody means to place they alone may know.
                seat = replace(seat, draft="", draft_for="", ahead=None)
            if late and seat.deadline is not None and not seat.away:
                # Told now, they have all their time from now on.
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
    """A hand; None for one that was never dealt, or is lost."""
    if record.state is HandState.UNDEALT:
        return None
    try:
        return hand_log.hand_of(s, key, record.hand_no, known=known)
    except HandLostError:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """What has happened at a table without one of its players, since they last did something there."""

    placed: tuple[tuple[int, int], ...]
    """The turns that the clock placed for them, each a hand and a street; street 0 in Fantasyland."""
    points: tuple[int, ...]
    """What they have won or lost in the hands that have ended, in order."""
    without: int
    """Hands that were dealt without them."""


def missed_by(s: Session, key: TableKey, player: Player, *, since: int = 0) -> Missed:
    """What a player has missed at their table since a time (ms): nothing once they have left it. Raises Refused."""
    table, seats = s.table(key), s.tx.tables.seats(key)
    seat = next((seat for seat in seats if seat.player == player), None)
    if seat is None:
        return Missed(placed=(), points=(), without=0)
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
    return Missed(placed=tuple(placed), points=tuple(points), without=without)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What a player's own look at their table tells beside the table."""

    last: int | None
    """The points of their last hand there; None before the first."""
    missed: Missed | None
    """None where the clock has placed nothing for them since they last acted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A table as one of its players sees it among their others."""

    view: TableView
    beside: Beside


def beside(s: Session, tables: Sequence[TableKey], player: Player) -> list[Beside]:
    """What is told beside each of a player's tables; raises Refused."""
    told = []
    for key in tables:
        late = s.seat(s.table(key), player).timeouts
        missed = missed_by(s, key, player) if late else None
        told.append(Beside(last=s.tx.results.last_points(key, player), missed=missed))
    return told


def everywhere(s: Session, player: Player) -> list[TableSeen]:
    """The open tables of a player in all servers."""
    return [look(s, key) for key in s.tx.tables.tables_everywhere(player)]
