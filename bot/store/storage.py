"""Storage of play over an open database of either kind."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Protocol, TypeVar

from bot.model.errors import StorageDoubtError, StorageUnavailableError
from bot.model.ids import EventKey, GuildId, TableKey
from bot.store import StoreDoubtError, StoreUnavailableError
from bot.store.invariants import unbalanced
from bot.store.sql import Sql
from bot.store.transaction import Tx

T = TypeVar("T")
C = TypeVar("C")

OF_TABLES = frozenset(
    ("game_table", "seat", "account", "timer", "hand", "table_log", "outbox", "event_table", "leaving")
)
"""Tables whose rows count as a change to a game table, for watchers. ``OF_EVENTS`` is its counterpart for events."""
OF_EVENTS = frozenset(("event",))


class Watcher(Protocol):
    """Observer of writing transactions, told which tables and events each one changes.

    Both methods run on the transaction's thread. Transactions for different servers may run concurrently.
    """

    def before_commit(self, tx: Tx, changed: Collection[TableKey | EventKey]) -> None:
        """Read the data to be committed. Writing is no longer allowed."""
        ...

    def after_commit(self, changed: Collection[TableKey | EventKey], *, well: bool) -> None:
        """Handle the outcome, before any caller gets it. ``well`` is False if the commit failed or is in doubt."""
        ...


TxOf = Callable[[Sql], Tx]
"""Wraps a database transaction as a transaction of play."""


class Database(Protocol[C]):
    """An open database. Its jobs take the driver's transaction, which ``sql`` wraps in the common interface."""

    async def write(self, job: Callable[[C], T], *, patient: bool = False) -> T: ...
    async def read(self, job: Callable[[C], T]) -> T: ...
    def sql(self, transaction: C, /) -> Sql: ...
    def watch(self, watcher: Watcher, tx_of: TxOf) -> None: ...
    async def tidy(self) -> None: ...
    async def claim(self, owner: str) -> None: ...
    async def close(self) -> None: ...


class SqlStorage:
    """Storage of play on an SQL database."""

    def __init__(self, database: Database[Any]) -> None:
        self._database = database
        self._tx: tuple[Sql, Tx] | None = None

    async def write(self, job: Callable[[Tx], T], *, patient: bool = False) -> T:
        """Run ``job`` in a transaction, and return once it's safely on disk. Raises StorageUnavailableError."""
        sql = self._database.sql
        try:
            return await self._database.write(lambda transaction: job(self._tx_of(sql(transaction))), patient=patient)
        except StoreUnavailableError as trouble:
            raise _known_to_play(trouble) from trouble

    async def read(self, job: Callable[[Tx], T]) -> T:
        """Run ``job`` on a snapshot of the committed data. Raises StorageUnavailableError."""
        sql = self._database.sql
        try:
            return await self._database.read(lambda transaction: job(Tx(sql(transaction))))
        except StoreUnavailableError as trouble:
            raise _known_to_play(trouble) from trouble

    async def unbalanced(self) -> list[GuildId]:
        """Return the servers whose transfers don't add up to their balances. Raises StorageUnavailableError."""
        sql = self._database.sql
        try:
            return await self._database.read(lambda transaction: unbalanced(sql(transaction)))
        except StoreUnavailableError as trouble:
            raise _known_to_play(trouble) from trouble

    async def tidy(self) -> None:
        """Remove the remains of deleted data as far as possible."""
        await self._database.tidy()

    def watch(self, watcher: Watcher) -> None:
        """Notify ``watcher`` of each writing transaction, on the transaction's thread."""
        self._database.watch(watcher, self._tx_of)

    def _tx_of(self, sql: Sql) -> Tx:
        """Return play's transaction over ``sql``. Repeated calls return the same object, because it caches rows.

        Safe on any thread. A concurrent call with another transaction only costs the cache.
        """
        last = self._tx
        if last is None or last[0] is not sql:
            self._tx = last = sql, Tx(sql)
        return last[1]


def _known_to_play(trouble: StoreUnavailableError) -> StorageUnavailableError:
    """Convert a store error to the exception that play handles."""
    return (StorageDoubtError if isinstance(trouble, StoreDoubtError) else StorageUnavailableError)(str(trouble))
