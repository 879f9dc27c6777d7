"""``make journeys``: count the files and functions of the bot that a press runs.

Some presses are made in the tests' club on SQLite. They're followed on all threads until the bot is idle, so both the
response and the redraw count. Named functions are counted, and lambdas and comprehensions belong to the enclosing
function. Queries are counted as well: views of a table or an event, writing and reading transactions, and SQL
statements. One file per journey, and ten functions, belong to the simulated Discord. The last line has the project's
files and their share of import lines.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import logging
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType

from bot.base.command_help import HelpFormatter, examples
from bot.play.event.office import views as event_views
from bot.play.queries import views
from bot.store.sqlite import database
from bot.store.sqlite.driver import SqliteSql
from tests.discord.club import Club, open_club

HOUSE = Path(__file__).resolve().parent.parent
ROOMS = tuple(f"{HOUSE / room}/" for room in ("bot", "cogs"))
LETTERS = "BBMMF"


LOOK, WRITE, READ, STATEMENT = "look", "write", "read", "statement"
ASKED: dict[CodeType, str] = {
    views.TableViews.view_of.__code__: LOOK,
    event_views.look.__code__: LOOK,
    database.SqliteDatabase._run.__code__: WRITE,  # noqa: SLF001  # where a job begins: outside it is only awaited
    database._look.__code__: READ,  # noqa: SLF001
    **dict.fromkeys((f.__code__ for f in (SqliteSql.one, SqliteSql.all, SqliteSql.run, SqliteSql.many)), STATEMENT),
}
"""Functions that count as queries."""


@dataclass(slots=True)
class Journey:
    """The way of one press."""

    functions: set[CodeType] = field(default_factory=set)
    """Those with a name that ran, of ``bot`` and ``cogs``."""
    asked: list[tuple[str, str]] = field(default_factory=list)
    """Queries in order, with their callers."""

    @property
    def files(self) -> set[Path]:
        """Files of the functions."""
        return {Path(code.co_filename).relative_to(HOUSE) for code in self.functions}

    @property
    def times(self) -> Counter[str]:
        """Number of queries of each kind."""
        return Counter(what for what, _ in self.asked)

    def summary(self, name: str) -> str:
        """Return the number of files, functions and queries, and the files by package."""
        packages = Counter("/".join(file.parts[:2]) if file.parts[0] == "bot" else file.parts[0] for file in self.files)
        told = ", ".join(f"{package} {count}" for package, count in packages.most_common())
        times = self.times
        asked = f"{times[LOOK]} looks, {times[WRITE]} writes, {times[READ]} reads, {times[STATEMENT]} statements"
        return f"{name}: {len(self.files)} files, {len(self.functions)} functions; {asked}\n    {told}"


def house() -> str:
    """Return the number of code files and lines, and the share of imports."""
    texts = [file.read_text("utf-8") for room in ROOMS for file in Path(room).rglob("*.py")]
    lines = sum(text.count("\n") for text in texts)
    imports = sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for text in texts
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
    )
    return f"House: {len(texts)} files of {lines / len(texts):.0f} lines; {100 * imports / lines:.1f} % of them import"


class Follower:
    """Sees every call of the process; threads that were started after it are followed too."""

    def __init__(self) -> None:
        self._journey: Journey | None = None
        self._ours: dict[str, bool] = {}
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def close(self) -> None:
        """See nothing more."""
        threading.setprofile(None)
        sys.setprofile(None)

    @contextmanager
    def follow(self) -> Iterator[Journey]:
        """Record the functions that run in the block."""
        self._journey = journey = Journey()
        try:
            yield journey
        finally:
            self._journey = None

    def _note(self, frame: FrameType, event: str, _argument: object) -> None:
        journey = self._journey
        if journey is None or event != "call":
            return
        code = frame.f_code
        if (what := ASKED.get(code)) is not None:
            journey.asked.append((what, self._whom(frame)))
        if not code.co_name.startswith("<") and self._is_ours(code):
            journey.functions.add(code)

    def _is_ours(self, code: CodeType) -> bool:
        ours = self._ours.get(code.co_filename)
        if ours is None:
            ours = self._ours[code.co_filename] = code.co_filename.startswith(ROOMS)
        return ours

    def _whom(self, frame: FrameType) -> str:
        """Return the statement, if it is one, and the functions that caused it."""
        said = " ".join(str(frame.f_locals.get("statement", "")).split())[:70]
        callers: list[str] = []
        back = frame.f_back
        while back is not None and len(callers) < 6:
            if self._is_ours(back.f_code):
                callers.append(back.f_code.co_qualname)
            back = back.f_back
        return " < ".join([said, *callers] if said else callers)


async def journeys(club: Club, follower: Follower) -> list[tuple[str, Journey]]:
    """*Register*, *Start*, a tap on a card and *Confirm*, each followed from the press to the last drawing."""
    club.watch.rests = True
    found: list[tuple[str, Journey]] = []
    page = await club.draft("alice", preset="sit_and_go", name="Night")
    await club.press("alice", page, page.find("ev_form_publish"))
    await club.settle()
    event = next(screen for screen in reversed(club.public()) if screen.has("ev_register"))
    with follower.follow() as journey:
        await club.press("bob", event, event.find("ev_register"))
        await club.settle()
    found.append(("Register", journey))

    await club.slash("alice", "ofc play")
    table = (await club.play.open_tables(club.key().guild))[-1].key.table
    screen = club.table_screen(table)
    await club.press("bob", screen, screen.find("join"))
    await club.settle()
    screen = club.table_screen(table)
    with follower.follow() as journey:
        await club.press("alice", screen, screen.find("start"))
        await club.settle()
    found.append(("Start", journey))

    name = await club.on_turn(table)
    panel = await club.open_panel(name, table)
    await club.settle()
    with follower.follow() as journey:
        panel = await club.tap(name, panel, panel.find("card", "1"))
        await club.settle()
    found.append(("Tap", journey))
    panel = await club.place(name, panel, LETTERS)
    await club.settle()
    with follower.follow() as journey:
        await club.tap(name, panel, panel.find("confirm"))
        await club.settle()
    found.append(("Confirm", journey))
    return found


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.journeys",
        description="Count the files, functions, queries and transactions behind some presses.",
        epilog=examples("", "--files --asked"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--files", action="store_true", help="list each file and the functions that ran in it")
    parser.add_argument("--asked", action="store_true", help="list each query and transaction")
    return parser


async def main() -> None:
    """Print the journeys."""
    args = parser().parse_args()
    logging.disable(logging.CRITICAL)
    follower = Follower()
    with TemporaryDirectory() as folder:
        async with open_club(Path(folder)) as club:
            for name, journey in await journeys(club, follower):
                print(journey.summary(name))
                if args.files:
                    for file in sorted(journey.files):
                        ran = [code for code in journey.functions if Path(code.co_filename) == HOUSE / file]
                        names = ", ".join(c.co_qualname for c in sorted(ran, key=lambda code: code.co_firstlineno))
                        print(f"    {len(ran):4} {file}: {names}")
                if args.asked:
                    print("".join(f"    {what:9} {whom}\n" for what, whom in journey.asked), end="")
    print(house())


if __name__ == "__main__":
    asyncio.run(main())
