"""An event is killed repeatedly. It continues, pays once, and ends without help."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.model.events import EntrantState, Phase
from bot.store.invariants import QUESTIONS, Invariant, ask
from bot.store.sqlite.driver import SqliteSql
from tests.crash.event_night import BOUNTY, FEE, KEY, night
from tests.crash.fork_server import NEVER, fork_server

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the process kills itself by a signal")


def _ask(connection: sqlite3.Connection, question: Invariant) -> list[dict[str, Any]]:
    return ask(SqliteSql(connection), question)


async def look_after(folder: Path, players: int) -> Phase:
    """Check the database after a kill: valid accounts, no player at two tables, no missing chips."""
    world = night(folder)
    await world.open()
    for question in QUESTIONS:
        assert await world.database.read(partial(_ask, question=question)) == [], question.kind
    assert world.ask("PRAGMA integrity_check") == [("ok",)]
    seats = Counter(row[0] for row in world.ask("SELECT player FROM seat"))
    assert all(count == 1 for count in seats.values())
    found = await world.events.events(KEY.guild, list(Phase))
    if not found:
        await world.close()
        return Phase.REGISTERING
    (event,) = found
    made = world.ask("SELECT -balance FROM account WHERE kind = 'mint' AND owner = 'event:1'")
    entered = world.ask("SELECT COUNT(*) FROM entrant WHERE number > 0")[0][0]
    if not event.phase.over:
        pool = world.ask("SELECT balance FROM account WHERE owner = 'pool:1'")
        entries = world.ask("SELECT COUNT(*), SUM(head) FROM entrant WHERE state <> 'withdrawn'")[0]
        assert sum(chips for (chips,) in pool) == entries[0] * (FEE - BOUNTY) + (entries[1] or 0)
    if event.phase is Phase.RUNNING:
        # The tables are opened some at a time, and nothing is dealt before all of them are.
        all_open = world.ask("SELECT 1 FROM event_log WHERE kind = 'started'")
        sitting = entered if all_open else sum(seats.values())
        assert sum(chips for (chips,) in made) == sitting * event.structure.stack
    if event.phase is Phase.ENDED:
        entrants = (await world.events.look(KEY)).lines
        people = [line.entrant for line in entrants if line.entrant.state is not EntrantState.WITHDRAWN]
        places = [entrant.place for entrant in people]
        assert places == [1 + places.index(place) for place in places], "equal players share a place"
        assert sum(entrant.prize for entrant in people) == (FEE - BOUNTY) * len(people)
        assert sum(entrant.bounties for entrant in people) == BOUNTY * len(people)
        assert len(people) == players
    await world.close()
    return event.phase


async def play_to_the_end(folder: Path, *, players: int, points: tuple[int, int], seed: int) -> int:
    """Kill it after so many statements, again and again; returns how many lives it took."""
    chance = Random(seed)
    with fork_server() as ready:
        for life in range(1, 400):
            # A life that comes nowhere is followed by a longer one, so that all of them come to an end.
            kill_at = chance.randint(*points) * (1 + life // 40)
            child = ready.event(folder, players=players, kill_at=kill_at)
            assert child.signal == signal.SIGKILL
            phase = await look_after(folder, players)
            if child.acknowledged:
                assert phase is Phase.ENDED
                return life
    raise AssertionError("the event does not end")


async def test_an_event_killed_again_and_again_comes_to_its_end(tmp_path: Path) -> None:
    assert await play_to_the_end(tmp_path, players=7, points=(40, 1_200), seed=5) > 5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "most"),
    [(30, 9_000), pytest.param(200, 60_000, marks=pytest.mark.deep)],
    ids=["10 tables", "67 tables"],
)
async def test_an_event_on_many_tables_survives_every_kill(tmp_path: Path, players: int, most: int) -> None:
    assert await play_to_the_end(tmp_path, players=players, points=(500, most), seed=7) > 5


async def test_an_event_that_nobody_disturbs_needs_no_help_either(tmp_path: Path) -> None:
    with fork_server() as ready:
        child = ready.event(tmp_path, players=5, kill_at=NEVER)
    assert child.acknowledged == [1]
    assert await look_after(tmp_path, 5) is Phase.ENDED
