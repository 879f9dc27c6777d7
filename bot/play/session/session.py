"""One transaction in progress, with the bot's policy and the time: what every use case works with."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Protocol

from bot.model.clock import DAY
from bot.model.errors import BadLogError
from bot.model.hands import HandRecord, Vault
from bot.model.ids import EventKey, GuildId, Player, Shard, TableId, TableKey, is_meant
from bot.model.moves import check_move
from bot.model.refusals import PlayReason, Stale
from bot.model.tables import TABLE_MOVES, EventNote, Seat, Standing, Table, TableState
from bot.ofc.cards import Card
from bot.ofc.hand import Hand, audit
from bot.ofc.log import Fact, LogError
from bot.ofc.refusals import Refused
from bot.operator_defaults import LOBBY_MINUTES, NEXT_HAND_SECONDS, START_CHIPS
from bot.play.session import decks
from bot.store.transaction import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Settings of the whole bot. Chips are whole, times milliseconds."""

    start_chips: int = START_CHIPS
    lobby_ms: int = LOBBY_MINUTES * 60_000
    next_hand_ms: int = NEXT_HAND_SECONDS * 1000
    left_server_days: int | None = None
    """Days after which everything is deleted of a server that the bot has left; None keeps it for its return."""
    seating_ms: int = 30_000
    """Between the opening of an event's table and its first hand, so that its players find it."""
    computer_ms: int = 900
    practice_ms: int = 2 * 3_600_000
    """A private table at which nobody does anything for so long closes."""
    timeouts_until_away: int = 2
    tables_a_player: int = 5
    slow_tables_a_player: int = 25
    lobbies_a_player: int = 5
    """Tables that somebody has opened and that wait for players, of any pace. Tables of events count nowhere here."""
    lobbies_a_channel: int = 15
    tables_a_channel: int = 50
    tables_a_server: int = 200
    computers_a_host: int = 15
    """In all servers together: computers are shared by everybody."""
    computers_a_server: int = 40
    """Seats; a computer that thinks takes a few hundredths of a second of everybody's time."""
    computers: int = 200


TOLD_FOR_MS = 30 * DAY
"""For so long it is told that somebody had to stand up, unless they do something in the server before."""

# Hands as they were folded from their logs, kept so that the next look folds only what is new.

