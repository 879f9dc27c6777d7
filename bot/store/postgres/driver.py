"""PostgreSQL behind the seam: one transaction of a connection as :class:`bot.store.sql.Sql`.

What belongs to one server is written one transaction after the other, as SQLite writes everything: the first statement
that names a server holds it, by a lock that ends with the transaction. So a use case may read, think, and write what
follows. Each statement sees what was committed before it began; what it waits for, it has waited for by then.

The bot's own statements wait in a pipe until an answer is asked for (``pipe.py``).
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
from bot.store import StoreBrokenError, StoreBusyError
from bot.store.postgres.rows import PostgresRow
from bot.store.sql import Value
from bot.store.storage import OF_EVENTS, OF_TABLES

Changed = set[TableKey | EventKey]

EVERYTHING = -1
"""Is held by each transaction that writes, together with the others; by one that must be alone, alone."""
CLOCKS = 1
"""The first half of the locks of shards' clocks: who writes for a shard holds it with others, who moves them alone."""
LOCK_MS = 10_000
"""For how long a statement waits for another transaction."""
CROWDED_MS = 300
"""For how long who is to be alone waits, and all others behind it; less than until the server looks for deadlocks."""
MOST_CROWDED_MS = 2_400
"""The same at most for who moves the clocks of some shards, whose own writes alone wait: twice as long at each try.

On a slow machine there is always somebody who writes for a shard, or waits there for who does.
"""
_TELLS_OF_TABLE = OF_TABLES | {"transfer"}
"""A transfer writes accounts by a trigger, whose statements nobody sees."""
_PARAMETER = re.compile(r"'[^']*'|:(\w+)|%")
_WRITES = re.compile(r"(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)")


class Told(Protocol):
    """An answer to a statement; asking for its rows waits for it."""

    def fetchone(self) -> PostgresRow | None: ...
    def fetchall(self) -> list[PostgresRow]: ...
    def __iter__(self) -> Iterator[PostgresRow]: ...


class Transaction(Protocol):
    """What takes the statements of one transaction: a connection of psycopg, or a pipe."""

    def execute(self, statement: str, values: Mapping[str, Value] = ..., /) -> Told: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Alone:
    """Locks that a transaction takes exclusively at its start. Taking them later could cause deadlocks."""

    everything: bool = False
    shards: frozenset[int] = frozenset()

    def __or__(self, other: Alone) -> Alone:
        return Alone(everything=self.everything or other.everything, shards=self.shards | other.shards)

    def __contains__(self, other: Alone) -> bool:
        return self.everything or (not other.everything and other.shards <= self.shards)


NOTHING = Alone()


class AloneError(Exception):
    """The transaction runs once more from its beginning, and holds then what it has asked for."""

    def __init__(self, wanted: Alone) -> None:
        super().__init__("to be alone it begins once more")
        self.wanted = wanted


class CrowdedError(StoreBusyError):
    """Somebody writes for so long that nobody was to wait behind who wants to be alone: it is tried again."""


class Tenure(Protocol):
    """Whether a transaction may write, of a process that shares the database with others (``bot/run/many/``)."""

    @property
    def shard_count(self) -> int:
        """How many shards the processes share."""
        ...

    def begin(self) -> None:
        """Ask whether the process is not given up for dead; nobody can do so while the transaction goes on."""
        ...

    def write_for(self, guild: int) -> None:
        """Ask whether a server is its own; nobody can take it while the transaction goes on."""
        ...

    def write_for_all(self) -> None:
        """From here on each server may be written for."""
        ...

    def demand(self) -> None:
        """Hear the answers, once nothing is left to do. Raises StoreTroubleError where nothing may be written."""
        ...


class Statement(NamedTuple):
    """A statement as PostgreSQL is sent it."""

    text: str
    tells: type[TableKey] | type[EventKey] | None
    """The kind of number that its rows belong to; the statement gives them back, so that none can be forgotten."""


@lru_cache(1024)
def statement_of(statement: str) -> Statement:
    """The same with parameters as psycopg writes them, and asking for what was changed."""
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
    """The statements of one transaction that only reads."""

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
        """Who only reads waits for nobody."""

    def hold_all(self) -> None:
        """The same."""

    def hold_clocks(self, shards: Collection[Shard], /) -> None:
        """The same."""

    def write_for_all(self) -> None:
        """Who only reads writes for nobody."""

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

    def _asked(self, statement: str, values: Mapping[str, Value]) -> Told:
        return self._connection.execute(statement_of(statement).text, values)


