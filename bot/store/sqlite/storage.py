"""Play's storage over a SQLite database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from bot.play.event.ports import EventTx
from bot.play.model import GuildId
from bot.play.ports import StorageTroubleError, Watcher
from bot.store import StoreTroubleError
from bot.store.books import unbalanced
from bot.store.sqlite.change_triggers import Changed
from bot.store.sqlite.database import Database
from bot.store.sqlite.driver import SqliteSql
from bot.store.transaction import SqlTx

T = TypeVar("T")


class SqlStorage:
    """What :class:`bot.play.ports.Storage` promises, by a :class:`bot.store.sqlite.database.Database`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def write(self, job: Callable[[EventTx], T], *, patient: bool = False) -> T:
        """Run ``job`` in a transaction; returns once it is safe on disk. Raises StorageTroubleError."""
        with _told_to_play():
            return await self._database.write(lambda connection: job(SqlTx(SqliteSql(connection))), patient=patient)

    async def read(self, job: Callable[[EventTx], T]) -> T:
        """Run ``job`` on a snapshot of what is committed. Raises StorageTroubleError."""
        with _told_to_play():
            return await self._database.read(lambda connection: job(SqlTx(SqliteSql(connection))))

    async def unbalanced(self) -> list[GuildId]:
        """The guilds whose ledger does not give their accounts. Raises StorageTroubleError."""
        with _told_to_play():
            return await self._database.read(lambda connection: unbalanced(SqliteSql(connection)))

    def watch(self, watcher: Watcher) -> None:
        """Tell ``watcher`` of each transaction; on the writer's thread."""
        self._database.changes.listen(_Watching(watcher))


@contextmanager
def _told_to_play() -> Iterator[None]:
    """Raise the store's trouble as what play knows of it."""
    try:
        yield
    except StoreTroubleError as trouble:
        raise StorageTroubleError(str(trouble)) from trouble


class _Watching:
    """A watcher as the database knows it."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    def before_commit(self, connection: sqlite3.Connection, changed: Changed) -> None:
        self._watcher.before_commit(SqlTx(SqliteSql(connection)), changed)

    def after_commit(self, changed: Changed, *, well: bool) -> None:
        self._watcher.after_commit(changed, well=well)
