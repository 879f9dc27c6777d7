"""The seam to SQL, and what all queries stand on: columns as data, and how values are saved by them.

Statements are written in what SQLite and PostgreSQL share. A condition is no number and a number no condition; each
parameter stands where its type shows, and ``IN`` never before empty brackets; texts are sorted in Python, by code
points, since databases sort by their language; and what a row holds is asked for by name. What a value's row holds is
said once, and saving and reading follow from it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from enum import Enum
from functools import lru_cache
from operator import attrgetter
from types import NoneType
from typing import Any, Generic, Protocol, TypeVar, get_args, get_type_hints

from bot.model.hands import HandRecord
from bot.model.ids import EventKey, GuildId, Shard, TableId, TableKey
from bot.model.mentions import mentioned_in
from bot.model.tables import Seat, Table, Timer
from bot.ofc.house_rules import spec_of, variant_of
from bot.ofc.log import Fact
from bot.ofc.variants import Variant

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


T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column, and which attribute of the value it holds."""

    name: str
    attribute: str
    """One of a part of the value has that part's path in front, as ``terms.clock.pace``."""
    to_sql: Callable[[Any], Value] | None = None
    """Makes of the attribute what is stored; None where it is stored as it is."""
    from_sql: Callable[[Any], Any] | None = None
    """The reverse of ``to_sql``; nothing stored is None for the attribute too, and is not asked of it."""
    written: bool = True
    """False where the database itself gives the value."""
    read: bool = True
    """False where the attribute follows from others and is stored for the queries alone."""


def plain(name: str, attribute: str | None = None) -> Column:
    """A column that holds an attribute as it is; of the same name where no other is given."""
    return Column(name=name, attribute=attribute or name)


def flag(name: str, attribute: str | None = None) -> Column:
    """A column that holds a truth value as 0 or 1."""
    return Column(name=name, attribute=attribute or name, to_sql=int, from_sql=bool)


def choice(name: str, kind: type[Enum], attribute: str | None = None) -> Column:
    """A column that holds the value of one of an enum's members."""
    return Column(name=name, attribute=attribute or name, to_sql=attrgetter("value"), from_sql=kind)


def columns_of(part: type[Any], *by_hand: Column, path: str = "", but: Collection[str] = ()) -> list[Column]:
    """Return the columns of a dataclass: a value, or its part under ``path``.

    Each field has a column of its name, and its type says how it is stored: a truth value, an enum's member, or as it
    is. Columns of another name or form are given ``by_hand``. ``but`` names the fields without a column here.
    """
    types, under = get_type_hints(part), f"{path}." if path else ""
    known = {*but, *(column.attribute.removeprefix(under).partition(".")[0] for column in by_hand)}
    return [
        *(
            _column_of(field.name, under + field.name, types[field.name])
            for field in fields(part)
            if field.name not in known
        ),
        *by_hand,
    ]


def _column_of(name: str, attribute: str, kind: Any) -> Column:
    """Return a field's column; raises TypeError if no column holds such a value as it is."""
    kinds = [one for one in get_args(kind) if one is not NoneType] if NoneType in get_args(kind) else [kind]
    stored = getattr(kinds[0], "__supertype__", kinds[0]) if len(kinds) == 1 else None
    if stored is bool:
        return flag(name, attribute)
    if isinstance(stored, type) and issubclass(stored, Enum):
        return choice(name, stored, attribute)
    if stored not in (int, str, bytes):
        raise TypeError(f"{name} can't be stored as it is: {kind}")
    return plain(name, attribute)


