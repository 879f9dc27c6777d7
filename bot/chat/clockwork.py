"""The clockwork: the loop that keeps games going, independently of the loaded cogs.

Every second, the timekeeper handles due deadlines and gives back any time in which the bot couldn't act. Every 30
seconds, late messages are drawn. The loop starts when Discord is connected, and pauses for servers whose connection is
lost.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable

from discord.ext import tasks

from bot.chat.client import Client
from bot.chat.services import Services
from bot.model.errors import StorageUnavailableError
from bot.model.ids import EVERYTHING, GuildId, Serves, Shard
from bot.play.api.privacy import PersonalData
from bot.play.api.timekeeper import Timekeeper

# Servers that the bot has left. The time is recorded, and their data is deleted after the number of days set by the
# operator.


class Departures:
    """Regularly checks which of the registered servers the bot is still in."""

    def __init__(self, client: Client, privacy: PersonalData) -> None:
        self._client = client
        self._privacy = privacy

    async def look(self) -> None:
        """Record departures and returns, and delete data that is due for deletion. Discord must be connected."""
        for guild in await self._privacy.look_at_servers(is_there=self._is_there, serves=self._client.serves):
            log.info("deleted everything of server %s, which the bot left long ago", guild)

    def _is_there(self, guild: GuildId) -> bool:
        """True if the bot is in the server, or if this process can't tell because another one is connected to it."""
        # Games in direct messages belong to no server.
        return (
            not guild
            or self._client.get_guild(guild) is not None
            or not any(shard.serves(guild) for shard in self._client.served)
        )


log = logging.getLogger(__name__)

BEAT_SECONDS = 1
SWEEP_EVERY = 30
"""Number of beats between sweeps for late messages."""
SLACK_MS = 4_000
"""Delay of a beat above which the bot counts as having been stopped."""


