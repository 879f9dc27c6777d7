"""A connection to the file, with a thread of its own that runs whole transactions."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import aiosqlite

from bot.store.sqlite.trouble import UNREADABLE

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], T]
"""A function inside one transaction, on another thread. It may not end the transaction."""
Connect = Callable[[Path, float], sqlite3.Connection]
"""Opens a connection that waits so many seconds for a lock and begins no transaction by itself; on its own thread."""

STATEMENTS = 256
"""Prepared statements that a connection keeps."""


class ConnectionThread:
    """A connection with a thread of its own. ``load`` counts those who use it or wait for it."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self.load = 0
        self._open = connect
        self._connection: sqlite3.Connection
        self._aiosqlite = aiosqlite.Connection(self._connect, iter_chunk_size=1)
        # aiosqlite's thread would keep a process alive that failed before it could close the database.
        self._aiosqlite._thread.daemon = True  # noqa: SLF001

    async def open(self) -> None:
        """Open the file; raises sqlite3.Error."""
        try:
            await self._aiosqlite
        except UNREADABLE:
            # aiosqlite's thread is about to tell the loop that it ends: the loop must not be closed before.
            self._aiosqlite._thread.join()  # noqa: SLF001
            raise

    def begin(self, job: Job[None]) -> None:
        """Have the connection's thread run ``job``, which raises nothing and tells by itself what became of it."""

        # A function of its own: aiosqlite logs what it runs, and a job's arguments may be secret.
        def run() -> None:
            job(self._connection)

        self._aiosqlite._tx.put_nowait((None, run))  # noqa: SLF001  # As below; without a future the loop sleeps on.

    async def run(self, job: Job[T]) -> T:
        """Run ``job`` on the connection's thread; it goes on when the caller is cancelled."""

        # A function of its own, as above.
        def run() -> T:
            try:
                return job(self._connection)
            except StopIteration as stop:
                # A future cannot hold it: the caller would wait for ever.
                raise RuntimeError("a job raised StopIteration") from stop

        # aiosqlite offers single statements; the only door for a whole transaction in one step is a private one.
        result: T = await self._aiosqlite._execute(run)  # type: ignore[no-untyped-call]  # noqa: SLF001
        return result

    async def close(self) -> None:
        """Close the connection when it has run what waits."""
        await self._aiosqlite.close()

    def _connect(self) -> sqlite3.Connection:
        self._connection = self._open()
        return self._connection


def open_file(path: Path, busy_seconds: float) -> sqlite3.Connection:
    """Open the file as SQLite does, made for its owner alone where it is not there; begins no transaction."""
    with suppress(OSError):
        # SQLite would make it readable for others, and gives its `-wal` the same rights. What is there stays as it is.
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, cached_statements=STATEMENTS)
    connection.row_factory = sqlite3.Row
    return connection


@asynccontextmanager
async def connected(
    path: Path, *, busy_seconds: float, connect: Connect, prepare: Job[None]
) -> AsyncIterator[ConnectionThread]:
    """A thread with its connection, prepared, for as long as the block lasts."""
    line = ConnectionThread(partial(connect, path, busy_seconds))
    await line.open()
    try:
        await line.run(prepare)
        yield line
    finally:
        await line.close()
