"""The bot's own database on one thread, with a disk that delays, refuses, and loses the process at any write."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any, cast

from bot.store.sqlite.database import MIGRATIONS, READERS, SqliteDatabase, _prepare, _prepare_reader
from bot.store.sqlite.driver import ConnectionThread
from tests.databases import hurried
from tests.simulation.loop import SimulatedLoop

BUSY, FULL, IOERR = 5, 13, 10
"""SQLite's own numbers of its errors."""


class Disk:
    """Database errors. Rates are shares of all writes."""

    def __init__(self, path: Path, chance: Random) -> None:
        self.path = path
        self.chance = chance
        self.trouble_rate = 0.0
        self.kill_rate = 0.0
        self.kills = 0
        self.troubles = 0
        self.commits = 0
        self._trouble: int | None = None
        self._open: list[sqlite3.Connection] = []

    def trace(self, where: str) -> None:
        """Receive the database's trace of a write. At each point, the write may fail or the process may die."""
        loop = cast("SimulatedLoop", asyncio.get_running_loop())
        if where == "after_commit":
            self.commits += 1
        if self.kill_rate and self.chance.random() < self.kill_rate:
            self.kills += 1
            loop.kill()
            if where in ("begin", "job", "before_commit"):
                raise sqlite3.OperationalError("the process is gone")
        if where == "begin" and self.trouble_rate and self.chance.random() < self.trouble_rate:
            self.troubles += 1
            trouble = sqlite3.OperationalError("as the simulation wants it")
            trouble.sqlite_errorcode = self.chance.choice((BUSY, BUSY, FULL))
            raise trouble

    async def open(self, on_fatal: Callable[[Any], None]) -> SqliteDatabase:
        """Open the database as the bot does, but for its threads and its lock."""
        lines = [_InlineLine(self._connect(), self.chance) for _ in range(1 + READERS)]
        _prepare(lines[0].connection, path=self.path, migrations=MIGRATIONS)
        for line in lines[1:]:
            _prepare_reader(line.connection)
        stack = AsyncExitStack()
        for line in lines:
            stack.push_async_callback(line.close)
        inline = cast("list[ConnectionThread]", lines)
        return SqliteDatabase(self.path, lines=inline, stack=stack, on_fatal=on_fatal, trace=self.trace)

    def _connect(self) -> sqlite3.Connection:
        connection = hurried(self.path, 0)
        self._open.append(connection)
        return connection

    def power_cut(self) -> None:
        """End the process, and discard uncommitted data."""
        for connection in self._open:
            connection.close()
        self._open.clear()


class _InlineLine:
    """A connection whose work is done by the loop itself, after a moment."""

    def __init__(self, connection: sqlite3.Connection, chance: Random) -> None:
        self.load = 0
        self.connection = connection
        self._chance = chance
        self._begun: asyncio.Task[None] | None = None

    def begin(self, job: Callable[[sqlite3.Connection], None]) -> None:
        """Begin a job; there is one at a time."""
        self._begun = asyncio.create_task(self.run(job))

    async def run(self, job: Callable[[sqlite3.Connection], Any]) -> Any:
        """Run a job as another thread would: some time later."""
        await asyncio.sleep(self._chance.choice((0, 0, 0.001, 0.02)))
        loop = cast("SimulatedLoop", asyncio.get_running_loop())
        began = time.thread_time()
        try:
            return job(self.connection)
        finally:
            loop.elsewhere += time.thread_time() - began

    async def close(self) -> None:
        """Close the connection."""
        self.connection.close()
