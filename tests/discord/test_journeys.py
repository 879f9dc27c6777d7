"""How far a press goes, and how often it asks for what it has asked before: for a view or a row that is known."""

from __future__ import annotations

from pathlib import Path

from tests.discord.club import open_club
from tests.journeys import LOOK, READ, STATEMENT, WRITE, Follower, journeys

MOST = {
    "Register": {LOOK: 1, WRITE: 2, READ: 6, STATEMENT: 34},
    "Start": {LOOK: 4, WRITE: 3, READ: 0, STATEMENT: 35},
    "Tap": {LOOK: 1, WRITE: 1, READ: 0, STATEMENT: 8},
    "Confirm": {LOOK: 4, WRITE: 2, READ: 0, STATEMENT: 31},
}
"""What each press asked for when this was written down, with the drawing that follows from it."""
FILES = {"Register": 52, "Start": 66, "Tap": 51, "Confirm": 59}
FUNCTIONS = {"Register": 307, "Start": 418, "Tap": 208, "Confirm": 371}
"""Through how many each went then; of functions it may be a few more."""


async def test_a_press_asks_for_nothing_twice_and_goes_no_further_than_it_did(tmp_path: Path) -> None:
    follower = Follower()  # before the club: it sees those threads alone that begin later
    try:
        async with open_club(tmp_path) as club:
            followed = dict(await journeys(club, follower))
    finally:
        follower.close()
    assert followed.keys() == MOST.keys() == FILES.keys() == FUNCTIONS.keys()
    for name, most in MOST.items():
        times = followed[name].times
        assert all(times[what] for what in (LOOK, WRITE, STATEMENT)), f"nothing was seen of {name}"
        asked = "\n".join(f"{what} {whom}" for what, whom in followed[name].asked)
        assert all(times[what] <= limit for what, limit in most.items()), f"{name} asks for more:\n{asked}"
        files, functions = followed[name].files, followed[name].functions
        assert 0 < len(files) <= FILES[name], f"{name} goes through more files: {sorted(map(str, files))}"
        assert 0 < len(functions) <= FUNCTIONS[name], f"{name} goes through {len(functions)} functions"
