"""Copy a whole database into another one, of either kind. The source isn't changed.

Rows are copied table by table, ordered by key, in batches of one transaction each. Balances aren't copied, because the
transfers recreate them. At the end, all rows and the ledger are checked. Until then, the move itself owns the target,
so that no bot starts on a partial database. An interrupted move can be resumed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Protocol

from bot.store import StoreError
from bot.store.opening import Place, named, open_database, require_postgres
from bot.store.owner import MOVE, owner_of
from bot.store.sql import Sql, SqlRow, Value
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.driver import alone_with_file, open_read_only
from bot.store.sqlite.migrate import TableShape, numbered, require_known_schema, tables_made_by
from bot.store.upkeep import InspectionResult, inspect

ROWS = 2000
"""Rows per transaction."""
_MADE_ANEW = {("account", "balance"): 0}
"""Columns that are filled by another table's rows, and their initial values."""
Progress = Callable[[str, int], None]
"""Callback with the table's name and the number of its rows copied."""


class ExclusiveDatabase(Protocol):
    """A database whose bot isn't running and can't start."""

    def transaction(self) -> AbstractContextManager[Sql]: ...
    def renumber(self) -> None: ...


async def move(source: Place, target: Place, *, progress: Progress) -> InspectionResult:
    """Copy ``source`` into ``target``, which must be empty or contain part of the same move. Raises StoreError."""
    _require_source(source)
    with ExitStack() as stack:
        here = stack.enter_context(_read(source))
        owner = _require_movable(source, here)
        # Create the target as the bot's start would.
        await (await open_database(target)).close()
        there = stack.enter_context(_alone(target))
        return _moved(source, target, here, there, owner=owner, progress=progress)


def _require_source(source: Place) -> None:
    if isinstance(source, Path) and not source.exists():
        raise StoreError(f"{source} does not exist. Name the file of a database")


def _read(place: Place) -> AbstractContextManager[ExclusiveDatabase]:
    """Open the source read-only, so that neither its schema nor the files next to it change."""
    return open_read_only(place) if isinstance(place, Path) else _alone(place)


def _alone(place: Place) -> AbstractContextManager[ExclusiveDatabase]:
    if isinstance(place, Path):
        return alone_with_file(place)
    require_postgres()
    from bot.store.postgres.exclusive import alone_with_server

    return alone_with_server(place)


def _require_movable(source: Place, here: ExclusiveDatabase) -> str | None:
    """Return the owner of the source. Raises StoreError if it can't be moved in its current state."""
    files = numbered(MIGRATIONS)
    with here.transaction() as sql:
        if require_known_schema(sql, files, place=named(source)) < len(files):
            raise StoreError(f"{named(source)} is of an older version. Start the bot on it once, then move it")
        if sql.is_copy():
            raise StoreError(
                f"{named(source)} is a copy that no bot has started on. Start the bot on it once, then move it"
            )
        owner = owner_of(sql)
        if owner is not None and owner.startswith(MOVE):
            raise StoreError(f"{named(source)} is itself the target of an unfinished move. Finish that move first")
    return owner


def _moved(
    source: Place,
    target: Place,
    here: ExclusiveDatabase,
    there: ExclusiveDatabase,
    *,
    owner: str | None,
    progress: Progress,
) -> InspectionResult:
    tables = [table for table in tables_made_by(MIGRATIONS) if table.name != "owner"]
    mark = f"{MOVE}{named(source)}"
    with there.transaction() as sql:
        _begin(sql, tables, target, mark)
    for table in tables:
        _copy(table, here, there, progress)
    there.renumber()
    for table in tables:
        if _digest(table, here) != _digest(table, there):
            raise StoreError(
                f"{named(target)} differs from {named(source)} in the table {table.name}, so it is not used. "
                "Empty it and begin again"
            )
    with there.transaction() as sql:
        sql.run("DELETE FROM owner")
        if owner is not None:
            sql.run("INSERT INTO owner (one, name) VALUES (1, :name)", name=owner)
    return inspect(target, secrets=None)


def _begin(sql: Sql, tables: Sequence[TableShape], target: Place, mark: str) -> None:
    """Mark the target as owned by the move. Raises StoreError if it contains other data."""
    owner = owner_of(sql)
    if owner == mark:
        return
    if owner is not None and owner.startswith(MOVE):
        raise StoreError(f"{named(target)} contains the first part of a {owner}. Finish that move first")
    if owner is not None or any(_count(sql, table) for table in tables):
        raise StoreError(f"{named(target)} is not empty. Name a new database")
    sql.run("INSERT INTO owner (one, name) VALUES (1, :name)", name=mark)


def _copy(table: TableShape, here: ExclusiveDatabase, there: ExclusiveDatabase, progress: Progress) -> None:
    with there.transaction() as sql:
        done = _count(sql, table)
    for rows in _pages(table, here, skip=done):
        with there.transaction() as sql:
            sql.many(_insert(table), [_values(table, row) for row in rows])
        done += len(rows)
        progress(table.name, done)


def _pages(table: TableShape, here: ExclusiveDatabase, *, skip: int) -> Iterator[Sequence[SqlRow]]:
    """Yield the rows ordered by key. The first page uses an offset, and later pages continue after the last key."""
    select, order = f'SELECT {", ".join(table.columns)} FROM "{table.name}"', f"ORDER BY {', '.join(table.key)}"
    with here.transaction() as sql:
        rows = sql.all(f"{select} {order} LIMIT :limit OFFSET :skip", limit=ROWS, skip=skip)
    last = ", ".join(f":last_{name}" for name in table.key)
    while rows:
        yield rows
        behind = {f"last_{name}": rows[-1][name] for name in table.key}
        with here.transaction() as sql:
            statement = f"{select} WHERE ({', '.join(table.key)}) > ({last}) {order} LIMIT :limit"
            rows = sql.all(statement, limit=ROWS, **behind)


def _count(sql: Sql, table: TableShape) -> int:
    row = sql.one(f'SELECT COUNT(*) AS found FROM "{table.name}"')
    return 0 if row is None else int(row["found"])


def _insert(table: TableShape) -> str:
    names = ", ".join(f":{name}" for name in table.columns)
    return f'INSERT INTO "{table.name}" ({", ".join(table.columns)}) VALUES ({names})'


def _values(table: TableShape, row: SqlRow) -> dict[str, Value]:
    values = {name: _storable(value) for name, value in zip(table.columns, row, strict=True)}
    return values | {name: made for (of, name), made in _MADE_ANEW.items() if of == table.name}


def _storable(value: Value) -> Value:
    # Old rows in SQLite may contain NUL in texts, which PostgreSQL can't store. Newer rows have a question mark
    # instead.
    return value.replace("\0", "?") if isinstance(value, str) else value


def _digest(table: TableShape, alone: ExclusiveDatabase) -> tuple[int, int]:
    """Return an order-independent digest of all rows, and their number."""
    total, count = 0, 0
    for rows in _pages(table, alone, skip=0):
        for row in rows:
            text = repr([_storable(value) for value in row])
            total += int.from_bytes(hashlib.blake2b(text.encode(), digest_size=16).digest(), "big")
        count += len(rows)
    return total % 2**128, count
