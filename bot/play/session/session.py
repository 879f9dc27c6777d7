"""One transaction in progress, with the bot's policy and the time: what every use case works with."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol

from bot.model.clock import DAY
from bot.model.hands import Vault
from bot.model.ids import EventKey, GuildId, Player, Shard, TableId, TableKey, is_meant
from bot.model.moves import check_move
from bot.model.reasons import TableReason
from bot.model.refusals import Stale
from bot.model.tables import TABLE_MOVES, EventNote, Seat, Standing, Table, TableState
from bot.play.session.hand_cache import HandCache
from bot.play.session.policy import Policy
from bot.pure.ofc.refusals import Refused
from bot.store.transaction import Tx

TOLD_FOR_MS = 30 * DAY
"""For so long it is told that somebody had to stand up, unless they do something in the server before."""


class EventDesk(Protocol):
    """Everything that tables and their clock ask of events; ``bot/play/event/office/desk.py`` answers.

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
    cache: HandCache = field(default_factory=HandCache)
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
        table = self.tx.tables.get(key)
        if table is None:
            raise Refused(TableReason.NO_TABLE)
        if not is_meant(key.tag, own=table.tag, epoch=table.epoch):
            raise Stale
        if table.hidden_from(player):
            raise Refused(TableReason.NO_TABLE)
        return table

    def open_table(self, key: TableKey, player: Player) -> Table:
        """The table, which is open, for a player who acts there; raises Refused."""
        table = self.table(key, player)
        if not table.open:
            raise Refused(TableReason.TABLE_CLOSED)
        return table

    def seat(self, table: Table, player: Player) -> Seat:
        """The player's seat; raises Refused."""
        for seat in self.tx.tables.seats(table.key):
            if seat.player == player:
                return seat
        if table.key.table in self.lost_seats(table.key.guild, player):
            raise Refused(TableReason.LOST_SEAT, table=table.key.table)
        raise Refused(TableReason.NOT_AT_THIS_TABLE, table=table.key.table)

    def lost_seats(self, guild: GuildId, player: Player, *, since: int = 0) -> list[TableId]:
        """The tables where a player had to stand up for missing hands, until they do something in the server again.

        Those from before ``since`` (ms) are left out.
        """
        return self.tx.hands.lost_seats(guild, player, since=max(since, self.now - TOLD_FOR_MS))

    def dealt_in(self, table: Table) -> list[Seat]:
        """The seats that play, by number."""
        return [seat for seat in self.tx.tables.seats(table.key) if seat.dealt_in]

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
        """Write a fact about the table into the log."""
        self.tx.hands.note(table.key, kind, hand_no=table.hand_no, actor=actor, cause=cause, at=self.now)