MOST_HANDS = 4096
"""Those looked at last; a hand takes a few kilobytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fold:
    deal: tuple[object, ...] = field(repr=False)
    """What the deck follows from."""
    facts: tuple[Fact, ...] = field(repr=False)
    hand: Hand = field(repr=False)


class Folds:
    """A memory that cannot be wrong: it is used for a log that begins with the very events that it was made of.

    So it needs no word of a transaction that was rolled back, and may be dropped at any instant.
    """

    def __init__(self, most: int = MOST_HANDS) -> None:
        self._most = most
        self._folds: OrderedDict[str, _Fold] = OrderedDict()
        self._lock = Lock()

    def hand(self, name: str, record: HandRecord, facts: Sequence[Fact], deck: Callable[[], tuple[Card, ...]]) -> Hand:
        """The hand that these events make; ``deck`` is asked where nothing of it is known. Raises LogError."""
        with self._lock:
            fold = self._folds.get(name)
        deal = (record.variant, record.sealed_seed, record.entropy)
        known = fold is not None and fold.deal == deal and fold.facts == tuple(facts[: len(fold.facts)])
        if fold is None or not known:
            hand = audit(record.variant, deck(), facts)
        elif len(facts) == len(fold.facts):
            hand = fold.hand
        else:
            hand = audit(record.variant, fold.hand.deck, facts[len(fold.facts) :], since=fold.hand)
        with self._lock:
            self._folds[name] = _Fold(deal=deal, facts=tuple(facts), hand=hand)
            self._folds.move_to_end(name)
            while len(self._folds) > self._most:
                self._folds.popitem(last=False)
        return hand

    def begin(self, name: str, record: HandRecord, facts: Sequence[Fact], hand: Hand) -> None:
        """Know the hand of a record that is dealt with these facts."""
        with self._lock:
            deal = (record.variant, record.sealed_seed, record.entropy)
            self._folds[name] = _Fold(deal=deal, facts=tuple(facts), hand=hand)

    def grow(self, name: str, before: Hand, facts: Sequence[Fact], after: Hand) -> None:
        """Know what these facts, which are decided, make of a hand that is known so; of another one nothing."""
        with self._lock:
            fold = self._folds.get(name)
            if fold is not None and fold.hand is before:
                self._folds[name] = replace(fold, facts=(*fold.facts, *facts), hand=after)


class EventDesk(Protocol):
    """All that tables and their clock ask of events, which they know by nothing else: ``bot/play/event/desk.py``.

    Each call works in the transaction of the session that it is given.
    """

    def note(self, s: Session, table: Table) -> EventNote | None:
        """The facts of its event that the table shows; None for a table of its own."""
        ...

    def standing(self, s: Session, table: Table, player: Player) -> Standing | None:
        """How somebody without a seat at the table stands in its event; None at a table of its own."""
        ...

    def tree_secret(self, s: Session, table: Table, tree: str) -> bytes | None:
        """The secret of the table's next decks, where its event has committed to those of all its tables."""
        ...

    def conceals(self, s: Session, table: Table) -> bool:
        """True while cards on this table would tell others theirs: some table still plays the same deck."""
        ...

    def check_penalty(self, s: Session, table: Table, player: Player) -> None:
        """Raise Refused for a player whose cards the clock places: after a disqualification, or during a penalty."""
        ...

    def shown(self, s: Session, table: Table) -> None:
        """A message shows the table now: a hand may have waited for that."""
        ...

    def without_place(self, s: Session, table: Table, *, reason: str) -> Table:
        """Find a new place for an event's table whose channel takes nothing, or is gone; raises Refused."""
        ...

    def follow(self, s: Session) -> None:
        """Do all that follows at events (``events_to_direct``) from what the transaction has changed."""
        ...

    def due(self, s: Session, *, shard: Shard, limit: int) -> list[EventKey]:
        """The events of these servers whose alarm is due, oldest first."""
        ...

    def look_later(self, s: Session, key: EventKey, *, ms: int) -> None:
        """Move an event's alarm: what was due could not be done."""
        ...

    def after_start(self, s: Session) -> None:
        """The process has started: look at the events that cannot go on."""
        ...

    def after_restore(self, s: Session) -> None:
        """The database was put back from a copy: give events new secrets for those that may be known by now."""
        ...


