"""Processes that play the game until they kill themselves, each forked from a prepared one.

``python -m tests.crash.fork_server`` reads lines of JSON and forks a child for each. A new Python would take a second
to load the bot. A fork takes almost no time and is a real process, which the signal ends like any other.
"""

from __future__ import annotations

import asyncio
import atexit
import gc
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.chat.art.faces import draw_all
from bot.chat.event.posts import posted_desks
from bot.model.refusals import Stale
from bot.play.trainer import finding, judging
from bot.play.trainer.finding import Finding
from tests.crash import banking, desk_posts, evening_acts, mistake_hour, puzzle_days, puzzle_hour, self_play_hour
from tests.crash.bulletin_day import pass_monday
from tests.crash.daily_day import PRESSES, morning, press
from tests.crash.days import pass_days
from tests.crash.event_night import announce, night, pass_on
from tests.crash.greeting import greet
from tests.crash.leaving import LEAVER, house, play
from tests.crash.outliving import Posted
from tests.crash.script import bot, take
from tests.crash.season_over import pass_end
from tests.databases import Hurried, hurried
from tests.play.world import START, World
from tests.quickly_found import quickly_found, quickly_played
from tests.quickly_judged import quickly_judged
from tests.worked_out import work_out_once

ROOT = Path(__file__).parents[2]
NEVER = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A process's end: the signal, the acknowledged steps, and the number of points where it could have died."""

    signal: int
    acknowledged: list[int]
    points: list[str]
    posted: list[Posted]
    """Messages accepted by a Discord that outlives the process."""


