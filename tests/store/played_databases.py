"""Databases that bots have played on, as rows for every schema with these columns.

``tables`` has a closed table, one in its second hand with chips in play, a lobby in another server, and a custom game.
``events`` has the same, played by another bot, plus a tournament and a duplicate event with two entrants. Each has its
key next to it.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

from bot.store.sqlite.copy_mark import APPLICATION_ID
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.migrate import migrate
from bot.store.vault import SeedVault

HERE = Path(__file__).parent / "played"
Played = Literal["tables", "events"]


def played(name: Played, path: Path) -> Path:
    """Make the database at ``path``, without its key."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.row_factory = sqlite3.Row
        migrate(connection, MIGRATIONS, path=path)
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("BEGIN")
        for table, rows in _tables(name):
            for row in rows:
                values = ", ".join(f":{column}" for column in row)
                connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({values})", row)
        connection.execute("COMMIT")
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    return path


def put_key(name: Played, path: Path) -> Path:
    """Put the key of such a database at ``path``."""
    shutil.copy(HERE / f"{name}.key", path)
    path.chmod(0o600)
    return path


def key_of(name: Played) -> SeedVault:
    """The key of such a database, opened."""
    lines = (HERE / f"{name}.key").read_text(encoding="utf-8").splitlines()
    return SeedVault([bytes.fromhex(line) for line in lines if not line.startswith("#")])


def _tables(name: Played) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    tables = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    # A transfer changes the balances of the accounts that are there.
    for table in sorted(tables, key=lambda table: table == "account"):
        rows = [{column: _value(value) for column, value in row.items()} for row in tables[table]]
        yield table, rows


def _value(value: Any) -> Any:
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value
