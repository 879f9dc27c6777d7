"""One transaction in progress, with the bot's policy and the time: what every use case works with."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from bot.ofc.hand import Hand
from bot.ofc.log import LogError
from bot.ofc.refusals import Refused
from bot.play import decks
from bot.play.folds import Folds
from bot.play.model import EventKey, GuildId, HandRecord, Player, Seat, Table, TableKey, TableState, is_meant
from bot.play.policy import Policy
from bot.play.ports import BadLogError, Tx, Vault
from bot.play.refusals import PlayReason, Stale


@dataclass(slots=True, kw_only=True)
class Session:
    """A transaction, the policy, the vault and the time (ms). ``changed_tables`` collects the tables that changed."""

    tx: Tx
    policy: Policy
    vault: Vault
    now: int
    folds: Folds = field(default_factory=Folds)
    frozen: frozenset[GuildId] = frozenset()
    """Guilds whose books do not balance."""
    published: bool = False
    """True where messages show the tables: a turn begins, and an event's table is dealt, once one has shown it."""
    changed_tables: set[TableKey] = field(default_factory=set)
    changed_events: set[EventKey] = field(default_factory=set)
    """The events whose message has changed, or for which one waits."""
    events_to_direct: set[EventKey] = field(default_factory=set)
    """The events at which the director must look before the transaction ends."""

    def table(self, key: TableKey) -> Table:
        """The table, open or closed; raises Refused, or Stale for a button that was drawn for another one."""
        table = self.tx.table(key)
        if table is None:
            raise Refused(PlayReason.NO_TABLE)
        if not is_meant(key.tag, own=table.tag, epoch=table.epoch):
            raise Stale
        return table

    def open_table(self, key: TableKey) -> Table:
        """The table, which is open; raises Refused."""
        table = self.table(key)
        if not table.open:
            raise Refused(PlayReason.TABLE_CLOSED)
        return table

    def seat(self, table: Table, player: Player) -> Seat:
        """The player's seat; raises Refused."""
        for seat in self.tx.seats(table.key):
            if seat.player == player:
                return seat
        raise Refused(PlayReason.NOT_AT_TABLE)

    def once(self, cause: str | None) -> None:
        """Raise Stale when this press had its effect before."""
        if cause is not None and self.tx.seen(cause):
            raise Stale

    def change(self, table: Table, **changes: Any) -> Table:
        """Save the table with ``changes`` as its next version."""
        table = replace(table, version=table.version + 1, **changes)
        self.tx.save_table(table)
        self.changed_tables.add(table.key)
        if table.event is not None and table.state is not TableState.PLAYING:
            self.events_to_direct.add(table.event)
        return table

    def save_seat(self, table: Table, seat: Seat, **changes: Any) -> Seat:
        """Save a seat with ``changes``."""
        seat = replace(seat, **changes)
        self.tx.save_seat(table.key, seat)
        return seat

    def entropy_after(self, seat: Seat, cause: str | None) -> str:
        """What a seat puts into the next shuffle after a press: its player's own text, or else the press's id."""
        own_text = seat.entropy and not self.tx.seen(seat.entropy)
        return seat.entropy if own_text else cause or ""

    def note(self, table: Table, kind: str, *, actor: Player | None = None, cause: str | None = None) -> None:
        """Write a fact about the table into the log."""
        self.tx.note(table.key, kind, hand_no=table.hand_no, actor=actor, cause=cause, at=self.now)

    def committed(self, table: Table) -> Table:
        """The table with a fresh secret for the decks of its next hands, and the root that fixes them."""
        return decks.committed(self.vault, table, epoch=self.tx.epoch())

    def hand(self, key: TableKey, hand_no: int) -> tuple[HandRecord, Hand]:
        """A hand that was dealt, replayed from its log; raises Refused, or HandLostError."""
        record = self.tx.hand(key, hand_no)
        if record is None:
            raise Refused(PlayReason.NO_HAND)
        name = record.id_at(key)
        # Asked each time: without its key a hand is lost, also one that is still remembered.
        seed = decks.seed(self.vault, key, record)
        try:
            facts = self.tx.facts(key, hand_no)
            hand = self.folds.hand(name, record, facts, lambda: decks.deck(key, record, seed))
        except LogError as error:
            raise BadLogError(f"the log of hand {name} is damaged: {error}") from error
        # A hand that was void before it was dealt has no seats.
        if hand.seats and [seat.player for seat in hand.seats] != [player for player, _ in record.entropy]:
            raise BadLogError(f"the log of hand {name} names other players than were dealt in")
        return record, hand
