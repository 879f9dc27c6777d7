"""Location of tables outside events: the channel where they were opened, or a thread in it.

The lobby is shown in the channel. When its first hand is dealt, a table with a thread moves there and stays.
"""

from __future__ import annotations

from dataclasses import replace

from bot.model.ids import TableKey
from bot.model.tables import Table
from bot.play.session.session import Session
from bot.play.table import lobby


def table_needing_thread(s: Session, key: TableKey) -> Table | None:
    """Return the table if it needs a thread and may move now, before a message shows its hand; None otherwise."""
    table = s.tx.tables.get(key)
    if table is None or not table.open or table.is_placed:
        return None
    return table if table.message is None else None


def set_thread(s: Session, key: TableKey, *, channel: int | None) -> bool:
    """Move a table to its thread ``channel``, or keep it where it is if that's None; False if it can't move now."""
    table = s.tx.tables.get(key)
    if table is None or not table.open:
        return False
    if channel is None:
        s.save(replace(table, threaded=False))
        return True
    if table_needing_thread(s, key) is None:
        return False
    s.save(_move(replace(table, home=table.channel), channel))
    return True


def leave_thread(s: Session, key: TableKey) -> bool:
    """Move a table back to its channel because its thread can't be posted in; False if it's already there."""
    table = s.tx.tables.get(key)
    if table is None or not table.open or table.home is None:
        return False
    s.save(_move_back(table))
    return True


def without_place(s: Session, table: Table, *, reason: str) -> Table:
    """Close a table in any state. If only its thread is gone, it moves back to its channel instead."""
    if not table.open:
        return table
    if reason == "channel_gone" and table.home is not None:
        return s.save(_move_back(table))
    return lobby.close(s, table, reason=reason)


def _move_back(table: Table) -> Table:
    return _move(replace(table, home=None, threaded=False), table.home or table.channel)


def _move(table: Table, channel: int) -> Table:
    """Return the table in ``channel`` without messages, because those shown elsewhere are no longer its own."""
    return replace(table, channel=channel, message=None, retired=None, call=None, root_message=None)
