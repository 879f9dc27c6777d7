"""The way into the storage: a use case is a function of a session, and runs whole or not at all.

A :class:`Transactions` lets its holder read every deck. It is given to play, to events and to the timekeeper when the
bot is put together (``bot/run/wiring.py``); they keep it to themselves, and nobody near Discord can reach it.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import signature
from threading import Lock, local
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from bot.model.choices import Wishes
from bot.model.deeds import note_deed
from bot.model.errors import StorageTroubleError
from bot.model.hands import Vault
from bot.model.ids import EventKey, GuildId, Player, Shard, TableKey, is_meant
from bot.model.refusals import Stale
from bot.model.tables import Table
from bot.play.bus import Bus
from bot.play.look import views
from bot.play.look.views import TableSeen
from bot.play.session.hand_cache import HandCache
from bot.play.session.policy import Policy
from bot.play.session.session import EventDesk, Session
from bot.store.queries import Queries
from bot.store.storage import Watcher
from bot.store.transaction import Tx

# The protocol that runs the transactions of play: the one storage of the bot, and those of tests.


class Storage(Protocol):
    """Runs transactions. ``write`` returns when what the job did is safe on disk; a job that raises changes nothing.

    One that is ``patient`` may wait a moment for the commit of another.
    """

    async def write(self, job: Callable[[Tx], T], *, patient: bool = False) -> T: ...
    async def read(self, job: Callable[[Tx], T]) -> T: ...
    async def unbalanced(self) -> list[GuildId]: ...
    async def tidy(self) -> None: ...
    def watch(self, watcher: Watcher) -> None: ...


# Tables as they were looked at last, kept for as long as nothing of them is written: a tapped row asks no database.

MOST_TABLES = 4096
"""Those looked at last; a table takes a few kilobytes."""
MOST_CHANGES = 65_536
"""Of so many tables and events it is known when they changed; then all is looked up again."""
MOST_AT_ONCE = 64
"""A commit that changes more than this is not looked at before it: its callers wait."""

Changed = TableKey | EventKey


@dataclass(frozen=True, slots=True, kw_only=True)
class _Remembered:
    seen: TableSeen = field(repr=False)
    at: int


class TableCache:
    """A cache of tables, used until the storage tells that something in it has changed.

    The storage tells so after each commit and before anybody is told of it: so what is found here is never older than
    the last answer that somebody had. A look that began before a change is not used after it, whichever ends first. So
    nothing need be known of who writes what or of what was rolled back, and all of it may be dropped at any instant.

    Two transactions that end at the same time may be told in the other order. What belongs to one server is written one
    after the other, so a number that each draws before its commit says which was the later, and the earlier one's look
    is not used.
    """

    def __init__(self, most: int = MOST_TABLES, most_changes: int = MOST_CHANGES) -> None:
        self._most = most
        self._most_changes = most_changes
        self._tables: OrderedDict[TableKey, _Remembered] = OrderedDict()
        self._changed: dict[Changed, int] = {}
        self._all_changed = 0
        self._commits = 0
        self._drawn = 0
        self._last: dict[Changed, int] = {}
        """The highest number among the transactions that are known to have changed each of them."""
        self._all_last = 0
        self._lock = Lock()

    @property
    def now(self) -> int:
        """The moment, in commits: to be asked before a look begins."""
        return self._commits

    def draw(self, changed: Collection[Changed] = ()) -> tuple[int, dict[TableKey, TableSeen]]:
        """A number for a transaction that is about to be committed, and holds what it changes until then.

        Beside it the tables among that which are known so far, perhaps as they stood some changes ago; none where so
        much changes at once.
        """
        with self._lock:
            self._drawn += 1
            few = changed if len(changed) <= MOST_AT_ONCE else ()
            keys = [key for key in few if isinstance(key, TableKey) and key in self._tables]
            return self._drawn, {key: self._tables[key].seen for key in keys}

    def changed(self, keys: Collection[Changed], now: Iterable[TableSeen] = (), *, number: int) -> None:
        """Something of these tables and events was committed by the transaction that has drawn this number.

        ``now`` is how some of the tables stand since then.
        """
        with self._lock:
            self._commits += 1
            for seen in now:
                # Where no transaction after this one has been told already.
                if _newest(self._last, seen.table, otherwise=self._all_last) <= number:
                    self._tables[seen.table.key] = _Remembered(seen=seen, at=self._commits)
            self._changed.update(dict.fromkeys(keys, self._commits))
            self._last.update({key: max(number, self._last.get(key, 0)) for key in keys})
            if len(self._changed) > self._most_changes:
                self._all_are_old()

    def _all_are_old(self) -> None:
        self._changed.clear()
        self._last.clear()
        # Of what is under way nothing is used that was looked at before.
        self._drawn += 1
        self._all_changed, self._all_last = self._commits, self._drawn

    def forget(self, shard: Shard) -> None:
        """Others write for a shard's servers, or have done so: nothing that was read of them is used any more."""
        with self._lock:
            self._commits += 1
            self._all_are_old()
            for key in [key for key in self._tables if shard.serves(key.guild)]:
                del self._tables[key]

    def keep(self, seen: TableSeen, *, at: int) -> None:
        """Remember what a look has found that began at this moment."""
        key = seen.table.key
        with self._lock:
            before = self._tables.get(key)
            if before is None or before.at <= at:
                self._tables[key] = _Remembered(seen=seen, at=at)
            self._tables.move_to_end(key)
            while len(self._tables) > self._most:
                self._tables.popitem(last=False)

    def table(self, key: TableKey) -> TableSeen | None:
        """The table as it is committed; None where that must be looked up."""
        with self._lock:
            found = self._tables.get(key)
            if found is None or _newest(self._changed, found.seen.table, otherwise=self._all_changed) > found.at:
                return None
            self._tables.move_to_end(key)
            return found.seen


