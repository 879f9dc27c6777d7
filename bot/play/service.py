"""The door to play: every use case as one awaitable call, and the clock that acts when nobody does."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from bot.logs import note
from bot.meter import SILENT, Meter
from bot.ofc.hand import Hand
from bot.ofc.refusals import Refused
from bot.play import chips, hands, house_games, lobby, views
from bot.play.computer_queue import Alarm, ComputerQueue
from bot.play.event import director
from bot.play.folds import Folds
from bot.play.lobby import Offer
from bot.play.model import (
    Backlog,
    EventKey,
    GuildId,
    HouseGame,
    Movement,
    Player,
    Posting,
    Shard,
    ShownTurn,
    Standing,
    Table,
    TableKey,
    TableState,
    Timer,
    is_computer,
    is_meant,
)
from bot.play.policy import Policy
from bot.play.ports import HandLostError, Storage, StorageTroubleError, Tx, Vault
from bot.play.refusals import PlayReason, Stale
from bot.play.session import Session
from bot.play.table_cache import TableCache
from bot.play.views import ResultView, RootView, TableSeen, TableView
from bot.solver.place import choose_placement

T = TypeVar("T")
log = logging.getLogger(__name__)

BEAT_MS = 10_000
"""How often the process notes that it is alive."""
LONGEST_ENTROPY = 64
DUE_AT_ONCE = 50
RETRY_MS = 10_000
TOLD_MS = 5_000
"""Shorter outages are not worth a word at the tables."""
EVERYTHING = Shard(number=0, count=1)


class Play:
    """Use cases over a storage. Listeners are told, after the commit, which tables changed.

    ``published`` says that one of them shows the tables and calls :meth:`drawn`: clocks wait for that.
    """

    def __init__(
        self,
        storage: Storage,
        vault: Vault,
        *,
        policy: Policy,
        now_ms: Callable[[], int],
        meter: Meter = SILENT,
        published: bool = False,
    ) -> None:
        self._storage = storage
        self._vault = vault
        self._policy = policy
        self._now = now_ms
        self._folds = Folds()
        self._memory = TableCache()
        self._changing: list[TableSeen] = []
        storage.watch(self)
        self._frozen: frozenset[GuildId] = frozenset()
        self._meter = meter
        self._published = published
        self._listeners: list[Callable[[TableKey], None]] = []
        self._event_listeners: list[Callable[[EventKey], None]] = []
        self._next_due: int | None = None
        self._next_beat = 0
        self.thinking = ComputerQueue(self._act_thoughtfully)
        """What computers lay, and what the clock lays for whole boards: no deadline waits for it."""
        self.written_at = now_ms()
        """When something was last written, in milliseconds."""

    def on_change(self, listener: Callable[[TableKey], None]) -> None:
        """Call ``listener`` with the key of every table that has changed."""
        self._listeners.append(listener)

    def on_event(self, listener: Callable[[EventKey], None]) -> None:
        """Call ``listener`` with the key of every event whose message has changed, or for which one waits."""
        self._event_listeners.append(listener)

    async def write(self, job: Callable[[Session], T]) -> T:
        """Run a use case in one transaction, with all that follows from it for events; then tell the listeners."""

        def run(tx: Tx) -> tuple[T, Session, int | None]:
            session = self._session(tx)
            result = job(session)
            director.follow(session)
            return result, session, tx.next_due()

        result, session, self._next_due = await self._storage.write(run)
        self.written_at = self._now()
        for key in session.changed_tables:
            for listener in self._listeners:
                listener(key)
        for event in session.changed_events:
            for told in self._event_listeners:
                told(event)
        return result

    async def read(self, job: Callable[[Session], T]) -> T:
        """Look at what is committed."""
        return await self._storage.read(lambda tx: job(self._session(tx)))

    def before_commit(self, tx: Tx, changed: Collection[TableKey | EventKey]) -> None:
        """Look at what is about to change, in the transaction that changes it: on the storage's thread."""
        session = self._session(tx)
        try:
            self._changing = [views.look(session, key) for key in self._memory.remembered(changed)]
        except Exception as error:
            # Whoever looks next meets the same trouble where it can be told.
            log.debug("tables that change are not looked at beforehand: %r", error)

    def after_commit(self, changed: Collection[TableKey | EventKey], *, well: bool) -> None:
        """Remember how they stand now, or forget how they stood: on the storage's thread."""
        now, self._changing = self._changing, []
        self._memory.changed(changed, now if well else ())

    def _session(self, tx: Tx) -> Session:
        return Session(
            tx=tx,
            policy=self._policy,
            vault=self._vault,
            now=self._now(),
            folds=self._folds,
            frozen=self._frozen,
            published=self._published,
        )

    # the lobby

    async def open_table(self, offer: Offer, *, cause: str) -> Table:
        """Open a table with its host seated; raises Refused."""
        return await self.write(lambda s: lobby.open_table(s, offer, cause=cause))

    async def join(self, key: TableKey, player: Player, *, cause: str) -> Table:
        """Take a seat; raises Refused."""
        return await self.write(lambda s: lobby.join(s, key, player, cause=cause))

    async def join_computer(self, key: TableKey, host: Player, *, cause: str) -> Table:
        """Seat a computer at a practice table; raises Refused."""
        return await self.write(lambda s: lobby.join_computer(s, key, host, cause=cause))

    async def leave(self, key: TableKey, player: Player, *, cause: str) -> Table:
        """Stand up, now or after the hand; raises Refused."""
        return await self.write(lambda s: lobby.leave(s, key, player, cause=cause))

    async def stay(self, key: TableKey, player: Player, *, cause: str) -> Table:
        """Take back the wish to leave, or be back from being away; raises Refused."""
        return await self.write(lambda s: lobby.stay(s, key, player, cause=cause))

    async def start(self, key: TableKey, player: Player, *, cause: str) -> Table:
        """Deal the first hand; raises Refused."""
        return await self.write(lambda s: lobby.start(s, key, player, cause=cause))

    async def cancel(self, key: TableKey, player: Player, *, cause: str) -> Table:
        """The host closes his table before the start; raises Refused."""
        return await self.write(lambda s: lobby.cancel(s, key, player, cause=cause))

    async def close(self, key: TableKey, *, reason: str) -> Table:
        """Close a table whatever it is doing; closing it twice changes nothing. Raises Refused."""

        def job(s: Session) -> Table:
            table = s.table(key)
            if table.event is not None:
                return director.without_place(s, table, reason=reason)
            return lobby.close(s, table, reason=reason) if table.open else table

        return await self.write(job)

    async def close_all(self, guild: GuildId, *, channel: int | None = None, reason: str) -> list[TableKey]:
        """Close every open table of a guild, or of one of its channels."""
        tables = await self.read(lambda s: s.tx.open_tables(guild, channel=channel))
        for table in tables:
            await self.close(table.key, reason=reason)
        return [table.key for table in tables]

    # the hand

    async def lay(
        self,
        key: TableKey,
        player: Player,
        *,
        hand_no: int,
        street: int,
        rows: str,
        cause: str | None,
        declare: bool = False,
    ) -> Table:
        """Lay a street or set Fantasyland; raises Refused, or Stale when the press comes too late or twice."""
        return await self._act_in_hand(
            key,
            lambda s: hands.lay(
                s, key, player, hand_no=hand_no, street=street, rows=rows, cause=cause, declare=declare
            ),
        )

    async def surrender(self, key: TableKey, player: Player, *, hand_no: int, cause: str) -> Table:
        """Give thirteen cards up for the fixed price; raises Refused or Stale."""
        return await self._act_in_hand(key, lambda s: hands.surrender(s, key, player, hand_no=hand_no, cause=cause))

    async def _act_in_hand(self, key: TableKey, job: Callable[[Session], Table]) -> Table:
        """Act in the running hand; when its seed or log is lost the hand is void, and the press comes too late."""
        try:
            return await self.write(job)
        except HandLostError:
            await self._void_lost(key)
            raise Stale from None

    async def _void_lost(self, key: TableKey) -> None:
        def job(s: Session) -> None:
            table = s.table(key)
            if table.state is not TableState.PLAYING:
                return
            try:
                s.hand(key, table.hand_no)
            except HandLostError as error:
                hands.lost(s, table, error)

        await self.write(job)

    async def set_entropy(self, key: TableKey, player: Player, text: str, *, cause: str) -> None:
        """Put the player's own text into the next shuffle; raises Refused."""
        # Half of a surrogate pair cannot be written as UTF-8, and so neither stored nor hashed.
        text = text.encode("utf-8", "replace").decode("utf-8")
        if len(text) > LONGEST_ENTROPY:
            raise Refused(PlayReason.ENTROPY_TOO_LONG, most=LONGEST_ENTROPY)

        def job(s: Session) -> None:
            s.once(cause)
            table = s.open_table(key)
            s.note(table, "seeded", actor=player, cause=cause)
            s.save_seat(table, s.seat(table, player), entropy=text)

        await self.write(job)

    # looking

    async def look(self, key: TableKey, you: Player | None = None) -> TableView:
        """A table as ``you`` may see it; raises Refused. A hand that cannot be shown, because it is lost, is void."""
        seen = await self._seen(key)
        if seen.hand is None and seen.table.state is TableState.PLAYING:
            await self._void_lost(key)
            seen = await self._seen(key)
        return views.view_of(seen, you, now=self._now())

    async def _seen(self, key: TableKey) -> TableSeen:
        seen = self._memory.table(key)
        if seen is None:
            begun = self._memory.now
            seen = await self.read(lambda s: views.look(s, key))
            self._memory.keep(seen, at=begun)
        elif not is_meant(key.tag, own=seen.table.tag, epoch=seen.table.epoch):
            raise Stale
        return seen

    async def result(self, key: TableKey, hand_no: int) -> ResultView:
        """A finished hand as everybody sees it; raises Refused."""
        return await self.read(lambda s: views.result_of(s, key, hand_no))

    async def proof(self, key: TableKey, hand_no: int) -> Mapping[str, Any]:
        """The public record of a revealed hand; raises Refused."""
        return await self.read(lambda s: views.proof_of(s, key, hand_no))

    async def tables_of(self, guild: GuildId, player: Player) -> list[Table]:
        """The open tables at which a player sits, oldest first."""
        return await self.read(lambda s: s.tx.tables_of(guild, player))

    async def open_tables(self, guild: GuildId, *, channel: int | None = None) -> list[Table]:
        """The open tables of a guild or channel, oldest first."""
        return await self.read(lambda s: s.tx.open_tables(guild, channel=channel))

    async def wallet(self, guild: GuildId, player: Player) -> int:
        """The player's chips outside tables; the first look brings the starting grant."""
        return await self.write(lambda s: chips.wallet(s.tx, guild, player, grant=self._policy.start_chips, now=s.now))

    async def history(self, guild: GuildId, player: Player, *, limit: int, skip: int = 0) -> list[Movement]:
        """Movements of the player's chips, newest first, after ``skip`` of them."""
        return await self.read(lambda s: s.tx.history(guild, player, limit=limit, skip=skip))

    async def standings(self, guild: GuildId) -> list[Standing]:
        """Everybody who has played a ranked hand in the guild."""
        return await self.read(lambda s: s.tx.standings(guild))

    # a server's own games

    async def games(self, guild: GuildId) -> list[HouseGame]:
        """The server's own games, by name."""
        return await self.read(lambda s: s.tx.house_games(guild))

    async def save_game(self, guild: GuildId, game: HouseGame, *, by: Player) -> None:
        """Keep a game under its name; raises Refused when there are too many."""
        await self.write(lambda s: house_games.save(s, guild, game, by=by))

    async def remove_game(self, guild: GuildId, name: str) -> None:
        """Forget a game; tables that play it go on with it."""
        await self.write(lambda s: s.tx.remove_house_game(guild, name))

    # messages

    async def undrawn(self) -> list[TableKey]:
        """The tables whose message does not show their present state."""
        return await self.read(lambda s: s.tx.undrawn_tables())

    async def guilds_with_tables(self) -> list[GuildId]:
        """The guilds in which a table is open."""
        return await self.read(lambda s: s.tx.guilds_with_tables())

    async def all_open(self) -> list[TableKey]:
        """Every open table of every guild."""
        return await self.read(lambda s: s.tx.all_open())

    async def open_states(self) -> Mapping[TableState, int]:
        """How many tables of all guilds are open, by state."""
        return await self.read(lambda s: s.tx.open_states())

    async def drawn(
        self,
        key: TableKey,
        *,
        version: int,
        hand_no: int,
        message: int | None,
        call: int | None,
        called: str = "",
        turn: ShownTurn | None = None,
    ) -> None:
        """Note which version a table's message shows, of which hand, which message calls whom, and the turn told.

        A message that was drawn while the next hand was dealt is one of the hand before: it is to be cleaned up.
        """

        def job(s: Session) -> None:
            s.tx.note_drawn(key, version=version, hand_no=hand_no, message=message, call=call, called=called)
            _shown(s, s.table(key), turn)

        await self.write(job)

    async def untold_root(self, key: TableKey) -> RootView | None:
        """What a table has still to tell of its decks; None when there is nothing."""
        return await self.read(lambda s: views.root_of(s, key))

    async def root_told(self, key: TableKey, *, commitment: bytes, message: int) -> None:
        """Note which message tells what the table has committed to."""

        def job(s: Session) -> None:
            table = s.table(key)
            if table.commitment == commitment:
                # No new state: whatever is drawn next links to it.
                s.tx.save_table(replace(table, root_message=message))

        await self.write(job)

    async def unposted(self) -> list[TableKey]:
        """The tables for which messages wait to be posted, those that have waited longest first."""
        return await self.read(lambda s: s.tx.unposted_tables())

    async def postings(self, key: TableKey | None = None) -> list[Posting]:
        """Messages that wait to be posted, of one table or of all, oldest first."""
        if key is not None:
            return list((await self._seen(key)).postings)
        return await self.read(lambda s: s.tx.postings(limit=DUE_AT_ONCE))

    async def backlog(self, guild: GuildId | None = None) -> Backlog:
        """How much Discord does not show yet, of one guild or of all."""
        return await self.read(lambda s: s.tx.backlog(guild))

    async def posted(self, number: int) -> None:
        """Note that a message was posted."""
        await self.write(lambda s: s.tx.posted(number))

    # what players wish

    async def wants_reminders(self, guild: GuildId, player: Player) -> bool:
        """Whether a player is called again when his time is nearly over; he is unless he has said no."""
        return await self.read(lambda s: s.tx.wants_reminders(guild, player))

    async def save_reminders(self, guild: GuildId, player: Player, *, on: bool) -> None:
        """Switch a player's reminders on or off, from his next turn on."""
        await self.write(lambda s: s.tx.save_reminders(guild, player, on=on))

    # the clock

    async def resume(self) -> None:
        """After a start: clocks stood still while nothing ran, so nobody is punished for it.

        Nor does anybody wait when the machine's own clock was set back. For what was cut off from Discord before the
        end, they have stood still since then. In a database that was put back from a copy no deck is used that may be
        known by now.
        """

        def job(s: Session) -> int:
            alive_at = s.tx.alive_at()
            for shard, since in s.tx.outages().items():
                _end_outage(s, shard, since, until=s.now if alive_at is None else alive_at)
            lost = 0
            if alive_at is not None:
                lost = s.now - alive_at
                s.tx.shift_timers(lost, shard=EVERYTHING, tell=lost >= TOLD_MS)
            s.tx.beat(s.now)
            if s.tx.restored():
                log.warning("the database was restored: new decks for %s open tables", _after_restore(s, alive_at))
            for event in s.tx.running_events():
                director.after_start(s, event)
            return lost

        self._meter.stood_still(await self.write(job) / 1000, why="stopped")

    async def audit_books(self) -> frozenset[GuildId]:
        """Look whether the books of every guild balance. Where they do not, nobody brings chips until they do."""
        wrong = frozenset(await self._storage.unbalanced())
        for guild in wrong - self._frozen:
            log.critical(
                "the books of server %s do not balance: nobody can buy in there; see docs/operations.md", guild
            )
        self._frozen = wrong
        return wrong

    async def stood_still(self, ms: int) -> None:
        """Give all clocks back a time that did not count: the process slept, or the machine's clock was moved."""

        def job(s: Session) -> None:
            s.tx.shift_timers(ms, shard=EVERYTHING, tell=ms >= TOLD_MS)
            for shard, since in s.tx.outages().items():
                # What is given back now is not given back once more when the connection is there again.
                s.tx.end_outage(shard)
                s.tx.begin_outage(shard, since + ms)
            s.tx.beat(s.now)

        await self.write(job)
        self._meter.stood_still(ms / 1000, why="machine")

    async def cut_off(self, shard: Shard) -> None:
        """A connection to Discord is gone: the clocks of its servers stand still."""
        await self.write(lambda s: s.tx.begin_outage(shard, s.now))

    async def connected(self, shard: Shard) -> None:
        """A connection is back: its servers' clocks go on with what they had."""

        def job(s: Session) -> int:
            since = s.tx.outages().get(shard)
            return 0 if since is None else _end_outage(s, shard, since, until=s.now)

        self._meter.stood_still(await self.write(job) / 1000, why="discord")

    async def is_cut_off(self, shard: Shard) -> bool:
        """True while the clocks of a shard's servers stand still."""
        return shard in await self.read(lambda s: s.tx.outages())

    async def tick(self) -> None:
        """Act on every deadline that has passed. Call it every second.

        What has to be thought out first is only begun: ``thinking`` acts on it in its turn.
        """
        now = self._now()
        if now >= self._next_beat:
            await self.write(lambda s: s.tx.beat(s.now))
            self._next_beat = now + BEAT_MS
        begun: set[Alarm] = set()
        while self._next_due is not None and self._next_due <= now:
            # What is thought about stays due until it is done, and must not stand before the others.
            known = begun | self.thinking.alarms
            due, events = await self.read(partial(_due, now=now, limit=DUE_AT_ONCE + len(known)))
            due = [alarm for alarm in due if alarm[:2] not in known]
            if not due and not events:
                break
            done = await asyncio.gather(
                *(self._fire(key, timer, due_at) for key, timer, due_at in due),
                *(self._look_at_event(key) for key in events),
                return_exceptions=True,
            )
            # Only when all have ended: one that went on by itself would act after its time.
            for trouble in done:
                if isinstance(trouble, BaseException):
                    raise trouble
            begun.update(alarm[:2] for alarm, thinks in zip(due, done, strict=False) if thinks)

    async def stop(self) -> None:
        """Begin to think about nothing new, and let what is thought about now end."""
        await self.thinking.close()

    async def _fire(self, key: TableKey, timer: Timer, due_at: int) -> bool:
        """Act on one deadline now; True when it has to be thought about, which is begun."""
        self._meter.clock_fired(timer.value)
        async with self._guarded(key, timer, due_at):
            if await self._needs_thinking(key, timer):
                self.thinking.add((key, timer), due_at=due_at)
                return True
            await self.write(lambda s: _act(s, key, timer, due_at, {}))
        return False

    async def _act_thoughtfully(self, key: TableKey, timer: Timer, due_at: int) -> None:
        """Act on one deadline whose turn to be thought about has come."""
        async with self._guarded(key, timer, due_at):
            if timer is Timer.COMPUTER:
                await self._play_computers(key, due_at)
            else:
                rows = await self._rows_of_clock(key)
                await self.write(lambda s: _act(s, key, timer, due_at, rows))

    @asynccontextmanager
    async def _guarded(self, key: TableKey, timer: Timer, due_at: int) -> AsyncIterator[None]:
        """A failure is logged, and its deadline tried again later: it must not stop the other tables."""
        note(guild=key.guild, table=key.table)
        try:
            yield
        except StorageTroubleError:
            raise  # it is nobody's fault here, and the next tick tries again
        except Exception:
            note(guild=key.guild, table=key.table, hand=await self._hand_no(key))
            log.exception("table %s/%s: the %s clock failed", key.guild, key.table, timer.value)
            await self.write(lambda s: _retry(s, key, timer, due_at))

    async def _look_at_event(self, key: EventKey) -> None:
        """Let the director look at an event. A failure is logged and tried again later, like that of a table."""
        try:
            await self.write(lambda s: director.look(s, key))
        except StorageTroubleError:
            raise
        except Exception:
            log.exception("event %s/%s: its alarm failed", key.guild, key.number)
            await self.write(lambda s: director.look_later(s, key, ms=RETRY_MS))

    async def _hand_no(self, key: TableKey) -> int:
        """The number of the last hand, for the log; 0 when that cannot be told."""
        try:
            table = await self.read(lambda s: s.tx.table(key))
        except StorageTroubleError:
            return 0
        return table.hand_no if table else 0

    async def _needs_thinking(self, key: TableKey, timer: Timer) -> bool:
        """True where a computer lays, or the clock a whole board."""
        if timer is not Timer.TURN:
            return timer is Timer.COMPUTER
        found = await self._run_out(key)
        return found is not None and hands.whole_boards(*found)

    async def _rows_of_clock(self, key: TableKey) -> Mapping[hands.Turn, str]:
        """What the clock will lay, worked out where nobody waits for it."""
        found = await self._run_out(key)
        if found is None:
            return {}
        return await asyncio.get_running_loop().run_in_executor(None, hands.rows_of_clock, *found)

    async def _run_out(self, key: TableKey) -> tuple[Hand, list[Player]] | None:
        """The running hand and the people whose turn has run out."""
        try:
            return await self.read(lambda s: hands.run_out(s, key))
        except HandLostError:
            return None

    async def _play_computers(self, key: TableKey, due_at: int) -> None:
        """Let each computer that may act lay its cards; it sees only what a player in its seat sees."""
        public = await self.look(key)
        for seat in public.hand.seats if public.hand and not public.hand.over else ():
            ready = seat.waiting or (seat.fantasyland and not seat.laid)
            if is_computer(seat.player) and ready and not seat.forfeited:
                await self._play_computer(key, Player(seat.player))

        def done(s: Session) -> None:
            if s.tx.timer(key, Timer.COMPUTER) == due_at:
                s.tx.clear_timer(key, Timer.COMPUTER)

        await self.write(done)

    async def _play_computer(self, key: TableKey, player: Player) -> None:
        seen = await self.look(key, player)
        if seen.hand is None or seen.hand.mine is None or not seen.hand.mine.held:
            return
        loop = asyncio.get_running_loop()
        rows = await loop.run_in_executor(None, choose_placement, seen.hand)
        try:
            await self.lay(key, player, hand_no=seen.table.hand_no, street=seen.hand.street, rows=rows, cause=None)
        except (Refused, Stale):
            return


