"""A daily hand as a fixed script. Ann begins it and places each street, and each press has its own id."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.crash.script import SameVault, last_heartbeat
from tests.play.world import ANN, START, World, quickly

PRESSES = ("begin", *(f"street {number}" for number in range(1, 6)))


def morning(folder: Path, *, trace: Callable[[str], None] | None = None) -> World:
    """A bot that is started, or started again on the same day."""
    now = max(START, last_heartbeat(folder / "chaipo.db"))
    return World(folder, fixed=SameVault([b"k" * 32]), now=now, trace=trace)


async def press(world: World, number: int) -> None:
    """One press of hers, as her client sends it again after a crash; raises Stale where it had its effect before."""
    view = await world.daily.today(ANN)
    await world.daily.done()
    cause = PRESSES[number]
    if number == 0:
        await world.daily.begin(view.of.number, ANN, cause=cause)
        return
    assert view.hand is not None, "it was begun, and that was acknowledged"
    # A street that is already placed is pressed again with arbitrary letters, which changes nothing.
    rows = await quickly(view.hand) if view.hand.street == number and not view.hand.over else "BBD"
    await world.daily.place(view.of.number, ANN, street=number, rows=rows, cause=cause)
