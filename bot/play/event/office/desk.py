"""The answers of events to tables and their clock (:class:`bot.play.session.session.EventDesk`)."""

from __future__ import annotations

from dataclasses import replace

from typing_extensions import override

from bot.model.events import Event, EventTable
from bot.model.ids import EventKey, Player, Shard, TableKey
from bot.model.reasons import EventReason
from bot.model.tables import EventNote, Standing, Table, TableState, Waits
from bot.play.event.floor import draws
from bot.play.event.formats import brackets
from bot.play.event.office import director, views
from bot.play.session.session import EventDesk, Session
from bot.play.table import lobby
from bot.pure.event.structure import Family
from bot.pure.ofc.refusals import Refused


class Desk(EventDesk):
    """The events' side of every transaction. It keeps nothing: one serves all sessions."""

    @override
    def note(self, s: Session, table: Table) -> EventNote | None:
        """The facts of its event that the table shows; None for a table of its own."""
        found = _event_of(s, table)
        if found is None:
            return None
        event, info = found
        return EventNote(
            number=event.key.number,
            name=event.name,
            format=event.format,
            channel=event.channel,
            home=event.home_of(table.key.table),
            level=_level(event, info) + 1 if event.format.family is not Family.ROUNDS else 0,
            round=info.round,
            rounds=event.structure.rounds,
            hand=info.played if event.structure.rounds else 0,
            hands=event.structure.round_hands if event.structure.rounds else 0,
            stage=brackets.stage_at(s, event, info),
            deck_commitment=event.board_commitment,
            waits=_waits(event, info, table),
            break_until=event.break_until,
            penalties=_penalties(s, table),
            conceals=_concealed(event, info),
            housed=info.threaded or info.over or not event.structure.threads,
        )

    @override
    def standing(self, s: Session, table: Table, player: Player) -> Standing | None:
        """How somebody without a seat at the table stands in its event; None at a table of its own."""
        return None if table.event is None else views.standing(s, table, player)

    @override
    def tree_secret(self, s: Session, table: Table, tree: str) -> bytes | None:
        """The secret of the table's next decks, where its event has committed to those of all its tables."""
        event = None if table.event is None else s.tx.events.get(table.event)
        return None if event is None else draws.tree_secret(s, event, tree)

    @override
    def conceals(self, s: Session, table: Table) -> bool:
        """True while cards on this table would tell others theirs: some table still plays the same deck."""
        found = _event_of(s, table)
        return found is not None and _concealed(*found)

    @override
    def check_penalty(self, s: Session, table: Table, player: Player) -> None:
        """Raise Refused for a player whose cards the clock places: after a disqualification, or during a penalty."""
        entrant = None if table.event is None else s.tx.entrants.get(table.event, player)
        if entrant is not None and entrant.disqualified:
            raise Refused(EventReason.DISQUALIFIED)
        if entrant is not None and entrant.penalty:
            raise Refused(EventReason.SERVES_PENALTY, count=entrant.penalty)

    @override
    def shown(self, s: Session, table: Table) -> None:
        """A message shows the table now: a hand may have waited for that."""
        if table.event is None or table.state is TableState.PLAYING:
            return
        info = s.tx.entrants.event_table(table.key)
        if info is not None and info.waits is Waits.SHOWING:
            s.events_to_direct.add(table.event)

    @override
    def without_place(self, s: Session, table: Table, *, reason: str) -> Table:
        """Find a new place for an event's table whose channel takes nothing, or is gone; raises Refused."""
        return without_place(s, table, reason=reason)

    follow = staticmethod(director.follow)

    @override
    def due(self, s: Session, *, shard: Shard, limit: int) -> list[EventKey]:
        """The events of these servers whose alarm is due, oldest first."""
        return s.tx.timers.event_alarms(s.now, shard=shard, limit=limit)

    @override
    def look_later(self, s: Session, key: EventKey, *, ms: int) -> None:
        """Move an event's alarm: what was due could not be done."""
        event = s.tx.events.get(key)
        if event is not None and event.alarm_at is not None:
            s.tx.events.save(replace(event, alarm_at=s.now + ms))

    @override
    def after_start(self, s: Session) -> None:
        """Look at once at the events that cannot go on, because the key of their seeds is gone."""
        for key in s.tx.events.running():
            event = s.tx.events.get(key)
            if event is not None and draws.lost(s, event):
                s.events_to_direct.add(key)
            elif event is not None:
                draws.master_renewed(s, event)

    @override
    def after_restore(self, s: Session) -> None:
        """Give all events that are not over new secrets for those that may be known by now."""
        for key in s.tx.events.running():
            director.after_restore(s, key)


