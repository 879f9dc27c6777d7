"""A hundred shards on three processes: how long the servers of one that dies wait, by what Discord takes of logins."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from bot.run.cluster.processes import missed_seconds
from tests.databases import Server
from tests.processes.house import house
from tests.processes.people import Probe

SHARDS, AT_ONCE = 100, 16
EVERY_SECONDS = 8.0
"""Between two presses in a server: twelve a second in all."""
WARM_SECONDS = 3 * EVERY_SECONDS
SLACK_SECONDS = 2 * EVERY_SECONDS
"""A server counts as served from an answered press, and presses come at this interval."""


@pytest.mark.deep
async def test_a_third_of_a_hundred_shards_is_served_again_as_soon_as_discord_takes_their_logins(
    server: Server, tmp_path: Path
) -> None:
    async with house(server, tmp_path, shards=SHARDS, logins_at_once=AT_ONCE) as played:
        await played.start(3)
        await played.ready()
        for channel in played.channels:
            join = await played.open_lobby(channel)
            played.probes.append(Probe(played.crowd, channel, join, played.people(6), every=EVERY_SECONDS))
        asking = [asyncio.create_task(probe.ask()) for probe in played.probes]
        await asyncio.sleep(WARM_SECONDS)
        before = played.longest()
        played.crowd.outcomes.clear()
        (victim,) = played.owners(0)
        lost = [shard for shard in range(SHARDS) if victim in played.owners(shard)]
        victim.signal(signal.SIGKILL)
        await played.discord.until(lambda: played.discord.held == set(range(SHARDS)) and played.fairly_shared())
        served = [probe.done for probe in played.probes]

        def not_served() -> list[int]:
            return [shard for shard, probe in enumerate(played.probes) if probe.done <= served[shard] + 1]

        with suppress(TimeoutError):
            await played.discord.until(lambda: not not_served())
        said = "\n".join(bot.said[-2000:] for bot in played.living)
        assert not_served() == [], f"of {lost} that were lost; {played.crowd.outcomes}; {said}"
        after, outcomes = played.longest(), dict(played.crowd.outcomes)
        played.crowd.over = True
        await asyncio.gather(*asking)
        waited = sorted(after[shard] for shard in lost)
        others = sorted(set(range(SHARDS)).difference(lost), key=lambda shard: after[shard])
        print(
            f"before: {max(before)} s at most; {len(lost)} lost: {waited} s; others {after[others[-1]]} s; {outcomes}"
        )
        assert abs(len(lost) - SHARDS / 3) < 1
        assert waited[-1] <= missed_seconds(len(lost), logins_at_once=AT_ONCE) + SLACK_SECONDS
        assert after[others[-1]] <= SLACK_SECONDS, "nobody else waits"
        assert played.wrong() == []
        assert not played.discord.too_early
        assert not played.discord.limits.refused, "what Discord refused"
