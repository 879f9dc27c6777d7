"""Rows and values in the form that the queries expect from either database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

import psycopg
from psycopg import BaseConnection, Cursor
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.rows import no_result
from psycopg.types.numeric import Int8Dumper
from typing_extensions import override


class PostgresRow:
    """A row with access by column name. Iteration yields its values."""

    __slots__ = ("_names", "_values")

    def __init__(self, names: dict[str, int], values: Sequence[Any]) -> None:
        self._names = names
        self._values = values

    def keys(self) -> Iterable[str]:
        return self._names.keys()

    def __getitem__(self, name: str, /) -> Any:
        return self._values[self._names[name]]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)


Connection = psycopg.Connection[PostgresRow]


def named(cursor: Cursor[Any]) -> Any:
    """Row factory for psycopg, which calls it once per result."""
    if not cursor.description:
        return no_result
    names = {column.name: place for place, column in enumerate(cursor.description)}
    return lambda values: PostgresRow(names, values)


class _NumberLoader(Loader):
    """Load sums of integers, which PostgreSQL returns as decimals, as integers."""

    @override
    def load(self, data: Buffer) -> int | Decimal:
        text = bytes(data)
        return int(text) if text.lstrip(b"-").isdigit() else Decimal(text.decode())


def adapt(connection: BaseConnection[Any]) -> None:
    """Configure the conversion of values on a connection."""
    # All integers have the same type, because the server would plan a statement for each type separately.
    connection.adapters.register_dumper(int, Int8Dumper)
    connection.adapters.register_loader("numeric", _NumberLoader)
