"""The real bot on the stand-in, in time that does not wait: limits of five minutes pass at once."""

from asyncio import AbstractEventLoop
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path

import pytest

from tests.simulation.loop import SimulatedLoop
from tests.standin.standin import Standin
from tests.standin.wired_bot import WiredBot, make_bot, now_ms
from tests.worked_out import work_out_once


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], AbstractEventLoop]]:
    """Every test here begins at the same moment."""
    return {"simulated": lambda: SimulatedLoop(0)}


@pytest.fixture(autouse=True)
def _same_answers_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    work_out_once(monkeypatch)


@pytest.fixture
async def wired(tmp_path: Path) -> AsyncIterator[WiredBot]:
    discord = Standin(now_ms=now_ms)
    channel = discord.channel(discord.guild(1), 1)
    bot = await make_bot(discord, tmp_path)
    await discord.start(bot)
    yield WiredBot(discord, channel, bot)
    await discord.stop()
    assert not discord.limits.refused, "the bot asked more of Discord than it takes"
