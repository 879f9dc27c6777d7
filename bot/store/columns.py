"""Column definitions, used to generate the code that saves and loads values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from operator import attrgetter
from types import NoneType
from typing import Any, Generic, TypeVar, get_args, get_type_hints

from bot.store.sql import SqlRow, Value

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column and the attribute that it stores."""

    name: str
    attribute: str
    """Path of the attribute, such as ``terms.clock.pace`` for an attribute of a part."""
    to_sql: Callable[[Any], Value] | None = None
    """Convert the attribute to the stored value; None if it's stored unchanged."""
    from_sql: Callable[[Any], Any] | None = None
    """Convert the stored value back. NULL becomes None without a call."""
    written: bool = True
    """False if the database generates the value."""
    read: bool = True
    """False if the value is stored only for queries, because it's derived from other attributes."""


def plain(name: str, attribute: str | None = None) -> Column:
    """Return a column that stores an attribute unchanged. The attribute defaults to ``name``."""
    return Column(name=name, attribute=attribute or name)


def flag(name: str, attribute: str | None = None) -> Column:
    """Return a column that stores a boolean as 0 or 1."""
    return Column(name=name, attribute=attribute or name, to_sql=int, from_sql=bool)


def choice(name: str, kind: type[Enum], attribute: str | None = None) -> Column:
    """Return a column that stores the value of an enum member."""
    return Column(name=name, attribute=attribute or name, to_sql=attrgetter("value"), from_sql=kind)


_MILLION = 1_000_000


def millionths(name: str, attribute: str | None = None) -> Column:
    """Return a column that stores a number with six decimals exactly, as an integer."""
    return Column(name=name, attribute=attribute or name, to_sql=to_millionths, from_sql=from_millionths)


def to_millionths(value: float) -> int:
    """Return a number with six decimals as an integer."""
    return round(value * _MILLION)


def from_millionths(value: int) -> float:
    """Return the number that an integer stores with six decimals."""
    return value / _MILLION


def columns_of(part: type[Any], *by_hand: Column, path: str = "", but: Collection[str] = ()) -> list[Column]:
    """Return the columns of a dataclass, which is the whole value or its part at ``path``.

    By default, each field has a column with its name, converted by its type: as a boolean, as an enum member or
    unchanged. ``by_hand`` lists columns with another name or conversion. ``but`` names the fields without a column.
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
    """Return a field's column; raises TypeError if values of its type can't be stored unchanged."""
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
    """The columns of ``table``, which stores values of the type ``make``.

    ``beside`` names additional columns whose values are passed when saving, and ``key`` the columns of the primary key.
    ``parts`` maps the path of each part with its own columns to the function that creates it. ``words`` names the
    columns of free text, whose mentions are indexed when a row is saved.
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
        """Statement that inserts a row; fails if its key exists."""
        changed = ", ".join(f"{name} = excluded.{name}" for name in names if name not in key)
        self.upsert = f"{self.insert} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changed}"
        """Statement that inserts or updates a row. It requires ``key``."""
        self.names = self.of(table)
        """The columns that :meth:`read` needs, as a select list. More columns may follow them."""
        self.values = _writer(written)
        """Return the parameters for a value's row, without those in ``beside``."""
        self.read = _reader(make, self._asked, parts or {})
        """Return the value stored in a row."""

    @property
    def _asked(self) -> list[Column]:
        return [column for column in self.columns if column.read]

    def of(self, name: str) -> str:
        """Like ``names``, with the table alias ``name``."""
        return ", ".join(f"{name}.{column.name}" for column in self._asked)


# Both functions are generated for their columns and compiled once, as in dataclasses. Tables and seats are read at each
# press. A loop over the columns would take 1.5 times as long to read a row and three times as long to make parameters.


def _writer(columns: Sequence[Column]) -> Callable[[Any], dict[str, Value]]:
    """Return a function such as ``lambda value: {'host': value.host, 'pace': to_pace(value.clock.pace)}``."""
    known = {f"to_{column.name}": column.to_sql for column in columns}
    fields = [
        f"'{column.name}': {_convert(f'value.{column.attribute}', column.to_sql and f'to_{column.name}')}"
        for column in columns
    ]
    written: Callable[[Any], dict[str, Value]] = eval(f"lambda value: {{{', '.join(fields)}}}", known)
    return written


def _reader(
    make: Callable[..., T], columns: Sequence[Column], parts: Mapping[str, Callable[..., Any]]
) -> Callable[[SqlRow], T]:
    """Return a function of a row that works like ``lambda host, *_: make(host=host, clock=make_clock(...))``."""
    makers = {_maker(path): made for path, made in {"": make, **parts}.items()}
    known = {**makers, **{f"from_{column.name}": column.from_sql for column in columns}}
    fields: dict[str, list[str]] = {"": [], **{path: [] for path in parts}}
    for column in columns:
        path, _, attribute = column.attribute.rpartition(".")
        fields[path].append(f"{attribute}={_convert(column.name, column.from_sql and f'from_{column.name}')}")
    for path in sorted(parts, key=lambda path: path.count("."), reverse=True):
        outer, _, attribute = path.rpartition(".")
        fields[outer].append(f"{attribute}={_maker(path)}({', '.join(fields[path])})")
    names = ", ".join(column.name for column in columns)
    made: Callable[..., T] = eval(f"lambda {names}, *_: make({', '.join(fields[''])})", known)
    return lambda row: made(*row)


def _maker(path: str) -> str:
    """Return ``make_terms_clock`` for ``terms.clock``, and ``make`` for the value itself."""
    return "_".join(["make", *filter(None, path.split("."))])


def _convert(value: str, function: str | None) -> str:
    """Return an expression that applies ``function`` to ``value`` unless it's None."""
    return value if function is None else f"None if {value} is None else {function}({value})"
