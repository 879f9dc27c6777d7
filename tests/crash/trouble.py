"""A bot on a disk that can be told to fail, in the middle of the game of tests/crash."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

from bot.store import StoreUnavailableError
from tests.crash.disk import Disk
from tests.crash.script import bot, take
from tests.crash.shim import connect_over
from tests.play.world import World

FATAL = {
    "read": apsw.SQLITE_IOERR_READ,
    "write": apsw.SQLITE_IOERR_WRITE,
    "sync": apsw.SQLITE_IOERR_FSYNC,
    "truncate": apsw.SQLITE_IOERR_TRUNCATE,
    "size": apsw.SQLITE_IOERR_FSTAT,
    "lock": apsw.SQLITE_IOERR_LOCK,
    "open": apsw.SQLITE_IOERR,
    "delete": apsw.SQLITE_IOERR_DELETE,
}
"""Error of each call on a broken disk."""


@dataclass
class Calls:
    """Counts the calls of a disk, and lets some of them fail."""

    fails_from: int = 0
    fails_to: int = 0
    code: int = 0
    """Of the error; 0 for the one that a broken disk gives."""
    only: tuple[str, ...] = ("read", "write", "sync", "truncate", "size", "lock", "open", "delete")
    made: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def __call__(self, call: str) -> int | None:
        """The error of a call that fails."""
        what = call.split()[0]
        if what not in self.only:
            return None
        self.made.append(call)
        if not self.fails_from <= len(self.made) <= self.fails_to:
            return None
        self.failed.append(call)
        return self.code or FATAL[what]


@dataclass
class Bench:
    """A bot on a disk that can fail, in the middle of the game."""

    world: World
    disk: Disk
    fatal: list[StoreUnavailableError]


@asynccontextmanager
async def bench(folder: Path, *, upto: int) -> AsyncIterator[Bench]:
    """The game, played on a disk that can fail up to a step."""
    fatal: list[StoreUnavailableError] = []
    with Disk("failing") as disk:
        world = bot(folder, first=0)
        world.connect = connect_over(disk.name)
        world.busy_seconds = 0.0
        world.on_fatal = fatal.append
        await world.open()
        for number in range(upto):
            await take(world, number)
        try:
            yield Bench(world, disk, fatal)
        finally:
            disk.fault = None
            await world.close()


def everything(path: Path, copy: Path) -> dict[str, list[Any]]:
    """All that a process would find that is started now; first checks that it is whole."""
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for file in path.parent.glob("chaipo.db*"):
        if not file.name.endswith("-shm"):
            shutil.copy(file, copy)
    with closing(sqlite3.connect(copy / path.name)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        sums = "SELECT guild_id FROM account GROUP BY 1 HAVING SUM(balance) <> 0"
        assert not connection.execute(sums).fetchall()
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: sorted(connection.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in names}
