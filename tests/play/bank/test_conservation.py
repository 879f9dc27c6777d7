"""Chips of a server under a crowd that does all that moves them, with power and without, by chance."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.model.clock import DAY
from tests.play.bank.crowd import CAP, Crowd
from tests.play.world import ANN, GUILD, World

LOOK_EVERY = 100
"""After so many steps all books are looked through."""
REFUSED = ("announce", "repeat", "send", "delete", "start_event", "register")
"""Actions that must have been both done and refused, because people without permission tried them."""
HAPPENED = ("chips added to a pool", "vouched for", "not vouched for", "set back", "hands for chips", "hands of events")


@pytest.mark.parametrize("steps", [200, pytest.param(10_000, marks=pytest.mark.deep)])
async def test_nobody_without_power_makes_chips(tmp_path: Path, steps: int) -> None:
    world = World(tmp_path)
    await world.open()
    terms = {"transfer_cap": CAP, "transfer_fee": 10}
    await world.bank.change_terms(GUILD, ANN, lambda before: replace(before, **terms), cause=world.cause())
    crowd = Crowd(world, seed=19)
    number = 0
    # Take ``steps`` steps, and continue until every action has happened once.
    while number < steps or missing(crowd):
        assert number < 10 * steps, f"{missing(crowd)} did not happen"
        await crowd.step()
        number += 1
        if number % LOOK_EVERY == 0:
            crowd.check_books()
    print(f"\n{number:,} steps in {(world.now - crowd.begun) / DAY:.0f} days, at most {crowd.most:,} chips at once")
    for what, count in sorted(crowd.done.items()):
        print(f"  {what}: {count:,}")
    await world.close()


def missing(crowd: Crowd) -> list[str]:
    """Return the actions that haven't happened yet."""
    kinds = (*crowd.steps, *(f"{name}, refused" for name in REFUSED), *HAPPENED)
    return [kind for kind in kinds if not crowd.done[kind]]