class Columns(Generic[T]):
    """The columns of the table ``table`` that hold values of the type ``make``.

    ``beside`` names columns that are no part of the value and are given when it is saved, ``key`` those by which a row
    is told from others. ``parts`` says by path how the parts of a value are made whose attributes have columns of their
    own. ``words`` names the columns of free text: whom they mention is noted with each row.
    """

    def __init__(
        self,
        make: Callable[..., T],
        table: str,
        columns: Sequence[Column],
        *,
        key: Sequence[str] = (),
        beside: Sequence[str] = (),
        parts: Mapping[str, Callable[..., Any]] | None = None,
        words: Sequence[str] = (),
    ) -> None:
        self.table = table
        self.words = tuple(words)
        self.columns = tuple(columns)
        self.beside = tuple(beside)
        written = [column for column in columns if column.written]
        names = [*beside, *(column.name for column in written)]
        self.insert = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)})"
        """The statement that writes a new row; it is refused when there is one with its key."""
        changed = ", ".join(f"{name} = excluded.{name}" for name in names if name not in key)
        self.upsert = f"{self.insert} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changed}"
        """The statement that writes a row whether or not it is there; it wants a ``key``."""
        self.names = self.of(table)
        """The columns that :meth:`read` needs, as a statement asks for them; more may follow."""
        self.values = _writer(written)
        """The parameters of a value's row, those ``beside`` it left out."""
        self.read = _reader(make, self._asked, parts or {})
        """The value that a row holds."""

    @property
    def _asked(self) -> list[Column]:
        return [column for column in self.columns if column.read]

    def of(self, name: str) -> str:
        """The same as ``names``, of the table that a statement calls ``name``."""
        return ", ".join(f"{name}.{column.name}" for column in self._asked)


# Both functions are written out for their columns and compiled once, as a dataclass's own are. Tables and seats are
# read at each press: a loop over the columns takes half as long again, and three times as long to make parameters.


def _writer(columns: Sequence[Column]) -> Callable[[Any], dict[str, Value]]:
    """As ``lambda value: {'host': value.host, 'pace': to_pace(value.clock.pace)}``."""
    known = {f"to_{column.name}": column.to_sql for column in columns}
    fields = [
        f"'{column.name}': {_converted(f'value.{column.attribute}', column.to_sql and f'to_{column.name}')}"
        for column in columns
    ]
    written: Callable[[Any], dict[str, Value]] = eval(f"lambda value: {{{', '.join(fields)}}}", known)
    return written


def _reader(
    make: Callable[..., T], columns: Sequence[Column], parts: Mapping[str, Callable[..., Any]]
) -> Callable[[Row], T]:
    """As ``lambda host, pace, *_: make(host=host, clock=make_clock(pace=from_pace(pace)))``, of a row's values."""
    makers = {_maker(path): made for path, made in {"": make, **parts}.items()}
    known = {**makers, **{f"from_{column.name}": column.from_sql for column in columns}}
    fields: dict[str, list[str]] = {"": [], **{path: [] for path in parts}}
    for column in columns:
        path, _, attribute = column.attribute.rpartition(".")
        fields[path].append(f"{attribute}={_converted(column.name, column.from_sql and f'from_{column.name}')}")
    for path in sorted(parts, key=lambda path: path.count("."), reverse=True):
        outer, _, attribute = path.rpartition(".")
        fields[outer].append(f"{attribute}={_maker(path)}({', '.join(fields[path])})")
    names = ", ".join(column.name for column in columns)
    made: Callable[..., T] = eval(f"lambda {names}, *_: make({', '.join(fields[''])})", known)
    return lambda row: made(*row)


def _maker(path: str) -> str:
    """``make_terms_clock`` for ``terms.clock``; ``make`` for the value itself."""
    return "_".join(["make", *filter(None, path.split("."))])


def _converted(value: str, function: str | None) -> str:
    """The expression of what a function makes of a value; what is None stays so."""
    return value if function is None else f"None if {value} is None else {function}({value})"


