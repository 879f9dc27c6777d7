"""The cost of a press: views of a table, writes, reads and SQL statements, including the redraw."""

from __future__ import annotations

from pathlib import Path

from tests.discord.club import open_club
from tests.journeys import LOOK, READ, STATEMENT, WRITE, Follower, journeys

MAX_STEPS = {
    "Register": {LOOK: 1, WRITE: 2, READ: 7, STATEMENT: 40},
    "Start": {LOOK: 4, WRITE: 3, READ: 0, STATEMENT: 35},
    "Tap": {LOOK: 1, WRITE: 1, READ: 0, STATEMENT: 8},
    "Confirm": {LOOK: 4, WRITE: 2, READ: 0, STATEMENT: 31},
}
"""Upper limits per press."""


async def test_presses_stay_within_their_limits(tmp_path: Path) -> None:
    follower = Follower()  # before the club, because it sees only threads that start later
    try:
        async with open_club(tmp_path) as club:
            followed = dict(await journeys(club, follower))
    finally:
        follower.close()
    assert followed.keys() == MAX_STEPS.keys()
    for name, most in MAX_STEPS.items():
        times = followed[name].times
        assert all(times[what] for what in (LOOK, WRITE, STATEMENT)), f"nothing was seen of {name}"
        asked = "\n".join(f"{what} {whom}" for what, whom in followed[name].asked)
        assert all(times[what] <= limit for what, limit in most.items()), f"{name} asks for more:\n{asked}"