def _after_restore(s: Session, copied_at: int | None) -> int:
    """Make all secrets anew that may be known by now, under names of their own; returns at how many tables."""
    s.tx.begin_epoch(f"{s.now:x}", copied_at=copied_at, at=s.now)
    for event in s.tx.running_events():
        director.after_restore(s, event)
    tables = s.tx.all_open()
    for key in tables:
        lobby.after_restore(s, s.table(key))
    return len(tables)


def _end_outage(s: Session, shard: Shard, since: int, *, until: int) -> int:
    """Give a shard's clocks back the time (ms) in which it was cut off; returns it."""
    lost = max(0, until - since)
    s.tx.shift_timers(lost, shard=shard, tell=lost >= TOLD_MS)
    s.tx.end_outage(shard)
    return lost


def _due(s: Session, *, now: int, limit: int) -> tuple[list[tuple[TableKey, Timer, int]], list[EventKey]]:
    """The deadlines and the events' alarms to act on next, those that waited longest first."""
    return s.tx.due(now, limit=limit), s.tx.event_alarms(now, limit=DUE_AT_ONCE)


def _retry(s: Session, key: TableKey, timer: Timer, due_at: int) -> None:
    """Move a deadline whose work failed, unless somebody else moved it in the meantime."""
    if s.tx.timer(key, timer) == due_at:
        s.tx.set_timer(key, timer, s.now + RETRY_MS)


def _shown(s: Session, table: Table, turn: ShownTurn | None) -> None:
    """What waited for a message begins."""
    if turn is not None and table.state is TableState.PLAYING:
        hands.told(s, table, turn)
    director.shown(s, table)


def _act(s: Session, key: TableKey, timer: Timer, due_at: int, rows: Mapping[hands.Turn, str]) -> None:
    """What a deadline does, unless it was moved in the meantime."""
    if s.tx.timer(key, timer) != due_at:
        return
    s.tx.clear_timer(key, timer)
    table = s.table(key)
    if timer is Timer.LOBBY:
        lobby.close(s, table, reason="waited_too_long")
    elif timer is Timer.TURN:
        hands.time_out(s, table, rows)
    elif timer is Timer.REMIND:
        hands.remind(s, table)
    elif timer is Timer.UNTOLD:
        hands.begin_untold(s, table)
    elif table.event is not None:
        s.events_to_direct.add(table.event)  # the director deals there
    else:
        lobby.next_hand(s, table)
