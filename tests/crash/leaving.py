"""The deletion of a player, as a fixed script. A second run does whatever the first was kept from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bot.model.ids import Player, TableKey
from tests.crash.script import SameVault, last_heartbeat
from tests.play.world import BOB, CLEO, START, World

LEAVER = Player("312345678901234567")
HANDS = 2


def house(folder: Path, *, trace: Callable[[str], None] | None = None) -> World:
    """Return a bot that is started for the first time, or again after the deletion."""
    now = max(START, last_heartbeat(folder / "chaipo.db"))
    return World(folder, fixed=SameVault([b"k" * 32]), now=now, trace=trace)


async def play(world: World) -> TableKey:
    """A table that has closed after some hands."""
    table = await world.started(LEAVER, BOB, CLEO)
    await world.play_hand(table)
    for _ in range(HANDS - 1):
        await world.next_hand(table)
        await world.play_hand(table)
    await world.play.close(table, reason="closed_by_admin")
    return table
