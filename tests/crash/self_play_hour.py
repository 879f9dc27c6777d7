"""An hour of puzzles of one game as a fixed script. Cleo answers one, which leaves her few, and the bot makes another.
Then she answers one more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bot.model.limits import FEW_PUZZLES
from bot.model.puzzles import PuzzleName
from bot.play.trainer.judging import LOOK_AGAIN_MS
from bot.play.trainer.known_puzzles import known_puzzles
from tests.crash.script import last_heartbeat
from tests.play.trainer.short import GAME, becomes_short, named
from tests.play.world import CLEO, START, FixedVault, World

PRESSES = ("answer", "make", "answer", "make")


def hour(folder: Path, *, trace: Callable[[str], None] | None = None) -> World:
    """A bot that is started, or started again in the same hour."""
    now = max(START, last_heartbeat(folder / "chaipo.db"))
    return World(folder, fixed=FixedVault([b"k" * 32]), now=now, trace=trace)


async def play(folder: Path) -> None:
    """Answer all but as many puzzles as are enough, before anything is killed."""
    world = hour(folder)
    await world.open()
    await becomes_short(world, left=FEW_PUZZLES)
    await world.close()


def answered_by(number: int) -> PuzzleName:
    """Return the puzzle that a press answers."""
    return named(GAME)[-1 - number]


async def press(world: World, number: int) -> None:
    """One press of hers, as her client sends it again after a crash; raises Stale where it had its effect before."""
    if PRESSES[number] == "answer":
        name = answered_by(number)
        await world.trainer.answer(CLEO, name, known_puzzles()[name].best, cause=f"press {number}")
        return
    world.now += LOOK_AGAIN_MS
    await world.mistakes.done()
