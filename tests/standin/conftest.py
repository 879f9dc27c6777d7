"""The real bot on the stand-in, in time that does not wait: limits of five minutes pass at once."""

from asyncio import AbstractEventLoop
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path

import pytest

from tests.simulation.loop import SimulatedLoop
from tests.standin.room import Room, make_bot, now_ms
from tests.standin.standin import Standin


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], AbstractEventLoop]]:
    """Every test here begins at the same moment."""
    return {"simulated": lambda: SimulatedLoop(0)}


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    discord = Standin(now_ms=now_ms)
    channel = discord.channel(discord.guild(1), 1)
    bot = await make_bot(discord, tmp_path)
    await discord.start(bot)
    yield Room(discord, channel, bot)
    await discord.stop()
    assert not discord.limits.refused, "the bot asked more of Discord than it takes"
