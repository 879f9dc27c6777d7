"""Dealing: the private hand by ephemeral message, and the clock that keeps games going."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands, tasks

from bot.play.model import TableKey
from bot.play.ports import StorageTroubleError
from bot.ui.client import Client
from bot.ui.command_words import described
from bot.ui.gate import Reply
from bot.ui.presses import Press
from bot.ui.widgets import Interaction

log = logging.getLogger(__name__)

SWEEP_EVERY = 30
"""Ticks between two looks for messages that are behind."""


class Dealing(commands.Cog):
    """My hand, and the clock."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.desk = bot.desk
        self._ticks = 0
        self._drawing: asyncio.Task[None] | None = None
        bot.desk.gate.route("hand", self.show)
        bot.desk.gate.route("panel", self.show)
        bot.desk.gate.present_with(self.present)

    async def cog_load(self) -> None:
        """Start the clock."""
        self.clock.start()

    async def cog_unload(self) -> None:
        """Stop the clock."""
        self.clock.cancel()
        if self._drawing is not None:
            self._drawing.cancel()

    @tasks.loop(seconds=1)
    async def clock(self) -> None:
        """Act on deadlines every second, and now and then draw what could not be drawn."""
        try:
            await self.desk.play.tick()
            self._ticks += 1
            if self._ticks % SWEEP_EVERY == 0:
                await self.desk.publisher.sweep()
        except StorageTroubleError as trouble:
            log.warning("the clock waits for the storage: %s", trouble)
        except Exception:
            log.exception("the clock goes on after a failure")

    @clock.before_loop
    async def before_clock(self) -> None:
        """Wait until Discord is there."""
        await self.bot.wait_until_ready()
        await self.desk.publisher.sweep()
        self._drawing = asyncio.create_task(self.desk.publisher.draw_open_tables())

    @app_commands.command(name="hand", description=described("hand"))
    @app_commands.guild_only()
    @app_commands.describe(table=described("option_table"))
    async def hand(
        self, interaction: Interaction, table: app_commands.Range[int, 1, 999_999_999] | None = None
    ) -> None:
        """Show my cards."""

        async def body(reply: Reply) -> None:
            chosen = await self.desk.table_for(reply, table)
            await self._show(reply, chosen.key)
            # A table whose message was deleted is found again in this way.
            self.desk.publisher.changed(chosen.key)

        await self.desk.gate.run(interaction, body)

    async def show(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """My hand: a fresh private panel."""
        await self._show(reply, reply.key(press))

    async def _show(self, reply: Reply, key: TableKey) -> None:
        """Show the player's hand; being back from away is meant by asking for it."""
        view = await self.desk.play.look(key, reply.player)
        if view.mine is not None and view.mine.seat.away:
            await self.desk.play.stay(key, reply.player, cause=reply.cause)
        await self.desk.show_panel(reply, key)

    async def present(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """What a press that comes too late is answered with: the present state."""
        if reply.on_panel:
            await self.desk.show_panel(reply, reply.key(press))
        else:
            await reply.done()


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Dealing(bot))
