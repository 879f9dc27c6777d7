"""The way into the storage: a use case is a function of a session, and runs whole or not at all.

A :class:`Transactions` lets its holder read every deck. It is given to play, to events and to the timekeeper when the
bot is put together (``bot/wiring.py``); they keep it to themselves, and nobody near Discord can reach it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Coroutine
from inspect import signature
from typing import Any, Concatenate, ParamSpec, TypeVar

from bot.model.hands import Vault
from bot.model.ids import EventKey, GuildId, Shard, TableKey, is_meant
from bot.model.refusals import Stale
from bot.play.doors.table_cache import TableCache
from bot.play.look import views
from bot.play.look.views import TableSeen
from bot.play.session.folds import Folds
from bot.play.session.policy import Policy
from bot.play.session.session import EventDesk, Session
from bot.play.session.storage import Storage
from bot.store.transaction import Tx

T = TypeVar("T")
P = ParamSpec("P")
log = logging.getLogger(__name__)


class Transactions:
    """Runs use cases over a storage. Listeners are told, after the commit, which tables and events changed.

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
        published: bool = False,
    ) -> None:
        self._storage = storage
        self._vault = vault
        self._desk = desk
        self._policy = policy
        self._published = published
        self._folds = Folds()
        self._memory = TableCache()
        self._changing: list[TableSeen] = []
        self._listeners: list[Callable[[TableKey], None]] = []
        self._event_listeners: list[Callable[[EventKey], None]] = []
        self.now = now_ms
        self.frozen: frozenset[GuildId] = frozenset()
        """Guilds whose books do not balance."""
        self.next_due: int | None = None
        """When the next alarm is due (ms), as the last write has left it; None before the first, or without any."""
        self.written_at = now_ms()
        """When something was last written (ms)."""
        storage.watch(self)

    def on_change(self, listener: Callable[[TableKey], None]) -> None:
        """Call ``listener`` with the key of every table that has changed."""
        self._listeners.append(listener)

    def on_event(self, listener: Callable[[EventKey], None]) -> None:
        """Call ``listener`` with the key of every event whose message has changed, or for which one waits."""
        self._event_listeners.append(listener)

    async def write(self, job: Callable[[Session], T], *, patient: bool = False) -> T:
        """Run a use case in one transaction, with all that follows from it for events; then tell the listeners.

        What nobody waits for is ``patient``: it need not be written before something else is.
        """

        def run(tx: Tx) -> tuple[T, Session, int | None]:
            session = self._session(tx)
            result = job(session)
            self._desk.follow(session)
            return result, session, tx.next_due()

        result, session, self.next_due = await self._storage.write(run, patient=patient)
        self.written_at = self.now()
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
            desk=self._desk,
            policy=self._policy,
            vault=self._vault,
            now=self.now(),
            folds=self._folds,
            frozen=self.frozen,
            published=self._published,
        )


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


def asks(query: Callable[Concatenate[Tx, P], T]) -> Callable[Concatenate[Door, P], Coroutine[Any, Any, T]]:
    """The same of a query, where nothing else is to be done."""

    async def call(self: Door, /, *args: P.args, **named: P.kwargs) -> T:
        return await self._read(lambda s: query(s.tx, *args, **named))

    _named(call, query)
    return call


def _named(call: Callable[..., Any], work: Callable[..., Any]) -> None:
    """Give a door the name and docstring of what is done behind it, and its types but for the transaction's."""
    for name in ("__module__", "__name__", "__qualname__", "__doc__"):
        setattr(call, name, getattr(work, name))
    first, *_ = signature(work).parameters
    call.__annotations__ = {name: kind for name, kind in work.__annotations__.items() if name != first}
