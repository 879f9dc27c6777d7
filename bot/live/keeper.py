"""What the bot posts by itself and keeps: looked for at each sweep, and seen to one by one in tasks of their own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Generic, TypeVar

import discord

from bot.live.redraw_queue import RedrawQueue
from bot.meter import SILENT, Meter
from bot.model.ids import EVERYTHING, GuildId, Serves

K = TypeVar("K", bound="tuple[GuildId, *tuple[object, ...]]")
"""A server, and what of it."""


class Keeper(ABC, Generic[K]):
    """Sees to what is due in the servers where the bot is; what trouble has kept back is tried again.

    A sweep begins it, and what a manager has just done by ``queue.changed``.
    """

    def __init__(self, client: discord.Client, *, meter: Meter = SILENT) -> None:
        self.client = client
        self.queue = RedrawQueue[K](self._see_to, name=self._name, ready=client.is_ready, meter=meter)

    async def sweep(self, serves: Serves = EVERYTHING.serves) -> None:
        """Begin to see to what is due; in servers that the bot has left nothing is.

        What was kept back comes first and soon: for some minutes only Discord knows one that was posted and could not
        be noted as the same one.
        """
        self.queue.beat()
        due = await self._due()
        self.queue.catch_up([key for key in due if serves(key[0]) and self.client.get_guild(key[0]) is not None])

    async def done(self) -> None:
        """Wait for what is under way."""
        await self.queue.drawn()

    async def close(self) -> None:
        """Begin nothing new, and let what is under way end."""
        await self.queue.close()

    @abstractmethod
    async def _due(self) -> Iterable[K]:
        """What is to be seen to, in all servers."""

    @abstractmethod
    async def _see_to(self, key: K) -> bool:
        """See to one: False where there was nothing to do."""

    @abstractmethod
    def _name(self, key: K) -> str:
        """What the log calls it."""