class WritingSql(PostgresSql):
    """The statements of one transaction that writes.

    ``opening`` is the number under which the database was opened (``meta.opening``): every transaction
    looks whether it still holds, and :meth:`finish` raises where it does not. With a ``tenure`` that is asked, too.
    It begins ``alone`` with what others may not use meanwhile, or gives up after ``crowded_ms``. One that stands
    ``apart`` writes nothing of play, and does not wait for who is alone.
    """

    def __init__(
        self,
        connection: Transaction,
        *,
        opening: int,
        tenure: Tenure | None = None,
        alone: Alone = NOTHING,
        crowded_ms: int = CROWDED_MS,
        apart: bool = False,
    ) -> None:
        super().__init__(connection)
        self._alone = alone
        self._crowded_ms = crowded_ms
        self._apart = apart
        self._opening = opening
        self._tenure = tenure
        self._held: set[int] = set()
        self._entered: Told | None = None
        self._told: list[tuple[Told, type[TableKey] | type[EventKey]]] = []
        self.number: int | None = None
        """The transaction's own, by which it can be asked later whether it was committed."""

    def enter(self) -> None:
        """Begin: from here on nobody who is alone goes on. Raises CrowdedError."""
        if self._alone != NOTHING:
            self._be_alone()
        elif not self._apart:
            self._connection.execute("SELECT pg_advisory_xact_lock_shared(%(all)s)", {"all": EVERYTHING})
        # A statement of its own: it sees what whoever was alone has committed.
        self._entered = self._connection.execute("SELECT opening, pg_current_xact_id()::text AS number FROM meta")
        if self._tenure is not None:
            self._tenure.begin()

    def _be_alone(self) -> None:
        """Hold what is wanted alone, or give up soon: all others wait behind whoever waits for that."""
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
            raise CrowdedError(
                "somebody writes for so long that nobody can be alone: look what the server does"
            ) from error

    def finish(self) -> Changed:
        """Return the changes; call it when nothing is left to do. Raises StoreTroubleError when it may not be done.

        StoreBrokenError where nothing may be written any more.
        """
        assert self._entered is not None
        row = self._entered.fetchone()
        if row is None or row["opening"] != self._opening:
            raise StoreBrokenError("another bot has opened the database since this one did: this one stops")
        if self._tenure is not None:
            self._tenure.demand()
        self.number = int(row["number"])
        return {key for cursor, kind in self._told for found in cursor for key in _key(kind, found)}

    @override
    def hold(self, what: int | str, /) -> None:
        number = what if isinstance(what, int) else number_of(what)
        if number not in self._held:
            self._connection.execute("SELECT pg_advisory_xact_lock(%(number)s)", {"number": number})
            self._held.add(number)

    @override
    def hold_all(self) -> None:
        self._demand_alone(Alone(everything=True))

    @override
    def hold_clocks(self, shards: Collection[Shard], /) -> None:
        count = None if self._tenure is None else self._tenure.shard_count
        if all(shard.count == count for shard in shards):
            self._demand_alone(Alone(shards=frozenset(shard.number for shard in shards)))
        else:
            self._demand_alone(Alone(everything=True))

    def _demand_alone(self, wanted: Alone) -> None:
        if wanted not in self._alone:
            raise AloneError(wanted)

    @override
    def write_for_all(self) -> None:
        if self._tenure is not None:
            self._tenure.write_for_all()

    @override
    def _asked(self, statement: str, values: Mapping[str, Value]) -> Told:
        guild = values.get("guild_id")
        if isinstance(guild, int):
            self._write_for(guild)
        text, tells = statement_of(statement)
        cursor = self._connection.execute(text, values)
        if tells is not None:
            self._told.append((cursor, tells))
        return cursor

    def _write_for(self, guild: int) -> None:
        if self._tenure is None:
            self.hold(guild)
            return
        if guild not in self._held:
            self._connection.execute(
                "SELECT pg_advisory_xact_lock_shared(%(clocks)s::int, %(shard)s::int), "
                "pg_advisory_xact_lock(%(guild)s)",
                {"clocks": CLOCKS, "shard": (guild >> 22) % self._tenure.shard_count, "guild": guild},
            )
            self._held.add(guild)
        self._tenure.write_for(guild)


def _key(kind: type[TableKey] | type[EventKey], row: PostgresRow) -> Iterator[TableKey | EventKey]:
    guild, number = row
    if kind is EventKey:
        yield EventKey(guild=GuildId(guild), number=number)
    elif number is not None:
        yield TableKey(guild=GuildId(guild), table=TableId(number))


def number_of(text: str) -> int:
    """The number of a lock for a text, as the id of a press; below all locks of servers, people and the rest."""
    return -(2**56) - int.from_bytes(blake2b(text.encode(), digest_size=7).digest(), "big")
