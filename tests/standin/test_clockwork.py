"""The clockwork at a start (deleted channels, other processes' tables) and at a stop (no lost time)."""
# ruff: noqa: SLF001  # A machine that sleeps has no other door.

import asyncio
from pathlib import Path

import pytest

from bot.model.ids import GuildId, TableId, TableKey
from tests.simulation.loop import SimulatedLoop
from tests.standin.wired_bot import WiredBot, make_bot, now_ms


async def test_only_a_server_of_its_own_connections_is_taken_for_gone(wired: WiredBot, tmp_path: Path) -> None:
    unknown = wired.discord.guild(2)
    await wired.discord.slash(wired.user(1), wired.discord.channel(unknown, 1), "ofc play").finished()
    await wired.drawn()
    await wired.discord.stop()
    del wired.discord.guilds[unknown.id]
    key = TableKey(guild=GuildId(unknown.id), table=TableId(1))
    for connections, closed in (([1], None), (None, "guild_gone")):
        wired.bot = await make_bot(wired.discord, tmp_path)
        wired.bot.shard_ids = connections
        await wired.discord.start(wired.bot)
        while wired.bot.clockwork.counted_to is None:  # noqa: ASYNC110  # no event tells it
            await asyncio.sleep(0.01)
        assert (await wired.bot.services.play.look(key)).table.closed_reason == closed
        await wired.discord.stop()


async def restart(wired: WiredBot, folder: Path, *, away_seconds: float = 0.0) -> None:
    """Stop the bot as an operator does, and start it again."""
    await wired.discord.stop()
    await asyncio.sleep(away_seconds)
    wired.bot = await make_bot(wired.discord, folder)
    await wired.discord.start(wired.bot)
    while wired.bot.clockwork.counted_to is None:  # noqa: ASYNC110  # no event tells it
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("away_seconds", [0.0, 30.0])
async def test_a_clean_stop_gives_back_the_time_of_being_away_and_no_other(
    wired: WiredBot, tmp_path: Path, away_seconds: float
) -> None:
    await wired.open(wired.user(0), wired.user(1))
    await asyncio.sleep(7)
    before = (await wired.look()).turn_until
    stopped_at = now_ms()
    await restart(wired, tmp_path, away_seconds=away_seconds)
    after = (await wired.look()).turn_until
    assert before is not None
    assert after is not None
    assert away_seconds * 1000 <= after - before <= now_ms() - stopped_at


async def test_what_was_lost_before_a_clean_stop_is_given_back_too(wired: WiredBot, tmp_path: Path) -> None:
    """The machine slept, and is told to stop the bot before its clock has beaten again."""
    await wired.open(wired.user(0), wired.user(1))
    before = (await wired.look()).turn_until
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SimulatedLoop)
    assert before is not None
    loop._now += 45
    await restart(wired, tmp_path)
    after = (await wired.look()).turn_until
    assert after is not None
    assert after - before >= 44_000
