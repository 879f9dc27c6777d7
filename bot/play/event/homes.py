"""Where an event's tables are played: in a thread of their own, or in the event's channel."""

from __future__ import annotations

from dataclasses import replace

from bot.model.ids import TableKey
from bot.model.refusals import PlayReason
from bot.model.tables import Table, TableState
from bot.ofc.refusals import Refused
from bot.play.event import director
from bot.play.session.session import Session
from bot.play.table import lobby


def homeless(s: Session, key: TableKey) -> Table | None:
    """The table, if it is to have a thread and may be moved into it now: between hands, or before it is shown."""
    table, info = s.tx.table(key), s.tx.event_table(key)
    if table is None or info is None or not table.open or info.threaded:
        return None
    return None if table.state is TableState.PLAYING and table.posted else table


def housed(s: Session, key: TableKey, *, channel: int | None) -> bool:
    """A table has got its thread, or never will and stays where it is; False when it must stay there for now."""
    table, info = s.tx.table(key), s.tx.event_table(key)
    if table is None or table.event is None or info is None or not table.open:
        return False
    if channel is not None and homeless(s, key) is None:
        return False
    s.tx.save_event_table(table.event, replace(info, threaded=True))
    if channel is None:
        s.save(table)
    else:
        s.save(replace(table, channel=channel, message=None, retired=None, call=None, root_message=None))
    event = s.tx.event(table.event)
    if event is not None:
        # Its message says where the tables are.
        s.tx.save_event(replace(event, version=event.version + 1))
        s.changed_events.add(event.key)
    return True


def leave_thread(s: Session, key: TableKey) -> bool:
    """Nothing can be posted in a table's thread: it is played in the event's channel; False when it is already."""
    table, info = s.tx.table(key), s.tx.event_table(key)
    event = None if table is None or table.event is None else s.tx.event(table.event)
    if table is None or event is None or info is None or not table.open or table.channel == event.channel:
        return False
    s.tx.save_event_table(event.key, replace(info, threaded=True))
    s.save(replace(table, channel=event.channel, message=None, retired=None, call=None, root_message=None))
    return True


def without_place(s: Session, table: Table, *, reason: str) -> Table:
    """A table of an event cannot be shown where it was: it gets a new place, for seats and chips are the event's.

    Raises Refused when somebody wants to close it by hand.
    """
    if table.event is None or not table.open:
        return table
    event, info = s.tx.event(table.event), s.tx.event_table(table.key)
    if event is None or event.phase.over or info is None:
        return lobby.close(s, table, reason=reason)
    if reason == "closed_by_admin":
        raise Refused(PlayReason.EVENT_TABLE)
    if reason == "guild_gone" or table.channel == event.channel:
        director.place_gone(s, table.event, reason=reason)
        return s.table(table.key)
    s.tx.save_event_table(table.event, replace(info, threaded=not event.structure.threads))
    return s.save(replace(table, channel=event.channel, message=None, retired=None, call=None, root_message=None))