class ForkServer:
    """The process that is ready to be forked."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def event(self, folder: Path, *, players: int, kill_at: int) -> Child:
        """Let a child play a whole event until its ``kill_at``-th point; it acknowledges the event's end."""
        return self._order({"folder": str(folder), "players": players, "kill_at": kill_at, "opening": False})

    def day(self, folder: Path, *, kill_at: int) -> Child:
        """Let a child play a daily hand until its ``kill_at``-th point; it acknowledges each press."""
        folder.mkdir(exist_ok=True)
        return self._order({"folder": str(folder), "day": True, "kill_at": kill_at, "opening": False})

    def puzzles(self, folder: Path, *, kill_at: int) -> Child:
        """Let a child answer puzzles until its ``kill_at``-th point; it acknowledges each press."""
        folder.mkdir(exist_ok=True)
        return self._order({"folder": str(folder), "puzzles": True, "kill_at": kill_at, "opening": False})

    def day_answers(self, folder: Path, *, kill_at: int) -> Child:
        """Let a child answer a puzzle of the day until its ``kill_at``-th point; it acknowledges each press."""
        return self._order({"folder": str(folder), "day_answers": True, "kill_at": kill_at, "opening": False})

    def reveals(self, folder: Path, *, at: int, before: Sequence[Posted], kill_at: int) -> Child:
        """Let a child reveal a puzzle of the day in a morning post. It acknowledges the number of posts."""
        posted = [[message.at, message.body] for message in before]
        return self._order(
            {"folder": str(folder), "reveals": 1, "at": at, "before": posted, "kill_at": kill_at, "opening": False}
        )

    def self_play(self, folder: Path, *, kill_at: int) -> Child:
        """Let a child make puzzles for a solver until its ``kill_at``-th point; it acknowledges each press."""
        return self._order({"folder": str(folder), "self_play": True, "kill_at": kill_at, "opening": False})

    def mistakes(self, folder: Path, *, kill_at: int) -> Child:
        """Let a child judge hands and answer mistakes until its ``kill_at``-th point; it acknowledges each press."""
        return self._order({"folder": str(folder), "mistakes": True, "kill_at": kill_at, "opening": False})

    def banking(self, folder: Path, *, kill_at: int) -> Child:
        """Let a child move chips in every way until its ``kill_at``-th point; it acknowledges each press."""
        return self._order({"folder": str(folder), "banking": True, "kill_at": kill_at, "opening": False})

    def evening(self, folder: Path, script: str, *, kill_at: int) -> Child:
        """Let a child press what a script of an event's evening has until its ``kill_at``-th point."""
        return self._order({"folder": str(folder), "evening": script, "kill_at": kill_at, "opening": False})

    def leaving(self, folder: Path, *, kill_at: int) -> Child:
        """Let a child delete a player until its ``kill_at``-th point. It acknowledges the deletion."""
        folder.mkdir(exist_ok=True)
        return self._order({"folder": str(folder), "leaving": True, "kill_at": kill_at, "opening": False})

    def play(self, folder: Path, *, first: int, last: int, kill_at: int, opening: bool = False) -> Child:
        """Let a child play some steps and kill itself at its ``kill_at``-th point, or else when all are acknowledged.

        The points of its start count with ``opening`` only.
        """
        return self._order(
            {"folder": str(folder), "first": first, "last": last, "kill_at": kill_at, "opening": opening}
        )

    def greet(self, folder: Path, *, at: int, before: Sequence[Posted], kill_at: int) -> Child:
        """Let a child welcome a server with these messages. It acknowledges the number of welcomes posted."""
        posted = [[message.at, message.body] for message in before]
        return self._order({"folder": str(folder), "at": at, "before": posted, "kill_at": kill_at, "opening": False})

    def days(
        self, folder: Path, *, at: int, before: Sequence[Posted], kill_at: int, reads_history: bool = True
    ) -> Child:
        """Let a child choose hours and send digests. It acknowledges the number of digests posted."""
        posted = [[message.at, message.body] for message in before]
        order = {"folder": str(folder), "days": True, "at": at, "before": posted, "kill_at": kill_at, "opening": False}
        return self._order(order | {"reads_history": reads_history})

    def organises(self, folder: Path, *, at: int, before: Sequence[Posted], kill_at: int) -> Child:
        """Let a child call a player and keep the desk posted. It acknowledges the numbers of calls and desks."""
        posted = [[message.at, message.body] for message in before]
        return self._order(
            {"folder": str(folder), "organises": 1, "at": at, "before": posted, "kill_at": kill_at, "opening": False}
        )

    def bulletins(self, folder: Path, *, at: int, before: Sequence[Posted], kill_at: int) -> Child:
        """Let a child post a server's scheduled posts. It acknowledges the number of each."""
        posted = [[message.at, message.body] for message in before]
        return self._order(
            {"folder": str(folder), "bulletins": 1, "at": at, "before": posted, "kill_at": kill_at, "opening": False}
        )

    def season_end(
        self, folder: Path, *, at: int, before: Sequence[Posted], kill_at: int, reads_history: bool
    ) -> Child:
        """Let a child announce the end of a season. It acknowledges the number of announcements."""
        posted = [[message.at, message.body] for message in before]
        order = {"folder": str(folder), "season_end": 1, "at": at, "before": posted, "kill_at": kill_at}
        return self._order(order | {"opening": False, "reads_history": reads_history})

    def end(self) -> None:
        """Let it end when the child that it waits for has ended."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        assert self._process.wait() == 0

    def _order(self, order: dict[str, Any]) -> Child:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(order), file=self._process.stdin, flush=True)
        told = json.loads(self._process.stdout.readline())
        return Child(**told | {"posted": [Posted(at=at, body=body) for at, body in told["posted"]]})


_running: list[ForkServer] = []


@contextmanager
def fork_server() -> Iterator[ForkServer]:
    """The fork server of this process, which the first who needs it starts; it ends with the process."""
    if not _running:
        command = [sys.executable, "-m", "tests.crash.fork_server"]
        _running.append(
            ForkServer(subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        )
        atexit.register(_running[-1].end)
    try:
        yield _running[-1]
    except BaseException:
        # An interrupted caller may have left an unread answer.
        _running.pop().end()
        raise


class _Life:
    """A child's state. It reports its progress in a pipe, which outlives it, and dies at the given point."""

    def __init__(self, pipe: int, *, kill_at: int, opening: bool) -> None:
        self._pipe = pipe
        self._kill_at = kill_at
        self._counts = opening
        self._passed = 0
        self._connected = False
        self.quiet = False
        """True if there are too many points to report."""

    def tell(self, what: str) -> None:
        os.write(self._pipe, f"{what}\n".encode())

    def begin(self) -> None:
        self._counts = True

    def point(self, where: str) -> None:
        """Mark a point at which the process can be killed."""
        if not self._counts:
            return
        self._passed += 1
        if not self.quiet:
            self.tell(f"point {where}")
        if self._passed == self._kill_at:
            self.end()

    def end(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def statement(self, sql: str) -> None:
        """SQLite is about to run a statement, a trigger's too."""
        self.point(" ".join(sql.split()[:3]))

    def connect(self, path: Path, busy_seconds: float) -> sqlite3.Connection:
        # A process's writes survive its death, even if they aren't on the disk yet.
        connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, factory=Hurried)
        connection.row_factory = sqlite3.Row
        if not self._connected:
            # The writer's is the first; a reader's death would be one between two writes.
            connection.set_trace_callback(self.statement)
        self._connected = True
        return connection


