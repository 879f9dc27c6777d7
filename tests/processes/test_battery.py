"""Several processes share the servers while users play, and every kind of incident happens to them.

Each trial has three processes on one PostgreSQL database and one Discord. In each shard's server, two users play,
others constantly join and leave a lobby, and one server has an event. No confirmed action may be lost or repeated, no
chip created or lost, and no server unserved for long.
"""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.postgres.driver import EVERYTHING
from tests.databases import DATABASES, Server, ask, eyes_on
from tests.processes.happenings import (
    ACCIDENTS,
    FREEZES,
    PLANNED,
    RESHARDINGS,
    WARM_SECONDS,
    Happening,
    one_is_busy_for_longer_than_the_silent_live,
    the_standby_takes_the_place_of_the_database,
)
from tests.processes.house import FROZEN_SECONDS, OWNERLESS_SECONDS, House, house
from tests.processes.people import PROMISED
from tests.processes.standby import Standby


def _stands(played: House) -> None:
    assert played.lost() == [], "what somebody was told is done"
    assert played.doubled() == [], "what was posted twice"
    assert played.wrong() == [], "what the books say"
    assert played.crowd.placed
    assert not played.discord.too_early
    assert not played.discord.limits.refused, "what Discord refused"


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


async def _is_deleted_everywhere(played: House) -> None:
    """Delete a user known in servers of two processes, with one press.

    Other writes take so long that the answer is deferred. Until it arrives, both processes know the user.
    """
    (somebody,) = played.people(1)
    for probe in played.probes:
        await played.visits(somebody, probe)
    delete = await played.asks_to_be_deleted(somebody, 0)
    with closing(eyes_on(played.address)) as busy:
        busy("SELECT pg_advisory_lock_shared(?)", (EVERYTHING,))
        while (pressed := await delete()) is None:
            continue
        assert pressed.callback == PROMISED
        assert len(played.servers_that_know(somebody)) == len(played.probes)
    await played.is_deleted(somebody, pressed)


@pytest.mark.deep
@pytest.mark.parametrize("happens", PLANNED + ACCIDENTS, ids=lambda happens: happens.__name__)
async def test_nothing_is_lost_and_nothing_twice_when(happens: Happening, server: Server, tmp_path: Path) -> None:
    async with house(server, tmp_path, shards=6, logins_at_once=2) as played:
        longest, outcomes = await _undergo(played, happens)
        assert longest <= (FROZEN_SECONDS if happens in FREEZES else OWNERLESS_SECONDS)
        if happens in PLANNED:
            assert outcomes.keys() <= {"answered", "late"}, (outcomes, played.crowd.refusals)


@pytest.mark.deep
async def test_a_process_that_is_only_busy_is_not_taken_for_dead(server: Server, tmp_path: Path) -> None:
    async with house(server, tmp_path, shards=6, logins_at_once=2) as played:
        _, outcomes = await _undergo(played, one_is_busy_for_longer_than_the_silent_live)
        assert outcomes["late"] + outcomes["unanswered"], "it was too busy to answer"


@pytest.mark.deep
async def test_nothing_is_lost_and_nothing_twice_when_the_standby_takes_the_place_of_the_database(
    server: Server, tmp_path: Path
) -> None:
    with closing(Standby(server)) as standby:
        async with house(server, tmp_path, shards=6, logins_at_once=2, standby=standby) as played:
            longest, _ = await _undergo(played, the_standby_takes_the_place_of_the_database)
            assert longest <= OWNERLESS_SECONDS


@pytest.mark.deep
@pytest.mark.parametrize("happens", RESHARDINGS, ids=lambda happens: happens.__name__)
async def test_nothing_is_lost_and_nothing_twice_with_another_number_of_shards_when(
    happens: Happening, server: Server, tmp_path: Path
) -> None:
    async with house(server, tmp_path, shards=6, logins_at_once=4) as played:
        await _undergo(played, happens)
        assert played.counts() == {played.discord.shards}, "leases and clocks know the new number alone"


async def _undergo(played: House, happens: Happening) -> tuple[float, Counter[str]]:
    """Let an incident happen during play.

    Returns the longest outage (s) of a server, and the outcomes of the presses.
    """
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
    longest, outcomes = played.longest(), Counter(played.crowd.outcomes)
    await played.end()
    print(f"not served for {longest} s at most; {dict(outcomes)}; slowest answer {played.crowd.slowest:.2f} s")
    _stands(played)
    return max(longest), outcomes
