"""Several processes share the servers while people play, and everything happens to them that can.

Each trial has three processes on one PostgreSQL database and one Discord. In the server of each shard two people play,
others join and leave a lobby without a pause, and one server has an event. Nothing that somebody was told is done may
be lost or done twice, no chip may be made or lost, and no server may be without somebody who serves it for long.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from tests.databases import DATABASES, Server, ask
from tests.processes.house import OWNERLESS_SECONDS, House, house
from tests.standin.bot_process import BotProcess
from tests.standin.standin import custom_ids
from tests.standin.things import User

Happening = Callable[[House], Awaitable[None]]

WARM_SECONDS = 8.0
LATE_SECONDS = 22.0
"""Somebody who wakes up after so long was given up long ago."""
GIVEN_UP = 1
"""The exit code of a process that others have taken over from: its supervisor starts it again."""


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that waits for its disk."""
    made = Server(())
    yield made
    made.stop()


def _stands(played: House) -> None:
    assert played.lost() == [], "what somebody was told is done"
    assert played.doubled() == [], "what was posted twice"
    assert played.wrong() == [], "what the books say"
    assert played.crowd.placed
    assert not played.discord.too_early


async def test_a_process_that_leaves_hands_over_and_one_that_is_killed_is_replaced(tmp_path: Path) -> None:
    async with house(DATABASES.server, tmp_path, shards=2, logins_at_once=2) as played:
        await played.start(2)
        await played.ready()
        await played.open_tables()
        (leaver,) = played.owners(0)
        leaver.signal(signal.SIGTERM)
        await played.discord.until(lambda: leaver.ended is not None)
        assert leaver.ended == 0, leaver.said
        handed_over = ask(played.address, "SELECT shard_id FROM shard_lease WHERE answered_to > 0")
        assert handed_over == [(0,)], "the lease was given from hand to hand, and not taken"
        await played.start()
        await played.discord.until(played.fairly_shared)
        await _is_deleted_everywhere(played)
        (victim,) = played.owners(0)
        victim.signal(signal.SIGKILL)
        before = [probe.done for probe in played.probes]
        await played.discord.until(lambda: victim not in played.owners(0) and played.owners(0))
        await played.discord.until(
            lambda: all(probe.done > done + 2 for probe, done in zip(played.probes, before, strict=True))
        )
        await played.end()
        _stands(played)


async def _leave(played: House, leaver: BotProcess) -> None:
    leaver.signal(signal.SIGTERM)
    await played.discord.until(lambda: leaver.ended is not None)
    assert leaver.ended == 0, leaver.said


async def one_leaves(played: House) -> None:
    await _leave(played, played.owners(0)[0])


async def each_is_started_anew(played: House) -> None:
    for old in list(played.living):
        await played.start()
        await played.discord.until(played.fairly_shared)
        await _leave(played, old)
        await played.discord.until(played.fairly_shared)


async def one_joins(played: House) -> None:
    await played.start()
    await played.discord.until(played.fairly_shared)


async def everything_is_delivered_twice(played: House) -> None:
    played.discord.twice = True
    await asyncio.sleep(WARM_SECONDS)
    await one_leaves(played)


async def one_is_killed(played: House) -> None:
    victim = played.owners(0)[0]
    victim.signal(signal.SIGKILL)
    await _taken_from(played, victim)


async def one_is_frozen_and_wakes_up_late(played: House) -> None:
    victim = played.owners(0)[0]
    victim.signal(signal.SIGSTOP)
    await asyncio.sleep(LATE_SECONDS)
    victim.signal(signal.SIGCONT)
    await played.discord.until(lambda: victim.ended is not None)
    assert victim.ended == GIVEN_UP, victim.said


async def one_is_cut_off_from_the_database(played: House) -> None:
    victim = played.owners(0)[0]
    played.wires[victim].cut()
    await asyncio.sleep(LATE_SECONDS)
    played.wires[victim].mend()
    await played.discord.until(lambda: victim.ended is not None)
    assert victim.ended == GIVEN_UP, victim.said


async def the_database_is_killed_and_started_again(played: House) -> None:
    await asyncio.to_thread(played.server.kill)
    await asyncio.to_thread(played.server.start)


async def _taken_from(played: House, victim: BotProcess) -> None:
    await played.discord.until(lambda: victim not in played.owners(0) and played.owners(0))


PLANNED = (one_leaves, each_is_started_anew, one_joins, everything_is_delivered_twice)
"""Every press is answered, and none refused; a machine that stalls may answer late."""
ACCIDENTS = (
    one_is_killed,
    one_is_frozen_and_wakes_up_late,
    one_is_cut_off_from_the_database,
    the_database_is_killed_and_started_again,
)


async def _is_deleted_everywhere(played: House) -> None:
    """Somebody who was in servers of two processes is deleted in both by one press."""
    (somebody,) = played.people(1)
    for probe in played.probes:
        for verb in ("join", "leave"):
            assert await probe.press(somebody, verb)
    assert len(_servers_that_know(played, somebody)) == len(played.probes)
    asked = await played.crowd.judge(played.discord.slash(somebody, played.channels[0], "privacy delete"))
    assert asked is not None
    assert asked.answer is not None
    (delete,) = custom_ids(asked.answer, "own_delete")
    done = await played.crowd.press(somebody, asked.answer, delete)
    assert done is not None, played.crowd.refusals
    assert _servers_that_know(played, somebody) == []


def _servers_that_know(played: House, user: User) -> list[int]:
    found = ask(played.address, "SELECT DISTINCT guild_id FROM account WHERE owner = ?", (str(user.id),))
    return [guild for (guild,) in found]


@pytest.mark.deep
@pytest.mark.parametrize("happens", PLANNED + ACCIDENTS, ids=lambda happens: happens.__name__)
async def test_nothing_is_lost_and_nothing_twice_when(happens: Happening, server: Server, tmp_path: Path) -> None:
    async with house(server, tmp_path, shards=6, logins_at_once=2) as played:
        await played.start(3)
        await played.ready()
        await played.open_tables()
        await played.open_event(0)
        await asyncio.sleep(WARM_SECONDS)
        played.longest()
        played.crowd.outcomes.clear()
        await happens(played)
        served = [probe.done for probe in played.probes]
        await played.discord.until(
            lambda: all(probe.done > done + 2 for probe, done in zip(played.probes, served, strict=True))
        )
        longest, outcomes = played.longest(), dict(played.crowd.outcomes)
        await played.end()
        print(f"not served for {longest} s at most; {outcomes}; slowest answer {played.crowd.slowest:.2f} s")
        _stands(played)
        if happens in PLANNED:
            assert outcomes.keys() <= {"answered", "late"}, (outcomes, played.crowd.refusals)
        assert max(longest) <= OWNERLESS_SECONDS
