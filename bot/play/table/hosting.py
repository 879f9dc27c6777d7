"""A host's decisions about players: the next host, removing players, and watching."""

from __future__ import annotations

from dataclasses import replace

from bot.model.ids import Player, TableKey, is_computer
from bot.model.reasons import SeatReason, TableReason
from bot.model.tables import Seat, Table
from bot.play.session.session import Session
from bot.play.table import lobby, seats
from bot.pure.ofc.refusals import Refused


def hand_over(s: Session, key: TableKey, host: Player, to: Player, *, cause: str) -> Table:
    """Make another player at the table its host; raises Refused."""
    s.check_not_repeated(cause)
    table = seats.shared_table(s, key, host)
    if table.host != host:
        raise Refused(TableReason.NOT_HOST, player=table.host)
    if is_computer(to):
        raise Refused(SeatReason.COMPUTER_IS_NO_HOST)
    _seat_of_other(s, table, to, by=host)
    s.note(table, "hands_over", actor=host, cause=cause)
    s.note(table, "hosts", actor=to)
    return s.save(replace(table, host=to))


def remove(s: Session, key: TableKey, by: Player, who: Player, *, manager: bool, cause: str) -> Table:
    """Remove a player from the table, as its host or as a manager of the server; raises Refused.

    They stand up as if they had left (so never during a hand), and can't join this table again.
    """
    s.check_not_repeated(cause)
    table = seats.shared_table(s, key, by)
    if table.host != by and not manager:
        raise Refused(TableReason.NOT_HOST, player=table.host)
    seat = _seat_of_other(s, table, who, by=by)
    s.note(table, "removes", actor=by, cause=cause)
    s.note(table, "removed", actor=who)
    if not seat.computer:
        table = replace(table, removed=(*table.removed, who))
    return lobby.go(s, table, seat)


def let_watch(s: Session, key: TableKey, host: Player, *, watched: bool) -> Table:
    """Allow or stop watching of the table on pages; raises Refused."""
    table = s.open_table(key, host)
    if table.host != host or table.private:
        raise Refused(TableReason.NOT_HOST, player=table.host)
    return table if table.watched is watched else s.save(replace(table, watched=watched))


def _seat_of_other(s: Session, table: Table, player: Player, *, by: Player) -> Seat:
    """Return the seat of ``player``, who isn't ``by``; raises Refused."""
    if player == by:
        raise Refused(SeatReason.NOT_ONESELF)
    for seat in s.tx.tables.seats(table.key):
        if seat.player == player and player not in table.removed:
            return seat
    raise Refused(SeatReason.NOT_SEATED_HERE)
