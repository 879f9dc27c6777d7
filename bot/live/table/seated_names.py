"""What those are called who sit at running tables: asked for after a start, before their next results are drawn."""

from __future__ import annotations

import asyncio
import logging

import discord

from bot.live.library.governor import important
from bot.live.library.limits import Importance
from bot.live.table.result_posts import learn_names
from bot.model.ids import EVERYTHING, Serves
from bot.model.tables import TableState
from bot.play.doors.play import Play
from bot.ui.display_names import DisplayNames

log = logging.getLogger(__name__)


class SeatedNames:
    """Asks for them one after the other; whatever else the bot asks of Discord comes first."""

    def __init__(self, client: discord.Client, play: Play, names: DisplayNames) -> None:
        self._client = client
        self._play = play
        self._names = names
        self._asking: set[asyncio.Task[None]] = set()

    def learn(self, serves: Serves = EVERYTHING.serves) -> None:
        """Begin to ask for the names at the tables of these servers."""
        task = asyncio.create_task(self._learn(serves))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def learnt(self) -> None:
        """Wait for what is under way."""
        await asyncio.gather(*self._asking, return_exceptions=True)

    async def close(self) -> None:
        """Ask for no more."""
        for task in self._asking:
            task.cancel()
        await self.learnt()

    async def _learn(self, serves: Serves) -> None:
        try:
            with important(Importance.CLEANUP):
                for key in await self._play.all_open():
                    if serves(key.guild):
                        view = await self._play.look(key)
                        running = view.table.state in (TableState.PLAYING, TableState.BETWEEN)
                        seated = [place.seat.player for place in view.places]
                        if running and not view.table.private:
                            await learn_names(self._client, key.guild, seated, self._names)
        except Exception:
            # Each result asks for those that it needs, too.
            log.info("the names at running tables are not known yet", exc_info=True)
