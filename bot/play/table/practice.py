"""Practice in private: a table that its player alone sees, in one message of their own.

Nothing of it is posted. The next hand is dealt when its player asks for it, and the table closes once they stop, open
another one, or do nothing for long.
"""

from __future__ import annotations

from dataclasses import replace

from bot.model.ids import Player, TableKey
from bot.model.refusals import Stale
from bot.model.tables import Table, TableState
from bot.play.hand import hands
from bot.play.session.session import Session
from bot.play.table import lobby
from bot.play.table.lobby import Offer

STOPPED = "practice_stopped"


def practise(s: Session, offer: Offer, *, cause: str) -> Table:
    """Open a private table and deal its first hand; the one that its player had before is closed. Raises Refused."""
    s.once(cause)
    for before in s.tx.tables_of(offer.guild, offer.host):
        if before.private:
            lobby.close(s, before, reason=STOPPED)
    table = lobby.seated(s, replace(offer, private=True), cause=cause)
    _stir(s, table, offer.host, cause=cause)
    s.note(table, "started", actor=offer.host)
    return hands.deal(s, table)


def next_hand(s: Session, key: TableKey, player: Player, *, hand_no: int, cause: str) -> Table:
    """Deal the hand after this one; raises Refused, or Stale where that was done before."""
    s.once(cause)
    table = s.open_table(key, player)
    if not table.private or table.state is not TableState.BETWEEN or table.hand_no != hand_no:
        raise Stale
    _stir(s, table, player, cause=cause)
    s.note(table, "goes_on", actor=player, cause=cause)
    return lobby.next_hand(s, table)


def _stir(s: Session, table: Table, player: Player, *, cause: str) -> None:
    """Put the press into the shuffle; its player is there."""
    seat = s.seat(table, player)
    s.tx.save_seat(table.key, replace(seat, entropy=s.entropy_after(seat, cause), away=False, timeouts=0))


def stop(s: Session, key: TableKey, player: Player, *, cause: str) -> Table:
    """Close one's private table, also in the middle of a hand; raises Refused, or Stale for another kind of table."""
    s.once(cause)
    table = s.open_table(key, player)
    if not table.private:
        raise Stale
    s.note(table, "stops", actor=player, cause=cause)
    return lobby.close(s, table, reason=STOPPED)
