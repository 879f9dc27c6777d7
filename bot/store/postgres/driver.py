"""PostgreSQL implementation of :class:`bot.store.sql.Sql`, for one transaction of a connection.

Transactions that write for the same server run one after another, like all writes in SQLite. The first statement that
names a server takes a lock, which ends with the transaction. So a use case may read, compute, and write based on what
it read. Each statement sees everything committed before it started, including the work of the transaction that held the
lock.

The bot's own statements are queued in a pipe until an answer is needed (``pipe.py``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple, Protocol

import psycopg
from typing_extensions import override

from bot.model.ids import EventKey, GuildId, Shard, TableId, TableKey
from bot.store import StoreBusyError, StoreFatalError
from bot.store.postgres.rows import PostgresRow
from bot.store.sql import Value
from bot.store.storage import OF_EVENTS, OF_TABLES

Changed = set[TableKey | EventKey]

EVERYTHING = -1
"""Advisory lock that all writing transactions share, and that exclusive ones take exclusively."""
CLOCKS = 1
"""First key of the locks for shards' clocks. Writers for a shard share its lock, and transactions that shift clocks
take it exclusively."""
LOCK_MS = 10_000
"""Timeout for waiting for another transaction (ms)."""
CROWDED_MS = 300
"""Timeout for taking an exclusive lock (ms), because all others queue behind it. It's below the server's deadlock
timeout."""
MAX_LOCK_TIMEOUT_MS = 2_400
"""Maximum of that timeout for a shard's clock lock, where it doubles on each retry. It delays only that shard's writes.

On a slow machine, some transaction is always writing for the shard or waiting for one that does."""
_TELLS_OF_TABLE = OF_TABLES | {"transfer"}
"""Tables whose changes are reported. Transfers change accounts by a trigger, whose statements the driver can't see."""
_PARAMETER = re.compile(r"'[^']*'|:(\w+)|%")
_WRITES = re.compile(r"(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)")


class StatementResult(Protocol):
    """Result of a statement. Fetching rows waits for them."""

    def fetchone(self) -> PostgresRow | None: ...
    def fetchall(self) -> list[PostgresRow]: ...
    def __iter__(self) -> Iterator[PostgresRow]: ...


class Transaction(Protocol):
    """Something that executes a transaction's statements: a psycopg connection or a pipe."""

    def execute(self, statement: str, values: Mapping[str, Value] = ..., /) -> StatementResult: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LockScope:
    """Locks that a transaction takes exclusively at its start. Taking them later could cause deadlocks."""

    everything: bool = False
    shards: frozenset[int] = frozenset()

    def __or__(self, other: LockScope) -> LockScope:
        return LockScope(everything=self.everything or other.everything, shards=self.shards | other.shards)

    def __contains__(self, other: LockScope) -> bool:
        return self.everything or (not other.everything and other.shards <= self.shards)


NOTHING = LockScope()


class LockUpgradeError(Exception):
    """The transaction needs exclusive locks, so it must restart and take them first."""

    def __init__(self, wanted: LockScope) -> None:
        super().__init__("the transaction restarts to take exclusive locks")
        self.wanted = wanted


class LockTimeoutError(StoreBusyError):
    """An exclusive lock wasn't available within its timeout, which is short so that others needn't queue."""


class WritePermission(Protocol):
    """A transaction's permission to write if several processes share the database (``bot/run/cluster/``)."""

    @property
    def shard_count(self) -> int:
        """Number of shards that the processes share."""
        ...

    def begin(self) -> None:
        """Check that the process still has its lease, and keep others from ending it during the transaction."""
        ...

    def write_for(self, guild: int) -> None:
        """Check that the process serves ``guild``, and keep others from taking it during the transaction."""
        ...

    def write_for_all(self) -> None:
        """Allow writes for all servers from now on."""
        ...

    def require_lease(self) -> None:
        """At the end, wait for the results of the checks. Raises StoreUnavailableError if writing isn't allowed."""
        ...


class Statement(NamedTuple):
    """A statement as it's sent to PostgreSQL."""

    text: str
    tells: type[TableKey] | type[EventKey] | None
    """Key type of the changed rows. The statement returns their keys, so that no change is missed."""


