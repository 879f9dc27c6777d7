"""The real bot on the stand-in."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.standin.room import Room, make_bot, now_ms
from tests.standin.standin import Standin


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    discord = Standin(now_ms=now_ms)
    channel = discord.channel(discord.guild(1), 1)
    bot = await make_bot(tmp_path)
    await discord.start(bot)
    yield Room(discord, channel, bot)
    await discord.stop()
