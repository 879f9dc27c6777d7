"""Interface of a transaction, independent of the database.

Statements use only syntax that SQLite and PostgreSQL share. Conditions aren't used as numbers, and numbers aren't used
as conditions. The type of each parameter is clear from its position, and ``IN`` is never followed by empty brackets.
Texts are sorted by code point in Python, because databases sort by locale. Values of a row are accessed by name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from bot.model.ids import Shard

Value = int | str | bytes | None
"""Value that a column can hold. Booleans are stored as 0 and 1, and texts contain no NUL."""


class SqlRow(Protocol):
    """Row of a result. Iteration yields its values in the order of the selected columns."""

    def keys(self) -> Iterable[str]: ...
    def __getitem__(self, name: str, /) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...


class Sql(Protocol):
    """A database transaction. Statements refer to parameters as ``:name``."""

    def one(self, statement: str, /, **values: Value) -> SqlRow | None:
        """Return the first row of the result; None if it's empty."""
        ...

    def all(self, statement: str, /, **values: Value) -> Sequence[SqlRow]:
        """Return all rows of the result."""
        ...

    def ahead(self, statement: str, /, **values: Value) -> Callable[[], Sequence[SqlRow]]:
        """Send a query, and return a function that waits for its rows. Several queries then share one round trip."""
        ...

    def run(self, statement: str, /, **values: Value) -> None:
        """Execute the statement."""
        ...

    def many(self, statement: str, rows: Iterable[Mapping[str, Value]], /) -> None:
        """Execute the statement once per row of parameters in ``rows``."""
        ...

    def unguarded(self, tables: Sequence[str], /) -> AbstractContextManager[None]:
        """Allow changes to the final rows of ``tables`` inside the context.

        The triggers that forbid them are dropped and recreated within this transaction, so a rollback restores them.
        """
        ...

    def hold(self, what: int | str, /) -> None:
        """Lock the key ``what`` until the end of this transaction.

        Use it for data that doesn't belong to a server. Statements with a ``:guild_id`` parameter lock that server
        automatically, so transactions that write for the same server run one after another. Does nothing in a read-only
        transaction.
        """
        ...

    def hold_all(self) -> None:
        """Block all other writers until the end of this transaction."""
        ...

    def hold_clocks(self, shards: Collection[Shard], /) -> None:
        """Block other writers for the servers of ``shards`` until the end of this transaction."""
        ...

    def write_for_all(self) -> None:
        """Allow this transaction to write for servers of other processes, which drop their caches after the commit.

        Transactions that write for the same server still run one after another.
        """
        ...

    def schema(self) -> int:
        """Return the number of the newest migration applied; 0 for an empty database."""
        ...

    def home(self) -> str:
        """Return the schema prefix that reaches a table if a view hides its name."""
        ...

    def made_by(self) -> list[str]:
        """Return the digests of the applied migrations, in order; empty if none are recorded."""
        ...

    def is_copy(self) -> bool:
        """True if the database was restored from a backup and :meth:`forget_copy` hasn't been called since."""
        ...

    def become_copy(self) -> None:
        """Mark the database as restored from a backup."""
        ...

    def forget_copy(self) -> None:
        """Remove the mark that :meth:`become_copy` sets."""
        ...


def names_for(values: Sequence[Value]) -> dict[str, Value]:
    """Return ``values`` as named parameters, for use with ``IN ({in_brackets(values)})``."""
    return {f"value_{number}": value for number, value in enumerate(values)}


def in_brackets(values: Sequence[Value]) -> str:
    """Return the parameter names of :func:`names_for` as a list for ``IN``."""
    return ", ".join(f":{name}" for name in names_for(values))


def among(column: str, *, without: Collection[str], only: Collection[str]) -> tuple[str, dict[str, Value]]:
    """Return a condition on ``column`` that excludes ``without`` or allows only ``only``, and its parameters."""
    values = sorted(only or without)
    if not values:
        return "", {}
    return f" AND {column} {'IN' if only else 'NOT IN'} ({in_brackets(values)})", names_for(values)
