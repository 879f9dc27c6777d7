"""An hour of *My mistakes* as a fixed script. Two hands were played before. Ann's are judged and make
puzzles, and she answers both."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bot.model.puzzles import PuzzleName
from bot.play.trainer.mistakes import mistake_name
from tests.crash.script import KEY, SameVault, last_heartbeat
from tests.play.world import ANN, BOB, START, World

PRESSES = ("open", "judge", "wrong", "later", "right")
DECISION = 2
"""The decision that each hand's mistake is at."""


def hour(folder: Path, *, trace: Callable[[str], None] | None = None) -> World:
    """A bot that is started, or started again in the same hour."""
    now = max(START, last_heartbeat(folder / "chaipo.db"))
    return World(folder, fixed=SameVault([b"k" * 32]), now=now, trace=trace)


async def play(folder: Path) -> None:
    """Play the hands, before anything is killed."""
    world = hour(folder)
    await world.open()
    key = await world.table(ANN, BOB)
    assert key == KEY
    await world.start(key)
    for number in range(2):
        if number:
            await world.next_hand(key)
        await world.play_hand(key)
    await world.play.close(key, reason="by_manager")
    await world.close()


def mistake_in(hand_no: int) -> PuzzleName:
    """Return the name of Ann's mistake in a hand. Its buttons carry it."""
    return mistake_name(ANN, KEY, hand_no, DECISION)


async def press(world: World, number: int) -> None:
    """One press of hers, as her client sends it again after a crash; raises Stale where it had its effect before."""
    how = PRESSES[number]
    if how == "open":
        await world.mistakes.open(ANN)
    elif how == "judge":
        await world.mistakes.done()
    elif how == "later":
        await world.mistakes.put_aside(ANN, mistake_in(2))
    else:
        name = mistake_in(1 if how == "wrong" else 2)
        found = await world.mistakes.correction(ANN, name)
        letters = found.placements[0].letters if how == "right" else found.placed.letters
        await world.mistakes.answer(ANN, name, letters, cause=how)
