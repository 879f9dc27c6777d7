"""Tables of the player who pressed a button or typed: those waiting for them, and the one that a command refers to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.chat.kit.reply import Reply
from bot.chat.table.screens.panel import Panel
from bot.chat.table.screens.seats_screen import back_sentence, missed_text
from bot.model.events import Phase
from bot.model.ids import Player, TableId, TableKey
from bot.model.reasons import TableReason
from bot.model.tables import Table, TableState
from bot.play.api.events import Events
from bot.play.api.play import Play
from bot.play.queries.views import TableView
from bot.pure.ofc.refusals import Refused
from bot.text.words import Words


class Returning(Protocol):
    """A press, a command or a request from a page by a player who comes back."""

    player: Player
    words: Words

    @property
    def cause(self) -> str: ...


@dataclass(frozen=True, slots=True)
class OwnTables:
    """Looks up the tables of a reply's player."""

    _play: Play
    _events: Events

    async def panels(self, reply: Reply) -> list[Panel]:
        """Return a panel for each of the player's tables."""
        tables = await self._play.tables_of(reply.guild, reply.player)
        return [Panel(view=await self._play.look(table.key, reply.player)) for table in tables]

    async def waiting(self, reply: Reply, *, but: TableKey) -> list[TableView]:
        """Return the correspondence tables, except ``but``, that are waiting for the player, least time left first."""
        tables = await self._play.tables_of(reply.guild, reply.player)
        views = [
            await self._play.look(table.key, reply.player)
            for table in tables
            if table.key != but and table.terms.clock.quiet and table.state is TableState.PLAYING
        ]
        return sorted((view for view in views if reply.player in view.waiting), key=_shortest_time)

    async def meant(self, reply: Reply, number: int | None) -> Table:
        """Return the table that a command refers to: table ``number``, else one waiting for them, else one in this
        channel.

        Raises Refused if the player has no seat, or none at the table with that number.
        """
        tables = await self._play.tables_of(reply.guild, reply.player)
        if number is not None and not (tables := numbered(tables, number)):
            # Raises Refused if there's no such table, or if it's another player's private one.
            await self._play.look(TableKey(guild=reply.guild, table=TableId(number)), reply.player)
        lost = [] if tables else await self._play.lost_seats(reply.guild, reply.player)
        if lost and number in (None, *lost):
            raise Refused(TableReason.LOST_SEAT, table=lost[-1] if number is None else number)
        if not tables and number is not None:
            raise Refused(TableReason.NOT_AT_THIS_TABLE, table=number)
        if not tables:
            raise Refused(TableReason.NOT_AT_TABLE)
        here = reply.interaction.channel_id
        urgent = [await self._urgency(reply, table, here=table.channel == here) for table in tables]
        return tables[urgent.index(max(urgent))]

    async def visible(self, reply: Reply, number: int | None) -> Table:
        """Return a table whose panel the player may see: their own, or one of their event's if they have no seat in it.

        A panel of the event's table shows their standing in the event. Raises Refused like :meth:`meant`.
        """
        try:
            return await self.meant(reply, number)
        except Refused as refused:
            if refused.reason not in (TableReason.NOT_AT_TABLE, TableReason.NOT_AT_THIS_TABLE):
                raise
            if (table := await self._own_event_table(reply, number)) is None:
                raise
            return table

    async def _own_event_table(self, reply: Reply, number: int | None) -> Table | None:
        """Return a table of a running event that the player has entered, preferably one in this channel."""
        found = []
        for event, _ in await self._events.own(reply.guild, reply.player, [Phase.RUNNING]):
            found += [line.table for line in (await self._events.look(event.key)).tables]
        if number is not None:
            found = numbered(found, number)
        found.sort(key=lambda table: table.channel != reply.interaction.channel_id)
        return next(iter(found), None)

    async def _urgency(self, reply: Reply, table: Table, *, here: bool) -> tuple[bool, bool, bool]:
        view = await self._play.look(table.key, reply.player)
        return reply.player in view.waiting, here, table.state is TableState.PLAYING

    async def missed(self, reply: Returning, key: TableKey) -> str:
        """Return a sentence about the turns that the player missed; empty if they haven't timed out."""
        view = await self._play.look(key, reply.player)
        if view.mine is None or not view.mine.seat.timeouts:
            return ""
        return missed_text(await self._play.missed(key, reply.player), reply.words)

    async def come_back(self, reply: Returning, key: TableKey) -> str:
        """Bring back a player who sat out or was leaving, and return a sentence that also says what they missed.

        Raises Refused.
        """
        view, missed = await self._play.look(key, reply.player), await self.missed(reply, key)
        table = await self._play.stay(key, reply.player, cause=reply.cause)
        said = reply.words(back_sentence(view), table=table.number)
        return "\n".join(filter(None, (said, missed)))


def numbered(tables: Sequence[Table], number: int) -> list[Table]:
    """Return the tables that a typed number means, by their number for people or else by their stored id.

    If several tables have the number, the one with that id goes first.
    """
    exact = [table for table in tables if table.key.table == number]
    shown = [table for table in tables if table.number == number]
    return exact if not shown or (len(shown) > 1 and exact) else shown


def typed_number_of(table: Table, tables: Sequence[Table]) -> int:
    """Return the number that means a table among a player's ``tables``, by default its number for people."""
    return table.number if numbered(tables, table.number) == [table] else table.key.table


def _shortest_time(view: TableView) -> tuple[int, int]:
    until = view.until(view.you) if view.you else None
    return until or 1 << 62, view.table.key.table