async def _live(life: _Life, folder: Path, *, first: int, last: int) -> None:
    world = bot(folder, first=first, trace=life.point)
    world.connect = life.connect
    await world.open()
    life.begin()
    for number in range(first, last + 1):
        try:
            await take(world, number)
        except Stale:
            # This press was in flight when the previous process was killed, and it had taken effect.
            assert number == first
        life.tell(f"done {number}")
    life.end()


async def _live_through(life: _Life, folder: Path, *, players: int) -> None:
    """Play an event."""
    life.quiet = True
    world = night(folder, trace=life.point)
    world.connect = life.connect
    await world.open()
    life.begin()
    await announce(world, players)
    while await pass_on(world):
        pass
    life.tell("done 1")
    life.end()


async def _post(life: _Life, folder: Path, *, at: int, before: list[list[Any]], work: Callable[..., Any]) -> None:
    """Post messages that may already be posted."""
    standing = await work(
        folder,
        at=at,
        before=[Posted(at=at, body=body) for at, body in before],
        connect=life.connect,
        begin=life.begin,
        point=life.point,
        tell=life.tell,
    )
    life.tell(f"done {standing}")
    life.end()


async def _press_all(life: _Life, world: World, press: Callable[[World, int], Awaitable[object]], count: int) -> None:
    """Make ``count`` presses, one after the other."""
    world.connect = life.connect
    await world.open()
    life.begin()
    for number in range(count):
        await press(world, number)
        life.tell(f"done {number}")
    life.end()


async def _live_a_day(life: _Life, folder: Path) -> None:
    """Play a daily hand."""
    await _press_all(life, morning(folder, trace=life.point), press, len(PRESSES))


async def _solve(life: _Life, folder: Path) -> None:
    """Answer puzzles."""
    world = puzzle_hour.hour(folder, trace=life.point)
    await _press_all(life, world, puzzle_hour.press, len(puzzle_hour.PRESSES))


async def _answer_day(life: _Life, folder: Path) -> None:
    """Answer a puzzle of the day."""
    world = puzzle_days.sunday(folder, trace=life.point)
    await _press_all(life, world, puzzle_days.press, len(puzzle_days.PRESSES))


async def _learn(life: _Life, folder: Path) -> None:
    """Judge hands and answer mistakes."""
    world = mistake_hour.hour(folder, trace=life.point)
    await _press_all(life, world, mistake_hour.press, len(mistake_hour.PRESSES))


async def _run_short(life: _Life, folder: Path) -> None:
    """Answer puzzles until there are few left, and make others."""
    world = self_play_hour.hour(folder, trace=life.point)
    await _press_all(life, world, self_play_hour.press, len(self_play_hour.PRESSES))


async def _bank(life: _Life, folder: Path) -> None:
    """Move chips."""
    await _press_all(life, banking.house(folder, trace=life.point), banking.press, len(banking.PRESSES))


