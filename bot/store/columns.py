"""Columns as data: what a value's row holds is said once, and saving and reading follow from it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from operator import attrgetter
from types import NoneType
from typing import Any, Generic, TypeVar, get_args, get_type_hints

from bot.store.sql import Row, Value

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
