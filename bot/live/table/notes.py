"""The notes to write about a table's messages once they were sent, and the messages to delete because they are over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import discord

from bot.live.library.governor import important
from bot.live.library.limits import Importance
from bot.live.live_message import remove
from bot.live.table.whom_to_call import Told
from bot.model.ids import TableKey
from bot.model.tables import ShownTurn, Table
from bot.play.doors.play import Play


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The facts to note of a table: the version its message shows, which message calls which players, the turn told."""

    version: int
    hand_no: int
    message: int | None
    call: int | None
    called: str = ""
    turn: ShownTurn | None = None


class TableNotes:
    """Notes what was sent; while that cannot be done it is remembered, and nothing more is sent for the table."""

    def __init__(self, play: Play, channel: Callable[[Table], discord.PartialMessageable]) -> None:
        self._play = play
        self._channel = channel
        self._unwritten: dict[TableKey, Drawn] = {}
        """The notes of what was sent and could not be noted."""
        self._removing: dict[int, asyncio.Task[None]] = {}
        self._removed: set[int] = set()

    async def note(
        self,
        table: Table,
        *,
        version: int,
        message: int | None,
        call: int | None,
        told: Told,
        turn: ShownTurn | None = None,
    ) -> None:
        """Note what was sent, and begin to delete what is over."""
        gone = told.leftovers & self._removed
        self._removed -= gone
        told = replace(told, leftovers=told.leftovers - gone)
        self._unwritten[table.key] = Drawn(
            version=version, hand_no=table.hand_no, message=message, call=call, called=str(told), turn=turn
        )
        await self.write_down(table.key)
        self.begin_to_remove(table, told.leftovers)

    async def write_down(self, key: TableKey) -> None:
        """Note what could not be noted before; nothing may be sent for the table until that is done."""
        if (drawn := self._unwritten.get(key)) is not None:
            await self._play.drawn(
                key,
                version=drawn.version,
                hand_no=drawn.hand_no,
                message=drawn.message,
                call=drawn.call,
                called=drawn.called,
                turn=drawn.turn,
            )
            del self._unwritten[key]

    def begin_to_remove(self, table: Table, messages: Iterable[int]) -> None:
        """Begin to delete messages of a table that are over."""
        for message in messages:
            if message not in self._removing and message not in self._removed:
                self._removing[message] = asyncio.create_task(self._remove(table, message))

    async def remove(self, table: Table, messages: Iterable[int]) -> None:
        """Delete them now."""
        messages = list(messages)
        self.begin_to_remove(table, messages)
        await asyncio.gather(*(self._removing[one] for one in messages if one in self._removing))

    async def _remove(self, table: Table, message: int) -> None:
        try:
            with important(Importance.CLEANUP):
                await remove(self._channel(table).get_partial_message(message))
            self._removed.add(message)
        finally:
            del self._removing[message]

    async def removed(self) -> None:
        """Wait until what is being deleted is gone."""
        await asyncio.gather(*self._removing.values())

    def close(self) -> None:
        """Delete nothing more; what is left is named in the table's row and goes after the next start."""
        for removal in self._removing.values():
            removal.cancel()