@lru_cache(1024)
def convert_statement(statement: str) -> Statement:
    """Return the statement in psycopg's parameter syntax, changed to return the keys of changed rows."""
    text = _PARAMETER.sub(_parameter, statement)
    written = _WRITES.match(statement)
    if written is None:
        return Statement(text=text, tells=None)
    if written[1] in _TELLS_OF_TABLE:
        return Statement(text=f"{text} RETURNING guild_id, table_id", tells=TableKey)
    if written[1] in OF_EVENTS:
        return Statement(text=f"{text} RETURNING guild_id, event_id", tells=EventKey)
    return Statement(text=text, tells=None)


def _parameter(found: re.Match[str]) -> str:
    return f"%({found[1]})s" if found[1] else found[0].replace("%", "%%")


class PostgresSql:
    """Statements of a read-only transaction."""

    def __init__(self, connection: Transaction) -> None:
        self._connection = connection

    def one(self, statement: str, /, **values: Value) -> PostgresRow | None:
        return self._asked(statement, values).fetchone()

    def all(self, statement: str, /, **values: Value) -> list[PostgresRow]:
        return self._asked(statement, values).fetchall()

    def ahead(self, statement: str, /, **values: Value) -> Callable[[], list[PostgresRow]]:
        return self._asked(statement, values).fetchall

    def run(self, statement: str, /, **values: Value) -> None:
        self._asked(statement, values)

    def many(self, statement: str, rows: Iterable[Mapping[str, Value]], /) -> None:
        for row in rows:
            self._asked(statement, row)

    @contextmanager
    def unguarded(self, tables: Sequence[str], /) -> Iterator[None]:
        guards = [
            (row["owner"], row["name"])
            for row in self.all(
                "SELECT c.relname AS owner, t.tgname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
                "WHERE c.relnamespace = to_regnamespace(current_schema()) AND t.tgname LIKE '%_is_final_%'"
            )
            if row["owner"] in tables
        ]
        for table, name in guards:
            self.run(f"ALTER TABLE {table} DISABLE TRIGGER {name}")
        yield
        for table, name in guards:
            self.run(f"ALTER TABLE {table} ENABLE TRIGGER {name}")

    def hold(self, what: int | str, /) -> None:
        """Do nothing, because readers take no locks."""

    def hold_all(self) -> None:
        """Do nothing, because readers take no locks."""

    def hold_clocks(self, shards: Collection[Shard], /) -> None:
        """Do nothing, because readers take no locks."""

    def write_for_all(self) -> None:
        """Do nothing, because readers don't write."""

    def schema(self) -> int:
        row = self.one("SELECT schema FROM meta")
        return 0 if row is None else int(row["schema"])

    def home(self) -> str:
        row = self.one("SELECT quote_ident(current_schema()) AS name")
        assert row is not None
        return str(row["name"])

    def made_by(self) -> list[str]:
        row = self.one("SELECT to_regclass('migration') IS NOT NULL AS found")
        if row is None or not row["found"]:
            return []
        return [str(row["digest"]) for row in self.all("SELECT digest FROM migration ORDER BY number")]

    def is_copy(self) -> bool:
        row = self.one("SELECT is_copy FROM meta")
        return row is not None and bool(row["is_copy"])

    def become_copy(self) -> None:
        self.run("UPDATE meta SET is_copy = 1")

    def forget_copy(self) -> None:
        self.run("UPDATE meta SET is_copy = 0")

    def _asked(self, statement: str, values: Mapping[str, Value]) -> StatementResult:
        return self._connection.execute(convert_statement(statement).text, values)


