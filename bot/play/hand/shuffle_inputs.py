"""Inputs of a table's next shuffles: the table's secret, and a text from each seat."""

from __future__ import annotations

from bot.model.tables import Seat, Table
from bot.play.session import decks
from bot.play.session.session import Session


def commit(s: Session, table: Table) -> Table:
    """Return the table with a fresh secret for the decks of its next hands, and the root that fixes them."""
    return decks.commit_decks(
        s.vault, table, epoch=s.tx.timers.epoch(), given=lambda tree: s.desk.tree_secret(s, table, tree)
    )


def entropy_after(s: Session, seat: Seat, cause: str | None) -> str:
    """Return a seat's entropy for the next shuffle after a press: its player's own text, or the press's id."""
    own_text = seat.entropy and not s.tx.seen(seat.entropy)
    return seat.entropy if own_text else cause or ""
