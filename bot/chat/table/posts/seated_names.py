"""Names of players at running tables and on organisers' desks, fetched after a start.

They are asked for before a table's next result is drawn. A desk is shown without them where Discord has no room for
asking.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from typing import Any

import discord

from bot.chat.kit.faces import DisplayNames
from bot.chat.library.governor import important
from bot.chat.library.limits import Importance
from bot.chat.table.posts.result_posts import learn_names
from bot.model.ids import EVERYTHING, GuildId, Serves
from bot.model.tables import TableState
from bot.play.doors.play import Play

log = logging.getLogger(__name__)


class SeatedNames:
    """Asks for them one after the other; whatever else the bot asks of Discord comes first."""

    def __init__(self, client: discord.Client, play: Play, names: DisplayNames) -> None:
        self._client = client
        self._play = play
        self._names = names
        self._asking: set[asyncio.Task[None]] = set()
        self._asked: dict[GuildId, asyncio.Task[None]] = {}
        """Of each server that somebody waits for."""

    def learn(self, serves: Serves = EVERYTHING.serves) -> None:
        """Begin to ask for the names at the tables of these servers."""
        self._begin(self._learn(serves))

    async def ask(self, guild: GuildId, players: Sequence[str], *, seconds: float) -> None:
        """Ask for these, unless others of the server are being asked for; wait so long at most, while asking goes on.

        In a crowded server Discord may have no room for a while.
        """
        if guild not in self._asked:
            self._asked[guild] = task = self._begin(self._learn_of(guild, players))
            task.add_done_callback(lambda _: self._asked.pop(guild, None))
        await asyncio.wait([self._asked[guild]], timeout=seconds)

    def _begin(self, asking: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(self._tried(asking))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)
        return task

    async def learnt(self) -> None:
        """Wait for what is under way."""
        await asyncio.gather(*self._asking, return_exceptions=True)

    async def close(self) -> None:
        """Ask for no more."""
        for task in self._asking:
            task.cancel()
        await self.learnt()

    async def _tried(self, asking: Coroutine[Any, Any, None]) -> None:
        try:
            with important(Importance.CLEANUP):
                await asking
        except Exception:
            # Each result asks for those that it needs, too, and each desk.
            log.info("names are not known yet", exc_info=True)

    async def _learn(self, serves: Serves) -> None:
        for key in await self._play.all_open():
            if serves(key.guild):
                view = await self._play.look(key)
                running = view.table.state in (TableState.PLAYING, TableState.BETWEEN)
                if running and not view.table.private:
                    await self._learn_of(key.guild, [place.seat.player for place in view.places])

    async def _learn_of(self, guild: GuildId, players: Sequence[str]) -> None:
        await learn_names(self._client, guild, players, self._names)
