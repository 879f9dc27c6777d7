"""The doors to finding others and to the seats of a table: every use case as one awaitable call."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.ids import Player, TableKey
from bot.model.tables import Table
from bot.play import together
from bot.play.doors.transactions import Door, Transactions, asks, reads, writes
from bot.play.table import company, hosting, seats
from bot.play.table.lobby import Offer
from bot.play.together import GuestCalls
from bot.store.transaction import Tx


class Together(Door):
    """Use cases of players who look for others, over the same transactions as those of tables."""

    def __init__(self, transactions: Transactions) -> None:
        self._read, self._write, self._now = transactions.read, transactions.write, transactions.now
        self._calls = GuestCalls()

    quick = writes(together.quick)

    async def queue(self, like: Offer, *, players: int | None, cause: str) -> Table:
        """Wait in the channel's queue, or begin one; raises Refused or Stale."""
        offer = together.queued(like, players=players)
        return await self._write(lambda s: together.queue(s, offer, cause=cause))

    # templates of a server

    templates = reads(together.known)
    save_template = writes(together.save)
    remove_template = writes(together.remove)
    template = reads(together.table_named)

    # whom a player is not seated with

    refuse = writes(company.refuse)
    allow = writes(company.allow)
    refused_by = asks(Tx.refused_by)
    demand_guest = reads(company.demand_guest)

    def wanted_guests(self, table: Table, by: Player, guests: Sequence[Player]) -> list[Player]:
        """The guests that one more invitation may name, noted as such.

        Raises Refused where all have been invited before, and for somebody who invites too many.
        """
        return self._calls.wanted(table.key, by, guests, now=self._now())

    callable_guests = reads(company.callable_guests)

    async def called_at_opening(self, table: Table) -> frozenset[Player]:
        """The guests that a table was opened for, called by its first message."""
        called = self._calls.opening(table.key, table.host, table.invited, now=self._now())
        return called & await self.callable_guests(table, table.invited)

    # news

    async def told_role(self, key: TableKey) -> int | None:
        """The role that the message of a new table calls; None for none."""
        if await self._read(lambda s: s.tx.server(key.guild).told_role) is None:
            return None
        return await self._write(lambda s: together.told_role(s, key))


# The door to the seats of a table: every use case as one awaitable call.


class Seating(Door):
    """Use cases of those who sit at tables, over the same transactions as those of tables themselves."""

    def __init__(self, transactions: Transactions) -> None:
        self._write = transactions.write

    rebuy = writes(seats.rebuy)
    top_up = writes(seats.top_up)
    sit_out = writes(seats.sit_out)
    sit_out_everywhere = writes(seats.sit_out_everywhere)
    change_seat = writes(seats.change_seat)
    hand_over = writes(hosting.hand_over)
    remove = writes(hosting.remove)
