"""Hand a SQLite database over to another application."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.store.owner import clear_owner as clear_owner_in
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.files import finish, locked, make_folder, reading
from bot.store.sqlite.migrate import numbered, require_known_schema


def clear_owner(path: Path) -> str | None:
    """Remove the owner of the database at ``path`` while its bot is stopped, and return it. Raises StoreError."""
    path = make_folder(path)
    with locked(path):
        finish(path)
        with reading(path) as connection:
            require_known_schema(SqliteSql(connection), numbered(MIGRATIONS), place=str(path))
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.row_factory = sqlite3.Row
            connection.execute("BEGIN IMMEDIATE")
            former = clear_owner_in(SqliteSql(connection))
            connection.execute("COMMIT")
    return former
