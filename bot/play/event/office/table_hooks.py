"""Implementation of :class:`bot.play.session.session.EventHooks`, through which tables and timers call events."""

from __future__ import annotations

from dataclasses import replace

from typing_extensions import override

from bot.model.events import Event, EventTable
from bot.model.ids import EventKey, Player, Shard, TableKey
from bot.model.reasons import EventReason
from bot.model.tables import EventNote, EventStatus, Table, TableState, WaitReason
from bot.play.event.floor import draws
from bot.play.event.formats import brackets
from bot.play.event.office import director, views
from bot.play.session.session import EventHooks, Session
from bot.play.table import lobby
from bot.pure.event.structure import Family
from bot.pure.ofc.refusals import Refused


class TableHooks(EventHooks):
    """The events' part of every transaction. It's stateless, so one instance serves all sessions."""

    @override
    def note(self, s: Session, table: Table) -> EventNote | None:
        """Return the event data that a table shows; None if the table isn't an event's."""
        found = _event_of(s, table)
        if found is None:
            return None
        event, info = found
        return EventNote(
            number=event.key.number,
            name=event.name,
            format=event.format,
            channel=event.channel,
            home=event.channel_of(table.number),
            level=_level(event, info, table) + 1 if event.format.family is not Family.ROUNDS else 0,
            round=info.round,
            rounds=event.structure.rounds,
            hand=info.played if event.structure.rounds else 0,
            extra=info.extra,
            hands=event.structure.round_hands if event.structure.rounds else 0,
            stage=brackets.stage_at(s, event, info),
            deck_commitment=event.board_commitment,
            waits=_waits(event, info, table),
            break_until=event.break_until,
            penalties=_penalties(s, table),
            conceals=_concealed(event, info),
            is_placed=info.threaded or info.over or not event.structure.threads,
        )

    @override
    def standing(self, s: Session, table: Table, player: Player) -> EventStatus | None:
        """Return the event standing of a player without a seat at the table; None if the table isn't an event's."""
        return None if table.event is None else views.standing(s, table, player)

    @override
    def tree_secret(self, s: Session, table: Table, tree: str) -> bytes | None:
        """Return the secret of the table's next decks; None if its event hasn't committed to them."""
        event = None if table.event is None else s.tx.events.get(table.event)
        return None if event is None else draws.tree_secret(s, event, tree)

    @override
    def conceals(self, s: Session, table: Table) -> bool:
        """True while another table still plays the same deck, so this table's cards must stay hidden."""
        found = _event_of(s, table)
        return found is not None and _concealed(*found)

    @override
    def check_penalty(self, s: Session, table: Table, player: Player) -> None:
        """Raise Refused if the player's cards are auto-placed because of a disqualification or a penalty."""
        entrant = None if table.event is None else s.tx.entrants.get(table.event, player)
        if entrant is not None and entrant.disqualified:
            raise Refused(EventReason.DISQUALIFIED)
        if entrant is not None and entrant.penalty:
            raise Refused(EventReason.SERVES_PENALTY, count=entrant.penalty)

    @override
    def shown(self, s: Session, table: Table) -> None:
        """Direct the event of a table whose message was just posted, because its next hand may have been waiting."""
        if table.event is None or table.state is TableState.PLAYING:
            return
        info = s.tx.entrants.event_table(table.key)
        if info is not None and info.waits is WaitReason.SHOWING:
            s.events_to_direct.add(table.event)

    @override
    def without_place(self, s: Session, table: Table, *, reason: str) -> Table:
        """Find a new channel for an event's table that can no longer be shown. Raises Refused."""
        return without_place(s, table, reason=reason)

    follow = staticmethod(director.follow)

    @override
    def due(self, s: Session, *, shard: Shard, limit: int) -> list[EventKey]:
        """Return up to ``limit`` events of the shard whose alarm is due, oldest first."""
        return s.tx.timers.event_alarms(s.now, shard=shard, limit=limit)

    @override
    def look_later(self, s: Session, key: EventKey, *, ms: int) -> None:
        """Postpone an event's alarm after a failure."""
        event = s.tx.events.get(key)
        if event is not None and event.alarm_at is not None:
            s.tx.events.save(replace(event, alarm_at=s.now + ms))

    @override
    def after_start(self, s: Session) -> None:
        """Direct running events that can't continue because a key is gone. In the others, renew a lost master seed."""
        for key in s.tx.events.running():
            event = s.tx.events.get(key)
            if event is not None and draws.lost(s, event):
                s.events_to_direct.add(key)
            elif event is not None:
                draws.master_renewed(s, event)

    @override
    def after_restore(self, s: Session) -> None:
        """Make new secrets for all unfinished events, because the old ones may be known."""
        for key in s.tx.events.running():
            director.after_restore(s, key)


