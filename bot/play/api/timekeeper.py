"""Everything that happens without a press: alarms, computers' turns, and downtime that players get back.

An alarm is a row. The use case that handles it first checks that it hasn't changed since it was read. A failure at one
table doesn't stop the others. Computations never delay a deadline.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial

from bot.base.logs import note
from bot.base.meter import SILENT, Meter
from bot.base.plurals import counted
from bot.model.beats import Heartbeat
from bot.model.errors import HandLostError, StorageUnavailableError
from bot.model.ids import EVERYTHING, EventKey, GuildId, Player, Shard, TableKey, is_computer, level_of
from bot.model.refusals import Stale
from bot.model.tables import Timer
from bot.play import badges
from bot.play.api.alarm_runner import Alarm, AlarmRunner
from bot.play.api.play import Play
from bot.play.api.transactions import Transactions
from bot.play.bank import seasons
from bot.play.hand import moved_clocks, overdue, rating_updates, turns
from bot.play.hand.drafts import Thought
from bot.play.queries.reviews import arrangement, completion, computer_turn, quick_arrangement
from bot.play.session.session import Session
from bot.play.session.workers import Workers
from bot.play.table import lobby, vacations
from bot.pure.ofc.refusals import Refused
from bot.pure.solver.levels import Level
from bot.pure.solver.visible_cards import declares
from bot.store.beat_mark import BeatMark

log = logging.getLogger(__name__)

BEAT_MS = 10_000
"""Interval of heartbeats."""
DUE_AT_ONCE = 50
RETRY_MS = 10_000
TOLD_MS = 5_000
"""Shortest outage that tables show."""


class Timekeeper:
    """Keeps the clocks of the servers in ``shards``, by default all servers.

    If several processes share the servers, ``shards`` changes as connections come and go.
    """

    def __init__(
        self,
        transactions: Transactions,
        play: Play,
        workers: Workers,
        *,
        shards: Sequence[Shard] = (EVERYTHING,),
        meter: Meter = SILENT,
        mark: BeatMark | None = None,
    ) -> None:
        self._mark = mark or BeatMark(None)
        self._transactions = transactions
        self._play = play
        self._workers = workers
        self._shards = shards
        self._meter = meter
        self._next_beat = 0
        self.thinking = AlarmRunner(self._act_thoughtfully)
        """Alarms that need a computation: computers' turns and whole boards to auto-place."""

    @property
    def written_at(self) -> int:
        """When the last write happened (ms)."""
        return self._transactions.written_at

    async def stop(self) -> None:
        """Cancel all computations. Their alarms stay due."""
        await self.thinking.close()

    # time that doesn't count

    async def resume(self) -> None:
        """Resume the clocks after a start. They stood still during the downtime, so no player loses time.

        This also works if the machine's clock was set back. Shards that were disconnected before the downtime get back
        the time since then. In a database restored from a copy, decks that may be known are replaced. A restored copy
        is detected by its mark, or because it's behind the heartbeat stored with the key.
        """

        def job(s: Session) -> tuple[int, Heartbeat]:
            alive_at = s.tx.timers.alive_at()
            s.tx.timers.clear_processes()
            for shard, since in s.tx.timers.outages().items():
                _end_outage(s, shard, since, until=s.now if alive_at is None else alive_at)
            lost = 0 if alive_at is None else s.now - alive_at
            if lost:
                _give_back(s, lost, EVERYTHING, until=s.now)
            beat, known = self._beat(s)
            behind = known >= beat.count
            if behind:
                beat = s.tx.timers.go_beyond(known)
            if s.tx.timers.restored():
                tables = _after_restore(s, alive_at)
                log.warning("the database was restored from a copy, or kept with `disown`: new decks for %s", tables)
            elif behind:
                tables = _after_restore(s, alive_at)
                log.warning("the database is older than the bot's last run: new decks for %s", tables)
            s.desk.after_start(s)
            rating_updates.catch_up(s)
            return lost, beat

        lost, beat = await self._transactions.write(job)
        await self._note(beat)
        self._meter.stood_still(lost / 1000, why="stopped")

    def _beat(self, s: Session) -> tuple[Heartbeat, int]:
        """Write a heartbeat; return it with the number of this database's previously known heartbeats."""
        beat = s.tx.timers.beat(s.now)
        return beat, self._mark.known(beat.database)

    async def _note(self, beat: Heartbeat) -> None:
        # The mark is written after the commit, because it may lag behind the database but never be ahead of it.
        await asyncio.to_thread(self._mark.note, beat.database, beat.count)

    async def count_anew(self, shard_count: int) -> None:
        """Handle a new number of shards: end the outages recorded under another count, and give back their time."""

        def job(s: Session) -> None:
            for shard, since in s.tx.timers.outages().items():
                if shard.count != shard_count:
                    _end_outage(s, shard, since, until=s.now)

        await self._transactions.write(job)

    async def stood_still(self, ms: int) -> None:
        """Give ``ms`` back to all clocks because the process slept or the machine's clock was changed."""

        def job(s: Session) -> None:
            self._shift(s, ms)
            for shard, since in s.tx.timers.outages().items():
                if not self._keeps(shard):
                    continue
                # Move the outage's start, so that this time isn't given back again after reconnecting.
                s.tx.timers.end_outage(shard)
                s.tx.timers.begin_outage(shard, since + ms)
            s.tx.timers.beat(s.now)

        await self._transactions.write(job)
        self._meter.stood_still(ms / 1000, why="machine")

    def _shift(self, s: Session, ms: int) -> None:
        s.tx.timers.hold_clocks(self._shards)
        for shard in self._shards:
            _give_back(s, ms, shard, until=s.now)

    def _keeps(self, shard: Shard) -> bool:
        return any(own in (EVERYTHING, shard) for own in self._shards)

    def serves(self, guild: GuildId) -> bool:
        """True if the server's clocks are kept by this process."""
        return any(shard.serves(guild) for shard in self._shards)

    async def beat(self) -> None:
        """Write a heartbeat, start due seasons, and award the badges of finished months."""

        def job(s: Session) -> tuple[Heartbeat, bool]:
            beat, known = self._beat(s)
            behind = known >= beat.count
            if behind:
                # The database failed over and lost commits. Secrets can't be replaced while hands are running.
                s.tx.timers.take_for_copy()
                beat = s.tx.timers.go_beyond(known)
            seasons.roll_over(s, self.serves)
            badges.give_months(s, self.serves)
            return beat, behind

        beat, behind = await self._transactions.write(job)
        await self._note(beat)
        if behind:
            log.critical("the database has lost committed data: stop all processes of the bot, then start it again")

    async def cut_off(self, shard: Shard) -> None:
        """Stop the clocks of a shard that lost its connection to Discord."""
        await self._transactions.write(lambda s: s.tx.timers.begin_outage(shard, s.now))

    async def connected(self, shard: Shard) -> None:
        """Resume the clocks of a reconnected shard with the time they had left."""

        def job(s: Session) -> int:
            s.tx.timers.hold_clocks([shard])
            since = s.tx.timers.outages().get(shard)
            return 0 if since is None else _end_outage(s, shard, since, until=s.now)

        self._meter.stood_still(await self._transactions.write(job) / 1000, why="discord")

    def forget(self, shard: Shard) -> None:
        """Clear the cache of a shard's servers, because other processes write or have written their data."""
        self._transactions.forget(shard)

    # audit of the books

    async def audit_books(self, *, leads: bool = True) -> frozenset[GuildId]:
        """Check that every server's books balance. Where they don't, players can't buy in until they do.

        With several processes, only the one with ``leads`` checks. The others read its result.
        """
        known = await self._transactions.read(lambda s: s.tx.timers.frozen_servers())
        wrong = await self._transactions.unbalanced() if leads else known
        if wrong != known:
            await self._transactions.write(lambda s: s.tx.timers.freeze_servers(wrong))
        for guild in wrong - self._transactions.frozen if leads else ():
            log.critical(
                "the books of server %s do not balance. No one can buy in there. See "
                "docs/how-to/back-up-and-restore.md",
                guild,
            )
        self._transactions.frozen = wrong
        return wrong

    # alarms

    async def tick(self) -> None:
        """Handle every due deadline. Call it every second.

        A deadline that needs a computation is only started here, and handled by ``thinking``.
        """
        now = self._transactions.now()
        if now >= self._next_beat:
            await self.beat()
            self._next_beat = now + BEAT_MS
        begun: set[Alarm] = set()
        while self._transactions.next_due is not None and self._transactions.next_due <= now:
            # Alarms being computed stay due, so the limit grows by their number to leave room for others.
            known = begun | self.thinking.alarms
            due, events = await self._transactions.read(partial(self._due, now=now, limit=DUE_AT_ONCE + len(known)))
            due = [alarm for alarm in due if alarm[:2] not in known]
            if not due and not events:
                break
            done = await asyncio.gather(
                *(self._fire(key, timer, due_at) for key, timer, due_at in due),
                *(self._look_at_event(key) for key in events),
                return_exceptions=True,
            )
            # Raise only after all have ended, because a task that is left running would act too late.
            for trouble in done:
                if isinstance(trouble, BaseException):
                    raise trouble
            begun.update(alarm[:2] for alarm, thinks in zip(due, done, strict=False) if thinks)

    def _due(self, s: Session, *, now: int, limit: int) -> tuple[list[tuple[TableKey, Timer, int]], list[EventKey]]:
        """Return the due deadlines and event alarms, oldest first within each shard."""
        due = [alarm for shard in self._shards for alarm in s.tx.timers.due(now, shard=shard, limit=limit)]
        events = [key for shard in self._shards for key in s.desk.due(s, shard=shard, limit=DUE_AT_ONCE)]
        return due, events

    async def _fire(self, key: TableKey, timer: Timer, due_at: int) -> bool:
        """Handle a deadline; True if it needs a computation, which is then started."""
        self._meter.clock_fired(timer.value)
        async with self._retry_on_failure(key, timer, due_at):
            if await self._needs_thinking(key, timer):
                self.thinking.add((key, timer), due_at=due_at)
                return True
            await self._transactions.write(lambda s: _act(s, key, timer, due_at, {}))
        return False

    async def _act_thoughtfully(self, key: TableKey, timer: Timer, due_at: int) -> None:
        """Handle a deadline that needs a computation."""
        async with self._retry_on_failure(key, timer, due_at):
            if timer is Timer.COMPUTER:
                await self._play_computers(key, due_at)
            else:
                rows = await self._rows_of_clock(key)
                await self._transactions.write(lambda s: _act(s, key, timer, due_at, rows))

    @asynccontextmanager
    async def _retry_on_failure(self, key: TableKey, timer: Timer, due_at: int) -> AsyncIterator[None]:
        """Log a failure and retry its deadline later, so that it doesn't stop other tables."""
        note(guild=key.guild, table=key.table)
        try:
            yield
        except StorageUnavailableError:
            raise  # a temporary failure, which the next tick retries
        except Exception:
            note(guild=key.guild, table=key.table, hand=await self._hand_no(key))
            log.exception("table %s/%s: the %s clock failed", key.guild, key.table, timer.value)
            await self._transactions.write(lambda s: _retry(s, key, timer, due_at))

    async def _look_at_event(self, key: EventKey) -> None:
        """Run the director for an event. A failure is logged and retried later."""
        try:
            await self._transactions.write(lambda s: s.events_to_direct.add(key))
        except StorageUnavailableError:
            raise
        except Exception:
            log.exception("event %s/%s: its alarm failed", key.guild, key.number)
            await self._transactions.write(lambda s: s.desk.look_later(s, key, ms=RETRY_MS))

    async def _hand_no(self, key: TableKey) -> int:
        """Return the last hand's number for the log; 0 if it's unknown."""
        try:
            table = await self._transactions.read(lambda s: s.tx.tables.get(key))
        except StorageUnavailableError:
            return 0
        return table.hand_no if table else 0

    # computations

    async def _needs_thinking(self, key: TableKey, timer: Timer) -> bool:
        """True if a computer has to place, or a whole board has to be auto-placed."""
        if timer is not Timer.TURN:
            return timer is Timer.COMPUTER
        found = await self._run_out(key)
        return found is not None and bool(overdue.boards_to_compute(found))

    async def _rows_of_clock(self, key: TableKey) -> Mapping[Thought, str]:
        """Return the whole boards to auto-place, computed by workers."""
        found = await self._run_out(key)
        if found is None:
            return {}
        think, rows = self._workers.think, {}
        for turn, (view, draft) in overdue.boards_to_compute(found).items():
            job = completion(view, draft) if draft else arrangement(view)
            quickly = job if draft else quick_arrangement(view)
            rows[turn, draft] = await think(job, guild=key.guild, quickly=quickly)
        return rows

    async def _run_out(self, key: TableKey) -> overdue.OverdueHand | None:
        """Return the running hand and its timed-out players; None if there are none or the hand is lost."""
        try:
            return await self._transactions.read(lambda s: overdue.timed_out_players(s, key))
        except HandLostError:
            return None

    async def _play_computers(self, key: TableKey, due_at: int) -> None:
        """Play the turn of each computer that may act. It sees only what a player in its seat would see."""
        public = await self._play.look(key)
        for seat in public.hand.seats if public.hand and not public.hand.over else ():
            ready = seat.waiting or (seat.fantasyland and not seat.placed)
            if is_computer(seat.player) and ready and not seat.forfeited:
                await self._play_computer(key, Player(seat.player))

        def done(s: Session) -> None:
            if s.tx.timers.of(key).get(Timer.COMPUTER) == due_at:
                s.tx.timers.set_timer(key, Timer.COMPUTER, None)

        await self._transactions.write(done)

    async def _play_computer(self, key: TableKey, player: Player) -> None:
        seen = await self._play.look(key, player)
        if seen.hand is None or seen.hand.mine is None or not seen.hand.mine.held:
            return
        level = level_of(player)
        master = level is Level.MASTER
        rows, fallback = await self._workers.think(
            computer_turn(seen.hand, level),
            guild=key.guild,
            quickly=computer_turn(seen.hand, Level.CLUB if master else level, fallback=master),
            game=seen.hand.variant.key,
        )
        hand_no, street = seen.table.hand_no, seen.hand.street
        try:
            await self._play.place_cards(
                key,
                player,
                hand_no=hand_no,
                street=street,
                rows=rows,
                cause=None,
                declare=declares(seen.hand),
                fallback=fallback,
            )
        except (Refused, Stale):
            return


