"""The shards of a process that shares the servers with other processes.

Every second, the process sends its heartbeat and receives its status. It claims shards without an owner and connects
them. It becomes the heir of shards whose owner is leaving or has too many. An heir connects before it gets the lease,
so that players don't have to wait. The process uses its share of the request rate that Discord allows the whole bot. If
the other processes declare it dead, it can no longer write, and stops (:class:`bot.store.LeaseLostError`).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass

import discord

from bot.chat.client import Client
from bot.chat.clockwork import Clockwork
from bot.chat.discord_patches.connections import allow_partial_shards, become_ready, connect, disconnect
from bot.chat.discord_patches.governor import Governor
from bot.model.errors import StorageUnavailableError
from bot.model.ids import Shard
from bot.play.api.timekeeper import Timekeeper
from bot.run.cluster.press_filter import PressFilter
from bot.run.cluster.processes import HeartbeatThread, Leases, ProcessStatus, leave_seconds, missed_seconds

log = logging.getLogger(__name__)

STAND_SECONDS = 1.0
HURRY_SECONDS = 0.1
"""Polling interval for a connected heir and for a process that is leaving."""
HEARD_SECONDS = 0.05
"""Time that received interactions get to start."""
FINISH_SECONDS = 1.0
"""Timeout for finishing replies before a shard is handed over."""
ROOM_SECONDS = 6.0
"""Timeout for a handover to wait until each rate-limit bucket has a request left for the heir."""
MAX_SECONDS = 20
"""Maximum acceptable time until a server is served again."""
DOUBT_SECONDS = 2.5
"""Time without an answer from the database after which other processes may be about to take over."""
LAST_LOGINS = 10
"""Logins kept in reserve until Discord resets the limit. Discord resets the token of a bot that uses them all."""
ASK_AGAIN_SECONDS = 300.0
"""Interval for querying the remaining logins while few are left."""
KNOWN_SECONDS = 5.0
"""Time that the number of remaining logins stays valid while many are left. Discord allows few such queries."""
MANY_LOGINS = 10
"""Number of logins that counts as many, as a multiple of the concurrent logins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bot:
    """The bot that the shards belong to."""

    client: Client
    clockwork: Clockwork
    lead: Callable[[], None]