def _newest(numbers: Mapping[Changed, int], table: Table, *, otherwise: int) -> int:
    """The higher of the numbers of a table and of its event; ``otherwise`` is the number of what has none."""
    own = numbers.get(table.key, otherwise)
    return own if table.event is None else max(own, numbers.get(table.event, otherwise))


class _Changing(local):
    """What the transaction of a thread is about to change: its number, and how its tables will stand."""

    number = 0
    tables: Sequence[TableSeen] = ()


T = TypeVar("T")
Q = TypeVar("Q", bound=Queries)
P = ParamSpec("P")
log = logging.getLogger(__name__)


class Transactions:
    """Runs use cases over a storage. After the commit, the bus is notified of the tables and events that changed.

    ``now`` is the time in milliseconds. ``published`` says that messages show the tables and that this is noted
    (:meth:`bot.play.doors.play.Play.drawn`): clocks wait for it.
    """

    def __init__(
        self,
        storage: Storage,
        vault: Vault,
        *,
        desk: EventDesk,
        policy: Policy,
        now_ms: Callable[[], int],
        bus: Bus,
        published: bool = False,
        asks_members: bool = False,
    ) -> None:
        self._storage = storage
        self._vault = vault
        self._desk = desk
        self._policy = policy
        self._published = published
        self._asks_members = asks_members
        self._cache = HandCache()
        self._memory = TableCache()
        self._changing = _Changing()
        self.bus = bus
        self.now = now_ms
        self.frozen: frozenset[GuildId] = frozenset()
        """Guilds whose books do not balance."""
        self.next_due: int | None = None
        """When the next alarm is due (ms), as the last write has left it; None before the first, or without any."""
        self.written_at = now_ms()
        """When something was last written (ms)."""
        storage.watch(self)

    async def write(self, job: Callable[[Session], T], *, patient: bool = False, sets_clocks: bool = True) -> T:
        """Run a use case in one transaction, with all that follows from it for events; then notify the bus.

        What nobody waits for is ``patient``: it need not be written before something else is. After one that
        ``sets_clocks`` nowhere the next alarm is not asked for.
        """

        def run(tx: Tx) -> tuple[T, Session, int | None]:
            session = self._session(tx)
            result = job(session)
            if session.events_to_direct:
                self._desk.follow(session)
            return result, session, tx.timers.next_due() if sets_clocks else None

        try:
            result, session, due = await self._storage.write(run, patient=patient)
        except StorageTroubleError:
            note_deed(well=False)
            raise
        if not patient:
            note_deed(well=True)
        if sets_clocks:
            self.next_due = due
        self.written_at = self.now()
        for key in session.changed_tables:
            self.bus.table_changed.send(key)
        for event in session.changed_events:
            self.bus.event_changed.send(event)
        for event in session.roll_calls:
            self.bus.roll_called.send(event)
        return result

    async def read(self, job: Callable[[Session], T]) -> T:
        """Look at what is committed."""
        return await self._storage.read(lambda tx: job(self._session(tx)))

    async def seen(self, key: TableKey) -> TableSeen:
        """A table with all its cards, from memory where it has not changed since; raises Refused or Stale."""
        seen = self._memory.table(key)
        if seen is None:
            begun = self._memory.now
            seen = await self.read(lambda s: views.look(s, key))
            self._memory.keep(seen, at=begun)
        elif not is_meant(key.tag, own=seen.table.tag, epoch=seen.table.epoch):
            raise Stale
        return seen

    def forget(self, shard: Shard) -> None:
        """Remember nothing of a shard's servers: other processes write for them, or have done so."""
        self._memory.forget(shard)

    async def tidy(self) -> None:
        """Leave as little as can be of what was deleted."""
        await self._storage.tidy()

    async def unbalanced(self) -> frozenset[GuildId]:
        """The guilds whose books do not balance."""
        return frozenset(await self._storage.unbalanced())

    def before_commit(self, tx: Tx, changed: Collection[TableKey | EventKey]) -> None:
        """Look at what is about to change, in the transaction that changes it: on its thread."""
        self._changing.number, known = self._memory.draw(changed)
        self._changing.tables = ()
        session = self._session(tx)
        try:
            self._changing.tables = [views.look(session, key, seen) for key, seen in known.items()]
        except Exception as error:
            # Whoever looks next meets the same trouble where it can be told.
            log.debug("tables that change are not looked at beforehand: %r", error)

    def after_commit(self, changed: Collection[TableKey | EventKey], *, well: bool) -> None:
        """Remember how they stand now, or forget how they stood: on the same thread."""
        now, self._changing.tables = self._changing.tables, ()
        self._memory.changed(changed, now if well else (), number=self._changing.number)
        self.bus.committed.send(changed)

    def _session(self, tx: Tx) -> Session:
        return Session(
            tx=tx,
            desk=self._desk,
            policy=self._policy,
            vault=self._vault,
            now=self.now(),
            cache=self._cache,
            frozen=self.frozen,
            published=self._published,
            asks_members=self._asks_members,
        )