async def _organise(life: _Life, folder: Path, *, script: str) -> None:
    """Run an organiser's script, or let an event continue without presses."""
    world = evening_acts.house(folder, trace=life.point)
    world.connect = life.connect
    await world.open()
    life.begin()
    for number, act in enumerate(evening_acts.SCRIPTS[script].presses):
        await act(world, f"press {number}")
        life.tell(f"done {number}")
    life.end()


async def _leave(life: _Life, folder: Path) -> None:
    """Delete a player."""
    world = house(folder, trace=life.point)
    world.connect = life.connect
    await world.open()
    await play(world)
    life.begin()
    await world.privacy.delete(LEAVER)
    life.tell("done 1")
    life.end()


def _raise_one(order: dict[str, Any]) -> dict[str, Any]:
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(ours)
        try:
            life = _Life(theirs, kill_at=order["kill_at"], opening=order["opening"])
            folder = Path(order["folder"])
            if "players" in order:
                asyncio.run(_live_through(life, folder, players=order["players"]))
            elif "days" in order:
                days = partial(pass_days, reads_history=order["reads_history"])
                asyncio.run(_post(life, folder, at=order["at"], before=order["before"], work=days))
            elif "season_end" in order:
                end = partial(pass_end, reads_history=order["reads_history"])
                asyncio.run(_post(life, folder, at=order["at"], before=order["before"], work=end))
            elif "bulletins" in order:
                asyncio.run(_post(life, folder, at=order["at"], before=order["before"], work=pass_monday))
            elif "reveals" in order:
                asyncio.run(_post(life, folder, at=order["at"], before=order["before"], work=puzzle_days.pass_morning))
            elif "organises" in order:
                asyncio.run(_post(life, folder, at=order["at"], before=order["before"], work=desk_posts.organise))
            elif "before" in order:
                asyncio.run(_post(life, folder, at=order["at"], before=order["before"], work=greet))
            elif "banking" in order:
                asyncio.run(_bank(life, folder))
            elif "evening" in order:
                asyncio.run(_organise(life, folder, script=order["evening"]))
            elif "leaving" in order:
                asyncio.run(_leave(life, folder))
            elif "day_answers" in order:
                asyncio.run(_answer_day(life, folder))
            elif "puzzles" in order:
                asyncio.run(_solve(life, folder))
            elif "self_play" in order:
                asyncio.run(_run_short(life, folder))
            elif "mistakes" in order:
                asyncio.run(_learn(life, folder))
            elif "day" in order:
                asyncio.run(_live_a_day(life, folder))
            else:
                asyncio.run(_live(life, folder, first=order["first"], last=order["last"]))
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(theirs)
    with os.fdopen(ours) as pipe:
        told = [line.rstrip("\n").partition(" ") for line in pipe]
    status = os.waitpid(pid, 0)[1]
    return {
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
        "acknowledged": [int(rest) for what, _, rest in told if what == "done"],
        "points": [rest for what, _, rest in told if what == "point"],
        "posted": [json.loads(rest) for what, _, rest in told if what == "posted"],
    }


def _warm_up() -> None:
    """Load, compute and draw once what each child would otherwise do for itself: texts, cogs, commands, card faces."""
    patch = pytest.MonkeyPatch()
    work_out_once(patch)
    patch.setattr(judging, "judged", quickly_judged)
    patch.setattr(Finding, "search", quickly_found)
    patch.setattr(finding, "seeded_views", quickly_played)
    patch.setattr(os, "fsync", lambda _: None)
    # A desk that rests would do so in the seconds of a test.
    patch.setattr(posted_desks, "PAUSE_SECONDS", 0.0)
    draw_all()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        asyncio.run(desk_posts.house(place))
        asyncio.run(
            desk_posts.organise(
                place,
                at=START,
                before=[],
                connect=hurried,
                begin=lambda: None,
                point=lambda _: None,
                tell=lambda _: None,
            )
        )
    # Objects created so far are permanent. A garbage collection in a child would copy them into it.
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    _warm_up()
    for line in sys.stdin:
        print(json.dumps(_raise_one(json.loads(line))), flush=True)
