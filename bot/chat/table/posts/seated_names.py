"""Names of players at running tables and on organisers' desks, fetched after a start.

They're fetched before a table's next result is drawn. If the rate limit leaves no room, a desk is shown without them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from typing import Any

import discord

from bot.chat.discord_patches.governor import important
from bot.chat.discord_patches.limits import Importance
from bot.chat.kit.faces import DisplayNames
from bot.chat.table.posts.result_posts import learn_names
from bot.model.ids import EVERYTHING, GuildId, Serves
from bot.model.tables import TableState
from bot.play.api.play import Play

log = logging.getLogger(__name__)


class SeatedNames:
    """Fetches names one after the other, at the lowest priority of all requests to Discord."""

    def __init__(self, client: discord.Client, play: Play, names: DisplayNames) -> None:
        self._client = client
        self._play = play
        self._names = names
        self._asking: set[asyncio.Task[None]] = set()
        self._asked: dict[GuildId, asyncio.Task[None]] = {}
        """The running fetch of each server. Callers may be waiting for it."""

    def learn(self, serves: Serves = EVERYTHING.serves) -> None:
        """Start fetching the names at the tables of these servers."""
        self._begin(self._learn(serves))

    async def ask(self, guild: GuildId, players: Sequence[str], *, seconds: float) -> None:
        """Fetch the names of ``players`` unless the server has a fetch running, and wait for up to ``seconds``.

        The fetch continues after the wait, because the rate limit may delay it in a busy server.
        """
        if guild not in self._asked:
            self._asked[guild] = task = self._begin(self._learn_names(guild, players))
            task.add_done_callback(lambda _: self._asked.pop(guild, None))
        await asyncio.wait([self._asked[guild]], timeout=seconds)

    def _begin(self, asking: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(self._tried(asking))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)
        return task

    async def learnt(self) -> None:
        """Wait for all running fetches."""
        await asyncio.gather(*self._asking, return_exceptions=True)

    async def close(self) -> None:
        """Cancel all fetches."""
        for task in self._asking:
            task.cancel()
        await self.learnt()

    async def _tried(self, asking: Coroutine[Any, Any, None]) -> None:
        try:
            with important(Importance.CLEANUP):
                await asking
        except Exception:
            # This is only a head start, because each result and each desk fetches the names it needs.
            log.info("names are not known yet", exc_info=True)

    async def _learn(self, serves: Serves) -> None:
        for key in await self._play.all_open():
            if serves(key.guild):
                view = await self._play.look(key)
                running = view.table.state in (TableState.PLAYING, TableState.BETWEEN)
                if running and not view.table.private:
                    await self._learn_names(key.guild, [place.seat.player for place in view.places])

    async def _learn_names(self, guild: GuildId, players: Sequence[str]) -> None:
        await learn_names(self._client, guild, players, self._names)
