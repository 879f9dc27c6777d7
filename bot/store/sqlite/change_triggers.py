"""Which tables and events a transaction has changed, as SQLite itself tells it: no statement can forget to say so.

Triggers of the writer's connection alone, which the file does not hold, name the table or event of every row that is
written, also of those that other triggers write. What was rolled back counts as changed: it is only looked up again.
"""

from __future__ import annotations

import sqlite3

from bot.model.ids import EventKey, GuildId, TableId, TableKey
from bot.store.sql import Sql
from bot.store.storage import OF_EVENTS, OF_TABLES, SqlWatcher

_ROWS = {"INSERT": "NEW", "UPDATE": "NEW", "DELETE": "OLD"}


class Changes:
    """Collects what the writer's connection changes, and tells it around the commit."""

    def __init__(self) -> None:
        self._tables: set[tuple[int, int]] = set()
        self._events: set[tuple[int, int]] = set()
        self._watchers: list[SqlWatcher] = []
        self._watches = False

    def listen(self, watcher: SqlWatcher) -> None:
        """Tell ``watcher`` from the next transaction on."""
        self._watchers.append(watcher)

    def before_begin(self, connection: sqlite3.Connection) -> None:
        """Watch the connection as soon as somebody listens."""
        if not self._watchers or self._watches:
            return
        connection.create_function("table_changed", 2, self._table_changed)
        connection.create_function("event_changed", 2, self._event_changed)
        for name in OF_TABLES:
            _watch(connection, name, "table_changed({row}.guild_id, {row}.table_id)")
        for name in OF_EVENTS:
            _watch(connection, name, "event_changed({row}.guild_id, {row}.tournament_id)")
        self._watches = True

    def before_commit(self, sql: Sql) -> None:
        """Tell what will be committed."""
        for watcher in self._watchers:
            watcher.before_commit(sql, self._changed)

    @property
    def _changed(self) -> list[TableKey | EventKey]:
        tables = (TableKey(guild=GuildId(guild), table=TableId(table)) for guild, table in self._tables)
        return [*tables, *(EventKey(guild=GuildId(guild), number=number) for guild, number in self._events)]

    def after_commit(self, *, well: bool) -> None:
        """Tell what was committed, and begin again."""
        changed = self._changed
        self._tables.clear()
        self._events.clear()
        for watcher in self._watchers:
            watcher.after_commit(changed, well=well)

    def _table_changed(self, guild: int, table: int) -> None:
        self._tables.add((guild, table))

    def _event_changed(self, guild: int, number: int) -> None:
        self._events.add((guild, number))


def _watch(connection: sqlite3.Connection, name: str, call: str) -> None:
    for doing, row in _ROWS.items():
        connection.execute(
            f"CREATE TEMP TRIGGER IF NOT EXISTS {name}_{doing.lower()}_is_told AFTER {doing} ON main.{name} "
            f"BEGIN SELECT {call.format(row=row)}; END"
        )
