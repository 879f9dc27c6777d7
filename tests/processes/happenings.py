"""Incidents for processes that share the servers."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable

from tests.databases import ask
from tests.processes.house import House
from tests.standin.bot_process import BUSY_SECONDS, BotProcess

Happening = Callable[[House], Awaitable[None]]

WARM_SECONDS = 8.0
LATE_SECONDS = 22.0
"""A process that wakes up after this time has long been given up."""
GIVEN_UP = 1
"""Exit code of a process whose work others have taken over. Its supervisor restarts it."""


AMID = """
SELECT COUNT(*) FROM pg_stat_activity a JOIN process p ON p.connections = a.application_name
JOIN shard_lease l USING (process_id)
WHERE l.shard_id = 0 AND a.state = 'active' AND a.wait_event = 'ClientRead' AND a.backend_xid IS NOT NULL
"""
"""A write begun by the first shard's process, which is then asked to continue."""


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


async def one_is_frozen_amid_a_write_while_somebody_is_deleted_and_shards_reconnect(played: House) -> None:
    (victim, *_), (somebody,), elsewhere = played.owners(0), played.people(1), _elsewhere(played)
    await played.visits(somebody, played.probes[elsewhere])
    deletion = await played.asks_to_be_deleted(somebody, elsewhere)
    await played.discord.until(lambda: _freezes_amid_a_write(played, victim))
    for login in list(played.discord.sessions.values()):
        if login.token != victim.token:
            login.go_elsewhere()
    deleting = asyncio.create_task(deletion())
    await asyncio.sleep(LATE_SECONDS)
    victim.signal(signal.SIGCONT)
    await played.discord.until(lambda: victim.ended is not None)
    assert victim.ended == GIVEN_UP, victim.said
    pressed = await deleting
    while pressed is None:
        pressed = await deletion()
    await played.is_deleted(somebody, pressed)


async def one_is_busy_for_longer_than_the_silent_live(played: House) -> None:
    owners = {shard: played.owners(shard) for shard in range(played.discord.shards)}
    (busy,) = owners[0]
    busy.signal(signal.SIGUSR1)
    await asyncio.sleep(BUSY_SECONDS + WARM_SECONDS)
    assert busy.ended is None, busy.said
    assert {shard: played.owners(shard) for shard in owners} == owners, "nobody has taken anything over"


def _elsewhere(played: House) -> int:
    """A shard that is not of the process that has the first."""
    return next(shard for shard in range(played.discord.shards) if played.owners(shard) != played.owners(0))


def _freezes_amid_a_write(played: House, victim: BotProcess) -> bool:
    victim.signal(signal.SIGSTOP)
    if ask(played.address, AMID) != [(0,)]:
        return True
    victim.signal(signal.SIGCONT)
    return False


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
    one_is_frozen_amid_a_write_while_somebody_is_deleted_and_shards_reconnect,
    one_is_cut_off_from_the_database,
    the_database_is_killed_and_started_again,
)
FREEZES = (
    one_is_frozen_and_wakes_up_late,
    one_is_frozen_amid_a_write_while_somebody_is_deleted_and_shards_reconnect,
)
RESHARDINGS = (all_are_stopped_and_share_fewer_shards, all_are_killed_and_share_more_shards)
"""Changes of the number of shards. All processes are stopped, then started (docs/how-to/several-processes.md)."""
