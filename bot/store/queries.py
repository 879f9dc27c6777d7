"""The base of all queries: a transaction, and how values are saved by their columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from bot.model.hands import HandRecord
from bot.model.ids import EventKey, GuildId, TableId, TableKey
from bot.model.tables import Seat, Table, Timer
from bot.ofc.house_rules import spec_of, variant_of
from bot.ofc.log import Fact
from bot.ofc.variants import Variant
from bot.store.columns import Columns
from bot.store.sql import Row, Sql, Value

T = TypeVar("T")


class Queries:
    """The base of a group of queries in one transaction."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql
        # What a turn asks for again and again. Nobody else writes while the transaction runs.
        self._tables: dict[TableKey, Table] = {}
        self._seats: dict[TableKey, list[Seat]] = {}
        self._timers: dict[TableKey, dict[Timer, int]] = {}
        self._last: dict[TableKey, int] = {}
        """The number of each table's newest line in the log."""
        self._hands: dict[tuple[TableKey, int], HandRecord] = {}
        self._facts: dict[tuple[TableKey, int], list[Fact]] = {}

    def seen(self, cause: str) -> bool:
        """Whether a press is in any log: it has had its effect."""
        # A press that comes twice at the same time: the second waits until the first has left its trace.
        self._sql.hold(cause)
        row = self._sql.one(
            "SELECT 1 AS seen FROM event WHERE cause = :cause "
            "UNION ALL SELECT 1 AS seen FROM tournament_log WHERE cause = :cause "
            "UNION ALL SELECT 1 AS seen FROM attempt_fact WHERE cause = :cause",
            cause=cause,
        )
        return row is not None

    def _forget(self) -> None:
        """Read all of it again: a statement is about to change what it does not name."""
        for known in (self._tables, self._seats, self._timers, self._last, self._hands, self._facts):
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


# The values that stand in several tables, and how they are written as text.

CACHED = 256
"""Texts whose values are kept: what is read again and again at a hand's end is the same few games and structures."""


def table_key(key: TableKey) -> dict[str, Value]:
    """The columns that name a table."""
    return {"guild_id": key.guild, "table_id": key.table}


def event_key(key: EventKey) -> dict[str, Value]:
    """The columns that name an event."""
    return {"guild_id": key.guild, "tournament_id": key.number}


def table_key_of(row: Row) -> TableKey:
    """The table that a row names."""
    return TableKey(guild=GuildId(row["guild_id"]), table=TableId(row["table_id"]))


def event_key_of(row: Row) -> EventKey:
    """The event that a row names."""
    return EventKey(guild=GuildId(row["guild_id"]), number=row["tournament_id"])


PLAYER_NUMBER = "CASE WHEN player LIKE 'gone-%' THEN 9223372036854775807 ELSE CAST(player AS BIGINT) END"
"""Equals stand by the age of their accounts, those who are gone last: numbers are sorted alike by every database."""
OF_TABLE = "guild_id = :guild_id AND table_id = :table_id"
"""The condition that takes :func:`table_key`."""
OF_EVENT = "guild_id = :guild_id AND tournament_id = :tournament_id"
"""The condition that takes :func:`event_key`."""
ALL_ALIKE = "t.structure NOT LIKE '%\"handicap\":true%'"
"""True of an event ``t`` without a handicap."""


def as_json(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """JSON without blanks, its letters as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@lru_cache(CACHED)
def spec_text(variant: Variant) -> str:
    """A preset of the first edition by its key, any other game as JSON."""
    spec = spec_of(variant)
    return variant.key if spec == {"preset": variant.key} else json.dumps(spec, ensure_ascii=False)


@lru_cache(CACHED)
def variant_from(text: str) -> Variant:
    """The reverse of :func:`spec_text`."""
    return variant_of(json.loads(text) if text.startswith("{") else {"preset": text})


TIMERS = f"SELECT kind, due_at FROM timer WHERE {OF_TABLE}"
LAST = f"SELECT MAX(seq) AS last FROM event WHERE {OF_TABLE}"
