"""The clockwork: the one loop that keeps games going, whatever cogs are loaded.

Every second it lets the timekeeper act on what is due, and gives back the time in which nothing could act. Now and then
it has drawn what is behind. It begins when Discord is there, and stands still for servers whose connection is gone.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable

from discord.ext import tasks

from bot.chat.client import Client
from bot.chat.services import Services
from bot.model.errors import StorageTroubleError
from bot.model.ids import EVERYTHING, GuildId, Serves, Shard
from bot.play.doors.privacy import Privacy
from bot.play.doors.timekeeper import Timekeeper

# Servers that the bot has left: since when is noted, and after the operator's days all that is kept of them goes.


class Departures:
    """Looks now and then in which of the known servers the bot still is."""

    def __init__(self, client: Client, privacy: Privacy) -> None:
        self._client = client
        self._privacy = privacy

    async def look(self) -> None:
        """Note who is gone and who is back, and delete what is due. Discord must be there."""
        for guild in await self._privacy.look_at_servers(is_there=self._is_there, serves=self._client.serves):
            log.info("deleted everything of server %s, which the bot left long ago", guild)

    def _is_there(self, guild: GuildId) -> bool:
        """True also of a server that another process's connections serve: it is unknown here, and not left."""
        # What is played in direct messages belongs to no server.
        return (
            not guild
            or self._client.get_guild(guild) is not None
            or not any(shard.serves(guild) for shard in self._client.served)
        )


log = logging.getLogger(__name__)

BEAT_SECONDS = 1
SWEEP_EVERY = 30
"""Beats between two looks for messages that are behind."""
SLACK_MS = 4_000
"""A beat that is later than this was kept from beating."""


class Clockwork:
    """Drives a timekeeper for as long as the bot runs."""

    def __init__(self, client: Client, services: Services, timekeeper: Timekeeper) -> None:
        self.timekeeper = timekeeper
        self.counted_to: int | None = None
        """Up to when time has counted (ms); None before the clock runs."""
        self._client = client
        self._services = services
        self._departures = Departures(client, services.privacy)
        self._beats = 0
        self._begun: set[Shard] = set()
        """The connections whose servers were looked at since they came."""

    def start(self) -> None:
        """Let the clocks run once Discord is there."""
        self.clock.start()
        self.audit.start()

    async def stop(self) -> None:
        """Act on nothing any more; what is thought about now ends, and it is noted until when time has counted."""
        self.clock.cancel()
        self.audit.cancel()
        await self.timekeeper.stop()
        if self.counted_to is not None:
            await self._note(self._count_to_the_end())
            self.counted_to = None

    @tasks.loop(seconds=BEAT_SECONDS)
    async def clock(self) -> None:
        """Act on deadlines, and now and then draw what could not be drawn."""
        lost, counted_to = 0, self.counted_to
        try:
            await self._begin()
            lost = await self._give_back_lost_time()
            await self.timekeeper.tick()
            self._client.metrics.beat(self._services.publisher.now())
            self._services.publisher.beat()
            self._services.event_publisher.beat()
            self._beats += 1
            if self._beats % SWEEP_EVERY == 0 or lost:
                await self._sweep()
        except StorageTroubleError as trouble:
            log.warning("the clock waits for the storage: %s", trouble)
            if not lost:
                # Nobody could play since something was last written: it is given back when the storage is well.
                written_at = self.timekeeper.written_at
                self.counted_to = min(counted_to or written_at, written_at)
        except Exception:
            log.exception("the clock goes on after a failure")
        if lost:
            # The loop sleeps until a time of day: it would sleep for an hour when the machine's clock was set back by
            # one, and run through all the beats of a night when the machine wakes up.
            self.clock.restart()

    @tasks.loop(hours=1)
    async def audit(self) -> None:
        """Look at the start and every hour whether chips add up, and every hour which servers the bot has left.

        Deletions of people that were interrupted go on.
        """
        try:
            await self.timekeeper.audit_books(leads=self._client.leads)
            if self._client.leads:
                await self._services.privacy.go_on()
            if self._begun:
                await self._departures.look()
        except StorageTroubleError as trouble:
            log.warning("the books could not be looked at: %s", trouble)

    @clock.before_loop
    async def before_clock(self) -> None:
        """Wait until Discord is there. Whatever is raised here would end the clock for good."""
        await self._client.wait_until_ready()

    async def _begin(self) -> None:
        """Once for each connection: close what is gone, greet servers that are new, and draw what is open."""
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
        """Begin to draw what is behind, tell of what is over, send digests, post what servers read by themselves."""
        await self._services.publisher.sweep(self._client.serves)
        await self._services.event_publisher.sweep(self._client.serves)
        for keeper in self._services.keepers:
            await keeper.sweep(self._client.serves)

    async def _give_back_lost_time(self) -> int:
        """Time (ms) in which the bot could not act counts for nobody; 0 when no beat was missed.

        That is when the machine slept, the process was stopped, the storage could not write, or somebody moved the
        machine's clock, forward or back.
        """
        now = self._services.publisher.now()
        lost = 0 if self.counted_to is None else now - self.counted_to - int(self.clock.seconds or 0) * 1000
        if abs(lost) <= SLACK_MS:
            lost = 0
        if lost:
            log.warning("the clocks stood still for %.0f s", lost / 1000)
            await self.timekeeper.stood_still(lost)
        self.counted_to = now
        return lost

    async def _close_what_is_gone(self, serves: Serves) -> None:
        """Close the tables of servers that the bot was taken out of while it was not there.

        A server of another process's connections is unknown here too, and not gone.
        """
        for guild in await self._services.play.guilds_with_tables():
            if self._client.get_guild(guild) is None and serves(guild):
                await self._services.play.close_all(guild, reason="guild_gone")

    async def _count_to_the_end(self) -> None:
        """So the next start gives back the time from now on, and no more."""
        await self._give_back_lost_time()
        await self.timekeeper.beat()

    # Discord away

    async def disconnected(self, number: int) -> None:
        """The clocks of a connection's servers stand still while it is gone; of another process's that one says so."""
        if self._client.shard(number) in self._client.served:
            await self._note(self.timekeeper.cut_off(self._client.shard(number)))

    async def connected(self, number: int) -> None:
        """And go on when it is back; what has changed meanwhile is drawn. Of another process's that one says so."""
        if self._client.shard(number) not in self._client.served:
            return
        await self._note(self.timekeeper.connected(self._client.shard(number)))
        if self._client.is_ready() and not self._client.is_closed():
            await self._note(self._sweep())

    def given_up(self, number: int) -> None:
        """Another process serves a connection's servers from now on: nothing that is known of them stays true."""
        shard = self._client.shard(number)
        self._begun.discard(shard)
        self._services.publisher.given_up(shard.serves)
        self._services.page_links.given_up(shard.serves)
        self.taken(number)

    def taken(self, number: int) -> None:
        """Another process has written for a connection's servers until now: nothing that is known of them is sure."""
        self.timekeeper.forget(self._client.shard(number))
        self._services.play.forget()

    def deleted_elsewhere(self) -> None:
        """Another process has deleted somebody, perhaps in servers of this one: nothing that is known is sure."""
        self.timekeeper.forget(EVERYTHING)
        self._services.play.forget()
        self._services.faces.names.forget()
        self._services.page_links.deleted_elsewhere()

    @staticmethod
    async def _note(work: Awaitable[None]) -> None:
        try:
            await work
        except StorageTroubleError as trouble:
            log.warning("an outage could not be noted: %s", trouble)
