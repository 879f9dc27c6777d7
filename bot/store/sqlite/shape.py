"""The tables that the migrations make, as values: what is copied from one database into another, and in which order."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot.store.sqlite.migrate import migrate


@dataclass(frozen=True, slots=True, kw_only=True)
class TableShape:
    """A table: its columns, those by which its rows are told apart, and the tables that its rows point to."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    points_to: frozenset[str]


def tables_made_by(migrations: Path) -> list[TableShape]:
    """All tables of the newest schema, each behind those that it points to; not the record of what was applied."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        migrate(connection, migrations, path=Path(":memory:"))
        names = connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migration' "
            "ORDER BY name"
        )
        return list(_in_order([_shape(connection, row["name"]) for row in names.fetchall()]))


def _shape(connection: sqlite3.Connection, name: str) -> TableShape:
    columns = connection.execute(f'PRAGMA table_info("{name}")').fetchall()
    keys = sorted((row["pk"], row["name"]) for row in columns if row["pk"])
    points_to = connection.execute(f'PRAGMA foreign_key_list("{name}")').fetchall()
    return TableShape(
        name=name,
        columns=tuple(row["name"] for row in columns),
        key=tuple(column for _, column in keys),
        points_to=frozenset(row["table"] for row in points_to),
    )


def _in_order(tables: list[TableShape]) -> Iterator[TableShape]:
    told: set[str] = set()
    while len(told) < len(tables):
        for table in tables:
            if table.name not in told and table.points_to <= told:
                told.add(table.name)
                yield table