class Known:
    """A cache of what a transaction has read and written. Nobody else writes while it runs."""

    def __init__(self) -> None:
        self.tables: dict[TableKey, Table] = {}
        self.seats: dict[TableKey, list[Seat]] = {}
        self.timers: dict[TableKey, dict[Timer, int]] = {}
        self.last: dict[TableKey, int] = {}
        """The number of each table's newest line in the log."""
        self.hands: dict[tuple[TableKey, int], HandRecord] = {}
        self.facts: dict[tuple[TableKey, int], list[Fact]] = {}

    def forget(self) -> None:
        """Drop everything, because a statement is about to change rows that it doesn't name."""
        for known in (self.tables, self.seats, self.timers, self.last, self.hands, self.facts):
            known.clear()


class Queries:
    """The base of a group of queries in one transaction."""

    def __init__(self, sql: Sql, known: Known | None = None) -> None:
        """``known`` is the cache that the groups of one transaction share."""
        self._sql = sql
        self._known = known or Known()

    def _number(self, statement: str, /, **values: Value) -> int | None:
        """The only value of the first row; None where there is no row, or nothing in it."""
        row = self._sql.one(statement, **values)
        number = None if row is None else next(iter(row))
        # PostgreSQL adds up whole numbers to decimals.
        return None if number is None else int(number)

    def _save(self, columns: Columns[T], value: T, /, **beside: Value) -> None:
        """Write a value's row whether or not it is there, with the columns ``beside`` it."""
        row = columns.values(value) | beside
        self._sql.many(columns.upsert, [row])
        self._note_mentions(columns, [row])

    def _add(self, columns: Columns[T], values: Iterable[T], /, **beside: Value) -> None:
        """Write new rows for these values, each with the columns ``beside`` it."""
        rows = [columns.values(value) | beside for value in values]
        self._sql.many(columns.insert, rows)
        self._note_mentions(columns, rows)

    def _note_mentions(self, columns: Columns[Any], rows: Sequence[Mapping[str, Value]]) -> None:
        if columns.words:
            for row in rows:
                self._note_words(columns.table, row["guild_id"], *(row[name] for name in columns.words))

    def _note_words(self, source: str, guild: Value, /, *texts: Value) -> None:
        """Note whom these texts mention, so that a deletion finds them; ``source`` is their table."""
        people = {player for text in texts if isinstance(text, str) for player in mentioned_in(text)}
        if people:
            self._sql.many(
                "INSERT INTO mentioned (player, guild_id, source) VALUES (:player, :guild_id, :source) "
                "ON CONFLICT DO NOTHING",
                [{"player": player, "guild_id": guild, "source": source} for player in sorted(people)],
            )


# The values that stand in several tables, and how they are written as text.

CACHED = 256
"""Texts whose values are kept: what is read again and again at a hand's end is the same few games and structures."""


def table_key(key: TableKey) -> dict[str, Value]:
    """The columns that name a table."""
    return {"guild_id": key.guild, "table_id": key.table}


def event_key(key: EventKey) -> dict[str, Value]:
    """The columns that name an event."""
    return {"guild_id": key.guild, "event_id": key.number}


def table_key_of(row: Row) -> TableKey:
    """The table that a row names."""
    return TableKey(guild=GuildId(row["guild_id"]), table=TableId(row["table_id"]))


def event_key_of(row: Row) -> EventKey:
    """The event that a row names."""
    return EventKey(guild=GuildId(row["guild_id"]), number=row["event_id"])


PLAYER_NUMBER = "CASE WHEN player LIKE 'gone-%' THEN 9223372036854775807 ELSE CAST(player AS BIGINT) END"
"""Equals stand by the age of their accounts, those who are gone last: numbers are sorted alike by every database."""
OF_TABLE = "guild_id = :guild_id AND table_id = :table_id"
"""The condition that takes :func:`table_key`."""
OF_EVENT = "guild_id = :guild_id AND event_id = :event_id"
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
LAST = f"SELECT MAX(seq) AS last FROM table_log WHERE {OF_TABLE}"


def timers_of(rows: Iterable[Row]) -> dict[Timer, int]:
    """The alarms of a table, by the answer to ``TIMERS``."""
    return {Timer(row["kind"]): row["due_at"] for row in rows}
