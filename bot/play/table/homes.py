"""Where tables of their own are played: in the channel in which they were opened, or in a thread below it.

The lobby stands in the channel. Once a hand is dealt, a table that is to have a thread moves into it, and stays there.
"""

from __future__ import annotations

from dataclasses import replace

from bot.model.ids import TableKey
from bot.model.tables import Table
from bot.play.session.session import Session
from bot.play.table import lobby


def homeless(s: Session, key: TableKey) -> Table | None:
    """The table, if it is to have a thread and may be moved into it now: before a message shows its hand."""
    table = s.tx.tables.get(key)
    if table is None or not table.open or table.housed:
        return None
    return table if table.message is None else None


def housed(s: Session, key: TableKey, *, channel: int | None) -> bool:
    """A table has got its thread, or never will and stays where it is; False when it must stay there for now."""
    table = s.tx.tables.get(key)
    if table is None or not table.open:
        return False
    if channel is None:
        s.save(replace(table, threaded=False))
        return True
    if homeless(s, key) is None:
        return False
    s.save(_moved(replace(table, home=table.channel), channel))
    return True


def leave_thread(s: Session, key: TableKey) -> bool:
    """Nothing can be posted in a table's thread: it is played in its channel; False when it is already."""
    table = s.tx.tables.get(key)
    if table is None or not table.open or table.home is None:
        return False
    s.save(_back(table))
    return True


def without_place(s: Session, table: Table, *, reason: str) -> Table:
    """Close a table whatever it is doing; one whose thread alone is gone goes on in its channel."""
    if not table.open:
        return table
    if reason == "channel_gone" and table.home is not None:
        return s.save(_back(table))
    return lobby.close(s, table, reason=reason)


def _back(table: Table) -> Table:
    return _moved(replace(table, home=None, threaded=False), table.home or table.channel)


def _moved(table: Table, channel: int) -> Table:
    """The table with nothing that shows it: what stands elsewhere is none of its messages any more."""
    return replace(table, channel=channel, message=None, retired=None, call=None, root_message=None)
