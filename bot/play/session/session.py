"""A transaction in progress with the bot's policy and the time. All use cases work with it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol

from bot.model.clock import DAY
from bot.model.hands import Vault
from bot.model.ids import EventKey, GuildId, Player, Shard, TableId, TableKey, matches_tag
from bot.model.moves import check_move
from bot.model.reasons import TableReason
from bot.model.refusals import Stale
from bot.model.tables import TABLE_MOVES, EventNote, EventStatus, Seat, Table, TableState
from bot.play.session.hand_cache import HandCache
from bot.play.session.policy import Policy
from bot.pure.ofc.refusals import Refused
from bot.store.transaction import Tx

TOLD_FOR_MS = 30 * DAY
"""How long a lost seat is shown (ms), unless its player acts in the server earlier."""


class EventHooks(Protocol):
    """Interface of events for tables and clocks, implemented in ``bot/play/event/office/table_hooks.py``.

    Each call runs in the given session's transaction.
    """

    def note(self, s: Session, table: Table) -> EventNote | None:
        """Return the event's data that the table shows; None if it isn't an event's."""
        ...

    def standing(self, s: Session, table: Table, player: Player) -> EventStatus | None:
        """Return the event standing of a player without a seat at the table; None if it isn't an event's."""
        ...

    def tree_secret(self, s: Session, table: Table, tree: str) -> bytes | None:
        """Return the secret of the table's next decks; None unless its event has committed to all tables' decks."""
        ...

    def conceals(self, s: Session, table: Table) -> bool:
        """True while another table still plays the same deck, so this table's cards would reveal theirs."""
        ...

    def check_penalty(self, s: Session, table: Table, player: Player) -> None:
        """Raise Refused if the player is auto-played after a disqualification or during a penalty."""
        ...

    def shown(self, s: Session, table: Table) -> None:
        """Handle a message that now shows the table, because its next hand may have been waiting for that."""
        ...

    def without_place(self, s: Session, table: Table, *, reason: str) -> Table:
        """Find a new channel for an event's table if its own is gone or can't be posted in; raises Refused."""
        ...

    def follow(self, s: Session) -> None:
        """Run the director for ``events_to_direct`` after the transaction's changes."""
        ...

    def due(self, s: Session, *, shard: Shard, limit: int) -> list[EventKey]:
        """Return the shard's events with due alarms, oldest first."""
        ...

    def look_later(self, s: Session, key: EventKey, *, ms: int) -> None:
        """Postpone an event's alarm that couldn't be handled."""
        ...

    def after_start(self, s: Session) -> None:
        """After a start, check for events that can't continue."""
        ...

    def after_restore(self, s: Session) -> None:
        """After a restore from a copy, replace events' secrets that may be known."""
        ...


@dataclass(slots=True, kw_only=True)
class Session:
    """A transaction, the policy, the vault and the time (ms). ``changed_tables`` collects the tables that changed."""

    tx: Tx
    desk: EventHooks
    policy: Policy
    vault: Vault
    now: int
    cache: HandCache = field(default_factory=HandCache)
    frozen: frozenset[GuildId] = frozenset()
    """Servers whose books don't balance."""
    published: bool = False
    """True if messages show the tables. Turns and events' hands start only after they have been shown."""
    asks_members: bool = False
    """True if Discord can be asked for members. An event's start waits for the answer."""
    changed_tables: set[TableKey] = field(default_factory=set)
    changed_events: set[EventKey] = field(default_factory=set)
    """Events with a changed message or a message to post."""
    roll_calls: set[EventKey] = field(default_factory=set)
    """Events that have started waiting for a roll call."""
    events_to_direct: set[EventKey] = field(default_factory=set)
    """Events that the director must handle before the transaction ends."""

    def table(self, key: TableKey, player: Player | None = None) -> Table:
        """Return a table, open or closed; raises Refused, or Stale if the button was drawn for another table.

        A table hidden from ``player`` is refused as if it didn't exist.
        """
        table = self.tx.tables.get(key)
        if table is None:
            raise Refused(TableReason.NO_TABLE)
        if not matches_tag(key.tag, own=table.tag, epoch=table.epoch):
            raise Stale
        if table.hidden_from(player):
            raise Refused(TableReason.NO_TABLE)
        return table

    def open_table(self, key: TableKey, player: Player) -> Table:
        """Return an open table that the player wants to act at; raises Refused."""
        table = self.table(key, player)
        if not table.open:
            raise Refused(TableReason.TABLE_CLOSED)
        return table

    def seat(self, table: Table, player: Player) -> Seat:
        """Return the player's seat; raises Refused."""
        for seat in self.tx.tables.seats(table.key):
            if seat.player == player:
                return seat
        if table.key.table in self.lost_seats(table.key.guild, player):
            raise Refused(TableReason.LOST_SEAT, table=table.number)
        raise Refused(TableReason.NOT_AT_THIS_TABLE, table=table.number)

    def lost_seats(self, guild: GuildId, player: Player, *, since: int = 0) -> list[TableId]:
        """Return the tables where a player has lost their seat by missing hands since they last acted in the server.

        Tables from before ``since`` (ms) are left out.
        """
        return self.tx.hands.lost_seats(guild, player, since=max(since, self.now - TOLD_FOR_MS))

    def dealt_in(self, table: Table) -> list[Seat]:
        """Return the seats that are dealt in, by number."""
        return [seat for seat in self.tx.tables.seats(table.key) if seat.dealt_in]

    def check_penalty(self, table: Table, player: Player) -> None:
        """Raise Refused if the player is auto-played because of an organiser's decision."""
        if table.event is not None:
            self.desk.check_penalty(self, table, player)

    def check_not_repeated(self, cause: str | None) -> None:
        """Raise Stale if this press has already taken effect."""
        if cause is not None and self.tx.seen(cause):
            raise Stale

    def save(self, table: Table) -> Table:
        """Save a changed table as its next version, and return that version."""
        before = self.tx.tables.get(table.key)
        if before is not None:
            check_move(TABLE_MOVES, before.state, table.state)
        table = replace(table, version=table.version + 1)
        self.tx.tables.save(table)
        self.changed_tables.add(table.key)
        if table.event is not None and table.state is not TableState.PLAYING:
            self.events_to_direct.add(table.event)
        return table

    def note(self, table: Table, kind: str, *, actor: Player | None = None, cause: str | None = None) -> None:
        """Write a fact about the table to the log."""
        self.tx.hands.note(table.key, kind, hand_no=table.hand_no, actor=actor, cause=cause, at=self.now)
