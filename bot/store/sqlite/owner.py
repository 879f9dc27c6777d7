"""Handing a SQLite database over to another application."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.store.owner import forget_owner, owner_of
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.files import finish, locked, make_folder, reading
from bot.store.sqlite.migrate import demand_known, numbered


def disown(path: Path) -> str | None:
    """Let the database at ``path``, whose bot does not run, be nobody's; returns whose it was. Raises StoreError."""
    path = make_folder(path)
    with locked(path):
        finish(path)
        with reading(path) as connection:
            demand_known(SqliteSql(connection), numbered(MIGRATIONS), place=str(path))
            former = owner_of(SqliteSql(connection))
        if former is not None:
            with closing(sqlite3.connect(path, isolation_level=None)) as connection:
                forget_owner(SqliteSql(connection))
    return former
