"""What can happen to processes that share the servers."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable

from tests.databases import ask
from tests.processes.house import House
from tests.standin.bot_process import BotProcess
from tests.standin.standin import custom_ids

Happening = Callable[[House], Awaitable[None]]

WARM_SECONDS = 8.0
LATE_SECONDS = 22.0
"""Somebody who wakes up after so long was given up long ago."""
TRIES, SETTLED_SECONDS = 200, 0.1
_AMID = """
SELECT COUNT(*) FROM pg_stat_activity a JOIN process p ON p.connections = a.application_name
JOIN shard_lease s USING (process_id)
WHERE s.shard_id = 0 AND a.backend_xid IS NOT NULL AND a.wait_event = 'ClientRead'
"""
"""Of the connections of the process that has the first shard."""
GIVEN_UP = 1
"""The exit code of a process that others have taken over from: its supervisor starts it again."""


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


async def one_is_frozen_amid_a_pipeline_while_somebody_is_deleted_and_a_shard_connects_anew(played: House) -> None:
    victim = played.owners(0)[0]
    await _freeze_amid_a_pipeline(played, victim)
    other = next(shard for shard in range(played.discord.shards) if victim not in played.owners(shard))
    for login in played.discord.sessions.values():
        if login.connected and login.shard == other:
            login.ask_to_come_back()
    (somebody,) = played.people(1)
    asked = await played.crowd.judge(played.discord.slash(somebody, played.channels[other], "privacy delete"))
    assert asked is not None
    assert asked.answer is not None
    (delete,) = custom_ids(asked.answer, "own_delete")
    deleting = asyncio.create_task(played.crowd.press(somebody, asked.answer, delete))
    await asyncio.sleep(LATE_SECONDS)
    victim.signal(signal.SIGCONT)
    await played.discord.until(lambda: victim.ended is not None)
    assert victim.ended == GIVEN_UP, victim.said
    await deleting


async def _freeze_amid_a_pipeline(played: House, victim: BotProcess) -> None:
    """Stop a process at a moment when the database waits for the rest of what it writes."""
    for _ in range(TRIES):
        victim.signal(signal.SIGSTOP)
        # What it has sent has arrived, and what it may hold is held.
        await asyncio.sleep(SETTLED_SECONDS)
        if await asyncio.to_thread(ask, played.address, _AMID) != [(0,)]:
            return
        victim.signal(signal.SIGCONT)
        await asyncio.sleep(random.uniform(0, SETTLED_SECONDS))
    raise AssertionError("it was never amid a transaction")


async def one_is_cut_off_from_the_database(played: House) -> None:
    victim = played.owners(0)[0]
    (wire,) = played.wires[victim]
    wire.cut()
    await asyncio.sleep(LATE_SECONDS)
    wire.mend()
    await played.discord.until(lambda: victim.ended is not None)
    assert victim.ended == GIVEN_UP, victim.said


async def the_database_is_killed_and_started_again(played: House) -> None:
    await asyncio.to_thread(played.server.kill)
    await asyncio.to_thread(played.server.start)


async def the_standby_takes_the_place_of_the_database(played: House) -> None:
    assert played.standby is not None
    await asyncio.to_thread(played.server.kill)
    await asyncio.to_thread(played.standby.promote)
    played.failed_over = True


async def all_are_stopped_and_share_fewer_shards(played: House) -> None:
    for bot in played.living:
        bot.signal(signal.SIGTERM)
    await played.discord.until(played.is_empty)
    assert {bot.ended for bot in played.living} == {0}
    await played.reshard(4)


async def all_are_killed_and_share_more_shards(played: House) -> None:
    for bot in played.living:
        bot.signal(signal.SIGKILL)
    await played.discord.until(played.is_empty)
    await played.reshard(8)


async def _taken_from(played: House, victim: BotProcess) -> None:
    await played.discord.until(lambda: victim not in played.owners(0) and played.owners(0))


PLANNED = (one_leaves, each_is_started_anew, one_joins, everything_is_delivered_twice)
"""Every press is answered, and none refused; a machine that stalls may answer late."""
ACCIDENTS = (
    one_is_killed,
    one_is_frozen_and_wakes_up_late,
    one_is_frozen_amid_a_pipeline_while_somebody_is_deleted_and_a_shard_connects_anew,
    one_is_cut_off_from_the_database,
    the_database_is_killed_and_started_again,
)
RESHARDINGS = (all_are_stopped_and_share_fewer_shards, all_are_killed_and_share_more_shards)
"""Another number of shards, as docs/hosting.md says: everybody is stopped, and started with the new number."""
