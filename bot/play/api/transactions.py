"""Access to the storage. A use case is a function of a session, and runs completely or not at all.

A :class:`Transactions` gives access to every deck. ``bot/run/wiring.py`` passes it to play, events and the timekeeper,
which keep it private, so no code near Discord can reach it.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import signature
from threading import Lock, local
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from bot.model.choices import MemberSettings
from bot.model.errors import StorageUnavailableError
from bot.model.hands import Vault
from bot.model.ids import EventKey, GuildId, Player, Shard, TableKey, matches_tag
from bot.model.refusals import Stale
from bot.model.tables import Table
from bot.model.write_tracker import note_write
from bot.play.bus import Bus
from bot.play.queries import views
from bot.play.queries.views import UnredactedTable
from bot.play.session.hand_cache import HandCache
from bot.play.session.policy import Policy
from bot.play.session.session import EventHooks, Session
from bot.store.queries import Queries
from bot.store.storage import Watcher
from bot.store.transaction import Tx

# The storage as seen by play, implemented by the bot's storage and by tests.


class Storage(Protocol):
    """Runs transactions. ``write`` returns after the job's changes are safe on disk. A job that raises changes nothing.

    A ``patient`` write may wait a moment to share another write's commit.
    """

    async def write(self, job: Callable[[Tx], T], *, patient: bool = False) -> T: ...
    async def read(self, job: Callable[[Tx], T]) -> T: ...
    async def unbalanced(self) -> list[GuildId]: ...
    async def tidy(self) -> None: ...
    def watch(self, watcher: Watcher) -> None: ...


# A cache of tables, so that tapping a row doesn't need a query.

MAX_TABLES = 4096
"""Maximum number of cached tables, each of a few kilobytes. The least recently used are dropped."""
MAX_CHANGES = 65_536
"""Maximum number of tables and events whose last change is tracked. Beyond that, the whole cache is invalidated."""
MAX_PRELOADED_TABLES = 64
"""Maximum number of changed tables that a commit reads in advance. With more, callers would wait too long."""

Changed = TableKey | EventKey


@dataclass(frozen=True, slots=True, kw_only=True)
class _RememberedCall:
    seen: UnredactedTable = field(repr=False)
    at: int


class TableCache:
    """A cache of tables, invalidated by the storage.

    The storage reports changes after each commit, before any caller learns of it, so a cached table is never older than
    a response already given. A read that started before a change isn't used after it, even if it ends later. So it
    doesn't matter who writes or what is rolled back, and the cache can be dropped at any time.

    Two transactions that end concurrently may be reported in the wrong order. A server's writes are serial, so a number
    drawn before each commit shows which came later, and the earlier one's read isn't used.
    """

    def __init__(self, most: int = MAX_TABLES, max_changes: int = MAX_CHANGES) -> None:
        self._most = most
        self._max_changes = max_changes
        self._tables: OrderedDict[TableKey, _RememberedCall] = OrderedDict()
        self._changed: dict[Changed, int] = {}
        self._all_changed = 0
        self._commits = 0
        self._drawn = 0
        self._last: dict[Changed, int] = {}
        """Highest known number of a transaction that changed each table or event."""
        self._all_last = 0
        self._lock = Lock()

    @property
    def now(self) -> int:
        """Number of commits so far. Get it before starting a read."""
        return self._commits

    def draw(self, changed: Collection[Changed] = ()) -> tuple[int, dict[TableKey, UnredactedTable]]:
        """Draw a number for a transaction that has locked ``changed`` and is about to commit.

        Return it with the cached tables among ``changed``, which may be outdated; none if too much changes in one
        commit.
        """
        with self._lock:
            self._drawn += 1
            few = changed if len(changed) <= MAX_PRELOADED_TABLES else ()
            keys = [key for key in few if isinstance(key, TableKey) and key in self._tables]
            return self._drawn, {key: self._tables[key].seen for key in keys}

    def changed(self, keys: Collection[Changed], now: Iterable[UnredactedTable] = (), *, number: int) -> None:
        """Record the commit of a transaction, with the number drawn for it.

        ``now`` holds the new state of some of the tables.
        """
        with self._lock:
            self._commits += 1
            for seen in now:
                # Skip it if a later transaction has already been reported.
                if _newest(self._last, seen.table, otherwise=self._all_last) <= number:
                    self._tables[seen.table.key] = _RememberedCall(seen=seen, at=self._commits)
            self._changed.update(dict.fromkeys(keys, self._commits))
            self._last.update({key: max(number, self._last.get(key, 0)) for key in keys})
            if len(self._changed) > self._max_changes:
                self._all_are_old()

    def _all_are_old(self) -> None:
        self._changed.clear()
        self._last.clear()
        # Reads in progress that started earlier aren't used.
        self._drawn += 1
        self._all_changed, self._all_last = self._commits, self._drawn

    def forget(self, shard: Shard) -> None:
        """Invalidate a shard's servers because other processes write or have written their data."""
        with self._lock:
            self._commits += 1
            self._all_are_old()
            for key in [key for key in self._tables if shard.serves(key.guild)]:
                del self._tables[key]

    def keep(self, seen: UnredactedTable, *, at: int) -> None:
        """Cache a table read that started at commit ``at``."""
        key = seen.table.key
        with self._lock:
            before = self._tables.get(key)
            if before is None or before.at <= at:
                self._tables[key] = _RememberedCall(seen=seen, at=at)
            self._tables.move_to_end(key)
            while len(self._tables) > self._most:
                self._tables.popitem(last=False)

    def table(self, key: TableKey) -> UnredactedTable | None:
        """Return the committed table; None if it must be read."""
        with self._lock:
            found = self._tables.get(key)
            if found is None or _newest(self._changed, found.seen.table, otherwise=self._all_changed) > found.at:
                return None
            self._tables.move_to_end(key)
            return found.seen


