"""``make journeys``: how far a press goes through the house: which files and functions of the bot it runs.

Three presses are made in the tests' club on SQLite, and followed on all threads until the bot has nothing more to do,
so both the answer and the message drawn again count. Functions with a name are counted; lambdas and comprehensions
belong to the function they stand in.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType

from tests.discord.club import Club, open_club

HOUSE = Path(__file__).resolve().parent.parent
ROOMS = tuple(f"{HOUSE / room}/" for room in ("bot", "cogs"))
LETTERS = "BBMMF"


class Follower:
    """Sees every call of the process; threads that were started after it are followed too."""

    def __init__(self) -> None:
        self._seen: set[CodeType] | None = None
        self._ours: dict[str, bool] = {}
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    @contextmanager
    def follow(self) -> Iterator[set[CodeType]]:
        """The functions with a name that run meanwhile, those of ``bot`` and ``cogs``."""
        seen: set[CodeType] = set()
        self._seen = seen
        try:
            yield seen
        finally:
            self._seen = None

    def _note(self, frame: FrameType, event: str, _argument: object) -> None:
        seen = self._seen
        if seen is None or event != "call":
            return
        code = frame.f_code
        if code.co_name.startswith("<"):
            return
        ours = self._ours.get(code.co_filename)
        if ours is None:
            ours = self._ours[code.co_filename] = code.co_filename.startswith(ROOMS)
        if ours:
            seen.add(code)


def summary(name: str, seen: set[CodeType]) -> str:
    """How many files and functions, and the files by package."""
    files = {Path(code.co_filename).relative_to(HOUSE) for code in seen}
    packages = Counter("/".join(file.parts[:2]) if file.parts[0] == "bot" else file.parts[0] for file in files)
    told = ", ".join(f"{package} {count}" for package, count in packages.most_common())
    return f"{name}: {len(files)} files, {len(seen)} functions\n    {told}"


async def journeys(club: Club, follower: Follower) -> list[tuple[str, set[CodeType]]]:
    """*Register*, *Start* and *Confirm*, each followed from the press to the last drawing."""
    found: list[tuple[str, set[CodeType]]] = []
    page = await club.slash("alice", "event create", preset="sit_and_go", name="Night")
    await club.press("alice", page, page.find("ev_form_publish"))
    await club.settle()
    event = next(screen for screen in reversed(club.public()) if screen.has("ev_register"))
    with follower.follow() as seen:
        await club.press("bob", event, event.find("ev_register"))
        await club.settle()
    found.append(("Register", seen))

    await club.slash("alice", "ofc play")
    table = (await club.play.open_tables(club.key().guild))[-1].key.table
    screen = club.table_screen(table)
    await club.press("bob", screen, screen.find("join"))
    await club.settle()
    screen = club.table_screen(table)
    with follower.follow() as seen:
        await club.press("alice", screen, screen.find("start"))
        await club.settle()
    found.append(("Start", seen))

    name = await club.on_turn(table)
    panel = await club.place(name, await club.open_panel(name, table), LETTERS)
    await club.settle()
    with follower.follow() as seen:
        await club.tap(name, panel, panel.find("confirm"))
        await club.settle()
    found.append(("Confirm", seen))
    return found


async def main() -> None:
    """Print the three journeys; with ``--files`` every file as well."""
    logging.disable(logging.CRITICAL)
    follower = Follower()
    with TemporaryDirectory() as folder:
        async with open_club(Path(folder)) as club:
            for name, seen in await journeys(club, follower):
                print(summary(name, seen))
                if "--files" in sys.argv[1:]:
                    by_file = Counter(str(Path(code.co_filename).relative_to(HOUSE)) for code in seen)
                    print("".join(f"    {count:4} {file}\n" for file, count in sorted(by_file.items())), end="")


if __name__ == "__main__":
    asyncio.run(main())
