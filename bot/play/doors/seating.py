"""The door to the seats of a table: every use case as one awaitable call."""

from __future__ import annotations

from bot.play.doors.transactions import Door, Transactions, writes
from bot.play.table import hosting, seats


class Seating(Door):
    """Use cases of those who sit at tables, over the same transactions as those of tables themselves."""

    def __init__(self, transactions: Transactions) -> None:
        self._write = transactions.write

    rebuy = writes(seats.rebuy)
    top_up = writes(seats.top_up)
    sit_out = writes(seats.sit_out)
    change_seat = writes(seats.change_seat)
    hand_over = writes(hosting.hand_over)
    remove = writes(hosting.remove)
