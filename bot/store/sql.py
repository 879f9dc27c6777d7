"""The seam to SQL: a transaction, whichever database is behind it.

Statements are written in what SQLite and PostgreSQL share. A condition is no number and a number no condition; each
parameter stands where its type shows, and ``IN`` never before empty brackets; texts are sorted in Python, by code
points, since databases sort by their language; and what a row holds is asked for by name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from bot.model.ids import Shard

Value = int | str | bytes | None
"""A value that a column can hold: truth values are 0 and 1, and a text has no NUL."""


class Row(Protocol):
    """One row of an answer. Iterating gives its values in the order in which they were asked for."""

    def keys(self) -> Iterable[str]: ...
    def __getitem__(self, name: str, /) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...


class Sql(Protocol):
    """One transaction of a database. Parameters stand in a statement as ``:name``."""

    def one(self, statement: str, /, **values: Value) -> Row | None:
        """The first row of the answer; None where there is none."""
        ...

    def all(self, statement: str, /, **values: Value) -> Sequence[Row]:
        """All rows of the answer."""
        ...

    def ahead(self, statement: str, /, **values: Value) -> Callable[[], Sequence[Row]]:
        """The same as it is now, given when it is called for: several that are asked ahead wait for one answer."""
        ...

    def run(self, statement: str, /, **values: Value) -> None:
        """Do what the statement says."""
        ...

    def many(self, statement: str, rows: Iterable[Mapping[str, Value]], /) -> None:
        """Do what the statement says once for each of ``rows``."""
        ...

    def unguarded(self, tables: Sequence[str], /) -> AbstractContextManager[None]:
        """While it lasts the final rows of these tables may be changed and deleted.

        The triggers that refuse it are put aside and back in the transaction itself, which is whole or was never.
        """
        ...

    def hold(self, what: int | str, /) -> None:
        """Let no other transaction that holds this number, or this text, go on before the end of this one.

        A statement that names a server (``:guild_id``) holds that by itself: what belongs to one server is written one
        transaction after the other. It is for what belongs to no server, and does nothing where one only reads.
        """
        ...

    def hold_all(self) -> None:
        """Let no other transaction write before the end of this one."""
        ...

    def hold_clocks(self, shards: Collection[Shard], /) -> None:
        """Let no other transaction write for the servers of these shards before the end of this one."""
        ...

    def write_for_all(self) -> None:
        """From here on also what other processes serve is written; they forget what they know once it is done.

        What belongs to one server is still written one transaction after the other.
        """
        ...

    def schema(self) -> int:
        """The number of the newest migration that was applied; 0 for an empty database."""
        ...

    def home(self) -> str:
        """The name that stands before a table's where a view of the same name hides it."""
        ...

    def made_by(self) -> list[str]:
        """The digests of the migrations that were applied, in their order; none where none are recorded."""
        ...

    def is_copy(self) -> bool:
        """True for a database that was put back from a copy, until :meth:`forget_copy`."""
        ...

    def become_copy(self) -> None:
        """Mark it as one that was put back from a copy."""
        ...

    def forget_copy(self) -> None:
        """Take the mark of a copy away."""
        ...


def names_for(values: Sequence[Value]) -> dict[str, Value]:
    """A parameter's name for each of several values: ``IN ({in_brackets(values)})`` takes them."""
    return {f"value_{number}": value for number, value in enumerate(values)}


def in_brackets(values: Sequence[Value]) -> str:
    """The names that :func:`names_for` gives, as they stand in a statement."""
    return ", ".join(f":{name}" for name in names_for(values))


def among(column: str, *, without: Collection[str], only: Collection[str]) -> tuple[str, dict[str, Value]]:
    """Return a condition on ``column`` that leaves values out, or takes no others, and its parameters."""
    values = sorted(only or without)
    if not values:
        return "", {}
    return f" AND {column} {'IN' if only else 'NOT IN'} ({in_brackets(values)})", names_for(values)
