"""The views of tables and hands: the only way from play to a presenter."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bot.model.careers import Earned
from bot.model.choices import Vacation
from bot.model.errors import HandLostError, SeedLostError
from bot.model.hands import HandRecord, HandState, Result
from bot.model.ids import Player, TableKey
from bot.model.refusals import PlayReason
from bot.model.standings import Total
from bot.model.tables import EventNote, Posting, Seat, ShownTurn, Table, TableState, Timer
from bot.model.weekends import Week
from bot.ofc.deck_tree import HANDS
from bot.ofc.hand import Hand
from bot.ofc.proof import make_proof
from bot.ofc.refusals import Refused
from bot.ofc.view import HandView, face_down, view_for
from bot.play.hand import turns
from bot.play.hand.who_plays import next_seats
from bot.play.paid_pairs import PaidPair, paid_pairs
from bot.play.session import decks
from bot.play.session.session import Session

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


@dataclass(frozen=True, slots=True, kw_only=True)
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
        return place.seat.deadline if place and self.table.terms.clock.shown else None

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
    def housed(self) -> bool:
        """True once the table has the thread that it is to have, or needs none."""
        return self.table.housed if self.event is None else self.event.housed

    @property
    def home(self) -> int:
        """The channel below which its thread is, or is to be."""
        return (self.table.home or self.table.channel) if self.event is None else self.event.home

    @property
    def waits_for_thread(self) -> bool:
        """True while nothing shows the table where it is: it can wait for its thread."""
        return not self.table.posted if self.event is not None else self.table.message is None

    @property
    def mine(self) -> Place | None:
        """The viewer's own place."""
        return None if self.you is None else self.place_of(self.you)

    @property
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

    def place_of(self, player: str) -> Place | None:
        """The place of a player, or None when they have left."""
        for place in self.places:
            if place.seat.player == player:
                return place
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView:
    """A finished hand as everybody sees it. ``hand`` is None when its seed or its log was lost."""

    table: Table
    record: HandRecord
    hand: HandView | None
    results: tuple[Result, ...]
    seed: bytes | None
    """Only once it is revealed."""
    broke: bool = False
    """True where it is the table's last hand, and one of its players has a seat and no chips."""
    badges: tuple[tuple[Player, Earned], ...] = ()
    """The badges that the hand has earned or tells of, for those who let others see them."""
    pairs: tuple[PaidPair, ...] = ()
    """Each two players of a hand that was settled, in the order in which they were paid."""
    penalised: frozenset[Player] = frozenset()
    """Those for whom the clock placed in it because an organiser of their event had decided so."""
    bounties: tuple[tuple[Player, Player, int], ...] = ()
    """Who has won whose bounty in it, and how many chips."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosingView:
    """A closed table: what all its hands came to, the winner first."""

    table: Table
    totals: tuple[Total, ...]
    unfinished: bool
    """True where the last hand was void because the table closed."""


def closing_of(s: Session, key: TableKey) -> ClosingView:
    """A closed table with the sums of its hands; raises Refused."""
    table = s.table(key)
    last = s.tx.hand(key, table.hand_no)
    void = last is not None and last.state is HandState.VOID and last.reason == table.closed_reason
    totals = sorted(s.tx.totals(key), key=lambda total: (-total.points, total.player))
    return ClosingView(table=table, totals=tuple(totals), unfinished=void)


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
    before = s.tx.hand(key, table.tree_from - 1)
    restored = s.tx.last_restore() if before is not None and before.reason == "restored" else None
    since = restored.known_until if restored else None
    return RootView(table=table, last=table.tree_from + HANDS - 1, forgotten_since=since)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSeen:
    """A table with its running or last hand, of which each sees a part (:func:`view_of`). It never leaves play."""

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
    table, stacks, timers = s.table(key), s.tx.stacks(key), s.tx.timers(key)
    plays = table.state in (TableState.PLAYING, TableState.BETWEEN)
    record, logged = s.record(key, table.hand_no) if plays else None, s.tx.logged(key)
    same = before is not None and (before.record, before.logged) == (record, logged)
    return TableSeen(
        table=table,
        places=tuple(
            Place(seat=seat, stack=stacks.get(seat.player, 0), vacation=_vacation(s, table, seat))
            for seat in s.tx.seats(key)
        ),
        record=record,
        hand=None if record is None else _told(s, key, record, known=before.hand if before and same else None),
        logged=logged,
        untold_until=timers.get(Timer.UNTOLD),
        next_hand_at=timers.get(Timer.NEXT_HAND),
        lobby_until=timers.get(Timer.LOBBY),
        event=s.desk.note(s, table) if table.event else None,
        postings=tuple(s.tx.postings(key, limit=MOST_POSTINGS)),
        week=turns.week_of(s, table),
    )


def _vacation(s: Session, table: Table, seat: Seat) -> Vacation | None:
    return s.tx.wishes(table.key.guild, seat.player).vacation(s.now) if table.rests and not seat.computer else None


class HandViews:
    """Hands as each has seen them last. What is drawn and noted again and again is mostly the same hand."""

    def __init__(self, most: int = MOST_HAND_VIEWS) -> None:
        self._most = most
        self._seen: OrderedDict[tuple[int, Player | None], tuple[Hand, HandView]] = OrderedDict()

    def view(self, hand: Hand, you: Player | None) -> HandView:
        """The hand as ``you`` see it."""
        # A hand is kept beside its view, so that no other one can have its place in memory.
        found = self._seen.get((id(hand), you))
        if found is not None:
            return found[1]
        view = view_for(hand, you)
        self._seen[id(hand), you] = hand, view
        if len(self._seen) > self._most:
            self._seen.popitem(last=False)
        return view


def view_of(seen: TableSeen, you: Player | None, *, now: int, known: HandViews) -> TableView:
    """A table as ``you`` may see it at this time (ms)."""
    late = turns.late_by(seen.untold_until, now=now) if seen.untold_until else 0
    hand = None if seen.hand is None else known.view(seen.hand, you)
    if hand is not None and seen.event is not None and seen.event.conceals and hand.you is None:
        hand = face_down(hand)
    places = tuple(_still_on_vacation(_own_draft(place, you), now=now) for place in seen.places)
    if late:
        places = tuple(replace(place, seat=_later(place.seat, by=late)) for place in places)
    return TableView(
        table=seen.table,
        places=places,
        hand=hand,
        next_hand_at=seen.next_hand_at,
        lobby_until=seen.lobby_until,
        you=you,
        event=seen.event,
        week=seen.week,
    )


def _own_draft(place: Place, you: Player | None) -> Place:
    """A place without what only its player may know: what they mean to place."""
    seat = place.seat
    if seat.player == you or not (seat.draft or seat.draft_for or seat.ahead):
        return place
    return replace(place, seat=replace(seat, draft="", draft_for="", ahead=None))


def _still_on_vacation(place: Place, *, now: int) -> Place:
    over = place.vacation is not None and place.vacation.ends <= now
    return replace(place, vacation=None) if over else place


def _later(seat: Seat, *, by: int) -> Seat:
    """A seat whose turn was not told yet: told now, its player has all their time from now on."""
    if seat.away or seat.deadline is None:
        return seat
    return replace(seat, deadline=seat.deadline + by)


def _told(s: Session, key: TableKey, record: HandRecord, *, known: Hand | None = None) -> Hand | None:
    """A hand; None for one that was never dealt, or is lost."""
    if record.state is HandState.UNDEALT:
        return None
    try:
        return s.replayed(key, record, known=known)
    except HandLostError:
        return None


def revealed(table: Table, record: HandRecord) -> bool:
    """True once a hand's seed is public: after the hand, or at the table's end where discards stay secret."""
    if record.state is HandState.PLAYING:
        return False
    return not table.open or not record.variant.hides_discards


def result_of(s: Session, key: TableKey, hand_no: int, you: Player | None = None) -> ResultView:
    """A finished hand; raises Refused for one that is not finished, or whose deck others have still to play."""
    table = s.table_for(key, you)
    record = finished(s, table, hand_no)
    hand, results = _told(s, key, record), s.tx.results(key, hand_no)
    return ResultView(
        table=table,
        record=record,
        hand=None if hand is None else view_for(hand, None),
        results=tuple(results),
        seed=_seed(s, key, record) if revealed(table, record) else None,
        broke=table.hand_no == hand_no and _broke(s, table),
        badges=_badges(s, key, hand_no, results),
        pairs=paid_pairs(s, table, record, hand) if hand and record.state is HandState.SETTLED else (),
        penalised=_penalised(s, table, hand_no),
        bounties=_bounties(s, table, hand_no),
    )


def _bounties(s: Session, table: Table, hand_no: int) -> tuple[tuple[Player, Player, int], ...]:
    event = table.event
    if event is None or s.tx.last_fact(event, ("bounty",)) is None:
        return ()
    here = {"table": table.key.table, "hand": hand_no}
    told = (fact.details for fact in s.tx.event_log(event) if fact.kind == "bounty")
    return tuple((one["player"], one["loser"], one["amount"]) for one in told if here.items() <= one.items())


def _penalised(s: Session, table: Table, hand_no: int) -> frozenset[Player]:
    event = table.event
    if event is None or s.tx.last_fact(event, ("penalty_served",)) is None:
        return frozenset()
    here = {"table": table.key.table, "hand": hand_no}
    facts = (fact for fact in s.tx.event_log(event) if fact.kind == "penalty_served")
    return frozenset(Player(fact.details["player"]) for fact in facts if here.items() <= fact.details.items())


def _badges(s: Session, key: TableKey, hand_no: int, results: Sequence[Result]) -> tuple[tuple[Player, Earned], ...]:
    players = [result.player for result in results if result.ranked]
    return tuple(s.tx.badges_of_hand(key, hand_no, players)) if players else ()


def _broke(s: Session, table: Table) -> bool:
    stacks = s.tx.stacks(table.key)
    return table.cash and any(not stacks.get(seat.player) for seat in s.tx.seats(table.key))


def finished(s: Session, table: Table, hand_no: int) -> HandRecord:
    record = s.tx.hand(table.key, hand_no)
    if record is None:
        raise Refused(PlayReason.NO_SUCH_HAND, last=table.hand_no)
    if record.state is HandState.PLAYING or _played_elsewhere(s, table, record):
        raise Refused(PlayReason.NOT_REVEALED_YET, hand=hand_no)
    return record


def _played_elsewhere(s: Session, table: Table, record: HandRecord) -> bool:
    """True while other tables have still to play the deck of this hand."""
    if not s.desk.conceals(s, table):
        return False
    last = s.tx.hand(table.key, table.hand_no)
    # A hand that was void may have had the same deck.
    return record.hand_no >= table.hand_no or (last is not None and record.shared == last.shared)


def _seed(s: Session, key: TableKey, record: HandRecord) -> bytes | None:
    try:
        return decks.seed(s.vault, key, record)
    except SeedLostError:
        return None


def proof_of(s: Session, key: TableKey, hand_no: int, you: Player | None = None) -> Mapping[str, Any]:
    """The record with which a stranger recomputes the deck of a revealed hand; raises Refused."""
    table = s.table_for(key, you)
    record = finished(s, table, hand_no)
    if not revealed(table, record):
        raise Refused(PlayReason.NOT_REVEALED_BEFORE_CLOSING, hand=hand_no, table=key.table)
    seed = _seed(s, key, record)
    if seed is None:
        raise Refused(PlayReason.SEED_LOST, hand=hand_no)
    entropy = decks.entropy_of(record, seed)
    deal = decks.opened(s.vault, key, record).deal
    proof = make_proof(
        record.variant,
        hand_id=record.deal_name(key),
        seed=seed,
        entropy=entropy,
        committed=record.commitment,
        leaf=deal.leaf if deal else None,
        dealt=deal.dealt if deal else None,
        kept=() if record.kept_deck is None else decks.deck(key, record, seed),
        withheld=decks.withheld(entropy),
    )
    return proof.to_json()
