"""How often a press asks for what it has asked before: for a view that could be handed on, for a row that is known."""

from __future__ import annotations

from pathlib import Path

from tests.discord.club import open_club
from tests.journeys import LOOK, READ, STATEMENT, WRITE, Follower, journeys

MOST = {
    "Register": {LOOK: 2, WRITE: 2, READ: 6, STATEMENT: 37},
    "Start": {LOOK: 4, WRITE: 3, READ: 0, STATEMENT: 38},
    "Tap": {LOOK: 1, WRITE: 1, READ: 0, STATEMENT: 9},
    "Confirm": {LOOK: 4, WRITE: 2, READ: 0, STATEMENT: 31},
}
"""What each press asked for when this was written down, with the drawing that follows from it."""


async def test_a_press_asks_for_nothing_twice(tmp_path: Path) -> None:
    follower = Follower()  # before the club: it sees those threads alone that begin later
    try:
        async with open_club(tmp_path) as club:
            followed = dict(await journeys(club, follower))
    finally:
        follower.close()
    assert followed.keys() == MOST.keys()
    for name, most in MOST.items():
        times = followed[name].times
        assert all(times[what] for what in (LOOK, WRITE, STATEMENT)), f"nothing was seen of {name}"
        asked = "\n".join(f"{what} {whom}" for what, whom in followed[name].asked)
        assert all(times[what] <= limit for what, limit in most.items()), f"{name} asks for more:\n{asked}"
