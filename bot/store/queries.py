"""Base class of a transaction's query groups, and statement fragments that several of them share."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from bot.model.hands import HandRecord
from bot.model.ids import EventKey, GuildId, TableId, TableKey
from bot.model.mentions import mentioned_in
from bot.model.tables import Seat, Table, Timer
from bot.pure.ofc.house_rules import parse_spec, to_spec
from bot.pure.ofc.log import Fact
from bot.pure.ofc.variants import Variant
from bot.store.columns import Columns, T
from bot.store.sql import Sql, SqlRow, Value


class RowCache:
    """Cache of rows that a transaction has read or written. No other transaction writes to them while it runs."""

    def __init__(self) -> None:
        self.tables: dict[TableKey, Table] = {}
        self.seats: dict[TableKey, list[Seat]] = {}
        self.timers: dict[TableKey, dict[Timer, int]] = {}
        self.last: dict[TableKey, int] = {}
        """Number of the newest log line per table."""
        self.hands: dict[tuple[TableKey, int], HandRecord] = {}
        self.facts: dict[tuple[TableKey, int], list[Fact]] = {}

    def forget(self) -> None:
        """Drop everything, because a statement is about to change rows that it doesn't name."""
        for known in (self.tables, self.seats, self.timers, self.last, self.hands, self.facts):
            known.clear()


class Queries:
    """The base of a group of queries in one transaction."""

    def __init__(self, sql: Sql, known: RowCache | None = None) -> None:
        """``known`` is the cache shared by a transaction's groups."""
        self._sql = sql
        self._known = known or RowCache()

    def _number(self, statement: str, /, **values: Value) -> int | None:
        """Return the only value of the first row; None if there is no row or the value is NULL."""
        row = self._sql.one(statement, **values)
        number = None if row is None else next(iter(row))
        # In PostgreSQL, a sum of integers is a decimal.
        return None if number is None else int(number)

    def _save(self, columns: Columns[T], value: T, /, **beside: Value) -> None:
        """Insert or update a value's row. ``beside`` gives its additional columns."""
        row = columns.values(value) | beside
        self._sql.many(columns.upsert, [row])
        self._note_mentions(columns, [row])

    def _add(self, columns: Columns[T], values: Iterable[T], /, **beside: Value) -> None:
        """Insert rows for ``values``. ``beside`` gives the additional columns of each."""
        rows = [columns.values(value) | beside for value in values]
        self._sql.many(columns.insert, rows)
        self._note_mentions(columns, rows)

    def _note_mentions(self, columns: Columns[Any], rows: Sequence[Mapping[str, Value]]) -> None:
        if columns.words:
            for row in rows:
                self._note_words(columns.table, row["guild_id"], *(row[name] for name in columns.words))

    def _note_words(self, source: str, guild: Value, /, *texts: Value) -> None:
        """Index the players mentioned in ``texts``, so that a deletion finds them. ``source`` is the table."""
        people = {player for text in texts if isinstance(text, str) for player in mentioned_in(text)}
        if people:
            self._sql.many(
                "INSERT INTO mentioned (player, guild_id, source) VALUES (:player, :guild_id, :source) "
                "ON CONFLICT DO NOTHING",
                [{"player": player, "guild_id": guild, "source": source} for player in sorted(people)],
            )


# Values that occur in several tables, and their text form.

CACHED = 256
"""Cache size for parsed texts. The same few games and structures are read at the end of each hand."""


def table_key(key: TableKey) -> dict[str, Value]:
    """Return the parameters that identify a table."""
    return {"guild_id": key.guild, "table_id": key.table}


def event_key(key: EventKey) -> dict[str, Value]:
    """Return the parameters that identify an event."""
    return {"guild_id": key.guild, "event_id": key.number}


def table_key_of(row: SqlRow) -> TableKey:
    """Return the key of the table that a row refers to."""
    return TableKey(guild=GuildId(row["guild_id"]), table=TableId(row["table_id"]))


def event_key_of(row: SqlRow) -> EventKey:
    """Return the key of the event that a row refers to."""
    return EventKey(guild=GuildId(row["guild_id"]), number=row["event_id"])


PLAYER_NUMBER = "CASE WHEN player LIKE 'gone-%' THEN 9223372036854775807 ELSE CAST(player AS BIGINT) END"
"""Sort key for ties: the player's id, with deleted players last. It's a number, which all databases sort alike."""
OF_TABLE = "guild_id = :guild_id AND table_id = :table_id"
"""Condition on the parameters of :func:`table_key`."""
OF_EVENT = "guild_id = :guild_id AND event_id = :event_id"
"""Condition on the parameters of :func:`event_key`."""
ALL_ALIKE = "t.structure NOT LIKE '%\"handicap\":true%'"
"""True for an event ``t`` without a handicap."""


def as_json(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """Return compact JSON with unescaped Unicode."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@lru_cache(CACHED)
def spec_text(variant: Variant) -> str:
    """Return the key of a built-in preset, or JSON for any other game."""
    spec = to_spec(variant)
    return variant.key if spec == {"preset": variant.key} else json.dumps(spec, ensure_ascii=False)


@lru_cache(CACHED)
def variant_from(text: str) -> Variant:
    """Return the game for a text from :func:`spec_text`."""
    return parse_spec(json.loads(text) if text.startswith("{") else {"preset": text})


TIMERS = f"SELECT kind, due_at FROM timer WHERE {OF_TABLE}"
LAST = f"SELECT MAX(seq) AS last FROM table_log WHERE {OF_TABLE}"


def parse_timers(rows: Iterable[SqlRow]) -> dict[Timer, int]:
    """Return a table's timers from the rows of ``TIMERS``."""
    return {Timer(row["kind"]): row["due_at"] for row in rows}