class WritingSql(PostgresSql):
    """Statements of a writing transaction.

    ``opening`` is the number under which the database was opened (``meta.opening``). Each transaction checks that it's
    current, and :meth:`finish` raises if it isn't. ``permission``, if given, is checked too. ``alone`` lists the locks
    to take exclusively at the start, with the timeout ``crowded_ms``. With ``apart``, the transaction writes nothing
    that belongs to play, and doesn't wait for exclusive ones.
    """

    def __init__(
        self,
        connection: Transaction,
        *,
        opening: int,
        permission: WritePermission | None = None,
        alone: LockScope = NOTHING,
        crowded_ms: int = CROWDED_MS,
        apart: bool = False,
    ) -> None:
        super().__init__(connection)
        self._alone = alone
        self._crowded_ms = crowded_ms
        self._apart = apart
        self._opening = opening
        self._permission = permission
        self._held: set[int] = set()
        self._entered: StatementResult | None = None
        self._told: list[tuple[StatementResult, type[TableKey] | type[EventKey]]] = []
        self.number: int | None = None
        """Transaction id, for asking the server later whether it was committed."""

    def enter(self) -> None:
        """Start the transaction and lock out exclusive ones. Raises LockTimeoutError."""
        if self._alone != NOTHING:
            self._acquire_lock()
        elif not self._apart:
            self._connection.execute("SELECT pg_advisory_xact_lock_shared(%(all)s)", {"all": EVERYTHING})
        # A separate statement, so that it sees the commits of exclusive transactions.
        self._entered = self._connection.execute("SELECT opening, pg_current_xact_id()::text AS number FROM meta")
        if self._permission is not None:
            self._permission.begin()

    def _acquire_lock(self) -> None:
        """Take the exclusive locks with a short timeout, because all others queue behind this transaction."""
        everything = "pg_advisory_xact_lock" if self._alone.everything else "pg_advisory_xact_lock_shared"
        self._connection.execute(f"SET LOCAL lock_timeout = {self._crowded_ms}")
        asked = [self._connection.execute(f"SELECT {everything}(%(all)s)", {"all": EVERYTHING})]
        for shard in sorted(self._alone.shards):
            values = {"clocks": CLOCKS, "shard": shard}
            asked.append(
                self._connection.execute("SELECT pg_advisory_xact_lock(%(clocks)s::int, %(shard)s::int)", values)
            )
        self._connection.execute(f"SET LOCAL lock_timeout = {LOCK_MS}")
        try:
            for cursor in asked:
                cursor.fetchone()
        except psycopg.errors.LockNotAvailable as error:
            raise LockTimeoutError(
                "another transaction has held its locks for too long. Check what the server is doing"
            ) from error

    def finish(self) -> Changed:
        """Return the changes. Call it at the end. Raises StoreUnavailableError if the transaction may not be committed.

        Raises StoreFatalError if this process is no longer allowed to write at all.
        """
        assert self._entered is not None
        row = self._entered.fetchone()
        if row is None or row["opening"] != self._opening:
            raise StoreFatalError("another bot has opened the database since this one did, so this one stops")
        if self._permission is not None:
            self._permission.require_lease()
        self.number = int(row["number"])
        return {key for cursor, kind in self._told for found in cursor for key in _key(kind, found)}

    @override
    def hold(self, what: int | str, /) -> None:
        number = what if isinstance(what, int) else lock_number(what)
        if number not in self._held:
            self._connection.execute("SELECT pg_advisory_xact_lock(%(number)s)", {"number": number})
            self._held.add(number)

    @override
    def hold_all(self) -> None:
        self._require_lock(LockScope(everything=True))

    @override
    def hold_clocks(self, shards: Collection[Shard], /) -> None:
        count = None if self._permission is None else self._permission.shard_count
        if all(shard.count == count for shard in shards):
            self._require_lock(LockScope(shards=frozenset(shard.number for shard in shards)))
        else:
            self._require_lock(LockScope(everything=True))

    def _require_lock(self, wanted: LockScope) -> None:
        if wanted not in self._alone:
            raise LockUpgradeError(wanted)

    @override
    def write_for_all(self) -> None:
        if self._permission is not None:
            self._permission.write_for_all()

    @override
    def _asked(self, statement: str, values: Mapping[str, Value]) -> StatementResult:
        guild = values.get("guild_id")
        if isinstance(guild, int):
            self._write_for(guild)
        text, tells = convert_statement(statement)
        cursor = self._connection.execute(text, values)
        if tells is not None:
            self._told.append((cursor, tells))
        return cursor

    def _write_for(self, guild: int) -> None:
        if self._permission is None:
            self.hold(guild)
            return
        if guild not in self._held:
            self._connection.execute(
                "SELECT pg_advisory_xact_lock_shared(%(clocks)s::int, %(shard)s::int), "
                "pg_advisory_xact_lock(%(guild)s)",
                {"clocks": CLOCKS, "shard": (guild >> 22) % self._permission.shard_count, "guild": guild},
            )
            self._held.add(guild)
        self._permission.write_for(guild)


def _key(kind: type[TableKey] | type[EventKey], row: PostgresRow) -> Iterator[TableKey | EventKey]:
    guild, number = row
    if kind is EventKey:
        yield EventKey(guild=GuildId(guild), number=number)
    elif number is not None:
        yield TableKey(guild=GuildId(guild), table=TableId(number))


def lock_number(text: str) -> int:
    """Return the lock number for a text such as an interaction id. It's below all other lock numbers."""
    return -(2**56) - int.from_bytes(blake2b(text.encode(), digest_size=7).digest(), "big")