# The wishes of players, kept beside the database: every press is answered as its reader wishes.

MOST_KNOWN = 20_000
"""Players whose wishes are remembered; those not seen for longest are looked up again."""


class KnownWishes:
    """The wishes of players, which are changed here and nowhere else."""

    def __init__(self, transactions: Transactions) -> None:
        self._read, self._write = transactions.read, transactions.write
        self._known: OrderedDict[tuple[GuildId, Player], Wishes] = OrderedDict()

    async def of(self, guild: GuildId, player: Player) -> Wishes:
        """The wishes of a player in a server."""
        who = (guild, player)
        if who not in self._known:
            found = await self._read(lambda s: s.tx.choices.wishes(guild, player))
            # A change that was made meanwhile is newer than what was read.
            self._known.setdefault(who, found)
        self._known.move_to_end(who)
        wishes = self._known[who]
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return wishes

    def forget(self, player: Player | None = None) -> None:
        """Look up again what a player has chosen, because it was deleted; or what all have."""
        if player is None:
            self._known.clear()
        for who in [who for who in self._known if who[1] == player]:
            del self._known[who]

    async def change(self, guild: GuildId, player: Player, change: Callable[[Wishes], Wishes]) -> Wishes:
        """Change it, from the player's next turn on; returns all of it."""

        def wished(s: Session) -> Wishes:
            before = s.tx.choices.wishes(guild, player)
            wishes = change(before)
            # Of somebody who was deleted meanwhile, and wishes nothing, nothing is kept.
            if wishes != before:
                s.tx.choices.save_wishes(guild, player, wishes)
            return wishes

        self._known[guild, player] = wishes = await self._write(wished)
        return wishes

    async def show(self, guild: GuildId, player: Player, hand: str) -> None:
        """Note which hand a player is shown (``Wishes.shown``); written only where it is another one than before."""
        wishes = await self.of(guild, player)
        if wishes.shown != hand:
            # Known even where it cannot be written: what is typed next is for the hand on the screen.
            self._known[guild, player] = replace(wishes, shown=hand)
            await self.change(guild, player, lambda before: replace(before, shown=hand))


# The doors.


class Door:
    """Use cases as awaitable calls; it keeps the transactions to itself."""

    def __init__(self, transactions: Transactions) -> None:
        self._read, self._write = transactions.read, transactions.write


def writes(job: Callable[Concatenate[Session, P], T]) -> Callable[Concatenate[Door, P], Coroutine[Any, Any, T]]:
    """A use case as a method of a door: it runs in a transaction that writes, and raises what the use case raises."""

    async def call(self: Door, /, *args: P.args, **named: P.kwargs) -> T:
        return await self._write(lambda s: job(s, *args, **named))

    _named(call, job)
    return call


def reads(job: Callable[Concatenate[Session, P], T]) -> Callable[Concatenate[Door, P], Coroutine[Any, Any, T]]:
    """The same of a use case that only looks at what is committed."""

    async def call(self: Door, /, *args: P.args, **named: P.kwargs) -> T:
        return await self._read(lambda s: job(s, *args, **named))

    _named(call, job)
    return call


def asks(
    kind: type[Q], query: Callable[Concatenate[Q, P], T]
) -> Callable[Concatenate[Door, P], Coroutine[Any, Any, T]]:
    """Like :func:`reads`, for a single query of the transaction's part ``kind``."""

    async def call(self: Door, /, *args: P.args, **named: P.kwargs) -> T:
        return await self._read(lambda s: query(s.tx.part(kind), *args, **named))

    _named(call, query)
    return call


def _named(call: Callable[..., Any], work: Callable[..., Any]) -> None:
    """Give a door the name and docstring of what is done behind it, and its types but for the transaction's."""
    for name in ("__module__", "__name__", "__qualname__", "__doc__"):
        setattr(call, name, getattr(work, name))
    first, *_ = signature(work).parameters
    call.__annotations__ = {name: kind for name, kind in work.__annotations__.items() if name != first}
