"""The shards of a process that shares the servers with others, as they come and go.

Every second the process says that it lives, until it has ended, and is told how it stands. What nobody holds it is
given, and connects. What another one has that leaves, or that has too much, it becomes the heir of: it connects first,
and is given the lease when it is connected, so that nobody waits. It takes its part of the requests that Discord
takes from the whole bot. A process that is given up for dead cannot write any more, and ends
(:class:`bot.store.StoreOustedError`).
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
from bot.chat.library.connections import become_ready, connect, disconnect, let_come_and_go
from bot.chat.library.governor import Governor
from bot.model.errors import StorageTroubleError
from bot.model.ids import Shard
from bot.play.doors.timekeeper import Timekeeper
from bot.run.many.processes import Leases, Standing, WordOfLife, leave_seconds, missed_seconds
from bot.run.many.sieve import Sieve

log = logging.getLogger(__name__)

STAND_SECONDS = 1.0
HURRY_SECONDS = 0.1
"""Between two looks of an heir that is connected, and of a process that leaves."""
HEARD_SECONDS = 0.05
"""After so long what was heard is under way."""
FINISH_SECONDS = 1.0
"""For how long a shard that changes hands waits for answers that are under way."""
ROOM_SECONDS = 6.0
"""For how long a shard that changes hands waits until each bucket has a request left for the heir."""
LONGEST_SECONDS = 20
"""Nobody should have to wait longer until a server is served again."""
DOUBT_SECONDS = 2.5
"""After so long without a word of the database others may soon have taken over."""
LAST_LOGINS = 10
"""Logins that are left to Discord's next day: who has used up all of them is given a new token."""
ASK_AGAIN_SECONDS = 300.0
"""Whether there are more logins is asked for so often."""
KNOWN_SECONDS = 5.0
"""How many logins are left is asked for once in so long while they are many: Discord takes few such questions."""
MANY_LOGINS = 10
"""Times as many as are made at once."""


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
        self._sieve: Sieve | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._living: asyncio.Task[None] | None = None
        self._word = WordOfLife(leases, now_ms=now_ms)
        self._launching: asyncio.Task[None] | None = None
        self._hurrying: asyncio.Task[None] | None = None
        self._handing: dict[int, asyncio.Task[None]] = {}
        self._settling = asyncio.Lock()
        self._leads = self._leaves = self._last = False
        self._shared = 0
        self._forgets = 0
        self._launched: int | None = None
        """The shard whose login is under way."""
        self._logging_in: int | None = None
        """The same until its turn, which it has, is used."""
        self._logins_left = self._logins_at_once = 1
        self._asked_at = time.monotonic()
        self._inherits: set[int] = set()
        """Shards that it is the heir of."""
        self._connected: set[int] = set()
        """Those of them whose connection is there."""
        self.held: list[int] = []
        """The shards that are leased, connected or not."""
        self.serving: list[Shard] = []
        """Those whose connection has been there."""

    async def join(self, timekeeper: Timekeeper) -> None:
        """Be one of the processes; the first of them gives everybody back the time in which there was none."""
        if self._leases.alone:
            await timekeeper.resume()
        await self._leases.join(self._now())
        await timekeeper.count_anew(self._leases.shard_count)

    async def begin(self, bot: Client, clockwork: Clockwork, *, lead: Callable[[], None]) -> None:
        """Connect what is leased from now on. ``lead`` does, later, what is done once for the whole bot."""
        self._equipped = _Bot(client=bot, clockwork=clockwork, lead=lead)
        bot.shard_ids = self.held
        let_come_and_go(bot)
        self._sieve = Sieve(bot, in_doubt=self._in_doubt, in_trouble=lambda: self._word.troubled)
        bot.services.gate.unsure = self._sieve.unsure
        self._governor.doubt(self._in_doubt)
        await self._look_at_logins()
        self._word.begin()
        self._living = asyncio.create_task(self._live())
        self._keeper = asyncio.create_task(self._keep())

    async def wait_to_log_in(self, number: int) -> None:
        """Take the turn of a shard that logs in as soon as this returns, and wait until it comes.

        All processes take theirs, and connecting takes as long as it takes: the turn is taken after that.
        """
        if number == self._logging_in:
            self._logging_in = None
        else:
            await self._wait_for_logins()
        await self._wait(number, self._leases.wait_to_log_in)

    async def _wait(self, number: int, asked: Callable[[int], Awaitable[float]]) -> None:
        """Wait as many seconds as the bucket of a shard is said to have."""
        while True:
            try:
                wait = await asked(number % self._logins_at_once)
            except StorageTroubleError as trouble:
                log.warning("shard %s waits for the storage to log in: %s", number, trouble)
                await asyncio.sleep(STAND_SECONDS)
            else:
                await asyncio.sleep(wait)
                return

    async def connected(self, number: int) -> None:
        """A shard's connection is there, and what servers it has is known."""
        if number in self.held:
            self._serve(number)
        elif number in self._inherits:
            self._connected.add(number)
            try:
                await self._leases.be_ready(number)
            except StorageTroubleError as trouble:
                log.warning("shard %s stays with who has it: %s", number, trouble)
            if self._hurrying is None or self._hurrying.done():
                self._hurrying = asyncio.create_task(self._hurry())
        become_ready(self._bot.client)

    async def hand_all_over(self) -> None:
        """Let others take over one shard after the other, as long as there are others; this one goes on meanwhile."""
        if self._keeper is None:
            return
        until = time.monotonic() + leave_seconds(len(self.held), logins_at_once=self._logins_at_once)
        try:
            await self._leases.will_leave()
            self._last = (await self._stand(moves=False)).last
        except StorageTroubleError as trouble:
            log.warning("the other processes take over only when this one has ended: %s", trouble)
            return
        self._leaves = True
        while self.held and not self._last and time.monotonic() < until:  # noqa: ASYNC110  # Others give it, not a task.
            await asyncio.sleep(HURRY_SECONDS)

    async def stop(self) -> None:
        """Take and give back nothing any more; what is leased stays so until :meth:`leave`, and the process lives."""
        tasks = [self._keeper, self._launching, self._hurrying, *self._handing.values()]
        begun = [task for task in tasks if task is not None]
        for task in begun:
            task.cancel()
        await asyncio.gather(*begun, return_exceptions=True)

    async def leave(self) -> None:
        """Let others have everything: the last that is written."""
        if self._living is None:
            return
        self._living.cancel()
        await asyncio.to_thread(self._word.end)
        try:
            await self._leases.leave(self._now())
        except StorageTroubleError as trouble:
            log.warning("the other processes take over only when they miss this one: %s", trouble)

    async def _live(self) -> None:
        """Let the word of life know, until the process has ended, that the event loop turns."""
        while True:
            self._word.turned()
            await asyncio.sleep(STAND_SECONDS)

    async def _keep(self) -> None:
        while True:
            try:
                await self._follow(await self._stand(moves=await self._moves()))
            except StorageTroubleError as trouble:
                log.warning("how this process stands among the others is not known: %s", trouble)
            except Exception:
                log.exception("the leases go on after a failure")
            await asyncio.sleep(HURRY_SECONDS if self._leaves else STAND_SECONDS)

    async def _stand(self, *, moves: bool) -> Standing:
        return await self._leases.stand(self._now(), logins_at_once=self._logins_at_once, moves=moves)

    async def _follow(self, standing: Standing) -> None:
        self._governor.share(self._share / standing.living)
        self._last = standing.last
        self._look_at_share(standing.share)
        if standing.forgets != self._forgets:
            self._forgets = standing.forgets
            self._bot.clockwork.deleted_elsewhere()
        if standing.leads and not self._leads:
            self._leads = True
            log.info("this process does what is done once for the whole bot")
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
        """True where others may have taken over without this process knowing of it."""
        return self._word.silent_seconds > DOUBT_SECONDS

    def _look_at_share(self, share: int) -> None:
        """Warn where so many shards are to be held that the last would be missed for too long."""
        if share == self._shared:
            return
        self._shared = share
        missed = missed_seconds(share, logins_at_once=self._logins_at_once)
        if missed > LONGEST_SECONDS:
            log.warning("%s shards are many: should this process die, the last is served %s s later", share, missed)

    @property
    def _bot(self) -> _Bot:
        assert self._equipped is not None
        return self._equipped

    @property
    def _presses(self) -> Sieve:
        assert self._sieve is not None
        return self._sieve

    async def _look_at_logins(self) -> float:
        """Learn how many logins Discord takes; returns the seconds after which it takes more."""
        self._asked_at = time.monotonic()
        limits = await self._bot.client.fetch_session_start_limits()
        self._logins_at_once, self._logins_left = limits.max_concurrency, limits.remaining
        return limits.reset_after / 1000

    async def _moves(self) -> bool:
        """True while there are logins to spare: shards that are served well may move."""
        enough = 2 * self._leases.shard_count
        if self._logins_left <= enough and time.monotonic() - self._asked_at > ASK_AGAIN_SECONDS:
            with suppress(discord.GatewayNotFound, OSError):
                await self._look_at_logins()
        return self._logins_left > enough

    async def _wait_for_logins(self) -> None:
        """Wait until Discord takes more logins than those that are left alone."""
        many = LAST_LOGINS + MANY_LOGINS * self._logins_at_once
        if time.monotonic() - self._asked_at < KNOWN_SECONDS and self._logins_left > many:
            self._logins_left -= 1
            return
        while True:
            try:
                reset_after = await self._look_at_logins()
            except (discord.GatewayNotFound, OSError) as error:
                log.warning("how many logins Discord takes is not known: %r", error)
                reset_after = STAND_SECONDS
            else:
                if self._logins_left > LAST_LOGINS:
                    return
                minutes = reset_after / 60
                log.warning("Discord takes %s more logins within %.0f minutes: shards wait", self._logins_left, minutes)
            await asyncio.sleep(min(max(reset_after, STAND_SECONDS), ASK_AGAIN_SECONDS))

    # what it has

    async def _settle(self) -> None:
        """Have what is leased, and nothing else."""
        async with self._settling:
            leased = await self._leases.held()
            for number in sorted(leased.keys() - set(self.held)):
                await self._take(number, answered_to=leased[number])
            for number in set(self.held) - leased.keys():
                await self._let_go(number)

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

    async def _let_go(self, number: int) -> None:
        """Another process has a shard now."""
        if number not in self.held:
            return
        log.info("gave up shard %s", number)
        shard = self._bot.client.shard(number)
        self.held.remove(number)
        if shard in self.serving:
            self.serving.remove(shard)
        await disconnect(self._bot.client, shard)
        self._presses.forget(number)
        self._bot.clockwork.given_up(number)

    async def _launch(self) -> None:
        """Connect what is not connected, one after the other."""
        client = self._bot.client
        while missing := self._missing:
            # The library gives a login up after a while; and until its bucket is free a shard can still be another's.
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
        """What it is to be connected with, and is not; what others wait for comes first."""
        wanted = (*self.held, *sorted(self._inherits))
        return [number for number in wanted if number not in self._bot.client.shards]

    async def _release_idle(self, standing: Standing) -> None:
        """Let others have at once what is more than the share and not even logging in."""
        shards = [self._bot.client.shard(number) for number in reversed(self.held)]
        idle = [shard.number for shard in shards if shard not in self.serving and shard.number != self._launched]
        surplus = idle[: max(0, len(self.held) - standing.share)]
        if surplus and not standing.last:
            await self._leases.release(surplus, self._now())
            for number in surplus:
                await self._let_go(number)

    # from one to the next

    async def _inherit(self, heir_of: Collection[int]) -> None:
        """Be the heir of these, and of no others."""
        for number in self._inherits.difference(heir_of):
            self._inherits.discard(number)
            self._connected.discard(number)
            await disconnect(self._bot.client, self._bot.client.shard(number))
            self._presses.forget(number)
        for number in set(heir_of).difference(self._inherits):
            log.info("connects with shard %s, to take it over", number)
            self._presses.keep(number)
            self._inherits.add(number)

    async def _hurry(self) -> None:
        """Take what was waited for as soon as it is given."""
        while self._connected:
            try:
                await self._settle()
            except StorageTroubleError as trouble:
                self._word.troubled = True
                log.warning("a shard is taken over later: %s", trouble)
            await asyncio.sleep(HURRY_SECONDS)

    async def _hand_over(self, number: int) -> None:
        """Let the heir, who is connected, have a shard: answer what was heard, and nothing any more."""
        await self._leave_room()
        answered_to = self._presses.let_go(number)
        await self._finish(self._bot.client.shard(number))
        try:
            gone = await self._leases.hand_over(number, answered_to=answered_to)
        except StorageTroubleError as trouble:
            log.warning("shard %s is handed over later: %s", number, trouble)
            gone = False
        if gone:
            await self._let_go(number)
        elif number in self.held:
            self._presses.answer(number, after=answered_to)

    async def _leave_room(self) -> None:
        """Wait until the heir finds a request in each bucket: what was used it learns by the answer to that one."""
        until = time.monotonic() + ROOM_SECONDS
        while (wait := self._governor.spared_in) > 0 and (left := until - time.monotonic()) > 0:  # noqa: ASYNC110  # Time is it.
            await asyncio.sleep(min(wait, left))

    async def _finish(self, shard: Shard) -> None:
        """Wait until what is under way is answered and drawn, though not for long: the next one waits."""
        await asyncio.sleep(HEARD_SECONDS)
        until = time.monotonic() + FINISH_SECONDS
        services = self._bot.client.services
        while time.monotonic() < until and any(  # noqa: ASYNC110  # As above.
            shard.serves(guild) for guild in (*services.gate.under_way, *services.publisher.lateness.drawn_now)
        ):
            await asyncio.sleep(HEARD_SECONDS)
