"""Telling a server's role of new tables: not of each, where several are opened one after the other."""

from __future__ import annotations

from dataclasses import replace

from bot.model.clock import MINUTE
from bot.model.ids import TableKey
from bot.play.session.session import Session

PAUSE_MS = 10 * MINUTE
"""Between two tables of which the same role is told."""


def told_role(s: Session, key: TableKey) -> int | None:
    """The role that the message of this new table calls, which is noted; None where it was told of another just now.

    Asked again for the same table, because nobody knows whether its message was posted, the answer is the same.
    """
    server = s.tx.server(key.guild)
    if server.told_role is None:
        return None
    again = server.told_table == key.table
    if not again and server.told_at is not None and 0 <= s.now - server.told_at < PAUSE_MS:
        return None
    if not again:
        s.tx.save_server(key.guild, replace(server, told_at=s.now, told_table=key.table))
    return server.told_role