class Clockwork:
    """Runs a timekeeper while the bot is running."""

    def __init__(self, client: Client, services: Services, timekeeper: Timekeeper) -> None:
        self.timekeeper = timekeeper
        self.counted_to: int | None = None
        """Time up to which clocks have run (ms); None before the clock starts."""
        self._client = client
        self._services = services
        self._departures = Departures(client, services.privacy)
        self._beats = 0
        self._begun: set[Shard] = set()
        """Connections whose servers have been checked since connecting."""

    def start(self) -> None:
        """Start the clocks. They wait until Discord is connected."""
        self.clock.start()
        self.audit.start()

    async def stop(self) -> None:
        """Stop the clocks, finish running computations, and record the time up to which clocks have run."""
        self.clock.cancel()
        self.audit.cancel()
        await self.timekeeper.stop()
        await self._services.mistakes.stop()
        if self.counted_to is not None:
            await self._note(self._count_to_the_end())
            self.counted_to = None

    @tasks.loop(seconds=BEAT_SECONDS)
    async def clock(self) -> None:
        """Handle deadlines, and regularly draw late messages."""
        lost, counted_to = 0, self.counted_to
        try:
            await self._begin()
            lost = await self._give_back_lost_time()
            await self.timekeeper.tick()
            self._client.metrics.beat(self._services.publisher.now())
            self._services.publisher.beat()
            self._services.event_publisher.beat()
            self._services.mistakes.work()
            self._beats += 1
            if self._beats % SWEEP_EVERY == 0 or lost:
                await self._sweep()
        except StorageUnavailableError as trouble:
            log.warning("the clock is waiting for the storage: %s", trouble)
            if not lost:
                # No one has been able to play since the last successful write. This time is given back once the storage
                # recovers.
                written_at = self.timekeeper.written_at
                self.counted_to = min(counted_to or written_at, written_at)
        except Exception:
            log.exception("the clock continues after a failure")
        if lost:
            # The loop sleeps until a wall-clock time. So if that clock was set back by an hour, it would oversleep by
            # an hour, and after a night of sleep it would run all the missed beats when the machine wakes up.
            self.clock.restart()

    @tasks.loop(hours=1)
    async def audit(self) -> None:
        """Check that chips add up, on start and then every hour, and check hourly which servers the bot has left.

        This also continues interrupted deletions of players.
        """
        try:
            await self.timekeeper.audit_books(leads=self._client.leads)
            if self._client.leads:
                await self._services.privacy.go_on()
            if self._begun:
                await self._departures.look()
        except StorageUnavailableError as trouble:
            log.warning("the books could not be checked: %s", trouble)

    @clock.before_loop
    async def before_clock(self) -> None:
        """Wait until Discord is connected. An exception here would end the clock permanently."""
        await self._client.wait_until_ready()

    async def _begin(self) -> None:
        """Handle new connections: close tables in servers that are gone, greet new ones, draw tables and events."""
        new = [shard for shard in self._client.served if shard not in self._begun]
        if not new:
            return

        def serves(guild: GuildId) -> bool:
            return any(shard.serves(guild) for shard in new)

        await self._close_what_is_gone(serves)
        for guild in self._client.guilds:
            if serves(GuildId(guild.id)):
                self._services.welcomes.greet(GuildId(guild.id))
        await self._services.publisher.draw_open_tables(serves)
        await self._services.event_publisher.draw_open_events(serves)
        self._services.seated_names.learn(serves)
        self._begun.update(new)

    async def _sweep(self) -> None:
        """Draw late messages, announce ended games, send digests, and post scheduled messages."""
        await self._services.publisher.sweep(self._client.serves)
        await self._services.event_publisher.sweep(self._client.serves)
        for poster in self._services.posters:
            await poster.sweep(self._client.serves)

    async def _give_back_lost_time(self) -> int:
        """Give back the time in which the bot couldn't act, and return it (ms); 0 if no beat was missed.

        Time is lost if the machine slept, the process was stopped, the storage couldn't write, or the machine's clock
        was set forward or back.
        """
        now = self._services.publisher.now()
        lost = 0 if self.counted_to is None else now - self.counted_to - int(self.clock.seconds or 0) * 1000
        if abs(lost) <= SLACK_MS:
            lost = 0
        if lost:
            log.warning("the clocks were stopped for %.0f s", lost / 1000)
            await self.timekeeper.stood_still(lost)
        self.counted_to = now
        return lost

    async def _close_what_is_gone(self, serves: Serves) -> None:
        """Close the tables in servers that removed the bot while it wasn't running.

        Servers on another process's connections aren't visible here either, but the bot hasn't left those.
        """
        for guild in await self._services.play.guilds_with_tables():
            if self._client.get_guild(guild) is None and serves(guild):
                await self._services.play.close_all(guild, reason="guild_gone")

    async def _count_to_the_end(self) -> None:
        """Record the current time, so that the next start gives back only the time after it."""
        await self._give_back_lost_time()
        await self.timekeeper.beat()

    # Lost connections

    async def disconnected(self, number: int) -> None:
        """Pause the clocks of servers on a lost connection. Other processes do this for their own connections."""
        if self._client.shard(number) in self._client.served:
            await self._note(self.timekeeper.cut_off(self._client.shard(number)))

    async def connected(self, number: int) -> None:
        """Resume the clocks of servers on a connection and draw their changes, if this process serves it."""
        if self._client.shard(number) not in self._client.served:
            return
        await self._note(self.timekeeper.connected(self._client.shard(number)))
        if self._client.is_ready() and not self._client.is_closed():
            await self._note(self._sweep())

    def handed_over(self, number: int) -> None:
        """Drop all cached data about a connection's servers, because another process serves them from now on."""
        shard = self._client.shard(number)
        self._begun.discard(shard)
        self._services.publisher.handed_over(shard.serves)
        self._services.page_links.handed_over(shard.serves)
        self.taken(number)

    def taken(self, number: int) -> None:
        """Drop cached data about a connection's servers, because another process has written for them until now."""
        self.timekeeper.forget(self._client.shard(number))
        self._services.play.forget()

    def deleted_elsewhere(self) -> None:
        """Drop all cached data, because another process deleted a player who may be in this process's servers."""
        self.timekeeper.forget(EVERYTHING)
        self._services.play.forget()
        self._services.mistakes.deleted_elsewhere()
        self._services.faces.names.forget()
        self._services.page_links.deleted_elsewhere()

    @staticmethod
    async def _note(work: Awaitable[None]) -> None:
        try:
            await work
        except StorageUnavailableError as trouble:
            log.warning("an outage could not be recorded: %s", trouble)