def _waits(event: Event, info: EventTable, table: Table) -> WaitReason:
    """Return why the table doesn't deal. A pause shows immediately, not just when the next hand would be dealt."""
    counts_down = info.waits in (WaitReason.NOTHING, WaitReason.SHOWING) and table.state is not TableState.PLAYING
    return WaitReason.PAUSE if event.paused and counts_down else info.waits


def _event_of(s: Session, table: Table) -> tuple[Event, EventTable] | None:
    """Return a table's event and the event's data on it; None if the table isn't an event's."""
    if table.event is None:
        return None
    event, info = s.tx.events.get(table.event), s.tx.entrants.event_table(table.key)
    return None if event is None or info is None else (event, info)


def _penalties(s: Session, table: Table) -> dict[Player, int]:
    """Return the number of auto-played hands left per penalised player at the table; 0 if disqualified."""
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


def _level(event: Event, info: EventTable, table: Table) -> int:
    """Return the level of a table's current or last hand, from 0, which is the one that its point value belongs to.

    In knockouts with levels counted in hands, each table counts its own. Otherwise, the event's level rises for all
    tables, but a hand in progress is played at the level at which it was dealt.
    """
    if event.format.family is Family.KNOCKOUT and event.structure.by_hands:
        return event.structure.level_of(max(1, info.played))
    levels = range(event.level, -1, -1)
    value = table.terms.point_value
    return next((level for level in levels if event.structure.point_value(level) == value), event.level)


# Location of an event's tables: a thread for each, or the event's channel.


def table_needing_thread(s: Session, key: TableKey) -> Table | None:
    """Return the table if it needs a thread and can move now, between hands or before it's shown; else None."""
    table, info = s.tx.tables.get(key), s.tx.entrants.event_table(key)
    if table is None or info is None or not table.open or info.threaded:
        return None
    return None if table.state is TableState.PLAYING and table.posted else table


def set_thread(s: Session, key: TableKey, *, channel: int | None) -> bool:
    """Record the table's thread, or that it stays in its channel (``channel`` is None). False if it can't move now."""
    table, info = s.tx.tables.get(key), s.tx.entrants.event_table(key)
    if table is None or table.event is None or info is None or not table.open:
        return False
    if channel is not None and table_needing_thread(s, key) is None:
        return False
    s.tx.entrants.save_event_table(table.event, replace(info, threaded=True))
    if channel is None:
        s.save(table)
    else:
        s.save(replace(table, channel=channel, message=None, retired=None, call=None, root_message=None))
    event = s.tx.events.get(table.event)
    if event is not None:
        # The event's message links to its tables.
        s.tx.events.save(replace(event, version=event.version + 1))
        s.changed_events.add(event.key)
    return True


def former_table(s: Session, key: TableKey) -> Table | None:
    """Return the event's last closed table that had this table's number and a thread, which this table takes over.

    None if there is none, or if an open table is played in that thread.
    """
    table = s.tx.tables.get(key)
    event = None if table is None or table.event is None else s.tx.events.get(table.event)
    if table is None or event is None or table.number_in_event is None:
        return None
    closed = s.tx.tables.closed_in_event(event.key, table.number_in_event)
    former = next((one for one in closed if one.channel not in event.channels), None)
    if former is None or s.tx.tables.open(key.guild, channel=former.channel):
        return None
    return former


def has_successor(s: Session, key: TableKey) -> bool:
    """True if an open table of the event has a closed table's number, so it takes over the thread."""
    table = s.tx.tables.get(key)
    if table is None or table.event is None or table.number_in_event is None:
        return False
    infos = s.tx.entrants.event_tables(table.event, over=False)
    spots = (s.tx.tables.get(TableKey(guild=key.guild, table=info.table)) for info in infos)
    return any(spot.number_in_event == table.number_in_event for spot in spots if spot is not None and spot.open)


def leave_thread(s: Session, key: TableKey) -> bool:
    """Move a table from a thread that can't be posted in to the event's channel. False if it's already there."""
    table, info = s.tx.tables.get(key), s.tx.entrants.event_table(key)
    event = None if table is None or table.event is None else s.tx.events.get(table.event)
    if table is None or event is None or info is None or not table.open or table.channel == event.channel:
        return False
    s.tx.entrants.save_event_table(event.key, replace(info, threaded=True))
    s.save(replace(table, channel=event.channel, message=None, retired=None, call=None, root_message=None))
    return True


def without_place(s: Session, table: Table, *, reason: str) -> Table:
    """Move an event's table that can't be shown to another channel, because its seats and chips belong to the event.

    If the event's channel is gone too, the event is called off. Raises Refused if an admin wants to close the table.
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
