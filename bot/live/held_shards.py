"""The shards of a process that shares the servers with others: leased first, connected second.

Every second the process says that it lives, and is told how it stands. It connects what it was given, lets others have
what is more than its share, and takes its part of the requests that Discord takes from the whole bot. A process that
is given up for dead cannot write any more, and ends (:class:`bot.store.StoreOustedError`).
"""
# ruff: noqa: SLF001  # discord.py lets connections come and go, and has no door for it.

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

import discord
from discord.gateway import DiscordWebSocket

from bot.live.client import Client
from bot.live.clockwork import Clockwork
from bot.live.governor import Governor
from bot.play.model import GuildId, Shard
from bot.play.ports import StorageTroubleError
from bot.play.processes import Leases, Standing

log = logging.getLogger(__name__)

STAND_SECONDS = 1.0
LOGIN_SECONDS = 5.0
"""Discord takes one login of a bucket in this time: no faster need shards change hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bot:
    """What the shards are those of."""

    client: Client
    clockwork: Clockwork
    lead: Callable[[], None]


class HeldShards:
    """Keeps a process among the living, and its connections as its leases say.

    ``share`` is how many requests a second the whole bot may make.
    """

    def __init__(self, leases: Leases, governor: Governor, *, share: float, now_ms: Callable[[], int]) -> None:
        self._leases = leases
        self._governor = governor
        self._share = share
        self._now = now_ms
        self._equipped: _Bot | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._launching: asyncio.Task[None] | None = None
        self._leads = False
        self._logins_at_once = 1
        self._given_up_at = -LOGIN_SECONDS
        self.held: list[int] = []
        """The shards that are leased, connected or not."""
        self.serving: list[Shard] = []
        """Those whose connection has been there."""

    @property
    def alone(self) -> bool:
        """True before :meth:`join` where no other process has the database."""
        return self._leases.alone

    async def join(self) -> None:
        """Be one of the processes."""
        await self._leases.join(self._now())

    async def begin(self, bot: Client, clockwork: Clockwork, *, lead: Callable[[], None]) -> None:
        """Connect what is leased from now on. ``lead`` does, later, what is done once for the whole bot."""
        self._equipped = _Bot(client=bot, clockwork=clockwork, lead=lead)
        bot.shard_ids = self.held
        bot._connection.shard_count = bot.shard_count
        # The library counts whether all are there, who come and go here: it never finds that, and is told it.
        bot._connection.shard_ids = []
        limits = await bot.fetch_session_start_limits()
        self._logins_at_once = limits.max_concurrency
        if limits.remaining < self._leases.shard_count:
            log.warning(
                "Discord takes %s more logins within %.0f minutes", limits.remaining, limits.reset_after / 60_000
            )
        self._keeper = asyncio.create_task(self._keep())

    async def wait_to_log_in(self, number: int) -> None:
        """Wait until Discord takes a login of a shard: all processes take their turns."""
        while True:
            try:
                wait = await self._leases.wait_to_log_in(number % self._logins_at_once)
            except StorageTroubleError as trouble:
                log.warning("shard %s waits for the storage to log in: %s", number, trouble)
                await asyncio.sleep(STAND_SECONDS)
            else:
                await asyncio.sleep(wait)
                return

    def connected(self, number: int) -> None:
        """A shard's connection is there, and what servers it has is known."""
        shard = self._bot.client.shard(number)
        if number in self.held and shard not in self.serving:
            self.serving.append(shard)
        if not self._bot.client.is_ready():
            self._bot.client._connection.call_handlers("ready")
            self._bot.client.dispatch("ready")

    async def stop(self) -> None:
        """Take and give back nothing any more; what is leased stays so until :meth:`leave`."""
        tasks = [task for task in (self._keeper, self._launching) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def leave(self) -> None:
        """Let others have everything: the last that is written."""
        if self._keeper is None:
            return
        try:
            await self._leases.leave(self._now())
        except StorageTroubleError as trouble:
            log.warning("the other processes take over only when they miss this one: %s", trouble)

    async def _keep(self) -> None:
        while True:
            try:
                await self._follow(await self._leases.stand(self._now()))
            except StorageTroubleError as trouble:
                log.warning("this process cannot say that it lives: %s", trouble)
            except Exception:
                log.exception("the leases go on after a failure")
            await asyncio.sleep(STAND_SECONDS)

    async def _follow(self, standing: Standing) -> None:
        self._governor.share(self._share / standing.living)
        if standing.leads and not self._leads:
            self._leads = True
            log.info("this process does what is done once for the whole bot")
            self._bot.lead()
        new = sorted(standing.shards.difference(self.held))
        if new:
            log.info("took the shards %s of %s", new, self._leases.shard_count)
            self.held += new
        if self._launching is None or self._launching.done():
            self._launching = asyncio.create_task(self._launch())
        await self._give_up_surplus(standing)

    @property
    def _bot(self) -> _Bot:
        assert self._equipped is not None
        return self._equipped

    async def _launch(self) -> None:
        """Connect what is not connected, one after the other."""
        client = self._bot.client
        while missing := [number for number in self.held if number not in client.shards]:
            self._bot.clockwork.timekeeper.forget(client.shard(missing[0]))
            await client.launch_shard(DiscordWebSocket.DEFAULT_GATEWAY, missing[0])
            if missing[0] not in self.held:
                await _disconnect(client, client.shard(missing[0]))

    async def _give_up_surplus(self, standing: Standing) -> None:
        """Let others have what is more than the share: what nobody is served by at once, the rest as they log in."""
        surplus = len(self.held) - standing.share
        shards = [self._bot.client.shard(number) for number in reversed(self.held)]
        idle = [shard for shard in shards if shard not in self.serving]
        for shard in idle[: max(0, surplus)]:
            await self._give_up(shard)
        now = time.monotonic()
        if surplus > len(idle) and now - self._given_up_at >= LOGIN_SECONDS / self._logins_at_once:
            self._given_up_at = now
            await self._give_up(self.serving[-1])

    async def _give_up(self, shard: Shard) -> None:
        """Let another process have a shard: it takes it within a second, and connects."""
        log.info("gives up shard %s", shard.number)
        await self._leases.release([shard.number], self._now())
        self.held.remove(shard.number)
        if shard in self.serving:
            self.serving.remove(shard)
        await _disconnect(self._bot.client, shard)
        self._bot.clockwork.given_up(shard.number)


async def _disconnect(bot: Client, shard: Shard) -> None:
    """End a connection for good, and know its servers no longer."""
    connections: dict[int, discord.shard.Shard] = bot._AutoShardedClient__shards  # type: ignore[attr-defined]
    connection = connections.pop(shard.number, None)
    if connection is not None:
        await connection.close()
    for guild in list(bot.guilds):
        if shard.serves(GuildId(guild.id)):
            bot._connection._remove_guild(guild)
