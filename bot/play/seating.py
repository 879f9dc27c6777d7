"""The door to the seats of a table: every use case as one awaitable call."""

from __future__ import annotations

from bot.play import hosting, seats
from bot.play.model import Player, Table, TableKey
from bot.play.transactions import Transactions


class Seating:
    """Use cases of those who sit at tables, over the same transactions as those of tables themselves."""

    def __init__(self, transactions: Transactions) -> None:
        self._write = transactions.write

    async def rebuy(self, key: TableKey, player: Player, *, cause: str) -> Table:
        """Bring chips to a seat that has none; raises Refused."""
        return await self._write(lambda s: seats.rebuy(s, key, player, cause=cause))

    async def top_up(self, key: TableKey, player: Player, *, cause: str) -> Table:
        """Fill a stack up to the buy-in, now or after the hand; raises Refused."""
        return await self._write(lambda s: seats.top_up(s, key, player, cause=cause))

    async def sit_out(self, key: TableKey, player: Player, *, cause: str) -> Table:
        """Miss hands from the next one on; raises Refused."""
        return await self._write(lambda s: seats.sit_out(s, key, player, cause=cause))

    async def change_seat(self, key: TableKey, player: Player, number: int, *, cause: str) -> Table:
        """Take another seat, now or after the hand; raises Refused."""
        return await self._write(lambda s: seats.change_seat(s, key, player, number, cause=cause))

    async def hand_over(self, key: TableKey, host: Player, to: Player, *, cause: str) -> Table:
        """Make somebody else at the table its host; raises Refused."""
        return await self._write(lambda s: hosting.hand_over(s, key, host, to, cause=cause))

    async def remove(self, key: TableKey, by: Player, who: Player, *, manager: bool, cause: str) -> Table:
        """Take a player from the table, now or after the hand; raises Refused."""
        return await self._write(lambda s: hosting.remove(s, key, by, who, manager=manager, cause=cause))