def _after_restore(s: Session, copied_at: int | None) -> str:
    """Replace all secrets that may be known, under new names, and return the number of tables as text."""
    s.tx.timers.begin_epoch(f"{s.now:x}", copied_at=copied_at, at=s.now)
    s.desk.after_restore(s)
    tables = s.tx.tables.all_open()
    for key in tables:
        lobby.after_restore(s, s.table(key))
    return counted(len(tables), "open table")


def _end_outage(s: Session, shard: Shard, since: int, *, until: int) -> int:
    """Give an outage's time back to a shard's clocks, and return that time (ms)."""
    lost = max(0, until - since)
    _give_back(s, lost, shard, until=until)
    s.tx.timers.end_outage(shard)
    return lost


def _give_back(s: Session, ms: int, shard: Shard, *, until: int) -> None:
    """Give ``ms`` that didn't count back to a shard's clocks. A negative value moves deadlines earlier."""
    s.tx.timers.hold_clocks([shard])
    resting = vacations.seats_during(s, shard, begins=until - ms, ends=until)
    s.tx.timers.shift(ms, shard=shard, tell=ms >= TOLD_MS)
    for key in s.tx.tables.open_with_weekends_off():
        if shard.serves(key.guild):
            moved_clocks.after_outage(s, s.table(key), begins=until - ms, ends=until)
    # Vacations have already given back their share of that time.
    for one in resting:
        vacations.after_outage(s, one, begins=until - ms, ends=until)


def _retry(s: Session, key: TableKey, timer: Timer, due_at: int) -> None:
    """Postpone a deadline whose work failed, unless it has changed in the meantime."""
    if s.tx.timers.of(key).get(timer) == due_at:
        s.tx.timers.set_timer(key, timer, s.now + RETRY_MS)


def _act(s: Session, key: TableKey, timer: Timer, due_at: int, rows: Mapping[Thought, str]) -> None:
    """Handle a deadline, unless it has changed in the meantime."""
    if s.tx.timers.of(key).get(timer) != due_at:
        return
    s.tx.timers.set_timer(key, timer, None)
    table = s.table(key)
    if timer is Timer.LOBBY:
        lobby.end_wait(s, table)
    elif timer is Timer.TURN:
        overdue.time_out(s, table, rows)
    elif timer is Timer.REMIND:
        turns.remind(s, table)
    elif timer is Timer.UNANNOUNCED:
        turns.begin_unannounced(s, table)
    elif table.event is not None:
        s.events_to_direct.add(table.event)  # the director deals there
    else:
        lobby.next_hand(s, table)
