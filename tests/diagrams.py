"""``make diagrams``: write the packages and state diagrams of docs/architecture.md from the code.

The order of facts in a hand is observed in seeded hands of every game. Tables, events and entrants have declared
transitions, and a save refuses any other.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from random import Random

from bot.pure.ofc.log import kind_of
from tests.pure.ofc.games import VARIANTS, any_hand
from tests.states import BEGIN, MACHINES, Move

PAGE = Path(__file__).resolve().parent.parent / "docs/architecture.md"
HANDS_PER_GAME = 40
OLD = {"seat_forfeited"}
"""Facts that occur only in old logs."""
HOUSES = {"chat", "pure", "run"}
"""Packages whose parts are listed separately."""
TITLES = {"game_table": "A table", "event": "An event", "entrant": "An entrant"}


def facts() -> set[Move]:
    """Return the pairs of consecutive facts in hands of all games."""
    seen: set[Move] = set()
    for variant in VARIANTS:
        chance = Random(variant.key)
        for _ in range(HANDS_PER_GAME):
            *_, last = any_hand(variant, chance)
            seen |= set(pairwise([BEGIN, *map(kind_of, last.log), BEGIN]))
    return {move for move in seen if not OLD & set(move)}


def diagram(title: str, moves: Iterable[Move]) -> str:
    """One diagram, as GitHub draws it."""
    lines = [f"    {before} --> {after}" for before, after in sorted(moves)]
    return "\n".join([f"**{title}**", "", "```mermaid", "stateDiagram-v2", *lines, "```", ""])


def diagrams() -> str:
    """All of them, in the order of the page."""
    machines = [diagram(TITLES[machine.table], machine.declared) for machine in MACHINES]
    return "\n".join([diagram("A hand, by the facts of its log", facts()), *machines])


def rooms() -> str:
    """Return each package of the bot with the first line of its docstring."""
    bot = PAGE.parent.parent / "bot"
    folders = sorted(
        file.parent
        for file in bot.rglob("__init__.py")
        if len(parts := file.parent.relative_to(bot).parts) == 1 or (len(parts) == 2 and parts[0] in HOUSES)
    )
    lines = (file.joinpath("__init__.py").read_text(encoding="utf-8").split('"""')[1] for file in folders)
    told = (line.strip().partition("\n")[0].replace("``", "`") for line in lines)
    names = (folder.relative_to(bot.parent).as_posix() for folder in folders)
    rows = (f"| `{name}` | {line} |" for name, line in zip(names, told, strict=True))
    return "\n".join(["| Package | What it is |", "| --- | --- |", *rows, ""])


def drawn_into(page: str) -> str:
    """The page with the rooms and the diagrams between their marks."""
    for name, made in (("rooms", rooms()), ("diagrams", diagrams())):
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, rest = page.split(begin)
        page = f"{before}{begin}\n{made}\n{end}{rest.split(end)[1]}"
    return page


if __name__ == "__main__":
    PAGE.write_text(drawn_into(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote {PAGE.name}")
