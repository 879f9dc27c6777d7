"""The base of all queries: a transaction, and how values are saved by their columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from bot.model.hands import HandRecord
from bot.model.ids import TableKey
from bot.model.tables import Seat, Table, Timer
from bot.ofc.log import Fact
from bot.store.columns import Columns
from bot.store.sql import Sql, Value

T = TypeVar("T")


class Queries:
    """The base of a group of queries in one transaction."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql
        # What a turn asks for again and again. Nobody else writes while the transaction runs.
        self._tables: dict[TableKey, Table] = {}
        self._seats: dict[TableKey, list[Seat]] = {}
        self._timers: dict[TableKey, dict[Timer, int]] = {}
        self._hands: dict[tuple[TableKey, int], HandRecord] = {}
        self._facts: dict[tuple[TableKey, int], list[Fact]] = {}

    def _forget(self) -> None:
        """Read all of it again: a statement is about to change what it does not name."""
        for known in (self._tables, self._seats, self._timers, self._hands, self._facts):
            known.clear()

    def _number(self, statement: str, /, **values: Value) -> int | None:
        """The only value of the first row; None where there is no row, or nothing in it."""
        row = self._sql.one(statement, **values)
        number = None if row is None else next(iter(row))
        # PostgreSQL adds up whole numbers to decimals.
        return None if number is None else int(number)

    def _save(self, columns: Columns[T], value: T, /, **beside: Value) -> None:
        """Write a value's row whether or not it is there, with the columns ``beside`` it."""
        self._sql.many(columns.upsert, [columns.values(value) | beside])

    def _add(self, columns: Columns[T], values: Iterable[T], /, **beside: Value) -> None:
        """Write new rows for these values, each with the columns ``beside`` it."""
        self._sql.many(columns.insert, [columns.values(value) | beside for value in values])
