"""An hour of puzzles as a fixed script. Ann misses one, puts one off and solves one; each press has its own id."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bot.model.puzzles import PuzzleName
from bot.play.trainer.known_puzzles import known_puzzles
from tests.crash.script import SameVault, last_heartbeat
from tests.play.world import ANN, START, World

PRESSES = ("wrong", "later", "right")


def hour(folder: Path, *, trace: Callable[[str], None] | None = None) -> World:
    """A bot that is started, or started again in the same hour."""
    now = max(START, last_heartbeat(folder / "chaipo.db"))
    return World(folder, fixed=SameVault([b"k" * 32]), now=now, trace=trace)


def puzzle_of(number: int) -> PuzzleName:
    """Return the puzzle that a press is about. Its button carries the name."""
    return list(known_puzzles())[number]


async def press(world: World, number: int) -> None:
    """One press of hers, as her client sends it again after a crash; raises Stale where it had its effect before."""
    name, how = puzzle_of(number), PRESSES[number]
    puzzle = known_puzzles()[name]
    await world.trainer.give(ANN)
    if how == "later":
        await world.trainer.put_aside(ANN, name)
        return
    letters = puzzle.best if how == "right" else puzzle.placements[1].letters
    await world.trainer.answer(ANN, name, letters, cause=how)