def _newest(numbers: Mapping[Changed, int], table: Table, *, otherwise: int) -> int:
    """Return the highest number of a table and its event; ``otherwise`` is the number of a missing entry."""
    own = numbers.get(table.key, otherwise)
    return own if table.event is None else max(own, numbers.get(table.event, otherwise))


class _Changing(local):
    """The changes that a thread's transaction is about to commit: its number and the new state of its tables."""

    number = 0
    tables: Sequence[UnredactedTable] = ()


T = TypeVar("T")
Q = TypeVar("Q", bound=Queries)
P = ParamSpec("P")
log = logging.getLogger(__name__)


class Transactions:
    """Runs use cases over a storage. After a commit, the bus is notified of the changed tables and events.

    ``now`` is the time in milliseconds. ``published`` means that messages show the tables, and that this is recorded
    (:meth:`bot.play.api.play.Play.drawn`), so clocks wait for the messages.
    """

    def __init__(
        self,
        storage: Storage,
        vault: Vault,
        *,
        desk: EventHooks,
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
        """Servers whose books don't balance."""
        self.next_due: int | None = None
        """When the next alarm is due (ms), as of the last write; None before the first write or if there is none."""
        self.written_at = now_ms()
        """When the last write happened (ms)."""
        storage.watch(self)

    async def write(self, job: Callable[[Session], T], *, patient: bool = False, sets_clocks: bool = True) -> T:
        """Run a use case and its consequences for events in one transaction, then notify the bus.

        ``patient`` means that no caller waits, so the write may share a later commit. If ``sets_clocks`` is False, the
        next alarm isn't queried.
        """

        def run(tx: Tx) -> tuple[T, Session, int | None]:
            session = self._session(tx)
            result = job(session)
            if session.events_to_direct:
                self._desk.follow(session)
            return result, session, tx.timers.next_due() if sets_clocks else None

        try:
            result, session, due = await self._storage.write(run, patient=patient)
        except StorageUnavailableError:
            note_write(well=False)
            raise
        if not patient:
            note_write(well=True)
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
        """Read committed data."""
        return await self._storage.read(lambda tx: job(self._session(tx)))

    async def seen(self, key: TableKey) -> UnredactedTable:
        """Return a table with all its cards, from the cache if it's unchanged; raises Refused or Stale."""
        seen = self._memory.table(key)
        if seen is None:
            begun = self._memory.now
            seen = await self.read(lambda s: views.look(s, key))
            self._memory.keep(seen, at=begun)
        elif not matches_tag(key.tag, own=seen.table.tag, epoch=seen.table.epoch):
            raise Stale
        return seen

    def forget(self, shard: Shard) -> None:
        """Clear the cache of a shard's servers because other processes write or have written their data."""
        self._memory.forget(shard)

    async def tidy(self) -> None:
        """Erase remains of deleted data as far as possible."""
        await self._storage.tidy()

    async def unbalanced(self) -> frozenset[GuildId]:
        """Return the servers whose books don't balance."""
        return frozenset(await self._storage.unbalanced())

    def before_commit(self, tx: Tx, changed: Collection[TableKey | EventKey]) -> None:
        """Read the tables that are about to change, within the transaction and on its thread."""
        self._changing.number, known = self._memory.draw(changed)
        self._changing.tables = ()
        session = self._session(tx)
        try:
            self._changing.tables = [views.look(session, key, seen) for key, seen in known.items()]
        except Exception as error:
            # The next reader gets the same error and can report it.
            log.debug("changed tables could not be read before the commit: %r", error)

    def after_commit(self, changed: Collection[TableKey | EventKey], *, well: bool) -> None:
        """Update the cache, or invalidate it if the commit failed. Runs on the transaction's thread."""
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


# A cache of members' settings, because every response depends on them.

MAX_CACHED_SETTINGS = 20_000
"""Maximum number of cached settings. The least recently used are dropped."""


class SettingsCache:
    """Cache of members' settings. Only this class changes them."""

    def __init__(self, transactions: Transactions) -> None:
        self._read, self._write = transactions.read, transactions.write
        self._bus = transactions.bus
        self._known: OrderedDict[tuple[GuildId, Player], MemberSettings] = OrderedDict()

    async def of(self, guild: GuildId, player: Player) -> MemberSettings:
        """Return a player's settings in a server."""
        who = (guild, player)
        if who not in self._known:
            found = await self._read(lambda s: s.tx.choices.member_settings(guild, player))
            # A concurrent change is newer than this result.
            self._known.setdefault(who, found)
        self._known.move_to_end(who)
        member_settings = self._known[who]
        while len(self._known) > MAX_CACHED_SETTINGS:
            self._known.popitem(last=False)
        return member_settings

    def forget(self, player: Player | None = None) -> None:
        """Clear the cached settings of ``player``, or of everyone if it's None."""
        if player is None:
            self._known.clear()
        for who in [who for who in self._known if who[1] == player]:
            del self._known[who]

    async def change(
        self, guild: GuildId, player: Player, change: Callable[[MemberSettings], MemberSettings]
    ) -> MemberSettings:
        """Change a player's settings from their next turn on, and return all of them."""

        def wished(s: Session) -> tuple[MemberSettings, MemberSettings]:
            before = s.tx.choices.member_settings(guild, player)
            member_settings = change(before)
            # Default settings of a player who was deleted in the meantime aren't stored.
            if member_settings != before:
                s.tx.choices.save_member_settings(guild, player, member_settings)
            return before, member_settings

        before, member_settings = await self._write(wished)
        self._known[guild, player] = member_settings
        if before.profile_visible != member_settings.profile_visible:
            self._bus.profile_changed.send(guild, player)
        return member_settings

    async def show(self, guild: GuildId, player: Player, hand: str) -> None:
        """Record the hand that a player is shown (``MemberSettings.shown``). Writes only if it has changed."""
        member_settings = await self.of(guild, player)
        if member_settings.shown != hand:
            # Cached even if the write fails, because cards typed next are for the hand on the screen.
            self._known[guild, player] = replace(member_settings, shown=hand)
            await self.change(guild, player, lambda before: replace(before, shown=hand))


# Base class and helpers of use cases.


class UseCases:
    """Use cases as awaitable calls, which keep the transactions private."""

    def __init__(self, transactions: Transactions) -> None:
        self._read, self._write = transactions.read, transactions.write


def writes(job: Callable[Concatenate[Session, P], T]) -> Callable[Concatenate[UseCases, P], Coroutine[Any, Any, T]]:
    """Wrap a use case as a method. It runs in a write transaction and raises the use case's exceptions."""

    async def call(self: UseCases, /, *args: P.args, **named: P.kwargs) -> T:
        return await self._write(lambda s: job(s, *args, **named))

    _copy_metadata(call, job)
    return call


def reads(job: Callable[Concatenate[Session, P], T]) -> Callable[Concatenate[UseCases, P], Coroutine[Any, Any, T]]:
    """Like :func:`writes`, for a use case that only reads committed data."""

    async def call(self: UseCases, /, *args: P.args, **named: P.kwargs) -> T:
        return await self._read(lambda s: job(s, *args, **named))

    _copy_metadata(call, job)
    return call


def asks(
    kind: type[Q], query: Callable[Concatenate[Q, P], T]
) -> Callable[Concatenate[UseCases, P], Coroutine[Any, Any, T]]:
    """Like :func:`reads`, for a single query of the transaction's part ``kind``."""

    async def call(self: UseCases, /, *args: P.args, **named: P.kwargs) -> T:
        return await self._read(lambda s: query(s.tx.part(kind), *args, **named))

    _copy_metadata(call, query)
    return call


def _copy_metadata(call: Callable[..., Any], work: Callable[..., Any]) -> None:
    """Copy the use case's name, docstring and annotations to ``call``, except for the session or query parameter."""
    for name in ("__module__", "__name__", "__qualname__", "__doc__"):
        setattr(call, name, getattr(work, name))
    first, *_ = signature(work).parameters
    call.__annotations__ = {name: kind for name, kind in work.__annotations__.items() if name != first}