def _waits(event: Event, info: EventTable, table: Table) -> Waits:
    """Return why the table doesn't deal. A pause shows at once, not only once the next hand would be dealt."""
    counts_down = info.waits in (Waits.NOTHING, Waits.SHOWING) and table.state is not TableState.PLAYING
    return Waits.PAUSE if event.paused and counts_down else info.waits


def _event_of(s: Session, table: Table) -> tuple[Event, EventTable] | None:
    """The event of a table, and what it knows of the table; None for a table of its own."""
    if table.event is None:
        return None
    event, info = s.tx.events.get(table.event), s.tx.entrants.event_table(table.key)
    return None if event is None or info is None else (event, info)


def _penalties(s: Session, table: Table) -> dict[Player, int]:
    """Return the hands that are still auto-played for a table's players with a penalty; 0 for the disqualified."""
    assert table.event is not None
    away = [seat.player for seat in s.tx.tables.seats(table.key) if seat.away]
    entrants = [entrant for player in away if (entrant := s.tx.entrants.get(table.event, player)) is not None]
    return {
        entrant.player: 0 if entrant.disqualified else entrant.penalty
        for entrant in entrants
        if entrant.penalty or entrant.disqualified
    }


def _concealed(event: Event, info: EventTable) -> bool:
    return event.hides_shared_decks and not event.phase.over and info.board > event.compared


def _level(event: Event, info: EventTable) -> int:
    """The level at a table, from 0: matches count their own hands, all others share the event's level."""
    if event.format.family is Family.KNOCKOUT and event.structure.by_hands:
        return event.structure.level_of(max(1, info.played))
    return event.level


# Where an event's tables are played: in a thread of their own, or in the event's channel.


def homeless(s: Session, key: TableKey) -> Table | None:
    """The table, if it is to have a thread and may be moved into it now: between hands, or before it is shown."""
    table, info = s.tx.tables.get(key), s.tx.entrants.event_table(key)
    if table is None or info is None or not table.open or info.threaded:
        return None
    return None if table.state is TableState.PLAYING and table.posted else table


def housed(s: Session, key: TableKey, *, channel: int | None) -> bool:
    """A table has got its thread, or never will and stays where it is; False when it must stay there for now."""
    table, info = s.tx.tables.get(key), s.tx.entrants.event_table(key)
    if table is None or table.event is None or info is None or not table.open:
        return False
    if channel is not None and homeless(s, key) is None:
        return False
    s.tx.entrants.save_event_table(table.event, replace(info, threaded=True))
    if channel is None:
        s.save(table)
    else:
        s.save(replace(table, channel=channel, message=None, retired=None, call=None, root_message=None))
    event = s.tx.events.get(table.event)
    if event is not None:
        # Its message says where the tables are.
        s.tx.events.save(replace(event, version=event.version + 1))
        s.changed_events.add(event.key)
    return True


def leave_thread(s: Session, key: TableKey) -> bool:
    """Nothing can be posted in a table's thread: it is played in the event's channel; False when it is already."""
    table, info = s.tx.tables.get(key), s.tx.entrants.event_table(key)
    event = None if table is None or table.event is None else s.tx.events.get(table.event)
    if table is None or event is None or info is None or not table.open or table.channel == event.channel:
        return False
    s.tx.entrants.save_event_table(event.key, replace(info, threaded=True))
    s.save(replace(table, channel=event.channel, message=None, retired=None, call=None, root_message=None))
    return True


def without_place(s: Session, table: Table, *, reason: str) -> Table:
    """A table of an event cannot be shown where it was: it gets a new place, for seats and chips are the event's.

    Raises Refused when somebody wants to close it by hand.
    """
    if table.event is None or not table.open:
        return table
    event, info = s.tx.events.get(table.event), s.tx.entrants.event_table(table.key)
    if event is None or event.phase.over or info is None:
        return lobby.close(s, table, reason=reason)
    if reason == "closed_by_admin":
        raise Refused(EventReason.EVENT_TABLE)
    if reason == "guild_gone" or table.channel == event.channel:
        director.place_gone(s, table.event, reason=reason)
        return s.table(table.key)
    s.tx.entrants.save_event_table(table.event, replace(info, threaded=not event.structure.threads))
    return s.save(replace(table, channel=event.channel, message=None, retired=None, call=None, root_message=None))
