"""Play's storage over an open database, whichever it is."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Protocol, TypeVar

from bot.model.errors import StorageDoubtError, StorageTroubleError
from bot.model.ids import EventKey, GuildId, TableKey
from bot.store import StoreDoubtError, StoreTroubleError
from bot.store.books import unbalanced
from bot.store.sql import Sql
from bot.store.transaction import Tx

T = TypeVar("T")
C = TypeVar("C")

OF_TABLES = frozenset(
    ("game_table", "seat", "account", "timer", "hand", "table_log", "outbox", "event_table", "leaving")
)
"""Their rows count as a change of a table, and those of ``OF_EVENTS`` as one of an event: each watcher is told."""
OF_EVENTS = frozenset(("event",))


class Watcher(Protocol):
    """Is told by a storage of each transaction that writes, and which tables and events it changes.

    Both times on the thread of that transaction; several may be under way, for different servers.
    """

    def before_commit(self, tx: Tx, changed: Collection[TableKey | EventKey]) -> None:
        """Read what will be committed; nothing may be written any more."""
        ...

    def after_commit(self, changed: Collection[TableKey | EventKey], *, well: bool) -> None:
        """It was committed, and nobody was told of it yet; with ``well`` False it was not, or may not have been."""
        ...


TxOf = Callable[[Sql], Tx]
"""Makes of the seam to a transaction what play knows of it."""


class Database(Protocol[C]):
    """An open database. Its jobs are functions of what the driver gives them, of which ``sql`` makes the seam."""

    async def write(self, job: Callable[[C], T], *, patient: bool = False) -> T: ...
    async def read(self, job: Callable[[C], T]) -> T: ...
    def sql(self, transaction: C, /) -> Sql: ...
    def watch(self, watcher: Watcher, tx_of: TxOf) -> None: ...
    async def tidy(self) -> None: ...
    async def claim(self, owner: str) -> None: ...
    async def close(self) -> None: ...


class SqlStorage:
    """The storage of play, on a database that understands SQL."""

    def __init__(self, database: Database[Any]) -> None:
        self._database = database
        self._tx: tuple[Sql, Tx] | None = None

    async def write(self, job: Callable[[Tx], T], *, patient: bool = False) -> T:
        """Run ``job`` in a transaction; returns once it is safe on disk. Raises StorageTroubleError."""
        sql = self._database.sql
        try:
            return await self._database.write(lambda transaction: job(self._tx_of(sql(transaction))), patient=patient)
        except StoreTroubleError as trouble:
            raise _known_to_play(trouble) from trouble

    async def read(self, job: Callable[[Tx], T]) -> T:
        """Run ``job`` on a snapshot of what is committed. Raises StorageTroubleError."""
        sql = self._database.sql
        try:
            return await self._database.read(lambda transaction: job(Tx(sql(transaction))))
        except StoreTroubleError as trouble:
            raise _known_to_play(trouble) from trouble

    async def unbalanced(self) -> list[GuildId]:
        """The guilds whose ledger does not give their accounts. Raises StorageTroubleError."""
        sql = self._database.sql
        try:
            return await self._database.read(lambda transaction: unbalanced(sql(transaction)))
        except StoreTroubleError as trouble:
            raise _known_to_play(trouble) from trouble

    async def tidy(self) -> None:
        """Leave as little as can be of what was deleted."""
        await self._database.tidy()

    def watch(self, watcher: Watcher) -> None:
        """Tell ``watcher`` of each transaction; on the thread that writes it."""
        self._database.watch(watcher, self._tx_of)

    def _tx_of(self, sql: Sql) -> Tx:
        """Play's transaction over this one: the same as last for the same, since it knows what it has read and written.

        On any thread: whoever asks for another one meanwhile takes nothing away but time.
        """
        last = self._tx
        if last is None or last[0] is not sql:
            self._tx = last = sql, Tx(sql)
        return last[1]


def _known_to_play(trouble: StoreTroubleError) -> StorageTroubleError:
    """The store's trouble as what play knows of it."""
    return (StorageDoubtError if isinstance(trouble, StoreDoubtError) else StorageTroubleError)(str(trouble))
