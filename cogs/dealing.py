"""Dealing: the private hand by ephemeral message, and the clock that keeps games going."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Sequence

from discord import app_commands
from discord.ext import commands, tasks

from bot.live.client import Client
from bot.ofc.refusals import Refused
from bot.play.model import TableKey
from bot.play.ports import StorageTroubleError
from bot.play.refusals import PlayReason
from bot.ui.brakes import PressKind
from bot.ui.command_words import described
from bot.ui.gate import Reply
from bot.ui.presses import Press
from bot.ui.widgets import Interaction

log = logging.getLogger(__name__)

BEAT_SECONDS = 1
SWEEP_EVERY = 30
"""Beats between two looks for messages that are behind."""
SLACK_MS = 4_000
"""A beat that is later than this was kept from beating."""


class Dealing(commands.Cog):
    """My hand, and the clock."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        self._beats = 0
        self._counted_to: int | None = None
        """Up to when time has counted; None before the clock runs."""
        self._begun = False
        bot.services.gate.route("hand", self.show)
        bot.services.gate.route("panel", self.show)
        bot.services.gate.present_with(self.present)

    async def cog_load(self) -> None:
        """Start the clock."""
        self.clock.start()
        self.audit.start()

    async def cog_unload(self) -> None:
        """Stop the clock."""
        self.clock.cancel()
        self.audit.cancel()

    @tasks.loop(seconds=BEAT_SECONDS)
    async def clock(self) -> None:
        """Act on deadlines, and now and then draw what could not be drawn."""
        lost, counted_to = 0, self._counted_to
        try:
            if not self._begun:
                await self._begin()
            lost = await self._give_back_lost_time()
            await self.services.play.tick()
            self.bot.metrics.beat(self.services.publisher.now())
            self.services.publisher.beat()
            self._beats += 1
            if self._beats % SWEEP_EVERY == 0 or lost:
                await self._sweep()
        except StorageTroubleError as trouble:
            log.warning("the clock waits for the storage: %s", trouble)
            if not lost:
                # Nobody could play since something was last written: it is given back when the storage is well.
                self._counted_to = min(counted_to or self.services.play.written_at, self.services.play.written_at)
        except Exception:
            log.exception("the clock goes on after a failure")
        if lost:
            # The loop sleeps until a time of day: it would sleep for an hour when the machine's clock was set back by
            # one, and run through all the beats of a night when the machine wakes up.
            self.clock.restart()

    @tasks.loop(hours=1)
    async def audit(self) -> None:
        """Look at the start and every hour whether chips add up."""
        try:
            await self.services.play.audit_books()
        except StorageTroubleError as trouble:
            log.warning("the books could not be looked at: %s", trouble)

    @clock.before_loop
    async def before_clock(self) -> None:
        """Wait until Discord is there. Whatever is raised here would end the clock for good."""
        await self.bot.wait_until_ready()

    async def _begin(self) -> None:
        """Once after a start: close what is gone, and draw what is open."""
        await self._close_what_is_gone()
        await self.services.publisher.draw_open_tables()
        await self.services.event_publisher.draw_open_events()
        self._begun = True

    async def _sweep(self) -> None:
        """Begin to draw what is behind: tables, and the events that they belong to."""
        await self.services.publisher.sweep()
        await self.services.event_publisher.sweep()

    async def _give_back_lost_time(self) -> int:
        """Time (ms) in which the bot could not act counts for nobody; 0 when no beat was missed.

        That is when the machine slept, the process was stopped, the storage could not write, or somebody moved the
        machine's clock, forward or back.
        """
        now = self.services.publisher.now()
        lost = 0 if self._counted_to is None else now - self._counted_to - int(self.clock.seconds or 0) * 1000
        if abs(lost) <= SLACK_MS:
            lost = 0
        if lost:
            log.warning("the clocks stood still for %.0f s", lost / 1000)
            await self.services.play.stood_still(lost)
        self._counted_to = now
        return lost

    # Discord away

    @commands.Cog.listener()
    async def on_shard_disconnect(self, number: int) -> None:
        """The clocks of its servers stand still while a connection is gone."""
        await self._note(self.services.play.cut_off(self.bot.shard(number)))

    @commands.Cog.listener()
    async def on_shard_resumed(self, number: int) -> None:
        """And go on when it is back."""
        await self._connected(number)

    @commands.Cog.listener()
    async def on_shard_ready(self, number: int) -> None:
        """The same after a connection that was made anew."""
        await self._connected(number)

    async def _connected(self, number: int) -> None:
        await self._note(self.services.play.connected(self.bot.shard(number)))
        if self.bot.is_ready() and not self.bot.is_closed():
            await self._note(self._sweep())

    @staticmethod
    async def _note(work: Awaitable[None]) -> None:
        try:
            await work
        except StorageTroubleError as trouble:
            log.warning("an outage could not be noted: %s", trouble)

    async def _close_what_is_gone(self) -> None:
        """Close the tables of servers that the bot was taken out of while it was not there."""
        for guild in await self.services.play.guilds_with_tables():
            if self.bot.get_guild(guild) is None:
                await self.services.play.close_all(guild, reason="guild_gone")

    @app_commands.command(name="hand", description=described("hand"))
    @app_commands.guild_only()
    @app_commands.describe(table=described("option_table"))
    async def hand(
        self, interaction: Interaction, table: app_commands.Range[int, 1, 999_999_999] | None = None
    ) -> None:
        """Show my cards."""

        async def body(reply: Reply) -> None:
            chosen = await self.services.table_for(reply, table)
            await self._show(reply, chosen.key)
            # A table whose message was deleted is found again in this way.
            self.services.publisher.sought(chosen)

        await self.services.gate.run(interaction, body, kind=PressKind.PRIVATE)

    async def show(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """My hand: a fresh private panel."""
        await self._show(reply, reply.key(press))

    async def _show(self, reply: Reply, key: TableKey) -> None:
        """Show the player's hand; being back from away is meant by asking for it."""
        view = await self.services.play.look(key, reply.player)
        if view.mine is not None and view.mine.seat.away:
            try:
                await self.services.play.stay(key, reply.player, cause=reply.cause)
            except Refused as refused:
                # Who serves a penalty may look at his cards; the clock lays them.
                if refused.reason is not PlayReason.SERVES_PENALTY:
                    raise
        await self.services.show_panel(reply, key)

    async def present(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """What a press that comes too late is answered with: the present state."""
        if reply.on_panel:
            await self.services.show_panel(reply, reply.key(press))
        else:
            await reply.done()


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Dealing(bot))