@dataclass(slots=True, kw_only=True)
class Session:
    """A transaction, the policy, the vault and the time (ms). ``changed_tables`` collects the tables that changed."""

    tx: Tx
    desk: EventDesk
    policy: Policy
    vault: Vault
    now: int
    folds: Folds = field(default_factory=Folds)
    frozen: frozenset[GuildId] = frozenset()
    """Guilds whose books do not balance."""
    published: bool = False
    """True where messages show the tables: a turn begins, and an event's table is dealt, once one has shown it."""
    asks_members: bool = False
    """True where Discord can be asked who is still a member: an event's start waits for the answer."""
    changed_tables: set[TableKey] = field(default_factory=set)
    changed_events: set[EventKey] = field(default_factory=set)
    """The events whose message has changed, or for which one waits."""
    roll_calls: set[EventKey] = field(default_factory=set)
    """The events that wait for a roll call from now on."""
    events_to_direct: set[EventKey] = field(default_factory=set)
    """The events at which the director must look before the transaction ends."""

    def table(self, key: TableKey, player: Player | None = None) -> Table:
        """The table, open or closed; raises Refused, or Stale for a button that was drawn for another one.

        One of which this player may know nothing is refused as if it were not there.
        """
        table = self.tx.table(key)
        if table is None:
            raise Refused(PlayReason.NO_TABLE)
        if not is_meant(key.tag, own=table.tag, epoch=table.epoch):
            raise Stale
        if table.hidden_from(player):
            raise Refused(PlayReason.NO_TABLE)
        return table

    def open_table(self, key: TableKey, player: Player) -> Table:
        """The table, which is open, for a player who acts there; raises Refused."""
        table = self.table(key, player)
        if not table.open:
            raise Refused(PlayReason.TABLE_CLOSED)
        return table

    def seat(self, table: Table, player: Player) -> Seat:
        """The player's seat; raises Refused."""
        for seat in self.tx.seats(table.key):
            if seat.player == player:
                return seat
        if table.key.table in self.lost_seats(table.key.guild, player):
            raise Refused(PlayReason.LOST_SEAT, table=table.key.table)
        raise Refused(PlayReason.NOT_AT_THIS_TABLE, table=table.key.table)

    def lost_seats(self, guild: GuildId, player: Player, *, since: int = 0) -> list[TableId]:
        """The tables where a player had to stand up for missing hands, until they do something in the server again.

        Those from before ``since`` (ms) are left out.
        """
        return self.tx.lost_seats(guild, player, since=max(since, self.now - TOLD_FOR_MS))

    def dealt_in(self, table: Table) -> list[Seat]:
        """The seats that play, by number."""
        return [seat for seat in self.tx.seats(table.key) if seat.dealt_in]

    def check_penalty(self, table: Table, player: Player) -> None:
        """Raise Refused for a player whose cards the clock places, as an organiser of their event has decided."""
        if table.event is not None:
            self.desk.check_penalty(self, table, player)

    def once(self, cause: str | None) -> None:
        """Raise Stale when this press had its effect before."""
        if cause is not None and self.tx.seen(cause):
            raise Stale

    def save(self, table: Table) -> Table:
        """Save the table, which has changed, as its next version; returns that."""
        before = self.tx.table(table.key)
        if before is not None:
            check_move(TABLE_MOVES, before.state, table.state)
        table = replace(table, version=table.version + 1)
        self.tx.save_table(table)
        self.changed_tables.add(table.key)
        if table.event is not None and table.state is not TableState.PLAYING:
            self.events_to_direct.add(table.event)
        return table

    def entropy_after(self, seat: Seat, cause: str | None) -> str:
        """The entropy of a seat for the next shuffle after a press: its player's own text, or else the press's id."""
        own_text = seat.entropy and not self.tx.seen(seat.entropy)
        return seat.entropy if own_text else cause or ""

    def note(self, table: Table, kind: str, *, actor: Player | None = None, cause: str | None = None) -> None:
        """Write a fact about the table into the log."""
        self.tx.note(table.key, kind, hand_no=table.hand_no, actor=actor, cause=cause, at=self.now)

    def committed(self, table: Table) -> Table:
        """The table with a fresh secret for the decks of its next hands, and the root that fixes them."""
        return decks.committed(
            self.vault, table, epoch=self.tx.epoch(), given=lambda tree: self.desk.tree_secret(self, table, tree)
        )

    def record(self, key: TableKey, hand_no: int) -> HandRecord:
        """The record of a hand beside its log; raises Refused."""
        record = self.tx.hand(key, hand_no)
        if record is None:
            raise Refused(PlayReason.NO_HAND)
        return record

    def hand(self, key: TableKey, hand_no: int, *, known: Hand | None = None) -> Hand:
        """A hand that was dealt, replayed from its log; raises Refused, or HandLostError.

        It may be ``known`` of a log that is the same.
        """
        record = self.record(key, hand_no)
        name = record.id_at(key)
        # Asked each time: without its key a hand is lost, also one that is still remembered.
        seed = decks.seed(self.vault, key, record)
        if known is not None:
            return known
        try:
            facts = self.tx.facts(key, hand_no)
            hand = self.folds.hand(name, record, facts, lambda: decks.deck(key, record, seed))
        except LogError as error:
            raise BadLogError(f"the log of hand {name} is damaged: {error}") from error
        # A hand that was void before it was dealt has no seats.
        if hand.seats and [seat.player for seat in hand.seats] != [player for player, _ in record.entropy]:
            raise BadLogError(f"the log of hand {name} names other players than were dealt in")
        return hand
