"""A game that is played once on a disk that remembers, and then crashed after each operation of that disk.

For each operation the disk is made as it may be when the power goes right after it, or the process is killed; then the
bot opens it. The recorded game is one real run: a crash changes nothing of what came before it.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from bot.store import StoreError
from bot.store.sqlite.database import SqliteDatabase
from bot.store.upkeep import behind
from tests.crash.disk import Disk, Mark, Operation, Platter
from tests.crash.going_on import End, go_on, start_again
from tests.crash.script import STEPS, bot, take
from tests.crash.shim import connect_over
from tests.databases import hurried

Stored = dict[str, list[tuple[Any, ...]]]
Files = dict[str, bytes]
MARKS = {"begin": "begun", "after_commit": "committed", "resolved": "answered"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A game as recorded by the disk, and the stored data before and after each commit."""

    operations: list[Operation]
    states: list[Stored]
    marks: list[bytes]
    """The database's progress mark, stored next to the key, after each step."""


@dataclass(slots=True, kw_only=True)
class Place:
    """The game's progress at an operation."""

    begun: int = 0
    """Transactions."""
    committed: int = 0
    answered: int = 0
    steps: int = 0
    """Steps that were acknowledged."""
    passed: int = 0
    """Other points."""

    def pass_by(self, mark: Mark) -> None:
        """Count a mark."""
        setattr(self, mark.what, getattr(self, mark.what) + 1)


@dataclass(slots=True, kw_only=True)
class Findings:
    """Results of the crashes: lost acknowledged data, and stored data that never existed."""

    points: int = 0
    lost: list[int] = field(default_factory=list)
    damaged: list[int] = field(default_factory=list)
    behind: list[int] = field(default_factory=list)
    """Crashes after which the database would be taken for a restored copy."""


def everything(path: Path) -> Stored:
    """All that is stored. Raises sqlite3.Error or AssertionError for a file that is damaged."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: sorted(connection.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in names}


def put(folder: Path, files: Files) -> Path:
    """Make a folder that holds just these files; returns the database's path."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder / "chaipo.db"


def mark_of(folder: Path) -> Path:
    """Return the file next to the key that records the database's progress."""
    return folder / "chaipo.key.mark"


async def record(folder: Path, *, synchronous: str) -> Recording:
    """Play the game on a recording disk, with ``synchronous`` instead of FULL."""
    (folder / "played").mkdir()
    with Disk("remembering") as disk:
        replacing = {"PRAGMA synchronous = FULL": f"PRAGMA synchronous = {synchronous}"}
        world = bot(folder / "played", first=0, trace=lambda point: disk.mark(MARKS.get(point, "passed")))
        world.connect = connect_over(disk.name, replacing=replacing)
        await world.open()
        marks = []
        for number in range(len(STEPS)):
            await take(world, number)
            marks.append(mark_of(world.folder).read_bytes())
            disk.mark("steps")
        await world.close()
        await asyncio.sleep(0)
    platter, states = Platter(), list[Stored]()
    for operation in disk.done:
        platter.do(operation)
        if operation == Mark("committed") or (operation == Mark("begun") and not states):
            states.append(everything(put(folder / "state", platter.as_it_is())))
    return Recording(operations=disk.done, states=states, marks=marks)


class Crashes:
    """Every crash of a recorded game; ``power`` also takes away what was not synced."""

    def __init__(self, recording: Recording, folder: Path, *, power: bool, seed: int = 0) -> None:
        self._recording = recording
        self._folder = folder
        self._power = power
        self._seed = seed
        self.findings = Findings()

    async def look(self, *, part: int, parts: int, end: End | None) -> Findings:
        """Crash after every ``parts``-th operation, beginning with ``part``.

        With ``end`` the game goes on as well: from every state that is found, each of them by one of the parts.
        """
        platter, place, gone_on = Platter(), Place(), set[tuple[int, int]]()
        for number, operation in enumerate(self._recording.operations):
            platter.do(operation)
            if isinstance(operation, Mark):
                place.pass_by(operation)
                continue
            if number % parts != part:
                continue
            self.findings.points += 1
            files = platter.after_power_loss(Random(f"{self._seed} {number}")) if self._power else platter.as_it_is()
            path = put(self._folder / "crashed", files)
            if place.steps:
                mark_of(path.parent).write_bytes(self._recording.marks[place.steps - 1])
            found = await self._judge(path, number, place)
            if end is None or found is None or place.steps % parts != part:
                continue
            if (found, place.steps) not in gone_on:
                gone_on.add((found, place.steps))
                world = await start_again(path.parent, acknowledged=range(place.steps))
                await go_on(world, first=place.steps, end=end)
        return self.findings

    async def _judge(self, path: Path, number: int, place: Place) -> int | None:
        """Open what is left; returns after how many commits it is, or None when it is none of those that may be."""
        try:
            # As the bot opens it, which refuses what is damaged and makes what is not yet there.
            await (await SqliteDatabase.open(path, connect=hurried)).close()
            stored = everything(path)
        except (StoreError, sqlite3.Error, AssertionError):
            self.findings.damaged.append(number)
            return None
        states = self._recording.states
        after = [commits for commits, state in enumerate(states[: place.begun + 1]) if state == stored]
        if not after:
            self.findings.damaged.append(number)
            return None
        if place.steps and behind(path, path.with_name("chaipo.key")):
            self.findings.behind.append(number)
        if after[-1] < place.answered:
            self.findings.lost.append(number)
            return None
        return after[-1]


async def crashes(folder: Path, *, synchronous: str = "FULL", power: bool, seed: int = 0) -> Crashes:
    """A recorded game, ready to be crashed."""
    return Crashes(await record(folder, synchronous=synchronous), folder, power=power, seed=seed)