class HeldShards:
    """Keeps the process alive among the others, and its connections in line with its leases.

    ``share`` is the request limit of the whole bot, per second.
    """

    def __init__(self, leases: Leases, governor: Governor, *, share: float, now_ms: Callable[[], int]) -> None:
        self._leases = leases
        self._governor = governor
        self._share = share
        self._now = now_ms
        self._equipped: _Bot | None = None
        self._press_filter: PressFilter | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._living: asyncio.Task[None] | None = None
        self._word = HeartbeatThread(leases, now_ms=now_ms)
        self._launching: asyncio.Task[None] | None = None
        self._hurrying: asyncio.Task[None] | None = None
        self._handing: dict[int, asyncio.Task[None]] = {}
        self._settling = asyncio.Lock()
        self._leads = self._leaves = self._last = False
        self._shared = 0
        self._forgets = 0
        self._launched: int | None = None
        """The shard that is logging in."""
        self._logging_in: int | None = None
        """The launched shard, until it uses the login turn it waited for."""
        self._logins_left = self._logins_at_once = 1
        self._asked_at = time.monotonic()
        self._inherits: set[int] = set()
        """Shards of which this process is the heir."""
        self._connected: set[int] = set()
        """Inherited shards that are connected."""
        self.held: list[int] = []
        """The leased shards, connected or not."""
        self.serving: list[Shard] = []
        """The leased shards that have been connected."""

    async def join(self, timekeeper: Timekeeper) -> None:
        """Join the other processes. If none is running, first make up for the downtime."""
        if self._leases.alone:
            await timekeeper.resume()
        await self._leases.join(self._now())
        await timekeeper.count_anew(self._leases.shard_count)

    async def begin(self, bot: Client, clockwork: Clockwork, *, lead: Callable[[], None]) -> None:
        """Start connecting the leased shards. ``lead`` is called when this process becomes the leader."""
        self._equipped = _Bot(client=bot, clockwork=clockwork, lead=lead)
        bot.shard_ids = self.held
        allow_partial_shards(bot)
        self._press_filter = PressFilter(bot, in_doubt=self._in_doubt, in_trouble=lambda: self._word.troubled)
        bot.services.gate.unsure = self._press_filter.unsure
        self._governor.doubt(self._in_doubt)
        await self._look_at_logins()
        self._word.begin()
        self._living = asyncio.create_task(self._live())
        self._keeper = asyncio.create_task(self._keep())

    async def wait_to_log_in(self, number: int) -> None:
        """Take the turn of a shard that will log in right after this call, and wait for it.

        The turn is taken as late as possible, because all processes share the turns and connecting takes time.
        """
        if number == self._logging_in:
            self._logging_in = None
        else:
            await self._wait_for_logins()
        await self._wait(number, self._leases.wait_to_log_in)

    async def _wait(self, number: int, asked: Callable[[int], Awaitable[float]]) -> None:
        """Wait for the number of seconds that ``asked`` returns for the shard's bucket."""
        while True:
            try:
                wait = await asked(number % self._logins_at_once)
            except StorageUnavailableError as trouble:
                log.warning("shard %s is waiting for the storage before it logs in: %s", number, trouble)
                await asyncio.sleep(STAND_SECONDS)
            else:
                await asyncio.sleep(wait)
                return

    async def connected(self, number: int) -> None:
        """Serve a shard once its connection and servers are ready. If it's inherited, report that it's ready."""
        if number in self.held:
            self._serve(number)
        elif number in self._inherits:
            self._connected.add(number)
            try:
                await self._leases.be_ready(number)
            except StorageUnavailableError as trouble:
                log.warning("shard %s stays with its current process: %s", number, trouble)
            if self._hurrying is None or self._hurrying.done():
                self._hurrying = asyncio.create_task(self._hurry())
        become_ready(self._bot.client)

    async def hand_all_over(self) -> None:
        """If there are other processes, hand over one shard after another. In the meantime, keep serving."""
        if self._keeper is None:
            return
        until = time.monotonic() + leave_seconds(len(self.held), logins_at_once=self._logins_at_once)
        try:
            await self._leases.will_leave()
            self._last = (await self._stand(moves=False)).last
        except StorageUnavailableError as trouble:
            log.warning("the other processes take over only when this one has ended: %s", trouble)
            return
        self._leaves = True
        while self.held and not self._last and time.monotonic() < until:  # noqa: ASYNC110  # Others give it, not a task.
            await asyncio.sleep(HURRY_SECONDS)

    async def stop(self) -> None:
        """Stop taking and releasing shards. The leases and the heartbeat are kept until :meth:`leave`."""
        tasks = [self._keeper, self._launching, self._hurrying, *self._handing.values()]
        begun = [task for task in tasks if task is not None]
        for task in begun:
            task.cancel()
        await asyncio.gather(*begun, return_exceptions=True)

    async def leave(self) -> None:
        """Release everything. This is the process's last write."""
        if self._living is None:
            return
        self._living.cancel()
        await asyncio.to_thread(self._word.end)
        try:
            await self._leases.leave(self._now())
        except StorageUnavailableError as trouble:
            log.warning("the other processes take over only when they notice that this one is gone: %s", trouble)

    async def _live(self) -> None:
        """Report to the heartbeat thread that the event loop is running, until the process ends."""
        while True:
            self._word.turned()
            await asyncio.sleep(STAND_SECONDS)

    async def _keep(self) -> None:
        while True:
            try:
                await self._follow(await self._stand(moves=await self._moves()))
            except StorageUnavailableError as trouble:
                log.warning("the shares of the other processes could not be read: %s", trouble)
            except Exception:
                log.exception("the leases continue after a failure")
            await asyncio.sleep(HURRY_SECONDS if self._leaves else STAND_SECONDS)

    async def _stand(self, *, moves: bool) -> ProcessStatus:
        return await self._leases.stand(self._now(), logins_at_once=self._logins_at_once, moves=moves)

    async def _follow(self, standing: ProcessStatus) -> None:
        self._governor.share(self._share / standing.living)
        self._last = standing.last
        self._look_at_share(standing.share)
        if standing.forgets != self._forgets:
            self._forgets = standing.forgets
            self._bot.clockwork.deleted_elsewhere()
        if standing.leads and not self._leads:
            self._leads = True
            log.info("this process runs the tasks that run once for the whole bot")
            self._bot.lead()
        if standing.shards != set(self.held):
            await self._settle()
        await self._inherit(standing.heir_of.difference(self.held))
        if self._launching is None or self._launching.done():
            self._launching = asyncio.create_task(self._launch())
        awaited = standing.awaited.intersection(self.held)
        self._governor.spare(min(1, len(awaited)))
        for number in awaited:
            if number not in self._handing or self._handing[number].done():
                self._handing[number] = asyncio.create_task(self._hand_over(number))
        await self._release_idle(standing)

    def _in_doubt(self) -> bool:
        """True if other processes may have taken over unnoticed."""
        return self._word.silent_seconds > DOUBT_SECONDS

    def _look_at_share(self, share: int) -> None:
        """Warn if the process's share is so large that its last shard would be down for too long after a crash."""
        if share == self._shared:
            return
        self._shared = share
        missed = missed_seconds(share, logins_at_once=self._logins_at_once)
        if missed > MAX_SECONDS:
            log.warning("%s shards are a lot: if this process dies, the last one is served %s s later", share, missed)

    @property
    def _bot(self) -> _Bot:
        assert self._equipped is not None
        return self._equipped

    @property
    def _presses(self) -> PressFilter:
        assert self._press_filter is not None
        return self._press_filter

    async def _look_at_logins(self) -> float:
        """Load Discord's limit for logins; return the seconds until it's reset."""
        self._asked_at = time.monotonic()
        limits = await self._bot.client.fetch_session_start_limits()
        self._logins_at_once, self._logins_left = limits.max_concurrency, limits.remaining
        return limits.reset_after / 1000

    async def _moves(self) -> bool:
        """True if enough logins are left to move shards that are already served."""
        enough = 2 * self._leases.shard_count
        if self._logins_left <= enough and time.monotonic() - self._asked_at > ASK_AGAIN_SECONDS:
            with suppress(discord.GatewayNotFound, OSError):
                await self._look_at_logins()
        return self._logins_left > enough

    async def _wait_for_logins(self) -> None:
        """Wait until more logins are available than the reserve."""
        many = LAST_LOGINS + MANY_LOGINS * self._logins_at_once
        if time.monotonic() - self._asked_at < KNOWN_SECONDS and self._logins_left > many:
            self._logins_left -= 1
            return
        while True:
            try:
                reset_after = await self._look_at_logins()
            except (discord.GatewayNotFound, OSError) as error:
                log.warning("the number of logins that Discord allows is not known: %r", error)
                reset_after = STAND_SECONDS
            else:
                if self._logins_left > LAST_LOGINS:
                    return
                minutes = reset_after / 60
                log.warning(
                    "Discord allows %s more logins within %.0f minutes, so shards are waiting",
                    self._logins_left,
                    minutes,
                )
            await asyncio.sleep(min(max(reset_after, STAND_SECONDS), ASK_AGAIN_SECONDS))

    # leased shards

    async def _settle(self) -> None:
        """Take the newly leased shards and give up the others."""
        async with self._settling:
            leased = await self._leases.held()
            for number in sorted(leased.keys() - set(self.held)):
                await self._take(number, answered_to=leased[number])
            for number in set(self.held) - leased.keys():
                await self._disconnect_shard(number)

    async def _take(self, number: int, *, answered_to: int) -> None:
        log.info("took shard %s of %s", number, self._leases.shard_count)
        self.held.append(number)
        self._inherits.discard(number)
        self._bot.clockwork.taken(number)
        connected = number in self._connected
        self._connected.discard(number)
        if connected:
            self._serve(number)
        self._presses.answer(number, after=answered_to)
        if connected:
            await self._bot.clockwork.connected(number)

    def _serve(self, number: int) -> None:
        shard = self._bot.client.shard(number)
        if shard not in self.serving:
            self.serving.append(shard)

    async def _disconnect_shard(self, number: int) -> None:
        """Disconnect a shard that now belongs to another process."""
        if number not in self.held:
            return
        log.info("gave up shard %s", number)
        shard = self._bot.client.shard(number)
        self.held.remove(number)
        if shard in self.serving:
            self.serving.remove(shard)
        await disconnect(self._bot.client, shard)
        self._presses.forget(number)
        self._bot.clockwork.handed_over(number)

    async def _launch(self) -> None:
        """Connect the missing shards, one after another."""
        client = self._bot.client
        while missing := self._missing:
            # discord.py gives up on a slow login, and a shard's owner may change while it waits for its bucket.
            await self._wait_for_logins()
            await self._wait(missing[0], self._leases.login_free_in)
            if missing[0] not in self._missing:
                continue
            self._launched = self._logging_in = missing[0]
            await connect(client, missing[0])
            self._launched = None
            if missing[0] not in self.held and missing[0] not in self._inherits:
                await disconnect(client, client.shard(missing[0]))

    @property
    def _missing(self) -> list[int]:
        """Return the shards to connect, the leased ones first."""
        wanted = (*self.held, *sorted(self._inherits))
        return [number for number in wanted if number not in self._bot.client.shards]

    async def _release_idle(self, standing: ProcessStatus) -> None:
        """Immediately release surplus shards that haven't even started logging in."""
        shards = [self._bot.client.shard(number) for number in reversed(self.held)]
        idle = [shard.number for shard in shards if shard not in self.serving and shard.number != self._launched]
        surplus = idle[: max(0, len(self.held) - standing.share)]
        if surplus and not standing.last:
            await self._leases.release(surplus, self._now())
            for number in surplus:
                await self._disconnect_shard(number)

    # handover

    async def _inherit(self, heir_of: Collection[int]) -> None:
        """Become the heir of exactly these shards."""
        for number in self._inherits.difference(heir_of):
            self._inherits.discard(number)
            self._connected.discard(number)
            await disconnect(self._bot.client, self._bot.client.shard(number))
            self._presses.forget(number)
        for number in set(heir_of).difference(self._inherits):
            log.info("connecting with shard %s to take it over", number)
            self._presses.keep(number)
            self._inherits.add(number)

    async def _hurry(self) -> None:
        """Take inherited shards as soon as their leases arrive."""
        while self._connected:
            try:
                await self._settle()
            except StorageUnavailableError as trouble:
                self._word.troubled = True
                log.warning("a shard is taken over later: %s", trouble)
            await asyncio.sleep(HURRY_SECONDS)

    async def _hand_over(self, number: int) -> None:
        """Hand over a shard to its connected heir, answering only the interactions received so far."""
        await self._leave_room()
        answered_to = self._presses.release_shard(number)
        await self._finish(self._bot.client.shard(number))
        try:
            gone = await self._leases.hand_over(number, answered_to=answered_to)
        except StorageUnavailableError as trouble:
            log.warning("shard %s is handed over later: %s", number, trouble)
            gone = False
        if gone:
            await self._disconnect_shard(number)
        elif number in self.held:
            self._presses.answer(number, after=answered_to)

    async def _leave_room(self) -> None:
        """Wait until each bucket has a request for the heir, which learns the rate limits from the response."""
        until = time.monotonic() + ROOM_SECONDS
        while (wait := self._governor.spared_in) > 0 and (left := until - time.monotonic()) > 0:  # noqa: ASYNC110  # Time is it.
            await asyncio.sleep(min(wait, left))

    async def _finish(self, shard: Shard) -> None:
        """Wait for replies and drawings in progress, but only briefly because the heir is waiting."""
        await asyncio.sleep(HEARD_SECONDS)
        until = time.monotonic() + FINISH_SECONDS
        services = self._bot.client.services
        while time.monotonic() < until and any(  # noqa: ASYNC110  # As above.
            shard.serves(guild) for guild in (*services.gate.in_progress, *services.publisher.lag.drawn_now)
        ):
            await asyncio.sleep(HEARD_SECONDS)
